// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli collective: runs one all-reduce schedule on numbers, checks every sum on every rank, and models its
// cost.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/aligned_buffer.h"
#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/base/suggest.h"
#include "core/base/thread_pool.h"
#include "core/base/units.h"
#include "core/comm/execute.h"
#include "core/comm/schedule.h"
#include "core/options/network_of.h"
#include "core/prediction/hardware.h"
#include "core/timing/nccl_model.h"
#include "core/timing/round_cost.h"

namespace lab::cli {
namespace {

constexpr const char* kNccl = "nccl";  // runs as the ring; NCCL's own model gives its cost

struct CollectiveRequest {
  Reducer kind = Reducer::Ring;
  int ranks = 8, hosts = 1;
  std::int64_t elements = 0;
  bool nccl = false, costOnly = false;
  ClusterSpec cluster;
  std::string device, link, hostLink;
  std::string name() const { return nccl ? kNccl : std::string(toString(kind)); }
};

Reducer kindNamed(const std::string& name) {
  if (name == kNccl) return Reducer::Ring;
  std::vector<std::string> names{kNccl};
  for (const Reducer kind : kSchedules) {
    if (toString(kind) == name) return kind;
    names.emplace_back(toString(kind));
  }
  throw UserError(say::nameOneOf, Option{"schedule"}, unknownName(say::scheduleWord, name, names));
}

// Checks before allocation: the buffers, and the schedules' transfers, which are at most 2·ranks² for any kind.
void checkMemory(const CollectiveRequest& request) {
  const double ranks = request.ranks, elements = static_cast<double>(request.elements);
  const double needed = (ranks + 1) * elements * 4 + 2 * ranks * ranks * sizeof(Transfer);
  const double available = 0.7 * static_cast<double>(memoryBytes() > 0 ? memoryBytes() : std::int64_t{1} << 31);
  if (needed > available)
    throw UserError(say::tooMuchMemory, Option{"bytes"}, request.elements * 4, Option{"ranks"}, request.ranks,
                    formatFixed(needed / 1e9, 1), formatFixed(available / 1e9, 1));
}

// Uses whole numbers so small that every partial sum is an exact float, whatever the order of the additions.
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

// Returns the bytes that each rank sends, round by round.
std::vector<std::int64_t> bytesSentPerRank(const RoundSchedule& schedule, int ranks) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(ranks));
  std::vector<Transfer> round;
  for (int k = 0; k < schedule.rounds(); ++k) {
    schedule.round(k, round);
    for (const Transfer& transfer : round) at(bytes, transfer.from) += 4 * transfer.count;
  }
  return bytes;
}

int collective(const CollectiveRequest& request, const Catalogue& catalogue, const TimingConstants& constants,
               bool asJson) {
  const Network network(request.cluster, catalogue, constants);
  const Message extrapolated = whyExtrapolated(request.cluster, request.ranks, catalogue);
  if (!extrapolated.empty()) say("note: " + format(extrapolated));
  const auto rounds = makeRoundSchedule(request.kind, request.ranks, request.hosts, request.elements);
  if (!request.costOnly) {
    checkMemory(request);
    if (!sumsExactly(makeAllReduce(request.kind, request.ranks, request.hosts, request.elements)))
      throw BrokenInvariant("the schedule " + request.name() + " gave a wrong sum");
  }
  const std::int64_t doneNs = request.nccl ? ncclAllReduce(ncclShape(network, request.ranks, constants),
                                                           4.0 * static_cast<double>(request.elements), constants)
                                                 .ns
                                           : costOfRounds(*rounds, network).ns;
  const std::vector<std::int64_t> sent = bytesSentPerRank(*rounds, request.ranks);
  const std::int64_t most = *std::max_element(sent.begin(), sent.end());
  const std::int64_t all = std::accumulate(sent.begin(), sent.end(), std::int64_t{0});
  const int steps = request.ranks > 1 && request.elements > 0 ? rounds->rounds() : 0;
  if (asJson) {
    nlohmann::json answer{{"modelledSeconds", static_cast<double>(doneNs) / 1e9},
                          {"steps", steps},
                          {"bytesSentPerRank", sent},
                          {"maxBytesSentPerRank", most},
                          {"result", request.costOnly ? "not run" : "exact"}};
    if (!extrapolated.empty()) answer["extrapolated"] = true;
    printJson(answer);
    return 0;
  }
  Table table({{""}, {""}});
  table.add(
      {"schedule", request.name() + ", " + counted(request.ranks, "rank") + " on " + counted(request.hosts, "host")});
  table.add({"modelled time", formatDuration(doneNs) + " (" + request.device + ", " + request.link +
                                  (request.hosts > 1 ? ", between hosts " + request.hostLink : "") + ")"});
  table.add({"steps", formatCount(steps)});
  table.add({"bytes sent, all ranks", formatCount(all)});
  table.add({"bytes sent, busiest rank", formatCount(most)});
  table.add({"sums", request.costOnly ? "not run" : "exact on every rank"});
  print(table.text());
  return 0;
}

}  // namespace

