// SPDX-License-Identifier: GPL-3.0-or-later
// The table of settings: every row reads what it writes, a resolved configuration resolves to itself, and impossible
// ones are refused in one sentence.
#include <QRegularExpression>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/units.h"
#include "core/options/config_field.h"
#include "core/options/learning_rate.h"
#include "core/options/messages.h"
#include "core/options/resolve.h"
#include "core/options/surroundings.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

class TestRunSettings : public QObject {
  Q_OBJECT

 private slots:
  void everyRowReadsWhatItWrites() {
    for (const ConfigField& field : configFields()) {
      QVERIFY2(!field.help.empty() && !field.group.empty() && !field.defaultText.empty(), field.name.c_str());
      RunSettings config;
      std::vector<std::string> values = field.choices;
      switch (field.kind) {
        case ConfigField::Kind::Integer:
          values = {"1", std::to_string(static_cast<std::int64_t>(field.maximum))};
          break;
        case ConfigField::Kind::Real:
          values = {shortest(field.minimum), "0.25"};
          break;
        case ConfigField::Kind::Flag:
          values = {"true", "false"};
          break;
        case ConfigField::Kind::List:
          values = {"3:2.5"};
          break;
        case ConfigField::Kind::Choice:
          break;
        default:
          values = {field.name == "partitioner" ? "fixed:3" : "some/where"};
      }
      for (const std::string& value : values) {
        RunSettings fresh;
        field.set(fresh, value);
        QCOMPARE(field.get(fresh), value);
      }
    }
  }

  // The text of a default names each strategy that has another one.
  void defaultsOfStrategiesAreSaid() {
    const std::array fields{std::pair{"replicas", &StrategyInfo::defaultReplicas},
                            std::pair{"hosts", &StrategyInfo::defaultHosts}};
    for (const auto& [field, number] : fields) {
      const QString text = QString::fromStdString(configField(field).defaultText);
      const QStringList words = text.split(QRegularExpression("[ ,;()]"));
      for (const StrategyInfo& info : strategies())
        QCOMPARE(words.contains(QString::fromStdString(info.key)), info.*number != StrategyInfo().*number);
    }
    // Those with the same number stand together.
    const auto number = [](const StrategyInfo& info) {
      const bool isAlone = info.kind == StrategyKind::Default || info.kind == StrategyKind::OneDevice;
      return info.kind == StrategyKind::Tpu ? 8 : isAlone ? 1 : 2;
    };
    QCOMPARE(otherDefaults(2, number), std::string("tpu 8; default, one-device 1"));
  }

  void aResolvedConfigurationResolvesToItself_data() {
    QTest::addColumn<Settings>("settings");
    for (const StrategyInfo& info : strategies())
      QTest::addRow("%s", info.key.c_str()) << Settings{{"strategy", info.key}};
    QTest::newRow("batch that does not divide")
        << Settings{{"strategy", "mirrored"}, {"replicas", "3"}, {"global-batch", "10"}};
    QTest::newRow("several servers") << Settings{{"strategy", "parameter-server"}, {"parameter-servers", "3"}};
    QTest::newRow("files") << Settings{{"strategy", "multi-worker-mirrored"}, {"split", "file"}, {"files", "2"}};
    QTest::newRow("stragglers") << Settings{{"slow", "1:2.5,0:0.5"}, {"steps", "7"}, {"lr-scaling", "sqrt"}};
  }
  void aResolvedConfigurationResolvesToItself() {
    QFETCH(Settings, settings);
    const ResolvedSettings resolved = resolve(configOf(settings));
    const nlohmann::json json = configToJson(resolved);
    QCOMPARE(configToJson(resolve(configFromJson(json))).dump(), json.dump());
    QVERIFY(json.at("replicas").is_number_integer());
  }

  // A list may be written as in a sentence.
  void aSpaceMayFollowAComma() {
    const std::vector<std::pair<int, double>> both{{1, 2.5}, {0, 0.5}};
    QVERIFY(configOf({{"slow", "1:2.5, 0:0.5"}}).slow == both);
    QVERIFY(configOf({{"slow", " 1:2.5,0:0.5"}}).slow == both);
    QVERIFY_THROWS_EXCEPTION(UserError, configOf({{"slow", "1:2.5, "}}));
    QVERIFY_THROWS_EXCEPTION(UserError, configOf({{"slow", "1:2.5 0:0.5"}}));
  }

