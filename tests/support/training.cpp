// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/training.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include "core/options/config_field.h"
#include "core/options/resolve.h"

namespace lab::test {
namespace {

// More spans than any step has; they are taken after each step. A million would take 88 MB to fill for every run.
constexpr std::size_t kStepSpans = std::size_t{1} << 17;

}  // namespace

RunSettings configOf(const Settings& settings) {
  RunSettings config;
  for (const auto& [name, value] : settings) configField(name).set(config, value);
  return config;
}

Outcome train(const RunSettings& config, std::shared_ptr<const Dataset> dataset,
              const std::function<void(Trainer&)>& eachStep) {
  Telemetry telemetry(kStepSpans);
  Trainer trainer(resolve(config), std::move(dataset), telemetry);
  Outcome outcome;
  outcome.info = trainer.info();
  while (!trainer.finished()) {
    trainer.step();
    telemetry.drainSpans(outcome.spans);
    if (eachStep) eachStep(trainer);
  }
  outcome.end = trainer.finish();
  telemetry.drainSpans(outcome.spans);
  if (telemetry.droppedSpans() > 0) qFatal("kStepSpans is too small");
  for (const Metric& metric : telemetry.takeMetrics()) {
    if (const auto* step = std::get_if<StepMetric>(&metric)) outcome.steps.push_back(*step);
    if (const auto* evaluation = std::get_if<EvalMetric>(&metric)) outcome.evaluations.push_back(*evaluation);
  }
  outcome.weights = trainer.weights();
  return outcome;
}

std::shared_ptr<const Dataset> fewDigits(std::int64_t train, std::int64_t test) {
  return firstExamples(embeddedDigits(), train, test);
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

const Settings kShortRun{{"steps", "6"}, {"global-batch", "48"}, {"eval-every", "0"}, {"devices", "simulated"}};

Settings with(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

namespace {

std::map<std::string, Settings> makeEvery() {
  std::map<std::string, Settings> all;
  for (const StrategyInfo& info : strategies()) {
    Settings settings{{"strategy", info.key}};
    if (!info.singleReplica)
      settings.emplace_back("replicas", std::to_string(std::max<std::int64_t>(4, info.defaultReplicas)));
    settings.emplace_back("steps", info.synchronous ? "6" : "13");
    if (!info.synchronous)
      settings.emplace_back("batch-per-replica", "12");
    else
      settings.emplace_back("global-batch", "50");
    all[info.key] = settings;
    for (const Reducer reducer : info.reducers)
      all[info.key + ", " + std::string(toString(reducer))] =
          with(settings, {{"reducer", std::string(toString(reducer))}});
  }
  all["mirrored, packs"] = with(all["mirrored"], {{"bytes-per-pack", "1024"}});
  all["parameter-server, 2 servers, cut"] =
      with(all["parameter-server"], {{"parameter-servers", "2"}, {"partitioner", "fixed:2"}});
  all["mirrored, file"] = with(all["mirrored"], {{"split", "file"}});
  all["multi-worker-mirrored, off"] = with(all["multi-worker-mirrored"], {{"auto-shard", "off"}});
  return all;
}

}  // namespace

const std::map<std::string, Settings>& everyStrategyAndReducer() {
  static const std::map<std::string, Settings> every = makeEvery();
  return every;
}

void addStrategyRows() {
  QTest::addColumn<QString>("name");
  for (const auto& [name, settings] : everyStrategyAndReducer())
    QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
}

RunSettings rowConfig(const QString& name, const Settings& more) {
  return configOf(with(everyStrategyAndReducer().at(name.toStdString()), more));
}

RunSettings lightRowConfig(const QString& name, const Settings& more) {
  Settings light{{"threads", "1"}};
  if (rowConfig(name).reducer != Reducer::Auto) light.emplace_back("network", "mlp");
  return rowConfig(name, with(light, more));
}

bool canBeMeasured(const RunSettings& config) {
  return !strategyInfo(config.strategy).modelledOnly() && config.reducer != Reducer::Nccl;
}

std::string anotherValueOf(const OwnSetting& own) {
  if (!own.choices.empty()) return own.usual == 0 ? own.choices.back() : own.choices.front();
  return std::to_string(own.usual > own.minimum ? own.minimum : own.usual + 1);
}

double relativeDistance(const std::vector<float>& a, const std::vector<float>& b) {
  double distance = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    distance += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    norm += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(distance / norm);
}

}  // namespace lab::test
