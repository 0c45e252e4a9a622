// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=unsanitized
// Costs against the closed formulas of core/comm/README.md and the test vectors of core/timing/README.md. The schedules
// are built here, by code that shares nothing with core/comm, so that each checks the other.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <vector>

#include "core/base/error.h"
#include "core/timing/device_program.h"
#include "core/timing/round_cost.h"
#include "core/timing/whole_ns.h"

using namespace lab;

namespace {

// Connects every pair of ranks alike, except pairs on different hosts.
class TestNetwork {
 public:
  // alpha in us, bandwidth in GB/s, 1/gamma in GB/s. Between hosts, each rank gets its share of the given bandwidth.
  TestNetwork(double alphaUs, double gbPerSec, double addGbPerSec, std::int64_t ranks, std::int64_t hosts = 1,
              double hostAlphaUs = 1, double hostGbPerSec = 1)
      : network_(uniformCluster(ranks, hosts, "device", "inside", "between"),
                 catalogue(alphaUs, gbPerSec, addGbPerSec, hostAlphaUs, hostGbPerSec), TimingConstants::builtIn()) {}
  operator const Network&() const { return network_; }

 private:
  static Catalogue catalogue(double alphaUs, double gbPerSec, double addGbPerSec, double hostAlphaUs,
                             double hostGbPerSec) {
    DeviceModel device = Catalogue::builtIn().device("v100");
    device.id = "device";
    device.memoryGbPerSec = 3 * addGbPerSec;
    LinkModel inside = Catalogue::builtIn().link("nvlink2"), between = inside;
    inside.id = "inside";
    inside.latencyUs = alphaUs;
    inside.effectiveGbPerSec = gbPerSec;
    inside.gbPerSec = 2 * gbPerSec;  // nominal: must not be used for costs
    between.id = "between";
    between.latencyUs = hostAlphaUs;
    between.gbPerSec = between.effectiveGbPerSec = hostGbPerSec;
    return Catalogue::builtIn().mergedWith(Catalogue::of({device}, {inside, between}));
  }
  Network network_;
};

// Builds a schedule in phases; the elements of [0, n) are cut into nearly equal pieces.
class Builder {
 public:
  Builder(int ranks, std::int64_t elements) {
    schedule.ranks = ranks;
    schedule.elements = elements;
  }
  void send(int round, int from, int to, bool add, std::int64_t begin, std::int64_t end) {
    if (begin < end) schedule.transfers.push_back({round, from, to, add, begin, end - begin});
  }
  // One half of a ring over `members` on [begin, end): reduce-scatter (add) leaves piece i+1 complete at member i.
  void ringHalf(int firstRound, const std::vector<int>& members, bool add, std::int64_t begin, std::int64_t end) {
    const int p = static_cast<int>(members.size());
    const auto cut = [&](int i) { return begin + (end - begin) * i / p; };
    for (int k = 0; k < p - 1; ++k)
      for (int i = 0; i < p; ++i) {
        const int piece = ((i - k + (add ? 0 : 1)) % p + p) % p;
        send(firstRound + k, members[static_cast<std::size_t>(i)], members[static_cast<std::size_t>((i + 1) % p)], add,
             cut(piece), cut(piece + 1));
      }
  }
  Schedule take() {
    std::ranges::stable_sort(schedule.transfers, {}, &Transfer::round);
    return std::move(schedule);
  }
  Schedule schedule;
};

Schedule ring(int p, std::int64_t n) {
  Builder builder(p, n);
  std::vector<int> all;
  for (int i = 0; i < p; ++i) all.push_back(i);
  builder.ringHalf(0, all, true, 0, n);
  builder.ringHalf(p - 1, all, false, 0, n);
  return builder.take();
}

Schedule recursiveDoubling(int p, std::int64_t n) {
  Builder builder(p, n);
  for (int round = 0; 1 << round < p; ++round)
    for (int i = 0; i < p; ++i) builder.send(round, i, i ^ (1 << round), true, 0, n);
  return builder.take();
}

Schedule halvingDoubling(int p, std::int64_t n) {
  int q = 0;
  while (1 << (q + 1) <= p) ++q;
  const int half = 1 << q;
  const int fold = p > half ? 1 : 0;
  Builder builder(p, n);
  for (int i = half; i < p; ++i) builder.send(0, i, i - half, true, 0, n);
  // Rank i's part after k halvings: the pieces whose top k bits agree with i's.
  const auto part = [&](int i, int k) {
    const int width = half >> k, first = i & ~(width - 1);
    return std::pair{n * first / half, n * (first + width) / half};
  };
  for (int k = 0; k < q; ++k)
    for (int i = 0; i < half; ++i) {
      const int other = i ^ (half >> (k + 1));
      const auto [begin, end] = part(other, k + 1);
      builder.send(fold + k, i, other, true, begin, end);
      const auto [mineBegin, mineEnd] = part(i, k + 1);
      builder.send(fold + 2 * q - 1 - k, i, other, false, mineBegin, mineEnd);
    }
  for (int i = half; i < p; ++i) builder.send(fold + 2 * q, i - half, i, false, 0, n);
  return builder.take();
}

Schedule binomial(int p, std::int64_t n) {
  Builder builder(p, n);
  int depth = 0;
  while (1 << depth < p) ++depth;
  for (int k = 0; k < depth; ++k)
    for (int i = 0; i + (1 << k) < p; i += 2 << k) {
      builder.send(k, i + (1 << k), i, true, 0, n);
      builder.send(2 * depth - 1 - k, i, i + (1 << k), false, 0, n);
    }
  return builder.take();
}

// One transfer per round, so the root's port is the bottleneck.
Schedule star(int p, std::int64_t n) {
  Builder builder(p, n);
  for (int i = 1; i < p; ++i) builder.send(i - 1, i, 0, true, 0, n);
  for (int i = 1; i < p; ++i) builder.send(p - 2 + i, 0, i, false, 0, n);
  return builder.take();
}

Schedule starRoundRobin(int p, std::int64_t n) {
  Builder builder(p, n);
  for (int k = 1; k < p; ++k)
    for (int i = 0; i < p; ++i) {
      const int to = (i + k) % p;
      builder.send(k - 1, i, to, true, n * to / p, n * (to + 1) / p);
      builder.send(p - 2 + k, i, to, false, n * i / p, n * (i + 1) / p);
    }
  return builder.take();
}

// Reduce-scatter in groups of g neighbours, all-reduce of each piece across the m groups, all-gather: the hierarchical
// schedule, and the torus.
Schedule sharded(int g, int m, std::int64_t n) {
  Builder builder(g * m, n);
  for (int host = 0; host < m; ++host) {
    std::vector<int> members;
    for (int i = 0; i < g; ++i) members.push_back(host * g + i);
    builder.ringHalf(0, members, true, 0, n);
    builder.ringHalf(g - 1 + 2 * (m - 1), members, false, 0, n);
  }
  for (int i = 0; i < g; ++i) {
    std::vector<int> members;
    for (int host = 0; host < m; ++host) members.push_back(host * g + i);
    const int piece = (i + 1) % g;
    builder.ringHalf(g - 1, members, true, n * piece / g, n * (piece + 1) / g);
    builder.ringHalf(g - 1 + m - 1, members, false, n * piece / g, n * (piece + 1) / g);
  }
  return builder.take();
}

std::int64_t cost(const Schedule& schedule, const Network& network) {
  std::int64_t ns = 0;
  for (int k = 0; k < schedule.rounds(); ++k) {
    std::vector<Transfer> round;
    std::ranges::copy_if(schedule.transfers, std::back_inserter(round),
                         [k](const Transfer& t) { return t.round == k; });
    ns += wholeNs(roundNs(round, network));
  }
  return ns;
}

// The time that one device takes for a layer of this arithmetic, without launches.
double layerNs(const DeviceModel& device, Precision precision, double flop, double bytes) {
  ModelProfile model;
  model.layers.resize(1);
  model.layers.front().forwardMac = flop / 2;
  model.layers.front().activations = bytes / (precision == Precision::Float32 ? 4 : 2);
  model.layers.front().elementwisePasses = 1;
  StepRequest request;
  request.model = &model;
  request.constants = &TimingConstants::builtIn();
  request.precision = precision;
  return makeProgram(request, device, 1).forward.front().computeNs;
}

// A transfer and an addition are each rounded to a whole ns, so a chain of r rounds is within r ns of the formula; a
// piece that is longer than n/p by one element adds less than a ns a round here.
bool near(std::int64_t ns, double us, int rounds) {
  return std::abs(static_cast<double>(ns) - us * 1e3) <= 2.0 * rounds;
}

constexpr double kAlpha = 5, kBeta = 1 / 12.5e3, kGamma = 1 / 100e3;  // us, us per byte (the test vectors)

}  // namespace

