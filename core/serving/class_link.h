// SPDX-License-Identifier: GPL-3.0-or-later
// Where a class is: http://192.168.1.20:8080/#TOKEN, or https. The token stands behind the #, which a browser sends to
// nobody.
#pragma once

#include <string>

#include "core/serving/frames.h"

namespace lab::serving {

// An address and a port, "127.0.0.1:0" or "[::1]:0", or a name that a certificate is for.
struct ClassAddress {
  std::string host;  // without brackets
  int port = 0;
  std::string text() const;  // as in a link, and in a browser's Host
};
// UserError naming the option where it is none: "0.0.0.0" is refused too, for nobody could join there.
ClassAddress parseListenAddress(const std::string& text);

struct ClassLink {
  ClassAddress address;
  Token token{};
  bool secure = false;  // https and wss
  std::string text() const;
};
// UserError where it is none.
ClassLink parseClassLink(const std::string& text);

// Whether a browser's request is from the class's own page, and for it: `origin` "" where it says none, which no
// browser does for a WebSocket. Keeps other pages, and other names of this address, out.
bool isOwnRequest(const ClassAddress& address, bool secure, const std::string& host, const std::string& origin);

}  // namespace lab::serving
