// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/thread_wires.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <utility>

#include "core/base/error.h"

namespace lab::test {

using process::Channel;
using process::Request;

namespace {

// How long test() waits for a message. Its caller has more to look at: other messages, and the verdict on a missing
// rank.
constexpr std::chrono::milliseconds kMoment{1};

}  // namespace

struct ThreadWires::Shared {
  using Way = std::tuple<int, int, Channel>;  // from, to
  struct Waiting {
    Request request;
    void* bytes;
    std::size_t count;
  };
  class ThreadWire;

  int size = 1;
  std::mutex mutex;  // guards everything below
  std::map<Way, std::deque<std::vector<std::byte>>> messages;
  std::map<Way, std::deque<Waiting>> receives;
  std::map<int, std::condition_variable> arrived;  // by the rank that receives
  std::condition_variable allSummed;
  std::map<Request, Channel> underWay;
  std::set<std::pair<int, int>> cuts;
  Request next = 1;
  std::vector<float> sum;
  std::shared_ptr<std::vector<float>> result;
  int summed = 0, rounds = 0;  // ranks that have added to this all-reduce; all-reduces that are over
  std::atomic<bool> aborted{false};

  void deliver(const Way& way) {
    auto& waiting = receives[way];
    auto& sent = messages[way];
    while (!waiting.empty() && !sent.empty()) {
      const Waiting to = waiting.front();
      LAB_CHECK(sent.front().size() == to.count);
      if (to.count > 0) std::memcpy(to.bytes, sent.front().data(), to.count);
      underWay.erase(to.request);
      waiting.pop_front();
      sent.pop_front();
      arrived[std::get<1>(way)].notify_all();
    }
  }
};

class ThreadWires::Shared::ThreadWire final : public process::Wire {
 public:
  ThreadWire(std::shared_ptr<Shared> shared, int rank) : shared_(std::move(shared)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return shared_->size; }
  std::string library() const override { return "threads"; }
  bool givesWay() const override { return true; }

  // A message is delivered while it is sent, so the request is done at once.
  Request send(int to, Channel channel, const void* bytes, std::size_t count) override {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->cuts.count({std::min(to, rank_), std::max(to, rank_)}) > 0) return lost(channel);
    const Way way{rank_, to, channel};
    const auto* first = static_cast<const std::byte*>(bytes);
    shared_->messages[way].emplace_back(first, first + count);
    shared_->deliver(way);
    return 0;
  }
  Request receive(int from, Channel channel, void* bytes, std::size_t count) override {
    const std::lock_guard lock(shared_->mutex);
    const Way way{from, rank_, channel};
    const Request request = lost(channel);
    shared_->receives[way].push_back({request, bytes, count});
    shared_->deliver(way);
    return request;
  }
  bool test(Request& request) override {
    std::unique_lock lock(shared_->mutex);
    const auto found = shared_->underWay.find(request);
    // The thread that looks for beats looks at all ranks, and then pauses.
    const bool waits = found != shared_->underWay.end() && found->second != Channel::Heartbeats;
    if (waits && !shared_->aborted) shared_->arrived[rank_].wait_for(lock, kMoment);
    if (shared_->aborted) throw std::runtime_error("aborted");
    if (shared_->underWay.count(request) > 0) return false;
    request = 0;
    return true;
  }
  void cancel(Request& request) override {
    const std::lock_guard lock(shared_->mutex);
    for (auto& [way, waiting] : shared_->receives)
      std::erase_if(waiting, [&](const Waiting& each) { return each.request == request; });
    shared_->underWay.erase(std::exchange(request, 0));
  }
  // Adds the ranks in the order in which they arrive.
  void sumOverAll(float* values, std::int64_t count) override {
    std::unique_lock lock(shared_->mutex);
    if (shared_->summed == 0) shared_->sum.assign(static_cast<std::size_t>(count), 0.0F);
    for (std::int64_t i = 0; i < count; ++i) shared_->sum[static_cast<std::size_t>(i)] += values[i];
    const int round = shared_->rounds;
    if (++shared_->summed == shared_->size) {
      shared_->rounds++;
      shared_->summed = 0;
      shared_->result = std::make_shared<std::vector<float>>(shared_->sum);
      shared_->allSummed.notify_all();
    }
    shared_->allSummed.wait(lock, [&] { return shared_->rounds != round; });
    std::copy_n(shared_->result->begin(), count, values);  // the next cannot end before all have joined it
  }
  void abort(int) noexcept override { shared_->aborted = true; }

 private:
  Request lost(Channel channel) {
    const Request request = shared_->next++;
    shared_->underWay[request] = channel;
    return request;
  }

  std::shared_ptr<Shared> shared_;
  int rank_;
};

ThreadWires::ThreadWires(int size) : shared_(std::make_shared<Shared>()) {
  shared_->size = size;
}
ThreadWires::~ThreadWires() = default;

std::shared_ptr<process::Wire> ThreadWires::wire(int rank) {
  return std::make_shared<Shared::ThreadWire>(shared_, rank);
}

void ThreadWires::cut(int first, int second) {
  const std::lock_guard lock(shared_->mutex);
  shared_->cuts.insert({std::min(first, second), std::max(first, second)});
}
void ThreadWires::cut(int rank) {
  for (int other = 0; other < shared_->size; ++other) cut(rank, other);
}
bool ThreadWires::wasAborted() const {
  return shared_->aborted;
}

std::vector<std::exception_ptr> amongThreads(int size, const std::function<void(process::Peers&)>& body,
                                             double deadlineSeconds, const std::function<void(ThreadWires&)>& withWires,
                                             double startUpSeconds) {
  ThreadWires wires(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank)
      threads.emplace_back([&, rank] {
        std::shared_ptr<process::Peers> peers;
        try {
          peers =
              std::make_shared<process::Peers>(wires.wire(rank), process::TimeLimits{deadlineSeconds, startUpSeconds});
          process::setPeers(peers);
          body(*peers);
        } catch (...) {
          failures[static_cast<std::size_t>(rank)] = std::current_exception();
          if (peers && !peers->isAlike()) peers->abort(1);
        }
        process::setPeers(nullptr);
      });
    if (withWires) withWires(wires);
  }
  return failures;
}

std::vector<std::exception_ptr> amongWires(int size,
                                           const std::function<void(const std::shared_ptr<process::Wire>&)>& body) {
  ThreadWires wires(size);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(size));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < size; ++rank)
      threads.emplace_back([&, rank] {
        const auto wire = wires.wire(rank);
        try {
          body(wire);
        } catch (...) {
          failures[static_cast<std::size_t>(rank)] = std::current_exception();
          wire->abort(1);
        }
      });
  }
  return failures;
}

}  // namespace lab::test