class TestCostModel : public QObject {
  Q_OBJECT

 private slots:
  void operationIsARoofline() {
    DeviceModel device;
    device.fp32Tflops = 10;
    device.cnnEfficiency = 0.5;
    device.memoryGbPerSec = 100;
    device.launchOverheadUs = 3;
    // The device reaches 5 TFLOP/s and 80 GB/s.
    QCOMPARE(layerNs(device, Precision::Float32, 5e6, 0), 1000.0);
    QCOMPARE(layerNs(device, Precision::Float32, 0, 8e3), 100.0);
    QCOMPARE(layerNs(device, Precision::Float32, 5e6, 8e3), 1000.0);
    QCOMPARE(layerNs(device, Precision::Float32, 5e6, 160e3), 2000.0);
    // Without a matrix unit bfloat16 costs what float32 does.
    QCOMPARE(layerNs(device, Precision::Bfloat16, 5e6, 0), 1000.0);
  }

  // A normalisation shares its product's roofline: it takes no time while the arithmetic takes longer than all bytes,
  // and has no launches. Backwards it comes first, and the product takes what is left.
  void fusedLayersShareARoofline() {
    DeviceModel device;
    device.fp32Tflops = 10;
    device.cnnEfficiency = 0.5;
    device.memoryGbPerSec = 100;
    device.launchOverheadUs = 3;
    const auto program = [&](double bytes) {
      ModelProfile model;
      model.layers.resize(2);
      model.layers[0].forwardMac = 2.5e6;  // 1,000 ns
      model.layers[1].activations = bytes / 4;
      model.layers[1].elementwisePasses = 1;
      model.layers[1].fusedWith = 0;
      StepRequest request;
      request.model = &model;
      request.constants = &TimingConstants::builtIn();
      return makeProgram(request, device, 1);
    };
    for (const auto& [bytes, longerNs] : {std::pair(40e3, 0.0), {160e3, 1000.0}}) {
      const DeviceProgram made = program(bytes);
      QCOMPARE(made.forward[0].computeNs, 1000.0);
      QCOMPARE(made.forward[1].computeNs, longerNs);
      QVERIFY(made.forward[0].launchNs > 0);
      QCOMPARE(made.forward[1].launchNs, 0.0);
      // The bytes count 1.5 times, the first layer's arithmetic once.
      QCOMPARE(made.backward[0].computeNs, 1.5 * bytes / 80);
      QCOMPARE(made.backward[1].computeNs, std::max(0.0, 1000 - 1.5 * bytes / 80));
      QCOMPARE(made.backward[0].launchNs, 0.0);
      QVERIFY(made.backward[1].launchNs > 0);
    }
  }

