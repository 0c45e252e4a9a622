// SPDX-License-Identifier: GPL-3.0-or-later
// The program that started this one: orders arrive on standard input, one per line, and reports go to standard output.
// This program must stop on its order, on a signal, or when it ends.
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
  // `stop`: also called if the parent has ended, or on a signal; at most once.
  Parent(boost::asio::io_context& context, std::function<void(const std::string&)> order, std::function<void()> stop);

  void tell(const nlohmann::json& line);
  void tellText(const std::string& line);
  void forget();  // reads nothing more from the parent, so that the context can end

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
