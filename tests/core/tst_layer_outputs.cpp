// SPDX-License-Identifier: GPL-3.0-or-later
// Layer outputs that are computed again for a replica's images equal the step's: they end in the recorded losses and
// predictions. And each value equals the sum that the program shows for it.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/replay/classify.h"
#include "core/replay/layer_outputs.h"
#include "core/training/trainer.h"
#include "tests/support/normed_network.h"
#include "tests/support/records.h"

using namespace lab;

namespace {

struct Recorded {
  RunInfo info;
  std::shared_ptr<const StepRecord> step;

  Examples imagesOf(const ReplicaStep& replica) const {
    const Examples& all = info.data->train;
    Examples some{.count = std::ssize(replica.shard), .shape = all.shape};
    for (const std::int64_t example : replica.shard) {
      some.pixels.insert(some.pixels.end(), all.image(example), all.image(example) + all.imageSize());
      some.labels.push_back(all.labels[static_cast<std::size_t>(example)]);
    }
    return some;
  }
};

Recorded recordSteps(const QStringList& settings, int steps = 3) {
  RunSettings config;
  config.dataset = "digits";
  config.evalEvery = 0;
  config.threads = 2;
  for (const QString& each : settings)
    configField(each.section(QLatin1Char('='), 0, 0).toStdString())
        .set(config, each.section(QLatin1Char('='), 1).toStdString());
  Telemetry telemetry;
  Trainer trainer(resolve(config), openDataset(config), telemetry);
  Recorded recorded;
  for (int i = 0; i < steps; ++i) recorded.step = test::recordedStep(trainer, telemetry);
  recorded.info = trainer.info();
  return recorded;
}

// The loss from logits, or from probabilities if `softmax`.
double lossOf(std::span<const float> outputs, int label, bool softmax) {
  if (softmax) return -std::log(static_cast<double>(outputs[static_cast<std::size_t>(label)]));
  const auto largest = static_cast<double>(std::ranges::max(outputs));
  double sum = 0;
  for (const float each : outputs) sum += std::exp(static_cast<double>(each) - largest);
  return std::log(sum) + largest - static_cast<double>(outputs[static_cast<std::size_t>(label)]);
}

}  // namespace

