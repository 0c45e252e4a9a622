// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized cost=10
// A class without sockets: real workers and servers that speak frames, in an order that the test chooses. One worker is
// OneDevice to the bit, synchronous ones are Mirrored; whatever happened is trained again to the bit; a worker
// that sends nonsense is sent away, and the others train on.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <bit>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/base/platform.h"
#include "core/base/rng.h"
#include "core/classruns/class_info.h"
#include "core/classruns/class_record.h"
#include "core/classruns/class_replay.h"
#include "core/files/gzip_lines.h"
#include "core/files/run_file.h"
#include "core/keras/keras_json.h"
#include "core/model/network_text.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/protocol/class_settings.h"
#include "core/protocol/class_worker.h"
#include "core/protocol/frames.h"
#include "core/protocol/messages.h"
#include "core/replay/layer_outputs.h"
#include "core/serving/class_journal.h"
#include "core/strategy/strategy.h"
#include "tests/support/class_room.h"
#include "tests/support/normed_network.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::serving;
using namespace lab::test;
using Room = ClassRoom;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
const Token kToken = kClassToken;
const Settings kServed{{"strategy", "parameter-server"}, {"batch-per-replica", "24"}, {"eval-every", "0"}};

std::vector<float> weightsOf(ClassTraining& training, std::size_t count) {
  const std::vector<float>& all = *training.variables().snapshot();
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
}

// To bfloat16, of all of them.
bool isRoundingOf(const std::vector<float>& values, const Snapshot& of) {
  return !values.empty() &&
         std::ranges::equal(values, std::span(*of).first(values.size()), [](float rounded, float value) {
           return (std::bit_cast<std::uint32_t>(rounded) & 0xffffU) == 0 &&
                  std::abs(rounded - value) <= std::abs(value) / 256;
         });
}

// Workers come, go, fall silent and return in a random order, until the run is over.
void happen(Room& room, Rng& rng) {
  for (int event = 0; room.ended == 0 && event < 5000; ++event) {
    room.ns += kSecond;
    room.session.tick(room.ns);
    const auto what = rng.below(12);
    std::vector<int> all;
    for (const auto& [connection, worker] : room.workers) all.push_back(connection);
    if (all.size() < 3 || (what == 0 && all.size() < 6)) {
      room.join();
      continue;
    }
    const int one = all[rng.below(all.size())];
    if (what == 1) room.leave(one);
    if (what == 2) room.mute.insert(one);
    if (what == 3) room.mute.clear();
    if (what > 3 && !room.mute.contains(one)) room.compute(one);
    for (const int connection : all)
      if (!room.mute.contains(connection)) room.session.heard(connection, room.ns);
    room.pump();
  }
}

}  // namespace

