// SPDX-License-Identifier: GPL-3.0-or-later
// The desk's messages above the stage: one for each cause, the newest in front. A message is removed when its cause is
// gone, when its remedy is done, by its button or otherwise, or when it is closed; then the one behind it appears.
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
    Link,     // the experiment has no link
    Locks,    // what the file hides or locks
    Lanes,    // a comparison in the file
    View,     // where the window was when the file was saved
    Session,  // the session cannot be stored
    Window,   // another window holds the session
    Crash,    // the last session crashed
    Charts,
    Data,
    Export,
    Drop,
    Runs,     // some were deleted and can be brought back
    Guide,    // a text's destination that is impossible
    Passing,  // messages of the status line, if there is one
  };
  struct Message {
    QString text;
    QString remedy{};             // the words of a button; "" for none
    std::function<void()> act{};  // the button's act
    Notice::Kind kind = Notice::Kind::Warning;
    std::function<bool()> isDone{};  // done in another way than by the button; the next review() then removes the
                                     // message
  };

  explicit Notices(Notice& notice, QObject* parent = nullptr);

  void set(Cause cause, Message message);  // replaces the cause's earlier message; nothing if it is done already
  void offer(Cause cause, const QString& remedy, std::function<void()> act);  // adds a button to the cause's message
  void over(Cause cause);                                                     // the cause is gone
  void review();                                                              // removes messages whose remedy is done
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
