// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/class_server/class_server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "app/class_server/class_page.h"
#include "app/class_server/messages.h"
#include "core/base/error.h"
#include "core/serving/entry_turns.h"

namespace lab::classes {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using net::ip::tcp;
using serving::ClassSession;
using serving::FrameBytes;

namespace {

constexpr int kMostRequests = 192;  // HTTP, at once: a class that opens the page together makes three each
constexpr int kMostOfOne = 32;      // of these, from one address
constexpr int kMostInAWindow = 10;  // connections, so that a flood costs the others little time
constexpr std::chrono::milliseconds kWindow{100};
constexpr int kMostWaitingOutside = 128;  // so behind a flood, a worker waits little more than a second to join
constexpr std::uint32_t kMostHeader = 8 << 10;
constexpr std::size_t kReadAtOnce = 64 << 10;
constexpr int kReadsAtTheEnd = 64;      // of 1.5 kB, until the other end closes: for data already under way
constexpr int kSendBuffer = 128 << 10;  // Linux doubles it: 200 Mb/s at 10 ms
constexpr std::chrono::seconds kHttpPatience{5}, kAnswerPatience{30}, kClosePatience{2}, kPingEvery{1};
constexpr const char* kPath = "/class";

using Request = http::request<http::empty_body>;
using Response = http::response<http::span_body<const char>>;

std::string textOf(beast::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

class Peer;

struct ServerState : std::enable_shared_from_this<ServerState> {
  ServerState(net::io_context& io, std::shared_ptr<Tls> encryption, std::function<std::int64_t()> time)
      : context(io), acceptor(io), tls(std::move(encryption)), now(std::move(time)) {}

  void accept();
  void take(tcp::socket socket);
  void acceptAfter(std::chrono::milliseconds pause);

  net::io_context& context;
  tcp::acceptor acceptor;
  const std::shared_ptr<Tls> tls;
  serving::ClassAddress address;
  const std::function<std::int64_t()> now;
  ClassSession* session = nullptr;
  std::map<int, std::shared_ptr<Peer>> peers;
  int requests = 0, nextPeer = 0;
  std::map<net::ip::address, int> requestsOf;
  serving::EntryTurns turns;
  std::chrono::steady_clock::time_point windowBegan;
  int inWindow = 0;
};

// A WebSocket: reads pieces of frames, writes the session's frames, pings.
class Peer : public std::enable_shared_from_this<Peer> {
 public:
  Peer(std::shared_ptr<ServerState> state, Wire&& stream, net::ip::address from, int number)
      : state_(std::move(state)),
        from_(std::move(from)),
        ws_(std::move(stream)),
        pings_(state_->context),
        number_(number) {}

  void begin(const Request& request) {
    ws_.next_layer().tcp().expires_never();
    websocket::stream_base::timeout limits{};
    limits.handshake_timeout = kHttpPatience;
    limits.idle_timeout = websocket::stream_base::none();  // the session watches for silence
    limits.keep_alive_pings = false;
    ws_.set_option(limits);
    ws_.read_message_max(serving::kMostFrameBytes);
    ws_.auto_fragment(false);
    ws_.control_callback([this](websocket::frame_type type, beast::string_view text) {
      heard();
      if (type == websocket::frame_type::pong && state_->session != nullptr && text == std::to_string(asked_))
        state_->session->answered(number_, state_->now() - pingedNs_, asked_, state_->now());
    });
    ws_.async_accept(request, [self = shared_from_this()](beast::error_code error) {
      if (error) return self->gone();
      self->isOpen_ = true;
      self->read();
      self->ping();
      self->write();
    });
  }

  // The session has something to send, or wants it closed. Deferred, as the session is in the middle of something.
  void wake() {
    net::post(state_->context, [self = shared_from_this()] { self->write(); });
  }

  void cut() { ws_.next_layer().tcp().close(); }

 private:
  void heard() {
    if (state_->session != nullptr) state_->session->heard(number_, state_->now());
  }

  void read() {
    ws_.async_read_some(buffer_, kReadAtOnce, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (error || self->state_->session == nullptr) return self->gone();
      self->heard();
      if (self->ws_.is_message_done()) {
        const bool isBinary = self->ws_.got_binary();
        const auto data = self->buffer_.cdata();
        const auto* bytes = static_cast<const std::uint8_t*>(data.data());
        // Text is not a frame: it is passed on as no bytes, which are refused.
        self->state_->session->received(self->number_, {bytes, isBinary ? data.size() : 0}, self->state_->now());
        self->buffer_.consume(self->buffer_.size());
      }
      // Once a peer is sent away, nothing more is read from it, because that would cost the others time.
      if (!self->state_->session->isClosing(self->number_)) self->read();
    });
  }

  void write() {
    if (isClosing_ || isGone_ || !isOpen_ || state_->session == nullptr) return;
    if (state_->session->isClosing(number_) && !std::exchange(isEnding_, true)) endInTime();
    if (isWriting_) return;
    auto bytes = state_->session->next(number_, state_->now());
    if (!bytes) {
      if (isEnding_) close();
      return;
    }
    writing_ = std::move(*bytes);
    isWriting_ = true;
    ws_.binary(true);
    ws_.async_write(net::buffer(writing_), [self = shared_from_this()](beast::error_code error, std::size_t) {
      self->isWriting_ = false;
      if (error) return self->gone();
      self->askWhetherThere();
      self->write();
    });
  }

  void ping() {
    pings_.expires_after(kPingEvery);
    pings_.async_wait([self = shared_from_this()](beast::error_code error) {
      if (error || self->isGone_ || self->isEnding_) return;
      self->ask();
      self->ping();
    });
  }

  // Sends one ping at a time; for a peer that does not read, it never completes.
  void ask() {
    if (state_->session == nullptr || std::exchange(isPinging_, true)) return;
    pingedNs_ = state_->now();
    asked_ = state_->session->sent(number_);
    const std::string text = std::to_string(asked_);
    ws_.async_ping({text.data(), text.size()}, [self = shared_from_this()](beast::error_code error) {
      self->isPinging_ = false;
      if (!error) self->askWhetherThere();
    });
  }

  // Asks whether the sent variables have arrived, unless that was asked already.
  void askWhetherThere() {
    if (!isEnding_ && !isGone_ && state_->session != nullptr && state_->session->sent(number_) > asked_) ask();
  }

  // Ends in time, whether the peer reads the last message or not.
  void endInTime() {
    pings_.expires_after(kClosePatience);
    pings_.async_wait([self = shared_from_this()](beast::error_code error) {
      if (!error) self->gone();
    });
  }

  void close() {
    isClosing_ = true;
    endInTime();
    ws_.next_layer().readNoMoreThan(kReadsAtTheEnd);
    ws_.async_close(websocket::close_code::normal, [self = shared_from_this()](beast::error_code) { self->gone(); });
  }

  void gone() {
    if (std::exchange(isGone_, true)) return;
    pings_.cancel();
    cut();
    state_->peers.erase(number_);
    if (state_->session == nullptr) return;
    if (!state_->session->hasEarned(number_)) state_->turns.wasOfNoUse(from_.to_string(), state_->now());
    state_->session->closed(number_, state_->now());
  }

  const std::shared_ptr<ServerState> state_;
  const net::ip::address from_;
  websocket::stream<Wire> ws_;
  beast::flat_buffer buffer_{serving::kMostFrameBytes + kReadAtOnce};
  net::steady_timer pings_;
  FrameBytes writing_;
  const int number_;
  std::int64_t pingedNs_ = 0;
  std::uint64_t asked_ = 0;  // the latest ping asks whether this closure's variables have arrived
  bool isOpen_ = false, isWriting_ = false, isPinging_ = false, isEnding_ = false, isClosing_ = false, isGone_ = false;
};

namespace {

// Nothing is loaded from elsewhere, no other page may embed this one, and scripts may only contact this server. The
// WebSocket's address is named too, because older browsers take 'self' as HTTP only; an IPv6 address cannot be named.
std::string policyFor(const std::string& host, bool secure) {
  const std::string scheme = secure ? "wss:" : "ws:";
  const std::string socket = host.find('[') == std::string::npos ? scheme + "//" + host : scheme;
  return "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' " + socket +
         "; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

// One request: for the page or one of its files, for a WebSocket, or answered with a reason for refusal.
class Visit : public std::enable_shared_from_this<Visit> {
 public:
  Visit(std::shared_ptr<ServerState> state, tcp::socket&& socket, net::ip::address from)
      : state_(std::move(state)), from_(std::move(from)), stream_(std::move(socket), state_->tls.get()) {
    ++state_->requests;
    ++state_->requestsOf[from_];
    parser_.header_limit(kMostHeader);
    parser_.body_limit(0);
  }
  ~Visit() {
    --state_->requests;
    if (--state_->requestsOf[from_] == 0) state_->requestsOf.erase(from_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  void begin() {
    stream_.tcp().expires_after(kHttpPatience);
    stream_.shakeHands(net::ssl::stream_base::server, [self = shared_from_this()](beast::error_code error) {
      if (!error) self->read();
    });
  }

 private:
  void read() {
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](beast::error_code error, std::size_t) {
      if (!error) self->answer();
    });
  }

  void answer() {
    const Request request = parser_.release();
    const std::string host = textOf(request[http::field::host]), origin = textOf(request[http::field::origin]);
    isHead_ = request.method() == http::verb::head;
    const bool secure = state_->tls != nullptr;
    if (!serving::isOwnRequest(state_->address, secure, host, origin))
      return say(http::status::forbidden, "This is asked by, or for, another page.\n");
    if (websocket::is_upgrade(request)) return upgradeInTime(request);
    if (request.method() != http::verb::get && !isHead_) return say(http::status::method_not_allowed, "Only GET.\n");
    const PageFile* file = pageFile(textOf(request.target()));
    if (file == nullptr) return say(http::status::not_found, "There is no such page here.\n");
    answer_.set("Content-Security-Policy", policyFor(host, secure));
    say(http::status::ok, file->bytes, file->type);
  }

  void upgradeInTime(const Request& request) {
    const std::int64_t ns = state_->now();
    const std::chrono::nanoseconds wait(state_->turns.turn(from_.to_string(), ns) - ns);
    if (wait.count() == 0) return upgrade(request);
    const auto timer = std::make_shared<net::steady_timer>(state_->context, wait);
    timer->async_wait([self = shared_from_this(), timer, request](beast::error_code) { self->upgrade(request); });
  }

  void upgrade(const Request& request) {
    if (request.target() != kPath) return say(http::status::not_found, "A class is at /class.\n");
    const int number = state_->nextPeer++;
    beast::error_code error;
    const auto own = stream_.tcp().socket().local_endpoint(error).address();
    if (state_->session == nullptr || !state_->session->opened(number, state_->now(), !error && own == from_))
      return say(http::status::service_unavailable, "There are too many here, or the class is over.\n");
    const auto peer = std::make_shared<Peer>(state_, std::move(stream_), from_, number);
    state_->peers[number] = peer;
    peer->begin(request);
  }

  // `body` and `type` must live as long as the program.
  void say(http::status status, std::string_view body, const char* type = "text/plain; charset=utf-8") {
    answer_.result(status);
    answer_.set(http::field::content_type, type);
    if (answer_.find("Content-Security-Policy") == answer_.end())
      answer_.set("Content-Security-Policy",
                  "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    answer_.set("X-Content-Type-Options", "nosniff");
    answer_.set("Referrer-Policy", "no-referrer");
    answer_.set("Cross-Origin-Resource-Policy", "same-origin");
    answer_.set(http::field::cache_control, "no-store");
    answer_.keep_alive(false);
    answer_.body() = {body.data(), body.size()};
    answer_.prepare_payload();
    if (isHead_) answer_.body() = {};
    stream_.tcp().expires_after(kAnswerPatience);  // sized for a slow Wi-Fi that a class shares
    http::async_write(stream_, answer_, [self = shared_from_this()](beast::error_code, std::size_t) {
      self->stream_.finish([self](beast::error_code) {});
    });
  }

  const std::shared_ptr<ServerState> state_;
  const net::ip::address from_;
  Wire stream_;
  beast::flat_buffer buffer_{kMostHeader};
  http::request_parser<http::empty_body> parser_;
  Response answer_{http::status::ok, 11};
  bool isHead_ = false;
};

}  // namespace

void ServerState::accept() {
  acceptor.async_accept([self = shared_from_this()](beast::error_code error, tcp::socket socket) {
    if (!self->acceptor.is_open()) return;
    if (!error) self->take(std::move(socket));
    // For example, no file descriptors are left, but others may close some.
    if (error && error != net::error::connection_aborted) return self->acceptAfter(kWindow);
    const auto at = std::chrono::steady_clock::now();
    if (at - self->windowBegan >= kWindow) {
      self->windowBegan = at;
      self->inWindow = 0;
    }
    ++self->inWindow < kMostInAWindow ? self->accept() : self->acceptAfter(kWindow);
  });
}

void ServerState::acceptAfter(std::chrono::milliseconds pause) {
  const auto timer = std::make_shared<net::steady_timer>(context, pause);
  timer->async_wait([self = shared_from_this(), timer](beast::error_code) {
    if (self->acceptor.is_open()) self->accept();
  });
}

void ServerState::take(tcp::socket socket) {
  beast::error_code error;
  const auto from = socket.remote_endpoint(error).address();
  if (error || requests >= kMostRequests) return;
  if (const auto found = requestsOf.find(from); found != requestsOf.end() && found->second >= kMostOfOne) return;
  socket.set_option(tcp::no_delay(true), error);
  // Written data are then nearly sent, from which the turns on the link follow (serving::LinkTurns).
  socket.set_option(net::socket_base::send_buffer_size(kSendBuffer), error);
  std::make_shared<Visit>(shared_from_this(), std::move(socket), from)->begin();
}

ClassServer::ClassServer(net::io_context& context, const serving::ClassAddress& address, std::shared_ptr<Tls> tls,
                         std::function<std::int64_t()> now)
    : state_(std::make_shared<ServerState>(context, std::move(tls), std::move(now))) {
  ServerState& s = *state_;
  beast::error_code error;
  // A name, which a certificate may cover, must resolve to one of this machine's addresses.
  const auto found = tcp::resolver(context).resolve(address.host, std::to_string(address.port), error);
  const tcp::endpoint endpoint = error ? tcp::endpoint() : found.begin()->endpoint();
  if (!error) s.acceptor.open(endpoint.protocol(), error);
  if (!error) s.acceptor.set_option(net::socket_base::reuse_address(true), error);
  if (!error) s.acceptor.bind(endpoint, error);
  if (!error) s.acceptor.listen(kMostWaitingOutside, error);
  if (error) throw UserError(say::classNotListening, address.text(), error.message());
  s.address = {address.host, s.acceptor.local_endpoint().port()};
  s.accept();
}

ClassServer::~ClassServer() {
  state_->session = nullptr;
  stopListening();
  for (const auto& [number, peer] : std::exchange(state_->peers, {})) peer->cut();
}

serving::ClassAddress ClassServer::address() const {
  return state_->address;
}

void ClassServer::serve(ClassSession& session) {
  state_->session = &session;
}

void ClassServer::wantsToSend(int connection) {
  if (const auto found = state_->peers.find(connection); found != state_->peers.end()) found->second->wake();
}

void ClassServer::stopListening() {
  beast::error_code ignored;
  state_->acceptor.close(ignored);
}

int ClassServer::open() const {
  return static_cast<int>(state_->peers.size());
}

}  // namespace lab::classes
