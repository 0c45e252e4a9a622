// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules on a network: the fast cost is compared with the event simulation, and both with the closed formulas
// (core/timing/README.md).
#include <QTest>

#include <algorithm>
#include <cmath>

#include "core/options/network_of.h"
#include "core/timing/round_cost.h"
#include "tests/support/flow_simulation.h"

using namespace lab;

namespace {

// The reference's test vectors: alpha 5 µs, 12.5 GB/s, gamma 1 / (100 GB/s); a second pair for hierarchies.
Catalogue vectorsCatalogue() {
  return Catalogue::parse(
      "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,mem_gb_per_s,"
      "mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,link_gb_per_s_per_dir,"
      "link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,latency_source,notes\n"
      "device,d,D,1,s,,,,16,300,s,1,s,0.5,s,,,,,,,\n"
      "device,d500,D,1,s,,,,16,1500,s,1,s,0.5,s,,,,,,,\n"
      "link,l,L,,,,,,,,,,,,,12.5,s,12.5,s,5,s,\n"
      "link,in,I,,,,,,,,,,,,,120,s,120,s,3,s,\n"
      "link,net,N,,,,,,,,,,,,,12,s,12,s,10,s,\n"
      "link,qpi_upi,Q,,,,,,,,,,,,,10,s,10,s,5,s,\n",
      "vectors");
}

Network networkOf(int ranks, int hosts, const std::string& device = "d", const std::string& link = "l",
                  const std::string& hostLink = "l") {
  return Network(uniformCluster(ranks, hosts, device, link, hostLink), vectorsCatalogue(), TimingConstants::builtIn());
}

std::int64_t simulatedNs(const RoundSchedule& schedule, const Network& network) {
  const std::vector<std::int64_t> ready(static_cast<std::size_t>(network.devices()), 0);
  const std::vector<std::int64_t> done = test::simulateRounds(schedule, network, ready);
  return *std::ranges::max_element(done);
}

}  // namespace

class TestFlowSimulation : public QObject {
  Q_OBJECT