void addCollective(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("collective", "Run one all-reduce schedule on numbers, and compute what it costs.");
  std::string kinds = std::string(" ") + kNccl;
  for (const Reducer kind : kSchedules) kinds += " " + std::string(toString(kind));
  const auto add = [&](const char* name, const char* placeholder, const std::string& help) {
    return addValue(*command, name, placeholder, help);
  };
  const CLI::Option* kind = add("--schedule", "NAME", "One of:" + kinds + ". [ring]");
  const CLI::Option* ranks = add("--ranks", "N", "How many ranks take part. [8]");
  const CLI::Option* bytes =
      add("--bytes", "N", "Size of each rank's buffer, a multiple of 4. [1388584, the network's gradients]");
  const CLI::Option* link =
      add("--link", "KEY", "Link inside a host, a key of `catalogue`. [nvlink2, or the device's own]");
  const CLI::Option* hosts = add("--hosts", "N", "Hosts that the ranks are spread over, evenly. [1]");
  const CLI::Option* hostLink = add("--host-link", "KEY", "Link between hosts, a key of `catalogue`. [eth_10g]");
  const CLI::Option* device = add("--device-model", "KEY", "The device that adds, a key of `catalogue`. [v100]");
  const CLI::Option* nics = add("--nics", "N", "Network cards of each host. [1]");
  const CLI::Option* costOnly =
      command->add_flag("--price-only")->description("Compute only its cost, without running it on numbers.");
  const TimingFiles files = addTimingFiles(*command);
  const CLI::Option* json = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      CollectiveRequest request;
      const std::string name = textOf(kind).value_or("ring");
      request.kind = kindNamed(name);
      request.nccl = name == kNccl;
      request.costOnly = flagOf(costOnly);
      request.ranks = static_cast<int>(integerOf(ranks, 8, 1, kMaxReplicas));
      request.hosts = static_cast<int>(integerOf(hosts, 1, 1, kMaxClusterDevices));
      if (request.ranks % request.hosts != 0)
        throw UserError(say::hostsDoNotDivideRanks, Option{"hosts"}, request.hosts, Option{"ranks"}, request.ranks);
      const std::int64_t size = integerOf(bytes, 1388584, 0, std::int64_t{1} << 46);
      if (size % 4 != 0) throw UserError(say::bytesNoFloats, Option{"bytes"}, size);
      request.elements = size / 4;
      RunSettings asked;  // as requested for a run
      asked.deviceModel = textOf(device).value_or("");
      asked.link = textOf(link).value_or("");
      asked.hostLink = textOf(hostLink).value_or("");
      asked.catalogue = textOf(files.catalogue).value_or("");
      refuseImpossibleHardware(asked);
      const Catalogue catalogue = catalogueOf(files);
      const TimingConstants constants = constantsOf(files);
      request.device = textOf(device).value_or("v100");
      if (const Message note = familyNote(catalogue.device(request.device)); !note.empty())
        say("note: " + format(note));
      request.link = textOf(link).value_or(catalogue.linkOf(request.device, "nvlink2"));
      request.hostLink = textOf(hostLink).value_or("eth_10g");
      request.cluster = uniformCluster(request.ranks, request.hosts, request.device, request.link, request.hostLink,
                                       integerOf(nics, 1, 1, 1024));
      return collective(request, catalogue, constants, flagOf(json));
    };
  });
}

}  // namespace lab::cli
