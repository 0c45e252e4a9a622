// SPDX-License-Identifier: GPL-3.0-or-later
// Work that takes longer than a frame, such as writing a large file, on a separate thread; the caller is notified of
// the end on the UI thread. When the program ends, it waits for work in progress.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <thread>

namespace lab {

class Background final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~Background() override;  // waits for the work

  // `work` must not touch objects of the UI thread. `done` gets "", or a sentence about the error.
  void run(std::function<void()> work, std::function<void(const QString& failure)> done = {});
  bool busy() const { return running_ > 0; }
  void wait();  // for work in progress; its `done` is called later

 private:
  int running_ = 0, last_ = 0;
  std::map<int, std::jthread> threads_;  // by a number of their own, until they have ended
};

}  // namespace lab
