// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "app/cli/cli.h"
#include "core/base/at.h"
#include "core/base/error.h"
#include "core/replicas/labels.h"
#include "core/replicas/replica.h"
#include "core/trace/telemetry.h"
#include "core/training/trainer.h"

namespace lab::cli {
namespace {

// Returns the share of a gradient that is left if only max pooling reads the layer: one place in each window.
double shareBehindMaxima(const NeuralNetwork& network, const NetworkOperation& operation) {
  if (!operation.backward) return 1;
  const std::vector<NetworkLayer>& layers = network.layers();
  const auto of = std::ranges::find(layers, operation.layer, &NetworkLayer::name);
  if (of == layers.end() || of->readers != 1) return 1;
  const auto reader = std::ranges::find_if(
      layers, [&](const NetworkLayer& layer) { return layer.inputs.front() == of - layers.begin(); });
  const auto places = [](const NetworkLayer& layer) { return static_cast<double>(layer.output[0] * layer.output[1]); };
  return reader != layers.end() && reader->kind == NetworkLayer::Kind::MaxPool2D
             ? std::min(1.0, places(*reader) / places(*of))
             : 1;
}

OpCost costOf(const NeuralNetwork& network, std::uint16_t label, std::int64_t count) {
  const int index = operationOf(label);
  // Another thread prepares the input ahead.
  OpCost cost = label == labelOf(Label::Update) ? updateCost({}, count) : OpCost();
  if (index >= 0) {
    const NetworkOperation& of = at(network.operations(), index);
    cost = of.cost(count);
    cost.flop *= shareBehindMaxima(network, of);
  }
  return cost;
}

}  // namespace

StepProfile profileStep(const ResolvedSettings& config, std::shared_ptr<const Dataset> dataset, double seconds) {
  LAB_CHECK(config.devices != DeviceChoice::Simulated && config.replicas == 1);
  Telemetry telemetry;
  Trainer trainer(config, std::move(dataset), telemetry);
  const NeuralNetwork& network = *trainer.info().network;
  std::vector<Span> spans;
  for (int step = 0; step < kWarmUpSteps && !trainer.finished(); ++step) trainer.step();
  trainer.settle();
  telemetry.drainSpans(spans);
  (void)telemetry.takeMetrics();

  const std::int64_t wallBefore = trainer.wallNs();
  const SteadyClock::time_point begin = SteadyClock::now();
  StepProfile profile;
  std::vector<std::pair<std::uint16_t, OperationTime>> operations;  // in the order of their first appearance
  do {
    trainer.step();
    trainer.settle();  // a GPU's spans arrive with its results
    ++profile.steps;
    spans.clear();
    telemetry.drainSpans(spans);
    for (const Metric& metric : telemetry.takeMetrics())
      if (const auto* taken = std::get_if<StepMetric>(&metric)) profile.images += taken->examples;
    for (const Span& span : spans) {
      if (span.kind != SpanKind::Input && span.kind != SpanKind::Compute && span.kind != SpanKind::Update) continue;
      auto found = operations.begin();
      while (found != operations.end() && found->first != span.label) ++found;
      if (found == operations.end())
        found = operations.insert(found, {span.label, OperationTime{format(labelNames(network).at(span.label))}});
      const OpCost cost = costOf(network, span.label, span.count);
      found->second.seconds += static_cast<double>(span.durationNs) * 1e-9;
      found->second.flop += cost.flop;
      found->second.bytes += cost.bytes;
    }
  } while (std::chrono::duration<double>(SteadyClock::now() - begin).count() < seconds && !trainer.finished() &&
           !interrupted());

  const auto steps = static_cast<double>(profile.steps);
  profile.seconds = static_cast<double>(trainer.wallNs() - wallBefore) * 1e-9 / steps;
  profile.otherSeconds = profile.seconds;
  for (auto& [label, time] : operations) {
    for (double* sum : {&time.seconds, &time.flop, &time.bytes}) *sum /= steps;
    profile.otherSeconds -= time.seconds;
    profile.operations.push_back(std::move(time));
  }
  return profile;
}

double flopPerImage(const NeuralNetwork& network) {
  double flop = 0;
  for (std::size_t op = 0; op < network.operations().size(); ++op)
    flop += costOf(network, labelOfOperation(static_cast<int>(op)), 1).flop;
  return flop;
}

double floorSeconds(double flop, double bytes, const MachinePeak& peak) {
  const auto at = [](double work, double gigaPerSec) { return gigaPerSec > 0 ? work / gigaPerSec * 1e-9 : 0; };
  return std::max(at(flop, peak.multiplyAddGflops), at(bytes, peak.gbPerSec(bytes)));
}

double stepFloorSeconds(const NeuralNetwork& network, std::int64_t examples, const MachinePeak& peak) {
  const auto floorOf = [&](std::uint16_t label, std::int64_t count) {
    const OpCost counted = costOf(network, label, count);
    return floorSeconds(counted.flop, counted.bytes, peak);
  };
  double seconds = floorOf(labelOf(Label::Input), examples) + floorOf(labelOf(Label::Update), network.layout().size());
  for (std::size_t op = 0; op < network.operations().size(); ++op)
    seconds += floorOf(labelOfOperation(static_cast<int>(op)), examples);
  return seconds;
}

}  // namespace lab::cli