class TestLayerOutputs : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(folder_.isValid()); }

  void theyAreTheSteps_data() {
    QTest::addColumn<QStringList>("settings");
    const QString normed = test::normedNetworkFile(folder_.path(), false);
    QVERIFY(!normed.isEmpty());
    QTest::newRow("course") << QStringList{"strategy=mirrored", "replicas=2", "global-batch=12"};
    QTest::newRow("unequal shards") << QStringList{"strategy=mirrored", "replicas=3", "global-batch=10"};
    QTest::newRow("bfloat16") << QStringList{"strategy=tpu", "replicas=2", "global-batch=8"};
    QTest::newRow("asynchronous") << QStringList{"strategy=parameter-server", "replicas=2", "batch-per-replica=5"};
    QTest::newRow("dropout, asynchronous")
        << QStringList{"strategy=parameter-server", "replicas=2", "batch-per-replica=8", "network=" + normed};
    QTest::newRow("mlp") << QStringList{"strategy=default", "network=mlp", "global-batch=6"};
    QTest::newRow("dropout, normalised") << QStringList{"strategy=mirrored", "replicas=2", "global-batch=16",
                                                        "network=" + normed};
    QTest::newRow("dropout, hosts") << QStringList{"strategy=multi-worker-mirrored", "replicas=4", "hosts=2",
                                                   "global-batch=14", "network=" + normed};
    QTest::newRow("cifar10") << QStringList{"strategy=mirrored", "replicas=2", "global-batch=6", "network=cifar10",
                                            "dataset=colour"};
  }
  void theyAreTheSteps() {
    QFETCH(QStringList, settings);
    const Recorded recorded = recordSteps(settings);
    const StepRecord& step = *recorded.step;
    const NeuralNetwork& network = *recorded.info.network;
    const bool asynchronous = step.metric.worker.has_value();
    const std::vector<float> moving(static_cast<std::size_t>(network.statistics().size()));
    int compared = 0;
    for (std::size_t r = 0; r < step.replicas.size(); ++r) {
      const ReplicaStep& replica = step.replicas[r];
      const std::int64_t version = asynchronous ? replica.version : step.metric.step - 1;
      const BatchPlace at = placeOf(recorded.info, step, static_cast<int>(r));
      const std::vector<float>& weights = version == step.metric.step ? step.weightsAfter : step.weightsBefore;
      if (replica.losses.empty() || (version != step.metric.step && version != step.metric.step - 1)) continue;
      const Examples images = recorded.imagesOf(replica);
      const auto outputs = layerOutputs(images, weights, moving, at, recorded.info.config);
      QCOMPARE(outputs.size(), network.layers().size());
      const auto classes = static_cast<std::size_t>(network.classes());
      for (std::size_t i = 0; i < replica.losses.size(); ++i, ++compared) {
        const std::span<const float> last = std::span(outputs.back()).subspan(i * classes, classes);
        const double loss = lossOf(last, images.labels[i], network.layers().back().softmax);
        const double recordedLoss = static_cast<double>(replica.losses[i]);
        QVERIFY2(
            std::abs(loss - recordedLoss) <= 1e-4 * (1 + recordedLoss),
            qPrintable(QStringLiteral("replica %1, image %2: %3 is not %4").arg(r).arg(i).arg(loss).arg(recordedLoss)));
        QCOMPARE(static_cast<int>(std::ranges::max_element(last) - last.begin()),
                 static_cast<int>(replica.predictions[i]));
      }
    }
    QVERIFY(compared >= 5);
  }

  // Two hosts take the global batch's parts in turn, so other replicas have them, but they drop the same units.
  void dropoutDoesNotDependOnHosts() {
    const QString network = "network=" + test::normedNetworkFile(folder_.path(), false);
    const auto lossesOfFirst = [&](const QStringList& settings) {
      const Recorded recorded = recordSteps(QStringList{"replicas=4", "global-batch=16", network} + settings, 1);
      std::map<std::int64_t, float> losses;
      for (const ReplicaStep& replica : recorded.step->replicas)
        for (std::size_t i = 0; i < replica.shard.size(); ++i) losses[replica.shard[i]] = replica.losses[i];
      return losses;
    };
    const auto expected = lossesOfFirst({"strategy=mirrored"});
    QCOMPARE(expected.size(), std::size_t{16});
    QVERIFY(lossesOfFirst({"strategy=multi-worker-mirrored", "hosts=2"}) == expected);
    QVERIFY(lossesOfFirst({"strategy=multi-worker-mirrored", "hosts=4"}) == expected);
  }

  // About every tenth value of every layer is compared with its sum in double.
  void valuesAreTheirSums_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::newRow("course") << QStringList{"strategy=default", "global-batch=3"};
    QTest::newRow("cifar10") << QStringList{"strategy=default", "global-batch=2", "network=cifar10", "dataset=colour"};
  }
  void valuesAreTheirSums() {
    QFETCH(QStringList, settings);
    const Recorded recorded = recordSteps(settings);
    const NeuralNetwork& network = *recorded.info.network;
    const std::vector<float>& weights = recorded.step->weightsBefore;
    Examples image = recorded.imagesOf(recorded.step->replicas.front());
    image.count = 1;
    image.pixels.resize(static_cast<std::size_t>(image.imageSize()));
    image.labels.resize(1);
    const auto outputs = layerOutputs(image, weights, {}, {}, recorded.info.config);
    std::vector<float> pixels;
    for (const std::uint8_t pixel : image.pixels) pixels.push_back(static_cast<float>(pixel) / 255.0F);
    for (std::size_t layer = 0; layer < outputs.size(); ++layer) {
      if (network.layers()[layer].kind == NetworkLayer::Kind::Flatten) continue;
      const std::vector<std::int64_t>& shape = network.layers()[layer].output;
      const std::vector<float>& input = layer == 0 ? pixels : outputs[layer - 1];
      for (std::size_t i = 0; i < outputs[layer].size(); i += 7) {
        const auto element = static_cast<std::int64_t>(i);
        const std::int64_t channel = element % shape.back(), pixel = element / shape.back();
        const std::int64_t columns = shape.size() == 3 ? shape[1] : 1;
        const UnitSum unit = unitSum(network, layer, channel, pixel / columns, pixel % columns, input, weights);
        const auto value = static_cast<double>(outputs[layer][i]);
        QVERIFY2(std::abs(unit.value - value) <= 2e-4 * (1 + std::abs(value)),
                 qPrintable(QStringLiteral("layer %1, element %2").arg(layer).arg(i)));
        double terms = 0;
        for (const double each : unit.terms) terms += each;
        if (!unit.terms.empty()) QVERIFY(std::abs(terms - unit.sum) < 1e-9);
        for (std::size_t t = 0; t < unit.inputs.size(); ++t)
          QVERIFY(std::abs(unit.inputs[t] * unit.kernel[t] - unit.terms[t]) < 1e-12);
      }
    }
  }

 private:
  QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestLayerOutputs)
#include "tst_layer_outputs.moc"
