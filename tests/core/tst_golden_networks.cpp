// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: label=long cost=22
// Networks other than the course's against the float64 trajectories in golden/networks, under the strategies that
// reproduce them, with one thread and two. Needs the reference folder.
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/model/neural_network.h"
#include "tests/support/cpu_path.h"
#include "tests/support/reference.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

struct NetworkCase {
  nlohmann::json json;
  std::vector<double> losses;
  bool cifar = false;
};

NetworkCase readCase(const std::string& name) {
  std::ifstream file(referenceDir() / "golden" / "networks" / (name + ".json"));
  NetworkCase result;
  result.json = nlohmann::json::parse(file);
  result.json.at("losses").get_to(result.losses);
  result.cifar = result.json.at("dataset") == "colour";
  return result;
}

const std::vector<std::string> kCases{"cifar10-adam-1", "cifar10-sgd-2", "mlp-adam-4", "same-sgd-3"};

}  // namespace

class TestGoldenNetworks : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::map<std::string, NetworkCase> cases_;

 private slots:
  void initTestCase() {
    LAB_SKIP_WITHOUT_FORCED_CPU_PATH();
    if (referenceDir().empty()) QSKIP("the reference folder is not here: set STRATEGYLAB_REFERENCE_DIR");
    for (const std::string& name : kCases) cases_[name] = readCase(name);
    const std::filesystem::path colour = referenceDir() / "golden" / "networks" / "colour.bin";
    const std::filesystem::path folder = folder_.path().toStdString();
    for (const char* file : {"data_batch_1.bin", "test_batch.bin"}) std::filesystem::copy_file(colour, folder / file);
  }

  void golden_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QString>("devices");
    QTest::addColumn<int>("threads");
    for (const std::string& name : kCases)
      for (const char* strategy : {"mirrored", "central-storage", "tpu"})
        for (const char* devices : {"simulated", "cpu"})
          for (const int threads : {1, 2}) {
            if (std::string_view(strategy) == "tpu" && std::string_view(devices) == "cpu") continue;
            QTest::addRow("%s: %s %s, threads %d", name.c_str(), strategy, devices, threads)
                << QString::fromStdString(name) << strategy << devices << threads;
          }
    for (const char* strategy : {"one-device", "default", "parameter-server", "multi-worker-mirrored"})
      QTest::addRow("cifar10-adam-1: %s", strategy) << "cifar10-adam-1" << strategy << "simulated" << 2;
  }
  void golden() {
    QFETCH(QString, name);
    QFETCH(QString, strategy);
    QFETCH(QString, devices);
    QFETCH(int, threads);
    const NetworkCase& set = cases_.at(name.toStdString());
    const auto at = [&](const char* key) {
      return set.json.at(key).is_string() ? set.json.at(key).get<std::string>() : set.json.at(key).dump();
    };
    const std::filesystem::path networks = referenceDir() / "golden" / "networks";
    const bool servers = strategy == "parameter-server";
    RunSettings config =
        configOf({{"strategy", strategy.toStdString()},
                  {"replicas", at("replicas")},
                  {"devices", devices.toStdString()},
                  {"matmul", "float32"},
                  {"network", networks / at("network")},
                  {"dataset", set.cifar ? "cifar10" : "mnist"},
                  {"data-dir", set.cifar ? folder_.path().toStdString() : (referenceDir() / "mnist").string()},
                  {"train-examples", at("examples")},
                  {"test-examples", "10"},
                  {"init", networks / at("init")},
                  {"optimizer", at("optimizer")},
                  {"learning-rate", at("learning_rate")},
                  {"steps", at("steps")},
                  {"shuffle-buffer", "0"},
                  {"eval-every", "0"},
                  {servers ? "batch-per-replica" : "global-batch", at("global_batch")},
                  {"threads", std::to_string(threads)}});
    const Outcome outcome = train(config, openDataset(config));
    QCOMPARE(outcome.info.parameters, set.json.at("parameters").get<std::int64_t>());
    QCOMPARE(outcome.steps.size(), set.losses.size());
    double worst[3] = {};  // over the first 5 losses, the first 20, all
    for (std::size_t i = 0; i < set.losses.size(); ++i) {
      const double error = std::abs(outcome.steps[i].loss - set.losses[i]) / set.losses[i];
      for (const std::size_t part : {i < 5 ? 0U : i < 20 ? 1U : 2U})
        for (std::size_t k = part; k < 3; ++k) worst[k] = std::max(worst[k], error);
    }
    const nlohmann::json& tolerance = set.json.at("tolerance");
    const char* const parts[] = {"first_5", "first_20", "all"};
    for (std::size_t k = 0; k < 3; ++k)
      QVERIFY2(worst[k] <= tolerance.at(parts[k]).get<double>(),
               qPrintable(QString("%1: relative error %2").arg(parts[k]).arg(worst[k])));
    if (outcome.end.mirrorsIdentical) QVERIFY(*outcome.end.mirrorsIdentical);
  }
};

QTEST_GUILESS_MAIN(TestGoldenNetworks)
#include "tst_golden_networks.moc"
