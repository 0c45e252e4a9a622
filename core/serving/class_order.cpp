// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving/class_order.h"

#include <algorithm>
#include <bit>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/files/gzip_lines.h"
#include "core/files/run_file.h"
#include "core/model/network_text.h"
#include "core/options/learning_rate.h"
#include "core/options/network_of.h"
#include "core/serving/class_settings.h"
#include "core/serving/messages.h"
#include "core/serving/served_variables.h"
#include "core/serving/worker_replica.h"
#include "core/strategy/strategy.h"
#include "core/training/build.h"

namespace lab::serving {
namespace {

using nlohmann::json;
using Part = ClassOrder::Part;

constexpr int kOrderDepth = 4;
constexpr auto kMostExamples = static_cast<std::int64_t>(kMostClosureExamples);

class Replay {
 public:
  Replay(const ResolvedSettings& config, const Dataset& dataset, const ClassOrder& order)
      : config_(config),
        train_(dataset.train),
        order_(order),
        network_(networkOf(config)),
        description_(networkText(*network_)),
        examples_(train_, config.shuffleBuffer, static_cast<std::uint64_t>(config.seed)),
        variables_(config, network_, initialWeights(config), initialStatistics(config)) {
    for (const std::vector<Part>& parts : order_.updates)
      for (const Part& part : parts)
        if (part.used) ++uses_[part.version];
  }

  ReplayedClass run() {
    ReplayedClass replayed;
    const std::int64_t steps = stepsPerEpochOf(config_, train_.count);
    for (const std::vector<Part>& parts : order_.updates) {
      const std::int64_t version = variables_.version();
      if (uses_.contains(version)) kept_[version] = variables_.snapshot();
      const auto first = std::ranges::find_if(parts, &Part::used);
      const bool fits = std::ranges::all_of(
          parts, [](const Part& part) { return part.examples > 0 && part.examples <= kMostExamples; });
      if (first == parts.end() || !fits) throw UserError(say::classOrderWrong);
      double rate = learningRateAt(config_, version + 1, steps);
      if (config_.lrScaling == LearningRateScaling::Staleness)
        rate /= static_cast<double>(std::max<std::int64_t>(1, version - first->version));
      variables_.apply(sumOf(parts), rate);
      std::int64_t examples = 0;
      for (const Part& part : parts) examples += part.used ? part.examples : 0;
      replayed.losses.push_back(std::exchange(lossSum_, 0) / static_cast<double>(examples));
    }
    replayed.variables = *variables_.snapshot();
    return replayed;
  }

 private:
  std::vector<float> sumOf(const std::vector<Part>& parts) {
    const auto weights = static_cast<std::size_t>(network_->layout().size());
    std::vector<float> sum;
    std::int64_t begin = 0;
    for (const Part& part : parts) {
      const std::vector<std::int64_t> examples = examplesOf(part);
      if (std::ssize(examples) != part.examples) throw UserError(say::classOrderWrong);
      const std::int64_t offset = std::exchange(begin, begin + part.examples);
      if (!part.used) continue;
      const std::vector<float> values = gradientOf(part, examples, offset);
      if (sum.empty())
        sum = values;
      else
        for (std::size_t k = 0; k < weights; ++k) sum[k] += values[k];
    }
    return sum;
  }

  // Closures are drawn in the order of their numbers, and pushed in another.
  std::vector<std::int64_t> examplesOf(const Part& part) {
    if (isSynchronous()) return examples_.draw(part.examples);
    if (part.closure == 0 || part.closure > order_.updates.size()) throw UserError(say::classOrderWrong);
    while (drawn_ < part.closure) batches_[++drawn_] = examples_.draw(config_.batchPerReplica);
    return std::exchange(batches_[part.closure], {});
  }

