// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/end_signals.h"

#include <atomic>
#include <csignal>
#include <utility>

namespace lab {
namespace {

enum State : int { kNothing, kAsked, kOver };
std::atomic<int> signalled{kNothing};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch nothing else");

void onEndSignal(int signal) {
  std::signal(signal, SIG_DFL);
  int expected = kNothing;
  if (signalled.compare_exchange_strong(expected, kAsked)) signalled.notify_all();
}

}  // namespace

EndSignals::EndSignals(std::function<void()> asked)
    : waiting_([asked = std::move(asked)] {
        signalled.wait(kNothing);
        if (signalled == kAsked) asked();
      }) {
  std::signal(SIGTERM, onEndSignal);
  std::signal(SIGINT, onEndSignal);
}

EndSignals::~EndSignals() {
  std::signal(SIGTERM, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  signalled = kOver;
  signalled.notify_all();
  waiting_.join();
}

}  // namespace lab
