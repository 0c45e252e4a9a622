// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/class_settings.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/ceil_divide.h"
#include "core/base/error.h"
#include "core/keras/keras_file.h"
#include "core/model/network_text.h"
#include "core/model/neural_network.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/options/messages.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/protocol/messages.h"
#include "core/strategy/strategy.h"

namespace lab::serving {

namespace {

// A recording's settings come from a file and have not been resolved. resolve() would drop layers that do not
// belong to the network's name, but the class's steps would be computed with them.
void checkLayers(const SettingsBase& config, const NeuralNetwork& network) {
  network.requireTrained();
  if (!isNetworkName(config.network) || layersOfFile(config).empty()) return;
  SettingsBase own = config;
  own.networkFile = {};
  // With the user's own pictures, the network has an output for each of their folders.
  if (network != withClasses(*networkOf(own), network.classes()))
    throw UserError(say::classOtherLayers, Option{"network"}, config.network);
}

void checkImages(const SettingsBase& config, const NeuralNetwork& network, const Dataset& dataset) {
  const Option option{"network"};
  const std::vector<std::int64_t> images(dataset.train.shape.begin(), dataset.train.shape.end());
  if (network.input() != images)
    throw UserError(say::networkDoesNotFit, option, config.network, shapeText(network.input()), dataset.name,
                    shapeText(images));
  if (network.classes() < dataset.classes())
    throw UserError(say::tooFewOutputs, option, config.network, network.classes(), dataset.name, dataset.classes());
}

std::string servedNames() {
  std::string names;
  for (const StrategyInfo& info : strategies())
    if (info.served) names += (names.empty() ? "" : ", ") + info.key;
  return names;
}

}  // namespace

const std::vector<std::string_view>& fieldsNotOfAClass() {
  static const std::vector<std::string_view> all{
      "devices",   "device-model", "link",      "host-link",   "hosts",          "worker-hosts", "worker-devices",
      "catalogue", "slow",         "slow-link", "reducer",     "bytes-per-pack", "matmul",       "threads",
      "split",     "auto-shard",   "files",     "noise-scale", "trace"};
  return all;
}

ResolvedSettings classSettings(const RunSettings& asked) {
  RunSettings taken;
  taken.networkFile = asked.networkFile;
  for (const ConfigField& field : configFields())
    if (std::ranges::find(fieldsNotOfAClass(), field.name) == fieldsNotOfAClass().end() && !field.isDefault(asked))
      field.set(taken, field.get(asked));
  taken.threads = 1;
  // Real processors, which are measured, if the strategy can run without a modelled clock.
  if (!strategyInfo(taken.strategy).modelledOnly()) taken.devices = DeviceChoice::Cpu;
  return resolve(taken);
}

void checkClass(const ResolvedSettings& config, const Dataset& dataset) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  if (!info.served) throw UserError(say::classStrategy, Option{"strategy"}, servedNames(), info.key);
  if (config.matmul != Precision::Float32) throw UserError(say::classFloat32, Option{"matmul"});
  if (config.largestShare() > static_cast<std::int64_t>(kMostClosureExamples))
    throw UserError(say::classBatch, Option{"batch-per-replica"}, kMostClosureExamples, config.largestShare());
  const auto network = networkOf(config);
  checkLayers(config, *network);
  checkImages(config, *network, dataset);
  if (network->exchangesStatistics()) throw UserError(say::classSynchronized, Option{"network"});
  if (networkText(*network).size() > kMostNetworkBytes) throw UserError(say::classNetworkLong, Option{"network"});
  if (dataset.train.imageSize() > static_cast<std::int64_t>(kMostPictureBytes))
    throw UserError(say::classPicture, Option{"dataset"}, dataset.train.imageSize(), kMostPictureBytes);
}

Message sentenceOf(Reason reason) {
  switch (reason) {
    case Reason::WrongToken:
      return say::classWrongToken;
    case Reason::OtherVersion:
      return say::classOtherVersion;
    case Reason::ClassFull:
      return say::classFull;
    case Reason::BadFrame:
      return say::classBadFrame;
    case Reason::NotFinite:
      return say::classNotFinite;
    case Reason::NormTooLarge:
      return say::classNormTooLarge;
    case Reason::TooMuch:
      return say::classTooMuch;
    case Reason::Removed:
      return say::classRemoved;
    case Reason::Silent:
      return say::classSilent;
    case Reason::GivenToAnother:
      return say::classGivenToAnother;
    case Reason::FalseGradient:
      return say::classFalseGradient;
    case Reason::LeftOut:
      return say::classLeftOut;
    case Reason::TooSlow:
      return say::classTooSlow;
  }
  return {};
}

std::int64_t stepsPerEpochOf(const ResolvedSettings& config, std::int64_t examples) {
  return ceilDivide(examples, config.examplesPerStep());
}

void saveClassWeights(const ResolvedSettings& config, std::span<const float> variables) {
  if (config.save.empty()) return;
  const auto network = networkOf(config);
  const Layout &weights = network->layout(), &moving = network->statistics();
  const auto first = static_cast<std::size_t>(weights.size());
  LAB_CHECK(variables.size() == first + static_cast<std::size_t>(moving.size()));
  TensorFile tensors = weightsToTensors(weights, variables.first(first));
  tensors.tensors.merge(weightsToTensors(moving, variables.subspan(first)).tensors);
  if (isKerasFile(config.save))
    writeKerasFile(config.save, *network, tensors, {config.optimizer, config.learningRate, config.momentum});
  else
    writeSafetensors(config.save, tensors);
}

ClassExamples::ClassExamples(const Examples& train, std::int64_t shuffleBuffer, std::uint64_t seed)
    : count_(train.count), input_(train.count, 1, 0, shuffleBuffer, seed) {}

std::vector<std::int64_t> ClassExamples::draw(std::int64_t most) {
  std::vector<std::int64_t> examples;
  do {
    examples.push_back(input_.next().front());
  } while (std::ssize(examples) < most && input_.position().stepInEpoch < count_);
  return examples;
}

}  // namespace lab::serving
