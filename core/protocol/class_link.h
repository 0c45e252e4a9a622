// SPDX-License-Identifier: GPL-3.0-or-later
// The address of a class: http://192.168.1.20:8080/#TOKEN, or https. The token stands behind the #, because a browser
// sends that part to nobody.
#pragma once

#include <string>

#include "core/protocol/frames.h"

namespace lab::serving {

// An address and a port, "127.0.0.1:0" or "[::1]:0", or a name that a certificate covers.
struct ClassAddress {
  std::string host;  // without brackets, as browsers write it
  int port = 0;
  std::string text() const;  // as in a link, and in a browser's Host header
};
// Throws a UserError naming the option if the address is not valid. "0.0.0.0" is refused too, as nobody could join
// there.
ClassAddress parseListenAddress(const std::string& text);

struct ClassLink {
  ClassAddress address;
  Token token{};
  bool secure = false;  // https and wss
  std::string text() const;
};
// Throws a UserError if the text is not a link of a class.
ClassLink parseClassLink(const std::string& text);

// Returns whether a browser's request comes from the class's own page and is meant for it. `origin` is "" if the
// request has none, which no browser does for a WebSocket. Keeps out other pages and other names of this address.
bool isOwnRequest(const ClassAddress& address, bool secure, const std::string& host, const std::string& origin);

}  // namespace lab::serving
