// SPDX-License-Identifier: GPL-3.0-or-later
// The foundations: the random numbers are the same everywhere, a pool runs every piece once, and a file is either whole
// or absent.
#include <QByteArray>
#include <QMap>
#include <QScopeGuard>
#include <QString>
#include <QTemporaryDir>
#include <QTest>

#include <pthread.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <vector>

#include "core/base/control_group.h"
#include "core/base/elementary.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/base/rng.h"
#include "core/base/suggest.h"
#include "core/base/thread_pool.h"
#include "core/base/units.h"
#include "tests/support/bad_disk.h"

using namespace lab;

class TestBase : public QObject {
  Q_OBJECT

 private slots:
  // Tests compare a message's id and values; its wording is up to the code that displays the message.
  void messagesAreIdsAndValues() {
    static constexpr Text kTried{"tried", "%1 was tried %2 times with --batch-per-replica, 5 % of %3: %4"};
    const Message inner(say::fileIsFolder, std::filesystem::path("a/b"));
    const UserError error(UserError::Kind::Run, kTried, Option{"hosts"}, 1234, Count{1234}, inner);
    QCOMPARE(std::string(error.what()), std::string("--hosts was tried 1234 times with --batch-per-replica, 5 % of "
                                                    "1,234: 'a/b' is a folder, not a file. Name a file inside it."));
    QVERIFY(error.message().is(kTried) && !error.message().is(say::fileIsFolder) && error.exitCode() == 1);
    QCOMPARE(error.message().options(), std::vector<std::string>{"hosts"});
    QCOMPARE(error.message().file(), std::string("a/b"));
    struct Marked final : Wording {
      std::string words(const std::string& english) const override { return "<" + english + ">"; }
      std::string option(const std::string& name) const override { return "[" + name + "]"; }
      std::string count(std::int64_t) const override { return "many"; }
    };
    QCOMPARE(
        format(error.message(), Marked()),
        std::string("<[hosts] was tried 1234 times with [batch-per-replica], 5 % of many: <'a/b' is a folder, not a "
                    "file. Name a file inside it.>>"));
    QVERIFY(Message().empty() && format(Message()).empty() && Message().file().empty());
    QCOMPARE(format({say::verbatim, "100 %1 --x"}), std::string("100 %1 --x"));  // a value's own % stays
    QVERIFY(messageOf(std::runtime_error("odd")).is(say::verbatim));
    QVERIFY(messageOf(error).is(kTried));
  }

