// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/class_server/join.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/class_server/messages.h"
#include "app/class_server/parent.h"
#include "app/class_server/tls.h"
#include "core/base/error.h"
#include "core/protocol/class_link.h"
#include "core/protocol/class_settings.h"
#include "core/protocol/class_worker.h"

namespace lab::classes {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using net::ip::tcp;
using Clock = std::chrono::steady_clock;
using serving::ClassWorker;
using serving::Reason;

namespace {

constexpr std::chrono::seconds kConnectPatience{5}, kLeavePatience{2};
constexpr std::chrono::seconds kTurnPatience{10};  // if many ask at once, they come in one after the other
constexpr std::chrono::milliseconds kRetryEvery{500}, kTellEvery{500};
constexpr int kSentAway = 1, kNotIn = 2;

class Joining;

// One connection to the class: sends the worker's frames, and receives the server's.
class Line : public std::enable_shared_from_this<Line> {
 public:
  Line(net::io_context& context, Joining& joining, const serving::ClassLink& link, Tls* tls, ClassWorker worker)
      : joining_(joining),
        link_(link),
        resolver_(context),
        ws_(context, tls),
        timer_(context),
        worker_(std::move(worker)) {}

  void begin();
  void speak();  // sends what the worker has to say
  void leave();
  void cut() {
    timer_.cancel();
    ws_.next_layer().tcp().close();
  }
  ClassWorker& worker() { return worker_; }

 private:
  void connected(const tcp::resolver::results_type& found);
  void encrypt();
  void shakeHands();
  void listen();
  void watch();
  void broken(const beast::error_code& error);

