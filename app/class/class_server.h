// SPDX-License-Identifier: GPL-3.0-or-later
// HTTP, for the student's page (class_page.h), and WebSockets on one port for a ClassSession, and on no other address
// than the given one. Connections are bounded in number, in what is read of them and in time; a request of another page
// (Origin, Host) is refused. One thread, that of the io_context.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "app/class/tls.h"
#include "core/serving/class_link.h"
#include "core/serving/class_session.h"

namespace lab::classes {

struct ServerState;

class ClassServer {
 public:
  // Listens at once: UserError where it cannot. `tls`: nullptr is plain HTTP. `now`: the session's time.
  ClassServer(boost::asio::io_context& context, const serving::ClassAddress& address, std::shared_ptr<Tls> tls,
              std::function<std::int64_t()> now);
  ~ClassServer();
  ClassServer(const ClassServer&) = delete;
  ClassServer& operator=(const ClassServer&) = delete;

  serving::ClassAddress address() const;  // with the port that was picked

  void serve(serving::ClassSession& session);  // from now on
  void wantsToSend(int connection);            // see ClassEvents
  void stopListening();
  int open() const;  // connections, of workers and of those who may become one

 private:
  const std::shared_ptr<ServerState> state_;
};

}  // namespace lab::classes