  // Peaks of 10 and 100 TFLOP/s, of which float32 reaches a half and mixed precision 0.2. tf32 units run halves twice
  // as fast. A format that a unit does not know counts as float32, in time and in bytes.
  void operandsChooseThePeak_data() {
    QTest::addColumn<QString>("unit");
    QTest::addColumn<QString>("formats");
    QTest::addColumn<QList<double>>("ns");  // float32, mixed, bfloat16
    QTest::newRow("fp16 unit") << "fp16 tensor"
                               << "fp16" << QList<double>{1000, 250, 1000};
    QTest::newRow("bf16 unit") << "bf16 MXU"
                               << "bf16" << QList<double>{1000, 100, 100};
    QTest::newRow("tf32 unit") << "tf32 tensor (200 fp16/bf16)"
                               << "tf32 fp16 bf16" << QList<double>{100, 100, 100};
    QTest::newRow("fp16 unit of Ampere") << "fp16 tensor"
                                         << "tf32 fp16 bf16" << QList<double>{1000, 250, 250};
    QTest::newRow("no unit") << ""
                             << "" << QList<double>{1000, 1000, 1000};
  }
  void operandsChooseThePeak() {
    QFETCH(QString, unit);
    QFETCH(QString, formats);
    QFETCH(QList<double>, ns);
    DeviceModel device;
    device.fp32Tflops = 10;
    device.matrixTflops = unit.isEmpty() ? 0 : 100;
    device.matrixPrecision = unit.toStdString();
    device.matrixFormats.emplace();
    for (const MatrixFormat format : {MatrixFormat::Tf32, MatrixFormat::Fp16, MatrixFormat::Bf16})
      if (formats.contains(QString::fromStdString(std::string(toString(format)))))
        device.matrixFormats->push_back(format);
    device.cnnEfficiency = 0.5;
    device.memoryGbPerSec = 100;
    const std::array operands{Precision::Float32, Precision::Mixed, Precision::Bfloat16};
    for (std::size_t i = 0; i < operands.size(); ++i) {
      QCOMPARE(layerNs(device, operands[i], 5e6, 0), ns[static_cast<qsizetype>(i)]);
      const bool isFloat32 = precisionOn(device, operands[i]) == Precision::Float32;
      // layerNs() counts its bytes as halves if the operands are.
      QCOMPARE(layerNs(device, operands[i], 0, 8e3), i > 0 && isFloat32 ? 200.0 : 100.0);
      QCOMPARE(whyFloat32(device, operands[i]).empty(), i == 0 || !isFloat32);
    }
  }

