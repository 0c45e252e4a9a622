// SPDX-License-Identifier: GPL-3.0-or-later
// The network page says what a run of the settings has; networks are chosen, opened and dropped, and refused with a
// sentence. Try it, the inspector and the stage show networks of a person's own: in colour, and with batch
// normalisation, whose moving statistics belong to each replica.
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <numeric>
#include <string>

#include "core/keras/keras_file.h"
#include "core/keras/keras_json.h"
#include "core/keras/network_edit.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/options/resolve.h"
#include "core/replicas/labels.h"
#include "tests/support/patience.h"
#include "ui/i18n/class_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describe.h"
#include "ui/network/network_editor.h"
#include "ui/network/network_page.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/setup/network_picker.h"
#include "ui/step/layer_words.h"
#include "ui/tryout/confusion_table.h"
#include "ui/tryout/digit_pad.h"
#include "ui/tryout/filter_grid.h"
#include "ui/tryout/pages.h"
#include "ui/tryout/try_out.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

using Kind = NetworkLayer::Kind;

NeuralNetwork normed(bool synchronized) {
  return {"normed",
          {28, 28, 1},
          {{.kind = Kind::Conv2D, .name = "conv2d", .units = 6, .side = 3, .strideY = 2, .strideX = 2},
           {.kind = Kind::BatchNorm, .name = "batch_normalization", .momentum = 0.9, .synchronized = synchronized},
           {.kind = Kind::Activation, .name = "re_lu", .relu = true},
           {.kind = Kind::Flatten, .name = "flatten"},
           {.kind = Kind::Dropout, .name = "dropout", .rate = 0.25},
           {.kind = Kind::Dense, .name = "dense", .units = 10}}};
}

QString written(const QTemporaryDir& folder, const NeuralNetwork& network) {
  const QString path = folder.filePath(QString::fromStdString(network.key()) + QStringLiteral(".json"));
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return {};
  file.write(QByteArray::fromStdString(kerasJson(network)));
  return path;
}

RunSettings few(const char* dataset, const QString& network = {}) {
  RunSettings config = teachingConfig();
  config.dataset = dataset;
  if (!network.isEmpty()) config.network = network.toStdString();
  config.trainExamples = 64;
  config.testExamples = 40;
  config.devices = DeviceChoice::Simulated;
  return config;
}

struct Desk {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  explicit Desk(const RunSettings& config) {
    window.resize(1280, 800);
    window.show();
    window.experiment().begin(config);
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
  }
  template <typename View>
  View& tab(const char* name) {
    window.panels().openTab(QLatin1String(name));
    return *window.findChild<View*>();
  }
  Description described(const Object& object) {
    const StepIndex index(controller.sharedInfo(), window.playback().record());
    const Story& story = window.playback().story();
    return describe(object, index, story, story.seconds, nullptr);
  }
};

}  // namespace

