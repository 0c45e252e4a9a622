// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/class_link.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/protocol/messages.h"

namespace lab::serving {
namespace {

std::string schemeOf(bool secure) {
  return secure ? "https://" : "http://";
}

constexpr std::size_t kMostHost = 253;

bool isHost(const std::string& host) {
  return !host.empty() && host.size() <= kMostHost && std::ranges::all_of(host, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '-' || c == ':';
  });
}

// Returns the host as browsers write it in the headers that isOwnRequest() compares: in lower case, and an IPv6 address
// in its shortest form. Empty if it is none; so are those with a scope ("%eth0"), which are in no link.
std::string asBrowsersWrite(std::string host) {
  std::ranges::transform(host, host.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (!isHost(host)) return "";
  if (host.find(':') == std::string::npos) return host;
  in6_addr address{};
  std::array<char, INET6_ADDRSTRLEN> shortest{};
  if (inet_pton(AF_INET6, host.c_str(), &address) != 1) return "";
  return inet_ntop(AF_INET6, &address, shortest.data(), shortest.size());
}

std::optional<ClassAddress> addressFrom(std::string_view text, int least) {
  ClassAddress address;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  address.host = asBrowsersWrite(std::string(host));
  const auto port = parseNumber<int>(std::string(text.substr(colon + 1)));
  if (!port || *port < least || *port > 65535 || address.host.empty()) return std::nullopt;
  if (bracketed != (host.find(':') != std::string_view::npos)) return std::nullopt;
  address.port = *port;
  return address;
}

bool isLoopback(const std::string& host) {
  return host == "127.0.0.1" || host == "::1";
}

}  // namespace

std::string ClassAddress::text() const {
  const bool isV6 = host.find(':') != std::string::npos;
  return (isV6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

ClassAddress parseListenAddress(const std::string& text) {
  const auto address = addressFrom(text, 0);
  if (!address || address->host == "0.0.0.0" || address->host == "::")
    throw UserError(say::classListenAddress, Option{"listen"}, text.substr(0, 64));
  return *address;
}

std::string ClassLink::text() const {
  return schemeOf(secure) + address.text() + "/#" + textOf(token);
}

ClassLink parseClassLink(const std::string& text) {
  const std::string_view all(text);
  const std::size_t hash = all.find("/#");
  for (const bool secure : {false, true}) {
    const std::string scheme = schemeOf(secure);
    if (!all.starts_with(scheme) || hash == std::string_view::npos || hash < scheme.size()) continue;
    const auto address = addressFrom(all.substr(scheme.size(), hash - scheme.size()), 1);
    const auto token = tokenFrom(all.substr(hash + 2));
    if (address && token) return {*address, *token, secure};
  }
  throw UserError(say::classLinkWrong);
}

bool isOwnRequest(const ClassAddress& address, bool secure, const std::string& host, const std::string& origin) {
  const std::string port = ":" + std::to_string(address.port);
  const bool isOwn =
      host == address.text() || (isLoopback(address.host) && host == "localhost" + port) ||
      (address.port == (secure ? 443 : 80) && host == address.text().substr(0, address.text().rfind(':')));
  return isOwn && (origin.empty() || origin == schemeOf(secure) + host);
}

}  // namespace lab::serving