  // Resolved settings are plain: they can be asked for again, and give the same without resolving.
  void whatIsResolvedIsWhole() {
    const auto numbersOf = [](const ResolvedSettings& all) {
      return std::array{all.replicas,        all.hosts,       all.parameterServers,
                        all.batchPerReplica, all.globalBatch, all.threads};
    };
    for (const StrategyInfo& info : strategies()) {
      const ResolvedSettings once = resolve(configOf({{"strategy", info.key}, {"train-examples", "100"}}));
      QVERIFY(numbersOf(unchecked(once.asked())) == numbersOf(once));
      QCOMPARE(once.globalBatch, info.synchronous ? once.batchPerReplica * once.replicas : 0);
      QCOMPARE(once.examplesPerStep(), info.synchronous ? once.globalBatch : kDefaultBatchPerReplica);
    }
    const ResolvedSettings plain = unchecked(configOf({{"replicas", "3"}}));
    QCOMPARE(plain.replicas, 3);
    QCOMPARE(plain.hosts, 1);
    QVERIFY(!plain.asked().threads && !plain.asked().globalBatch);
  }

  // A machine other than this one: its facts are handed over.
  void itIsToldOfTheMachine() {
    const auto refused = [](const Settings& settings, const Surroundings& here, const Text& why) {
      try {
        (void)resolve(configOf(settings), here);
      } catch (const UserError& error) {
        return error.message().is(why);
      }
      return false;
    };
    Surroundings here;
    here.threads = 48;
    here.whyNoGpu = {say::verbatim, "no driver"};
    const Settings mirrored{{"strategy", "mirrored"}, {"replicas", "8"}};
    QCOMPARE(resolve(configOf(mirrored), here).devices, DeviceChoice::Simulated);
    QVERIFY(refused(with(mirrored, {{"devices", "cuda"}}), here, say::noCuda));
    here.gpus = 8;
    QCOMPARE(resolve(configOf(mirrored), here).devices, DeviceChoice::Cuda);
    QCOMPARE(resolve(configOf(mirrored), here).threads, 48);
    QCOMPARE(resolve(configOf(with(mirrored, {{"device-model", "a100"}})), here).devices, DeviceChoice::Simulated);
    QCOMPARE(resolve(configOf({{"strategy", "tpu"}}), here).devices, DeviceChoice::Simulated);
    for (const char* strategy : {"sharded", "gossip"})
      QCOMPARE(resolve(configOf(with(mirrored, {{"strategy", strategy}})), here).devices, DeviceChoice::Cuda);
    const Settings nccl = with(mirrored, {{"devices", "cuda"}, {"reducer", "nccl"}});
    QVERIFY(resolve(configOf(nccl), here).reducer == Reducer::Nccl);
    here.gpus = 4;
    QVERIFY(refused(nccl, here, say::ncclNeedsMoreGpus));
    here.gpus = 8;
    here.whyNoNccl = {say::verbatim, "no NCCL"};
    QVERIFY(refused(nccl, here, say::noNccl));
    here.memoryBytes = 1 << 20;
    QVERIFY(refused(mirrored, here, say::notEnoughMemory));
    here.memoryBytes = 0;
    const Settings processes{{"strategy", "multi-worker-mirrored"}, {"devices", "processes"}};
    QCOMPARE(resolve(configOf(processes), here).hosts, 2);
    here.workers = JoinedWorkers{.count = 3, .names = {}, .hosts = {}, .gpus = {}};
    QCOMPARE(resolve(configOf(processes), here).replicas, 3);
    QVERIFY(refused(with(processes, {{"hosts", "2"}}), here, say::hostsAreProcesses));
  }

