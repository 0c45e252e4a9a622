// SPDX-License-Identifier: GPL-3.0-or-later
// Work that takes longer than a frame, such as writing a large file, on a thread of its own; whoever asked hears of the
// end on the UI thread. The program's end waits for what is under way.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <thread>
#include <vector>

namespace lab {

class Background final : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;
  ~Background() override;  // waits

  // `work` must not touch what belongs to the UI thread. `done` gets "" or the sentence of what went wrong.
  void run(std::function<void()> work, std::function<void(const QString& failure)> done = {});
  bool busy() const { return running_ > 0; }
  void wait();  // for work under way; notices of its end come later

 private:
  int running_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace lab
