// SPDX-License-Identifier: GPL-3.0-or-later
// The table of operations adds up: its rows to the breakdown of every device and stage, its slices to the trace's, its
// arithmetic to the network's counts. It also shows where an operation lies among a device's roofs.
#include <QTest>

#include <algorithm>
#include <set>

#include "core/base/rng.h"
#include "core/hardware/catalogue.h"
#include "core/model/neural_network.h"
#include "core/options/resolve.h"
#include "core/prediction/operation_table.h"
#include "core/prediction/roofline.h"
#include "core/prediction/step_timeline.h"
#include "core/replicas/labels.h"
#include "core/trace/messages.h"
#include "tests/support/records.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

StageBreakdown sumOfRows(const OperationTable& table) {
  StageBreakdown all{};
  for (const OperationRow& row : table.rows)
    for (std::size_t s = 0; s < kStages; ++s) all[s] += row.own[s];
  return all;
}

StageBreakdown sumOfDevices(const Timeline& timeline, const RunInfo* info, std::int64_t from, std::int64_t to) {
  StageBreakdown all{};
  for (const int track : deviceTracks(timeline, info)) {
    const StageBreakdown one = timeline.breakdown(track, from, to);
    for (std::size_t s = 0; s < kStages; ++s) all[s] += one[s];
  }
  return all;
}

const OperationRow* rowOf(const OperationTable& table, const Text& name) {
  const auto found = std::ranges::find_if(table.rows, [&](const OperationRow& row) { return row.name.is(name); });
  return found == table.rows.end() ? nullptr : &*found;
}

}  // namespace