  // On an H100, bfloat16 is as fast as mixed precision, on the same units; a V100 has no units for it.
  void bfloat16IsTheDevices() {
    const auto ns = [](const char* device, Precision precision) {
      return layerNs(Catalogue::builtIn().device(device), precision, 1e12, 0);
    };
    for (const char* device : {"h100", "a100", "b200", "l40s", "rtx4090"}) {
      QCOMPARE(ns(device, Precision::Bfloat16), ns(device, Precision::Mixed));
      QVERIFY(ns(device, Precision::Bfloat16) <= ns(device, Precision::Float32));
    }
    for (const char* device : {"v100", "p100", "t4", "k80"})
      QCOMPARE(ns(device, Precision::Bfloat16), ns(device, Precision::Float32));
    for (const DeviceModel& device : Catalogue::builtIn().devices())
      QVERIFY2(ns(device.id.c_str(), Precision::Mixed) <= ns(device.id.c_str(), Precision::Float32), device.id.c_str());
  }

  // The model gives back the rate that the catalogue's efficiency was derived from: images/s and FLOP per image as its
  // eff_source names them (large batches, so launches do not count).
  void calibrationRowsComeBack_data() {
    QTest::addColumn<QString>("device");
    QTest::addColumn<int>("operands");
    QTest::addColumn<double>("imagesPerSecond");
    QTest::addColumn<double>("gflopPerImage");
    QTest::newRow("R028") << "v100" << int(Precision::Float32) << 384.0 << 24.54;
    QTest::newRow("R002") << "p100" << int(Precision::Float32) << 219.0 << 23.15;
    QTest::newRow("R078") << "h100" << int(Precision::Float32) << 1894.0 << 24.54;
    QTest::newRow("R099") << "tpu_v3_core" << int(Precision::Bfloat16) << 976.0 << 24.54;
    QTest::newRow("R062") << "cpu_xeon_e5_2620v4_core" << int(Precision::Float32) << 16.74 << 1.88;
  }
  void calibrationRowsComeBack() {
    QFETCH(QString, device);
    QFETCH(int, operands);
    QFETCH(double, imagesPerSecond);
    QFETCH(double, gflopPerImage);
    const double ns = layerNs(Catalogue::builtIn().device(device.toStdString()), static_cast<Precision>(operands),
                              gflopPerImage * 1e9, 0);
    // The efficiencies have two or three digits.
    QVERIFY2(std::abs(1e9 / ns / imagesPerSecond - 1) < 0.02, qPrintable(QString::number(ns)));
  }