 private slots:
  void closedFormulas_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<double>("bytes");
    QTest::addColumn<double>("us");
    const auto row = [](const char* name, Reducer kind, int ranks, double bytes, double us) {
      QTest::newRow(name) << static_cast<int>(kind) << ranks << bytes << us;
    };
    row("ring 4 small", Reducer::Ring, 4, 4096, 30.52);
    row("ring 6 small", Reducer::Ring, 6, 4096, 50.58);
    row("ring 16 small", Reducer::Ring, 16, 4096, 150.65);
    row("ring 8 CNN", Reducer::Ring, 8, 1388584, 276.55);
    row("ring 8 large", Reducer::Ring, 8, 102.2e6, 15272.25);
    row("ring 16 large", Reducer::Ring, 16, 102.2e6, 16438.12);
    row("halving-doubling 4", Reducer::HalvingDoubling, 4, 4096, 20.52);
    row("halving-doubling 6", Reducer::HalvingDoubling, 6, 4096, 31.22);
    row("halving-doubling 8", Reducer::HalvingDoubling, 8, 1388584, 236.55);
    row("halving-doubling 16", Reducer::HalvingDoubling, 16, 102.2e6, 16328.12);
    row("binomial 4", Reducer::Tree, 4, 4096, 21.39);
    row("binomial 8", Reducer::Tree, 8, 1388584, 738.18);
    row("star 4", Reducer::OneDevice, 4, 4096, 32.09);
    row("star 8", Reducer::OneDevice, 8, 1388584, 1722.41);
    row("star 16", Reducer::OneDevice, 16, 102.2e6, 260760.00);
  }
  void closedFormulas() {
    QFETCH(int, kind);
    QFETCH(int, ranks);
    QFETCH(double, bytes);
    QFETCH(double, us);
    const auto schedule = makeRoundSchedule(static_cast<Reducer>(kind), ranks, 1, static_cast<std::int64_t>(bytes / 4));
    const Network network = networkOf(ranks, 1);
    // Chunks are whole elements, which costs up to a nanosecond per round; the vectors have two digits.
    const double tolerance = 0.006 + 0.001 * schedule->rounds();
    const double cost = static_cast<double>(costOfRounds(*schedule, network).ns) / 1e3;
    QVERIFY2(std::abs(cost - us) <= tolerance, qPrintable(QString("priced %1").arg(cost)));
    const double simulated = static_cast<double>(simulatedNs(*schedule, network)) / 1e3;
    QVERIFY2(std::abs(simulated - us) <= tolerance, qPrintable(QString("simulated %1").arg(simulated)));
  }

  void hierarchicalSharded() {
    // g = 8, m = 4: 14.565 ms.
    const auto schedule = makeRoundSchedule(Reducer::Hierarchical, 32, 4, 25'550'000);
    const Network network = networkOf(32, 4, "d500", "in", "net");
    const double ms = static_cast<double>(costOfRounds(*schedule, network).ns) / 1e6;
    QVERIFY2(std::abs(ms - 14.565) < 0.001, qPrintable(QString::number(ms)));
    const double simulated = static_cast<double>(simulatedNs(*schedule, network)) / 1e6;
    QVERIFY2(std::abs(simulated - 14.565) < 0.001, qPrintable(QString::number(simulated)));
  }

  // Every schedule, many sizes, one and several hosts: if the ranks are alike, the fast cost equals the simulation's.
  void fastPriceIsTheEvents() {
    for (const Reducer kind : kSchedules)
      for (const auto& [ranks, hosts] :
           std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {3, 1}, {6, 1}, {8, 1}, {8, 2}, {12, 3}, {16, 4}})
        for (const std::int64_t elements : {0, 5, 1000, 347146}) {
          const auto schedule = makeRoundSchedule(kind, ranks, hosts, elements);
          const Network network = networkOf(ranks, hosts, "d", "in", "net");
          const double fast = static_cast<double>(costOfRounds(*schedule, network).ns);
          const double slow = static_cast<double>(simulatedNs(*schedule, network));
          // Across hosts the ranks of a ring differ: those far from the boundary are ahead, and never late.
          const bool alike = hosts == 1 || kind == Reducer::Hierarchical;
          const QString what = QString("%1 of %2 on %3, %4: %5 and %6")
                                   .arg(QString::fromStdString(std::string(toString(kind))))
                                   .arg(ranks)
                                   .arg(hosts)
                                   .arg(elements)
                                   .arg(fast)
                                   .arg(slow);
          // With 5 elements over 8 ranks, most ranks have nothing to send in a round, so they differ too.
          const double tolerance = 2.0 * schedule->rounds() + (elements == 5 ? 0.5 * fast : 0.001 * fast);
          if (alike) QVERIFY2(std::abs(fast - slow) <= tolerance, qPrintable(what));
          QVERIFY2(slow <= fast + tolerance, qPrintable(what));
        }
  }

  void aStragglerHoldsUpTheRing() {
    const auto schedule = makeRoundSchedule(Reducer::Ring, 4, 1, 100'000);
    const Network network = networkOf(4, 1);
    const std::int64_t even = simulatedNs(*schedule, network);
    const std::vector<std::int64_t> ready{0, 0, 700'000, 0};
    const std::vector<std::int64_t> done = test::simulateRounds(*schedule, network, ready);
    const std::int64_t last = *std::ranges::max_element(done);
    QVERIFY(last > even && last <= even + 700'000);
  }

  void fairRatesFillProgressively() {
    // Two hosts of two devices: both pairs share the NIC of 12; a transfer inside a host has its port of 120 to itself.
    const Network network = networkOf(4, 2, "d", "in", "net");
    const std::vector<Network::Route> flows{network.route(0, 2), network.route(1, 3), network.route(0, 1)};
    const std::vector<double> rates = test::fairRates(flows, network);
    QVERIFY(std::abs(rates[0] - 6) < 1e-9 && std::abs(rates[1] - 6) < 1e-9);
    QVERIFY(std::abs(rates[2] - 114) < 1e-9);  // 6 of the 120 of device 0's port are taken
  }

  void monotone() {
    for (const Reducer kind : {Reducer::Ring, Reducer::HalvingDoubling, Reducer::Tree}) {
      std::int64_t before = 0;
      for (int ranks = 1; ranks <= 64; ranks *= 2) {
        const Network network = networkOf(ranks, 1);
        std::int64_t smaller = 0;
        for (const std::int64_t elements : {1000, 10'000, 1'000'000}) {
          const std::int64_t ns = costOfRounds(*makeRoundSchedule(kind, ranks, 1, elements), network).ns;
          QVERIFY(ns >= smaller);
          // The bandwidth bound: 2(p − 1)/p · n / B.
          QVERIFY(static_cast<double>(ns) >= 2.0 * (ranks - 1) / ranks * 4 * static_cast<double>(elements) / 12.5 - 1);
          smaller = ns;
        }
        QVERIFY(smaller >= before);
        before = smaller;
      }
    }
  }

  void roundsOfARunAreAlike() {
    for (const Reducer kind : {Reducer::Ring, Reducer::Hierarchical, Reducer::Torus}) {
      const auto schedule = makeRoundSchedule(kind, 12, 3, 1003);
      std::vector<Transfer> first, other;
      for (int k = 0; k < schedule->rounds(); k += schedule->runLength(k)) {
        QVERIFY(schedule->runLength(k) >= 1);
        schedule->round(k, first);
        for (int i = k + 1; i < k + schedule->runLength(k); ++i) {
          schedule->round(i, other);
          QCOMPARE(other.size(), first.size());
          for (std::size_t t = 0; t < first.size(); ++t) {
            QCOMPARE(other[t].from, first[t].from);
            QCOMPARE(other[t].to, first[t].to);
            QCOMPARE(other[t].add, first[t].add);
            QVERIFY(std::abs(other[t].count - first[t].count) <= 1);
          }
        }
      }
    }
  }

  void manyRanksFitIntoMemory() {
    // 537 million transfers, but only one round is held in memory.
    const auto schedule = makeRoundSchedule(Reducer::Ring, 16384, 1, 25'557'032);
    const Network network = networkOf(16384, 2048, "d", "in", "net");
    const RoundsCost cost = costOfRounds(*schedule, network);
    QVERIFY(cost.ns > 0);
    // Each rank sends 2(p − 1)/p · n.
    const double expected = 2.0 * 16383 / 16384 * 4 * 25'557'032;
    QVERIFY(std::abs(cost.resourceBytes[0] / expected - 1) < 0.01);
  }
};

QTEST_GUILESS_MAIN(TestFlowSimulation)
#include "tst_flow_simulation.moc"
