// SPDX-License-Identifier: GPL-3.0-or-later
// Checks the Data dialog through its buttons and drops, against a server on this machine: download with progress, pause
// and resume, check, use; a sentence for every failure; the user's own files are checked before use. Needs no network.
#include <QCryptographicHash>
#include <QDragEnterEvent>
#include <QImage>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/model/neural_network.h"
#include "core/options/network_of.h"
#include "tests/core/data_files.h"
#include "tests/core/http_server.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/data/data_dialog.h"
#include "ui/data/data_preview.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;
namespace fs = std::filesystem;

namespace {

constexpr int kTrain = 200, kTest = 40;

QByteArray plainFile(std::size_t i) {
  const int count = i < 2 ? kTrain : kTest;
  return kIdxFiles[i].kind == IdxKind::Images ? imagesFile(count) : labelsFile(count);
}

struct Desk {
  QTemporaryDir temporary;
  fs::path folder{temporary.path().toStdString()};
  HttpServer server;
  RunController controller;
  Experiment experiment{controller};
  std::unique_ptr<DataDialog> dialog;

  explicit Desk(bool nobody = false) {
    qputenv("no_proxy", "127.0.0.1");
    RunSettings config = test::smallConfig();
    experiment.begin(config);
    RemoteDataset set;
    set.name = "mnist";
    set.mirrors = {nobody ? "http://127.0.0.1:1/" : server.url()};
    for (std::size_t i = 0; i < 4; ++i) {
      set.files[i] = {kIdxFiles[i], plainFile(i).size(),
                      QCryptographicHash::hash(plainFile(i), QCryptographicHash::Sha256).toHex().toStdString(), ""};
      server.put(idxName(kIdxFiles[i]) + ".gz", gzipped(plainFile(i)));
    }
    std::vector<std::unique_ptr<DataFetch>> fetches;
    fetches.push_back(std::make_unique<DataFetch>(set, std::vector<fs::path>{}, folder / "sets" / "mnist"));
    dialog = std::make_unique<DataDialog>(experiment, std::move(fetches), folder / "own");
    dialog->show();
    (void)QTest::qWaitFor([this] { return fetch().state() != DataFetch::State::Unknown; }, kPatienceMs);
  }
  DataFetch& fetch() { return *dialog->fetchOf("mnist"); }
  template <typename Part>
  Part& part(const char* name) {
    return *dialog->findChild<Part*>(QLatin1String(name));
  }
  void click(const char* name) { QTest::mouseClick(&part<QPushButton>(name), Qt::LeftButton); }
  QString told() { return part<QLabel>("dataMessage").text(); }
  void drop(QWidget& where, const std::vector<fs::path>& paths) {
    QList<QUrl> urls;
    for (const fs::path& path : paths) urls << QUrl::fromLocalFile(QString::fromStdString(path.string()));
    QMimeData data;
    data.setUrls(urls);
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QCoreApplication::sendEvent(&where, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent event(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&where, &event);
  }
};

using State = DataFetch::State;

}  // namespace

class TestDataDialog : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // For a folder of pictures, the dialog shows some of each class, how many there are, and what is left out and why;
  // only then a run may begin.
  void aFolderOfPicturesIsLookedAtAndUsed() {
    Desk desk;
    const fs::path folder = desk.folder / "flowers";
    const char* const names[]{"rose", "tulip", "daisy"};
    for (int c = 0; c < 3; ++c) {
      fs::create_directories(folder / names[c]);
      for (int i = 0; i < 20 + 5 * c; ++i) {
        QImage image(40, 30, QImage::Format_RGB32);
        image.fill(QColor::fromHsv(100 * c + 3 * i, 200, 250 - 4 * i));
        QVERIFY(image.save(QString::fromStdString((folder / names[c] / (std::to_string(i) + ".png")).string())));
      }
    }
    QFile broken(QString::fromStdString((folder / "rose" / "broken.jpg").string()));
    QVERIFY(broken.open(QIODevice::WriteOnly));
    broken.write("no picture");
    broken.close();
    desk.drop(*desk.dialog, {folder});
    QTRY_VERIFY_WITH_TIMEOUT(desk.told() != QStringLiteral("Reading…"), kPatienceMs);
    QVERIFY2(desk.part<QPushButton>("dataUseOwn").isEnabled(), qPrintable(desk.told()));
    const DataSummary& shown = desk.dialog->preview().shown();
    QCOMPARE(shown.names, (std::vector<std::string>{"daisy", "rose", "tulip"}));
    QCOMPARE(shown.train + shown.test, std::int64_t{20 + 25 + 30});
    QCOMPARE(shown.trainClasses[1] + shown.testClasses[1], std::int64_t{20});
    // The preview shows one picture of each class in turn.
    QVERIFY(shown.first.labels[0] != shown.first.labels[1] && shown.first.labels[1] != shown.first.labels[2]);
    QVERIFY(desk.dialog->preview().accessibleDescription().contains(QStringLiteral("class rose:")));
    const auto& left = desk.part<QListWidget>("dataLeftOut");
    QVERIFY(!left.isHidden());
    QCOMPARE(left.count(), 1);
    QVERIFY2(left.item(0)->text().startsWith(QStringLiteral("rose/broken.jpg: ")), qPrintable(left.item(0)->text()));
    QCOMPARE(desk.experiment.asked().dataset, std::string("digits"));  // no run has begun
    desk.click("dataUseOwn");
    QCOMPARE(desk.experiment.asked().dataset, std::string("colour"));
    QCOMPARE(desk.experiment.asked().dataDir, folder.string());
    QCOMPARE(networkOf(desk.experiment.resolved())->classes(), std::int64_t{3});
    // With another set, the network has ten classes again.
    desk.experiment.begin(onDigits(desk.experiment.asked()));
    QCOMPARE(networkOf(desk.experiment.resolved())->classes(), std::int64_t{10});
    QVERIFY(desk.experiment.complaint().isEmpty());
  }