  Joining& joining_;  // outlives the context's run
  const serving::ClassLink& link_;
  tcp::resolver resolver_;
  websocket::stream<Wire> ws_;
  net::steady_timer timer_;
  beast::flat_buffer buffer_{2 * serving::kMostFrameBytes};
  serving::FrameBytes writing_;
  ClassWorker worker_;
  Clock::time_point heardAt_;
  bool isConnected_ = false, isOpen_ = false;  // of TCP, of the WebSocket
  bool isWriting_ = false, isLeaving_ = false, isBroken_ = false;
};

class Joining {
 public:
  explicit Joining(const nlohmann::json& order)
      : link_(serving::parseClassLink(order.at("link"))),
        name_(order.value("name", "")),
        threads_(order.value("threads", 1)),
        patience_(order.value("patienceMs", 30'000)),
        silence_(order.value("silenceMs", 15'000)),
        path_(serving::processorPath()),
        tls_(link_.secure ? clientTls(order.value("ca", "")) : nullptr),
        parent_(
            context_, [](const std::string&) {}, [this] { leave(); }),
        timer_(context_) {}

  int run() {
    connect();
    context_.run();
    computing_.join();
    if (failure_) std::rethrow_exception(failure_);
    return code_;
  }

  // Called after each frame.
  void heard(Line& line) {
    ClassWorker& worker = line.worker();
    if (const auto& welcome = worker.welcome(); welcome && !std::exchange(isIn_, true)) {
      wasIn_ = true;
      parent_.tell({{"joined", {{"name", welcome->name}, {"strategy", welcome->strategy}, {"steps", welcome->steps}}}});
    }
    if (const auto reason = worker.sentAway()) {
      const bool neverIn =
          *reason == Reason::WrongToken || *reason == Reason::OtherVersion || *reason == Reason::ClassFull;
      return end(neverIn ? kNotIn : kSentAway,
                 std::make_exception_ptr(UserError(neverIn ? UserError::Kind::Request : UserError::Kind::Run,
                                                   say::classSentAway, serving::sentenceOf(*reason))));
    }
    if (worker.isOver()) return end(0);
    if (Clock::now() - told_ >= kTellEvery) tell();
    compute();
  }

  // `answered`: something was there, but it did not speak as a class does.
  void broken(Line& line, const std::string& why, bool answered) {
    if (isOver_ || line_.get() != &line) return;
    isIn_ = false;
    applied_ += line.worker().applied();
    staleness_ += line.worker().stalenessSum();
    line_ = nullptr;
    const auto now = Clock::now();
    if (brokenSince_ == Clock::time_point()) brokenSince_ = now;
    if (!wasIn_ && answered)
      return end(kNotIn, std::make_exception_ptr(UserError(say::classIsNotThere, link_.address.text(), why,
                                                           link_.secure ? "http://" : "https://")));
    if (!wasIn_)
      return end(kNotIn, std::make_exception_ptr(UserError(say::classUnreachable, link_.address.text(), why)));
    if (now - brokenSince_ >= patience_)
      return end(kSentAway, std::make_exception_ptr(
                                UserError(UserError::Kind::Run, say::classConnectionLost, link_.address.text(), why)));
    timer_.expires_after(kRetryEvery);
    timer_.async_wait([this](const beast::error_code& error) {
      if (!error && !isOver_) connect();
    });
  }

  void isOpen() { brokenSince_ = {}; }
  void distrusts(const std::string& why) {
    end(kNotIn, std::make_exception_ptr(UserError(say::classNotTrusted, link_.address.text(), why)));
  }

 private:
  void connect() {
    line_ = std::make_shared<Line>(context_, *this, link_, tls_.get(), ClassWorker(link_.token, path_, name_));
    line_->begin();
  }

  // Computes one closure at a time on another thread, so that pings are answered meanwhile.
  void compute() {
    if (isComputing_ || !line_) return;
    auto job = line_->worker().takeJob();
    if (!job) return;
    if (const std::string& network = line_->worker().welcome()->network; !replica_ || network != network_) {
      network_ = network;
      replica_ = std::make_unique<serving::WorkerReplica>(network, threads_);
    }
    isComputing_ = true;
    net::post(computing_, [this, line = line_, job = std::move(*job)]() mutable {
      const auto result = std::make_shared<serving::Result>();
      try {
        *result = replica_->compute(job);
      } catch (const std::exception&) {  // may not leave the pool's thread
        net::post(context_, [this, failure = std::current_exception()] { end(kSentAway, failure); });
        return;
      }
      net::post(context_, [this, line, result] {
        isComputing_ = false;
        if (isOver_) return;
        line->worker().finish(std::move(*result));
        if (line == line_) line->speak();
        compute();
      });
    });
  }

  void tell() {
    told_ = Clock::now();
    const std::int64_t now = applied_ + (line_ ? line_->worker().applied() : 0);
    const std::int64_t stale = staleness_ + (line_ ? line_->worker().stalenessSum() : 0);
    parent_.tell(
        {{"applied", now}, {"staleness", now > 0 ? static_cast<double>(stale) / static_cast<double>(now) : 0.0}});
  }

  void leave() {
    if (isOver_) return;
    if (!line_) return end(0);
    line_->leave();
    // This worker leaves, whether the server is told or not.
    timer_.expires_after(kLeavePatience);
    timer_.async_wait([this](const beast::error_code& error) {
      if (!error) end(0);
    });
  }

  void end(int code, std::exception_ptr failure = nullptr) {
    if (std::exchange(isOver_, true)) return;
    code_ = code;
    failure_ = std::move(failure);
    if (wasIn_) tell();
    if (line_) line_->cut();
    line_ = nullptr;
    parent_.forget();
    timer_.cancel();
    context_.stop();
  }

  friend class Line;
  const serving::ClassLink link_;
  const std::string name_;
  const int threads_;
  const std::chrono::milliseconds patience_, silence_;
  const std::string path_;
  const std::shared_ptr<Tls> tls_;
  net::io_context context_{1};
  Parent parent_;
  net::steady_timer timer_;
  std::shared_ptr<Line> line_;
  std::unique_ptr<serving::WorkerReplica> replica_;
  std::string network_;  // the network of the replica
  bool isComputing_ = false, isIn_ = false, wasIn_ = false, isOver_ = false;
  std::int64_t applied_ = 0, staleness_ = 0;  // over earlier connections
  Clock::time_point brokenSince_, told_;
  int code_ = 0;
  std::exception_ptr failure_;
  net::thread_pool computing_{1};  // last member: it uses the others
};

void Line::begin() {
  ws_.next_layer().tcp().expires_after(kConnectPatience);
  resolver_.async_resolve(
      link_.address.host, std::to_string(link_.address.port),
      [self = shared_from_this()](const beast::error_code& error, const tcp::resolver::results_type& found) {
        error ? self->broken(error) : self->connected(found);
      });
}

void Line::connected(const tcp::resolver::results_type& found) {
  ws_.next_layer().tcp().async_connect(
      found, [self = shared_from_this()](const beast::error_code& error, const tcp::endpoint&) {
        error ? self->broken(error) : self->encrypt();
      });
}

void Line::encrypt() {
  isConnected_ = true;
  Wire& wire = ws_.next_layer();
  wire.expect(link_.address.host);
  wire.shakeHands(net::ssl::stream_base::client, [self = shared_from_this()](const beast::error_code& error) {
    if (!error) return self->shakeHands();
    const std::string why = self->ws_.next_layer().whyNotTrusted();
    why.empty() ? self->broken(error) : self->joining_.distrusts(why);
  });
}

void Line::shakeHands() {
  ws_.next_layer().tcp().expires_never();
  beast::error_code ignored;
  ws_.next_layer().tcp().socket().set_option(tcp::no_delay(true), ignored);
  websocket::stream_base::timeout limits{};
  limits.handshake_timeout = kTurnPatience;
  limits.idle_timeout = websocket::stream_base::none();  // watch() sets no timer at each read
  limits.keep_alive_pings = false;
  ws_.set_option(limits);
  ws_.control_callback([this](websocket::frame_type, beast::string_view) { heardAt_ = Clock::now(); });
  ws_.read_message_max(serving::kMostFrameBytes);
  ws_.auto_fragment(false);
  ws_.write_buffer_bytes(serving::kMostFrameBytes);  // so a frame is masked, and sent, at once
  ws_.async_handshake(link_.address.text(), "/class", [self = shared_from_this()](const beast::error_code& error) {
    if (error) return self->broken(error);
    self->isOpen_ = true;
    self->heardAt_ = Clock::now();
    self->joining_.isOpen();
    self->watch();
    self->listen();
    self->speak();
  });
}

// The server pings every second, so even a paused class is heard.
void Line::watch() {
  timer_.expires_at(heardAt_ + joining_.silence_);
  timer_.async_wait([self = shared_from_this()](const beast::error_code& error) {
    if (error || self->isBroken_) return;
    if (Clock::now() - self->heardAt_ >= self->joining_.silence_) return self->broken(beast::error::timeout);
    self->watch();
  });
}

void Line::listen() {
  ws_.async_read(buffer_, [self = shared_from_this()](const beast::error_code& error, std::size_t) {
    if (error) return self->broken(error);
    self->heardAt_ = Clock::now();
    const auto data = self->buffer_.cdata();
    try {
      self->worker_.received({static_cast<const std::uint8_t*>(data.data()), data.size()});
    } catch (const UserError&) {
      return self->joining_.end(kSentAway, std::current_exception());
    }
    self->buffer_.consume(self->buffer_.size());
    self->joining_.heard(*self);
    if (self->joining_.isOver_) return;
    self->speak();
    self->listen();
  });
}

void Line::speak() {
  if (isWriting_ || !isOpen_ || isBroken_) return;
  auto bytes = worker_.next();
  if (!bytes) {
    if (isLeaving_) joining_.end(0);
    return;
  }
  writing_ = std::move(*bytes);
  isWriting_ = true;
  ws_.binary(true);
  ws_.async_write(net::buffer(writing_), [self = shared_from_this()](const beast::error_code& error, std::size_t) {
    self->isWriting_ = false;
    error ? self->broken(error) : self->speak();
  });
}

void Line::leave() {
  isLeaving_ = true;
  worker_.leave();
  speak();
}

void Line::broken(const beast::error_code& error) {
  if (std::exchange(isBroken_, true)) return;
  cut();
  const bool answered = isConnected_ && !isOpen_ && error != beast::error::timeout;
  joining_.broken(*this, error.message(), answered);
}

}  // namespace

int join(const nlohmann::json& order) {
  return Joining(order).run();
}

}  // namespace lab::classes
