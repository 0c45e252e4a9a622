// SPDX-License-Identifier: GPL-3.0-or-later
// The facts about the window that lessons' conditions ask for. It only observes and changes nothing.
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

// What lessons can observe. `window`: answers about workspace, tabs, lanes, sweeps.
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
  void beginPage();  // from now on, new observations count
  void setAnswers(const std::set<std::string>& predicted, const std::set<std::string>& answered);
  const LessonWorld& world() const { return world_; }

 Q_SIGNALS:
  void changed();
  void acted();  // an act of the user, or the animation that an act has started

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
  bool lost_ = false;  // a process of the run was lost, at the latest check
};

}  // namespace lab
