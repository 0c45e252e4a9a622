// SPDX-License-Identifier: GPL-3.0-or-later
// What the notice above the stage says of the run: why it failed or was refused, what its numbers warn of, and the
// remedy that stands beside the sentence.
#pragma once

#include <QObject>

namespace lab {

class Notice;
class OnDemand;
class ServedClass;
class Transport;
struct StageRun;

class RunNotice final : public QObject {
  Q_OBJECT

 public:
  // `settings`: while it is visible, it says itself why settings are refused.
  RunNotice(StageRun& run, Notice& notice, const ServedClass& served, Transport& transport, const OnDemand& settings);

  void refresh();

 Q_SIGNALS:
  void serveWanted();  // a class, once more

 private:
  enum class Remedy { LowerRate, Resume, Digits, ThisMachine, Simulated, Serve, Again };
  Remedy remedy() const;
  QString remedyWords() const;
  void tryRemedy();
  QString lowerRate() const;

  StageRun& run_;
  Notice& notice_;
  const ServedClass& class_;
  Transport& transport_;
  const OnDemand& settings_;
};

}  // namespace lab
