// SPDX-License-Identifier: GPL-3.0-or-later
// The served class, as every view of the window shows it: who is there, under which name, and the totals. Asks the run
// four times a second. Nicknames are hidden until the teacher allows them.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <vector>

#include "core/classruns/class_run.h"

namespace lab {

// What ServedClass asks of the run that serves a class. Tests implement their own.
class ClassSource {
 public:
  enum class State { None, Open, Over };

  virtual ~ClassSource() = default;
  virtual State state() const = 0;
  virtual bool isPaused() const = 0;
  virtual QString link() const = 0;  // "": not known yet
  virtual std::vector<ClassMember> members() const = 0;
  virtual std::int64_t updates() const = 0;
  virtual void setPaused(bool paused) = 0;
  virtual void remove(int worker) = 0;
  virtual void slow(int worker, double factor) = 0;  // 1: at full speed again
  virtual void end() = 0;
};

struct ClassTotals {
  int workers = 0;  // without those that left
  std::int64_t updates = 0;
  double imagesPerSecond = 0, bytesPerSecond = 0;
};

class ServedClass final : public QObject {
  Q_OBJECT

 public:
  explicit ServedClass(ClassSource* source = nullptr, QObject* parent = nullptr);

  void setSource(ClassSource* source);  // null: there is no class
  void refresh();                       // now

  ClassSource::State state() const { return state_; }
  bool isOpen() const { return state_ == ClassSource::State::Open; }
  bool isPaused() const { return paused_; }
  const QString& link() const { return link_; }
  const std::vector<ClassMember>& members() const { return members_; }  // including those that left
  const ClassTotals& totals() const { return totals_; }
  QString nameOf(const ClassMember& member) const;  // with the nickname, if nicknames are shown
  bool showsNicknames() const { return nicknames_; }
  void setShowsNicknames(bool shown);

  void setPaused(bool paused);
  void remove(int worker);
  void slow(int worker, double factor);
  void end();

 Q_SIGNALS:
  void changed();

 private:
  ClassSource* source_ = nullptr;
  ClassSource::State state_ = ClassSource::State::None;
  bool paused_ = false, nicknames_ = false;
  QString link_;
  std::vector<ClassMember> members_;
  ClassTotals totals_;
  QTimer timer_;
};

bool isThere(const ClassMember& member);

// Words for both the panel and the status line.
QString classRateWords(const ClassTotals& totals);  // "820 images/s, the class"
QString classTotalsWords(const ClassTotals& totals);  // "3 workers · 412 updates · 820 images/s, the class · 45 Mbit/s"
QString classEndWords(const ServedClass& served);     // when it is over: "3 workers joined · 412 updates"

}  // namespace lab
