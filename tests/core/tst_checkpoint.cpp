// SPDX-License-Identifier: GPL-3.0-or-later
// A checkpoint is either whole or refused: damaged, foreign, from another version or another run, or written by hand.
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/cluster/cluster.h"
#include "core/keras/keras_file.h"
#include "core/keras/keras_json.h"
#include "core/model/neural_network.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/training/checkpoint.h"
#include "core/training/messages.h"
#include "tests/support/training.h"

using namespace lab;
using namespace lab::test;

namespace {

Settings settingsOf(const std::string& strategy, const std::string& folder) {
  return {{"strategy", strategy},    {"batch-per-replica", "10"}, {"steps", "3"},
          {"eval-every", "0"},       {"replicas", "2"},           {"checkpoint-every", "1"},
          {"checkpoint-dir", folder}};
}

std::vector<std::filesystem::path> filesIn(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

class TestCheckpoint : public QObject {
  Q_OBJECT

  std::shared_ptr<const Dataset> digits_ = fewDigits(60, 10);

  void mustRefuse(const RunSettings& config, const QString& part) {
    try {
      (void)train(config, digits_);
      QFAIL("it was accepted");
    } catch (const UserError& error) {
      const QString message = error.what();
      QVERIFY2(message.contains(part), qPrintable(message));
      QCOMPARE(error.exitCode(), 2);
    }
  }

 private slots:
  void theNewestFewAreKept() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    RunSettings config = configOf(settingsOf("mirrored", path));
    config.steps = 8;
    (void)train(config, digits_);
    const auto files = filesIn(path);
    QCOMPARE(std::ssize(files), kKept);
    QCOMPARE(readNewestCheckpoint(path).state.at("step").get<int>(), 8);
    config.resume = true;
    QVERIFY(train(config, digits_).steps.empty());  // no step is left to train
  }

  // A process that was killed while it wrote has left its temporary file behind.
  void unfinishedFilesOfKilledRunsAreRemoved() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const auto leave = [&](const std::string& name, bool old) {
      const std::filesystem::path file = std::filesystem::path(path) / name;
      writeFileAtomically(file, "part of it");
      if (old)
        std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(2));
    };
    leave("checkpoint-000000000002.safetensors.tmp4711", true);
    leave("checkpoint-000000000002.safetensors.tmp4712", false);  // another program may be writing it
    leave("checkpoint-best.safetensors.tmp4711", true);
    RunSettings config = configOf(settingsOf("mirrored", path));
    config.steps = 1;
    (void)train(config, digits_);
    std::vector<std::string> names;
    for (const auto& file : filesIn(path)) names.push_back(file.filename().string());
    QCOMPARE(names, (std::vector<std::string>{"checkpoint-000000000001.safetensors",
                                              "checkpoint-000000000002.safetensors.tmp4712",
                                              "checkpoint-best.safetensors.tmp4711"}));
  }

  // An earlier run had got further in this folder: the new run's checkpoints are the newest all the same, and it goes
  // on.
  void aNewRunReplacesAnEarlierRunsCheckpoints() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    RunSettings config = configOf(settingsOf("mirrored", path));
    (void)train(config, digits_);
    const Checkpoint earlier = readNewestCheckpoint(path);
    for (const int step : {100, 200, 300, 400, 500}) writeCheckpoint(path, step, earlier);
    const std::filesystem::path own = folder.filePath("checkpoint-best.safetensors").toStdString();
    std::filesystem::copy_file(checkpointPath(path, 500), own);
    config.learningRate = 0.01;
    (void)train(config, digits_);
    QCOMPARE(newestCheckpointStep(path), 3);
    QCOMPARE(std::ssize(filesIn(path)), 4);
    QVERIFY(std::filesystem::exists(own));  // a person's copy is neither removed nor resumed
    config.resume = true;
    config.steps = 4;
    QCOMPARE(std::ssize(train(config, digits_).steps), 1);
  }

  // As many examples under the same name, as MNIST's and Fashion-MNIST's files are, or a folder that was changed.
  void otherExamplesOfTheSameNameAreRefused() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    RunSettings config = configOf(settingsOf("mirrored", path));
    (void)train(config, digits_);
    const auto other = std::make_shared<Dataset>(*digits_);
    std::ranges::rotate(other->train.labels, other->train.labels.begin() + 1);
    QVERIFY(other->train.labels != digits_->train.labels);
    config.resume = true;
    config.steps = 4;
    try {
      (void)train(config, other);
      QFAIL("it was accepted");
    } catch (const UserError& error) {
      QVERIFY2(error.message().is(say::otherExamples), error.what());
    }
    Checkpoint older = readNewestCheckpoint(path);
    QCOMPARE(older.state.erase("examplesDigest"), std::size_t{1});
    writeCheckpoint(path, 3, older);
    QCOMPARE(std::ssize(train(config, digits_).steps), 1);
  }

  // On a disk from an older system, names may be in Latin-1.
  void aRunWithNamesThatAreNotUtf8GoesOn() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    RunSettings config = configOf(settingsOf("mirrored", path));
    config.dataDir = path + "/M\xfcller";
    config.network = path + "/\xfc.json";
    writeFileAtomically(config.network, kerasJson(mlpNetwork()));
    (void)train(config, digits_);
    config.resume = true;
    config.steps = 4;
    QCOMPARE(std::ssize(train(config, digits_).steps), 1);
  }

  // A run that began with given weights can go on: the checkpoint has what became of them. A .keras network brings its
  // own weights without being asked.
  void aRunFromGivenWeightsGoesOn() {
    const QTemporaryDir folder;
    const NeuralNetwork& network = mlpNetwork();
    std::vector<float> weights(static_cast<std::size_t>(network.layout().size()));
    network.initialize(5, weights);
    const TensorFile tensors = weightsToTensors(network.layout(), weights);
    const std::string plain = folder.filePath("w.safetensors").toStdString(),
                      keras = folder.filePath("w.keras").toStdString();
    writeSafetensors(plain, tensors);
    writeKerasFile(keras, network, tensors, {});
    for (const bool own : {false, true}) {
      const std::string path = folder.filePath(own ? "own" : "given").toStdString();
      RunSettings config = configOf(settingsOf("mirrored", path));
      config.network = own ? keras : "mlp";
      if (!own) config.init = plain;
      config.steps = 4;
      (void)train(config, digits_);
      config.init.clear();
      config.resume = true;
      config.steps = 6;
      QCOMPARE(std::ssize(train(config, digits_).steps), 2);
    }
  }

  void damagedFilesAreRefused() {
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    RunSettings config = configOf(settingsOf("mirrored", path));
    (void)train(config, digits_);
    config.resume = true;
    const std::filesystem::path newest = filesIn(path).back();
    const std::vector<std::uint8_t> whole = readFile(newest, 100'000'000);

    std::vector<std::uint8_t> flipped = whole;
    flipped[flipped.size() / 2] ^= 1;
    writeFileAtomically(newest, flipped);
    mustRefuse(config, "damaged");
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{100}, whole.size() - 1}) {
      writeFileAtomically(newest, std::span(whole).first(size));
      mustRefuse(config, QString::fromStdString(newest.filename().string()) + "' is damaged");
    }
    writeFileAtomically(newest, serializeSafetensors({}));
    mustRefuse(config, "not a StrategyLab checkpoint");
    // As the message promises: without this file, the run goes on from the checkpoint before.
    std::filesystem::remove(newest);
    QCOMPARE(train(config, digits_).steps.size(), std::size_t{1});
  }

  void anEmptyFolderIsRefused() {
    const QTemporaryDir folder;
    RunSettings config = configOf(settingsOf("mirrored", folder.path().toStdString()));
    config.resume = true;
    mustRefuse(config, "no checkpoint");
    config.checkpointDir += "/not-there";
    mustRefuse(config, "no checkpoint");
  }

  // The digest is right, so only a file written by hand can look like this.
  void statesThatCannotBeAreRefused_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("value");
    const auto row = [](const char* strategy, const char* pointer, const char* value) {
      QTest::addRow("%s %s = %s", strategy, pointer, value) << QString(strategy) << QString(pointer) << QString(value);
    };
    for (const char* strategy : {"mirrored", "parameter-server"}) {
      row(strategy, "/step", "\"three\"");
      row(strategy, "/step", "-1");
      row(strategy, "/examples", "null");
      row(strategy, "/input", "[]");
      row(strategy, "/input/0", "[0, -1]");
      row(strategy, "/input/0", "[0, 1000000000000000]");
      row(strategy, "/input/0", "[-5, 0]");
      row(strategy, "/clocks/replicas", "[1]");
      row(strategy, "/clocks", "{}");
    }
    row("parameter-server", "/clocks/servers/events/0/3", "99");
    row("parameter-server", "/clocks/servers/events/0/2", "-1");
    row("parameter-server", "/clocks/servers/events", "[]");
    row("parameter-server", "/clocks/servers/workers", "[]");
  }
  void statesThatCannotBeAreRefused() {
    QFETCH(QString, strategy);
    QFETCH(QString, pointer);
    QFETCH(QString, value);
    const QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    RunSettings config = configOf(settingsOf(strategy.toStdString(), path));
    (void)train(config, digits_);
    Checkpoint checkpoint = readNewestCheckpoint(path);
    checkpoint.state[nlohmann::json::json_pointer(pointer.toStdString())] = nlohmann::json::parse(value.toStdString());
    writeCheckpoint(path, 3, checkpoint);
    config.resume = true;
    config.steps = 5;
    mustRefuse(config, "");
  }

  // Copying or comparing values that are nested by the hundred thousand overflows the stack; a thousand do no harm yet,
  // but no checkpoint has them.
  void deepStatesAreRefused() {
    const nlohmann::json deep = nlohmann::json::parse(std::string(1000, '[') + std::string(1000, ']'));
    for (const char* key : {"config", "state", "parameter_server"}) {
      const QTemporaryDir folder;
      const std::string path = folder.path().toStdString();
      RunSettings config = configOf(settingsOf("parameter-server", path));
      (void)train(config, digits_);
      Checkpoint checkpoint = readNewestCheckpoint(path);
      nlohmann::json own = nlohmann::json::parse(checkpoint.tensors.metadata.at("parameter_server"));
      const std::string_view where = key;
      (where == "config" ? checkpoint.config : where == "state" ? checkpoint.state : own)["more"] = deep;
      checkpoint.tensors.metadata["parameter_server"] = own.dump();
      writeCheckpoint(path, 3, checkpoint);
      config.resume = true;
      config.steps = 5;
      mustRefuse(config, "its description is not JSON");
    }
  }

  // Data that grows with the batch must be stored as tensors, because the header has a size limit.
  void theHeaderDoesNotGrowWithTheBatch() {
    std::vector<std::size_t> sizes;
    for (const char* batch : {"10", "60"}) {
      const QTemporaryDir folder;
      RunSettings config = configOf(settingsOf("parameter-server", folder.path().toStdString()));
      configField("batch-per-replica").set(config, batch);
      (void)train(config, digits_);
      std::size_t size = 0;
      for (const auto& [key, value] : readNewestCheckpoint(config.checkpointDir).tensors.metadata) size += value.size();
      sizes.push_back(size);
    }
    QVERIFY2(sizes[1] < sizes[0] + 100, qPrintable(QString("%1 and %2 bytes").arg(sizes[0]).arg(sizes[1])));
  }

  // A state that could not be resumed is not written, and does not displace a checkpoint that can be.
  void aDivergedRunKeepsItsLastGoodCheckpoints() {
    for (const char* strategy : {"mirrored", "parameter-server"}) {
      const QTemporaryDir folder;
      const std::string path = folder.path().toStdString();
      RunSettings config = configOf(settingsOf(strategy, path));
      config.steps = 20;
      config.save = folder.filePath("w.safetensors").toStdString();
      Telemetry telemetry;
      Trainer trainer(resolve(config), digits_, telemetry);
      const auto broken = std::numeric_limits<float>::quiet_NaN();
      while (!trainer.finished()) {
        trainer.step();
        if (trainer.stepsDone() != 10) continue;
        Cluster& cluster = trainer.cluster();
        for (int r = 0; r < cluster.replicas(); ++r) cluster.replica(r).variables.weights[7] = broken;
        if (cluster.parameterDevices() > 0) cluster.parameterDevice(0).variables.weights[7] = broken;
      }
      try {
        (void)trainer.finish();
        QFAIL("it was written");
      } catch (const UserError& error) {
        QCOMPARE(error.exitCode(), 1);
        QVERIFY2(QString(error.what()).contains("the run has diverged") &&
                     QString(error.what()).contains("w.safetensors") && QString(error.what()).contains("checkpoint"),
                 error.what());
      }
      QVERIFY(!std::filesystem::exists(config.save));
      QVERIFY(std::holds_alternative<EndMetric>(telemetry.takeMetrics().back()));
      config.save.clear();
      config.resume = true;
      const std::int64_t from = readNewestCheckpoint(path).state.at("step").get<std::int64_t>();
      QVERIFY(from >= 8 && from <= 11);
      config.steps = from;
      QVERIFY(train(config, digits_).steps.empty());  // the checkpoint can be resumed
    }
  }

  void missingTensorsAreRefused() {
    for (const char* strategy : {"mirrored", "central-storage", "parameter-server"}) {
      const QTemporaryDir folder;
      const std::string path = folder.path().toStdString();
      RunSettings config = configOf(settingsOf(strategy, path));
      (void)train(config, digits_);
      const Checkpoint whole = readNewestCheckpoint(path);
      config.resume = true;
      for (const auto& [name, tensor] : whole.tensors.tensors) {
        Checkpoint without = whole;
        without.tensors.tensors.erase(name);
        writeCheckpoint(path, 3, without);
        QVERIFY_THROWS_EXCEPTION(UserError, train(config, digits_));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestCheckpoint)
#include "tst_checkpoint.moc"
