// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/emulated_gpus.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <numeric>
#include <vector>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/base/thread_pool.h"
#include "core/device/cuda/every_kernel.h"
#include "core/device/cuda/gpu_errors.h"
#include "tests/support/fibers.h"

namespace lab::test {
namespace {

using gpu::Action;
using gpu::Command;

constexpr std::int64_t kCommandNs = 1000;
constexpr std::uint8_t kPoison = 0xff;  // every float a NaN

// What the thread sanitizer takes for threads: the threads of a block, or else streams and the host.
Fibers& threadsOfBlock() {
  thread_local Fibers fibers;  // one set for each thread that carries out blocks
  return fibers;
}

// A block whose threads take turns, each as a fiber if `fibers` is given.
class TurnBlock {
 public:
  TurnBlock(std::int64_t x, std::int64_t y, std::int64_t z, const std::vector<int>& order, Fibers* fibers)
      : x_(x), y_(y), z_(z), order_(order), fibers_(fibers) {}

  std::int64_t x() const { return x_; }
  std::int64_t y() const { return y_; }
  std::int64_t z() const { return z_; }
  template <typename Body>
  void threads(const Body& body) {
    if (fibers_ == nullptr) {
      for (const int t : order_) body(t);
      return;
    }
    struct Turn {
      const Body* body;
      int t;
      void* barrier;
    };
    char barrier = 0;
    std::vector<Turn> turns;
    for (const int t : order_) turns.push_back({&body, t, &barrier});
    for (Turn& turn : turns) {
      happensBefore(&turn);
      fibers_->run(
          static_cast<std::size_t>(turn.t),
          [](void* argument) {
            happensAfter(argument);
            const Turn& own = *static_cast<Turn*>(argument);
            (*own.body)(own.t);
            happensBefore(own.barrier);
          },
          &turn);
    }
    happensAfter(&barrier);
  }
  template <typename T>
  class PerThread {
   public:
    explicit PerThread(const TurnBlock& block) : values_(block.order_.size()) {
      std::memset(static_cast<void*>(values_.data()), kPoison, values_.size() * sizeof(T));
    }
    T& operator[](int t) { return values_[static_cast<std::size_t>(t)]; }

   private:
    std::vector<T> values_;
  };

 private:
  std::int64_t x_, y_, z_;
  const std::vector<int>& order_;
  Fibers* fibers_;
};

// Without a pool, the caller runs one block after the other.
template <typename Kernel>
void runKernel(const Command& command, std::uint64_t seed, ThreadPool* pool) {
  const auto args = command.get<typename Kernel::Args>();
  std::vector<int> order(static_cast<std::size_t>(Kernel::kThreads));
  std::iota(order.begin(), order.end(), 0);
  Rng rng(seed, 0x626c6f63);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[rng.below(i + 1)]);
  const std::int64_t across = command.gridX, down = command.gridY, blocks = across * down * command.gridZ;
  const auto runBlock = [&](std::int64_t block) {
    flushDenormals();
    typename Kernel::Shared shared;
    std::memset(static_cast<void*>(&shared), kPoison, sizeof shared);
    TurnBlock turns(block % across, block / across % down, block / across / down, order,
                    kRacesAreLookedFor && pool != nullptr ? &threadsOfBlock() : nullptr);
    Kernel::run(turns, args, shared);
  };
  if (pool != nullptr) {
    pool->forEach(blocks, runBlock);
  } else {
    for (std::int64_t block = 0; block < blocks; ++block) runBlock(block);
  }
}

// A GPU's memory: accessible only while commands are carried out. The page beyond it is never accessible.
class Memory {
 public:
  ~Memory() {
    for (const auto& [begin, bytes] : pieces_) munmap(begin, bytes);
  }

  void* take(std::int64_t bytes) {
    const std::size_t size = (static_cast<std::size_t>(bytes) + 2 * kPage - 1) / kPage * kPage;  // plus a guard page
    void* begin = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    LAB_CHECK(begin != MAP_FAILED);
    std::memset(begin, kPoison, size - kPage);
    pieces_[begin] = size;
    protect(begin, size, PROT_NONE);  // and the page beyond it for good
    return begin;
  }
  void giveBack(void* begin) {
    munmap(begin, pieces_.at(begin));
    pieces_.erase(begin);
  }
  void open() { protectAll(PROT_READ | PROT_WRITE); }
  void close() { protectAll(PROT_NONE); }

