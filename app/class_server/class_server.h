// SPDX-License-Identifier: GPL-3.0-or-later
// Serves HTTP, for the student's page (class_page.h), and WebSockets for a ClassSession on one port, only at the given
// address. Limits connections in number, bytes read and time, and refuses requests of another page (Origin, Host). Runs
// on the io_context's only thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "app/class_server/tls.h"
#include "core/protocol/class_link.h"
#include "core/serving/class_session.h"

namespace lab::classes {

struct ServerState;

class ClassServer {
 public:
  // Listens at once; throws a UserError if it cannot. `tls`: nullptr means plain HTTP. `now`: the session's time.
  ClassServer(boost::asio::io_context& context, const serving::ClassAddress& address, std::shared_ptr<Tls> tls,
              std::function<std::int64_t()> now);
  ~ClassServer();
  ClassServer(const ClassServer&) = delete;
  ClassServer& operator=(const ClassServer&) = delete;

  serving::ClassAddress address() const;  // with the chosen port

  void serve(serving::ClassSession& session);  // from now on
  void wantsToSend(int connection);            // see ClassEvents
  void stopListening();
  int open() const;  // number of connections of workers, and of those who may become workers

 private:
  const std::shared_ptr<ServerState> state_;
};

}  // namespace lab::classes