  // Compared with the C library's double results, rounded, which are right in all but one of some 10⁸ cases; and with
  // bits that must be the same with every compiler and on every machine.
  void expAndLogAreRight() {
    for (float x = -100; x < 89; x += 0.0137F) {
      const double exact = std::exp(static_cast<double>(x));
      QVERIFY(std::abs(exponential(static_cast<double>(x)) - exact) <= 1e-15 * exact);
      QCOMPARE(exponential(x), exact < 0x1p-126         ? 0.0F
                               : exact > 0x1.fffffep127 ? HUGE_VALF
                                                        : static_cast<float>(exact));
    }
    for (float x = 1e-30F; x < 1e30F; x *= 1.0137F) {
      const double exact = std::log(static_cast<double>(x));
      QVERIFY(std::abs(logarithm(static_cast<double>(x)) - exact) <= 2e-15 * std::abs(exact));
      QCOMPARE(logarithm(x), static_cast<float>(exact));
    }
    std::uint64_t bits = 0;
    for (int i = 1; i <= 1000; ++i)
      for (const double value : {exponential(-0.037 * i), logarithm(0.37 * i), integerPower(0.999, i)})
        bits = bits * 31 + std::bit_cast<std::uint64_t>(value);
    QCOMPARE(bits, std::uint64_t{4884143125019372005U});
  }
  void expAndLogAtTheirEnds() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    QCOMPARE(exponential(0.0), 1.0);
    QCOMPARE(exponential(-kInfinity), 0.0);
    QCOMPARE(exponential(kInfinity), kInfinity);
    QCOMPARE(logarithm(1.0), 0.0);
    QCOMPARE(logarithm(kInfinity), kInfinity);
    QCOMPARE(logarithm(0.0), -kInfinity);
    QVERIFY(std::isnan(exponential(nan)) && std::isnan(logarithm(nan)) && std::isnan(logarithm(-1.0)));
    QCOMPARE(exponential(-87.4F), 0.0F);  // the exact result is a denormal
    QCOMPARE(integerPower(0.5, 0), 1.0);
    QCOMPARE(integerPower(0.5, 13), 0x1p-13);
    QVERIFY(std::abs(integerPower(0.999, 12345) / std::pow(0.999, 12345) - 1) < 1e-12);
  }

  void rngIsTheSameOnEveryMachine() {
    Rng rng(1);
    // From an independent implementation of splitmix64 and xoshiro256** in Python.
    QCOMPARE(rng.next(), std::uint64_t{0xee127fe613436e33});
    QCOMPARE(rng.next(), std::uint64_t{0xd6dad8d34a1874ea});
    QCOMPARE(rng.next(), std::uint64_t{0x2a52c16cec1116a9});
  }

  void rngBelowIsInRangeAndReachesAll() {
    Rng rng(7);
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t value = rng.below(10);
      QVERIFY(value < 10);
      seen.insert(value);
    }
    QCOMPARE(seen.size(), std::size_t{10});
  }

  void streamsDiffer() {
    QVERIFY(Rng(1, 0).next() != Rng(1, 1).next());
    QVERIFY(Rng(1, 0).next() != Rng(2, 0).next());
  }

  void poolRunsEveryPieceOnce_data() {
    QTest::addColumn<int>("threads");
    for (const int threads : {1, 2, 3, 8}) QTest::addRow("%d threads", threads) << threads;
  }
  void poolRunsEveryPieceOnce() {
    QFETCH(int, threads);
    ThreadPool pool(threads);
    for (int region = 0; region < 200; ++region) {
      std::vector<std::atomic<int>> calls(97);
      pool.forEach(97, [&](std::int64_t i) { calls[static_cast<std::size_t>(i)].fetch_add(1); });
      for (const auto& count : calls) QCOMPARE(count.load(), 1);
    }
  }

  void poolNests_data() { poolRunsEveryPieceOnce_data(); }
  void poolNests() {
    QFETCH(int, threads);
    ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> calls(5 * 7 * 3);
      pool.forEach(5, [&](std::int64_t i) {
        pool.forEach(7, [&](std::int64_t j) {
          pool.forEach(3, [&](std::int64_t k) { calls[static_cast<std::size_t>((i * 7 + j) * 3 + k)].fetch_add(1); });
        });
      });
      for (const auto& count : calls) QCOMPARE(count.load(), 1);
    }
  }

  // Without the helping threads, the nested regions would never end.
  void poolThreadsWithNothingToDoHelpNestedRegions() {
    ThreadPool pool(2);
    std::atomic<bool> helped{false};
    QVERIFY(!pool.inTask());
    std::atomic<bool> known{true};
    pool.forEach(2, [&](std::int64_t i) {
      if (!pool.inTask()) known = false;
      const std::thread::id self = std::this_thread::get_id();
      while (i == 1 && !helped)
        pool.forEach(8, [&](std::int64_t) { helped = helped || std::this_thread::get_id() != self; });
    });
    QVERIFY(known && !pool.inTask());
  }

  // What a thread wrote in one region is in its caches in the next, so it begins with the same share.
  void poolThreadsBeginWithTheirOwnShare() {
    ThreadPool pool(2);
    if (pool.threads() < 2) QSKIP("this system allows no second thread");
    const std::thread::id caller = std::this_thread::get_id();
    for (int round = 0; round < 200; ++round) {
      std::atomic<std::int64_t> first[2] = {-1, -1};  // which index each thread took first
      pool.forEach(4, [&](std::int64_t i) {
        const int mine = std::this_thread::get_id() == caller ? 0 : 1;
        std::int64_t none = -1;
        first[mine].compare_exchange_strong(none, i);
        while (first[1 - mine] < 0) std::this_thread::yield();  // so that both take one
      });
      QCOMPARE(first[0].load(), 0);
      QCOMPARE(first[1].load(), 2);
    }
  }

  void poolRethrowsFromNestedRegions() {
    ThreadPool pool(3);
    for (int round = 0; round < 50; ++round) {
      std::atomic<int> calls{0}, caught{0};
      pool.forEach(4, [&](std::int64_t) {
        try {
          pool.forEach(9, [&](std::int64_t j) {
            if (j == 8) throw std::runtime_error("piece 8");
            calls.fetch_add(1);
          });
        } catch (const std::runtime_error&) {
          caught.fetch_add(1);
        }
      });
      QCOMPARE(calls.load(), 4 * 8);
      QCOMPARE(caught.load(), 4);
    }
  }

  void poolRethrowsAndLives() {
    ThreadPool pool(2);
    std::atomic<int> calls{0};
    QVERIFY_THROWS_EXCEPTION(std::runtime_error, pool.forEach(50, [&](std::int64_t i) {
      calls.fetch_add(1);
      if (i == 13) throw std::runtime_error("piece 13");
    }));
    QCOMPARE(calls.load(), 50);
    pool.forEach(10, [&](std::int64_t) { calls.fetch_add(1); });
    QCOMPARE(calls.load(), 60);
  }

  // A thread's stack that has no room anywhere is to the C library as if there were too many threads.
  void poolWorksWithTheThreadsThatItGets() {
    pthread_attr_t usual, greedy;
    QCOMPARE(pthread_getattr_default_np(&usual), 0);
    QCOMPARE(pthread_attr_init(&greedy), 0);
    QCOMPARE(pthread_attr_setstacksize(&greedy, std::size_t{1} << 60), 0);
    QCOMPARE(pthread_setattr_default_np(&greedy), 0);
    const auto restore = qScopeGuard([&] { pthread_setattr_default_np(&usual); });
    ThreadPool pool(4);
    QCOMPARE(pool.threads(), 1);
    std::atomic<int> calls{0};
    pool.forEach(50, [&](std::int64_t) { calls.fetch_add(1); });
    QCOMPARE(calls.load(), 50);
  }

  void nearestNameIsSuggested() {
    const std::vector<std::string> names{"mirrored", "tpu", "one-device", "multi-worker-mirrored"};
    QCOMPARE(nearestName("mirrord", names), std::string("mirrored"));
    QCOMPARE(nearestName("miror", names), std::string("mirrored"));
    QCOMPARE(nearestName("onedevice", names), std::string("one-device"));
    QCOMPARE(nearestName("xyzzyxyzzy", names), std::string());
    QVERIFY(format(unknownName({say::verbatim, "strategy"}, "tpo", names)).find("did you mean 'tpu'?") !=
            std::string::npos);
  }

  void quantitiesRead() {
    QCOMPARE(formatBytes(1388584), std::string("1.39 MB"));
    QCOMPARE(formatBytes(40), std::string("40 B"));
    QCOMPARE(formatDuration(999'999), std::string("1.00 ms"));
    QCOMPARE(formatCount(347146), std::string("347,146"));
    QCOMPARE(formatCount(-1000), std::string("-1,000"));
    QCOMPARE(formatCount(12), std::string("12"));
    QCOMPARE(formatPercent(0.931), std::string("93.1 %"));
    QCOMPARE(formatPercent(-0.0001), std::string("0.0 %"));
    QCOMPARE(formatPercent(0.9998), std::string("99.98 %"));
    QCOMPARE(formatPercent(0.99999), std::string("> 99.9 %"));
    QCOMPARE(formatPercent(0.00001), std::string("< 0.1 %"));
  }

  void filesAreWholeOrNotThere() {
    const QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "file";
    writeFileAtomically(path, "one");
    writeFileAtomically(path, "two");
    const auto content = readFile(path, 100);
    QCOMPARE(std::string(content.begin(), content.end()), std::string("two"));
    QCOMPARE(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
    QVERIFY_THROWS_EXCEPTION(UserError, readFile(path, 2));
    bool wasRead = false;
    QVERIFY_THROWS_EXCEPTION(UserError, readFile(path, 2, [&](auto) { wasRead = true; }));
    std::filesystem::resize_file(path, std::uintmax_t{1} << 32);  // a sparse file, which takes no space on the disk
    QVERIFY_THROWS_EXCEPTION(UserError, readFile(path, std::int64_t{1} << 20, [&](auto) { wasRead = true; }));
    QVERIFY(!wasRead);
    std::filesystem::resize_file(path, 3);
    QVERIFY_THROWS_EXCEPTION(UserError, readFile(path.parent_path(), 100));
    QVERIFY_THROWS_EXCEPTION(UserError, writeFileAtomically(path / "below-a-file", "x"));
    {
      PartFile part(path);
      part.write("three");
    }
    const auto kept = readFile(path, 100);
    QCOMPARE(std::string(kept.begin(), kept.end()), std::string("two"));
    PartFile part(path);
    part.write("four");
    part.finish();
    const auto replaced = readFile(path, 100);
    QCOMPARE(std::string(replaced.begin(), replaced.end()), std::string("four"));
  }

  // As when two windows train the same sweep into one folder: the last one to finish wins as a whole.
  void twoWritersOfOneFileDoNotMixTheirParts() {
    const QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "file";
    PartFile one(path), other(path);
    one.write("one, ");
    one.flush();
    other.write("the other's longer text");
    other.flush();
    one.write("and the rest of it");
    one.finish();
    const auto first = readFile(path, 100);
    QCOMPARE(std::string(first.begin(), first.end()), std::string("one, and the rest of it"));
    other.finish();
    const auto last = readFile(path, 100);
    QCOMPARE(std::string(last.begin(), last.end()), std::string("the other's longer text"));
    QCOMPARE(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
    // The usual name is used again once nobody writes there.
    const PartFile part(path);
    QVERIFY(std::filesystem::exists(path.string() + ".part"));
  }

  void whatCannotBeWrittenIsKnownBefore() {
    const QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "file";
    checkWritable(path);
    QVERIFY(std::filesystem::is_empty(path.parent_path()));  // the failed write left nothing behind
    writeFileAtomically(path, "kept");
    checkWritable(path);
    const auto content = readFile(path, 100);
    QCOMPARE(std::string(content.begin(), content.end()), std::string("kept"));
    QVERIFY_THROWS_EXCEPTION(UserError, checkWritable(path.parent_path()));
    QVERIFY_THROWS_EXCEPTION(UserError, checkWritable(path.parent_path() / "no" / "file"));
    QVERIFY_THROWS_EXCEPTION(UserError, checkWritable(path / "below-a-file"));
  }

  // As a kernel shows them in /proc and /sys.
  void limitsOfContainersAreRead_data() {
    using Files = QMap<QString, QByteArray>;
    QTest::addColumn<Files>("files");
    QTest::addColumn<qint64>("memory");
    QTest::addColumn<int>("processors");
    const auto row = [](const char* name, const char* groups, Files files, qint64 memory, int processors) {
      files["proc/self/cgroup"] = groups;
      QTest::newRow(name) << files << memory << processors;
    };
    const QString two = "sys/fs/cgroup/", memory = "sys/fs/cgroup/memory/", cpu = "sys/fs/cgroup/cpu/";
    QTest::newRow("no groups") << Files{} << qint64{0} << 0;
    row("damaged", "0:\nx\n\n", {{two + "memory.max", "1"}}, 0, 0);
    row("its own top", "0::/\n", {{two + "memory.max", "536870912\n"}, {two + "cpu.max", "50000 100000\n"}}, 536870912,
        1);
    row("rounded up", "0::/\n", {{two + "cpu.max", "250000 100000\n"}}, 0, 3);
    row("no limit", "0::/\n", {{two + "memory.max", "max\n"}, {two + "cpu.max", "max 100000\n"}}, 0, 0);
    row("the smallest on the way up", "0::/slice/user/app\n",
        {{two + "slice/user/app/memory.max", "max\n"},
         {two + "slice/user/memory.max", "3000\n"},
         {two + "slice/memory.max", "2000\n"},
         {two + "slice/other/memory.max", "1000\n"},
         {two + "slice/cpu.max", "400000 100000\n"}},
        2000, 4);
    row("version 1", "4:memory:/job\n2:cpu,cpuacct:/job\n1:name=systemd:/job\n",
        {{memory + "job/memory.limit_in_bytes", "1000\n"},
         {memory + "memory.limit_in_bytes", "9223372036854771712\n"},
         {cpu + "job/cpu.cfs_quota_us", "150000\n"},
         {cpu + "job/cpu.cfs_period_us", "100000\n"},
         {cpu + "cpu.cfs_quota_us", "-1\n"},
         {cpu + "cpu.cfs_period_us", "100000\n"}},
        1000, 2);
    row("version 1, the host's names", "4:memory:/docker/1f\n", {{memory + "memory.limit_in_bytes", "1000\n"}}, 1000,
        0);
  }
  void limitsOfContainersAreRead() {
    using Files = QMap<QString, QByteArray>;
    QFETCH(Files, files);
    const QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    for (const auto& [name, content] : files.toStdMap()) {
      const std::filesystem::path file = root / name.toStdString();
      std::filesystem::create_directories(file.parent_path());
      std::ofstream(file) << content.toStdString();
    }
    const GroupLimits limits = groupLimits(root);
    QTEST(qint64{limits.memoryBytes}, "memory");
    QTEST(limits.processors, "processors");
  }

  // A fuzzer found the fraction: cut off to 64 bits it is whatever the processor makes of it.
  void integersOfJsonAreWholeAndFit() {
    using nlohmann::json;
    QCOMPARE(integerOf<int>(json(-7)), -7);
    QCOMPARE(integerOf<std::uint64_t>(json(UINT64_MAX)), UINT64_MAX);
    QCOMPARE(integerOf<std::int64_t>(json(INT64_MIN)), INT64_MIN);
    for (const char* text :
         {"6.41e40", "0.5", "2.0", "2147483648", "-2147483649", "18446744073709551616", "true", "\"1\"", "null"})
      QVERIFY_THROWS_EXCEPTION(json::type_error, integerOf<int>(json::parse(text)));
    QCOMPARE(integerWithin(json(7), 7, 7), std::optional<std::int64_t>(7));
    for (const json& outside : {json(6), json(8), json(7.0), json(UINT64_MAX), json("7"), json(true), json()})
      QVERIFY(!integerWithin(outside, 7, 7));
    QVERIFY(!integerWithin(json(UINT64_MAX), -1, 7));  // its bits are those of -1
    QVERIFY_THROWS_EXCEPTION(json::type_error, integerOf<std::uint64_t>(json(-1)));
    QVERIFY_THROWS_EXCEPTION(json::type_error, integerOf<std::int64_t>(json(UINT64_MAX)));
  }

  void aJournalHasWholeLines() {
    test::BadDisk disk(test::BadDisk::Kind::SizeLimit);
    const std::filesystem::path path = disk.path("journal").toStdString(), other = disk.path("other").toStdString();
    const std::string line = "a line of 18 bytes\n";
    QVERIFY(appendToFile(path, line));
    QVERIFY(disk.breakIt());
    const bool more = appendToFile(path, line), begun = appendToFile(other, line + line);  // the writing of both begins
    disk.mendIt();
    QVERIFY(!more && !begun && !std::filesystem::exists(other));
    const auto content = readFile(path, 100);
    QCOMPARE(std::string(content.begin(), content.end()), line);
    QVERIFY(appendToFile(path, line));
    QCOMPARE(std::filesystem::file_size(path), 2 * line.size());
  }

  void aFullDiskIsAUserError() {
    if (!std::filesystem::exists("/dev/full")) QSKIP("this system has no /dev/full");
    QVERIFY_THROWS_EXCEPTION(UserError, writeFileAtomically("/dev/full", "x"));
    PartFile file("/dev/full");
    QVERIFY_THROWS_EXCEPTION(UserError, (file.write("x"), file.finish()));
    QVERIFY(!std::filesystem::is_regular_file("/dev/full"));
  }
};

QTEST_GUILESS_MAIN(TestBase)
#include "tst_base.moc"