 private:
  static constexpr std::size_t kPage = 4096;
  static void protect(void* begin, std::size_t bytes, int access) { LAB_CHECK(mprotect(begin, bytes, access) == 0); }
  void protectAll(int access) {
    for (const auto& [begin, bytes] : pieces_) protect(begin, bytes - kPage, access);
  }
  std::map<void*, std::size_t> pieces_;
};

struct Event {
  int gpu = 0;
  bool timed = false;
  std::int64_t recorded = 0, happened = 0;  // how often
  std::int64_t timeNs = 0;
  char place = 0;  // orders waiting streams behind the recording one
};

// A submitted command that has not been carried out yet.
struct Task {
  Command command;
  std::int64_t ticket = 0;  // for a wait: how often its event must have happened; for an all-reduce: its group
  std::uint64_t seed = 0;   // draws the order of threads
  void* event = nullptr;    // the places through which the sanitizer learns the order
  void* stream = nullptr;
  ThreadPool* pool = nullptr;
};

struct Stream {
  int gpu = 0;
  std::int64_t nowNs = 0;
  std::deque<std::unique_ptr<Task>> tasks;
  char place = 0;  // orders the host behind what it waited for
};

// The stream's part of a task. It may run on a fiber, and touches nothing that belongs to the host.
void carryOut(void* argument) {
  happensAfter(argument);
  const Task& task = *static_cast<Task*>(argument);
  const Command& command = task.command;
  switch (command.action) {
    case Action::Launch:
      LAB_CHECK(gpu::visitKernel(command.kernel, [&](auto kernel) {
        runKernel<typename decltype(kernel)::Type>(command, task.seed, task.pool);
      }));
      break;
    case Action::Copy: {
      const auto args = command.get<gpu::CopyArgs>();
      std::memcpy(args.to, args.from, static_cast<std::size_t>(args.bytes));
      break;
    }
    case Action::Clear: {
      const auto args = command.get<gpu::CopyArgs>();
      std::memset(args.to, 0, static_cast<std::size_t>(args.bytes));
      break;
    }
    case Action::Wait:
      happensAfter(task.event);
      break;
    case Action::Record:
    case Action::Stamp:
      happensBefore(task.event);
      break;
    case Action::AllReduce:
    case Action::RangeBegin:
    case Action::RangeEnd:
      break;
  }
  happensBefore(task.stream);
}

struct Graph {
  std::vector<Command> commands;
  // A graph has streams and events of its own.
  std::map<int, int> streams, events;
};

class Emulation final : public EmulatedGpus {
 public:
  explicit Emulation(const EmulatedSettings& settings)
      : settings_(settings), rng_(settings.seed, 0x677075), pool_(2), free_(static_cast<std::size_t>(settings.gpus)) {
    settings_.streamsRace = settings.streamsRace && kRacesAreLookedFor;
    for (int i = 0; i < settings.gpus; ++i) {
      infos_.push_back({.name = "emulated GPU",
                        .address = "0000:0" + std::to_string(i) + ":00.0",
                        .major = 9,
                        .multiprocessors = 2,
                        .memoryBytes = settings.memoryBytes});
      memories_.push_back(std::make_unique<Memory>());
      free_[static_cast<std::size_t>(i)] = settings.memoryBytes;
    }
  }

  ~Emulation() override { seeAll(); }

  const std::vector<gpu::GpuInfo>& gpus() const override { return infos_; }
  std::string description() const override { return "emulated on the processor"; }
  EmulatedCounts counts() const override { return counts_; }

  std::int64_t freeBytes(int gpu) override { return free_.at(static_cast<std::size_t>(gpu)); }
  void* allocate(int gpu, std::int64_t bytes) override {
    check();
    const auto index = static_cast<std::size_t>(gpu);
    if (bytes > free_.at(index)) throw gpu::outOfMemory(infos_[index].name, bytes, free_[index]);
    void* memory = memories_[index]->take(bytes);
    free_[index] -= bytes;
    sizes_[memory] = bytes;
    ++counts_.allocations;
    return memory;
  }
  void release(int gpu, void* memory) noexcept override {
    drain();
    free_[static_cast<std::size_t>(gpu)] += sizes_[memory];
    sizes_.erase(memory);
    memories_[static_cast<std::size_t>(gpu)]->giveBack(memory);
    ++counts_.releases;
  }
  void* allocatePinned(std::int64_t bytes) override {
    ++counts_.allocations;
    return ::operator new(static_cast<std::size_t>(bytes), std::align_val_t(64));
  }
  void releasePinned(void* memory) noexcept override {
    drain();
    ++counts_.releases;
    ::operator delete(memory, std::align_val_t(64));
  }
  void pin(void*, std::int64_t) noexcept override {}
  void unpin(void*) noexcept override {}

