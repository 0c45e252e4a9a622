// SPDX-License-Identifier: GPL-3.0-or-later
// What the person at the window has asked for, and the run that follows from it. Every change of a setting, wherever it
// is made, comes through set(): the same experiment starts anew at once, with the same seed. A change that cannot be is
// answered with its sentence, and the present run goes on.
#pragma once

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/config/lineage.h"
#include "core/config/run_settings.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/fit.h"

namespace lab {

class RunController;
class UserError;

class Experiment final : public QObject {
  Q_OBJECT

 public:
  explicit Experiment(RunController& controller, QObject* parent = nullptr);

  // All that a person has set: what runs, what else is kept for a strategy that can use it, which batch is kept; and of
  // a run in which a task died or came back, which run it is a branch of, with what that one had reported.
  struct Settings {
    RunSettings asked, wish;
    BatchKept keeps = BatchKept::PerReplica;
    Lineage lineage{};
    std::shared_ptr<const RunMetrics> past{};
    std::weak_ptr<const RunMetrics> run{};  // that ran so; goBackTo() brings it back as it stood, as long as it is kept
  };
  Settings settings() const;

  // Which settings a teacher has locked, in words; "" for one that is not. set() refuses those, and so do begin() and
  // goBackTo() a configuration with another value of one, but for what the teacher has prepared.
  using Refusal = std::function<QString(const QString& setting)>;
  enum class By { Anyone, Teacher };
  void setRefusal(Refusal refusal) { refusal_ = std::move(refusal); }
  void refusalChanged();  // what is locked is another: a complaint about it is over
  QString refusal(const QString& setting) const { return refusal_ ? refusal_(setting) : QString(); }

  // Why nothing else can be started now; "" where it can. Whoever tries is told.
  using Busy = std::function<QString()>;
  void setBusy(Busy busy) { busy_ = std::move(busy); }
  QString busyWords() const { return busy_ ? busy_() : QString(); }
  // How many train as a class now, which no setting says; nothing: there is none.
  std::optional<int> classWorkers() const { return classWorkers_; }
  void setClassWorkers(std::optional<int> workers);

  // Paused before the first step; UserError where it cannot be. With a lineage: that branch, whose parent is trained
  // first.
  void begin(const RunSettings& config, By whom = By::Anyone, const Lineage& lineage = {});
  void beginOrComplain(const RunSettings& config, const Lineage& lineage = {});  // the sentence is then complaint()
  void goBackTo(const Settings& settings, By whom = By::Anyone);                 // the same, with what was kept then
  bool isOf(const Settings& settings) const;                              // what runs is the very run that they were of
  void forgetPast();                                                      // nobody goes back any more
  void again();                                                           // the same once more
  void serve(const RunSettings& config, const ClassRun::Wishes& wishes);  // to a class; UserError
  // At the steps of a class's recording, whose settings these are as far as a simulated run has them; UserError.
  void look(const RunSettings& config, const RunController::Start& at);
  void complain(const UserError& error);  // of what was asked for elsewhere
  void resume();                          // a run among real processes that was ended, from its newest checkpoint
  void branch(const RunController::Start& from);  // the same settings, from a state of the present run
  void set(const QString& name, const QString& value);
  void setNetwork(const NeuralNetwork& network);  // one that was changed by hand (core/model/network_edit.h)
  void keepBatch(BatchKept kept);                 // from now on, when the number of replicas changes; the run goes on
  void slowDown(int replica, double factor);      // 1: at full speed again

  const RunSettings& asked() const { return asked_; }             // what runs; unset fields are left to the strategy
  const ResolvedSettings& resolved() const { return resolved_; }  // the same with everything filled in
  const Lineage& lineage() const { return lineage_; }             // of what runs, where it is a branch
  BatchKept keepsBatch() const { return keeps_; }
  bool hasGlobalBatch() const { return resolved_.globalBatch > 0; }  // a parameter-server step is one worker's
  const QString& remark() const {
    return remark_;
  }  // what of one's settings is not in force at present; "" where all is
  const QString& complaint() const { return complaint_; }   // why the last change was refused; "" if it was not
  const QString& complaintAbout() const { return about_; }  // the setting's name

 Q_SIGNALS:
  void aboutToStart();  // the run that is ending still has its figures
  void started();       // another run has begun; asked() is its configuration
  void changed();       // any of the above

 private:
  void start(const RunSettings& asked, const ResolvedSettings& resolved, const RunController::Start& from = {},
             const std::shared_ptr<const RunMetrics>& back = nullptr);
  void refuseLocked(const ResolvedSettings& resolved) const;  // UserError
  bool isBusy();                                              // and then says so
  RunSettings fit(const RunSettings& wish, const std::string& key) const;
  QString remarkOn(const RunSettings& wish, const RunSettings& next) const;

  RunController& controller_;
  // Also holds what the present strategy cannot take: coming back to one that can brings it back.
  RunSettings wish_;
  std::string pending_;  // the setting in wish_ that was refused last
  RunSettings asked_;
  ResolvedSettings resolved_;
  BatchKept keeps_ = BatchKept::PerReplica;
  Lineage lineage_;
  std::shared_ptr<const RunMetrics> past_;
  QString complaint_, about_, remark_;
  Refusal refusal_;
  Busy busy_;
  std::optional<int> classWorkers_;
};

}  // namespace lab
