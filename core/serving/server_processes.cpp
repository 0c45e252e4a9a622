// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/server_processes.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/base/shared_memory.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"

namespace lab::serving {
namespace {

constexpr int kLookMs = 50;
constexpr std::int64_t kLookNs = std::int64_t{kLookMs} * 1'000'000;

// The layout of the shared memory: pushed values, variables, and the optimizer's slots.
struct SharedBuffers {
  std::span<float> pushed, variables;
  std::vector<std::span<float>> slots;

  SharedBuffers(std::span<float> all, const ResolvedSettings& config, const NeuralNetwork& network) {
    const auto weights = static_cast<std::size_t>(network.layout().size());
    const std::size_t both = weights + static_cast<std::size_t>(network.statistics().size());
    pushed = all.first(both);
    variables = all.subspan(both, both);
    for (std::size_t i = 0; i < ParameterServer::slotsOf(config); ++i)
      slots.push_back(all.subspan(2 * both + i * weights, weights));
  }
  static std::size_t floatsOf(const ResolvedSettings& config, const NeuralNetwork& network) {
    const auto weights = static_cast<std::size_t>(network.layout().size());
    return 2 * static_cast<std::size_t>(network.statistics().size()) + (2 + ParameterServer::slotsOf(config)) * weights;
  }
};

class ServerProcesses final : public ParameterServers {
 public:
  ServerProcesses(const ResolvedSettings& config, const NeuralNetwork& network, const std::string& program,
                  std::int64_t silentNs)
      : silentNs_(silentNs),
        memory_(SharedBuffers::floatsOf(config, network)),
        shared_(memory_.floats(), config, network) {
    const std::string settings = jsonLine(configToJson(config)) + "\n";
    for (int number = 0; number < ParameterServer::countOf(config); ++number) {
      const std::vector<std::string> arguments{program, "parameter-server", memory_.path(), std::to_string(number)};
      servers_.push_back(std::make_unique<ChildProcess>(arguments, std::vector<std::pair<std::string, std::string>>{},
                                                        ChildProcess::Input::Written));
    }
    order(settings);
    wait();
  }

  void apply(std::span<const float> pushed, double learningRate) override {
    wait();
    std::ranges::copy(pushed, shared_.pushed.begin());
    order("apply " + nlohmann::json(learningRate).dump() + "\n");
  }

  std::vector<float> read() override {
    wait();
    return {shared_.variables.begin(), shared_.variables.end()};
  }

  void readOptimizer(std::span<const std::span<float>> slots) override {
    wait();
    order("optimizer\n");
    wait();
    for (std::size_t i = 0; i < slots.size(); ++i) std::ranges::copy(shared_.slots[i], slots[i].begin());
  }

  void restore(std::int64_t version, std::span<const float> variables,
               std::span<const std::span<const float>> slots) override {
    wait();
    std::ranges::copy(variables, shared_.variables.begin());
    for (std::size_t i = 0; i < slots.size(); ++i) std::ranges::copy(slots[i], shared_.slots[i].begin());
    order("restore " + std::to_string(version) + "\n");
    wait();
  }

  void check() override {
    wait();
    for (std::size_t s = 0; s < servers_.size(); ++s) hear(s, 0);
  }

 private:
  // Sends a line to all servers; each of them answers with a line.
  void order(const std::string& line) {
    for (std::size_t s = 0; s < servers_.size(); ++s) send(s, line);
    awaited_ = servers_.size();
  }

  // The socket may take only a part at once: settings with the layers of a deep network are longer than its buffer. The
  // rest follows as the server reads; a server that takes nothing for `silentNs_` is lost. It owes no answer yet, so
  // what it says meanwhile is only its last words.
  void send(std::size_t server, std::string_view line) {
    for (std::int64_t looks = silentNs_ / kLookNs;;) {
      const std::size_t written = servers_[server]->write(line);
      line.remove_prefix(written);
      if (line.empty()) return;
      if (written > 0) looks = silentNs_ / kLookNs;
      (void)hear(server);
      if (--looks <= 0) lose(server);
    }
  }

  // Counts looks rather than elapsed time, so that a pause of this machine hardly counts.
  void wait() {
    for (std::int64_t looks = silentNs_ / kLookNs; awaited_ > 0; --awaited_)
      while (!hear(awaited_ - 1))
        if (--looks <= 0) lose(awaited_ - 1);
  }

  // Returns whether the server has answered. Its standard error goes to ours.
  bool hear(std::size_t server, int milliseconds = kLookMs) {
    const std::optional<ChildProcess::Line> line = servers_[server]->nextLine(milliseconds);
    if (line && !line->isError) return true;
    if (line) std::cerr << line->text + "\n";
    if (servers_[server]->ended()) lose(server);
    return false;
  }

  [[noreturn]] void lose(std::size_t server) {
    ChildProcess& it = *servers_[server];
    for (int i = 0; i < 4 && !it.ended(); ++i) (void)it.nextLine(kLookMs);  // its last output, and its end
    const int code = it.ended().value_or(-1);
    it.kill();
    throw LostServer(static_cast<int>(server), code);
  }

  const std::int64_t silentNs_;
  const SharedMemory memory_;
  const SharedBuffers shared_;
  std::vector<std::unique_ptr<ChildProcess>> servers_;
  std::size_t awaited_ = 0;  // answers still expected, from the servers before this index
};

}  // namespace

std::unique_ptr<ParameterServers> startServerProcesses(const ResolvedSettings& config, const NeuralNetwork& network,
                                                       const std::string& program, std::int64_t silentNs) {
  return std::make_unique<ServerProcesses>(config, network, program, silentNs);
}

int runParameterServer(const std::string& memory, int number) {
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  const ResolvedSettings config = unchecked(configFromJson(nlohmann::json::parse(line)));
  const auto network = networkOf(config);
  const SharedMemory all(memory, SharedBuffers::floatsOf(config, *network));
  const SharedBuffers shared(all.floats(), config, *network);
  ParameterServer server(config, *network, number);
  server.read(shared.variables);
  std::cout << "begun" << std::endl;
  while (std::getline(std::cin, line)) {
    const std::string what = line.substr(0, line.find(' '));
    if (what == "apply") {
      server.apply(shared.pushed, nlohmann::json::parse(line.substr(what.size())).get<double>());
      server.read(shared.variables);
    } else if (what == "optimizer") {
      server.readOptimizer(shared.slots);
    } else if (what == "restore") {
      const std::vector<std::span<const float>> slots(shared.slots.begin(), shared.slots.end());
      server.restore(std::stoll(line.substr(what.size())), shared.variables, slots);
    }
    std::cout << "done" << std::endl;
  }
  return 0;
}

}  // namespace lab::serving