  int createStream(int gpu) override {
    LAB_CHECK(gpu >= 0 && gpu < settings_.gpus);
    streams_.emplace_back().gpu = gpu;
    return static_cast<int>(streams_.size()) - 1;
  }
  int createEvent(int gpu, bool timed) override {
    LAB_CHECK(gpu >= 0 && gpu < settings_.gpus);
    events_.push_back({gpu, timed, 0, 0, 0, 0});
    return static_cast<int>(events_.size()) - 1;
  }

  void submit(std::span<const Command> commands) override {
    check();
    ++counts_.submits;
    for (const Command& command : commands) enqueue(command);
  }

  int createGraph(std::span<const Command> commands) override {
    check();
    checkCapture(commands);
    ++counts_.graphs;
    Graph graph;
    for (Command command : commands) {
      const int origin = commands.front().stream;
      if (command.action == Action::RangeBegin || command.action == Action::RangeEnd) continue;
      if (command.stream != origin) {
        if (graph.streams.count(command.stream) == 0)
          graph.streams[command.stream] = createStream(stream(command.stream).gpu);
        command.stream = graph.streams[command.stream];
      }
      if (command.action == Action::Record || command.action == Action::Wait) {
        if (graph.events.count(command.event) == 0)
          graph.events[command.event] = createEvent(event(command.event).gpu, false);
        command.event = graph.events[command.event];
      }
      graph.commands.push_back(command);
    }
    graphs_.push_back(std::move(graph));
    return static_cast<int>(graphs_.size());
  }
  void launchGraph(int graph) override {
    check();
    ++counts_.launches;
    const Graph& launched = graphs_.at(static_cast<std::size_t>(graph) - 1);
    LAB_CHECK(!launched.commands.empty());
    for (const Command& command : launched.commands) enqueue(command);
  }
  void destroyGraph(int graph) noexcept override {
    drain();
    ++counts_.graphsDestroyed;
    graphs_[static_cast<std::size_t>(graph) - 1].commands.clear();
  }

  void waitForEvent(int number) override {
    check();
    ++counts_.hostWaits;
    const std::int64_t ticket = event(number).recorded;
    LAB_CHECK(ticket > 0);
    advanceUntil([&] { return event(number).happened >= ticket; });
    happensAfter(&event(number).place);
  }
  void waitForStream(int number) override {
    check();
    ++counts_.hostWaits;
    advanceUntil([&] { return stream(number).tasks.empty(); });
    happensAfter(&stream(number).place);
  }
  std::int64_t elapsedNs(int from, int to) override {
    check();
    const Event &first = event(from), &last = event(to);
    LAB_CHECK(first.gpu == last.gpu);                                   // a CUDA error
    LAB_CHECK(first.happened > 0 && first.happened == first.recorded);  // cudaErrorNotReady
    LAB_CHECK(last.happened > 0 && last.happened == last.recorded);
    return last.timeNs - first.timeNs;
  }

  Message whyNoNccl() override {
    return settings_.nccl ? Message() : Message(say::verbatim, "the emulation was made without NCCL");
  }
  void createRanks(std::span<const int> gpus) override {
    std::vector<int> sorted(gpus.begin(), gpus.end());
    std::ranges::sort(sorted);
    LAB_CHECK(std::ranges::adjacent_find(sorted) == sorted.end());  // NCCL refuses one GPU twice
    ranks_.assign(gpus.begin(), gpus.end());
  }
  gpu::NcclId newNcclId() override { return {}; }
  void joinRanks(std::span<const int>, int, int, const gpu::NcclId&) override {
    LAB_CHECK(false);  // ranks of several processes: fake_nccl has them
  }
  void whileWaiting(std::function<void()>) override {}  // this layer never waits for anyone

  void peek(const void* from, void* to, std::int64_t bytes) override {
    drain();
    const Access access(*this);
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
  }
  void poke(void* to, const void* from, std::int64_t bytes) override { peek(from, to, bytes); }

 private:
  Stream& stream(int number) { return streams_.at(static_cast<std::size_t>(number)); }
  Event& event(int number) { return events_.at(static_cast<std::size_t>(number)); }

