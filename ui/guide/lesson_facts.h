// SPDX-License-Identifier: GPL-3.0-or-later
// The table of facts as the window has it at present: what lessons' conditions ask. It looks on and changes nothing.
#pragma once

#include <QObject>

#include <functional>
#include <set>
#include <string>

#include "core/lesson/facts.h"

namespace lab {

class Experiment;
class Playback;
class RunController;
class RunLibrary;
class Selection;

// What lessons look at. `window`: workspace, tabs, lanes, sweeps.
struct LessonWorld {
  RunController& controller;
  Playback& playback;
  Selection& selection;
  Experiment& experiment;
  RunLibrary& library;
  std::function<Fact(const FactCall&)> window;
};

class LessonFacts final : public QObject, public FactSource {
  Q_OBJECT

 public:
  explicit LessonFacts(const LessonWorld& world, QObject* parent = nullptr);

  Fact fact(const FactCall& call) const override;
  void beginPage();  // what has been seen counts from here on
  void setAnswers(const std::set<std::string>& predicted, const std::set<std::string>& answered);
  const LessonWorld& world() const { return world_; }

 Q_SIGNALS:
  void changed();
  void acted();  // by a person, or on the way to where a person leads

 private:
  void follow();
  void followRun();
  Fact ofSettings(const FactCall& call) const;
  Fact ofStage(const std::string& name, const FactCall& call) const;
  Fact ofRun(const std::string& name, const std::string& argument) const;
  bool had(bool revived, const std::string& task) const;

  LessonWorld world_;
  std::set<std::string> seen_, predicted_, answered_;
  std::int64_t step_ = 0;
  double seconds_ = 0;
  bool lost_ = false;  // a process of the run, at the latest look
};

}  // namespace lab
