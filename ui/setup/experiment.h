// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment that the user asks for, and the run that follows from it. Every change of a setting, wherever it is
// made, goes through set(): the same experiment starts anew at once, with the same seed. An impossible change is
// answered with a sentence, and the present run goes on.
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

  // Everything that the user has set: what runs, settings kept for a strategy that can use them, and which batch is
  // kept; for a run in which a task died or came back, also the parent of the branch, with what the parent had
  // reported.
  struct Settings {
    RunSettings asked, wish;
    BatchKept keeps = BatchKept::PerReplica;
    Lineage lineage{};
    std::shared_ptr<const RunMetrics> past{};
    std::weak_ptr<const RunMetrics> run{};  // the run with these settings; goBackTo() restores it as it was, as long as
                                            // it is kept
  };
  Settings settings() const;

  // Which settings a teacher has locked, in words; "" for a setting that is not locked. set() refuses changes of locked
  // settings; begin() and goBackTo() refuse configurations that change one, except those that the teacher has prepared.
  using Refusal = std::function<QString(const QString& setting)>;
  enum class By { Anyone, Teacher };
  void setRefusal(Refusal refusal) { refusal_ = std::move(refusal); }
  void refusalChanged();  // other settings are locked now: removes a complaint about locks
  QString refusal(const QString& setting) const { return refusal_ ? refusal_(setting) : QString(); }

  // Why nothing else can be started now; "" if it can. The reason is shown to the user who tries.
  using Busy = std::function<QString()>;
  void setBusy(Busy busy) { busy_ = std::move(busy); }
  QString busyWords() const { return busy_ ? busy_() : QString(); }
  // How many workers train as a class now, as no setting says so; nothing without a class.
  std::optional<int> classWorkers() const { return classWorkers_; }
  void setClassWorkers(std::optional<int> workers);

  // Starts paused before the first step. Throws UserError if impossible. With a lineage: starts that branch, whose
  // parent is trained first.
  void begin(const RunSettings& config, By whom = By::Anyone, const Lineage& lineage = {});
  void beginOrComplain(const RunSettings& config, const Lineage& lineage = {});  // on failure the sentence becomes
                                                                                 // complaint()
  void goBackTo(const Settings& settings, By whom = By::Anyone);                 // the same, with the batch kept then
  bool isOf(const Settings& settings) const;                              // true if these are the settings of the very
                                                                          // run that is running
  void forgetPast();                                                      // nobody goes back any more
  void again();                                                           // starts the same run again, or complains
  void serve(const RunSettings& config, const ClassRun::Wishes& wishes);  // to a class; throws UserError
  // Shows the steps of a class's recording, whose settings are `config` as far as a simulated run has them; throws
  // UserError.
  void look(const RunSettings& config, const RunController::Start& at);
  void complain(const UserError& error);          // about something that was asked for elsewhere
  void resume();                                  // resumes a run among real processes that was killed, from its newest
                                                  // checkpoint
  void branch(const RunController::Start& from);  // starts the same settings from a state of the present run
  void set(const QString& name, const QString& value);
  void takeBackRefused();  // the setting that was refused last is again as it is in force; its complaint goes
  void setNetwork(const NeuralNetwork& network);  // a network that was edited by hand (core/keras/network_edit.h)
  void keepBatch(BatchKept kept);                 // applies when the number of replicas changes; the run goes on
  void slowDown(int replica, double factor);      // 1: full speed again

  const RunSettings& asked() const { return asked_; }             // what runs; the strategy chooses unset fields
  bool runs(const RunSettings& settings) const;                   // whether they are asked(), but for files written
  const ResolvedSettings& resolved() const { return resolved_; }  // the same with everything filled in
  const Lineage& lineage() const { return lineage_; }             // for a run that is a branch
  BatchKept keepsBatch() const { return keeps_; }
  bool hasGlobalBatch() const { return resolved_.globalBatch > 0; }  // false for a parameter server
  const QString& remark() const {
    return remark_;
  }  // which of the user's settings are not in force at present; "" if all are
  const QString& complaint() const { return complaint_; }   // why the last change was refused; "" if it was not
  const QString& complaintAbout() const { return about_; }  // the name of that setting

 Q_SIGNALS:
  void aboutToStart();  // the figures of the ending run are still there
  void started();       // another run has begun; asked() is its configuration
  void changed();       // any of the above

 private:
  void start(const RunSettings& asked, const ResolvedSettings& resolved, const RunController::Start& from = {},
             const std::shared_ptr<const RunMetrics>& back = nullptr);
  void refuseLocked(const ResolvedSettings& resolved) const;  // throws UserError
  void forgetComplaint();                                     // unless a setting waits to be corrected
  bool isBusy();                                              // if true, also shows the reason
  RunSettings fit(const RunSettings& wish, const std::string& key) const;
  RunSettings withoutRefused(RunSettings wish) const;
  QString remarkOn(const RunSettings& wish, const RunSettings& next) const;

  RunController& controller_;
  // Also keeps what the present strategy cannot use, so that it returns with a strategy that can.
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
