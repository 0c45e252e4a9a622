// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli collective: runs one all-reduce schedule on numbers, checks every sum on every rank, and prices it.
#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/cli.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/aligned_buffer.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/base/suggest.h"
#include "core/base/thread_pool.h"
#include "core/base/units.h"
#include "core/comm/execute.h"
#include "core/comm/schedule.h"
#include "core/timing/catalogue.h"
#include "core/timing/cost_model.h"

namespace lab::cli {
namespace {

constexpr std::array kKinds{ScheduleKind::Ring,         ScheduleKind::Tree,  ScheduleKind::HalvingDoubling,
                            ScheduleKind::Hierarchical, ScheduleKind::Torus, ScheduleKind::OneDevice};
constexpr std::int64_t kMaxRanks = 4096;

struct Request {
  ScheduleKind kind = ScheduleKind::Ring;
  int ranks = 8, hosts = 1;
  std::int64_t elements = 0;
  const LinkModel* link = nullptr;
  const LinkModel* hostLink = nullptr;
  const DeviceModel* device = nullptr;
};

class TwoLevelNetwork final : public NetworkModel {
 public:
  explicit TwoLevelNetwork(const Request& request) : request_(request), perHost_(request.ranks / request.hosts) {}
  const LinkModel& link(int from, int to) const override {
    return from / perHost_ == to / perHost_ ? *request_.link : *request_.hostLink;
  }
  const DeviceModel& device(int) const override { return *request_.device; }

 private:
  const Request& request_;
  int perHost_;
};

ScheduleKind kindNamed(const std::string& name) {
  std::vector<std::string> names;
  for (const ScheduleKind kind : kKinds) {
    if (toString(kind) == name) return kind;
    names.emplace_back(toString(kind));
  }
  throw UserError("--schedule: " + unknownNameMessage("schedule", name, names) + ". Name one of these.");
}

// Before anything is allocated: the buffers, and the schedules' transfers, of which no kind has more than 2·ranks².
void checkMemory(const Request& request) {
  const double ranks = request.ranks, elements = static_cast<double>(request.elements);
  const double needed = (ranks + 1) * elements * 4 + 2 * ranks * ranks * (sizeof(Transfer) + sizeof(PricedTransfer));
  const double available = 0.7 * static_cast<double>(memoryBytes() > 0 ? memoryBytes() : std::int64_t{1} << 31);
  if (needed > available)
    throw UserError("--bytes " + std::to_string(request.elements * 4) + " on --ranks " + std::to_string(request.ranks) +
                    " needs about " + fixed(needed / 1e9, 1) + " GB of memory; this machine can give " +
                    fixed(available / 1e9, 1) + " GB. Give fewer bytes or fewer ranks.");
}

// Whole numbers small enough that every partial sum is a float exactly, whatever the order of the additions.
bool sumsExactly(const Schedule& schedule) {
  constexpr std::uint64_t kExactFloats = std::uint64_t{1} << 24;
  const std::uint64_t bound = std::min<std::uint64_t>(1000, kExactFloats / static_cast<std::uint64_t>(schedule.ranks));
  std::vector<AlignedBuffer<float>> buffers;
  std::vector<float*> pointers;
  AlignedBuffer<float> expected(schedule.elements);
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    buffers.emplace_back(schedule.elements);
    Rng rng(1, static_cast<std::uint64_t>(rank));
    for (std::int64_t i = 0; i < schedule.elements; ++i) {
      const float value = static_cast<float>(rng.below(bound));
      buffers.back()[i] = value;
      expected[i] += value;
    }
    pointers.push_back(buffers.back().data());
  }
  ThreadPool pool(processorCount());
  const auto backend = makeCpuBackend(pool);
  execute(schedule, 0, pointers, *backend, pool);
  return std::all_of(buffers.begin(), buffers.end(), [&](const AlignedBuffer<float>& buffer) {
    return std::equal(buffer.span().begin(), buffer.span().end(), expected.span().begin());
  });
}

int collective(const Request& request, bool json) {
  checkMemory(request);
  const Schedule schedule = makeAllReduce(request.kind, request.ranks, request.hosts, request.elements);
  if (!sumsExactly(schedule))
    throw BrokenInvariant("the schedule " + std::string(toString(request.kind)) + " gave a wrong sum");

  const std::vector<std::int64_t> readyNs(static_cast<std::size_t>(request.ranks), 0);
  const PricedSchedule priced = priceSchedule(schedule, TwoLevelNetwork(request), readyNs);
  const std::int64_t doneNs = *std::max_element(priced.doneNs.begin(), priced.doneNs.end());
  const std::vector<std::int64_t> sent = schedule.bytesSentPerRank();
  const std::int64_t most = *std::max_element(sent.begin(), sent.end());
  if (json) {
    printJson({{"modelledSeconds", static_cast<double>(doneNs) / 1e9},
               {"steps", schedule.rounds()},
               {"bytesSentPerRank", sent},
               {"maxBytesSentPerRank", most},
               {"result", "exact"}});
    return 0;
  }
  Table table({{""}, {""}});
  table.add({"schedule", std::string(toString(request.kind)) + ", " + formatCount(request.ranks) + " ranks on " +
                             formatCount(request.hosts) + (request.hosts == 1 ? " host" : " hosts")});
  table.add({"modelled time", formatDuration(doneNs) + " (" + request.device->id + ", " + request.link->id +
                                  (request.hosts > 1 ? ", between hosts " + request.hostLink->id : "") + ")"});
  table.add({"steps", formatCount(schedule.rounds())});
  table.add({"bytes sent, all ranks", formatCount(schedule.bytesSent())});
  table.add({"bytes sent, busiest rank", formatCount(most)});
  table.add({"sums", "exact on every rank"});
  print(table.text());
  return 0;
}

}  // namespace