class TestServingSession : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(230, 50);
  QTemporaryDir folder_;

 private slots:
  void oneWorkerEqualsOneDevice_data() {
    QTest::addColumn<QString>("network");
    QTest::addColumn<QString>("servers");
    QTest::newRow("course") << "course"
                            << "1";
    QTest::newRow("course on three servers") << "course"
                                             << "3";
    QTest::newRow("mlp") << "mlp"
                         << "2";
  }
  void oneWorkerEqualsOneDevice() {
    QFETCH(QString, network);
    QFETCH(QString, servers);
    // Beyond the end of an epoch, whose last batch is short.
    Room room(with(kServed,
                   {{"network", network.toStdString()}, {"parameter-servers", servers.toStdString()}, {"steps", "23"}}),
              digits_);
    const int worker = room.join();
    while (room.compute(worker)) {
    }
    QCOMPARE(room.ended, 1);
    QVERIFY(room.workers.at(worker)->isOver());
    const Outcome one = train(configOf({{"strategy", "one-device"},
                                        {"network", network.toStdString()},
                                        {"global-batch", "24"},
                                        {"eval-every", "0"},
                                        {"steps", "23"}}),
                              digits_);
    QVERIFY(sameBits(weightsOf(room.training, one.weights.size()), one.weights));
    QCOMPARE(room.metrics.size(), one.steps.size());
    for (std::size_t i = 0; i < one.steps.size(); ++i) {
      QCOMPARE(room.metrics[i].loss, one.steps[i].loss);
      QCOMPARE(room.metrics[i].accuracy, one.steps[i].accuracy);
      QCOMPARE(room.metrics[i].examples, one.steps[i].examples);
      QCOMPARE(room.metrics[i].epoch, one.steps[i].epoch);
      QCOMPARE(*room.metrics[i].staleness, 0);
    }
  }

  // Workers' cycles overlap: the rate is of all of them, by the time since the first closure was given.
  void theRateIsOfAllWorkers() {
    Room room(with(kServed, {{"network", "mlp"}, {"steps", "8"}}), digits_, 2);
    const std::vector<int> all{room.join(), room.join()};
    while (room.ended == 0)
      for (const int each : all) {
        room.ns += kSecond;
        room.compute(each);
      }
    std::int64_t images = 0, ns = 0;
    for (const StepMetric& metric : room.metrics) {
      images += metric.examples;
      ns += metric.wallNs;
      QCOMPARE(metric.imagesPerSecond, static_cast<double>(images) * 1e9 / static_cast<double>(ns));
    }
    QCOMPARE(ns, 8 * kSecond);
    QCOMPARE(room.metrics.back().stepNs, 2 * kSecond);
  }

  // The same bits as in the simulation, in which weights and gradients take half the bytes.
  void aBfloat16WireIsTheSimulatedOne() {
    const Settings settings = with(kServed, {{"replicas", "1"}, {"wire", "bfloat16"}, {"steps", "23"}});
    Room room(settings, digits_);
    const int worker = room.join();
    while (room.compute(worker)) {
    }
    const Outcome simulated = train(configOf(settings), digits_);
    QVERIFY(sameBits(weightsOf(room.training, simulated.weights.size()), simulated.weights));
    QCOMPARE(room.metrics.size(), simulated.steps.size());
    for (std::size_t i = 0; i < simulated.steps.size(); ++i) {
      QCOMPARE(room.metrics[i].loss, simulated.steps[i].loss);
      QCOMPARE(room.metrics[i].bytesSent, simulated.steps[i].bytesSent);
    }
    QCOMPARE(room.metrics.front().bytesSent, 4 * 347146);
  }

  // Moving statistics are sent in full, and so is what is checked.
  void aBfloat16WireCarriesStatisticsWhole() {
    ClassLimits limits;
    limits.checkShare = 1;
    Room room(with(kServed, {{"network", normedNetworkFile(folder_.path(), false).toStdString()},
                             {"wire", "bfloat16"},
                             {"steps", "9"}}),
              digits_, 2, limits);
    const std::vector<int> all{room.join(), room.join()};
    while (room.ended == 0)
      for (const int each : all) room.compute(each);
    const auto isShort = [](float value) { return (std::bit_cast<std::uint32_t>(value) & 0xffffU) == 0; };
    const std::vector<float>& now = *room.training.variables().snapshot();
    QVERIFY(!std::ranges::all_of(std::span(now).subspan(room.training.shape().weights), isShort));
    QVERIFY(!room.suspects.empty());
    SpotChecker checker;
    for (const auto& suspect : room.suspects) {
      const auto weights = room.training.shape().weights;
      QVERIFY(std::ranges::all_of(std::span(suspect->job.variables).first(weights), isShort));
      QVERIFY(std::ranges::all_of(std::span(suspect->pushed.gradients).first(weights), isShort));
      QVERIFY(checker.isHonest(*suspect, room.training.networkDescription()));
      Suspect other = *suspect;
      other.path = processorPath();
      QVERIFY(checker.isHonest(other, room.training.networkDescription()));
      other.pushed.gradients.front() += 1;
      QVERIFY(!checker.isHonest(other, room.training.networkDescription()));
    }
    QVERIFY(sameBits(now, replayClass(room.config, digits_, room.training.order()).variables));
  }

  void equalWorkersAreStaleByTheOthers() {
    for (const int count : {2, 4, 7}) {
      Room room(with(kServed, {{"steps", std::to_string(8 * count)}}), digits_, count);
      std::vector<int> all;
      for (int w = 0; w < count; ++w) all.push_back(room.join());
      while (room.ended == 0)
        for (const int worker : all) room.compute(worker);
      for (std::size_t i = static_cast<std::size_t>(count); i < room.metrics.size(); ++i)
        QCOMPARE(*room.metrics[i].staleness, count - 1);
    }
  }

  void inStepItIsMirrored_data() {
    QTest::addColumn<int>("count");
    for (const int count : {1, 2, 3}) QTest::addRow("%d", count) << count;
  }
  void inStepItIsMirrored() {
    QFETCH(int, count);
    Settings settings{{"strategy", "mirrored"},    {"replicas", std::to_string(count)},
                      {"batch-per-replica", "20"}, {"reducer", "one-device"},
                      {"eval-every", "0"},         {"steps", "9"}};
    if (count == 1) settings.erase(settings.begin() + 3);
    Room room(settings, digits_, count);
    std::vector<int> all;
    for (int w = 0; w < count; ++w) all.push_back(room.join());
    while (room.ended == 0)
      for (auto at = all.rbegin(); at != all.rend(); ++at) room.compute(*at);  // in another order
    const Outcome mirrored = train(configOf(settings), digits_);
    QVERIFY(sameBits(weightsOf(room.training, mirrored.weights.size()), mirrored.weights));
    for (std::size_t i = 0; i < mirrored.steps.size(); ++i) {
      QVERIFY(std::abs(room.metrics[i].loss - mirrored.steps[i].loss) < 1e-12);
      QCOMPARE(room.metrics[i].shards, mirrored.steps[i].shards);
    }
  }

  void whateverHappenedIsTrainedAgain_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QString>("wire");
    for (const char* strategy : {"parameter-server", "mirrored", "backup-workers"})
      QTest::newRow(strategy) << strategy << "float32";
    QTest::newRow("parameter-server, bfloat16") << "parameter-server"
                                                << "bfloat16";
  }
  void whateverHappenedIsTrainedAgain() {
    QFETCH(QString, strategy);
    QFETCH(QString, wire);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      Rng rng(seed);
      Room room({{"strategy", strategy.toStdString()},
                 {"replicas", "3"},
                 {"wire", wire.toStdString()},
                 {"batch-per-replica", "8"},
                 {"eval-every", "0"},
                 {"steps", "40"}},
                digits_);
      happen(room, rng);
      QCOMPARE(room.training.updates(), 40);
      QVERIFY(!room.lost.empty());
      ClassOrder order = room.training.order();
      const ReplayedClass again = replayClass(room.config, digits_, order);
      QVERIFY(sameBits(*room.training.variables().snapshot(), again.variables));
      for (std::size_t i = 0; i < again.losses.size(); ++i) QCOMPARE(again.losses[i], room.metrics[i].loss);
      std::set<std::uint64_t> done;
      for (const auto& parts : order.updates)
        for (const auto& part : parts) QVERIFY(done.insert(part.closure).second);
      QCOMPARE(*done.rbegin(), done.size());
      // A lesson that is ended in its middle: workers have closures then that are in no update.
      for (const std::size_t end : {1, 2, 3, 11, 24}) {
        ClassOrder begun;
        begun.updates.assign(order.updates.begin(), order.updates.begin() + static_cast<std::ptrdiff_t>(end));
        const std::vector<double> losses = replayClass(room.config, digits_, begun).losses;
        QVERIFY(std::ranges::equal(losses, std::span(again.losses).first(end)));
      }
      std::ranges::find_if(order.updates[5], &ClassOrder::Part::used)->version = 39;
      QVERIFY_THROWS_EXCEPTION(UserError, replayClass(room.config, digits_, order));
    }
  }

  void eachRecordIsWhatHappened_data() { whateverHappenedIsTrainedAgain_data(); }
  // Records are computed from occasional states, and in any order of the steps.
  void eachRecordIsWhatHappened() {
    QFETCH(QString, strategy);
    QFETCH(QString, wire);
    Rng rng(5);
    Room room({{"strategy", strategy.toStdString()},
               {"replicas", "3"},
               {"wire", wire.toStdString()},
               {"batch-per-replica", "8"},
               {"eval-every", "0"},
               {"steps", "40"}},
              digits_);
    const auto history = std::make_shared<ClassHistory>();
    std::vector<Snapshot> versions{room.training.variables().snapshot()};
    room.tell(*history);
    room.updated = [&](const StepMetric& metric, const std::vector<ClassOrder::Part>& parts, const ClassTimes& times) {
      history->add({metric, parts, times});
      versions.push_back(room.training.variables().snapshot());
      if (metric.step % 7 != 0) return;
      const Checkpoint state = toCheckpoint(room.session.state());
      history->keep(std::make_shared<const Checkpoint>(parseCheckpoint(serializeCheckpoint(state), "a state")));
    };
    happen(room, rng);
    QCOMPARE(history->updates(), 40);
    std::vector<ClassMember> members(6);
    for (const ClassWorkerFacts& each : room.joined) members[static_cast<std::size_t>(each.worker)].name = each.name;
    const auto info = classInfo(room.config, digits_, members);
    history->describe(info);
    ClassRecords records(room.config, digits_, history, 1);
    std::vector<std::int64_t> steps(40);
    std::iota(steps.begin(), steps.end(), 1);
    for (std::size_t i = steps.size() - 1; i > 0; --i) std::swap(steps[i], steps[rng.below(i + 1)]);
    steps.insert(steps.end(), {21, 22, 23, 40});
    int others = 0, late = 0;
    std::array<int, 3> absent{};
    for (const std::int64_t step : steps) {
      const std::int64_t before = records.replayed();
      const auto record = records.record(step, [] { return true; });
      QVERIFY(records.replayed() - before <= 7);
      const auto is = [&](const std::vector<float>& values, std::int64_t version) {
        const std::vector<float>& all = *versions[static_cast<std::size_t>(version)];
        return std::ranges::equal(values, std::span(all).first(values.size()));
      };
      QVERIFY(is(record->weightsBefore, step - 1) && is(record->weightsAfter, step));
      const StepMetric& metric = room.metrics[static_cast<std::size_t>(step - 1)];
      QCOMPARE(record->metric.loss, metric.loss);
      QVERIFY(record->beginNs <= record->endNs);
      for (const Span& span : record->spans) QVERIFY(isValid(span, info->legend));
      std::int64_t examples = 0;
      for (std::size_t w = 0; w < record->replicas.size(); ++w) {
        const ReplicaStep& replica = record->replicas[w];
        const bool pushed = metric.worker ? static_cast<int>(w) == *metric.worker : !replica.losses.empty();
        if (pushed) examples += std::ssize(replica.shard);
        if (!replica.shard.empty() && !pushed) ++(metric.worker ? others : late);
        if (!metric.worker && !pushed && !replica.shard.empty())
          QVERIFY(record->metric.leavesOut(static_cast<int>(w)) && replica.gradients.empty());
        if (metric.worker && pushed) QVERIFY(sameBits(record->gradients, replica.gradients));
        if (wire == "bfloat16" && !replica.shard.empty())
          QVERIFY(isRoundingOf(replica.ownWeights, versions[static_cast<std::size_t>(replica.version)]));
        else if (!replica.ownWeights.empty())
          QVERIFY(is(replica.ownWeights, replica.version));
      }
      QCOMPARE(examples, metric.examples);
      for (const Absence& each : record->absent) {
        QVERIFY(record->replicas[static_cast<std::size_t>(each.replica)].shard.empty());
        ++absent[static_cast<std::size_t>(each.why)];
      }
    }
    QCOMPARE(absent[0] > 0, strategy != "parameter-server");
    QVERIFY(absent[1] > 0 && absent[2] > 0);
    QCOMPARE(others > 0, strategy == "parameter-server");
    QCOMPARE(late > 0, strategy == "backup-workers");
  }

  void whatIsNewestShowsWhoComputes() {
    Room room(with(kServed, {{"steps", "20"}, {"network", "mlp"}}), digits_, 3);
    const auto history = std::make_shared<ClassHistory>();
    history->describe(classInfo(room.config, digits_, std::vector<ClassMember>(3)));
    room.updated = [&](const auto& metric, const auto& parts, const auto& times) {
      history->add({metric, parts, times});
    };
    const std::vector<int> all{room.join(), room.join(), room.join()};
    for (const int each : {0, 1, 2, 0, 1}) QVERIFY(room.compute(all[static_cast<std::size_t>(each)]));
    for (int twice = 0; twice < 2; ++twice)
      history->keep(std::make_shared<const Checkpoint>(toCheckpoint(room.session.state())));
    QVERIFY(room.compute(all[2]));
    ClassRecords records(room.config, digits_, history, 1);
    const auto record = records.record(6, [] { return true; });
    QCOMPARE(records.replayed(), 1);
    QCOMPARE(record->metric.worker, std::optional(2));
    for (int w = 0; w < 3; ++w) QCOMPARE(record->replicas[static_cast<std::size_t>(w)].shard.size(), std::size_t{24});
    QCOMPARE(record->replicas[0].version, 4);
    QCOMPARE(record->replicas[1].version, 5);
  }

  // An asynchronous worker's dropout goes by the number of its batch, not by the version of its weights.
  void aRecordSaysWhatDropoutDropped() {
    const std::string network = normedNetworkFile(folder_.path(), false).toStdString();
    Room room(with(kServed, {{"steps", "20"}, {"network", network}}), digits_, 3);
    const auto history = std::make_shared<ClassHistory>();
    const auto info = classInfo(room.config, digits_, std::vector<ClassMember>(3));
    history->describe(info);
    room.tell(*history);
    const std::vector<int> all{room.join(), room.join(), room.join()};
    for (const int each : {0, 1, 2, 0, 1, 2, 0, 1}) QVERIFY(room.compute(all[static_cast<std::size_t>(each)]));
    ClassRecords records(room.config, digits_, history, 1);
    const auto record = records.record(6, [] { return true; });
    const std::vector<float> moving(static_cast<std::size_t>(info->network->statistics().size()));
    const auto classes = static_cast<std::size_t>(info->network->classes());
    for (int w = 0; w < 3; ++w) {
      const ReplicaStep& replica = record->replicas[static_cast<std::size_t>(w)];
      QCOMPARE(std::ssize(replica.shard), std::ptrdiff_t{24});
      const BatchPlace at = placeOf(*info, *record, w);
      QVERIFY(at.step != replica.version);
      Examples images{.count = std::ssize(replica.shard), .shape = digits_->train.shape};
      for (const std::int64_t example : replica.shard) {
        const std::uint8_t* pixels = digits_->train.image(example);
        images.pixels.insert(images.pixels.end(), pixels, pixels + digits_->train.imageSize());
        images.labels.push_back(digits_->train.labels[static_cast<std::size_t>(example)]);
      }
      const std::vector<float>& weights = replica.ownWeights.empty() ? record->weightsBefore : replica.ownWeights;
      const std::vector<float> outputs = layerOutputs(images, weights, moving, at, room.config).back();
      for (std::size_t i = 0; i < replica.losses.size(); ++i) {
        double sum = 0;
        for (std::size_t c = 0; c < classes; ++c) sum += std::exp(static_cast<double>(outputs[i * classes + c]));
        const double loss = std::log(sum) - static_cast<double>(outputs[i * classes + images.labels[i]]);
        QVERIFY(std::abs(loss - static_cast<double>(replica.losses[i])) <= 1e-4 * (1 + loss));
      }
    }
  }

  // As when a second class is started, or resumed, with the checkpoint folder of one that still trains.
  void aClassKeepsItsJournalToItself() {
    const QTemporaryDir folder;
    const std::filesystem::path place = folder.path().toStdString();
    const std::string update = R"({"event":"step"})";
    std::vector<std::string> told;
    const auto tell = [&told](const std::string& line) { told.push_back(line); };
    {
      ClassJournal journal(place);
      journal.add(update);
      journal.flush();
      QVERIFY_THROWS_EXCEPTION(UserError, (void)ClassJournal(place));
      QVERIFY_THROWS_EXCEPTION(UserError, (void)ClassJournal(place, 0, tell));
      journal.add(update);
      journal.flush();
    }
    {
      const ClassJournal resumed(place, 2, tell);
      QCOMPARE(told, (std::vector<std::string>{update, update}));
    }
    { const ClassJournal anew(place); }
    QVERIFY_THROWS_EXCEPTION(UserError, (void)ClassJournal(place, 1, tell));  // it is empty
  }

  // Whoever resumes the class is told that the journal is at fault, not the program that cannot read its line.
  void aDamagedJournalIsRefused() {
    const QTemporaryDir folder;
    const std::filesystem::path place = folder.path().toStdString();
    {
      ClassJournal journal(place);
      journal.add(R"({"joined":{"worker":)");
      journal.add(R"({"event":"step"})");
      journal.flush();
    }
    const auto tell = [](const std::string&) {};
    QVERIFY_THROWS_EXCEPTION(UserError, (void)ClassJournal(place, 1, tell));
  }

  // An evaluation takes longer than updates do, so its line may come behind theirs.
  void aClassThatGoesOnHasItsEvaluations() {
    const QTemporaryDir folder;
    const std::filesystem::path place = folder.path().toStdString();
    const auto update = [](int step) { return R"({"event":"step","step":)" + std::to_string(step) + "}"; };
    const auto evaluation = [](int step) { return R"({"event":"eval","step":)" + std::to_string(step) + "}"; };
    {
      ClassJournal journal(place);
      for (const std::string& line : {update(1), update(2), evaluation(1), update(3), evaluation(2), evaluation(3),
                                      std::string("\"event\":\"eval\"")})
        journal.add(line);
      journal.flush();
    }
    const std::vector<std::string> kept{update(1), update(2), evaluation(1), evaluation(2)};
    for (int i = 0; i < 2; ++i) {  // the second time, behind those of update 2
      std::vector<std::string> told;
      const ClassJournal resumed(place, 2, [&told](const std::string& line) { told.push_back(line); });
      QCOMPARE(told, kept);
    }
    QCOMPARE(evaluatedStep(evaluation(7)), std::optional<std::int64_t>(7));
    QVERIFY(!evaluatedStep(update(7)));
  }

  // A recording that is shown twice is trained again on two threads, and both keep the states that they come by.
  void twoThreadsMayKeepTheSameStates() {
    constexpr std::int64_t kStates = 300;
    std::vector<std::shared_ptr<const Checkpoint>> states;
    for (std::int64_t step = 0; step < kStates; ++step) {
      const auto state = std::make_shared<Checkpoint>();
      state->state = {{"step", step}};
      state->tensors.tensors["weights"] = {{1000}, std::vector<float>(1000)};
      states.push_back(state);
    }
    ClassHistory history;
    std::barrier together(2);
    std::atomic<int> refused = 0;
    {
      const auto keepAll = [&] {
        for (const auto& state : states) {
          together.arrive_and_wait();
          try {
            history.keep(state);
          } catch (const std::exception&) {
            ++refused;
          }
        }
      };
      const std::jthread one(keepAll), other(keepAll);
    }
    QCOMPARE(refused.load(), 0);
    QCOMPARE(history.states().states(), kStates);
  }

  // A worker gets a closure and a version only when there is a turn for its variables, and then the newest.
  void aClosureWaitsForTheLink() {
    using WaitsFor = ClassMember::WaitsFor;
    Room room(with(kServed, {{"network", "mlp"}, {"steps", "30"}}), digits_);
    const auto waitsFor = [&](std::size_t worker) { return room.session.members(room.ns).at(worker).waitsFor; };
    for (int w = 0; w < 8; ++w) {
      QVERIFY(room.session.opened(w, room.ns, w >= 6));  // those are on this machine, and share no link
      room.session.received(w, encode(Hello{.token = kToken}), room.ns);
      room.session.received(w, encode(Pull{}), room.ns);
      room.workers[w] = std::make_unique<ClassWorker>(kToken, "", "");
      (void)room.workers[w]->next();  // what has been said
      room.mute.insert(w);
    }
    for (std::size_t w = 0; w < 8; ++w)
      QVERIFY(waitsFor(w) == (w == 4 || w == 5 ? WaitsFor::Link : WaitsFor::Variables));
    const auto reads = [&](int worker) {
      room.mute.erase(worker);
      room.pump();
    };
    reads(0);
    QVERIFY(waitsFor(4) == WaitsFor::Variables && waitsFor(5) == WaitsFor::Link);
    QVERIFY(room.compute(0));
    QVERIFY(waitsFor(0) == WaitsFor::Link && waitsFor(5) == WaitsFor::Link);
    reads(1);
    QVERIFY(waitsFor(0) == WaitsFor::Link && waitsFor(5) == WaitsFor::Variables);  // which has waited longer
    for (const int each : {4, 5}) reads(each);
    QVERIFY(room.compute(5) && room.compute(4));
    const auto& updates = room.training.order().updates;
    QCOMPARE(updates[1].front().version, 1);
    QCOMPARE(updates[2].front().version, 0);
    room.session.pause(true, room.ns);
    for (const int each : {2, 3, 6, 7}) reads(each);
    QVERIFY(!room.training.coordinator().isAtRest());
    for (int each = 0; each < 8; ++each) (void)room.compute(each);
    QVERIFY(room.training.coordinator().isAtRest());
    QVERIFY(waitsFor(0) == WaitsFor::Teacher);
  }

  void pausedItTakesOneUpdateAtATime_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"parameter-server", "mirrored"}) QTest::newRow(strategy) << strategy;
  }
  void pausedItTakesOneUpdateAtATime() {
    QFETCH(QString, strategy);
    Room room({{"strategy", strategy.toStdString()},
               {"replicas", "2"},
               {"batch-per-replica", "8"},
               {"network", "mlp"},
               {"eval-every", "0"},
               {"steps", "40"}},
              digits_, 2);
    const std::vector<int> all{room.join(), room.join()};
    room.session.pause(true, room.ns);
    room.pump();
    QVERIFY(!room.training.coordinator().isAtRest());  // what was handed out is done
    const auto work = [&] {
      for (bool did = true; did;) {
        did = false;
        for (const int each : all) did = room.compute(each) || did;
      }
    };
    work();
    QVERIFY(room.training.coordinator().isAtRest());
    const std::int64_t before = room.training.updates();
    QCOMPARE(before, strategy == "mirrored" ? 1 : 2);
    for (std::int64_t step = 1; step <= 3; ++step) {
      room.session.step(room.ns);
      QVERIFY(!room.training.coordinator().isAtRest());
      room.pump();
      work();
      QVERIFY(room.training.coordinator().isAtRest());
      QCOMPARE(room.training.updates(), before + step);
    }
    room.session.pause(false, room.ns);
    room.pump();
    work();
    QCOMPARE(room.training.updates(), 40);
  }

  void whoIsSlowedIsAsLateAsIfItWereSlower() {
    Room room(with(kServed, {{"steps", "60"}, {"network", "mlp"}}), digits_, 2);
    const int one = room.join(), other = room.join();
    const auto stateOf = [&](std::size_t member) { return room.session.members(room.ns).at(member).state; };
    room.session.slow(0, 5, room.ns);
    QVERIFY(room.session.isSlowed());
    room.ns += kSecond / 10;
    QVERIFY(room.compute(one));  // after 0.1 s: it counts after 0.5 s
    QCOMPARE(room.training.updates(), 0);
    QVERIFY(stateOf(0) == ClassMember::State::Slowed);
    for (int i = 0; i < 3; ++i) QVERIFY(room.compute(other));
    room.ns = kSecond / 2 - 1;
    room.session.tick(room.ns);
    QCOMPARE(room.training.updates(), 3);
    QVERIFY(!room.compute(one));  // and it gets no other closure
    room.ns += 1;
    room.session.tick(room.ns);
    room.pump();
    QCOMPARE(room.training.updates(), 4);
    QCOMPARE(room.metrics.back().staleness, std::optional<std::int64_t>(3));
    const ClassMember member = room.session.members(room.ns).at(0);
    QCOMPARE(member.slowdown, 5.0);
    QCOMPARE(member.latestStaleness, 3);
    QVERIFY(room.compute(one));
    room.session.slow(0, 1, room.ns);  // what is held back counts at once
    QCOMPARE(room.training.updates(), 5);
    QVERIFY(!room.session.isSlowed());
    room.session.slow(9, 2, room.ns);  // nobody
    room.session.slow(0, -1, room.ns);
    QVERIFY(!room.session.isSlowed());
  }

  // In step a push counts when the others have pushed too; by then its worker may have left, and its number be
  // another's.
  void whoTakesANumberOverGetsNoCreditForItsPush() {
    Room room(with(kServed, {{"strategy", "mirrored"}, {"replicas", "2"}, {"network", "mlp"}, {"steps", "9"}}), digits_,
              2);
    const int one = room.join(), other = room.join();
    QVERIFY(room.compute(one));
    room.leave(one);
    const int next = room.join();
    QCOMPARE(room.workers.at(next)->welcome()->worker, std::uint16_t{0});
    QVERIFY(room.compute(other));
    QCOMPARE(room.training.updates(), 1);
    QCOMPARE(room.workers.at(next)->applied(), 0);
    QCOMPARE(room.workers.at(other)->applied(), 1);
    QCOMPARE(room.session.member(0, room.ns).pushes, 0);
    QCOMPARE(room.session.member(1, room.ns).pushes, 1);
  }

  // With backups, what the slowest computes is in no update; nobody does it again.
  void theSlowestIsToldThatItIsLeftOut() {
    Room room({{"strategy", "backup-workers"},
               {"replicas", "3"},
               {"batch-per-replica", "8"},
               {"network", "mlp"},
               {"eval-every", "0"},
               {"steps", "9"}},
              digits_, 3);
    const int one = room.join(), other = room.join(), late = room.join();
    room.mute.insert(late);
    QVERIFY(room.compute(one) && room.compute(other));
    QCOMPARE(room.training.updates(), 1);
    std::vector<Frame> refused;
    while (const auto bytes = room.session.next(late))
      if (const auto frame = decode(*bytes); std::holds_alternative<Refused>(*frame)) refused.push_back(*frame);
    QVERIFY(refused == (std::vector<Frame>{Refused{.closure = 3, .reason = Reason::LeftOut}}));
    QVERIFY(room.lost.empty());
  }

  // A worker that reads more slowly than the others finish steps is not sent those that are over already, so its queue
  // stays short, and the worker in the class.
  void theSlowestIsSentTheLatestStepAlone() {
    Room room({{"strategy", "backup-workers"},
               {"replicas", "3"},
               {"batch-per-replica", "8"},
               {"network", "mlp"},
               {"eval-every", "0"},
               {"steps", "99"}},
              digits_, 3);
    const int one = room.join(), other = room.join(), late = room.join();
    room.mute.insert(late);
    for (int step = 0; step < 90; ++step) QVERIFY(room.compute(one) && room.compute(other));
    room.session.tick(room.ns);
    QVERIFY(room.left.empty());
    room.mute.clear();
    room.pump();
    QVERIFY(room.compute(late) && room.compute(one));
    QCOMPARE(room.training.updates(), 91);
    QCOMPARE(room.workers.at(late)->applied(), 1);
  }

  // The class was ended while a worker computed: nobody does its closure again.
  void whoLeavesAClassThatIsOverLosesNothing() {
    Room room(with(kServed, {{"network", "mlp"}, {"steps", "9"}}), digits_);
    const int one = room.join();
    QVERIFY(room.compute(one) && room.training.coordinator().workOf(0) != nullptr);
    room.session.end();
    room.leave(one);
    QVERIFY(room.lost.empty());
    QCOMPARE(room.left.size(), std::size_t{1});
  }

  // Two in step, of whom one answers pings and never pushes.
  void whoHoldsUpAStepTwiceIsSentAway() {
    const Settings inStep = with(kServed, {{"strategy", "mirrored"}, {"replicas", "2"}, {"network", "mlp"}});
    const auto afterTwoMinutes = [&](double slowdown) {
      Room room(with(inStep, {{"steps", "60"}}), digits_, 2);
      const int one = room.join(), other = room.join();
      room.session.slow(1, slowdown, room.ns);
      for (int minute = 0; minute < 2; ++minute) {
        room.compute(one);
        room.ns += 60 * kSecond;
        for (const int each : {one, other}) room.session.heard(each, room.ns);
        room.session.tick(room.ns);
        room.pump();
        room.compute(one);  // the lost part
      }
      return room.workers.at(other)->sentAway();
    };
    QCOMPARE(afterTwoMinutes(1), std::optional(Reason::TooSlow));
    QVERIFY(!afterTwoMinutes(5));  // slowed by the teacher
  }

  void membersSayWhatTheyDo() {
    using State = ClassMember::State;
    using WaitsFor = ClassMember::WaitsFor;
    Room room(with(kServed, {{"steps", "60"}, {"network", "mlp"}}), digits_, 1);
    const int one = room.join(), other = room.join();
    room.answers = false;
    room.session.answered(one, 1234, 0, room.ns);
    for (int i = 0; i < 4; ++i) {
      room.ns += kSecond;
      QVERIFY(room.compute(one));
    }
    QVERIFY(room.compute(other));
    const auto at = [&](std::size_t member) { return room.session.members(room.ns).at(member); };
    QVERIFY(at(0).state == State::Computing && at(0).waitsFor == WaitsFor::Nothing);
    QCOMPARE(at(0).pushes, 4);
    QCOMPARE(at(0).imagesPerSecond, 24.0);
    QCOMPARE(at(0).roundTripNs, 1234);
    QVERIFY(at(0).bytesPerSecond > 0);
    QCOMPARE(at(1).latestStaleness, 4);
    QCOMPARE(at(1).meanStaleness, 4.0);
    room.say(other, Asleep{true});
    QVERIFY(at(1).state == State::Asleep);
    room.say(other, Asleep{false});
    QVERIFY(at(1).state == State::Computing);
    room.session.pause(true, room.ns);
    QVERIFY(room.compute(one));
    QVERIFY(at(0).state == State::Waiting && at(0).waitsFor == WaitsFor::Teacher);
    room.mute.insert(one);
    room.session.pause(false, room.ns);  // it is sent variables, and takes none
    QVERIFY(at(0).state == State::Waiting && at(0).waitsFor == WaitsFor::Variables);
    room.ns += 6 * kSecond;
    room.session.tick(room.ns);
    QVERIFY(at(0).state == State::Silent);
    ClassMember read;
    updateMember(read, memberToJson(at(1)));
    QVERIFY(read.state == at(1).state && read.pushes == at(1).pushes && read.bytesPerSecond == at(1).bytesPerSecond);
  }

  void thereAreNoMoreRowsThanSoMany() {
    std::vector<ClassMember> members;
    for (int i = 0; i < 10'000; ++i) rowOf(members, i % 64).worker = i % 64;  // in and out again
    QCOMPARE(members.size(), std::size_t{64});
    for (ClassMember& each : members) each.pushes = 1;
    rowOf(members, 5).worker = 5;  // who has pushed is still shown
    QCOMPARE(members.size(), std::size_t{65});
    QCOMPARE(members[5].pushes, 1);
    for (int i = 0; i < 10'000; ++i) {
      ClassMember& row = rowOf(members, i % 60);
      row.worker = i % 60;
      row.pushes = 1;
    }
    QCOMPARE(members.size(), kMostRows);
    rowOf(members, 64).worker = 64;
    QCOMPARE(members.size(), kMostRows + 1);
  }

  void aWrongTokenLearnsNothing() {
    Room room(with(kServed, {{"steps", "5"}}), digits_);
    Token wrong = kToken;
    wrong[15] ^= 1;
    const int nobody = room.join(wrong);
    QCOMPARE(room.workers.at(nobody)->sentAway(), std::optional(Reason::WrongToken));
    QVERIFY(!room.workers.at(nobody)->welcome());
    QVERIFY(room.session.isClosing(nobody));
    QCOMPARE(room.training.coordinator().workers(), 0);
    QVERIFY(room.joined.empty());
  }

  void whoSaysNothingIsSentAway() {
    Room room(with(kServed, {{"steps", "5"}}), digits_);
    QVERIFY(room.session.opened(77, 0));
    room.session.tick(5 * kSecond - 1);
    QVERIFY(!room.session.isClosing(77));
    room.session.tick(5 * kSecond);
    QVERIFY(room.session.isClosing(77));
  }

  void ofNobodyLittleIsRead() {
    Room room(with(kServed, {{"steps", "5"}}), digits_);
    QVERIFY(room.session.opened(77, 0));
    room.session.received(77, encode(Chunk{.values = std::vector<float>(1000)}), 0);
    QVERIFY(room.session.isClosing(77));
  }

  void thereIsRoomForSoMany() {
    Room room(with(kServed, {{"steps", "50"}}), digits_, 1, {.workers = 2, .connections = 4});
    QVERIFY(room.join() >= 0);
    QVERIFY(room.join() >= 0);
    const int third = room.join();
    QCOMPARE(room.workers.at(third)->sentAway(), std::optional(Reason::ClassFull));
    QVERIFY(room.session.opened(77, 0));
    QVERIFY(!room.session.opened(78, 0));
    room.session.closed(third, 0);
    QVERIFY(room.session.opened(78, 0));
  }

  void nonsenseIsSentAwayAndChangesNothing_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<int>("reason");
    const auto row = [](const char* what, Reason reason) { QTest::newRow(what) << what << static_cast<int>(reason); };
    row("hello again", Reason::BadFrame);
    row("a server's frame", Reason::BadFrame);
    row("push of a closure that is not", Reason::BadFrame);
    row("push of another version", Reason::BadFrame);
    row("push of too many values", Reason::BadFrame);
    row("push of more right than there are", Reason::BadFrame);
    row("push within a push", Reason::BadFrame);
    row("chunk of nothing", Reason::BadFrame);
    row("chunk out of turn", Reason::BadFrame);
    row("loss not finite", Reason::NotFinite);
    row("loss negative", Reason::BadFrame);
    row("loss too large", Reason::NormTooLarge);
    row("gradient not finite", Reason::NotFinite);
    row("gradient too large", Reason::NormTooLarge);
    row("flood", Reason::TooMuch);
  }
  void nonsenseIsSentAwayAndChangesNothing() {
    QFETCH(QString, what);
    QFETCH(int, reason);
    Room room(with(kServed, {{"steps", "8"}, {"network", "mlp"}}), digits_);
    const int good = room.join(), bad = room.join();
    ClassWorker& worker = *room.workers.at(bad);
    const auto job = worker.takeJob();
    QVERIFY(job.has_value());
    const auto floats = static_cast<std::uint32_t>(job->variables.size());
    const Push push{.closure = job->closure, .version = job->version, .lossSum = 1, .correct = 1, .floats = floats};
    const auto pushed = [&](const Push& header, float value) {
      room.say(bad, header);
      const std::vector<float> values(floats, value);
      for (std::size_t at = 0; at < floats; at += kMostFloatsPerChunk)
        room.session.received(
            bad,
            encodeChunk(static_cast<std::uint32_t>(at),
                        std::span(values).subspan(at).first(std::min<std::size_t>(kMostFloatsPerChunk, floats - at))),
            room.ns);
      room.pump();
    };
    const auto changed = [&](auto member, auto value) {
      Push other = push;
      other.*member = value;
      return other;
    };
    if (what == "hello again") room.say(bad, Hello{.token = kToken});
    if (what == "a server's frame") room.say(bad, End{});
    if (what == "push of a closure that is not") room.say(bad, changed(&Push::closure, 99));
    if (what == "push of another version") room.say(bad, changed(&Push::version, job->version + 1));
    if (what == "push of too many values") room.say(bad, changed(&Push::floats, floats + 1));
    if (what == "push of more right than there are") room.say(bad, changed(&Push::correct, 25));
    if (what == "push within a push") room.say(bad, push), room.say(bad, push);
    if (what == "chunk of nothing") room.say(bad, Chunk{.values = {1}});
    if (what == "chunk out of turn") room.say(bad, push), room.say(bad, Chunk{.first = 1, .values = {1}});
    if (what == "loss not finite") room.say(bad, changed(&Push::lossSum, std::nan("")));
    if (what == "loss negative") room.say(bad, changed(&Push::lossSum, -1.0));
    if (what == "loss too large") room.say(bad, changed(&Push::lossSum, 1e300));
    if (what == "gradient not finite") pushed(push, std::numeric_limits<float>::infinity());
    if (what == "gradient too large") pushed(push, 1e5F);
    if (what == "flood")
      for (int i = 0; i < 300; ++i) room.say(bad, Asleep{});
    QCOMPARE(static_cast<int>(worker.sentAway().value()), reason);
    QVERIFY(room.session.isClosing(bad));
    QCOMPARE(room.training.updates(), 0);
    QCOMPARE(room.left.size(), std::size_t{1});
    while (room.compute(good)) {
    }
    QCOMPARE(room.training.updates(), 8);
    QVERIFY(sameBits(*room.training.variables().snapshot(),
                     replayClass(room.config, digits_, room.training.order()).variables));
  }

  // They replace the class's statistics: the others would compute with them.
  void statisticsThatCannotBeAreSentAway_data() {
    QTest::addColumn<QString>("which");
    QTest::addColumn<float>("value");
    QTest::addColumn<int>("reason");
    const auto row = [](const char* what, const char* which, float value, Reason reason) {
      QTest::newRow(what) << which << value << static_cast<int>(reason);
    };
    row("negative variance", "moving_variance", -1, Reason::BadFrame);
    row("large variance", "moving_variance", 1e9F, Reason::NormTooLarge);
    row("large mean", "moving_mean", -1e9F, Reason::NormTooLarge);
    row("infinite mean", "moving_mean", std::numeric_limits<float>::infinity(), Reason::NotFinite);
  }
  void statisticsThatCannotBeAreSentAway() {
    QFETCH(QString, which);
    QFETCH(float, value);
    QFETCH(int, reason);
    Room room(with(kServed, {{"steps", "8"}, {"network", normedNetworkFile(folder_.path(), false).toStdString()}}),
              digits_);
    const int good = room.join(), bad = room.join();
    const auto job = room.workers.at(bad)->takeJob();
    QVERIFY(job.has_value());
    const Layout statistics = parseNetworkText(room.training.networkDescription(), "class").statistics();
    const auto at = static_cast<std::size_t>(room.training.network().layout().size() +
                                             statistics.find("batch_normalization/" + which.toStdString()).offset);
    Result result{.closure = job->closure, .version = job->version, .lossSum = 1};
    result.gradients.resize(job->variables.size());
    result.gradients.at(at) = value;
    room.workers.at(bad)->finish(std::move(result));
    room.pump();
    QCOMPARE(room.training.updates(), 0);
    QCOMPARE(static_cast<int>(room.workers.at(bad)->sentAway().value()), reason);
    while (room.compute(good)) {
    }
    QCOMPARE(room.training.updates(), 8);
  }

  // The worker would compute with it on a thread of its own.
  void aServerWithANetworkThatIsOnlyTimedIsWrong() {
    using Kind = NetworkLayer::Kind;
    const auto welcomed = [](std::int64_t groups) {
      const NeuralNetwork network("of the server", {28, 28, 1},
                                  {{.kind = Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3},
                                   {.kind = Kind::Conv2D, .name = "conv2d_1", .units = 4, .side = 3, .groups = groups},
                                   {.kind = Kind::Flatten, .name = "flatten"},
                                   {.kind = Kind::Dense, .name = "dense", .units = 10}});
      ClassWorker worker(kToken, "", "");
      worker.received(encode(Welcome{.name = "Otter 1",
                                     .strategy = "parameter-server",
                                     .network = networkText(network),
                                     .mostExamples = 24,
                                     .weights = static_cast<std::uint32_t>(network.layout().size()),
                                     .statistics = 0}));
      return worker.welcome().has_value();
    };
    QVERIFY(welcomed(1));
    QVERIFY_THROWS_EXCEPTION(UserError, welcomed(2));
  }

  // A worker may push no more often than it gets closures: a repeated push is read at most once.
  void aPushIsNotSaidForEver() {
    Room room(with(kServed, {{"steps", "8"}, {"network", "mlp"}}), digits_);
    const int worker = room.join();
    QVERIFY(!room.session.hasEarned(worker));
    const auto floats = static_cast<std::uint32_t>(room.training.variables().snapshot()->size());
    QVERIFY(room.compute(worker));
    QVERIFY(room.session.hasEarned(worker));
    const Push again{.closure = 1, .version = 0, .lossSum = 1, .floats = floats};
    room.say(worker, again);
    const std::vector<float> zeros(kMostFloatsPerChunk);
    for (std::uint32_t at = 0; at < floats; at += kMostFloatsPerChunk)
      room.session.received(
          worker, encodeChunk(at, std::span(zeros).first(std::min<std::size_t>(zeros.size(), floats - at))), room.ns);
    room.pump();
    QVERIFY(!room.workers.at(worker)->sentAway());
    QCOMPARE(room.training.updates(), 1);
    room.say(worker, again);
    QCOMPARE(room.workers.at(worker)->sentAway(), std::optional(Reason::TooMuch));
    QVERIFY(!room.session.hasEarned(worker));
  }

  void aQuickWorkerIsNoFlood() {
    Room room(with(kServed, {{"steps", "400"}, {"network", "mlp"}}), digits_);
    const int worker = room.join();
    while (room.compute(worker)) {
    }  // in no time
    QCOMPARE(room.training.updates(), 400);
  }

  void aPushThatComesTooLateIsForgotten() {
    Room room(with(kServed, {{"steps", "6"}, {"network", "mlp"}}), digits_);
    const int slow = room.join(), quick = room.join();
    room.mute.insert(slow);
    room.ns = 5 * kSecond;
    room.session.heard(quick, room.ns);
    room.session.tick(room.ns);
    QCOMPARE(room.lost, std::vector<int>{0});
    QVERIFY(room.compute(quick));
    QVERIFY(room.compute(quick));  // the lost one
    QCOMPARE(room.training.updates(), 2);
    room.mute.clear();
    QVERIFY(room.compute(slow));  // begins to push before it hears that it has lost it
    QVERIFY(room.training.coordinator().workers() == 2);
    QCOMPARE(room.training.updates(), 2);
    QVERIFY(room.compute(slow));
    QCOMPARE(room.training.updates(), 3);
  }

  // The worker loses a closure in the middle of its push, and has the next gradients before it is through.
  void aPushIsSaidToItsEnd() {
    Room room(with(kServed, {{"steps", "6"}}), digits_);
    const int slow = room.join(), quick = room.join();
    ClassWorker& worker = *room.workers.at(slow);
    room.replica = std::make_unique<WorkerReplica>(worker.welcome()->network, 1);
    worker.finish(room.replica->compute(*worker.takeJob()));
    for (int frame = 0; frame < 4; ++frame) room.session.received(slow, *worker.next(), room.ns);  // two chunks of it
    room.ns = 5 * kSecond;
    room.session.heard(quick, room.ns);
    room.session.tick(room.ns);
    QCOMPARE(room.lost, std::vector<int>{0});
    room.session.heard(slow, room.ns);
    room.session.tick(room.ns);
    while (const auto bytes = room.session.next(slow)) worker.received(*bytes);
    worker.finish(room.replica->compute(*worker.takeJob()));
    room.pump();
    QVERIFY(!worker.sentAway());
    QCOMPARE(room.training.updates(), 1);
    while (room.compute(slow) || room.compute(quick)) {
    }
    QCOMPARE(room.training.updates(), 6);
  }

  // A worker's turn on the link ends when its pong or its push says that the variables have arrived.
  void aTurnLastsUntilTheVariablesAreThere() {
    Room room(with(kServed, {{"steps", "20"}, {"network", "mlp"}}), digits_);
    room.answers = false;
    for (int worker = 0; worker < 6; ++worker) room.join();
    const auto has = [&](int worker) { return room.session.sent(worker) > 0; };
    QVERIFY(has(3) && !has(4));
    room.session.answered(1, 0, room.session.sent(1) + 1, room.ns);
    room.pump();
    QVERIFY(!has(4));
    room.session.answered(1, 0, room.session.sent(1), room.ns);
    room.pump();
    QVERIFY(has(4) && !has(5));
    QVERIFY(room.compute(0));
    QVERIFY(has(5));
  }

  void examplesAreSentOnce() {
    Room room(with(kServed, {{"steps", "40"}, {"network", "mlp"}}), digits_);
    const int worker = room.join();
    std::int64_t pixels = 0;
    while (room.ended == 0) {
      const auto job = room.workers.at(worker)->takeJob();
      QVERIFY(job.has_value());
      if (!room.replica) room.replica = std::make_unique<WorkerReplica>(room.workers.at(worker)->welcome()->network, 1);
      room.workers.at(worker)->finish(room.replica->compute(*job));
      while (const auto bytes = room.workers.at(worker)->next()) room.session.received(worker, *bytes, room.ns);
      while (const auto bytes = room.session.next(worker)) {
        if (const auto frame = decode(*bytes); std::holds_alternative<Pictures>(*frame))
          pixels += std::ssize(std::get<Pictures>(*frame).pixels);
        room.workers.at(worker)->received(*bytes);
      }
      room.pump();
    }
    QVERIFY(pixels > 0 && pixels <= digits_->train.count * digits_->train.imageSize());
  }

  // More frames than may wait for somebody who does not read.
  void aClosureOfLargePicturesIsSentToItsEnd() {
    using Kind = NetworkLayer::Kind;
    constexpr std::int64_t kBatch = 2048;
    QFile network(folder_.filePath("pictures.json"));
    QVERIFY(network.open(QIODevice::WriteOnly));
    network.write(QByteArray::fromStdString(kerasJson(
        {"pictures",
         {64, 64, 3},
         {{.kind = Kind::GlobalAveragePool2D, .name = "pool"}, {.kind = Kind::Dense, .name = "dense", .units = 10}}})));
    network.close();
    auto pictures = std::make_shared<Dataset>();
    pictures->name = "colour";
    for (Examples* part : {&pictures->train, &pictures->test}) {
      part->shape = {64, 64, 3};
      part->count = part == &pictures->train ? kBatch : 1;
      part->pixels.resize(static_cast<std::size_t>(part->count * part->imageSize()));
      part->labels.resize(static_cast<std::size_t>(part->count));
    }
    Room room(with(kServed, {{"batch-per-replica", std::to_string(kBatch)},
                             {"dataset", "colour"},
                             {"data-dir", folder_.path().toStdString()},
                             {"network", network.fileName().toStdString()},
                             {"steps", "3"}}),
              pictures);
    const auto begin = [&](int connection) {
      QVERIFY(room.session.opened(connection, room.ns));
      room.session.received(connection, encode(Hello{.token = kToken}), room.ns);
      room.session.received(connection, encode(Pull{}), room.ns);
    };
    begin(77);
    room.session.tick(room.ns + kSecond / 4);
    QVERIFY(!room.session.isClosing(77));
    int frames = 0;
    while (room.session.next(77)) ++frames;
    QVERIFY2(frames > 400, qPrintable(QString::number(frames)));
    // A worker that does not read is still sent away.
    begin(78);
    for (int i = 0; i < 300; ++i) room.session.pause(i % 2 == 0, room.ns);
    room.session.tick(room.ns + kSecond / 2);
    QVERIFY(room.session.isClosing(78));
  }

  void theClassIsToldHowItGetsOn() {
    Room room(with(kServed, {{"steps", "90"}, {"network", "mlp"}}), digits_);
    const int one = room.join();
    const auto toldNext = [&] {
      const auto bytes = room.session.next(one);
      return bytes ? decode(*bytes) : std::nullopt;
    };
    room.ns = kSecond;
    room.session.tick(room.ns);
    QVERIFY(!toldNext());  // there were no updates
    QVERIFY(room.compute(one));
    QVERIFY(room.compute(one));
    room.session.tick(room.ns);
    const auto told = toldNext();
    QVERIFY(told && std::holds_alternative<Progress>(*told));
    const Progress& progress = std::get<Progress>(*told);
    QCOMPARE(progress.updates, std::uint64_t{2});
    QCOMPARE(progress.workers, std::uint16_t{1});
    QVERIFY(std::abs(progress.loss - (room.metrics[0].loss + room.metrics[1].loss) / 2) < 1e-12);
    QVERIFY(room.compute(one));
    room.ns += kSecond - 1;
    room.session.tick(room.ns);
    QVERIFY(!toldNext());
    room.ns += 1;
    room.session.tick(room.ns);
    const auto again = toldNext();
    QVERIFY(again && std::get<Progress>(*again).updates == 3);
    QCOMPARE(std::get<Progress>(*again).loss, room.metrics[2].loss);
  }

  // A page sees no pings: by these frames it knows that the server is there.
  void theClassIsToldSomethingWithoutUpdatesToo() {
    Room room(with(kServed, {{"steps", "90"}, {"network", "mlp"}}), digits_, 2);
    const int one = room.join();  // waits for the second
    int told = 0;
    for (int second = 1; second <= 12; ++second) {
      room.ns = second * kSecond;
      room.session.heard(one, room.ns);
      room.session.tick(room.ns);
      while (const auto bytes = room.session.next(one, room.ns)) {
        const auto frame = decode(*bytes);
        QVERIFY(frame && std::holds_alternative<Progress>(*frame));
        const Progress& progress = std::get<Progress>(*frame);
        QVERIFY(progress.updates == 0 && progress.workers == 1 && std::isnan(progress.loss));
        ++told;
      }
    }
    QCOMPARE(told, 2);
  }

  // In step all have their closures at once, and wait for the link one after the other.
  void whoWaitsForTheLinkIsToldSomething() {
    Room room(with(kServed, {{"strategy", "mirrored"}, {"replicas", "6"}, {"network", "mlp"}, {"steps", "9"}}), digits_,
              6);
    room.answers = false;  // no turn ends
    int last = 0;
    for (int worker = 0; worker < 6; ++worker) last = room.join();
    QVERIFY(room.session.member(5, room.ns).waitsFor == ClassMember::WaitsFor::Link);
    room.ns = 5 * kSecond;
    for (const auto& [connection, worker] : room.workers) room.session.heard(connection, room.ns);
    room.session.tick(room.ns);
    const auto bytes = room.session.next(last);
    QVERIFY(bytes && std::holds_alternative<Progress>(*decode(*bytes)));
  }

  // Fashion-MNIST has the digits' form: only the set's name says that there is no digit to draw.
  void whoJoinsIsToldWhetherThePicturesAreDigits() {
    for (const bool digits : {true, false}) {
      Dataset named = *digits_;
      if (!digits) named.name = "fashion-mnist";
      Room room(with(kServed, {{"steps", "90"}, {"network", "mlp"}}),
                std::make_shared<const Dataset>(std::move(named)));
      QVERIFY(room.session.opened(7, 0));
      room.session.received(7, encode(Hello{.token = kToken}), 0);
      const auto frame = decode(*room.session.next(7));
      QVERIFY(frame && std::holds_alternative<Welcome>(*frame));
      QCOMPARE(std::get<Welcome>(*frame).digits, digits);
    }
  }

  void whoJoinsAClassThatRestsIsToldSo() {
    Room room(with(kServed, {{"steps", "90"}, {"network", "mlp"}}), digits_);
    room.session.pause(true, 0);
    QVERIFY(room.session.opened(7, 0));
    room.session.received(7, encode(Hello{.token = kToken}), 0);
    QVERIFY(std::holds_alternative<Welcome>(*decode(*room.session.next(7))));
    QCOMPARE(*decode(*room.session.next(7)), Frame(Pause{true}));
    QVERIFY(!room.session.next(7));
  }

  void theTeacherPausesRemovesAndEnds() {
    Room room(with(kServed, {{"steps", "90"}, {"network", "mlp"}}), digits_);
    const int one = room.join(), other = room.join();
    room.session.pause(true, 0);
    QVERIFY(room.compute(one));
    QVERIFY(!room.compute(one));
    room.session.pause(false, 0);
    room.pump();
    QVERIFY(room.compute(one));
    room.session.remove(1, 0);
    room.pump();
    QCOMPARE(room.workers.at(other)->sentAway(), std::optional(Reason::Removed));
    QVERIFY(room.compute(one));
    room.session.end();
    room.pump();
    QVERIFY(room.workers.at(one)->isOver());
    QCOMPARE(room.ended, 1);
    QVERIFY(room.join() < 0);
  }

  void isEvaluatedAsARunIs() {
    Room room(with(kServed, {{"steps", "7"}, {"eval-every", "3"}, {"network", "mlp"}}), digits_);
    const int worker = room.join();
    while (room.compute(worker)) {
    }
    QCOMPARE(room.evaluations, (std::vector<std::int64_t>{3, 6, 7}));
  }

  // A push of `worker`, computed on the baseline path and then altered by `spoil`, which a check then looks at.
  static std::shared_ptr<const Suspect> pushed(Room& room, int worker, const std::function<void(Result&)>& spoil) {
    const auto job = room.workers.at(worker)->takeJob();
    if (!job) return nullptr;
    WorkerReplica replica(room.training.networkDescription(), 1, "baseline");
    Result result = replica.compute(*job);
    spoil(result);
    room.workers.at(worker)->finish(std::move(result));
    room.pump();
    return room.suspects.empty() ? nullptr : room.suspects.back();
  }

  void aClassGoesOnWhereItWasLost_data() {
    QTest::addColumn<QString>("strategy");
    QTest::newRow("asynchronous") << "parameter-server";
    QTest::newRow("in step") << "mirrored";
  }
  void aClassGoesOnWhereItWasLost() {
    QFETCH(QString, strategy);
    const Settings settings =
        with(kServed, {{"steps", "30"}, {"network", "mlp"}, {"strategy", strategy.toStdString()}, {"replicas", "2"}});
    const bool inStep = strategy == "mirrored";
    Room lost(settings, digits_, 2);
    const int one = lost.join(), other = lost.join();
    Checkpoint kept;
    const std::int64_t done = inStep ? 7 : 14;
    lost.onUpdate = [&] {
      if (lost.training.updates() == done) kept = lost.training.checkpoint();
    };
    for (int i = 0; i < 8; ++i) QVERIFY(lost.compute(other) && lost.compute(one));
    QVERIFY(lost.training.updates() > done);  // what is lost

    Room next(settings, digits_, 2);
    next.training.resume(kept);
    QCOMPARE(next.training.updates(), done);
    const int third = next.join(), fourth = next.join();
    while (next.compute(third) | next.compute(fourth)) {
    }
    QCOMPARE(next.training.updates(), 30);
    ClassOrder order = lost.training.order();
    order.updates.resize(static_cast<std::size_t>(done));
    const auto& behind = next.training.order().updates;
    order.updates.insert(order.updates.end(), behind.begin(), behind.end());
    std::set<std::uint64_t> closures;
    for (const auto& parts : order.updates)
      for (const ClassOrder::Part& part : parts) QVERIFY(closures.insert(part.closure).second);
    QCOMPARE(*closures.rbegin(), closures.size());  // each of them
    QVERIFY(sameBits(*next.training.variables().snapshot(), replayClass(next.config, digits_, order).variables));

    Room ended(settings, digits_, 2);  // stopped behind the last update, before all was written
    ended.training.resume(next.training.checkpoint());
    QVERIFY(ended.training.coordinator().isOver());

    Room another(with(settings, {{"learning-rate", "0.5"}}), digits_);
    QVERIFY_EXCEPTION_THROWN(another.training.resume(kept), UserError);
  }

  void whoPushesFalselyIsFound() {
    ClassLimits limits;
    limits.checkShare = 1;
    Room room(with(kServed, {{"steps", "8"}}), digits_, 1, limits);
    SpotChecker checker;
    const int liar = room.join(kToken, "baseline");
    const auto honest = pushed(room, liar, [](Result&) {});
    QVERIFY(honest && checker.isHonest(*honest, room.training.networkDescription()));
    room.session.checked(*honest, true, 1, room.ns);
    QVERIFY(!room.workers.at(liar)->sentAway());
    room.ns += kSecond;
    // It had its next closure when the rest after the first check was not over.
    QVERIFY(pushed(room, liar, [](Result&) {}) == honest);
    const auto lie =
        pushed(room, liar, [](Result& result) { result.gradients[7] = std::nextafter(result.gradients[7], 1.0F); });
    QVERIFY(lie != honest);
    QVERIFY(!checker.isHonest(*lie, room.training.networkDescription()));
    const int other = room.join(kToken, "baseline");
    const std::vector<float> before = *room.training.variables().snapshot();
    room.session.checked(*lie, false, 1, room.ns);
    room.pump();
    QCOMPARE(room.workers.at(liar)->sentAway(), std::optional(Reason::FalseGradient));
    QCOMPARE(room.left, (std::vector<std::optional<Reason>>{Reason::FalseGradient}));
    QCOMPARE(room.falsePushes, (std::vector<std::pair<int, std::uint64_t>>{{0, 3}}));
    QCOMPARE(room.training.updates(), 3);  // it was applied, and stays
    QVERIFY(sameBits(*room.training.variables().snapshot(), before));
    room.session.closed(liar, room.ns);
    while (room.compute(other)) {
    }
    QCOMPARE(room.training.updates(), 8);
    QVERIFY(!room.workers.at(other)->sentAway());
  }

  void anotherPathIsNoLie_data() {
    QTest::addColumn<QString>("network");
    QTest::newRow("course") << "course";
    QTest::newRow("mlp") << "mlp";
  }
  void anotherPathIsNoLie() {
    QFETCH(QString, network);
    ClassLimits limits;
    limits.checkShare = 1;
    Room room(with(kServed, {{"steps", "40"}, {"network", network.toStdString()}}), digits_, 1, limits);
    const std::string description = room.training.networkDescription();
    SpotChecker checker;
    const int worker = room.join(kToken, "elsewhere");
    const auto spoilt = [](const Suspect& suspect, const std::function<void(Result&)>& spoil) {
      Suspect other = suspect;
      spoil(other.pushed);
      return other;
    };
    int checked = 0;
    while (room.ended == 0) {
      room.ns += kSecond;
      room.suspects.clear();
      const auto suspect = pushed(room, worker, [](Result&) {});
      if (!suspect) continue;
      ++checked;
      QVERIFY(checker.isHonest(*suspect, description));
      const auto isFound = [&](const std::function<void(Result&)>& spoil) {
        return !checker.isHonest(spoilt(*suspect, spoil), description);
      };
      QVERIFY(isFound([](Result& result) {
        for (float& value : result.gradients) value = -value;
      }));
      QVERIFY(isFound([](Result& result) {
        for (float& value : result.gradients) value *= 1.05F;
      }));
      QVERIFY(isFound([](Result& result) { std::ranges::fill(result.gradients, 0.0F); }));
      QVERIFY(isFound([](Result& result) { result.lossSum *= 0.9; }));
      room.session.checked(*suspect, true, 1, room.ns);
    }
    QVERIFY(checked >= 10);
  }

  // A browser cannot flush denormals, and a gradient of a class that has learnt nearly all has some.
  void aBrowsersDenormalsAreNoLie() {
    ClassLimits limits;
    limits.checkShare = 1;
    Room room(with(kServed, {{"steps", "8"}}), digits_, 1, limits);
    const std::string description = room.training.networkDescription();
    const auto honest = pushed(room, room.join(kToken, "baseline"), [](Result&) {});
    QVERIFY(honest != nullptr);
    Suspect suspect = *honest;
    suspect.job.scale = 1e-38F;
    {
      // As a browser, or a program that computes on the baseline alone.
      const QByteArray before = qgetenv("STRATEGYLAB_CPU_PATH");
      qputenv("STRATEGYLAB_CPU_PATH", "baseline");
      keepDenormals();
      suspect.pushed = WorkerReplica(description, 1, "baseline").compute(suspect.job);
      const auto isDenormal = [](float value) { return std::fpclassify(value) == FP_SUBNORMAL; };
      QVERIFY(std::ranges::any_of(suspect.pushed.gradients, isDenormal));
      before.isEmpty() ? qunsetenv("STRATEGYLAB_CPU_PATH") : qputenv("STRATEGYLAB_CPU_PATH", before);
    }
    SpotChecker checker;
    QVERIFY(checker.isHonest(suspect, description));
    // Nor does it matter how many threads compute it.
    QVERIFY(
        sameBits(WorkerReplica(description, 3, "baseline").compute(suspect.job).gradients, suspect.pushed.gradients));
  }

  void checksTakeTheirShareAndNoMore() {
    constexpr std::int64_t kTook = 10'000'000;
    CheckTimes times(0.02, 2, 7);
    std::map<int, int> of;
    std::int64_t spent = 0, ns = 0;
    for (int give = 0; ns < 1000 * kSecond; ++give, ns += 1'000'000) {
      if (!times.picks(4, ns)) continue;
      ++of[give % 4];
      times.begin();
      QVERIFY(!times.picks(1, ns));
      ns += kTook;
      times.finish(kTook, ns);
      spent += kTook;
    }
    const double share = static_cast<double>(spent) / static_cast<double>(2 * ns);
    QVERIFY2(share <= 0.02 && share > 0.017, QByteArray::number(share));
    for (int worker = 0; worker < 4; ++worker) QVERIFY(of[worker] > 800);  // of about 4,000
    CheckTimes never(0, 2, 7);
    for (int i = 0; i < 100; ++i) QVERIFY(!never.picks(1, i * kSecond));
  }

  void aFalsePushIsInTheRecording() {
    const std::string file = folder_.filePath("false.run").toStdString();
    GzipLineWriter lines(file, kRunFileLimits);
    lines.write(orderLine({{.closure = 1, .worker = 2, .examples = 24, .scale = 1, .path = "baseline"}}));
    lines.write(falsePushLine(2, 1));
    lines.finish();
    const ClassOrder order = readClassOrder(file);
    QCOMPARE(order.updates.size(), std::size_t{1});
    QCOMPARE(order.falsePushes.size(), std::size_t{1});
    QCOMPARE(order.falsePushes[0].worker, 2);
    QCOMPARE(order.falsePushes[0].closure, std::uint64_t{1});
  }

  void whatAClassCannotTrainIsRefused() {
    const auto refused = [&](const Settings& settings) {
      try {
        Room room(with(kServed, settings), digits_);
      } catch (const UserError&) {
        return true;
      }
      return false;
    };
    QVERIFY(!refused({}));
    QVERIFY(refused({{"strategy", "central-storage"}}));
    QVERIFY(refused({{"matmul", "bfloat16"}}));
    QVERIFY(refused({{"batch-per-replica", "5000"}}));
  }

  // A class has the strategies whose rows say so, and names them where it refuses another.
  void onlyServedStrategiesAreTaken() {
    for (const StrategyInfo& info : strategies()) {
      std::string said;
      try {
        checkClass(resolve(configOf({{"strategy", info.key}, {"devices", "simulated"}})), *digits_);
      } catch (const UserError& error) {
        if (error.message().is(say::classStrategy)) said = error.what();
      }
      QCOMPARE(said.empty(), info.served);
      for (const StrategyInfo& other : strategies())
        if (other.served && !info.served) QVERIFY2(said.find(other.key) != std::string::npos, said.c_str());
    }
  }

  // The settings of a recording come from its file, which may have been written by hand.
  void aRecordingsLayersAreThoseOfItsNetwork() {
    using Kind = NetworkLayer::Kind;
    const auto check = [&](const std::string& name, const NeuralNetwork& layers) {
      nlohmann::json header = configToJson(resolve(configOf(kServed)));
      header["network"] = name;
      header["network-layers"] = kerasJson(layers);
      checkClass(unchecked(configFromJson(header)), *digits_);
    };
    check("course", courseNetwork());
    check("auto", courseNetwork());
    check("mine.json", mlpNetwork());
    QVERIFY_THROWS_EXCEPTION(UserError, check("course", mlpNetwork()));
    QVERIFY_THROWS_EXCEPTION(UserError, check("course", withClasses(courseNetwork(), 4)));
    QVERIFY_THROWS_EXCEPTION(UserError, check("mine.json", withClasses(mlpNetwork(), 4)));
    QVERIFY_THROWS_EXCEPTION(UserError, check("mine.json", cifar10Network()));
    const NeuralNetwork timed("timed", {28, 28, 1},
                              {{.kind = Kind::Conv2D, .name = "conv2d", .units = 4, .side = 3},
                               {.kind = Kind::Conv2D, .name = "conv2d_1", .units = 4, .side = 3, .groups = 2},
                               {.kind = Kind::Flatten, .name = "flatten"},
                               {.kind = Kind::Dense, .name = "dense", .units = 10}});
    QVERIFY_THROWS_EXCEPTION(UserError, check("mine.json", timed));
  }
};

QTEST_GUILESS_MAIN(TestServingSession)
#include "tst_serving_session.moc"
