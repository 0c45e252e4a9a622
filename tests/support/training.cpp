// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/training.h"

#include <cstring>

namespace lab::test {

RunConfig configOf(const Settings& settings) {
  RunConfig config;
  for (const auto& [name, value] : settings) configField(name).set(config, value);
  return config;
}

Outcome train(const RunConfig& config, std::shared_ptr<const Dataset> dataset,
              const std::function<void(Trainer&)>& eachStep) {
  Telemetry telemetry(std::size_t{1} << 20);
  Trainer trainer(config, std::move(dataset), telemetry);
  Outcome outcome;
  outcome.info = trainer.info();
  while (!trainer.finished()) {
    trainer.step();
    telemetry.drainSpans(outcome.spans);
    if (eachStep) eachStep(trainer);
  }
  outcome.end = trainer.finish();
  telemetry.drainSpans(outcome.spans);
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

}  // namespace lab::test