  void aTransferAndAnAddition() {
    const TestNetwork network(2.5, 10, 100, 2);
    const std::vector<Transfer> copy{{0, 0, 1, false, 0, 250'000}}, add{{0, 0, 1, true, 0, 250'000}};
    QCOMPARE(roundNs(copy, network), 102'500.0);
    QCOMPARE(roundNs(add, network), 112'500.0);
  }

  void brokenArgumentsAreOurMistake() {
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, wholeNs(-1));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, wholeNs(std::numeric_limits<double>::quiet_NaN()));
    QVERIFY_THROWS_EXCEPTION(BrokenInvariant, sumNs(-1, 1));
  }

  // Hardware that a person describes may be slower than whole nanoseconds can count: this is refused, not computed.
  void whatIsTooLongIsRefused() {
    for (const double ns :
         {1.001 * static_cast<double>(kLongestStepNs), 1e19, 1e300, std::numeric_limits<double>::infinity()})
      QVERIFY_THROWS_EXCEPTION(UserError, wholeNs(ns));
    QCOMPARE(wholeNs(static_cast<double>(kLongestStepNs)), kLongestStepNs);
    QCOMPARE(sumNs(kLongestStepNs - 1, 1), kLongestStepNs);
    QVERIFY_THROWS_EXCEPTION(UserError, sumNs(kLongestStepNs, 1));
    QCOMPARE(sumNs(kLongestStepNs, 1, kLongestRunNs), kLongestStepNs + 1);
    QVERIFY_THROWS_EXCEPTION(UserError, sumNs(INT64_MAX, INT64_MAX, kLongestRunNs));
  }

  // The mean is the sum's quotient, rounded down, even if the sum is too large for 64 bits.
  void aMeanNeedsNoSum() {
    MeanNs mean(3), large(65536);
    for (const std::int64_t ns : {4, 5, 8}) mean.add(ns);  // 17 / 3
    QCOMPARE(mean.ns(), std::int64_t{5});
    QCOMPARE(mean.lost(), std::int64_t{2});
    large.add(kLongestStepNs, 65535);
    large.add(kLongestStepNs - 1);
    QCOMPARE(large.ns(), kLongestStepNs - 1);
    QCOMPARE(large.lost(), std::int64_t{65535});
  }

  // core/timing/README.md, Test vectors: in us with two decimals.
  void testVectors_data() {
    QTest::addColumn<int>("bytes");
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QList<double>>("us");
    const auto row = [](int bytes, int ranks, QList<double> us) {
      QTest::addRow("%d bytes, %d ranks", bytes, ranks) << bytes << ranks << us;
    };
    // ring, recursive doubling, halving-doubling, binomial, star, star round-robin
    row(4096, 4, {30.52, 10.74, 20.52, 21.39, 32.09, 30.52});
    row(4096, 6, {50.58, 0, 31.22, 32.09, 53.48, 50.58});  // here, recursive doubling is for powers of two only
    row(4096, 16, {150.65, 21.47, 40.65, 42.79, 160.44, 150.65});
    row(1388584, 2, {128.03, 129.97, 128.03, 246.06, 246.06, 128.03});
    row(1388584, 8, {276.55, 389.92, 236.55, 738.18, 1722.41, 276.55});
    row(102200000, 8, {15272.25, 27609.00, 15232.25, 52152.00, 121688.00, 15272.25});
    row(102200000, 16, {16438.12, 36812.00, 16328.12, 69536.00, 260760.00, 16438.12});
  }
  void testVectors() {
    QFETCH(int, bytes);
    QFETCH(int, ranks);
    QFETCH(QList<double>, us);
    const TestNetwork network(5, 12.5, 100, ranks);
    const std::function<Schedule(int, std::int64_t)> makers[] = {ring, recursiveDoubling, halvingDoubling, binomial,
                                                                 star, starRoundRobin};
    for (int i = 0; i < us.size(); ++i) {
      if (us[i] == 0) continue;
      const Schedule schedule = makers[i](ranks, bytes / 4);
      const std::int64_t ns = cost(schedule, network);
      // Half a unit of the last decimal, and the rounding of each transfer (the star's queue at the root).
      const double allowed = 5 + 2.0 * std::max(schedule.rounds(), 2 * (ranks - 1));
      QVERIFY2(std::abs(static_cast<double>(ns) - us[i] * 1e3) <= allowed,
               qPrintable(QString("algorithm %1: %2 ns, expected %3 us").arg(i).arg(ns).arg(us[i])));
    }
  }

