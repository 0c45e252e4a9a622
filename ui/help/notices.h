// SPDX-License-Identifier: GPL-3.0-or-later
// What the desk says above the stage: one message for each cause, the newest in front. A message goes when its cause is
// gone, when what it says is done, by its button or otherwise, or when it is closed; then the one behind it is seen.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

#include "ui/help/notice.h"

namespace lab {

class Notices final : public QObject {
  Q_OBJECT

 public:
  enum class Cause {
    File,     // an experiment or a recording that cannot be opened or saved
    Locks,    // what the file hides or locks
    Lanes,    // a comparison that the file has
    View,     // where the window was when the file was saved
    Session,  // it cannot be kept
    Window,   // another one holds the session
    Crash,    // the last session broke off
    Charts,
    Data,
    Export,
    Drop,
    Guide,    // where a text leads to that cannot be
    Passing,  // what the status line tells, where there is one
  };
  struct Message {
    QString text;
    QString remedy{};             // a button's words; "" for none
    std::function<void()> act{};  // what it does
    Notice::Kind kind = Notice::Kind::Warning;
    std::function<bool()> isDone{};  // by another way than the button; then it goes with the next review()
  };

  explicit Notices(Notice& notice, QObject* parent = nullptr);

  void set(Cause cause, Message message);                                     // replaces the cause's earlier notice
  void offer(Cause cause, const QString& remedy, std::function<void()> act);  // a button beside what it has said
  void over(Cause cause);                                                     // it is gone
  void review();                                                              // what is done is over
  bool has(Cause cause) const;
  Notice& notice() { return notice_; }

 private:
  struct Entry {
    Cause cause;
    Message message;
  };
  void show();

  Notice& notice_;
  std::vector<Entry> entries_;  // the last one is shown
};

}  // namespace lab
