// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/text_claims.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <regex>

#include "core/comm/schedule.h"
#include "core/data/split.h"
#include "core/hardware/catalogue.h"
#include "core/hardware/timing_constants.h"
#include "core/options/config_field.h"
#include "core/prediction/rates.h"
#include "core/strategy/strategy.h"

namespace lab::test {
namespace {

double us(std::int64_t ns) {
  return static_cast<double>(ns) / 1e3;
}

}  // namespace

Claims::Claims(Runs& runs, const WrittenTexts& texts) : runs_(runs), texts_(texts) {
  ofRings();
  ofBatches();
  ofShares();
  ofTimes();
  ofMemory();
  ofWorkers();
  ofClasses();
  ofTheQuiz();
  ofNames();
  ofWords();
}

double Claims::hops(int ranks) {
  return makeAllReduce(Reducer::Ring, ranks, 1, 1 << 16).rounds();
}

void Claims::ofRings() {
  const double ring4 = hops(4), ring8 = hops(8);
  const std::string mirrored = "strategy=mirrored&batch-per-replica=4&";
  const StepMetric ring = step(mirrored + "replicas=4&reducer=ring"),
                   one = step(mirrored + "replicas=4&reducer=one-device"),
                   eight = step(mirrored + "replicas=8&reducer=ring");
  const double gradient = 4.0 * static_cast<double>(runs_.of(mirrored + "replicas=4&reducer=ring").info.parameters);
  const auto gradients = [&](const StepMetric& metric) { return static_cast<double>(metric.bytesSent) / gradient; };
  QCOMPARE(gradients(ring), gradients(one));      // the lesson says that both send the same
  say("all-reduce/ring", {ring4, ring4 / 2, 1});  // 1: of the formula 2 × (n − 1)
  say("ring/bytes", {gradients(ring), gradients(one) / 2});
  say("ring/why", {us(ring.communicationNs), gradients(ring), gradients(ring) / 4});
  say("ring/eight", {us(ring.communicationNs), us(one.communicationNs), us(eight.communicationNs), ring4, ring8, 7, 3});
  say("quiz/ring-hops", {ring4, ring4 / 2, 2, 1});
  say("quiz/ring-hops", {2.0 * 4}, "8");  // wrong: one hop too many each time
  say("gallery/tree", {makeAllReduce(Reducer::Tree, 8, 1, 1 << 16).rounds() / 2.0});
  say("glossary/ring", {2, 1}, "(n − 1)");
  say("", {1, 3, 2, 4}, "+1, +3, −2");  // made up: their sum is what the page asks for, see madeUpGradientsAddUp
  say("", {1, 3, 2}, "+1 + 3 − 2 + 2 = 4");
}

// The lesson "Global batch and learning rate", and the class that follows it.
void Claims::ofBatches() {
  const std::string sgd = "strategy=mirrored&replicas=2&optimizer=sgd&";
  const auto& first = runs_.of(sgd + "batch-per-replica=8&learning-rate=0.05", 20).steps;
  const auto& large = runs_.of(sgd + "batch-per-replica=32&learning-rate=0.05", 20).steps;
  const auto& linear = runs_.of(sgd + "batch-per-replica=32&learning-rate=0.2", 20).steps;
  const auto& far = runs_.of(sgd + "batch-per-replica=32&learning-rate=2", 20).steps;
  const double before = static_cast<double>(first.front().examples);
  say("one-program/batch", {static_cast<double>(legacyBatchSizes(8, 4).front())}, "batch(8)");
  say("batch/run", {first.front().loss});
  say("batch/curve", {large.front().loss, large.back().loss, before, 1});
  say("batch/linear", {large.front().loss, large.back().loss});
  say("batch/too-far", {far.front().loss, 0.2});
  QVERIFY(far.back().loss > 2.2);
  say("classes/loop-rate", {large.front().loss, before, linear.back().loss});
  say("classes/loop-linear", {2});  // the learning rate that the question asks about
  const auto epochs = [&](const char* batch, const char* rate) {
    return runs_.of(configOf({{"strategy", "mirrored"},
                              {"replicas", "2"},
                              {"optimizer", "sgd"},
                              {"epochs", "3"},
                              {"global-batch", batch},
                              {"learning-rate", rate}}),
                    0);
  };
  const auto small = epochs("64", "0.01"), wide = epochs("512", "0.01"), eightfold = epochs("512", "0.08");
  const auto share = [](const Runs::Run& run) { return 100 * run.evaluations.back().testAccuracy; };
  const double all = static_cast<double>(small.info.trainExamples);
  say("batch/epochs", {share(small), share(wide), share(eightfold), static_cast<double>(small.steps.size()),
                       static_cast<double>(wide.steps.size()), all, 3 * all, 0.01, 64, 512});
}

void Claims::ofShares() {
  say("slices/predict", real(v2BatchSizes(10, 4, 1, 0)));
  const auto shares = legacyBatchSizes(5, 4);
  const double quarter = 1.0 / 4, pair = quarter / static_cast<double>(shares.front());
  say("uneven/weight", {4 * pair + quarter}, "3/4");
  say("quiz/empty", {4 * pair + quarter}, "3/4");
  // MNIST's published size; the rest is division.
  const double images = 60'000, batch = 128, left = std::fmod(images, batch);
  const auto legacy = legacyBatchSizes(static_cast<std::int64_t>(left), 2);
  say("uneven/last", {images, batch, 2, std::floor(images / batch), left, static_cast<double>(legacy[0]),
                      static_cast<double>(legacy[1]), batch / 2, left - batch / 2});
}

void Claims::ofTimes() {
  const StepMetric even = step("strategy=mirrored&replicas=4&batch-per-replica=16");
  say("stragglers/one", {us(even.stepNs)});
  const StepMetric one = step("strategy=one-device&global-batch=64"),
                   eight = step("strategy=mirrored&replicas=8&global-batch=64"),
                   work = step("strategy=mirrored&replicas=8&global-batch=512");
  const double faster = work.imagesPerSecond / one.imagesPerSecond;
  say("eight/eight", {us(one.stepNs), us(one.stepNs) / 8, us(one.stepNs) / 2, us(one.launchNs)});
  // The printed parts of the step add up to the printed step.
  QCOMPARE(std::round(eight.stepNs / 100.0), std::round(eight.computeNs / 100.0) +
                                                 std::round(eight.communicationNs / 100.0) +
                                                 std::round(eight.launchNs / 100.0));
  say("gallery/eight-fold", {100.0 * static_cast<double>(work.stepNs - one.stepNs) / static_cast<double>(one.stepNs)});
  say("eight/work", {work.imagesPerSecond / 1e6, faster, 8});
  say("eight/work", {std::round(one.imagesPerSecond / 1e3) * 1e3}, "227");
  say("classes/time-one", {us(one.stepNs), us(one.stepNs) / 8, us(one.stepNs) / 2});
  say("classes/time-work", {us(one.stepNs), us(work.stepNs), faster, 64});
  const std::string four = "strategy=mirrored&replicas=4&batch-per-replica=4&reducer=";
  const StepMetric ring = step(four + "ring", 2);
  say("classes/time-reducer",
      {us(step(four + "one-device", 2).communicationNs), us(ring.stepNs), us(ring.communicationNs),
       100 * static_cast<double>(ring.communicationNs) / static_cast<double>(ring.stepNs)});
  say("classes/time-straggler", {us(even.stepNs)});
  const auto central = [&](int replicas) {
    return step("strategy=central-storage&batch-per-replica=4&replicas=" + std::to_string(replicas), 2);
  };
  const double gradient = 4e-6 * static_cast<double>(runs_.of("strategy=one-device&global-batch=64").info.parameters);
  const double through = static_cast<double>(central(4).bytesSent) / 1e6;
  say("bottleneck/bytes", {through, through / gradient, 4, hops(4) / 4});
  say("bottleneck/eight", {us(central(4).stepNs), us(central(4).communicationNs), 4,
                           us(step("strategy=mirrored&replicas=8&batch-per-replica=4").stepNs)});
  say("classes/time-central", {8, static_cast<double>(central(8).stepNs) / 1e6});
  const auto& shards =
      runs_.of("strategy=parameter-server&replicas=4&batch-per-replica=4&parameter-servers=2").info.variableShards;
  double largest = 0, sum = 0;
  for (const auto& server : shards) {
    double held = 0;
    for (const VariablePart& part : server) held += static_cast<double>(part.count);
    largest = std::max(largest, held);
    sum += held;
  }
  QVERIFY(largest / sum > 0.999);
  say("", {99.9}, "99.9 %");
  say("", {99.9}, "99,9 %");
  const Catalogue& catalogue = Catalogue::builtIn();
  const LinkModel &nvlink = catalogue.link("nvlink2"), &pcie = catalogue.link("pcie3_x16");
  say("hardware/link", {nvlink.gbPerSec, pcie.gbPerSec, nvlink.gbPerSec / pcie.gbPerSec, us(even.communicationNs)});
  // Each figure of a link says whether it is nominal or effective.
  say("hardware/link", {nvlink.effectiveGbPerSec}, "150 GB/s nominal, 120 effective");
  say("hardware/link", {pcie.effectiveGbPerSec}, "15.75 nominal, 12 effective");
  say("hardware/link", {nvlink.effectiveGbPerSec}, "nominal 150 GB/s, effektiv 120");
  say("hardware/link", {pcie.effectiveGbPerSec}, "nominal 15,75, effektiv 12");
  say("hardware/device", {us(even.stepNs), us(even.computeNs), us(even.communicationNs)});
  const std::string hosts = "strategy=multi-worker-mirrored&replicas=4&hosts=2&batch-per-replica=16";
  say("hardware/hosts", {8 * catalogue.link("eth_10g").gbPerSec, us(even.computeNs),
                         us(step(hosts + "&host-link=ib_hdr").stepNs), us(step(hosts).communicationNs)});
  const auto local = std::ranges::find(strategies(), "local-sgd", &StrategyInfo::key);
  const auto localRun = runs_.of("strategy=" + local->key + "&replicas=4&hosts=2&batch-per-replica=16");
  const double every = static_cast<double>(local->round(SettingsBase{}));
  say("hardware/local", {us(steadyStep(localRun.info.config)->stepNs), us(step(hosts).stepNs), every});
  say("quiz/local-sgd", {every, 1});
  const std::string gossip = "strategy=gossip&batch-per-replica=16";
  say("hardware/gossip",
      {us(step(gossip + "&replicas=4&hosts=2").stepNs), us(step(hosts).stepNs), 4, 2, 8,
       us(step(gossip + "&replicas=8&hosts=8").stepNs),
       us(step("strategy=multi-worker-mirrored&replicas=8&hosts=8&batch-per-replica=16").stepNs), 2 * (8 - 1)});
  say("quiz/gossip", {8, 3, 1});
}

void Claims::ofMemory() {
  const std::string sharded = "&replicas=4&batch-per-replica=16", whole = "strategy=mirrored" + sharded;
  const std::string parted = "strategy=sharded" + sharded;
  const auto sent = [&](const std::string& settings) { return static_cast<double>(step(settings, 2).bytesSent) / 1e6; };
  const auto needed = [&](const std::string& settings) {
    return steadyStep(runs_.of(settings).info.config)->memory.neededBytes;
  };
  const double kept = (needed(whole) - needed(parted)) * 4 / 3 / 1e6;  // three of four parts less
  QCOMPARE(2 * sent(parted), 3 * sent(whole));
  const auto most = [&](const std::string& settings) {
    return static_cast<double>(sumOf(steadyStep(runs_.of(settings).info.config)->memory.most)) / 1e6;
  };
  const auto one = std::ranges::find_if(strategies(), [](const StrategyInfo& info) {
    return info.variables == StrategyInfo::VariablesOn::Host && !info.singleReplica;
  });
  const MemoryByKind onDevice = steadyStep(runs_.of("strategy=" + one->key + sharded).info.config)->memory.most;
  QCOMPARE(of(onDevice, MemoryKind::Optimizer), 0);
  const double variables =
      static_cast<double>(of(onDevice, MemoryKind::Variables) + of(onDevice, MemoryKind::Gradients));
  say("hardware/sharded", {sent(parted), sent(whole), kept, kept / 4, most(parted), most(whole), variables / 1e6});
}

void Claims::ofWorkers() {
  const std::string server = "strategy=parameter-server&batch-per-replica=8&";
  const auto staleness = [&](const std::string& settings, std::int64_t steps, int worker) {
    std::vector<double> all;
    for (const StepMetric& metric : runs_.of(server + settings, steps).steps)
      if (worker < 0 ? metric.worker != 0 : metric.worker == worker)
        all.push_back(static_cast<double>(*metric.staleness));
    return all;
  };
  const auto median = [](std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
  };
  const std::vector<double> slow = staleness("replicas=4&host-link=eth_100g&slow=0:8", 40, 0),
                            fast = staleness("replicas=4&host-link=eth_100g&slow=0:8", 40, -1);
  say("staleness/four", {1}, "W − 1");
  say("staleness/slow", {slow[0], slow[1], median(fast)});
  const auto& alone = runs_.of(server + "replicas=1&host-link=eth_100g", 40).steps;
  const auto& many = runs_.of(server + "replicas=16&host-link=eth_100g", 40).steps;
  const double old = median(staleness("replicas=16&host-link=eth_100g", 40, -1));
  say("staleness/curve", {alone.back().loss, old, many[15].loss, many.back().loss, 1});
  say("staleness/sync",
      {static_cast<double>(runs_.of(server + "replicas=16", 1).info.devices.size() > 0 ? 1 : 0), old});
  say("classes/time-server", {old, 1});
  say("gallery/stale", {old});
  say("quiz/staleness", {median(staleness("replicas=8", 40, -1))});
  say("glossary/staleness", {1}, "W − 1");
  say("quiz/ps-sync", {1}, "num_replicas_in_sync");
  say("worker-dies/async", {TimingConstants::builtIn()["fault.reset_ms"]}, "ms");
}

void Claims::ofClasses() {
  const auto place = [this](const char* file, const char* name) {
    const std::vector<std::string>& order = texts_.order.at(file);
    return static_cast<double>(std::ranges::find(order, name) - order.begin() + 1);
  };
  const auto mirrored = std::ranges::find(strategies(), "mirrored", &StrategyInfo::key);
  const double key = static_cast<double>(mirrored - strategies().begin() + 1);
  say("classes/devices-lines", {key, 30});  // 30: what a class may guess
  say("classes/devices-scope", {place("quiz", "convert")});
  say("classes/devices-scope", {64}, "64");  // quiz/convert has this number from its own moment
  say("classes/loop-end", {place("quiz", "custom-loop")});
  say("classes/time-dies", {2 - 1}, "1");  // the second of two, counted from 0
  say("classes/time-end", {mostDevices()});
  const double first = place("gallery", "exercise-mirrored") - 1;
  for (const char* name : {"exercise-mirrored", "exercise-tpu", "exercise-loop", "exercise-compare"})
    say(std::string("gallery/") + name, {place("gallery", name) - first});
}

// Read from the window's source, because the core accepts any number.
double Claims::mostDevices() {
  std::ifstream in(STRATEGYLAB_SOURCE_DIR "/ui/whatif/what_if_panel.cpp");
  const std::string source{std::istreambuf_iterator<char>(in), {}};
  std::smatch match;
  return std::regex_search(source, match, std::regex("kCurveDevices = ([0-9]+)")) ? std::stod(match[1]) : 0;
}

void Claims::ofTheQuiz() {
  // Reported in TensorFlow's issue 27195: 63.6 s eagerly and 2.6 s in a graph.
  say("quiz/modes", {1000, 63.6, 2.6});
  for (const std::int64_t batch : {96, 100}) {  // no powers of two, but split nevertheless
    QVERIFY((batch & (batch - 1)) != 0 && legacyBatchSizes(batch, 2).back() == batch / 2);
    say("quiz/convert", {static_cast<double>(batch)}, std::to_string(batch));
  }
  say("quiz/per-replica", {96.0 * 4}, "384");     // wrong: multiplied
  say("quiz/linear-rule", {0.05 / 4}, "0.0125");  // wrong: divided
  // bfloat16 is float32 without the lower half.
  say("glossary/bfloat16", {32 - 16, std::numeric_limits<float>::digits - 16});
}

// The number of tf.distribute's strategies, which come first in the list.
double Claims::ofTensorFlow() {
  const auto beyond = std::ranges::find(strategies(), true, &StrategyInfo::beyondTensorFlow);
  return static_cast<double>(beyond - strategies().begin());
}

void Claims::ofNames() {
  const double count = ofTensorFlow();
  say("", {1, count}, "the keys 1 to 7");
  say("", {1, count}, "die Tasten 1 bis 7");
}

// Counts that are written in words.
void Claims::ofWords() {
  const double count = ofTensorFlow();
  for (const char* phrase : {"seven strategies", "sieben Strategien", "strategy of the seven", "der sieben Strategien"})
    say("", {count}, phrase);
  const auto steps = static_cast<double>(std::ranges::count_if(texts_.texts, [](const WrittenText& text) {
    return text.site == "quiz/tpu-order" && text.key == "right" && text.language == "en";
  }));
  for (const char* phrase : {"ive steps", "ünf Schritte"}) say("", {steps}, phrase);
  double central = 0;  // tf.distribute's strategies whose variables are not on the replicas
  for (const StrategyInfo& info : strategies())
    if (!info.beyondTensorFlow)
      central += runs_.of("strategy=" + info.key + "&batch-per-replica=8").info.parameterDevices > 0 ? 1 : 0;
  say("one-program/one-copy", {central});
  // Lessons that compare two things name both: two ways, two rules, two programs, two lanes, two means.
  const auto choices = static_cast<double>(configField("split").choices.size());
  for (const char* phrase : {"two rules", "zwei Regeln", "two different gradients", "zwei verschiedene Gradienten"})
    say("", {choices}, phrase);
  say("ring", {2});
  say("gallery/beside-straggler", {1 + 1});
  say("glossary/optimizer-slot", {static_cast<double>(std::string("mv").size())});
  say("glossary/central-storage", {2});
  say("quiz/central", {2}, "two devices");
  say("quiz/central", {2}, "zwei Geräten");
  say("quiz/uneven", {static_cast<double>(std::ranges::count(legacyBatchSizes(10, 3), 4))}, "first two");
  say("quiz/uneven", {static_cast<double>(std::ranges::count(legacyBatchSizes(10, 3), 4))}, "ersten zwei");
  say("ring/eight", {std::ceil(hops(8) / 8)});
  say("batch/run", {static_cast<double>(embeddedDigits()->classes())}, "digits");
  say("batch/run", {static_cast<double>(embeddedDigits()->classes())}, "Ziffern");
  say("batch/curve", {32.0 / 8});
  say("batch/linear", {0.2 / 0.05});
  say("batch/too-far", {2 / 0.05, 2 / 0.2});
  say("batch/epochs", {3, 0.08 / 0.01});
  say("classes/loop-rate", {64.0 / 16});
  say("classes/loop-linear", {0.2 / 0.05});
  say("class-staleness/forty", {4}, "with four");  // the page before says it
  say("class-staleness/forty", {4}, "mit vieren");
  say("staleness/four", {2}, "etween two");  // the two ends of an interval
  say("staleness/four", {2}, "wischen zwei");
  const auto& info = runs_.of("strategy=parameter-server&parameter-servers=2&batch-per-replica=8").info;
  double variables = 0;
  for (const auto& server : info.variableShards) variables += static_cast<double>(server.size());
  say("bottleneck/servers", {variables, variables / 2});
  say("", {8}, "eight GPUs can be slower");
  say("", {8}, "acht GPUs langsamer");
  say("eight", {8});
  say("hardware/device", {3});  // three of four quarters; see ofTimes
  say("classes/devices-sum", {hops(4), hops(4) / 2});
  say("classes/devices-scope", {2}, "64");
  say("classes/time-one", {8});
  say("classes/time-reducer", {hops(4)});
  say("gallery/ring", {hops(4) / 2});
}

}  // namespace lab::test
