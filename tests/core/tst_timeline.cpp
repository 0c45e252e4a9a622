// SPDX-License-Identifier: GPL-3.0-or-later
// The breakdown of a device's time adds up and agrees with the spans; the trace of each strategy's run follows the
// format's rules, and read back it equals the run, span by span and in every total.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/rng.h"
#include "core/files/recorder.h"
#include "core/model/neural_network.h"
#include "core/options/resolve.h"
#include "core/prediction/step_timeline.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "core/timeline/chrome_trace.h"
#include "core/trace/messages.h"
#include "core/trace/names.h"
#include "tests/support/chrome_trace_rules.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

enum Labels : std::uint16_t { kOp, kAllReduce, kForReplicas, kForInput, kForServer };

Timeline emptyTimeline() {
  Timeline timeline;
  timeline.legend.endpoints = {{{say::replicaEndpoint, 0}, 0}, {{say::replicaEndpoint, 1}, 0}};
  timeline.legend.tracks = {{{say::replicaEndpoint, 0}, 0, false, 0},
                            {{say::replicaEndpoint, 1}, 0, false, 1},
                            {nameFromFile("link 0 → 1"), 0, true, -1}};
  timeline.legend.labels = {
      {say::forwardOf, "conv2d"}, say::allReduce, say::waitForReplicas, say::waitForInput, say::waitForServer};
  return timeline;
}

void put(Timeline& timeline, int track, std::int64_t begin, std::int64_t end, SpanKind kind, Labels label,
         std::int64_t launch = 0) {
  Span span;
  span.track = track;
  span.startNs = begin;
  span.durationNs = end - begin;
  span.kind = kind;
  span.label = label;
  if (kind == SpanKind::Transfer) {
    span.from = 0;
    span.to = 1;
    span.bytes = 10 * (end - begin);
  }
  timeline.spans.push_back(span);
  timeline.launchNs.push_back(launch);
}

std::int64_t of(const StageBreakdown& breakdown, StepStage stage) {
  return breakdown[static_cast<std::size_t>(stage)];
}

// The rule, instant by instant.
StageBreakdown slowBreakdown(const Timeline& timeline, int track, std::int64_t from, std::int64_t to) {
  StageBreakdown breakdown{};
  for (std::int64_t ns = from; ns < to; ++ns) {
    bool compute = false, launch = false, sends = false, queue = false, replicas = false, input = false;
    for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
      const Span& span = timeline.spans[i];
      if (ns < span.startNs || ns >= span.startNs + span.durationNs) continue;
      const int endpoint = timeline.legend.tracks[static_cast<std::size_t>(track)].endpoint;
      if (span.kind == SpanKind::Transfer) {
        sends = sends || span.from == endpoint || span.to == endpoint;
      } else if (span.track == track) {
        const bool works = span.kind == SpanKind::Compute || span.kind == SpanKind::Update;
        launch = launch || (works && ns < span.startNs + timeline.launchNs[i]);
        compute = compute || (works && ns >= span.startNs + timeline.launchNs[i]);
        sends = sends || span.kind == SpanKind::Reduce;
        queue = queue || (span.kind == SpanKind::Wait && span.label == kForServer);
        replicas = replicas || (span.kind == SpanKind::Wait && span.label == kForReplicas);
        input = input || span.kind == SpanKind::Input || (span.kind == SpanKind::Wait && span.label == kForInput);
      }
    }
    const StepStage stage = compute    ? sends ? StepStage::Overlapped : StepStage::Compute
                            : launch   ? StepStage::Launch
                            : sends    ? StepStage::Exposed
                            : queue    ? StepStage::Queue
                            : replicas ? StepStage::Straggler
                            : input    ? StepStage::Input
                                       : StepStage::Idle;
    ++breakdown[static_cast<std::size_t>(stage)];
  }
  return breakdown;
}

// Bytes and links, counted span by span.
std::pair<std::int64_t, std::int64_t> slowUse(const Timeline& timeline, std::int64_t ns) {
  std::int64_t bytes = 0, links = 0;
  for (const Span& span : timeline.spans) {
    const bool isLink = timeline.legend.tracks[static_cast<std::size_t>(span.track)].isLink;
    if (!isLink || ns < span.startNs || ns >= span.startNs + span.durationNs) continue;
    bytes += span.bytes;
    ++links;
  }
  return {bytes, links};
}

