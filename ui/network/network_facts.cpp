// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/network/network_facts.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/units.h"
#include "core/hardware/timing_constants.h"
#include "core/model/cnn.h"
#include "core/model/optimizer.h"
#include "core/options/network_of.h"
#include "core/prediction/timing_run.h"
#include "core/timing/step_packs.h"
#include "ui/setup/fit.h"
#include "ui/step/layer_words.h"

namespace lab {
namespace {

QString shapeWords(const std::vector<std::int64_t>& shape) {
  return QString::fromStdString(shapeText(shape));
}

std::int64_t bytesOf(const std::vector<std::int64_t>& shape, std::int64_t examples) {
  constexpr std::int64_t kFloat = sizeof(float);
  return kFloat * examples * std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// The layers that `layer` reads; "" if it reads only the layer before it.
QString readWords(const NeuralNetwork& network, const NetworkLayer& layer, int before) {
  if (layer.inputs == std::vector{before}) return {};
  QStringList names;
  for (const int from : layer.inputs)
    names << (from < 0 ? QCoreApplication::translate("lab::ZoomedReplica", "the image")
                       : QString::fromStdString(at(network.layers(), from).name));
  return QStringLiteral(" ← ") + names.join(QStringLiteral(", "));
}

// The timing of a step on a whole batch, divided among the replicas as in a run.
StepTiming stepOf(const ResolvedSettings& resolved, const TimingRun& timing) {
  const std::int64_t share = resolved.largestShare();
  if (resolved.sharesEvenly()) return timing.step(share);
  std::vector<std::int64_t> batches;
  std::int64_t left = resolved.globalBatch;
  for (int r = 0; r < timing.replicas(); ++r) left -= batches.emplace_back(std::min(share, left));
  return timing.step(std::move(batches));
}

void addTimes(const ResolvedSettings& resolved, NetworkFacts& facts) {
  const Catalogue catalogue = catalogueOf(resolved);
  const TimingRun timing(resolved.asked(), {.model = facts.network->key(), .traced = true}, catalogue,
                         TimingConstants::builtIn());
  const StepTiming step = stepOf(resolved, timing);
  facts.stepNs = step.stepNs;
  facts.imagesPerSecond = step.imagesPerSecond;
  facts.device = QString::fromStdString(timing.network().device(0).name);
  std::vector<NetworkFacts::Row*> profiled;  // in the order of the timing model's layers
  for (NetworkFacts::Row& row : facts.rows)
    if (row.operation >= 0) profiled.push_back(&row);
  for (const ModelledSpan& span : step.spans) {
    const bool forward = span.kind == ModelledSpan::Kind::Forward, back = span.kind == ModelledSpan::Kind::Backward;
    if (span.replica != 0 || (!forward && !back) || span.index >= static_cast<int>(profiled.size())) continue;
    NetworkFacts::Row& row = *at(profiled, span.index);
    (forward ? row.forwardNs : row.backwardNs) = span.endNs - span.beginNs;
  }
}

// Adds what a replica keeps from step to step, as the memory model counts it.
void addKeptMemory(const ResolvedSettings& resolved, NetworkFacts& facts) {
  const Layout& layout = facts.network->layout();
  const StrategyInfo& info = strategyInfo(resolved.strategy);
  facts.shardStage = resolved.replicas > 1 ? info.shardStage(resolved) : 0;
  const std::int64_t part = kBytesPerElement * ceilDivide(layout.size(), resolved.replicas);
  const auto from = [&](int stage) { return facts.shardStage >= stage ? part : layout.bytes(); };
  facts.weightBytes = from(kWeightsInParts);
  facts.gradientBytes = from(kGradientsInParts);
  OptimizerSettings optimizer;
  optimizer.kind = resolved.optimizer;
  optimizer.momentum = resolved.momentum;
  const std::int64_t beside = info.besideSlots ? std::ssize(info.besideSlots(resolved)) : 0;
  if (facts.variables == StrategyInfo::VariablesOn::Replicas)
    facts.slotBytes = from(1) * std::ssize(optimizer.slotNames()) + layout.bytes() * beside;
}

}  // namespace

NetworkFacts networkFacts(const ResolvedSettings& resolved) {
  NetworkFacts facts;
  facts.network = networkOf(resolved);
  const NeuralNetwork& network = *facts.network;
  facts.batch = resolved.largestShare();
  facts.parameters = network.layout().size();
  facts.statistics = network.statistics().size();
  facts.variables = resolved.replicas > 1 || !strategyInfo(resolved.strategy).synchronous
                        ? strategyInfo(resolved.strategy).variables
                        : StrategyInfo::VariablesOn::Replicas;
  addKeptMemory(resolved, facts);
  for (const NetworkLayer& layer : network.layers())
    facts.mapsBeforePooling =
        facts.mapsBeforePooling || (layer.kind == NetworkLayer::Kind::MaxPool2D && layer.inputs.front() >= 0 &&
                                    at(network.layers(), layer.inputs.front()).kind == NetworkLayer::Kind::Conv2D);
  facts.activationBytes = activationBytes(network, facts.batch, resolved.matmul);
  facts.measured = isReal(resolved.devices);
  facts.rows.push_back({.shape = shapeWords(network.input()), .outputBytes = bytesOf(network.input(), facts.batch)});
  int before = NetworkLayer::kNetworkInput;
  for (const NetworkLayer& layer : network.layers()) {
    const bool norm = layer.kind == NetworkLayer::Kind::BatchNorm;
    facts.rows.push_back({.name = QString::fromStdString(layer.name),
                          .what = layerWords(network, layer).full + readWords(network, layer, before++),
                          .shape = shapeWords(layer.output),
                          .parameters = layer.parameters,
                          .statistics = norm ? 2 * layer.output.back() : 0,
                          .outputBytes = bytesOf(layer.output, facts.batch),
                          .operation = layer.forward});
  }
  addTimes(resolved, facts);
  return facts;
}

}  // namespace lab
