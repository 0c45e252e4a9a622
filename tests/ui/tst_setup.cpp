// SPDX-License-Identifier: GPL-3.0-or-later
// Changing one setting: the new value stands, settings that conflict with it yield, and an impossible value gets its
// sentence while the run goes on. The form has every setting of the table, the picker every strategy.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <tuple>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/device/cuda/gpu_module.h"
#include "core/hardware/catalogue.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "tests/support/patience.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/setup/fit.h"
#include "ui/setup/rate_field.h"
#include "ui/setup/setting_field.h"
#include "ui/setup/setup_form.h"
#include "ui/setup/strategy_picker.h"
#include "ui/theme/theme.h"

using namespace lab;

namespace {

RunSettings with(RunSettings config, const char* name, const char* value) {
  return fitted(withSetting(config, name, value), name);
}

std::int64_t globalBatch(const RunSettings& config) {
  return resolve(config).globalBatch;
}

RunSettings smallTeaching() {
  RunSettings config = teachingConfig();
  config.dataset = "digits";
  config.trainExamples = 64;
  config.testExamples = 16;
  return config;
}

}  // namespace

class TestSetup : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void everyStrategyCanBeChosenFromEveryOther() {
    for (const StrategyInfo& from : strategies()) {
      for (const StrategyInfo& to : strategies()) {
        const RunSettings first = with(teachingConfig(), "strategy", from.key.c_str());
        const RunSettings second = with(first, "strategy", to.key.c_str());
        QCOMPARE(resolve(second).strategy, to.kind);
      }
    }
  }

  void teachKeepsEightDigitsWhateverTheReplicas() {
    RunSettings config = teachingConfig();
    QCOMPARE(resolve(config).replicas, 2);
    for (const char* replicas : {"1", "2", "3", "4", "8", "64"}) {
      config = with(config, "replicas", replicas);
      QCOMPARE(globalBatch(config), 8);
    }
    const RunSettings servers = with(with(teachingConfig(), "replicas", "4"), "strategy", "parameter-server");
    QCOMPARE(resolve(servers).batchPerReplica, 4);
  }

  // The resulting rate shows in the field, in the menu beside each rule, and in the run.
  void theRateThatResults() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    RateField field(experiment);
    field.show();
    auto& button = *field.findChild<QToolButton*>(QStringLiteral("rate"));
    QCOMPARE(button.text(), QStringLiteral("0.001"));
    experiment.keepBatch(BatchKept::PerReplica);
    experiment.set(QStringLiteral("batch-per-replica"), QStringLiteral("128"));  // the global batch is 256
    QTest::mouseClick(&button, Qt::LeftButton);
    auto& menu = *field.findChild<QMenu*>();
    QVERIFY(menu.isVisible());
    QStringList entries;
    for (const QAction* action : menu.actions()) entries << action->text();
    QCOMPARE(entries, (QStringList{QStringLiteral("Rate unchanged: 0.001"),
                                   QStringLiteral("Linear with the batch: 0.001 → 0.004"),
                                   QStringLiteral("Root of the batch: 0.001 → 0.002")}));
    QTest::keyClick(&menu, Qt::Key_Down);
    QTest::keyClick(&menu, Qt::Key_Down);
    QTest::keyClick(&menu, Qt::Key_Return);
    QCOMPARE(experiment.resolved().lrScaling, LearningRateScaling::Linear);
    QCOMPARE(button.text(), QStringLiteral("0.001 → 0.004"));
    QVERIFY(button.accessibleName().contains(button.text()));
    // The rate follows the number of replicas if the batch per replica is kept, and not if the global batch is kept.
    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QCOMPARE(button.text(), QStringLiteral("0.001 → 0.008"));
    experiment.keepBatch(BatchKept::Global);
    experiment.set(QStringLiteral("replicas"), QStringLiteral("2"));
    QCOMPARE(button.text(), QStringLiteral("0.001 → 0.008"));
    // A rule that only parameter servers can have goes away with them and comes back with them.
    experiment.set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
    experiment.set(QStringLiteral("lr-scaling"), QStringLiteral("staleness"));
    QCOMPARE(button.text(), QStringLiteral("0.001 ÷ staleness"));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QVERIFY(experiment.complaint().isEmpty() && experiment.remark().contains(QStringLiteral("staleness")));
    QCOMPARE(button.text(), QStringLiteral("0.001"));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
    QCOMPARE(button.text(), QStringLiteral("0.001 ÷ staleness"));
  }

  void theBatchThatWasSetLastRules() {
    const RunSettings perReplica = with(teachingConfig(), "batch-per-replica", "16");
    QCOMPARE(globalBatch(perReplica), 32);
    QCOMPARE(globalBatch(with(perReplica, "replicas", "4")), 64);
    QCOMPARE(globalBatch(with(perReplica, "global-batch", "10")), 10);
  }

  void whatConflictsYields_data() {
    QTest::addColumn<QByteArrayList>("changes");  // name=value, one after the other
    const auto row = [](const char* name, const QByteArrayList& changes) { QTest::newRow(name) << changes; };
    row("one replica only", {"replicas=4", "strategy=default"});
    row("reducer of another strategy", {"reducer=ring", "strategy=tpu"});
    row("no reducer at all", {"reducer=ring", "strategy=one-device"});
    row("servers", {"strategy=parameter-server", "parameter-servers=2", "partitioner=fixed:2", "strategy=mirrored"});
    row("hosts that do not divide", {"strategy=multi-worker-mirrored", "replicas=3"});
    row("a prime", {"strategy=multi-worker-mirrored", "replicas=7"});
    row("hosts where there is one", {"strategy=multi-worker-mirrored", "hosts=2", "strategy=mirrored"});
    row("momentum", {"optimizer=sgd", "momentum=0.9", "optimizer=adam"});
    row("files", {"split=file", "files=2", "split=in-memory"});
    row("a straggler that is gone", {"replicas=4", "slow=3:2", "replicas=2"});
    row("a straggler in real time", {"slow=1:2", "devices=cpu"});
    row("real time with a straggler", {"devices=cpu", "slow=1:2"});
    row("TPU on this processor", {"devices=cpu", "strategy=tpu"});
    row("digits are in no folder", {"dataset=mnist", "data-dir=/tmp", "dataset=digits"});
    row("a folder is not for the digits", {"dataset=digits", "data-dir=/tmp"});
    row("NCCL without a GPU", {"reducer=nccl", "devices=cpu"});
    row("NCCL among processors", {"strategy=multi-worker-mirrored", "devices=processes", "worker-devices=cuda",
                                  "reducer=nccl", "worker-devices=cpu"});
    row("NCCL among GPUs of processes",
        {"strategy=multi-worker-mirrored", "devices=processes", "worker-devices=cuda", "reducer=nccl"});
    row("parts among processes",
        {"strategy=multi-worker-mirrored", "devices=processes", "reducer=mpi", "strategy=sharded"});
    row("parts on GPUs of processes",
        {"strategy=multi-worker-mirrored", "devices=processes", "worker-devices=cuda", "strategy=sharded"});
  }
  void whatConflictsYields() {
    QFETCH(QByteArrayList, changes);
    RunSettings config = teachingConfig();
    for (const QByteArray& change : changes) {
      const auto parts = change.split('=');
      config = with(config, parts[0].constData(), parts[1].constData());
    }
    (void)resolve(config);  // throws if the run is impossible
    const auto last = changes.back().split('=');
    QCOMPARE(QByteArray::fromStdString(configField(last[0].constData()).get(config)), last[1]);
  }

  void emptyIsBackToTheDefault() {
    for (const ConfigField& field : configFields())
      QCOMPARE(field.get(withSetting(teachingConfig(), field.name, "")), field.get(RunSettings{}));
  }

  void aRefusedChangeLeavesTheRunAlone() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    QTRY_VERIFY_WITH_TIMEOUT(controller.info() != nullptr, kPatienceMs);
    const auto info = controller.sharedInfo();
    QSignalSpy started(&experiment, &Experiment::started);
    for (const auto& [name, value] : {std::pair{"hosts", "2"}, {"partitioner", "fixed:2"}, {"replicas", "many"}}) {
      experiment.set(QLatin1String(name), QLatin1String(value));
      QVERIFY(!experiment.complaint().isEmpty());
      QCOMPARE(experiment.complaintAbout(), QLatin1String(name));
    }
    QVERIFY(started.isEmpty());
    QCOMPARE(controller.sharedInfo(), info);
    QCOMPARE(experiment.resolved().hosts, 1);
    experiment.takeBackRefused();
    QVERIFY(experiment.complaint().isEmpty() && experiment.complaintAbout().isEmpty());
    QVERIFY(started.isEmpty());

    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QVERIFY(experiment.complaint().isEmpty());
    QCOMPARE(started.size(), 1);
    QCOMPARE(experiment.resolved().replicas, 4);
    QCOMPARE(experiment.resolved().seed, std::int64_t{1});
  }

  void comingBackToAStrategyBringsItsSettingsBack() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("one-device"));
    QCOMPARE(experiment.resolved().replicas, 1);
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QCOMPARE(experiment.resolved().replicas, 4);
    QCOMPARE(experiment.resolved().globalBatch, 8);
  }

  // Going to another strategy and back (keys 7, then 3) loses none of the first one's settings, whatever lay between.
  void passingThroughOthersGivesTheSettingsBack_data() {
    QTest::addColumn<QByteArrayList>("settings");  // name=value, of the strategy to come back to
    const auto row = [](const char* name, const QByteArrayList& settings) { QTest::newRow(name) << settings; };
    row("batch per replica", {"strategy=mirrored", "batch-per-replica=64"});
    row("global batch", {"strategy=mirrored", "replicas=4", "global-batch=24", "reducer=tree"});
    row("uneven", {"strategy=mirrored", "replicas=4", "global-batch=10", "bytes-per-pack=4096"});
    row("straggler", {"strategy=mirrored", "replicas=4", "slow=3:2", "batch-per-replica=16"});
    row("processor", {"strategy=mirrored", "devices=cpu", "replicas=3", "global-batch=12"});
    row("hosts", {"strategy=multi-worker-mirrored", "replicas=6", "hosts=3", "reducer=ring", "batch-per-replica=5"});
    row("torus", {"strategy=tpu", "replicas=4", "hosts=2", "reducer=torus", "batch-per-replica=7"});
    row("central", {"strategy=central-storage", "replicas=3", "global-batch=12"});
    row("one", {"strategy=one-device", "batch-per-replica=32"});
    row("default", {"strategy=default", "global-batch=16"});
    row("servers", {"strategy=parameter-server", "replicas=3", "parameter-servers=2", "partitioner=fixed:2",
                    "batch-per-replica=5"});
    row("momentum", {"strategy=mirrored", "optimizer=sgd", "momentum=0.9", "batch-per-replica=8"});
  }
  void passingThroughOthersGivesTheSettingsBack() {
    QFETCH(QByteArrayList, settings);
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    const auto set = [&](const QByteArray& name, const QByteArray& value) {
      experiment.set(QString::fromUtf8(name), QString::fromUtf8(value));
      QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
    };
    for (const QByteArray& setting : settings) set(setting.split('=')[0], setting.split('=')[1]);
    const QByteArray home = settings.front().split('=')[1];
    const auto now = [&] { return QByteArray::fromStdString(configToJson(experiment.resolved()).dump()); };
    const QByteArray before = now();
    for (const StrategyInfo& by : strategies()) {
      for (const char* then : {"", "parameter-server", "one-device"}) {
        set("strategy", QByteArray::fromStdString(by.key));
        if (*then != 0) set("strategy", then);
        set("strategy", home);
        QCOMPARE(now(), before);
      }
    }
  }

  // A setting that yielded to a change has yielded for good: the next change does not bring it back.
  void whatWasChangedStandsForGood() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    experiment.set(QStringLiteral("devices"), QStringLiteral("cpu"));
    experiment.slowDown(1, 2);
    QCOMPARE(experiment.resolved().devices, DeviceChoice::Simulated);
    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QCOMPARE(experiment.resolved().slow, (std::vector<std::pair<int, double>>{{1, 2.0}}));
    QCOMPARE(experiment.resolved().devices, DeviceChoice::Simulated);
  }

  // The kept batch (global or per replica) stays the same when replicas change, however it was set.
  void oneBatchIsKeptWhenReplicasChange() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    const auto set = [&](const char* name, const char* value) {
      experiment.set(QLatin1String(name), QLatin1String(value));
      return std::pair(experiment.resolved().batchPerReplica, experiment.resolved().globalBatch);
    };
    using Batch = std::pair<std::int64_t, std::int64_t>;  // per replica, global
    QCOMPARE(experiment.keepsBatch(), BatchKept::Global);
    QCOMPARE(set("batch-per-replica", "64"), Batch(64, 128));
    QCOMPARE(set("replicas", "4"), Batch(32, 128));
    QSignalSpy started(&experiment, &Experiment::started);
    experiment.keepBatch(BatchKept::PerReplica);
    QVERIFY(started.isEmpty());  // no new run begins
    QCOMPARE(set("replicas", "2"), Batch(32, 64));
    QCOMPARE(set("global-batch", "10"), Batch(5, 10));
    QCOMPARE(set("replicas", "4"), Batch(5, 20));
    QCOMPARE(set("global-batch", "10"), Batch(3, 10));  // 3, 3, 3, 1
    QCOMPARE(set("replicas", "8"), Batch(3, 24));
    // Under parameter servers the number of workers does not change the batch of each.
    experiment.keepBatch(BatchKept::Global);
    QCOMPARE(set("strategy", "parameter-server"), Batch(4, 0));
    QCOMPARE(set("replicas", "2"), Batch(4, 0));
    QCOMPARE(set("strategy", "mirrored"), Batch(12, 24));
    // The settings that an experiment begins with decide which batch is kept.
    RunSettings config = smallTeaching();
    config.globalBatch.reset();
    config.batchPerReplica = 6;
    experiment.begin(config);
    QCOMPARE(experiment.keepsBatch(), BatchKept::PerReplica);
  }

  void whatIsNotUsedIsSaid() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    QVERIFY(experiment.remark().isEmpty());
    experiment.set(QStringLiteral("reducer"), QStringLiteral("tree"));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
    for (const char* words : {"ParameterServerStrategy", "global batch 8", "reducer tree", "its own batch of 4"})
      QVERIFY2(experiment.remark().contains(QLatin1String(words)), qPrintable(experiment.remark()));
    experiment.again();  // a rerun keeps the setting too
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QVERIFY(experiment.resolved().reducer == Reducer::Tree);
    QVERIFY2(experiment.remark().isEmpty(), qPrintable(experiment.remark()));
  }

  void whyASettingIsKeptForLaterIsSaid() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    for (const auto& [name, value] :
         {std::pair{"strategy", "multi-worker-mirrored"}, {"replicas", "4"}, {"hosts", "4"}})
      experiment.set(QLatin1String(name), QLatin1String(value));
    QVERIFY2(experiment.remark().isEmpty(), qPrintable(experiment.remark()));
    experiment.set(QStringLiteral("replicas"), QStringLiteral("2"));  // four hosts cannot share two replicas
    QCOMPARE(experiment.remark(), QStringLiteral("Does not fit the other settings, and is kept for later: hosts 4."));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QCOMPARE(experiment.remark(), QStringLiteral("Not used with MirroredStrategy, and kept for later: hosts 4."));
  }

  // Complaints name settings, not command-line options: nobody types options in a window.
  void complaintsNameSettings() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    for (const auto& [name, value] :
         {std::pair{"slow", "-1:2"}, {"hosts", "2"}, {"momentum", "0.9"}, {"strategy", "tpu"}, {"devices", "cuda"}}) {
      experiment.set(QLatin1String(name), QLatin1String(value));
      QVERIFY2(!experiment.complaint().contains(QStringLiteral("--")), qPrintable(experiment.complaint()));
    }
  }

  // A run that a click starts must not overwrite the files of the run before.
  void anotherRunDoesNotWriteOverTheFilesOfTheLast() {
    RunController controller;
    Experiment experiment(controller);
    RunSettings config = smallTeaching();
    const QByteArray path = QDir::tempPath().toUtf8() + "/strategylab-setup-metrics.jsonl";
    config.metrics = path.constData();
    experiment.begin(config);
    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QVERIFY(experiment.asked().metrics.empty());
    controller.stop();
    QFile::remove(QString::fromUtf8(path));
  }

  void slowingOneDeviceLeavesTheOthers() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    experiment.slowDown(1, 3);
    experiment.slowDown(0, 2);
    QCOMPARE(experiment.asked().slow, (std::vector<std::pair<int, double>>{{0, 2.0}, {1, 3.0}}));
    experiment.slowDown(1, 1);
    QCOMPARE(experiment.asked().slow, (std::vector<std::pair<int, double>>{{0, 2.0}}));
  }

  void formHasEverySetting() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment);
    auto* strategy = form.findChild<QComboBox*>(QStringLiteral("setting-strategy"));
    QVERIFY(strategy->findText(QStringLiteral("OneDevice")) >= 0 && strategy->findText(QStringLiteral("mirrored")) < 0);
    for (const ConfigField& field : configFields()) {
      auto* editor = form.findChild<QWidget*>(QStringLiteral("setting-") + QString::fromStdString(field.name));
      QVERIFY2(editor != nullptr, field.name.c_str());
      QVERIFY(editor->toolTip().startsWith(QString::fromStdString(field.help)));
      // This tool tip also says why GPUs are not used, or which GPUs there are.
      if (field.name == "devices")
        QVERIFY(
            editor->toolTip().contains(QString::fromStdString(whyNoGpu().empty() ? gpuList() : format(whyNoGpu()))));
      else
        QCOMPARE(editor->toolTip(), QString::fromStdString(field.help));
      QVERIFY(!editor->accessibleName().isEmpty());
    }
    auto* seed = form.findChild<QLineEdit*>(QStringLiteral("setting-seed"));
    QTest::keyClicks(seed, QStringLiteral("7"));
    QTest::keyClick(seed, Qt::Key_Return);
    QCOMPARE(experiment.resolved().seed, std::int64_t{7});
    seed->findChild<QAbstractButton*>()->click();  // clears it
    QCOMPARE(experiment.resolved().seed, std::int64_t{1});
    QCOMPARE(seed->placeholderText(), QStringLiteral("1"));

    auto* complaint = form.findChild<QLabel*>(QStringLiteral("complaint"));
    QVERIFY(complaint->isHidden());
    auto* hosts = form.findChild<QLineEdit*>(QStringLiteral("setting-hosts"));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("multi-worker-mirrored"));
    QTest::keyClicks(hosts, QStringLiteral("5"));
    QTest::keyClick(hosts, Qt::Key_Return);
    QVERIFY(!complaint->isHidden());
    QVERIFY(complaint->text().contains(QStringLiteral("5 hosts")));
    QCOMPARE(hosts->text(), QStringLiteral("5"));  // stays, so that the user can correct it instead of typing it again
  }

  // A sentence that comes or goes moves no field away from the pointer, and covers none that it is about.
  void fieldsStayWhereTheyAreBelowASentence() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment);
    form.resize(theme::em(24), theme::em(30));
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
    const auto* complaint = form.findChild<QLabel*>(QStringLiteral("complaint"));
    const auto* scroll = form.findChild<QScrollArea*>();
    auto* seed = form.findChild<QLineEdit*>(QStringLiteral("setting-seed"));
    const auto place = [&form, seed] { return seed->mapTo(&form, QPoint()).y(); };
    for (const bool atTop : {false, true}) {  // at the top, the sentence would cover the field
      auto* bar = scroll->verticalScrollBar();
      bar->setValue(bar->value() + place() - (atTop ? 0 : form.height() / 2));
      const int before = place();
      experiment.set(QStringLiteral("seed"), QStringLiteral("many"));
      QVERIFY(!complaint->isHidden());
      if (atTop)
        QVERIFY(place() >= complaint->geometry().bottom());
      else
        QCOMPARE(place(), before);
      experiment.takeBackRefused();
      QVERIFY(complaint->isHidden());
      if (!atTop) QCOMPARE(place(), before);
    }
  }

  void settingsOfOtherStrategiesAreHidden() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment), page(experiment, {QStringLiteral("parameter-servers")});
    const auto isShown = [](const QWidget& in, const std::string& name) {
      const auto* editor = in.findChild<QWidget*>(QStringLiteral("setting-") + QString::fromStdString(name));
      return editor->isVisibleTo(editor->parentWidget()->parentWidget());
    };
    for (const StrategyInfo& info : strategies()) {
      experiment.set(QStringLiteral("strategy"), QString::fromStdString(info.key));
      for (const ConfigField& field : configFields())
        QVERIFY2(isShown(form, field.name) ==
                     (field.name == "bytes-per-pack" ? info.packsGradients() : field.belongsTo(info)),
                 (info.key + " " + field.name).c_str());
      QVERIFY(isShown(page, "parameter-servers"));  // what a page asks for
    }
    // A refused value stays beside the sentence that says why.
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    experiment.set(QStringLiteral("partitioner"), QStringLiteral("fixed:2"));
    QVERIFY(isShown(form, "partitioner") && !isShown(form, "wire"));
  }

  // A device on which the strategy cannot run is not offered; a chosen device yields to a later strategy.
  void devicesOfOtherStrategiesAreNotOffered() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment);
    auto* device = form.findChild<QComboBox*>(QStringLiteral("setting-device-model"));
    const auto isOffered = [&](const char* id) {
      const int row = device->findData(QLatin1String(id));
      return (device->model()->flags(device->model()->index(row, 0)) & Qt::ItemIsEnabled) != 0;
    };
    QVERIFY(isOffered("a100") && !isOffered("tpu_v3_core"));
    experiment.set(QStringLiteral("device-model"), QStringLiteral("a100"));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("tpu"));
    QCOMPARE(experiment.resolved().deviceModel, std::string("tpu_v3_core"));
    QVERIFY(!isOffered("a100") && isOffered("tpu_v2_core"));
    const QString why = device->itemData(device->findData(QStringLiteral("a100")), Qt::ToolTipRole).toString();
    QVERIFY2(why.contains(QStringLiteral("TPUStrategy runs only on TPU cores.")), qPrintable(why));
    experiment.set(QStringLiteral("device-model"), QStringLiteral("tpu_v2_core"));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QCOMPARE(experiment.resolved().deviceModel, std::string("v100"));
  }

  // The form and the picker grey out devices on which the strategy cannot run, and give the reason.
  void devicesThatAStrategyRefusesAreGreyed() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment);
    StrategyPicker picker(experiment);
    for (auto* list : {form.findChild<QComboBox*>(QStringLiteral("setting-devices")),
                       picker.findChild<QWidget*>(QStringLiteral("devices"))->findChild<QComboBox*>()}) {
      const auto whyNot = [&](const char* id) {
        const int row = list->findData(QLatin1String(id));
        const bool offered = (list->model()->flags(list->model()->index(row, 0)) & Qt::ItemIsEnabled) != 0;
        return offered ? QString() : list->itemData(row, Qt::AccessibleDescriptionRole).toString();
      };
      for (const auto& [strategy, refused, says] :
           {std::tuple{"gossip", "processes", "averages neighbours' weights in one process"},
            {"tpu", "cpu", "TPU cores are always simulated"},
            {"backup-workers", "cpu", "its devices are simulated"},
            {"parameter-server", "processes", "As real processes they join a class"},
            {"mirrored", "processes", "runs in one process"}}) {
        experiment.set(QStringLiteral("strategy"), QLatin1String(strategy));
        QVERIFY2(whyNot(refused).contains(QLatin1String(says)), qPrintable(whyNot(refused)));
        QVERIFY(whyNot("auto").isEmpty() && whyNot("simulated").isEmpty());
      }
      QVERIFY(whyNot("cpu").isEmpty());  // under mirrored
      experiment.set(QStringLiteral("strategy"), QStringLiteral("sharded"));
      QVERIFY(whyNot("cpu").isEmpty() && whyNot("processes").isEmpty());
    }
  }

  // The form shows a folder of the user's own pictures before an experiment takes them.
  void aFolderOfPicturesIsShownFirst() {
    const QTemporaryDir folder;
    for (const char* name : {"cat", "dog"}) {
      QVERIFY(QDir(folder.path()).mkdir(QLatin1String(name)));
      QImage picture(8, 8, QImage::Format_RGB32);
      picture.fill(Qt::red);
      QVERIFY(picture.save(folder.filePath(QLatin1String(name) + QStringLiteral("/1.png"))));
    }
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment);
    const QSignalSpy chosen(&form, &SetupForm::picturesChosen);
    auto* line = form.findChild<QLineEdit*>(QStringLiteral("setting-data-dir"));
    QTest::keyClicks(line, folder.path());
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen.front().front().toString(), folder.path());
    QCOMPARE(experiment.asked().dataDir, std::string());
    QCOMPARE(line->text(), QString());  // still the value in force
    QVERIFY(experiment.complaint().isEmpty());
    // If a teacher has locked the folder, no pictures are shown and the usual sentence appears.
    experiment.setRefusal([](const QString& name) { return name + QStringLiteral(" is locked"); });
    QTest::keyClicks(line, folder.path());
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QVERIFY(!experiment.complaint().isEmpty());
    // When the lock goes, so does all that it refused.
    experiment.setRefusal({});
    experiment.refusalChanged();
    QVERIFY(experiment.complaint().isEmpty() && experiment.complaintAbout().isEmpty());
    QCOMPARE(line->text(), QString());
  }

  // Devices and links show readable names, also from the user's own catalogue, and typing finds them.
  void hardwareIsChosenFromTheCatalogue() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment);
    auto* device = form.findChild<QComboBox*>(QStringLiteral("setting-device-model"));
    auto* link = form.findChild<QComboBox*>(QStringLiteral("setting-link"));
    auto* hostLink = form.findChild<QComboBox*>(QStringLiteral("setting-host-link"));
    QVERIFY(device && link && hostLink);
    QCOMPARE(device->count(), static_cast<int>(Catalogue::builtIn().devices().size()) + 1);
    QCOMPARE(link->count(), static_cast<int>(Catalogue::builtIn().links().size()) + 1);
    QCOMPARE(device->currentText(), QStringLiteral("NVIDIA V100 SXM2 (usual)"));
    QVERIFY(hostLink->currentText().contains(QStringLiteral("10 Gb Ethernet")));
    const auto type = [](QComboBox* list, const QString& text) {
      list->lineEdit()->selectAll();
      QTest::keyClicks(list->lineEdit(), text);
      QTest::keyClick(list->lineEdit(), Qt::Key_Return);
    };
    type(device, QStringLiteral("nvidia a100 sxm"));
    QCOMPARE(experiment.resolved().deviceModel, std::string("a100"));
    QCOMPARE(device->currentText(), QStringLiteral("NVIDIA A100 SXM"));
    type(device, QStringLiteral("h200"));  // an id, which is also part of a name
    QCOMPARE(experiment.resolved().deviceModel, std::string("h200"));
    type(link, QStringLiteral("pcie5_x16"));
    QCOMPARE(experiment.resolved().link, std::string("pcie5_x16"));
    link->setCurrentIndex(0);
    Q_EMIT link->activated(0);
    QCOMPARE(experiment.resolved().link, std::string("nvlink4"));  // the usual link is one that the device has
    type(device, QStringLiteral("no such thing"));
    QCOMPARE(experiment.complaintAbout(), QStringLiteral("device-model"));
    QCOMPARE(experiment.resolved().deviceModel, std::string("h200"));

    QTemporaryDir folder;
    QFile own(folder.filePath(QStringLiteral("own.csv")));
    QVERIFY(own.open(QIODevice::WriteOnly));
    own.write(
        "kind,id,name,fp32_peak_tflops,fp32_source,matrix_peak_tflops,matrix_precision,matrix_source,mem_gb,"
        "mem_gb_per_s,mem_source,launch_overhead_us,launch_source,cnn_train_eff_of_peak,eff_source,"
        "link_gb_per_s_per_dir,link_bw_source,link_effective_gb_per_s,link_eff_source,link_latency_us,latency_source,"
        "notes,family\ndevice,mine,My own GPU,10,s,,,,16,500,s,5,s,0.5,s,,,,,,,,volta\n");
    own.close();
    experiment.set(QStringLiteral("catalogue"), own.fileName());
    QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
    type(device, QStringLiteral("My own GPU"));
    QCOMPARE(experiment.resolved().deviceModel, std::string("mine"));
  }

  // A click into a list that can be typed into gives it the keys; a choice from the opened list returns them, unless
  // the list was reached with Tab.
  void aClickGivesHardwareTheKeys() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SetupForm form(experiment, {QStringLiteral("device-model"), QStringLiteral("seed")});
    form.show();
    form.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&form, kPatienceMs));
    auto* device = form.findChild<QComboBox*>(QStringLiteral("setting-device-model"));
    device->clearFocus();
    QTest::mouseClick(device->lineEdit(), Qt::LeftButton);
    QVERIFY(device->hasFocus());
    QTRY_COMPARE_WITH_TIMEOUT(device->lineEdit()->selectedText(), device->currentText(), kPatienceMs);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("zzz"));
    QCOMPARE(device->currentText(), QStringLiteral("zzz"));
    device->setEditText(device->itemText(device->currentIndex()));
    device->showPopup();
    device->view()->setCurrentIndex(device->model()->index(device->findData(QStringLiteral("h100")), 0));
    QTest::keyClick(device->view(), Qt::Key_Return);
    QCOMPARE(experiment.resolved().deviceModel, std::string("h100"));
    QTRY_VERIFY_WITH_TIMEOUT(!device->hasFocus(), kPatienceMs);
  }

  void pickerHasEveryStrategyAndAppliesIt() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    StrategyPicker picker(experiment);
    for (const StrategyInfo& info : strategies()) {
      auto* card = picker.findChild<QAbstractButton*>(QStringLiteral("card-") + QString::fromStdString(info.key));
      QVERIFY2(card != nullptr, info.key.c_str());
      QCOMPARE(card->text(), QString::fromStdString(info.name));
      QVERIFY(card->accessibleDescription().startsWith(QString::fromStdString(info.sentence)));
      QCOMPARE(card->accessibleDescription().contains(QStringLiteral("Beyond tf.distribute")), info.beyondTensorFlow);
      card->click();
      QCOMPARE(experiment.resolved().strategy, info.kind);
      QVERIFY(card->isChecked());
    }
    QTest::keyClick(&picker, Qt::Key_3);
    QCOMPARE(experiment.resolved().strategy, StrategyKind::Mirrored);
  }

  // As in a list: letters go to a name, Enter chooses it. Without Enter nothing is chosen.
  void pickerFindsWhatIsTyped() {
    QApplication::setKeyboardInputInterval(kPatienceMs);
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    QWidget anchor;
    StrategyPicker picker(experiment);
    const auto type = [&picker](const QString& letters) {
      for (const QChar letter : letters) QTest::keyClick(picker.focusWidget(), letter.toLatin1());
    };
    const auto focused = [&picker] { return qobject_cast<QAbstractButton*>(picker.focusWidget())->text(); };
    for (const StrategyInfo& info : strategies()) {
      picker.openBelow(&anchor);
      const StrategyKind before = experiment.resolved().strategy;
      const QString name = QString::fromStdString(info.name);
      type(QString(name).remove(QLatin1Char(' ')).toLower());
      QCOMPARE(focused(), name);
      QCOMPARE(experiment.resolved().strategy, before);
      QTest::keyClick(picker.focusWidget(), Qt::Key_Return);
      QCOMPARE(experiment.resolved().strategy, info.kind);
      QVERIFY(picker.isHidden());
    }
    // One letter again and again goes round the names that begin with it.
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    picker.openBelow(&anchor);
    type(QStringLiteral("m"));
    QCOMPARE(focused(), QStringLiteral("MultiWorkerMirroredStrategy"));
    type(QStringLiteral("m"));
    QCOMPARE(focused(), QStringLiteral("MirroredStrategy"));
    type(QStringLiteral("x"));  // no name begins so
    QCOMPARE(focused(), QStringLiteral("MirroredStrategy"));
    picker.close();
    QApplication::setKeyboardInputInterval(-1);
  }

  void aFieldThatMeansNothingIsOff() {
    RunController controller;
    Experiment experiment(controller);
    SettingField batch(experiment, QStringLiteral("global-batch"), QStringLiteral("Global batch"));
    SettingField replicas(experiment, QStringLiteral("replicas"), QStringLiteral("Replicas"));
    SettingField reducer(experiment, QStringLiteral("reducer"), QStringLiteral("Reducer"));
    experiment.begin(smallTeaching());
    QVERIFY(batch.isEnabled() && replicas.isEnabled() && reducer.isEnabled());
    experiment.set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
    QVERIFY(!batch.isEnabled() && replicas.isEnabled() && !reducer.isEnabled());
    experiment.set(QStringLiteral("strategy"), QStringLiteral("default"));
    QVERIFY(batch.isEnabled() && !replicas.isEnabled());
    QVERIFY(replicas.toolTip().contains(QStringLiteral("exactly one replica")));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("tpu"));
    QCOMPARE(reducer.findChild<QComboBox*>()->count(), 2);  // auto, torus
  }

  // A number that is typed but not entered is not set when another strategy switches its field off.
  void aFieldThatGoesOffDropsWhatIsTyped() {
    RunController controller;
    Experiment experiment(controller);
    experiment.begin(smallTeaching());
    SettingField replicas(experiment, QStringLiteral("replicas"), QStringLiteral("Replicas"));
    replicas.show();
    replicas.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&replicas, kPatienceMs));
    auto& number = *replicas.findChild<QSpinBox*>();
    number.setFocus();
    number.selectAll();
    QTest::keyClicks(&number, QStringLiteral("4"));
    const QSignalSpy started(&experiment, &Experiment::started);
    experiment.set(QStringLiteral("strategy"), QStringLiteral("one-device"));
    QVERIFY(!replicas.isEnabled());
    QCOMPARE(number.value(), 1);
    QCOMPARE(started.size(), 1);
    QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
    QCOMPARE(experiment.resolved().replicas, 2);
  }
};

QTEST_MAIN(TestSetup)
#include "tst_setup.moc"
