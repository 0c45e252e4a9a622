// SPDX-License-Identifier: GPL-3.0-or-later
// strategylab-cli selftest: every operation on every backend of this machine against the reference, the same cases as
// the operation tests.
#include <algorithm>
#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/cli.h"
#include "app/cli/messages.h"
#include "app/cli/options.h"
#include "app/cli/table.h"
#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/suggest.h"
#include "core/base/thread_pool.h"
#include "core/base/units.h"
#include "core/device/cuda/gpu_module.h"
#include "core/selftest/operation_cases.h"
#include "core/selftest/reference.h"
#include "core/selftest/staged_backend.h"

namespace lab::cli {
namespace {

using nlohmann::json;

// The cases of one operation, as one line of the table.
struct Line {
  std::string operation;
  std::int64_t cases = 0, failed = 0;
  CaseOutcome worst;  // nearest to its bound, or beyond it
};

double nearness(const CaseOutcome& outcome) {
  if (!outcome.passed) return 2;
  return outcome.bound > 0 ? outcome.worstError / outcome.bound : 0;
}

// The backends to test, made one at a time, so that several do not hold GPU memory.
using MakeBackend = std::function<std::unique_ptr<Backend>()>;
std::vector<MakeBackend> backendsOf(const std::string& devices, ThreadPool& pool) {
  std::vector<MakeBackend> backends;
  if (devices != "cuda")
    for (const std::string& path : cpuIsas())
      backends.emplace_back([&pool, path] { return makeCpuBackend(pool, path); });
  if (devices == "cpu" || !whyNoGpu().empty()) return backends;
  const std::shared_ptr<gpu::Layer> layer = openGpus();
  for (int i = 0; i < static_cast<int>(layer->gpus().size()); ++i)
    backends.emplace_back([layer, i] { return gpu::makeStagedBackend(*layer, i); });
  return backends;
}

int selftest(const std::string& devices, bool asJson) {
  catchInterrupts();
  ThreadPool pool(processorCount());
  const auto reference = makeReferenceBackend();
  const auto right = Table::Align::Right;
  Table table({{"backend"}, {"operation"}, {"cases", right}, {"worst error", right}, {"bound", right}, {"result"}});
  json results = json::array();
  std::int64_t cases = 0, failed = 0;
  for (const MakeBackend& make : backendsOf(devices, pool)) {
    const std::unique_ptr<Backend> backend = make();
    std::vector<Line> lines;
    for (const OperationCase& operation : operationCases()) {
      if (interrupted()) return kInterrupted;
      const CaseOutcome outcome = runCase(operation, *backend, *reference);
      const std::string name = operation.name.substr(0, operation.name.find(','));
      auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& other) { return other.operation == name; });
      if (line == lines.end()) line = lines.insert(line, {name, 0, 0, outcome});
      ++line->cases;
      ++cases;
      if (nearness(outcome) > nearness(line->worst)) line->worst = outcome;
      if (!outcome.passed) {
        ++line->failed;
        ++failed;
        say("failed on " + std::string(backend->name()) + ": " + operation.name + ": " + outcome.failure);
      }
      results.push_back({{"backend", std::string(backend->name())},
                         {"case", operation.name},
                         {"worstError", outcome.worstError},
                         {"bound", outcome.bound},
                         {"passed", outcome.passed}});
    }
    for (const Line& line : lines)
      table.add({std::string(backend->name()), line.operation, formatCount(line.cases),
                 scientific(line.worst.worstError), line.worst.bound > 0 ? scientific(line.worst.bound) : "same bits",
                 line.failed == 0 ? "ok" : "FAILED in " + formatCount(line.failed)});
  }
  if (asJson) {
    printJson({{"cases", results}, {"passed", failed == 0}});
  } else {
    print(table.text() + "\n" + formatCount(cases - failed) + " of " + counted(cases, "case") +
          " agree with the reference.\n");
  }
  return failed == 0 ? 0 : 1;
}

void checkDevices(const std::string& name) {
  const std::vector<std::string> names{"auto", "cpu", "cuda"};
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw UserError(say::nameOneOf, Option{"devices"}, unknownName(say::deviceKindWord, name, names));
  if (name == "cuda" && !whyNoGpu().empty()) throw UserError(say::selftestNoCuda, Option{"devices"}, whyNoGpu());
}

}  // namespace

void addSelftest(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("selftest", "Check every operation of every backend here against the reference.");
  const CLI::Option* devices =
      addValue(*command, "--devices", "NAME", "Which backends. One of: auto cpu cuda. [auto, all that are here]");
  const CLI::Option* asJson = addJson(*command);
  command->callback([=, &action] {
    action = [=] {
      const std::string name = textOf(devices).value_or("auto");
      checkDevices(name);
      return selftest(name, flagOf(asJson));
    };
  });
}

}  // namespace lab::cli