  void check() {
    if (lost_) throw gpu::lostGpu(infos_.front().name, "the emulation was told to lose it");
  }
  // While an Access lives, memory can be touched.
  class Access {
   public:
    explicit Access(Emulation& owner) : owner_(owner) { owner_.openAll(); }
    ~Access() { owner_.closeAll(); }
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

   private:
    Emulation& owner_;
  };
  void openAll() {
    for (const auto& memory : memories_) memory->open();
  }
  void closeAll() {
    for (const auto& memory : memories_) memory->close();
  }

  void enqueue(const Command& command) {
    if (command.action == Action::RangeBegin || command.action == Action::RangeEnd) return;
    auto task = std::make_unique<Task>();
    task->command = command;
    task->stream = &stream(command.stream).place;
    task->seed = rng_.below(std::uint64_t{1} << 32);
    task->pool = settings_.streamsRace ? nullptr : &pool_;
    if (command.action == Action::Record || command.action == Action::Stamp) {
      LAB_CHECK(event(command.event).gpu == stream(command.stream).gpu);  // a CUDA error
      ++event(command.event).recorded;
    }
    if (command.action == Action::Stamp) LAB_CHECK(event(command.event).timed);
    if (command.action == Action::Wait) task->ticket = event(command.event).recorded;
    if (command.action == Action::Record || command.action == Action::Stamp || command.action == Action::Wait)
      task->event = &event(command.event).place;
    if (command.action == Action::AllReduce) {
      const auto rank = static_cast<std::size_t>(command.get<gpu::AllReduceArgs>().rank);
      LAB_CHECK(ranks_.at(rank) == stream(command.stream).gpu);
      if (rank == 0) ++group_;
      task->ticket = group_;
    }
    happensBefore(task.get());
    stream(command.stream).tasks.push_back(std::move(task));
  }

  bool canRun(const Task& task) {
    if (task.command.action == Action::Wait) return event(task.command.event).happened >= task.ticket;
    if (task.command.action != Action::AllReduce) return true;
    std::size_t arrived = 0;
    for (const Stream& other : streams_)
      if (!other.tasks.empty() && other.tasks.front()->command.action == Action::AllReduce &&
          other.tasks.front()->ticket == task.ticket)
        ++arrived;
    return arrived == ranks_.size();
  }

  // Carries out one command of a randomly drawn stream that can go on.
  void advance() {
    std::vector<std::size_t> ready;
    for (std::size_t s = 0; s < streams_.size(); ++s)
      if (!streams_[s].tasks.empty() && canRun(*streams_[s].tasks.front())) ready.push_back(s);
    LAB_CHECK(!ready.empty());  // the host would wait for ever
    const std::size_t number = ready[rng_.below(ready.size())];
    Stream& chosen = streams_[number];
    if (chosen.tasks.front()->command.action == Action::AllReduce) {
      allReduce(chosen.tasks.front()->ticket);
      return;
    }
    done_.push_back(std::move(chosen.tasks.front()));
    chosen.tasks.pop_front();
    if (settings_.loseAfterCommands && ++carriedOut_ > *settings_.loseAfterCommands) {
      lost_ = true;
      for (Stream& other : streams_) other.tasks.clear();
      check();
    }
    Task& task = *done_.back();
    count(chosen, task.command);
    as(number, &carryOut, &task);
    if (!settings_.streamsRace) done_.clear();
  }

  // Memory is opened only if a command is still to be carried out: that takes as long as a small kernel.
  template <typename Done>
  void advanceUntil(const Done& done) {
    if (done()) return;
    const Access access(*this);
    while (!done()) advance();
  }

  // Runs work(argument) as the stream of this number.
  void as(std::size_t number, void (*work)(void*), void* argument) {
    if (settings_.streamsRace) {
      fibers_.run(number, work, argument);
    } else {
      work(argument);
    }
  }

  // Orders the host behind everything that streams have done, as if it had waited for them.
  void seeAll() noexcept {
    for (Stream& each : streams_) happensAfter(&each.place);
    done_.clear();
  }

  void drain() noexcept {
    try {
      advanceUntil(
          [this] { return lost_ || std::ranges::all_of(streams_, [](const Stream& s) { return s.tasks.empty(); }); });
    } catch (const UserError&) {
      // lost meanwhile
    }
    seeAll();
  }

