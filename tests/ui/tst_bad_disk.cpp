// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments, recordings and the session on a disk that is full or read-only: the message is clear, nothing that
// existed before is lost, and once the disk has recovered, everything can be written.
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <memory>

#include "chart_fixture.h"
#include "core/base/error.h"
#include "core/options/resolve.h"
#include "tests/support/bad_disk.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_export.h"
#include "ui/files/document.h"
#include "ui/files/session.h"
#include "ui/setup/fit.h"

using namespace lab;
using namespace lab::test;

namespace {

struct Desk : ChartFixture {
  Document document{experiment, library};
  QSignalSpy said{&document, &Document::said};

  Desk() {
    RunSettings config = test::smallConfig();
    config.steps = 40;
    experiment.begin(config);
  }
  int addRun(std::int64_t steps) {
    KeptRun run;
    run.resolved = resolve(teachingConfig());
    run.header.emplace();
    run.metrics = madeUpMetrics(steps);
    return library.add(std::move(run));
  }
  QString lastSaid() const { return said.isEmpty() ? QString() : said.last()[0].toString(); }
  bool lastFailed() const { return !said.isEmpty() && said.last()[1].toBool(); }
};

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string csvOf(const KeptRun& run) {
  return metricsCsv(std::vector<CsvRun>{{"r", metricsOf(run)}});
}

}  // namespace

class TestBadDisk : public QObject {
  Q_OBJECT

  std::unique_ptr<BadDisk> disk_;

  static void kinds() {
    QTest::addColumn<int>("kind");
    QTest::newRow("limit on files") << static_cast<int>(BadDisk::Kind::SizeLimit);
    QTest::newRow("full") << static_cast<int>(BadDisk::Kind::Full);
    QTest::newRow("read-only") << static_cast<int>(BadDisk::Kind::ReadOnly);
  }

 private Q_SLOTS:
  void init() {
    QFETCH(int, kind);
    disk_ = std::make_unique<BadDisk>(static_cast<BadDisk::Kind>(kind));
    if (!disk_->whyNot().isEmpty()) QSKIP(qPrintable(disk_->whyNot()));
  }
  void cleanup() { disk_.reset(); }

  void anExperimentIsNotLost_data() { kinds(); }
  void anExperimentIsNotLost() {
    Desk desk;
    const QString path = disk_->path("a.slab");
    QVERIFY(desk.document.saveAs(path));
    const QByteArray before = contentOf(path);
    desk.experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QVERIFY(disk_->breakIt());
    QVERIFY(!desk.document.save());
    QVERIFY(!desk.document.saveAs(disk_->path("b.slab")));
    disk_->mendIt();
    QVERIFY2(desk.lastFailed() && desk.lastSaid().contains(QLatin1String(disk_->words())), qPrintable(desk.lastSaid()));
    QVERIFY2(desk.lastSaid().contains(QStringLiteral("b.slab")) &&
                 desk.lastSaid().contains(QStringLiteral("or name another")),
             qPrintable(desk.lastSaid()));
    QCOMPARE(contentOf(path), before);
    QCOMPARE(desk.document.path(), path);
    QVERIFY(desk.document.isModified());
    QVERIFY(desk.document.save());
    QCOMPARE(QDir(QFileInfo(path).path()).entryList(QDir::Files), QStringList{QStringLiteral("a.slab")});
    QVERIFY(contentOf(path).contains("\"replicas\": 4"));
  }

