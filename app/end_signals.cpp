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
  if (signal != SIGHUP) std::signal(signal, SIG_DFL);  // a terminal that closes and its shell may both send SIGHUP
  int expected = kNothing;
  if (signalled.compare_exchange_strong(expected, kAsked)) signalled.notify_all();
}

// Leaves ignored signals ignored, such as SIGHUP under nohup.
void answer(void (*handler)(int)) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP})
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

EndSignals::EndSignals(std::function<void()> asked)
    : waiting_([asked = std::move(asked)] {
        signalled.wait(kNothing);
        if (signalled == kAsked) asked();
      }) {
  answer(onEndSignal);
}

EndSignals::~EndSignals() {
  answer(SIG_DFL);
  signalled = kOver;
  signalled.notify_all();
  waiting_.join();
}

}  // namespace lab
