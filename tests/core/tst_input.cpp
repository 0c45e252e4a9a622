// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// The input pipeline: every example once per pass (once per host if nothing is sharded), sizes that follow the rules,
// and a position that is restored to the exact example.
#include <QTest>

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/data/input.h"

using namespace lab;

namespace {

using Indices = std::vector<std::int64_t>;
using Shards = std::vector<Indices>;

Indices upTo(std::int64_t count) {
  Indices all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(i);
  return all;
}

std::vector<Shards> distributeEpoch(Input& input) {
  std::vector<Shards> pass;
  for (std::int64_t step = 0; step < input.stepsPerEpoch(); ++step) pass.push_back(input.next().shards);
  return pass;
}

struct Setup {
  std::string name;
  std::int64_t examples;
  SplitSettings split;
};

// All policies, 1 to 17 replicas over every number of hosts that divides them, and batches from far too small to larger
// than the data.
std::vector<Setup> allSetups(const std::vector<std::int64_t>& exampleCounts) {
  struct Way {
    const char* name;
    SplitSource source;
    AutoShard autoShard;
  };
  const Way ways[] = {{"data", SplitSource::InMemory, AutoShard::Auto},
                      {"file", SplitSource::File, AutoShard::Auto},
                      {"off", SplitSource::InMemory, AutoShard::Off}};
  std::vector<Setup> setups;
  for (const Way& way : ways)
    for (const std::int64_t examples : exampleCounts)
      for (int replicas = 1; replicas <= 17; ++replicas)
        for (int hosts = 1; hosts <= replicas; ++hosts) {
          if (replicas % hosts != 0) continue;
          for (const std::int64_t batch : {1, 2, 3, 5, 8, 17, 40, 1000})
            for (const int extraFiles : {0, 3}) {
              if (extraFiles > 0 && way.source != SplitSource::File) continue;
              const SplitSettings split{batch, replicas, hosts, way.source, way.autoShard, hosts + extraFiles};
              setups.push_back({std::string(way.name) + " examples=" + std::to_string(examples) +
                                    " N=" + std::to_string(replicas) + " W=" + std::to_string(hosts) +
                                    " G=" + std::to_string(batch) + " files=" + std::to_string(split.files),
                                examples, split});
            }
        }
  return setups;
}

// What each host reads in file order, derived again from the rules.
std::vector<Indices> hostStreams(const Setup& setup) {
  std::vector<Indices> streams(static_cast<std::size_t>(setup.split.hosts));
  const ResolvedSplit resolved = resolveSplit(setup.split);
  for (auto& stream : streams)
    if (resolved.policy != AutoShard::File) stream = upTo(setup.examples);
  if (resolved.policy != AutoShard::File) return streams;
  std::int64_t next = 0;
  for (int file = 0; file < setup.split.files; ++file) {
    const std::int64_t size = setup.examples / setup.split.files + (file < setup.examples % setup.split.files ? 1 : 0);
    for (std::int64_t i = 0; i < size; ++i)
      streams[static_cast<std::size_t>(file % setup.split.hosts)].push_back(next++);
  }
  return streams;
}

// An epoch in file order by the rules of core/strategy/README.md, one replica at a time.
std::vector<Shards> expectedEpoch(const Setup& setup) {
  const auto hosts = static_cast<std::size_t>(setup.split.hosts);
  const auto replicas = static_cast<std::size_t>(setup.split.replicas), perHost = replicas / hosts;
  const bool legacy = resolveSplit(setup.split).rule == SplitRule::Legacy;
  const std::vector<Indices> streams = hostStreams(setup);
  std::vector<Shards> pass;
  if (legacy) {
    for (std::int64_t begin = 0; begin < setup.examples; begin += setup.split.globalBatch) {
      const std::int64_t delivered = std::min(setup.split.globalBatch, setup.examples - begin);
      const std::int64_t share = (delivered + setup.split.replicas - 1) / setup.split.replicas;
      Shards shards(replicas);
      for (std::int64_t i = 0; i < delivered; ++i) {
        const auto part = static_cast<std::size_t>(i / share);  // = r·W + w
        shards[part % hosts * perHost + part / hosts].push_back(begin + i);
      }
      pass.push_back(shards);
    }
    return pass;
  }
  std::vector<std::size_t> at(hosts, 0);
  const auto someLeft = [&] {
    for (std::size_t host = 0; host < hosts; ++host)
      if (at[host] < streams[host].size()) return true;
    return false;
  };
  for (std::size_t step = 0; someLeft(); ++step) {
    Shards shards(replicas);
    std::size_t distributed = 0;
    for (std::size_t host = 0; host < hosts; ++host)
      for (std::size_t r = 0; r < perHost; ++r) {
        const std::size_t place = (step * perHost + r + host * perHost) % replicas;
        const std::int64_t size = setup.split.globalBatch / setup.split.replicas +
                                  (std::int64_t(place) < setup.split.globalBatch % setup.split.replicas ? 1 : 0);
        for (std::int64_t i = 0; i < size && at[host] < streams[host].size(); ++i, ++distributed)
          shards[host * perHost + r].push_back(streams[host][at[host]++]);
      }
    if (distributed > 0) pass.push_back(shards);
  }
  return pass;
}

SplitSettings hostsAndFiles(std::int64_t batch, int replicas, int hosts, int files) {
  return {batch, replicas, hosts, SplitSource::File, AutoShard::Auto, files};
}

}  // namespace

