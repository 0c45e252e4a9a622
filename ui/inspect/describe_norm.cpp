// SPDX-License-Identifier: GPL-3.0-or-later
// Batch normalisation: whose mean and variance a replica normalises by, and its moving statistics, which are not
// mirrored variables.
#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include "core/base/at.h"
#include "core/model/neural_network.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describer.h"

namespace lab {
namespace {

double largestDifference(std::span<const float> a, std::span<const float> b) {
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  return largest;
}

}  // namespace

void Describer::batchNorm(const NetworkLayer& layer, int replica) {
  const auto images = std::ssize(at(record_.replicas, replica).shard);
  const bool shares = layer.synchronized && info_.replicas > 1;
  row(tr("Normalises by"), shares ? tr("mean and variance of all %Ln images, added up over the replicas", nullptr,
                                       plural(record_.metric.distributed()))
                                  : tr("mean and variance of its own %Ln images", nullptr, plural(images)));
  const std::vector<float>& own = at(record_.replicas, replica).statistics;
  const std::vector<float>& first = record_.replicas.front().statistics;
  if (static_cast<std::int64_t>(own.size()) != info_.network->statistics().size()) return;
  for (const char* which : {"/moving_mean", "/moving_variance"}) {
    const Variable& variable = info_.network->statistics().find(layer.name + which);
    const auto part = [&](const std::vector<float>& all) {
      return std::span<const float>(all).subspan(static_cast<std::size_t>(variable.offset),
                                                 static_cast<std::size_t>(variable.size));
    };
    const auto values = part(own);
    TensorPart picture;
    picture.name = QString::fromStdString(variable.name);
    picture.columns = variable.size;
    picture.values.assign(values.begin(), values.end());
    text_.parts.push_back(std::move(picture));
    const auto [least, most] = std::ranges::minmax(values);
    const bool mean = which == std::string("/moving_mean");
    row(mean ? tr("Moving mean after the step") : tr("Moving variance after the step"),
        tr("%1 to %2").arg(describeNumber(static_cast<double>(least)), describeNumber(static_cast<double>(most))));
    if (replica == 0) continue;
    const double apart = largestDifference(values, part(first));
    row(tr("Its distance to R0's"), apart == 0 ? tr("0: the same bits") : describeNumber(apart));
  }
  text_.note = shares ? tr("Synchronised: the replicas add up their sums before the layer goes on, forwards and again "
                           "backwards, and all normalise as one device would.")
                      : tr("Each replica normalises by only its own images: its result is not that of one device with "
                           "the whole batch.");
  text_.note += QLatin1Char(' ') + movingNote();
}

QString Describer::movingNote() const {
  using On = StrategyInfo::VariablesOn;
  switch (info_.parameterDevices > 0 ? strategyInfo(info_.config.strategy).variables : On::Replicas) {
    case On::Servers:
      return tr(
          "Moving statistics are variables on the servers: a worker reads them with the weights and writes what its "
          "own batch makes of them. If two workers write at once, the last value stays.");
    case On::Host:
      return tr(
          "Moving statistics are one variable for all replicas: the mean of their new values is written, once a "
          "step, as with tf_keras. Keras 3 fails here.");
    case On::Replicas:
      break;
  }
  return tr(
      "Moving statistics are not mirrored variables: each replica has its own, and replica 0's are evaluated and "
      "saved, as in Keras 3.");
}

// Shows statistics, which are not mirrored, beside variables that are.
void Describer::movingStatistics(int replica) {
  if (info_.network->statistics().size() == 0 || info_.replicas < 2) return;
  const std::vector<float>& own = at(record_.replicas, replica).statistics;
  const double apart = largestDifference(own, record_.replicas.front().statistics);
  if (replica > 0)
    row(tr("Moving statistics"),
        apart == 0 ? tr("like R0's, bit by bit") : tr("its own: up to %1 from R0's").arg(describeNumber(apart)));
  text_.note += QLatin1Char(' ') + movingNote();
}

}  // namespace lab
