// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/class_server/parent.h"

#include <unistd.h>

#include <boost/asio/read_until.hpp>
#include <csignal>
#include <cstdio>
#include <istream>
#include <nlohmann/json.hpp>
#include <utility>

namespace lab::classes {

namespace net = boost::asio;
using boost::system::error_code;

Parent::Parent(net::io_context& context, std::function<void(const std::string&)> order, std::function<void()> stop)
    : input_(context, dup(STDIN_FILENO)),
      signals_(context, SIGINT, SIGTERM, SIGUSR1),
      order_(std::move(order)),
      stop_(std::move(stop)) {
  signals_.async_wait([this](const error_code& error, int) {
    if (!error) stopOnce();
  });
  read();
}

void Parent::read() {
  net::async_read_until(input_, buffer_, '\n', [this](const error_code& error, std::size_t) {
    if (error == net::error::operation_aborted) return;
    if (error) return stopOnce();
    std::istream stream(&buffer_);
    std::string line;
    std::getline(stream, line);
    if (line == "stop" || line == "leave")
      stopOnce();
    else
      order_(line);
    read();
  });
}

void Parent::stopOnce() {
  if (const auto stop = std::exchange(stop_, nullptr)) stop();
}

void Parent::tell(const nlohmann::json& line) {
  tellText(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void Parent::tellText(const std::string& line) {
  const bool isWritten = std::fputs((line + "\n").c_str(), stdout) >= 0 && std::fflush(stdout) == 0;
  if (!isWritten) stopOnce();  // nobody is listening
}

void Parent::forget() {
  error_code ignored;
  input_.cancel(ignored);
  signals_.cancel(ignored);
}

}  // namespace lab::classes