  std::vector<float> gradientOf(const Part& part, const std::vector<std::int64_t>& examples, std::int64_t offset) {
    const auto kept = kept_.find(part.version);
    if (kept == kept_.end()) throw UserError(say::classOrderWrong);
    Job job{.closure = part.closure,
            .version = static_cast<std::uint64_t>(part.version),
            .seed = static_cast<std::uint64_t>(config_.seed),
            .step = isSynchronous() ? part.version : static_cast<std::int64_t>(part.closure) - 1,
            .globalOffset = offset,
            .scale = part.scale,
            .variables = *kept->second};
    for (const std::int64_t example : examples) {
      const std::uint8_t* pixels = train_.image(example);
      job.pixels.insert(job.pixels.end(), pixels, pixels + train_.imageSize());
      job.labels.push_back(train_.labels[static_cast<std::size_t>(example)]);
    }
    if (--uses_[part.version] == 0) kept_.erase(kept);
    const auto [replica, isNew] = replicas_.try_emplace(part.path);
    if (isNew) replica->second = std::make_unique<WorkerReplica>(description_, 1, part.path);
    Result result = replica->second->compute(job);
    lossSum_ += result.lossSum;
    return std::move(result.gradients);
  }

  bool isSynchronous() const { return strategyInfo(config_.strategy).synchronous; }

  const ResolvedSettings config_;
  const Examples& train_;
  const ClassOrder& order_;
  const std::shared_ptr<const NeuralNetwork> network_;
  const std::string description_;
  ClassExamples examples_;
  ServedVariables variables_;
  std::map<std::uint64_t, std::vector<std::int64_t>> batches_;  // drawn, and not computed yet
  std::uint64_t drawn_ = 0;
  double lossSum_ = 0;                         // of the update under way
  std::map<std::int64_t, std::int64_t> uses_;  // of a version, to come
  std::map<std::int64_t, Snapshot> kept_;      // versions that are still used
  std::map<std::string, std::unique_ptr<WorkerReplica>> replicas_;
};

}  // namespace

std::string orderLine(const std::vector<Part>& parts) {
  json all = json::array();
  for (const Part& part : parts)
    all.push_back({part.closure, part.worker, part.version, part.examples, std::bit_cast<std::uint32_t>(part.scale),
                   part.used, part.path});
  return json{{"class", all}}.dump();
}

std::string timesLine(const ClassTimes& times) {
  json all = json::array();
  for (const ClassTimes::Part& part : times.parts)
    all.push_back({part.givenNs, part.pushBeganNs, part.pushedNs, part.computeNs});
  return json{{"times", all}, {"applied", times.appliedNs}}.dump();
}

ClassTimes timesFrom(const json& line) {
  ClassTimes times{.appliedNs = line.at("applied").get<std::int64_t>()};
  for (const json& each : line.at("times"))
    times.parts.push_back({each.at(0).get<std::int64_t>(), each.at(1).get<std::int64_t>(),
                           each.at(2).get<std::int64_t>(), each.at(3).get<std::int64_t>()});
  return times;
}

std::vector<Part> partsFrom(const json& line) try {
  std::vector<Part> parts;
  for (const json& each : line.at("class"))
    parts.push_back({each.at(0).get<std::uint64_t>(), each.at(1).get<int>(), each.at(2).get<std::int64_t>(),
                     each.at(3).get<std::int64_t>(), std::bit_cast<float>(each.at(4).get<std::uint32_t>()),
                     each.at(5).get<bool>(), each.at(6).get<std::string>()});
  return parts;
} catch (const json::exception&) {
  throw UserError(say::classOrderWrong);
}

ClassOrder readClassOrder(const std::filesystem::path& runFile) {
  ClassOrder order;
  const std::vector<std::uint8_t> bytes = readFile(runFile, kMaxRunFileBytes);
  forEachGzipLine(bytes, runFile.string(), kRunFileLimits, [&](std::string_view text, std::int64_t number) {
    if (!text.starts_with("{\"class\"")) return;
    order.updates.push_back(partsFrom(parseJson(text, {say::inLine, File{runFile}, number}, kOrderDepth)));
  });
  if (order.updates.empty()) throw UserError(say::classOrderMissing, File{runFile});
  return order;
}

ReplayedClass replayClass(const ResolvedSettings& config, const std::shared_ptr<const Dataset>& dataset,
                          const ClassOrder& order) {
  return Replay(config, *dataset, order).run();
}

}  // namespace lab::serving
