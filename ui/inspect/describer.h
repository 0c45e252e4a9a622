// SPDX-License-Identifier: GPL-3.0-or-later
// describe(), with one function for each kind of object. Used only by describe*.cpp.
#pragma once

#include <QCoreApplication>
#include <QString>

#include "ui/inspect/describe.h"

namespace lab {

class Describer {
  Q_DECLARE_TR_FUNCTIONS(lab::Describer)

 public:
  Describer(const StepIndex& step, const Story& story, double seconds, const EvalMetric* evaluation);

  Description of(const Object& object);

 private:
  void digit(const Object& object);
  void weights(const Object& object);
  void serverWeights(int server, bool isDead);
  void layer(const Object& object);
  void unit(const Object& object);
  void batchNorm(const NetworkLayer& layer, int replica);  // this and the next two are in describe_norm.cpp
  QString movingNote() const;
  void movingStatistics(int replica);
  void device(const Object& object);
  void memory(std::size_t endpoint);
  void keptMemory(std::size_t endpoint);
  void link(const Object& object);
  void shard(const Object& object);
  void queue();
  void pipeline(const Object& object);  // this and the next five are in describe_beats.cpp
  void loss(const Object& object);
  void moreReplicas(std::int64_t all);
  void evaluation();
  void evaluationShares();
  void epochMean();
  void host(const Object& object);
  void gradient(const Object& object);  // this and the following are in describe_values.cpp
  void transfer(const Object& object);
  void transferFacts(const Span& span);
  void addition(std::size_t transfer, std::int64_t offset, std::int64_t count);
  void addParts(std::int64_t offset, const std::vector<float>& values);

  QString doing(int worker) const;
  bool addDeath(const DeadTask* dead);  // how and when it died; false for null
  void vote(int replica);
  void row(const QString& name, const QString& value);
  bool isReplica(int endpoint) const { return endpoint >= 0 && endpoint < info_.replicas; }
  bool isAway(int endpoint) const;
  void fill(const Object& object);
  bool isEndpoint(int endpoint) const {
    return endpoint >= 0 && endpoint < static_cast<int>(info_.legend.endpoints.size());
  }
  bool isServer(int endpoint) const {
    return endpoint >= info_.replicas && endpoint < info_.replicas + info_.parameterDevices;
  }
  bool hasBegun(const Span& span) const;  // as seen on the stage, which shows the batch first
  bool isOver(const Span& span) const { return span.startNs + span.durationNs <= ns_; }
  std::int64_t mostElements() const;  // the largest part of a buffer that is added up here
  QString kindOfTime() const;         // "modelled" or "measured"
  QString nameOf(int endpoint) const;
  std::int64_t versionOf(int endpoint) const;  // -1: none yet
  bool isApplied() const;                      // whether the stage shows the asynchronous step's gradients as applied

  const StepIndex& step_;
  const StepRecord& record_;
  const RunInfo& info_;
  const Story& story_;
  double seconds_;
  std::int64_t ns_;
  const EvalMetric* evaluation_;
  Description text_;
};

QString describeNumber(double value);  // "0.01234", "−3.1e-05"

}  // namespace lab