  // A setting that a strategy does not have is refused by name, but allowed at its default value.
  void settingsNameTheirStrategies() {
    const std::map<std::string, std::string> other{{"replicas", "3"},          {"hosts", "2"},
                                                   {"parameter-servers", "2"}, {"reducer", "ring"},
                                                   {"global-batch", "6"},      {"partitioner", "fixed:2"},
                                                   {"worker-devices", "cuda"}, {"wire", "bfloat16"},
                                                   {"slow-link", "0:2"},       {"shard-stage", "1"}};
    for (const ConfigField& field : configFields()) {
      for (const std::string& key : field.strategies)
        QVERIFY(std::ranges::find(strategies(), key, &StrategyInfo::key) != strategies().end());
      QVERIFY(field.isDefault(RunSettings{}));
      for (const StrategyInfo& info : strategies()) {
        if (field.belongsTo(info)) continue;
        RunSettings config = configOf({{"strategy", info.key}});
        const std::string most =
            field.choices.empty() ? std::to_string(std::llround(field.maximum)) : field.choices.back();
        field.set(config, other.contains(field.name) ? other.at(field.name) : most);
        try {
          (void)resolve(config);
          QFAIL(("--" + field.name + " was accepted for " + info.key).c_str());
        } catch (const UserError& error) {
          QVERIFY2(std::string(error.what()).find("--" + field.name) != std::string::npos, error.what());
        }
      }
    }
  }

  void defaultsAreTheContracts() {
    const auto resolved = [](const char* strategy) { return resolve(configOf({{"strategy", strategy}})); };
    QCOMPARE(resolved("mirrored").replicas, 2);
    QCOMPARE(resolved("mirrored").globalBatch, 128);
    QCOMPARE(resolved("tpu").replicas, 8);
    QCOMPARE(resolved("tpu").deviceModel, std::string("tpu_v3_core"));
    QCOMPARE(resolved("tpu").matmul, Precision::Bfloat16);
    QCOMPARE(resolved("default").replicas, 1);
    QCOMPARE(resolved("multi-worker-mirrored").hosts, 2);
    QCOMPARE(resolved("central-storage").link, std::string("pcie3_x16"));
    QCOMPARE(resolved("parameter-server").parameterServers, 1);
  }

