// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/hang_watch.h"

#include <pthread.h>

#include <csignal>
#include <cstdio>

namespace lab::robot {
namespace {

std::int64_t nowNs() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

}  // namespace

HangWatch::HangWatch(std::chrono::seconds bound) {
  watcher_ = std::jthread([this, bound, window = pthread_self()](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      const std::int64_t since = sinceNs_;
      if (since == 0 || nowNs() - since < std::chrono::nanoseconds(bound).count()) continue;
      std::fprintf(stderr, "HANG: an event has taken longer than %lld s\n", static_cast<long long>(bound.count()));
      pthread_kill(window, SIGABRT);
      return;
    }
  });
}

void HangWatch::begins() {
  sinceNs_ = nowNs();
}

}  // namespace lab::robot
