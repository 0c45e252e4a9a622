// SPDX-License-Identifier: GPL-3.0-or-later
// Many runs: as many at once as asked for, in order, and each ends as it should whatever the others do.
#include <QTest>

#include <algorithm>
#include <atomic>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/base/stopped.h"
#include "core/experiments/run_queue.h"

using namespace lab;
using State = RunQueue::State;

class TestRunQueue : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void soManyAtOnce() {
    RunQueue queue(3);
    std::latch together(3);  // passed only where three run at once
    std::atomic<int> running = 0, most = 0, threads = 0;
    for (int i = 0; i < 9; ++i)
      queue.add([&, i](RunQueue::Turn& turn) {
        threads += turn.threads();
        const int now = ++running;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
        if (i < 3) together.arrive_and_wait();
        --running;
      });
    queue.wait();
    QCOMPARE(most.load(), 3);
    QCOMPARE(threads.load(), 9);
    for (int id = 0; id < 9; ++id) QVERIFY(queue.state(id) == State::Finished);
  }

  // A run that must be alone gets all processors, and runs behind it do not overtake it.
  void aloneIsAlone() {
    RunQueue queue(4);
    std::atomic<int> running = 0, besides = 0, threads = 0;
    std::mutex mutex;
    std::vector<int> order;
    std::latch begun(1);
    for (int i = 0; i < 8; ++i)
      queue.add(
          [&, i](RunQueue::Turn& turn) {
            {
              const std::lock_guard lock(mutex);
              order.push_back(i);
            }
            begun.wait();
            const int others = running++;
            if (i == 3) {
              besides = others;
              threads = turn.threads();
            }
            --running;
          },
          i == 3);
    begun.count_down();
    queue.wait();
    QCOMPARE(besides.load(), 0);
    QCOMPARE(threads.load(), processorCount());
    // Earlier runs began before it, later ones after it.
    const auto at = [&](int id) { return std::ranges::find(order, id) - order.begin(); };
    for (int i = 0; i < 3; ++i) QVERIFY(at(i) < at(3));
    for (int i = 4; i < 8; ++i) QVERIFY(at(i) > at(3));
  }

  // Runs together never need more memory than there is: one without room waits and is not overtaken; one that can never
  // fit runs by itself.
  void withinTheMemory() {
    constexpr std::int64_t kBytes[] = {60, 50, 30, 20, 200, 40, 60, 40, 10};
    RunQueue queue(4, 100);
    std::mutex mutex;
    std::vector<int> order;
    std::int64_t now = 0, most = 0;
    bool overfull = false;
    std::latch begun(1);
    for (int i = 0; i < 9; ++i)
      queue.add(
          [&, i](RunQueue::Turn&) {
            {
              const std::lock_guard lock(mutex);
              order.push_back(i);
              overfull = overfull || (now > 0 && now + kBytes[i] > 100);
              now += kBytes[i];
              most = std::max(most, now);
            }
            begun.wait();
            for (int turns = 0; turns < 300; ++turns) std::this_thread::yield();  // lets others begin too early
            const std::lock_guard lock(mutex);
            now -= kBytes[i];
          },
          false, kBytes[i]);
    begun.count_down();
    queue.wait();
    QVERIFY(!overfull && now == 0);
    QCOMPARE(most, 200);
    QCOMPARE(order.size(), std::size_t{9});
    // Runs that had to wait for room began in their turn.
    const auto at = [&](int id) { return std::ranges::find(order, id) - order.begin(); };
    QVERIFY(at(0) < at(1) && at(4) == 4);
  }

  void oneAtATimeHasAllProcessors() {
    RunQueue queue(1);
    std::vector<int> order, threads;  // needs no lock: one run at a time
    for (int i = 0; i < 5; ++i)
      queue.add([&, i](RunQueue::Turn& turn) {
        threads.push_back(turn.threads());
        order.push_back(i);
      });
    queue.wait();
    QCOMPARE(order, (std::vector<int>{0, 1, 2, 3, 4}));
    QCOMPARE(threads, std::vector<int>(5, processorCount()));
  }

  void cancelled() {
    RunQueue queue(1);
    std::latch begun(1);
    const int runs = queue.add([&](RunQueue::Turn& turn) {
      begun.count_down();
      while (turn.goOn()) continue;
    });
    bool started = false;
    const int waits = queue.add([&](RunQueue::Turn&) { started = true; });
    const int after = queue.add([](RunQueue::Turn&) {});
    begun.wait();
    queue.cancel(waits);
    queue.cancel(runs);
    queue.wait();
    QVERIFY(queue.state(runs) == State::Cancelled && queue.state(waits) == State::Cancelled && !started);
    QVERIFY(queue.state(after) == State::Finished && queue.isIdle());
    queue.cancel(after);  // too late
    QVERIFY(queue.state(after) == State::Finished);
  }

  // A failure concerns only its own run.
  void failures() {
    RunQueue queue(2);
    const int user = queue.add([](RunQueue::Turn&) { throw UserError(say::verbatim, "no room"); });
    const int stopped = queue.add([](RunQueue::Turn&) { throw Stopped(); });
    const int broken = queue.add([](RunQueue::Turn&) { throw std::runtime_error("broken"); });
    const int fine = queue.add([](RunQueue::Turn&) {});
    queue.wait();
    QVERIFY(queue.state(user) == State::Failed && format(queue.failure(user)) == "no room");
    QVERIFY(queue.state(broken) == State::Failed && format(queue.failure(broken)).find("broken") != std::string::npos);
    QVERIFY(queue.state(stopped) == State::Cancelled && queue.state(fine) == State::Finished);
  }

  void pausedRunsRest() {
    RunQueue queue(2);
    std::atomic<int> steps = 0;
    queue.pause();
    const int id = queue.add([&](RunQueue::Turn& turn) {
      while (turn.goOn() && ++steps < 1000) continue;
    });
    QVERIFY(queue.state(id) == State::Waiting && !queue.isIdle());
    queue.resume();
    queue.wait();
    QCOMPARE(steps.load(), 1000);
    // A run cancelled while the queue is paused ends too.
    std::latch begun(1);
    const int held = queue.add([&](RunQueue::Turn& turn) {
      begun.count_down();
      while (turn.goOn()) continue;
    });
    begun.wait();
    queue.pause();
    queue.cancelAll();
    queue.wait();
    QVERIFY(queue.state(held) == State::Cancelled);
  }

  void goesWithItsRuns() {
    std::atomic<bool> ended = false, started = false;
    std::latch begun(1);
    {
      RunQueue queue(1);
      queue.add([&](RunQueue::Turn& turn) {
        begun.count_down();
        while (turn.goOn()) continue;
        ended = true;
      });
      queue.add([&](RunQueue::Turn&) { started = true; });
      begun.wait();
    }
    QVERIFY(ended && !started);
  }
};

QTEST_APPLESS_MAIN(TestRunQueue)
#include "tst_run_queue.moc"