  void whatCannotBeIsRefused_data() {
    QTest::addColumn<Settings>("settings");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const Settings& settings, const char* names) {
      QTest::newRow(name) << settings << QString(names);
    };
    row("unknown strategy", {{"strategy", "miror"}}, "did you mean 'mirrored'");
    row("unknown data set", {{"dataset", "mnits"}}, "did you mean 'mnist'");
    row("zero replicas", {{"replicas", "0"}}, "--replicas");
    row("many replicas", {{"replicas", "2049"}}, "--replicas");
    row("text for a number", {{"epochs", "3x"}}, "--epochs");
    row("empty number", {{"epochs", ""}}, "--epochs");
    row("not a number", {{"learning-rate", "nan"}}, "--learning-rate");
    row("infinite", {{"learning-rate", "inf"}}, "--learning-rate");
    row("negative rate", {{"learning-rate", "-1"}}, "--learning-rate");
    row("momentum of one", {{"optimizer", "sgd"}, {"momentum", "1"}}, "--momentum");
    row("momentum of Adam", {{"momentum", "0.9"}}, "--optimizer sgd");
    row("two batches", {{"batch-per-replica", "64"}, {"global-batch", "100"}}, "Give one of the two");
    row("servers batch", {{"strategy", "parameter-server"}, {"global-batch", "64"}}, "--batch-per-replica");
    row("two of one", {{"strategy", "one-device"}, {"replicas", "2"}}, "exactly one replica");
    row("hosts of mirrored", {{"hosts", "2"}}, "multi-worker-mirrored");
    row("hosts do not divide", {{"strategy", "multi-worker-mirrored"}, {"replicas", "3"}, {"hosts", "2"}}, "--hosts");
    row("reducer of none", {{"strategy", "default"}, {"reducer", "ring"}}, "--reducer");
    row("reducer of tpu", {{"strategy", "tpu"}, {"reducer", "ring"}}, "torus");
    row("nccl without GPUs", {{"reducer", "nccl"}, {"devices", "cpu"}}, "--reducer ring");
    row("TPU here", {{"strategy", "tpu"}, {"devices", "cpu"}}, "always simulated");
    row("GPUs", {{"devices", "cuda"}}, "--devices simulated");
    row("straggler here", {{"devices", "cpu"}, {"slow", "0:2"}}, "--devices simulated");
    row("straggler of none", {{"slow", "2:2"}}, "--slow");
    const Settings servers{{"strategy", "parameter-server"}};
    row("link of none", with(servers, {{"slow-link", "2:2"}}), "--slow-link");
    row("link here", with(servers, {{"devices", "cpu"}, {"slow-link", "1:2"}}), "--slow-link");
    row("straggler without factor", {{"slow", "1"}}, "--slow");
    row("straggler of no size", {{"slow", "1:nan"}}, "--slow");
    row("device model", {{"device-model", "v10"}}, "did you mean 'v100'");
    row("link", {{"link", "nvlnk2"}}, "did you mean 'nvlink2'");
    row("partitioner", {{"strategy", "parameter-server"}, {"partitioner", "fixed"}}, "--partitioner");
    row("partitioner of mirrored", {{"partitioner", "fixed:2"}}, "parameter-server");
    row("wire of mirrored", {{"wire", "bfloat16"}}, "parameter-server");
    row("files in memory", {{"files", "2"}}, "--split file");
    row("fewer files than hosts", {{"strategy", "multi-worker-mirrored"}, {"split", "file"}}, "file");
    row("shard files in memory", {{"strategy", "multi-worker-mirrored"}, {"auto-shard", "file"}}, "--auto-shard");
    row("resume from nowhere", {{"resume", "true"}}, "--checkpoint-dir");
    row("more memory than there is", {{"replicas", "1024"}, {"batch-per-replica", "100000"}}, "memory");
    row("overflowing batch", {{"replicas", "1024"}, {"batch-per-replica", "999999999"}}, "global batch");
  }
  void whatCannotBeIsRefused() {
    QFETCH(Settings, settings);
    QFETCH(QString, names);
    try {
      (void)resolve(configOf(settings));
      QFAIL("it was accepted");
    } catch (const UserError& error) {
      const QString message = error.what();
      QVERIFY2(message.contains(names), qPrintable(message));
      QVERIFY2(!message.contains('\n'), qPrintable(message));
      QCOMPARE(error.exitCode(), 2);
    }
  }

  void foreignJsonIsRefused() {
    for (const char* text : {"[]", "3", "{\"replica\": 2}", "{\"replicas\": [2]}", "{\"replicas\": 1.5}",
                             "{\"replicas\": null}", "{\"strategy\": 2}", "{\"resume\": \"maybe\"}"})
      QVERIFY_THROWS_EXCEPTION(UserError, configFromJson(nlohmann::json::parse(text)));
  }

  void learningRates() {
    ResolvedSettings config = resolve(configOf({{"global-batch", "256"}, {"replicas", "4"}}));
    QCOMPARE(learningRateAt(config, 1, 100), 0.001);
    config.lrScaling = LearningRateScaling::Linear;
    QCOMPARE(learningRateAt(config, 1, 100), 0.004);
    config.lrScaling = LearningRateScaling::Sqrt;
    QCOMPARE(learningRateAt(config, 1, 100), 0.002);
    config.warmupEpochs = 2;
    QCOMPARE(learningRateAt(config, 1, 100), 0.001);
    QCOMPARE(learningRateAt(config, 101, 100), 0.0015);
    QCOMPARE(learningRateAt(config, 201, 100), 0.002);
    config.lrScaling = LearningRateScaling::None;
    QCOMPARE(learningRateAt(config, 51, 100), 0.00025);
    // One update of a parameter-server worker sees the worker's own batch.
    ResolvedSettings server = resolve(configOf({{"strategy", "parameter-server"}, {"batch-per-replica", "128"}}));
    server.lrScaling = LearningRateScaling::Linear;
    QCOMPARE(learningRateAt(server, 1, 100), 0.002);
    server.lrScaling = LearningRateScaling::Staleness;  // the rate that each update divides
    QCOMPARE(learningRateAt(resolve(server.asked()), 1, 100), 0.001);
    config.lrScaling = LearningRateScaling::Staleness;
    QVERIFY_THROWS_EXCEPTION(UserError, resolve(config.asked()));
  }
};

QTEST_GUILESS_MAIN(TestRunSettings)
#include "tst_run_settings.moc"