class TestOperationTable : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void rowsAddUpToTheBreakdown_data() { addStrategyRows(); }
  void rowsAddUpToTheBreakdown() {
    QFETCH(QString, name);
    const RecordedRun run = recordAll(rowConfig(name, {{"devices", "simulated"}, {"steps", "4"}}), fewDigits(96, 16));
    for (const RecordPointer& record : run.records) {
      const Timeline step = timelineOf(run.info, *record);
      const std::int64_t length = step.endNs - step.beginNs;
      // The whole step, and a stretch that cuts through slices.
      for (const auto& [from, to] :
           {std::pair{step.beginNs, step.endNs}, {step.beginNs + length / 3, step.endNs - length / 5}}) {
        const OperationTable table = operationTable(step, &run.info, from, to);
        QCOMPARE(sumOfRows(table), sumOfDevices(step, &run.info, from, to));
        QCOMPARE(sumOf(sumOfRows(table)), table.deviceNs);
        QCOMPARE(table.deviceNs, (to - from) * std::ssize(deviceTracks(step, &run.info)));
      }
      const OperationTable table = operationTable(step, &run.info, step.beginNs, step.endNs);
      std::int64_t calls = 0, totalNs = 0, touching = 0, theirNs = 0;
      for (const OperationRow& row : table.rows) {
        calls += row.calls;
        totalNs += row.totalNs;
        // Computation that overlaps nothing counts as its own, and nothing else does.
        if (row.kind == SpanKind::Compute) QVERIFY(sumOf(row.own) <= row.totalNs);
      }
      for (const Span& span : step.spans) {
        const std::int64_t end = span.startNs + span.durationNs;
        if (span.startNs >= step.endNs || (span.durationNs > 0 ? end <= step.beginNs : span.startNs < step.beginNs))
          continue;
        ++touching;
        theirNs += span.durationNs;
      }
      QCOMPARE(calls, touching);
      QCOMPARE(totalNs, theirNs);
    }
  }

  // For a step that contains all its slices: one row for each kind of slice, with the network's own counts.
  void arithmeticIsTheNetworks() {
    const RecordedRun run = recordAll(configOf({{"strategy", "mirrored"},
                                                {"replicas", "2"},
                                                {"batch-per-replica", "8"},
                                                {"steps", "2"},
                                                {"devices", "simulated"},
                                                {"eval-every", "0"}}),
                                      fewDigits(64, 16));
    const Timeline step = timelineOf(run.info, *run.records.back());
    const OperationTable table = operationTable(step, &run.info, step.beginNs, step.endNs);
    double flop = 0, onPaper = 0;
    for (const OperationRow& row : table.rows)
      if (row.kind == SpanKind::Compute) flop += row.flop;
    for (const NetworkOperation& operation : run.info.network->operations()) onPaper += operation.cost(16).flop;
    QCOMPARE(flop, onPaper);
    const OperationRow* update = rowOf(table, say::update);
    QVERIFY(update != nullptr && update->calls == 2);
    QCOMPARE(update->flop, 2 * 10.0 * static_cast<double>(run.info.parameters));
    double sent = 0;
    for (const OperationRow& row : table.rows)
      if (row.kind == SpanKind::Transfer) sent += row.bytes;
    QVERIFY(sent > 0);
    QCOMPARE(sent, trafficOf(step, step.beginNs, step.endNs).bytes);
    // A trace from a file has times, but no arithmetic.
    for (const OperationRow& row : operationTable(step, nullptr, step.beginNs, step.endNs).rows)
      QCOMPARE(row.flop, 0.0);
  }

  // Where variables lie in parts, each replica updates its own part: all of them together update each element once.
  void aShardedUpdateIsCountedOnce() {
    for (const char* packs : {"0", "100000"}) {
      const RecordedRun run = recordAll(configOf({{"strategy", "sharded"},
                                                  {"replicas", "3"},
                                                  {"batch-per-replica", "8"},
                                                  {"bytes-per-pack", packs},
                                                  {"steps", "2"},
                                                  {"devices", "simulated"},
                                                  {"eval-every", "0"}}),
                                        fewDigits(64, 16));
      const Timeline step = timelineOf(run.info, *run.records.back());
      const OperationTable table = operationTable(step, &run.info, step.beginNs, step.endNs);
      const OperationRow* update = rowOf(table, say::update);
      QVERIFY(update != nullptr && update->calls == 3);
      QCOMPARE(update->flop, 10.0 * static_cast<double>(run.info.parameters));
    }
  }

  // Time counts for the innermost of nested slices, and never twice. The first two begin together, as an all-reduce
  // and its first transfer do.
  void nestedSlicesShareNothing() {
    Timeline timeline;
    timeline.legend.endpoints = {{{say::replicaEndpoint, 0}, 0}};
    timeline.legend.tracks = {{{say::replicaEndpoint, 0}, 0, false, 0}};
    timeline.legend.labels = {{say::forwardOf, "outer"}, {say::forwardOf, "inner"}};
    for (const auto& [begin, end, label] : {std::tuple{0, 100, 0}, {0, 30, 1}, {60, 130, 1}}) {
      Span span;
      span.track = 0;
      span.startNs = begin;
      span.durationNs = end - begin;
      span.label = static_cast<std::uint16_t>(label);
      timeline.spans.push_back(span);
    }
    timeline.arrange();
    const OperationTable table = operationTable(timeline, nullptr, 0, 150);
    QCOMPARE(table.rows.size(), std::size_t{3});
    QCOMPARE(sumOf(table.rows[0].own), std::int64_t{100});  // the inner slices, which come first
    QCOMPARE(sumOf(table.rows[1].own), std::int64_t{30});
    QCOMPARE(table.rows[1].totalNs, std::int64_t{100});
    QVERIFY(!table.rows[2].kind);
    QCOMPARE(sumOf(table.rows[2].own), std::int64_t{20});
  }

  void roofsAreTheCatalogues() {
    const auto roofsOf = [](const Settings& settings) {
      const RecordedRun run = recordAll(configOf(with(kShortRun, settings)), fewDigits(96, 16));
      return modelledRoofs(run.info);
    };
    const auto v100 = roofsOf({{"strategy", "mirrored"}, {"device-model", "v100"}});
    QVERIFY(v100 && v100->source == TimeSource::Modelled);
    QCOMPARE(v100->device, Catalogue::builtIn().device("v100").name);
    QCOMPARE(v100->flopPerSecond, 15.7e12);
    QCOMPARE(v100->bytesPerSecond, 900e9);
    QCOMPARE(roofsOf({{"strategy", "mirrored"}, {"device-model", "a100"}})->flopPerSecond, 156e12);  // tf32
    QCOMPARE(roofsOf({{"strategy", "tpu"}})->flopPerSecond, 61.5e12);                                // bfloat16
    // A run in real time has no roofs from the catalogue; this processor's are measured.
    const RecordedRun real =
        recordAll(configOf(with(kShortRun, {{"strategy", "one-device"}, {"devices", "cpu"}})), fewDigits(96, 16));
    QVERIFY(!modelledRoofs(real.info));
    QVERIFY(isOnThisProcessor(real.info));
    const DeviceRoofs here = measuredRoofs(1);
    QVERIFY(here.source == TimeSource::Measured && here.flopPerSecond > 0 && here.bytesPerSecond > 0);
    RunInfo elsewhere = real.info;
    elsewhere.devices.front().hardware = "another processor";
    QVERIFY(!isOnThisProcessor(elsewhere));
  }

  void theBoundThatAnOperationMeets() {
    const DeviceRoofs roofs{"a device", TimeSource::Modelled, 1000e9, 100e9};
    QCOMPARE(roofs.ridge(), 10.0);
    QCOMPARE(roofs.at(2), 200e9);
    QCOMPARE(roofs.at(20), 1000e9);
    OperationRow row;
    row.kind = SpanKind::Compute;
    row.calls = 1;
    row.totalNs = 1000;
    row.flop = 100e3;  // 100 GFLOP/s
    row.bytes = 50e3;  // 2 FLOP/byte
    auto place = placeOf(row, roofs);
    QVERIFY(place && place->bound == Bound::Memory);
    QCOMPARE(place->share, 0.5);
    row.bytes = 5e3;
    place = placeOf(row, roofs);
    QVERIFY(place && place->bound == Bound::Compute);
    QCOMPARE(place->share, 0.1);
    row.launchNs = 600;
    place = placeOf(row, roofs);
    QVERIFY(place && place->bound == Bound::Launches);
    QCOMPARE(place->share, 0.6);
    row.onReplicas = false;  // computed on a server
    QVERIFY(!placeOf(row, roofs));
    row.onReplicas = true;
    row.flop = 0;
    QVERIFY(!placeOf(row, roofs));
  }
};

QTEST_GUILESS_MAIN(TestOperationTable)
#include "tst_operation_table.moc"