  // Updates the host's counts for a command.
  void count(Stream& on, const Command& command) {
    const Action action = command.action;
    if (action != Action::Wait && action != Action::Record && action != Action::Stamp) on.nowNs += kCommandNs;
    if (action == Action::Launch) {
      ++counts_.kernels;
      ++counts_.ofKernel.at(static_cast<std::size_t>(command.kernel));
    }
    if (action == Action::Copy) ++counts_.copies;
    if (action == Action::Wait) on.nowNs = std::max(on.nowNs, event(command.event).timeNs);
    if (action == Action::Record || action == Action::Stamp) {
      ++event(command.event).happened;
      event(command.event).timeNs = on.nowNs;
    }
  }

  // The ranks meet, the first of them adds the values of all, and they meet again.
  void allReduce(std::int64_t group) {
    std::vector<gpu::AllReduceArgs> all;
    std::vector<std::size_t> members;
    for (std::size_t s = 0; s < streams_.size(); ++s) {
      Stream& each = streams_[s];
      if (each.tasks.empty() || each.tasks.front()->command.action != Action::AllReduce ||
          each.tasks.front()->ticket != group)
        continue;
      all.push_back(each.tasks.front()->command.get<gpu::AllReduceArgs>());
      members.push_back(s);
      each.tasks.pop_front();
      each.nowNs += kCommandNs;
    }
    ++counts_.allReduces;
    std::ranges::sort(all, {}, &gpu::AllReduceArgs::rank);
    const auto meet = [](void* place) {
      happensAfter(place);
      happensBefore(place);
    };
    happensBefore(&all);
    for (const std::size_t member : members) as(member, meet, &all);
    as(
        members.front(),
        [](void* argument) {
          happensAfter(argument);
          const auto& ranks = *static_cast<std::vector<gpu::AllReduceArgs>*>(argument);
          for (std::int64_t i = 0; i < ranks.front().count; ++i) {
            float sum = 0;
            for (const gpu::AllReduceArgs& rank : ranks) sum += rank.buffer[i];
            for (const gpu::AllReduceArgs& rank : ranks) rank.buffer[i] = sum;
          }
          happensBefore(argument);
        },
        &all);
    for (const std::size_t member : members) as(member, meet, &all);
    for (const std::size_t member : members) as(member, happensBefore, &streams_[member].place);
    happensAfter(&all);  // the rank that adds has read it
  }

  // Checks that every stream starts from the origin and comes back to it. `seen[s]`: how many commands of stream s are
  // known to have happened.
  static void checkCapture(std::span<const Command> commands) {
    LAB_CHECK(!commands.empty());
    using Seen = std::map<int, int>;
    std::map<int, Seen> streams, events;
    const int origin = commands.front().stream;
    streams[origin];
    const auto merge = [](Seen& into, const Seen& from) {
      for (const auto& [stream, count] : from) into[stream] = std::max(into[stream], count);
    };
    for (const Command& command : commands) {
      if (command.action == Action::RangeBegin || command.action == Action::RangeEnd) continue;
      if (command.action == Action::Wait) {
        LAB_CHECK(events.count(command.event) > 0);  // an event from outside the capture
        merge(streams[command.stream], events[command.event]);
        continue;
      }
      LAB_CHECK(streams.count(command.stream) > 0);  // a stream that is not part of the capture
      if (command.action == Action::Record)
        events[command.event] = streams[command.stream];
      else
        ++streams[command.stream][command.stream];
    }
    for (const auto& [stream, seen] : streams) {
      const auto own = seen.find(stream);
      if (own != seen.end()) LAB_CHECK(streams[origin][stream] == own->second);  // unjoined work
    }
  }

  EmulatedSettings settings_;
  Rng rng_;
  ThreadPool pool_;
  EmulatedCounts counts_;
  std::vector<gpu::GpuInfo> infos_;
  std::vector<std::unique_ptr<Memory>> memories_;
  std::vector<std::int64_t> free_;
  std::map<void*, std::int64_t> sizes_;
  std::deque<Stream> streams_;  // a deque, so that elements keep their addresses
  std::deque<Event> events_;
  std::vector<std::unique_ptr<Task>> done_;  // kept while their streams may still use them
  Fibers fibers_;                            // one for each stream
  std::vector<Graph> graphs_;
  std::vector<int> ranks_;
  std::int64_t group_ = 0, carriedOut_ = 0;
  bool lost_ = false;
};

}  // namespace

std::shared_ptr<EmulatedGpus> makeEmulatedGpus(const EmulatedSettings& settings) {
  return std::make_shared<Emulation>(settings);
}

}  // namespace lab::test