  // Pictures without their folder are not taken for damaged IDX files.
  void picturesAloneAreToldOfTheFolder() {
    Desk desk;
    const fs::path picture = desk.folder / "rose.PNG";
    QImage image(32, 32, QImage::Format_RGB32);
    image.fill(Qt::red);
    QVERIFY(image.save(QString::fromStdString(picture.string()), "PNG"));
    desk.drop(*desk.dialog, {picture});
    QVERIFY2(desk.told().contains(QStringLiteral("each class has its own folder")), qPrintable(desk.told()));
  }

  void fetchedPausedGoneOnWithAndUsed() {
    Desk desk;
    QCOMPARE(desk.fetch().state(), State::Absent);
    HttpServer::Manners slow;  // some bytes, and then silence
    slow.cutAfter = 300;
    slow.stalls = true;
    desk.server.behave(slow);
    desk.click("go-mnist");
    QCOMPARE(desk.fetch().state(), State::Fetching);
    QTRY_VERIFY_WITH_TIMEOUT(desk.fetch().share() > 0, kPatienceMs);
    QVERIFY(desk.part<QLabel>("words-mnist").text().startsWith(QStringLiteral("File 1 of 4: 300")));
    QVERIFY(desk.dialog->findChild<QProgressBar*>()->value() > 0);
    desk.click("go-mnist");  // the same button pauses now
    QTRY_COMPARE_WITH_TIMEOUT(desk.fetch().state(), State::Partial, kPatienceMs);
    QVERIFY(desk.fetch().words().startsWith(QStringLiteral("Paused")));
    const fs::path part = desk.folder / "sets" / "mnist" / "train-images-idx3-ubyte.gz.part";
    QCOMPARE(fs::file_size(part), std::uintmax_t{300});
    desk.server.behave({});
    desk.click("go-mnist");
    QTRY_COMPARE_WITH_TIMEOUT(desk.fetch().state(), State::Here, kPatienceMs);
    QCOMPARE(desk.server.requests().at(1), std::string("train-images-idx3-ubyte.gz 300-"));
    QVERIFY(desk.fetch().words().contains(QStringLiteral("checksums of all files are right")));
    // The downloaded set is previewed without a click, and used only when asked for.
    QTRY_COMPARE_WITH_TIMEOUT(desk.dialog->preview().shown().train, std::int64_t{kTrain}, kPatienceMs);
    QCOMPARE(desk.experiment.asked().dataset, std::string("digits"));
    desk.click("use-mnist");
    QCOMPARE(desk.experiment.asked().dataset, std::string("mnist"));
    QCOMPARE(desk.experiment.asked().dataDir, (desk.folder / "sets" / "mnist").string());
    QTRY_VERIFY_WITH_TIMEOUT(desk.controller.info() != nullptr && desk.controller.info()->trainExamples == kTrain,
                             kPatienceMs);
  }

  void cancelledNothingIsLeft() {
    Desk desk;
    HttpServer::Manners slow;
    slow.cutAfter = 300;
    slow.stalls = true;
    desk.server.behave(slow);
    desk.click("go-mnist");
    QTRY_VERIFY_WITH_TIMEOUT(desk.fetch().share() > 0, kPatienceMs);
    desk.click("cancel-mnist");
    QTRY_COMPARE_WITH_TIMEOUT(desk.fetch().state(), State::Absent, kPatienceMs);
    QVERIFY(fs::is_empty(desk.folder / "sets" / "mnist"));
  }

  void closedItGoesOnAndTells() {
    Desk desk;
    QSignalSpy said(desk.dialog.get(), &DataDialog::said);
    desk.click("go-mnist");
    desk.click("dataClose");
    QTRY_COMPARE_WITH_TIMEOUT(said.size(), 1, kPatienceMs);
    QVERIFY(said[0][0].toString().startsWith(QStringLiteral("MNIST: Complete")));
  }

  void destroyedWhileFetchingItEnds() {
    Desk desk;
    HttpServer::Manners silent;
    silent.cutAfter = 0;
    silent.stalls = true;
    desk.server.behave(silent);
    desk.click("go-mnist");
    QTRY_VERIFY_WITH_TIMEOUT(!desk.server.requests().empty(), kPatienceMs);
    desk.dialog.reset();  // the test would hang here
  }

