// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runview/background.h"

#include <exception>
#include <utility>

#include "ui/i18n/core_words.h"

namespace lab {

Background::~Background() = default;

void Background::wait() {
  threads_.clear();
}

void Background::run(std::function<void()> work, std::function<void(const QString& failure)> done) {
  ++running_;
  const int number = ++last_;
  threads_[number] = std::jthread([this, number, work = std::move(work), done = std::move(done)]() mutable {
    Message failure;
    try {
      work();
    } catch (const std::exception& error) {
      failure = messageOf(error);
    }
    work = nullptr;  // releases what it holds on this thread
    QMetaObject::invokeMethod(
        this,
        [this, number, failure, done = std::move(done)] {
          --running_;
          threads_.erase(number);  // this was its last act, so it is joined at once
          if (done) done(coreSentence(failure));
        },
        Qt::QueuedConnection);
  });
}

}  // namespace lab