void addCollective(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("collective", "Run one all-reduce schedule on numbers, and price it.");
  std::string kinds;
  for (const ScheduleKind kind : kKinds) kinds += " " + std::string(toString(kind));
  const auto add = [&](const char* name, const char* placeholder, const std::string& help) {
    return addValue(*command, name, placeholder, help);
  };
  const CLI::Option* kind = add("--schedule", "NAME", "One of:" + kinds + ". [ring]");
  const CLI::Option* ranks = add("--ranks", "N", "How many take part. [8]");
  const CLI::Option* bytes =
      add("--bytes", "N", "Size of each rank's buffer, a multiple of 4. [1388584, the network's gradients]");
  const CLI::Option* link = add("--link", "KEY", "Link inside a host, a key of `catalogue`. [nvlink2]");
  const CLI::Option* hosts = add("--hosts", "N", "Hosts that the ranks are spread over, evenly. [1]");
  const CLI::Option* hostLink = add("--host-link", "KEY", "Link between hosts, a key of `catalogue`. [eth_10g]");
  const CLI::Option* device = add("--device-model", "KEY", "Who adds, a key of `catalogue`. [v100]");
  const CLI::Option* json = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      Request request;
      request.kind = kindNamed(textOf(kind).value_or("ring"));
      request.ranks = static_cast<int>(integerOf(ranks, 8, 1, kMaxRanks));
      request.hosts = static_cast<int>(integerOf(hosts, 1, 1, kMaxRanks));
      if (request.ranks % request.hosts != 0)
        throw UserError("--hosts " + std::to_string(request.hosts) + " does not divide --ranks " +
                        std::to_string(request.ranks) + ". Every host must have as many ranks as the others.");
      const std::int64_t size = integerOf(bytes, 1388584, 0, std::int64_t{1} << 46);
      if (size % 4 != 0)
        throw UserError("--bytes " + std::to_string(size) +
                        " is no whole number of float32 values. Give a multiple of 4.");
      request.elements = size / 4;
      const Catalogue& catalogue = Catalogue::builtIn();
      request.link = &catalogue.link(textOf(link).value_or("nvlink2"));
      request.hostLink = &catalogue.link(textOf(hostLink).value_or("eth_10g"));
      request.device = &catalogue.device(textOf(device).value_or("v100"));
      return collective(request, flagOf(json));
    };
  });
}

}  // namespace lab::cli