class TestInput : public QObject {
  Q_OBJECT

 private slots:
  void inFileOrderEveryBatchIsAsTheRulesSay() {
    for (const Setup& setup : allSetups({1, 2, 10, 37, 64})) {
      Input input(setup.examples, setup.split, 0, 1);
      const std::vector<Shards> expected = expectedEpoch(setup);
      QVERIFY2(input.stepsPerEpoch() == std::int64_t(expected.size()), setup.name.c_str());
      for (int pass = 0; pass < 2; ++pass)
        for (const Shards& shards : expected) QVERIFY2(input.next().shards == shards, setup.name.c_str());
    }
  }

  void shuffledEveryExampleComesOncePerHostThatReadsIt() {
    for (const Setup& setup : allSetups({1, 10, 37, 193}))
      for (const std::int64_t buffer : {std::int64_t{7}, std::int64_t{1000}}) {
        Input input(setup.examples, setup.split, buffer, 1);
        Setup inOrder = setup;
        const std::vector<Shards> expected = expectedEpoch(inOrder);
        const int times = input.resolved().policy == AutoShard::Off ? setup.split.hosts : 1;
        for (int pass = 0; pass < 2; ++pass) {
          const std::vector<Shards> distributed = distributeEpoch(input);
          QVERIFY2(distributed.size() == expected.size(), setup.name.c_str());
          std::map<std::int64_t, int> count;
          std::int64_t total = 0;
          for (std::size_t step = 0; step < distributed.size(); ++step) {
            QCOMPARE(distributed[step].size(), static_cast<std::size_t>(setup.split.replicas));
            for (std::size_t replica = 0; replica < distributed[step].size(); ++replica) {
              // Shuffling changes which examples come, never how many.
              QVERIFY2(distributed[step][replica].size() == expected[step][replica].size(), setup.name.c_str());
              for (const std::int64_t index : distributed[step][replica]) ++count[index], ++total;
            }
          }
          QVERIFY2(std::int64_t(count.size()) == setup.examples, setup.name.c_str());
          for (const auto& [index, seen] : count)
            QVERIFY2(seen == times && index >= 0 && index < setup.examples, setup.name.c_str());
          QCOMPARE(total, input.examplesPerEpoch());
        }
      }
  }