using Totals = std::map<std::pair<int, SpanKind>, std::tuple<std::int64_t, std::int64_t, std::int64_t>>;
// Per track and kind: how many, their time, their bytes.
Totals totalsOf(const std::vector<Span>& spans) {
  Totals totals;
  for (const Span& span : spans) {
    auto& [count, ns, bytes] = totals[{span.track, span.kind}];
    ++count;
    ns += span.durationNs;
    bytes += span.bytes;
  }
  return totals;
}

auto everythingOf(const Span& s) {
  return std::tuple(s.track, s.startNs, s.durationNs, s.step, s.bytes, s.count, s.from, s.to, s.round, s.pack, s.label,
                    s.kind, s.clock, s.add);
}

}  // namespace

class TestTimeline : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // Known kinds from files of any version are recognised; an unknown one is kept as it is.
  void namesInFilesAreKinds() {
    for (const auto& [spelt, kind] : {std::pair{"replica 12", &say::replicaEndpoint},
                                      {"worker 0", &say::workerEndpoint},
                                      {"parameter server 1", &say::serverEndpoint},
                                      {"parameter device", &say::parameterDevice},
                                      {"host 0", &say::hostEndpoint},
                                      {"replica 0 · V100 SXM2 16 GB", &say::deviceTrack},
                                      {"host 0 · input pipeline", &say::deviceTrack},
                                      {"link replica 0 → replica 1 · NVLink 2.0", &say::linkTrack},
                                      {"link worker 0 → parameter server 1 · memory of GPU 0", &say::linkTrack},
                                      {"weights · pulled by all", &say::pulledByAll},
                                      {"conv2d forward", &say::forwardOf},
                                      {"dense 128→10 backward", &say::backwardOf},
                                      {"all-reduce", &say::allReduce},
                                      {"wait for input", &say::waitForInput},
                                      {"wait for server", &say::waitForServer},
                                      {"create variables", &say::createVariables},
                                      {"replica 007", &say::verbatim},
                                      {"link 0 → 1", &say::verbatim},
                                      {"100 % of it", &say::verbatim},
                                      {"", &say::verbatim}}) {
      QVERIFY2(nameFromFile(spelt).is(*kind), spelt);
      QCOMPARE(nameInFile(nameFromFile(spelt)), std::string(spelt));
    }
    const Message link = nameFromFile("link replica 0 → replica 1 · GPU to GPU");
    QVERIFY(std::get<std::vector<Message>>(link.values()[0]).front().is(say::replicaEndpoint));
    QVERIFY(std::get<std::vector<Message>>(link.values()[2]).front().is(say::gpuToGpu));
    for (const Message& label : labelNames(courseNetwork())) QVERIFY(nameFromFile(nameInFile(label)).is(*label.text()));
  }

  void breakdownSaysWhatTheSpansSay() {
    Timeline timeline = emptyTimeline();
    put(timeline, 0, 100, 200, SpanKind::Compute, kOp, 30);
    put(timeline, 2, 180, 260, SpanKind::Transfer, kAllReduce);
    put(timeline, 0, 260, 300, SpanKind::Wait, kForReplicas);
    put(timeline, 0, 300, 320, SpanKind::Update, kOp, 5);
    put(timeline, 0, 340, 350, SpanKind::Wait, kForInput);
    timeline.arrange();
    const StageBreakdown breakdown = timeline.breakdown(0, 100, 400);
    QCOMPARE(of(breakdown, StepStage::Launch), std::int64_t{35});
    QCOMPARE(of(breakdown, StepStage::Compute), std::int64_t{50 + 15});
    QCOMPARE(of(breakdown, StepStage::Overlapped), std::int64_t{20});
    QCOMPARE(of(breakdown, StepStage::Exposed), std::int64_t{60});
    QCOMPARE(of(breakdown, StepStage::Straggler), std::int64_t{40});
    QCOMPARE(of(breakdown, StepStage::Input), std::int64_t{10});
    QCOMPARE(of(breakdown, StepStage::Idle), std::int64_t{20 + 50});
    QCOMPARE(sumOf(breakdown), std::int64_t{300});
    // The other end of the transfer computes nothing.
    QCOMPARE(of(timeline.breakdown(1, 100, 400), StepStage::Exposed), std::int64_t{80});
    const Traffic traffic = trafficOf(timeline, 220, 400);
    QCOMPARE(traffic.transfers, std::int64_t{1});
    QCOMPARE(traffic.bytes, 400.0);
  }

  // The most under way at once in a period: a transfer that begins as another ends is not beside it, and one without a
  // link uses none.
  void trafficAtOnce() {
    Timeline timeline = emptyTimeline();
    put(timeline, 2, 1000, 1500, SpanKind::Transfer, kAllReduce);  // 10 bytes a nanosecond
    put(timeline, 2, 1200, 1300, SpanKind::Transfer, kAllReduce);
    put(timeline, 2, 1500, 2000, SpanKind::Transfer, kAllReduce);
    put(timeline, 0, 1200, 1300, SpanKind::Transfer, kAllReduce);
    timeline.arrange();
    for (const auto& [from, to, bytes, links] :
         {std::tuple{0, 3000, 6000, 2}, {1250, 1260, 6000, 2}, {1300, 1600, 5000, 1}, {2000, 3000, 0, 0}}) {
      const Traffic traffic = trafficOf(timeline, from, to);
      QCOMPARE(traffic.mostBytes, std::int64_t{bytes});
      QCOMPARE(traffic.mostLinks, std::int64_t{links});
    }
  }

  void countersEqualTheCountInstantByInstant() {
    Rng rng(8, 1);
    const auto below = [&rng](std::uint64_t limit) { return static_cast<std::int64_t>(rng.below(limit)); };
    for (int round = 0; round < 60; ++round) {
      Timeline timeline = emptyTimeline();
      for (int i = 0; i < 12; ++i) {
        const std::int64_t begin = below(200);
        put(timeline, below(4) > 0 ? 2 : 0, begin, begin + below(60), SpanKind::Transfer, kAllReduce);
      }
      timeline.arrange();
      const std::int64_t from = below(100), to = from + 1 + below(160);
      const Counter bytes = bytesInFlight(timeline.linkUse(), from, to);
      const Counter links = linksInUse(timeline.linkUse(), from, to);
      std::int64_t mostBytes = 0, mostLinks = 0;
      for (std::int64_t ns = from; ns < to; ++ns) {
        const auto [slowBytes, slowLinks] = slowUse(timeline, ns);
        QCOMPARE(bytes.at(ns).value, slowBytes);
        QCOMPARE(links.at(ns).value, slowLinks);
        QVERIFY(bytes.at(ns).beginNs <= ns && ns < bytes.at(ns).endNs);
        // A value's stretch ends where the value does.
        if (ns + 1 < to) QCOMPARE(bytes.at(ns).endNs == ns + 1, slowUse(timeline, ns + 1).first != slowBytes);
        mostBytes = std::max(mostBytes, slowBytes);
        mostLinks = std::max(mostLinks, slowLinks);
      }
      QCOMPARE(bytes.highest(), mostBytes);
      QCOMPARE(links.highest(), mostLinks);
      const Traffic traffic = trafficOf(timeline, from, to);
      QVERIFY(traffic.mostBytes == mostBytes && traffic.mostLinks == mostLinks);
    }
  }

  // Changes that come in parts, as a file writer takes them, are those of the whole.
  void changesInPartsAreThoseOfTheWhole() {
    Timeline timeline = emptyTimeline();
    for (const auto& [begin, end] : {std::pair{100, 200}, {150, 400}, {200, 250}, {300, 450}})
      put(timeline, 2, begin, end, SpanKind::Transfer, kAllReduce);
    timeline.arrange();
    LinkUseCounter counter;
    std::vector<LinkUse> parts;
    for (const Span& span : timeline.spans) {
      for (const LinkUse& use : counter.before(span.startNs)) parts.push_back(use);
      counter.take(span, timeline.legend);
    }
    for (const LinkUse& use : counter.before(1000)) parts.push_back(use);
    QVERIFY(parts == timeline.linkUse());
    QCOMPARE(parts.size(), std::size_t{7});
    QVERIFY((parts.back() == LinkUse{450, 0, 0}));
  }

  void memoryIsACounterOverTheStep() {
    MemoryTimeline memory;
    for (const auto& [ns, bytes] : {std::pair{90, 10}, {100, 30}, {120, 50}, {150, 30}, {200, 90}})
      memory.changes.push_back({ns, {bytes}, 0});
    const Counter counter = memoryOf(memory, 100, 200);
    for (std::int64_t ns = 100; ns < 200; ++ns) QCOMPARE(counter.at(ns).value, sumOf(memory.at(ns)));
    QCOMPARE(counter.highest(), std::int64_t{50});
    QVERIFY(counter.at(130).beginNs == 120 && counter.at(130).endNs == 150);
    QVERIFY(counter.at(999).beginNs == 150 && counter.at(999).endNs == 200);
    QCOMPARE(memoryOf(memory, 50, 200).at(60).value, std::int64_t{10});
  }

  void breakdownEqualsTheRuleInstantByInstant() {
    Rng rng(7, 1);
    constexpr SpanKind kKinds[] = {SpanKind::Input,  SpanKind::Compute, SpanKind::Transfer,
                                   SpanKind::Reduce, SpanKind::Update,  SpanKind::Wait};
    for (int round = 0; round < 60; ++round) {
      Timeline timeline = emptyTimeline();
      for (int i = 0; i < 12; ++i) {
        const auto begin = static_cast<std::int64_t>(rng.below(200)),
                   end = begin + static_cast<std::int64_t>(rng.below(60));
        const SpanKind kind = kKinds[rng.below(6)];
        const auto wait = static_cast<Labels>(kForReplicas + rng.below(3));
        put(timeline, kind == SpanKind::Transfer ? 2 : static_cast<int>(rng.below(2)), begin, end, kind,
            kind == SpanKind::Wait ? wait : kOp,
            static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(end - begin) + 1)));
      }
      timeline.arrange();
      const auto from = static_cast<std::int64_t>(rng.below(100)),
                 to = from + static_cast<std::int64_t>(rng.below(160));
      for (int track = 0; track < 2; ++track)
        QCOMPARE(timeline.breakdown(track, from, to), slowBreakdown(timeline, track, from, to));
    }
  }

  void tracesOfEveryStrategyAreTheRuns_data() {
    QTest::addColumn<QString>("strategy");
    for (const StrategyInfo& info : strategies()) QTest::newRow(info.key.c_str()) << QString::fromStdString(info.key);
  }
  void tracesOfEveryStrategyAreTheRuns() {
    QFETCH(QString, strategy);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("trace.json").toStdString();
    RunSettings config = configOf({{"strategy", strategy.toStdString()},
                                   {"steps", "6"},
                                   {"batch-per-replica", "6"},
                                   {"eval-every", "0"},
                                   {"devices", "simulated"}});
    config.trace = path.string();
    const auto data = fewDigits(96, 16);
    const RecordedRun ours = recordAll(config, data);
    {
      Telemetry telemetry(std::size_t{1} << 20);
      Trainer trainer(resolve(config), data, telemetry);
      Recorder recorder(trainer.info(), telemetry);
      while (!trainer.finished()) trainer.step();
      recorder.finish();
    }
    const auto bytes = readFile(path, 1 << 30);
    const nlohmann::json written = nlohmann::json::parse(bytes.begin(), bytes.end());
    QCOMPARE(flaw(written), std::string());
    std::map<std::string, std::int64_t> events;  // by phase; steps apart
    for (const nlohmann::json& event : written["traceEvents"])
      ++events[event.value("cat", "") == "step" ? "step" : event["ph"].get<std::string>()];
    const auto sent = std::ranges::count_if(
        ours.spans, [](const Span& span) { return span.kind == SpanKind::Transfer && span.durationNs > 0; });
    QVERIFY(sent == 0 || events["f"] >= sent);  // each leads on, or something leads to it
    QVERIFY(sent == 0 || events["C"] > 0);
    QCOMPARE(events["step"], std::ssize(ours.records));
    const Timeline opened = readChromeTrace(path);
    QVERIFY(opened.clock == ours.info.clock);
    QCOMPARE(opened.dropped, std::uint64_t{0});
    QVERIFY(totalsOf(opened.spans) == totalsOf(ours.spans));
    QCOMPARE(opened.spans.size(), ours.spans.size());
    std::vector<decltype(everythingOf(Span{}))> a, b;
    for (const Span& span : opened.spans) a.push_back(everythingOf(span));
    for (const Span& span : ours.spans) b.push_back(everythingOf(span));
    std::ranges::sort(a);
    std::ranges::sort(b);
    QVERIFY(a == b);

    // And of each step: every device's breakdown adds up to the step, and the opened file has the same one.
    for (const RecordPointer& record : ours.records) {
      const Timeline step = timelineOf(ours.info, *record);
      QVERIFY(step.endNs > step.beginNs);
      for (int r = 0; r < ours.info.replicas; ++r) {
        const StageBreakdown breakdown = step.breakdown(r, step.beginNs, step.endNs);
        QCOMPARE(sumOf(breakdown), step.endNs - step.beginNs);
        if (!record->metric.worker) {
          QVERIFY(of(breakdown, StepStage::Compute) + of(breakdown, StepStage::Overlapped) > 0);
          QVERIFY(of(breakdown, StepStage::Launch) > 0);
        }
        if (!record->metric.worker && record->metric.step < static_cast<std::int64_t>(ours.records.size()))
          QCOMPARE(opened.breakdown(r, step.beginNs, step.endNs), breakdown);
      }
    }
    // Written anew it is the same file's content.
    const std::filesystem::path again = folder.filePath("again.json").toStdString();
    writeChromeTrace(again, opened);
    const Timeline reopened = readChromeTrace(again);
    QVERIFY(totalsOf(reopened.spans) == totalsOf(opened.spans));
    QVERIFY(reopened.launchNs == opened.launchNs);
  }

  void strangeFilesAreRefusedInASentence_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QByteArray& from, const QByteArray& to, const char* says) {
      QTest::newRow(name) << from << to << QString(says);
    };
    row("another program's", "StrategyLab", "Perfetto", "was not written by this program");
    row("cut off", "]", "", "not valid JSON");
    row("no clock", "\"clock\":\"modelled\",\"legend\"", "\"legend\"", "measured or modelled");
    row("a track too far", "\"tid\":1,\"args\":{\"clock\"", "\"tid\":9,\"args\":{\"clock\"", "'tid' out of range: 9");
    row("unknown label", "\"name\":\"conv2d forward\",\"cat\"", "\"name\":\"conv3d\",\"cat\"", "'conv3d'");
    row("unknown kind", "\"cat\":\"compute\"", "\"cat\":\"sleep\"", "'sleep'");
    row("time before all", "\"ts\":0.001", "\"ts\":-4", "'ts'");
    row("time after all", "\"ts\":0.001", "\"ts\":1e300", "'ts'");
    row("no duration", ",\"dur\":", ",\"lasts\":", "lacks 'dur'");
    row("three bounds", "\"stepNs\":[", "\"stepNs\":[1,", "list of stepNs");
    row("begins after its end", "\"stepNs\":[", "\"stepNs\":[9,1],\"x\":[", "'stepNs'");
    row("begins before all", "\"stepNs\":[", "\"stepNs\":[-9,1],\"x\":[", "list of stepNs");
    row("host is a text", "\"host\":0", "\"host\":\"x\"", "'host'");
  }
  void strangeFilesAreRefusedInASentence() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(QString, says);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("trace.json").toStdString();
    Timeline timeline = emptyTimeline();
    put(timeline, 0, 1, 9, SpanKind::Compute, kOp, 2);
    timeline.endNs = 20;
    timeline.arrange();
    writeChromeTrace(path, timeline);
    const auto bytes = readFile(path, 1 << 20);
    QByteArray text(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    QCOMPARE(parseChromeTrace(text.toStdString(), "t").launchNs, std::vector<std::int64_t>{2});
    if (says.contains("measured or modelled")) says = "does not say whether";
    QVERIFY(text.contains(from));
    text.replace(from, to);
    try {
      (void)parseChromeTrace(text.toStdString(), "t.json");
      QFAIL("opened");
    } catch (const UserError& error) {
      QVERIFY2(QString(error.what()).contains(says), error.what());
      QVERIFY2(QString(error.what()).startsWith("'t.json'"), error.what());
    }
    QVERIFY_THROWS_EXCEPTION(UserError, readChromeTrace(folder.filePath("none.json").toStdString()));
  }
};

QTEST_GUILESS_MAIN(TestTimeline)
#include "tst_timeline.moc"
