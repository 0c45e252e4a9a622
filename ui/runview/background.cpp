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
  if (running_ == 0) threads_.clear();  // all of them have ended, so this joins at once
  ++running_;
  threads_.emplace_back([this, work = std::move(work), done = std::move(done)]() mutable {
    Message failure;
    try {
      work();
    } catch (const std::exception& error) {
      failure = messageOf(error);
    }
    work = nullptr;  // releases what it holds on this thread
    QMetaObject::invokeMethod(
        this,
        [this, failure, done = std::move(done)] {
          --running_;
          if (done) done(coreSentence(failure));
        },
        Qt::QueuedConnection);
  });
}

}  // namespace lab