  void hostsReadTheirOwnFiles() {
    // Files {0,1,2} {3,4} {5,6}; host 0 reads the first and the third.
    Input input(7, hostsAndFiles(2, 2, 2, 3), 0, 0);
    QVERIFY(distributeEpoch(input) == (std::vector<Shards>{{{0}, {3}}, {{1}, {4}}, {{2}, {}}, {{5}, {}}, {{6}, {}}}));
    // Lists 2,1 and 1,2: the totals fall below the global batch of 3 when host 0 is at its end.
    Input rotated(10, hostsAndFiles(3, 2, 2, 2), 0, 0);
    QVERIFY(distributeEpoch(rotated) == (std::vector<Shards>{{{0, 1}, {5}}, {{2}, {6, 7}}, {{3, 4}, {8}}, {{}, {9}}}));
    // Files beyond the number of examples are empty, however many there are.
    Input tiny(2, hostsAndFiles(2, 2, 2, 2'000'000'000), 0, 0);
    QVERIFY(distributeEpoch(tiny) == (std::vector<Shards>{{{0}, {1}}}));
  }

  void aRoundWithoutDataIsNoStep() {
    // Lists 1,0 and 0,1; files {0,1} {2} {3}. Round 3 would be host 1's, which is at its end, while host 0 has one
    // left.
    Input input(4, hostsAndFiles(1, 2, 2, 3), 0, 0);
    QVERIFY(distributeEpoch(input) == (std::vector<Shards>{{{0}, {}}, {{}, {2}}, {{1}, {}}, {{3}, {}}}));
  }

  void withoutShardingEveryHostReadsAll() {
    const SplitSettings split{2, 2, 2, SplitSource::InMemory, AutoShard::Off, 1};
    Input input(3, split, 0, 0);
    QVERIFY(distributeEpoch(input) == (std::vector<Shards>{{{0}, {0}}, {{1}, {1}}, {{2}, {2}}}));
    QCOMPARE(input.examplesPerEpoch(), std::int64_t{6});
    Input shuffledInput(100, split, 30, 9);  // the same order on all hosts
    for (const Shards& shards : distributeEpoch(shuffledInput)) QVERIFY(shards[0] == shards[1]);
  }

  void passesAreShuffledAnewAndASeedIsASeed() {
    const SplitSettings split{10, 1, 1, SplitSource::InMemory, AutoShard::Auto, 1};
    Input one(100, split, 50, 7), same(100, split, 50, 7), other(100, split, 50, 8);
    const auto first = distributeEpoch(one), second = distributeEpoch(one);
    QVERIFY(first != second);
    QVERIFY(distributeEpoch(same) == first);
    QVERIFY(distributeEpoch(same) == second);
    QVERIFY(distributeEpoch(other) != first);
  }

  void theOrderDoesNotDependOnTheReplicas() {
    Input one(1000, {60, 1, 1, SplitSource::InMemory, AutoShard::Auto, 1}, 100, 7);
    Input four(1000, {60, 4, 1, SplitSource::InMemory, AutoShard::Auto, 1}, 100, 7);
    Input file(1000, {60, 4, 1, SplitSource::File, AutoShard::Auto, 1}, 100, 7);
    for (std::int64_t step = 0; step < 2 * one.stepsPerEpoch(); ++step) {
      const Shards fourShards = four.next().shards, fileShards = file.next().shards;
      Indices fromFour, fromFile;
      for (const Indices& shard : fourShards) fromFour.insert(fromFour.end(), shard.begin(), shard.end());
      for (const Indices& shard : fileShards) fromFile.insert(fromFile.end(), shard.begin(), shard.end());
      const Indices all = one.next().shards[0];
      QVERIFY(fromFour == all && fromFile == all);
    }
  }

  void everyPositionCanBeReturnedTo_data() {
    QTest::addColumn<int>("source");
    QTest::addColumn<int>("autoShard");
    QTest::addColumn<int>("hosts");
    for (const int hosts : {1, 2, 3}) {
      const auto row = [&](const char* name, SplitSource source, AutoShard autoShard) {
        QTest::addRow("%s, %d host(s)", name, hosts) << int(source) << int(autoShard) << hosts;
      };
      row("data", SplitSource::InMemory, AutoShard::Auto);
      row("file", SplitSource::File, AutoShard::Auto);
      row("off", SplitSource::InMemory, AutoShard::Off);
    }
  }
  void everyPositionCanBeReturnedTo() {
    QFETCH(int, source);
    QFETCH(int, autoShard);
    QFETCH(int, hosts);
    for (const std::int64_t batch : {1, 5, 13})  // 1 leads to rounds without data
      for (const std::int64_t buffer : {0, 9, 1000}) {
        const SplitSettings split{batch, 6, hosts, SplitSource(source), AutoShard(autoShard), 4};
        Input original(31, split, buffer, 3);
        std::vector<InputPosition> positions;
        std::vector<Shards> distributes;
        for (std::int64_t step = 0; step < 3 * original.stepsPerEpoch() + 2; ++step) {
          positions.push_back(original.position());
          distributes.push_back(original.next().shards);
        }
        Input used(31, split, buffer, 3);  // gets moved forwards and backwards
        for (std::size_t at = 0; at < positions.size(); ++at) {
          const std::size_t mirrored = positions.size() - 1 - at;
          Input fresh(31, split, buffer, 3);
          fresh.seek(positions[at]);
          QCOMPARE(fresh.position().epoch, positions[at].epoch);
          QCOMPARE(fresh.position().stepInEpoch, positions[at].stepInEpoch);
          for (std::size_t next = at; next < std::min(distributes.size(), at + 8); ++next)
            QVERIFY(fresh.next().shards == distributes[next]);
          used.seek(positions[mirrored]);
          QVERIFY(used.next().shards == distributes[mirrored]);
        }
      }
  }

  void positionsCount() {
    Input input(10, {4, 2, 1, SplitSource::InMemory, AutoShard::Auto, 1}, 0, 0);
    QCOMPARE(input.stepsPerEpoch(), std::int64_t{3});
    const std::vector<std::pair<std::int64_t, std::int64_t>> expected{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {1, 1}};
    for (const auto& [pass, step] : expected) {
      QCOMPARE(input.position().epoch, pass);
      QCOMPARE(input.position().stepInEpoch, step);
      input.next();
    }
    QVERIFY_THROWS_EXCEPTION(UserError, input.seek({0, 4}));
    QVERIFY_THROWS_EXCEPTION(UserError, input.seek({-1, 0}));
    QVERIFY_THROWS_EXCEPTION(UserError, input.seek({0, -1}));
  }

  void badInputsAreUserErrors() {
    const SplitSettings split{4, 2, 1, SplitSource::InMemory, AutoShard::Auto, 1};
    QVERIFY_THROWS_EXCEPTION(UserError, Input(0, split, 0, 0));
    QVERIFY_THROWS_EXCEPTION(UserError, Input(10, split, -1, 0));
    QVERIFY_THROWS_EXCEPTION(UserError, WorkerInput(0, 4, 0, 0, 0));
    QVERIFY_THROWS_EXCEPTION(UserError, WorkerInput(10, 0, 0, 0, 0));
    QVERIFY_THROWS_EXCEPTION(UserError, WorkerInput(10, 4, 0, -1, 0));
  }

  void hugeSettingsCostNothing() {
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (const SplitSource source : {SplitSource::InMemory, SplitSource::File})
      for (const int hosts : {1, 4}) {
        Input input(10, {huge, 4, hosts, source, AutoShard::Auto, 4}, huge, 0);
        QCOMPARE(input.stepsPerEpoch(), std::int64_t{1});
        QCOMPARE(input.next().examples(), std::int64_t{10});
      }
    WorkerInput worker(10, huge, 0, huge, 0);
    QCOMPARE(worker.next().size(), std::size_t{10});
    // The pass that takes longest to count: single examples, over the largest possible number of hosts.
    Input slow(60000, {1, kMaxReplicas, kMaxReplicas, SplitSource::InMemory, AutoShard::Off, 1}, 0, 0);
    QCOMPARE(slow.stepsPerEpoch(), std::int64_t{60000} * kMaxReplicas);
  }

  void workerZeroReadsAsOneReplicaDoes() {
    Input input(101, {8, 1, 1, SplitSource::InMemory, AutoShard::Auto, 1}, 30, 5);
    WorkerInput worker(101, 8, 0, 30, 5);
    for (int step = 0; step < 40; ++step) {
      QCOMPARE(worker.position().epoch, input.position().epoch);
      QCOMPARE(worker.position().stepInEpoch, input.position().stepInEpoch);
      QVERIFY(worker.next() == input.next().shards[0]);
    }
  }

  void workersShuffleDifferentlyAndReadAll() {
    std::vector<Indices> orders;
    for (const int worker : {0, 1, 2}) {
      WorkerInput input(101, 8, worker, 30, 5);
      for (int pass = 0; pass < 2; ++pass) {
        Indices order;
        for (int step = 0; step < 13; ++step) {
          const Indices batch = input.next();
          QCOMPARE(batch.size(), std::size_t{step < 12 ? 8U : 5U});
          order.insert(order.end(), batch.begin(), batch.end());
        }
        orders.push_back(order);
        std::sort(order.begin(), order.end());
        QVERIFY(order == upTo(101));
      }
    }
    std::sort(orders.begin(), orders.end());
    QVERIFY(std::adjacent_find(orders.begin(), orders.end()) == orders.end());
  }

  void workerPositionsCanBeReturnedTo() {
    WorkerInput original(31, 5, 2, 9, 3);
    std::vector<InputPosition> positions;
    std::vector<Indices> batches;
    for (int step = 0; step < 20; ++step) {
      positions.push_back(original.position());
      batches.push_back(original.next());
    }
    for (std::size_t at = 0; at < positions.size(); ++at) {
      WorkerInput fresh(31, 5, 2, 9, 3);
      fresh.seek(positions[at]);
      for (std::size_t next = at; next < positions.size(); ++next) QVERIFY(fresh.next() == batches[next]);
    }
    QVERIFY_THROWS_EXCEPTION(UserError, original.seek({0, 8}));
    QVERIFY_THROWS_EXCEPTION(UserError, original.seek({-1, 0}));
  }
};

QTEST_GUILESS_MAIN(TestInput)
#include "tst_input.moc"
