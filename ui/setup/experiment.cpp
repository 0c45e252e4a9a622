// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/experiment.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "ui/core_words.h"
#include "ui/run_controller.h"
#include "ui/setup/fit.h"

namespace lab {

Experiment::Experiment(RunController& controller, QObject* parent) : QObject(parent), controller_(controller) {
  resolved_ = resolveConfig(asked_);
}

void Experiment::begin(const RunConfig& config) {
  const RunConfig resolved = resolveConfig(config);
  wish_ = config;
  pending_.clear();
  complaint_.clear();
  about_.clear();
  start(config, resolved);
  Q_EMIT changed();
}

void Experiment::start(const RunConfig& asked, const RunConfig& resolved) {
  Q_EMIT aboutToStart();
  asked_ = asked;
  resolved_ = resolved;
  controller_.start(asked_, true);
  Q_EMIT started();
}

void Experiment::again() {
  begin(withoutOutputs(asked_));
}

void Experiment::set(const QString& name, const QString& value) {
  const std::string key = name.toStdString();
  RunConfig wish = wish_;
  try {
    const bool output = configField(key).group == "Output";
    wish = output ? wish_ : withoutOutputs(wish_);
    // Another strategy is another question: what the last one refused was not meant for it.
    if (key == "strategy" && !pending_.empty()) wish = withSetting(wish, pending_, "");
    wish = withSetting(wish, key, value.toStdString());
    RunConfig next = fitted(wish, key);
    RunConfig resolved;
    try {
      resolved = resolveConfig(next);
    } catch (const UserError&) {
      if (pending_.empty() || pending_ == key) throw;
      // What was refused before is in the way of a change that is fine without it.
      wish = withSetting(wish, pending_, "");
      next = fitted(wish, key);
      resolved = resolveConfig(next);
    }
    const bool same = configToJson(resolved) == configToJson(resolved_) && !controller_.isOver();
    complaint_.clear();
    about_.clear();
    pending_.clear();
    wish_ = wish;
    if (same) {
      asked_ = next;
    } else {
      start(next, resolved);
    }
  } catch (const UserError& error) {
    complaint_ = coreSentence(error.what());
    about_ = name;
    pending_ = key;
    wish_ = wish;
  }
  Q_EMIT changed();
}

void Experiment::slowDown(int replica, double factor) {
  auto slow = asked_.slow;
  std::erase_if(slow, [&](const auto& straggler) { return straggler.first == replica; });
  if (factor != 1) slow.emplace_back(replica, factor);
  std::sort(slow.begin(), slow.end());
  RunConfig config = asked_;
  config.slow = slow;
  set(QStringLiteral("slow"), QString::fromStdString(configField("slow").get(config)));
}

}  // namespace lab
