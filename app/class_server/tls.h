// SPDX-License-Identifier: GPL-3.0-or-later
// The transport of HTTP and WebSocket: TCP, or TLS over TCP if the class has a certificate. One type for both, so that
// Beast's templates are compiled only once.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace lab::classes {

using Tls = boost::asio::ssl::context;

// Throws a UserError if the files are invalid, do not belong together, or are not for `host`, which a link will name.
std::shared_ptr<Tls> serverTls(const std::string& certificate, const std::string& key, const std::string& host);
// Trusts the machine's authorities, and those in `authority` ("": no others).
std::shared_ptr<Tls> clientTls(const std::string& authority);

class Wire {
  using Plain = boost::beast::tcp_stream;
  using Encrypted = boost::beast::ssl_stream<Plain>;

 public:
  using executor_type = Plain::executor_type;

  // `from`: an open socket, or a context for a future one. `tls`: nullptr means TCP alone.
  template <typename From>
  Wire(From&& from, Tls* tls)
      : stream_(tls == nullptr ? Stream(std::in_place_type<Plain>, std::forward<From>(from))
                               : Stream(std::in_place_type<Encrypted>, Plain(std::forward<From>(from)), *tls)) {}

  Plain& tcp() {
    auto* encrypted = std::get_if<Encrypted>(&stream_);
    return encrypted != nullptr ? encrypted->next_layer() : std::get<Plain>(stream_);
  }
  executor_type get_executor() { return tcp().get_executor(); }

  // Sets the host that the other end's certificate must be for.
  void expect(const std::string& host);
  // Returns "" if the certificate is trusted, or has not arrived yet.
  std::string whyNotTrusted();

  template <typename Handler>
  void shakeHands(boost::asio::ssl::stream_base::handshake_type as, Handler&& handler) {
    if (auto* encrypted = std::get_if<Encrypted>(&stream_))
      encrypted->async_handshake(as, std::forward<Handler>(handler));
    else
      boost::asio::post(get_executor(), [handler = std::forward<Handler>(handler)]() mutable { handler({}); });
  }

  // Tells the other end that nothing more follows.
  template <typename Handler>
  void finish(Handler&& handler) {
    if (auto* encrypted = std::get_if<Encrypted>(&stream_))
      return encrypted->async_shutdown(std::forward<Handler>(handler));
    boost::beast::error_code ignored;
    tcp().socket().shutdown(boost::asio::ip::tcp::socket::shutdown_send, ignored);
  }

  // After `times` more reads, nothing is read any more, and later reads wait until this is closed.
  void readNoMoreThan(int times) { readsLeft_ = times; }

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (readsLeft_ && --*readsLeft_ < 0)
      return tcp().socket().async_wait(boost::asio::ip::tcp::socket::wait_error,
                                       [handler = std::forward<Handler>(handler)](boost::beast::error_code) mutable {
                                         handler(boost::asio::error::make_error_code(boost::asio::error::eof),
                                                 std::size_t{0});
                                       });
    std::visit([&](auto& stream) { stream.async_read_some(buffers, std::forward<Handler>(handler)); }, stream_);
  }
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    std::visit([&](auto& stream) { stream.async_write_some(buffers, std::forward<Handler>(handler)); }, stream_);
  }

  // Beast requires these functions for a foreign stream type.
  template <typename Handler>
  friend void async_teardown(boost::beast::role_type role, Wire& wire, Handler&& handler) {
    using boost::beast::websocket::async_teardown;
    std::visit([&](auto& stream) { async_teardown(role, stream, std::forward<Handler>(handler)); }, wire.stream_);
  }
  friend void beast_close_socket(Wire& wire) { wire.tcp().close(); }

 private:
  using Stream = std::variant<Plain, Encrypted>;
  Stream stream_;
  std::optional<int> readsLeft_;
};

}  // namespace lab::classes