  void closedFormulas_data() {
    QTest::addColumn<int>("p");
    for (const int p : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 32}) QTest::addRow("%d ranks", p) << p;
  }
  void closedFormulas() {
    QFETCH(int, p);
    const TestNetwork network(kAlpha, 12.5, 100, p);
    const std::int64_t elements = 347'146;
    const double n = 4.0 * static_cast<double>(elements);
    const double share = static_cast<double>(p - 1) / p;
    const double ringUs = 2 * (p - 1) * kAlpha + 2 * share * n * kBeta + share * n * kGamma;
    QVERIFY(near(cost(ring(p, elements), network), ringUs, 2 * (p - 1)));
    QVERIFY(near(cost(starRoundRobin(p, elements), network), ringUs, 2 * (p - 1)));

    const int depth = static_cast<int>(std::ceil(std::log2(p)));
    const double binomialUs = 2 * depth * (kAlpha + n * kBeta) + depth * n * kGamma;
    QVERIFY(near(cost(binomial(p, elements), network), binomialUs, 2 * depth));

    const double starUs = 2 * (p - 1) * (kAlpha + n * kBeta) + (p - 1) * n * kGamma;
    QVERIFY(near(cost(star(p, elements), network), starUs, 2 * (p - 1)));

    const int q = static_cast<int>(std::log2(p));
    const double halfShare = 1 - 1.0 / (1 << q);
    const double foldUs = p == 1 << q ? 0 : 2 * kAlpha + 2 * n * kBeta + n * kGamma;
    const double halvingUs = 2 * q * kAlpha + halfShare * n * (2 * kBeta + kGamma) + foldUs;
    QVERIFY(near(cost(halvingDoubling(p, elements), network), halvingUs, 2 * q + 2));
    if (p == 1) QCOMPARE(cost(ring(p, elements), network), 0);
  }

  void hierarchicalSharded() {
    // Vector: g = 8, m = 4, n = 102.2 MB, in node 3 us and 120 GB/s, between nodes 10 us and 12 GB/s shared by the
    // node's 8 devices, gamma = 1/(500 GB/s): 14.565 ms.
    const TestNetwork network(3, 120, 500, 32, 4, 10, 12);
    const std::int64_t ns = cost(sharded(8, 4, 102'200'000 / 4), network);
    QVERIFY2(std::abs(static_cast<double>(ns) - 14.565e6) <= 500, qPrintable(QString::number(ns)));
  }

  void torus_data() {
    QTest::addColumn<int>("x");
    QTest::addColumn<int>("y");
    QTest::newRow("2x4") << 2 << 4;
    QTest::newRow("4x4") << 4 << 4;
    QTest::newRow("3x5") << 3 << 5;
    QTest::newRow("1x7") << 1 << 7;
  }
  void torus() {
    QFETCH(int, x);
    QFETCH(int, y);
    const std::int64_t elements = 720'720;
    const double n = 4.0 * static_cast<double>(elements);
    const double added = (x - 1.0) / x + (y - 1.0) / (x * y);  // shares of n that are sent, and added, one way
    const double us = 2 * (x - 1 + y - 1) * kAlpha + 2 * added * n * kBeta + added * n * kGamma;
    QVERIFY(near(cost(sharded(x, y, elements), TestNetwork(kAlpha, 12.5, 100, x * y)), us, 2 * (x + y - 2)));
  }

  void aRankSendsAndReceivesAtOnce() {
    const TestNetwork network(1, 1, 1, 3);
    const std::vector<Transfer> exchange{{0, 0, 1, false, 0, 5}, {0, 1, 0, false, 5, 5}};
    QCOMPARE(roundNs(exchange, network), 1020.0);
    // Two transfers from one port share it.
    const std::vector<Transfer> both{{0, 1, 0, false, 0, 5}, {0, 1, 2, false, 0, 5}};
    QCOMPARE(roundNs(both, network), 1040.0);
  }

  // Eight devices on PCIe: four below each of two sockets, whose link carries bytes both ways at once.
  void socketsAreFullDuplex() {
    const Network network(uniformCluster(8, 1, "v100", "pcie3_x16", ""), Catalogue::builtIn(),
                          TimingConstants::builtIn());
    const std::vector<Transfer> there{{0, 0, 4, false, 0, 1'000'000}};
    const std::vector<Transfer> both{{0, 0, 4, false, 0, 1'000'000}, {0, 4, 0, false, 0, 1'000'000}};
    QCOMPARE(roundNs(both, network), roundNs(there, network));
    // Two transfers the same way share it.
    const LinkModel &sockets = Catalogue::builtIn().link("qpi_upi"), &pcie = Catalogue::builtIn().link("pcie3_x16");
    const std::vector<Transfer> sameWay{{0, 0, 4, false, 0, 1'000'000}, {0, 1, 5, false, 0, 1'000'000}};
    const double perByte = std::max(2 / sockets.effectiveGbPerSec,
                                    2 * TimingConstants::builtIn()["pcie.root_port_factor"] / pcie.effectiveGbPerSec);
    QCOMPARE(roundNs(sameWay, network), pcie.latencyUs * 1e3 + 4e6 * perByte);
  }

  // TCP reaches all of a link of 10 Gb/s, a share of one of 25 Gb/s, and between them no less on the quicker one.
  void quickerLinksAreNotSlowerOverTcp() {
    const TimingConstants& constants = TimingConstants::builtIn();
    for (const NetTransport transport : {NetTransport::Tcp, NetTransport::Grpc}) {
      double before = 0;
      for (int gigabits = 1; gigabits <= 400; ++gigabits) {
        LinkModel link;
        link.family = LinkFamily::Ethernet;
        link.gbPerSec = gigabits / 8.0;
        link.effectiveGbPerSec = 0.93 * link.gbPerSec;
        const double now = transportBandwidth(link, transport, constants);
        QVERIFY2(now >= before, qPrintable(QString::number(gigabits)));
        before = now;
      }
      QCOMPARE(before, constants["transport.tcp_max_gb_per_s"]);
      const LinkModel &slow = Catalogue::builtIn().link("eth_10g"), &quick = Catalogue::builtIn().link("eth_25g");
      QCOMPARE(transportBandwidth(slow, transport, constants), slow.effectiveGbPerSec);
      QCOMPARE(transportBandwidth(quick, transport, constants), constants["transport.tcp_share"] * quick.gbPerSec);
    }
  }

  void invariantsOfAllReduce() {
    std::int64_t before = 0;
    for (int p = 1; p <= 64; p *= 2) {
      const std::int64_t now = cost(ring(p, 347'146), TestNetwork(5, 12.5, 100, p));
      QVERIFY(now >= before);
      before = now;
    }
    const TestNetwork network(5, 12.5, 100, 8);
    for (const std::int64_t n : {1, 2, 100, 1000, 100'000})
      QVERIFY(cost(halvingDoubling(8, n), network) <= cost(halvingDoubling(8, 2 * n), network));
  }
};

QTEST_GUILESS_MAIN(TestCostModel)
#include "tst_cost_model.moc"
