// SPDX-License-Identifier: GPL-3.0-or-later
// The program that started this one: orders come on standard input, a line each, and what is told goes to standard
// output. Asked to stop by it, by a signal, or by its end.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/streambuf.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace lab::classes {

class Parent {
 public:
  // `stop`: also where it has ended, or a signal says so. Called once at most.
  Parent(boost::asio::io_context& context, std::function<void(const std::string&)> order, std::function<void()> stop);

  void tell(const nlohmann::json& line);
  void tellText(const std::string& line);
  void forget();  // nothing more is read of it, so that the context can end

 private:
  void read();
  void stopOnce();

  boost::asio::posix::stream_descriptor input_;
  boost::asio::signal_set signals_;
  boost::asio::streambuf buffer_{4096};
  const std::function<void(const std::string&)> order_;
  std::function<void()> stop_;
};

}  // namespace lab::classes