  void aRecordingIsNotLost_data() { kinds(); }
  void aRecordingIsNotLost() {
    Desk desk;
    const QString path = disk_->path("r.run");
    const auto write = [&](int id) {
      desk.said.clear();
      desk.document.runs().save(id, path);
      QTRY_VERIFY_WITH_TIMEOUT(!desk.said.isEmpty(), kPatienceMs);
    };
    write(desk.addRun(30));
    QVERIFY2(!desk.lastFailed(), qPrintable(desk.lastSaid()));
    const QByteArray before = contentOf(path);
    const int longer = desk.addRun(500);
    QVERIFY(disk_->breakIt());
    write(longer);
    disk_->mendIt();
    QVERIFY2(desk.lastFailed() && desk.lastSaid().contains(QLatin1String(disk_->words())), qPrintable(desk.lastSaid()));
    QVERIFY2(desk.lastSaid().contains(QStringLiteral("r.run")), qPrintable(desk.lastSaid()));
    QCOMPARE(contentOf(path), before);
    QVERIFY(desk.library.find(longer) != nullptr);  // it is still among the runs, and can be written now
    write(longer);
    QVERIFY2(!desk.lastFailed(), qPrintable(desk.lastSaid()));
    QCOMPARE(readRunFile(path.toStdString()).metrics.size(), std::size_t{500});
  }

  // Steps kept earlier stay readable while the disk is bad; afterwards every step is kept, once.
  void aSessionIsNotLost_data() { kinds(); }
  void aSessionIsNotLost() {
    Desk desk;
    const QString place = disk_->path("state");
    if (disk_->kind() != BadDisk::Kind::SizeLimit) {  // no session can be kept, and the error says so
      QVERIFY(disk_->breakIt());
      try {
        const Session none(place, desk.document, desk.experiment, desk.library);
        QFAIL("kept on a bad disk");
      } catch (const UserError& error) {
        QVERIFY2(std::string(error.what()).find("this session will not be stored") != std::string::npos, error.what());
      }
      if (disk_->kind() == BadDisk::Kind::ReadOnly) return;
      disk_->mendIt();
    }
    auto session = std::make_unique<Session>(place, desk.document, desk.experiment, desk.library);
    session->setIntervalMs(0);
    QSignalSpy saved(session.get(), &Session::saved), told(session.get(), &Session::said);
    const auto steps = [&](std::size_t count) {
      while (desk.controller.steps().size() < count) {
        const std::size_t before = desk.controller.steps().size();
        desk.stepOn();
        QTRY_VERIFY_WITH_TIMEOUT(desk.controller.steps().size() > before, kPatienceMs);
      }
      // The last step of an epoch is followed by an evaluation, which is to be stored too.
      QTRY_VERIFY_WITH_TIMEOUT(desk.controller.isAtRest(), kPatienceMs);
    };
    const auto keptOnDisk = [&] {
      std::size_t count = 0;
      const QDir folder(place + QStringLiteral("/session-1"));
      for (const QString& file : folder.entryList({QStringLiteral("run-*.jsonl")}, QDir::Files))
        if (const auto journal = readJournal(folder.filePath(file).toStdString()))
          count = std::max(count, journal->run.metrics->steps.size());
      return count;
    };
    steps(3);
    QTRY_COMPARE_WITH_TIMEOUT(keptOnDisk(), std::size_t{3}, kPatienceMs);
    QVERIFY(disk_->breakIt());
    steps(5);
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, kPatienceMs);
    QVERIFY2(told[0][0].toString().contains(QLatin1String(disk_->words())), qPrintable(told[0][0].toString()));
    steps(8);  // the write fails again, without another message
    QVERIFY_THROWS_EXCEPTION(std::exception, session->finish());
    QCOMPARE(told.size(), 1);
    QVERIFY(keptOnDisk() >= 3);
    disk_->mendIt();
    session->finish();
    session.reset();
    Desk next;
    Session again(place, next.document, next.experiment, next.library);
    QSignalSpy restored(&again, &Session::restored);
    QVERIFY(again.restore());
    QVERIFY(restored.wait(kPatienceMs));
    const KeptRun* present = desk.library.find(desk.library.presentId());
    const auto& runs = next.library.runs();
    QVERIFY(std::any_of(runs.begin(), runs.end(), [&](const KeptRun& run) { return csvOf(run) == csvOf(*present); }));
  }
};

QTEST_GUILESS_MAIN(TestBadDisk)
#include "tst_bad_disk.moc"