class TestNetwork : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theFactsAreTheRuns_data() {
    QTest::addColumn<QString>("dataset");
    QTest::addColumn<QString>("network");
    QTest::addColumn<int>("parameters");
    QTest::addRow("course") << "digits"
                            << "course" << 347'146;
    QTest::addRow("mlp") << "digits"
                         << "mlp" << 101'770;
    QTest::addRow("cifar10") << "colour"
                             << "cifar10" << 122'570;
  }
  void theFactsAreTheRuns() {
    QFETCH(const QString, dataset);
    QFETCH(const QString, network);
    QFETCH(const int, parameters);
    Desk desk(few(dataset.toLatin1().constData(), network));
    const NetworkFacts facts = networkFacts(desk.window.experiment().resolved());
    QCOMPARE(facts.parameters, std::int64_t{parameters});
    const auto sum = std::accumulate(facts.rows.begin(), facts.rows.end(), std::int64_t{0},
                                     [](std::int64_t all, const auto& row) { return all + row.parameters; });
    QCOMPARE(sum, facts.parameters);
    const auto record = desk.window.playback().record();
    QVERIFY(record != nullptr);
    QCOMPARE(facts.stepNs, record->metric.stepNs);
    const MemoryBreakdown& memory = record->memory.front();
    QCOMPARE(facts.weightBytes, memory.variables);
    QCOMPARE(facts.slotBytes, memory.optimizer);
    QCOMPARE(facts.activationBytes, memory.activations);
    // A layer's time is the time of its spans on the stage.
    for (const NetworkFacts::Row& row : facts.rows) {
      if (row.operation < 0) continue;
      std::int64_t ns = 0;
      for (const Span& span : record->spans)
        if (span.track == 0 && span.kind == SpanKind::Compute && operationOf(span.label) == row.operation)
          ns = span.durationNs;
      if (row.name != facts.rows.back().name) QCOMPARE(row.forwardNs, ns);  // the last layer's span includes the loss
    }
  }

  // Choosing a .keras file also makes its weights a run's first ones; choosing another network drops them.
  void aKerasFileBringsItsWeights() {
    Desk desk(few("digits"));
    RunSettings before = few("digits", QStringLiteral("mlp"));
    before.seed = 7;
    before.steps = 2;
    before.save = desk.folder.filePath(QStringLiteral("net.keras")).toStdString();
    Telemetry telemetry;
    Trainer trainer(resolve(before), openDataset(before), telemetry);
    while (!trainer.finished()) trainer.step();
    (void)trainer.finish();
    const std::vector<float> saved = trainer.weights();
    const auto firstWeights = [&](const QString& network) {
      desk.window.experiment().set(QStringLiteral("network"), network);
      const auto record = [&] { return desk.window.playback().record(); };
      (void)QTest::qWaitFor([&] { return record() != nullptr && record()->weightsBefore.size() == saved.size(); },
                            kPatienceMs);
      return record() != nullptr ? record()->weightsBefore : std::vector<float>();
    };
    QVERIFY(firstWeights(QString::fromStdString(before.save)) == saved);
    QVERIFY2(desk.window.experiment().complaint().isEmpty(), qPrintable(desk.window.experiment().complaint()));
    const std::vector<float> own = firstWeights(QStringLiteral("mlp"));
    QVERIFY2(desk.window.experiment().complaint().isEmpty(), qPrintable(desk.window.experiment().complaint()));
    QVERIFY(own.size() == saved.size() && own != saved);
    QVERIFY(desk.window.experiment().resolved().init.empty());
  }

  void aNetworkIsChosenAndRefused() {
    Desk desk(few("digits"));
    auto& page = desk.tab<NetworkPage>("networkTab");
    auto* table = page.findChild<QTableWidget*>();
    QCOMPARE(table->rowCount(), 6);
    auto* picker = page.findChild<NetworkPicker*>();
    const auto choose = [picker](const char* name) {
      picker->setCurrentIndex(picker->findData(QLatin1String(name)));
      Q_EMIT picker->activated(picker->currentIndex());
    };
    choose("mlp");
    QCOMPARE(desk.window.experiment().asked().network, std::string("mlp"));
    QCOMPARE(table->rowCount(), 4);
    choose("cifar10");
    auto* complaint = page.findChild<QLabel*>(QStringLiteral("networkComplaint"));
    QVERIFY(complaint->isVisible());
    QVERIFY2(complaint->text().contains(QStringLiteral("(32, 32, 3)")) &&
                 complaint->text().contains(QStringLiteral("(28, 28, 1)")),
             qPrintable(complaint->text()));
    QCOMPARE(desk.window.experiment().asked().network, std::string("mlp"));  // the present run goes on
    // While a file is asked for, the list still shows the network in use, also beside the complaint.
    choose("\n");
    QCOMPARE(picker->currentData().toString(), QStringLiteral("mlp"));
    desk.window.findChild<QFileDialog*>()->close();
    choose("auto");
    QVERIFY(!complaint->isVisible());
    desk.window.experiment().set(QStringLiteral("dataset"), QStringLiteral("colour"));
    QCOMPARE(page.facts().parameters, std::int64_t{122'570});
    // The memory figure is what is set aside, even if a kernel does not write to it.
    auto* summary = page.findChild<QLabel*>(QStringLiteral("networkSummary"));
    QVERIFY2(summary->text().contains(QStringLiteral("never written")), qPrintable(summary->text()));
  }

  // What the page says of a replica's memory is what the stage records of it, whatever lies in parts or elsewhere.
  void aReplicaHoldsItsPart_data() {
    QTest::addColumn<QString>("strategy");
    QTest::addColumn<QString>("own");
    QTest::addColumn<QString>("words");
    QTest::addRow("weights in parts") << "sharded"
                                      << "shard-stage=3"
                                      << "also has all weights";
    QTest::addRow("gradients in parts") << "sharded"
                                        << "shard-stage=2"
                                        << "also has all gradients";
    QTest::addRow("slots in parts") << "sharded"
                                    << "shard-stage=1"
                                    << "optimizer's slots, that is only its part";
    QTest::addRow("on the host") << "central-storage"
                                 << ""
                                 << "copy of the host's variables";
    QTest::addRow("on servers") << "parameter-server"
                                << ""
                                << "copy of the servers' variables";
    QTest::addRow("buffers beside the slots") << "local-sgd"
                                              << "outer-optimizer=nesterov"
                                              << "optimizer ";
  }
  void aReplicaHoldsItsPart() {
    QFETCH(const QString, strategy);
    QFETCH(const QString, own);
    QFETCH(const QString, words);
    RunSettings config = few("digits");
    configField("strategy").set(config, strategy.toStdString());
    config.globalBatch.reset();
    config.batchPerReplica = 8;
    configField("replicas").set(config, "4");
    configField("optimizer").set(config, "adam");
    const QStringList set = own.split(QLatin1Char('='));
    if (set.size() == 2) configField(set[0].toStdString()).set(config, set[1].toStdString());
    Desk desk(config);
    const auto& page = desk.tab<NetworkPage>("networkTab");
    const auto record = desk.window.playback().record();
    QVERIFY(record != nullptr);
    const MemoryBreakdown& memory = record->memory.front();
    QCOMPARE(bytesText(page.facts().weightBytes), bytesText(memory.variables));
    QCOMPARE(bytesText(page.facts().gradientBytes), bytesText(memory.gradients));
    QCOMPARE(bytesText(page.facts().slotBytes), bytesText(memory.optimizer));
    const QString said = page.findChild<QLabel*>(QStringLiteral("networkSummary"))->text();
    QVERIFY2(said.contains(words), qPrintable(said));
    QVERIFY2(said.contains(QStringLiteral("weights %1,").arg(bytesText(memory.variables))), qPrintable(said));
  }

  // With mouse and keys, layers come and go, the run uses the table, and undo brings the last network back.
  void aNetworkIsChangedByHand() {
    Desk desk(few("digits"));
    auto& page = desk.tab<NetworkPage>("networkTab");
    Experiment& experiment = desk.window.experiment();
    auto* table = page.findChild<QTableWidget*>();
    auto* editor = page.findChild<NetworkEditor*>();
    auto* units = editor->findChild<QSpinBox*>(QStringLiteral("layerUnits"));
    auto* remove = editor->findChild<QPushButton*>(QStringLiteral("removeLayer"));
    auto* menu = editor->findChild<QPushButton*>(QStringLiteral("addLayer"))->menu();
    const auto layers = [&] {
      QStringList names;
      for (const NetworkLayer& layer : page.facts().network->layers()) names << QString::fromStdString(layer.name);
      return names.join(QLatin1Char(' '));
    };
    QVERIFY(!remove->isEnabled() && !units->isVisible());
    table->selectRow(1);
    QCOMPARE(units->value(), 32);
    units->setValue(6);
    QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
    QCOMPARE(experiment.asked().network, std::string(kEditedNetwork));
    QCOMPARE(page.facts().parameters, std::int64_t{6 * 10 + (13 * 13 * 6 + 1) * 64 + 65 * 10});
    QVERIFY(QTest::qWaitFor([&] { return desk.controller.info() != nullptr; }, kPatienceMs));
    QCOMPARE(desk.controller.info()->parameters, page.facts().parameters);

    QCOMPARE(table->currentRow(), 1);  // the chosen layer stays chosen
    const auto add = [&](NetworkLayer::Kind kind) {
      menu->actions()[std::ranges::find(kindsToAdd(), kind) - kindsToAdd().begin()]->trigger();
    };
    add(Kind::Conv2D);
    QCOMPARE(layers(), QStringLiteral("conv2d conv2d_1 max_pooling2d flatten dense dense_1"));
    QCOMPARE(table->currentRow(), 2);
    QCOMPARE(desk.window.selection().pinned().index, page.facts().rows[2].operation);  // on the stage too
    add(Kind::Dense);  // as near to the chosen layer as possible
    QCOMPARE(layers(), QStringLiteral("conv2d conv2d_1 max_pooling2d flatten dense dense_1 dense_2"));
    QCOMPARE(table->currentRow(), 5);
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window, kPatienceMs));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Delete);
    QCOMPARE(layers(), QStringLiteral("conv2d conv2d_1 max_pooling2d flatten dense dense_1"));
    QCOMPARE(table->currentRow(), 4);  // the layer before the removed one: Flatten, which cannot be removed
    QVERIFY(!remove->isEnabled());
    table->selectRow(6);
    QVERIFY(!remove->isEnabled() && !units->isVisible());  // the number of classes decides its units

    // Changing the number of replicas keeps the network, and so does choosing the edited network in the list.
    experiment.set(QStringLiteral("replicas"), QStringLiteral("3"));
    QCOMPARE(layers(), QStringLiteral("conv2d conv2d_1 max_pooling2d flatten dense dense_1"));
    experiment.set(QStringLiteral("network"), QLatin1String(kEditedNetwork));
    QCOMPARE(layers(), QStringLiteral("conv2d conv2d_1 max_pooling2d flatten dense dense_1"));
    // Each step has a name of its own kind, in the window's words.
    QUndoStack& steps = desk.bench.undo().stack();
    const int first = steps.count() - 5;  // the last one is the number of replicas
    QCOMPARE(steps.text(first), QStringLiteral("network auto → changed by hand"));
    for (int i = 1; i < 4; ++i) QCOMPARE(steps.text(first + i), QStringLiteral("network changed by hand"));
    for (int i = 0; i < 5; ++i) steps.undo();
    QCOMPARE(experiment.asked().network, std::string("auto"));
    QCOMPARE(layers(), QStringLiteral("conv2d max_pooling2d flatten dense dense_1"));
    QVERIFY(page.facts().parameters == 347'146);
  }

  // A number that is typed but not entered is not for another network's layer, which may have no units, nor for none.
  void whatIsTypedIsNotForAnotherNetwork_data() {
    QTest::addColumn<QString>("dataset");
    QTest::addColumn<QString>("network");
    QTest::addColumn<int>("row");
    QTest::addRow("pooling") << "digits"
                             << "mlp" << 2;
    QTest::addRow("none") << "colour"
                          << "cifar10" << 7;
  }
  void whatIsTypedIsNotForAnotherNetwork() {
    QFETCH(const QString, dataset);
    QFETCH(const QString, network);
    QFETCH(const int, row);
    Desk desk(few(dataset.toLatin1().constData(), network));
    auto& page = desk.tab<NetworkPage>("networkTab");
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window, kPatienceMs));
    auto* units = page.findChild<QSpinBox*>(QStringLiteral("layerUnits"));
    page.findChild<QTableWidget*>()->selectRow(row);
    QVERIFY(units->isVisible());
    units->setFocus();
    units->selectAll();
    QTest::keyClicks(units, QStringLiteral("48"));
    QTest::keyClick(units, Qt::Key_N, Qt::ControlModifier);  // the course's network: the second layer pools
    QCOMPARE(page.facts().network->layers().size(), std::size_t{5});
    QVERIFY(!units->isVisible());
    const Experiment& experiment = desk.window.experiment();
    QCOMPARE(experiment.asked().network, std::string("auto"));
    QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
  }

  // A change that does not lead to a network is refused with a sentence, whose advice can be followed in the window,
  // and the present run goes on.
  void whatIsNoNetworkIsRefused() {
    Desk desk(few("digits"));
    auto& page = desk.tab<NetworkPage>("networkTab");
    auto* menu = page.findChild<QPushButton*>(QStringLiteral("addLayer"))->menu();
    QLabel* complaint = page.findChild<QLabel*>(QStringLiteral("networkComplaint"));
    page.findChild<QTableWidget*>()->selectRow(2);
    for (int pools = 0; pools < 8 && !complaint->isVisible(); ++pools) menu->actions()[1]->trigger();
    QVERIFY2(complaint->isVisible() && complaint->text().contains(QStringLiteral("become too small")),
             qPrintable(complaint->text()));
    QCOMPARE(page.facts().network->layers().size(), std::size_t{8});  // each pooling halves the side: 13, 6, 3, 1
  }

  void aFileIsDroppedOnTheWindow() {
    Desk desk(few("digits"));
    const QString path = written(desk.folder, normed(false));
    QVERIFY(isNetworkFile(path));
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&desk.window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&desk.window, &drop);
    QCOMPARE(QString::fromStdString(desk.window.experiment().asked().network), path);
    auto* page = desk.window.findChild<NetworkPage*>();
    QVERIFY(page != nullptr && page->isVisible());
    QCOMPARE(page->facts().statistics, std::int64_t{12});
    // The settings hold the file's content: the file may be deleted, and undo and redo still find the network.
    QVERIFY(QFile::remove(path));
    desk.bench.undo().stack().undo();
    QCOMPARE(desk.window.experiment().asked().network, std::string("auto"));
    desk.bench.undo().stack().redo();
    QCOMPARE(page->facts().statistics, std::int64_t{12});
  }

  void howAWindowMovesIsSaid() {
    using Kind = NetworkLayer::Kind;
    NetworkLayer usual{.kind = Kind::MaxPool2D, .name = "a", .side = 2}, other = usual;
    other.kind = Kind::AveragePool2D;
    other.strideY = other.strideX = 1;
    other.same = true;
    const NeuralNetwork network("n", {8, 8, 1},
                                {usual, other, {.kind = Kind::Flatten, .name = "f"}, {.name = "d", .units = 10}});
    QCOMPARE(layerWords(network, network.layers()[0]).full, QStringLiteral("MaxPooling2D, 2×2"));
    QCOMPARE(layerWords(network, network.layers()[1]).full, QStringLiteral("AveragePooling2D, 2×2, strides 1×1, same"));
  }

  // If data are missing, the way out keeps no weights of a network that is not trained.
  void onDigitsNothingIsLeftOfAnotherNetwork() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("model.keras")).toStdString();
    RunSettings config = few("colour");
    config.network = config.init = path;
    config.networkFile = {path, kerasJson(cifar10Network())};
    QCOMPARE(onDigits(config).network, std::string("auto"));
    QCOMPARE(onDigits(config).init, std::string());
    config.networkFile = {path, kerasJson(mlpNetwork())};  // fits the digits, but its weights are gone
    QCOMPARE(onDigits(config).network, std::string("auto"));
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(onDigits(config).network, path);
    QCOMPARE(onDigits(config).init, path);
  }

  // Keras's older forms are neither data nor an experiment: the sentence says how to write the model again.
  void anOlderFormIsDropped() {
    Desk desk(few("digits"));
    const QDir folder(desk.folder.path());
    QVERIFY(folder.mkdir(QStringLiteral("saved")));
    for (const char* name : {"model.h5", "saved/saved_model.pb"}) {
      QFile file(folder.filePath(QLatin1String(name)));
      QVERIFY(file.open(QIODevice::WriteOnly) && file.write("\x89HDF\r\n\x1a\n") == 8);
    }
    for (const char* name : {"model.h5", "saved"}) {
      QMimeData data;
      data.setUrls({QUrl::fromLocalFile(folder.filePath(QLatin1String(name)))});
      QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&desk.window, &enter);
      QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, {});
      QCoreApplication::sendEvent(&desk.window, &drop);
      const QString why = desk.window.experiment().complaint();
      QVERIFY2(why.contains(QStringLiteral("model.save('NAME.keras')")), qPrintable(why));
    }
    QCOMPARE(desk.window.experiment().asked().network, std::string("auto"));
  }

  // Training begins with the weights of the .keras file, however the settings change. It once began with those of a
  // seed as soon as the layers had been read.
  void aKerasFilesWeightsAreTrained() {
    Desk desk(few("digits"));
    const NeuralNetwork& network = mlpNetwork();
    std::vector<float> weights(static_cast<std::size_t>(network.layout().size()));
    network.initialize(77, weights);
    const QString path = desk.folder.filePath(QStringLiteral("mine.keras"));
    writeKerasFile(path.toStdString(), network, weightsToTensors(network.layout(), weights), {});
    Experiment& experiment = desk.window.experiment();
    const auto begins = [&](const std::vector<float>& with) {
      return QTest::qWaitFor(
          [&] {
            const auto& record = desk.window.playback().record();
            return record && record->metric.step == 1 && record->weightsBefore == with &&
                   desk.controller.info()->config.init == experiment.resolved().init;
          },
          kPatienceMs);
    };
    experiment.set(QStringLiteral("network"), path);
    QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
    QVERIFY(begins(weights));
    experiment.set(QStringLiteral("replicas"), QStringLiteral("3"));
    QVERIFY(begins(weights));
    experiment.set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
    QVERIFY(begins(weights));
    desk.bench.undo().stack().undo();
    QVERIFY(begins(weights));
    // Another network does not get these weights.
    network.initialize(static_cast<std::uint64_t>(experiment.asked().seed), weights);
    experiment.set(QStringLiteral("network"), QStringLiteral("mlp"));
    QVERIFY2(experiment.complaint().isEmpty(), qPrintable(experiment.complaint()));
    QCOMPARE(experiment.asked().init, std::string());
    QVERIFY(begins(weights));
  }

  void tryItIsInColour() {
    Desk desk(few("colour"));
    auto& tryOut = desk.tab<TryOut>("tryTab");
    QImage picture(64, 64, QImage::Format_RGB32);
    picture.fill(qRgb(200, 40, 10));
    tryOut.tryPicture(picture);
    const Examples one = tryOut.findChild<DigitPad*>()->example();
    QCOMPARE(one.shape, (std::array<std::int64_t, 3>{32, 32, 3}));
    QCOMPARE(int{one.pixels[0]}, 200);
    QCOMPARE(int{one.pixels[2]}, 10);
    QTRY_VERIFY_WITH_TIMEOUT(tryOut.answer() >= 0, kPatienceMs);
    tryOut.showPage(TryOut::Page::Filters);
    QTRY_COMPARE_WITH_TIMEOUT(tryOut.filters(), 32, kPatienceMs);
    const QImage filter = tryOut.findChild<FilterGrid*>()->pictureOf(0);
    QCOMPARE(filter.size(), QSize(3, 3));
    tryOut.showPage(TryOut::Page::Confusion);
    QTRY_VERIFY_WITH_TIMEOUT(!tryOut.findChild<ConfusionTable*>()->accessibleDescription().isEmpty(), kPatienceMs);
  }

  void aDenseLayersUnitsWeighThePixels() {
    Desk desk(few("digits", QStringLiteral("mlp")));
    const auto record = desk.window.playback().record();
    const Filters filters = filtersOf(mlpNetwork(), record->weightsAfter);
    QCOMPARE(filters.count, 128);
    QCOMPARE(filters.height, 28);
    const Variable& kernel = mlpNetwork().layout().find("dense/kernel");
    QCOMPARE(filters.weights[5], record->weightsAfter[static_cast<std::size_t>(kernel.offset) + 5]);
    // A network whose first layer sees no picture has no filters.
    const NeuralNetwork flat("flat", {12}, {{.kind = Kind::Dense, .name = "dense", .units = 10}});
    QCOMPARE(filtersOf(flat, std::vector<float>(130)).count, 0);
  }

  void classesGoByTheirNames() {
    Dataset set{"cifar10", "", {}, {}};
    QCOMPARE(classWords(set, 0), QStringLiteral("airplane"));
    QVERIFY(classesAreNamed(set));
    set.classNames = {"Rosen", "Nelken"};
    QCOMPARE(classList(set, 10).front(), QStringLiteral("Rosen"));
    QCOMPARE(classList(set, 10)[7], QStringLiteral("7"));
    ProbabilityBars bars;
    bars.setNames(classList(set, 10));
    bars.show(std::vector<float>(10, 0.1F));
    QVERIFY(bars.accessibleDescription().startsWith(QStringLiteral("Rosen: 10.0 %")));
    ConfusionTable table;
    ConfusionCounts counts(10, std::vector<std::int64_t>(10));
    counts[0][1] = 3;
    table.show(counts, classList(set, 10));
    QCOMPARE(table.accessibleDescription(), QStringLiteral("Rosen taken for Nelken: 3 times"));
  }

  // Moving statistics differ between replicas unless they are synchronised; the inspector says what the record has.
  void movingStatisticsAreEachReplicas() {
    for (const bool synchronized : {false, true}) {
      const QTemporaryDir folder;
      Desk desk(few("digits", written(folder, normed(synchronized))));
      const auto record = desk.window.playback().record();
      QVERIFY(record != nullptr && record->replicas.size() == 2);
      QCOMPARE(record->replicas[0].statistics == record->replicas[1].statistics, synchronized);
      QVERIFY(record->metric.mirrorsIdentical.value());
      const NeuralNetwork& network = *desk.controller.info()->network;
      const Object layer{Object::Kind::Layer, 1, network.layers()[1].forward};
      const Description description = desk.described(layer);
      QCOMPARE(description.parts.size(), std::size_t{2});
      const auto distance =
          std::ranges::find(description.rows, QStringLiteral("Its distance to R0's"), &Description::Row::name);
      QVERIFY(distance != description.rows.end());
      QCOMPARE(distance->value == QStringLiteral("0: the same bits"), synchronized);
      QVERIFY(description.note.contains(QStringLiteral("not mirrored variables")));
      const bool exchanges = std::ranges::any_of(
          record->spans, [](const Span& span) { return span.label == labelOf(Label::ExchangeSums); });
      QCOMPARE(exchanges, synchronized);
      // Try it takes the statistics of replica 0.
      auto& tryOut = desk.tab<TryOut>("tryTab");
      tryOut.showPage(TryOut::Page::Confusion);
      QTRY_VERIFY_WITH_TIMEOUT(!tryOut.findChild<ConfusionTable*>()->accessibleDescription().isEmpty(), kPatienceMs);
    }
  }
};

QTEST_MAIN(TestNetwork)
#include "tst_network.moc"