  void failuresAreSentences_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("no network") << "network"
                                << "Check the network connection";
    QTest::newRow("wrong checksum") << "checksum"
                                    << "SHA-256 is ";
    QTest::newRow("full disk") << "full"
                               << "No space left on device";
    QTest::newRow("unwritable folder") << "folder"
                                       << "Name a folder that may be written to";
  }
  void failuresAreSentences() {
    QFETCH(QString, kind);
    QFETCH(QString, says);
    Desk desk(kind == QStringLiteral("network"));
    const fs::path folder = desk.folder / "sets" / "mnist";
    if (kind == QStringLiteral("checksum"))
      desk.server.put("train-images-idx3-ubyte.gz", gzipped(plainFile(0).replace(50, 1, "#")));
    if (kind == QStringLiteral("full")) {
      if (!fs::exists("/dev/full")) QSKIP("this system has no /dev/full");
      fs::create_directories(folder);
      fs::create_symlink("/dev/full", folder / "train-images-idx3-ubyte.gz.part");
    }
    if (kind == QStringLiteral("folder")) write(desk.folder / "sets", "in the way");
    desk.click("go-mnist");
    QTRY_COMPARE_WITH_TIMEOUT(desk.fetch().state(), State::Failed, kPatienceMs);
    const QString words = desk.part<QLabel>("words-mnist").text();
    QVERIFY2(words.contains(says), qPrintable(words));
    QCOMPARE(desk.part<QPushButton>("go-mnist").text(), QStringLiteral("Try again"));
    QVERIFY(!fs::exists(folder / "train-images-idx3-ubyte.gz"));
    QCOMPARE(desk.experiment.asked().dataset, std::string("digits"));
  }

  void ownFilesAreDroppedLookedAtAndUsed() {
    Desk desk;
    std::vector<fs::path> paths;
    for (std::size_t i = 0; i < 4; ++i) {
      paths.push_back(desk.folder / ("mine-" + std::to_string(i)));
      write(paths.back(), plainFile(3 - i));
    }
    desk.drop(*desk.dialog, paths);
    QTRY_COMPARE_WITH_TIMEOUT(desk.dialog->preview().shown().train, std::int64_t{kTrain}, kPatienceMs);
    const DataSummary& shown = desk.dialog->preview().shown();
    QCOMPARE(shown.test, std::int64_t{kTest});
    QCOMPARE(shown.trainClasses[3], std::int64_t{20});
    QCOMPARE(shown.first.labels[5], std::uint8_t{5});
    QVERIFY(desk.dialog->preview().words().contains(QStringLiteral("28×28")));
    QVERIFY2(desk.told().contains(QStringLiteral("For training: mine-3 and mine-2")), qPrintable(desk.told()));
    desk.click("dataUseOwn");
    QTRY_COMPARE_WITH_TIMEOUT(desk.experiment.asked().dataset, std::string("mnist"), kPatienceMs);
    QVERIFY(desk.experiment.asked().dataDir.starts_with((desk.folder / "own").string()));
    QTRY_VERIFY_WITH_TIMEOUT(desk.controller.info() != nullptr && desk.controller.info()->trainExamples == kTrain,
                             kPatienceMs);
    QVERIFY(desk.controller.info()->data->own);
  }

  void wrongFilesAreRefusedWithASentence() {
    Desk desk;
    write(desk.folder / "x", "hello");
    desk.drop(*desk.dialog, {desk.folder / "x"});
    QTRY_VERIFY_WITH_TIMEOUT(desk.told().contains(QStringLiteral("is not a valid IDX file")), kPatienceMs);
    QVERIFY(!desk.part<QPushButton>("dataUseOwn").isEnabled());
    QCOMPARE(desk.dialog->preview().shown().train, std::int64_t{0});
    QCOMPARE(desk.experiment.asked().dataset, std::string("digits"));
  }

  void droppedOnTheWindow() {
    QTemporaryDir temporary;
    const fs::path folder(temporary.path().toStdString());
    writeSet(folder / "set", 60, 20);
    QSettings settings(temporary.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    RunController controller;
    MainWindow window(controller);
    Workbench bench(window, settings);
    window.show();
    QVERIFY(window.findChild<DataDialog*>() == nullptr);  // made only when asked for
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(QString::fromStdString((folder / "set").string()))});
    QDragEnterEvent enter(QPoint(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&window, &enter);
    QDropEvent event(QPointF(20, 20), Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&window, &event);
    auto* dialog = window.findChild<DataDialog*>();
    QVERIFY(dialog != nullptr && dialog->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(dialog->preview().shown().train, std::int64_t{60}, kPatienceMs);
    QVERIFY(window.findChild<QMenu*>(QStringLiteral("dataMenu"))->actions().size() >= 4);
    QVERIFY(!looksLikeData({QStringLiteral("a.slab")}));
  }
};

QTEST_MAIN(TestDataDialog)
#include "tst_data_dialog.moc"
