// SPDX-License-Identifier: GPL-3.0-or-later
// A program that trains, saves and keeps its session is killed fifty times at random moments (SIGKILL). Each time,
// everything that it had reported as saved is there: no file is broken, and the run lacks only what came after the last
// report. This test starts itself again as that program.
#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <random>

#include "core/base/error.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/files/document.h"
#include "ui/files/session.h"
#include "ui/runs/run_library.h"
#include "ui/runview/run_controller.h"
#include "ui/setup/experiment.h"
#include "ui/setup/fit.h"

using namespace lab;

namespace {

constexpr int kKills = 50;
constexpr int kQuickMs = 8;  // between two savings, so that most kills hit one

struct Parts {
  RunController controller;
  Experiment experiment{controller};
  RunLibrary library{controller, experiment};
  Document document{experiment, library};
};

// Trains without end and reports on standard output what each saving has kept: "kept STEPS NOTE" and "file SEED".
int child(const QString& folder) {
  Parts parts;
  Session session(folder, parts.document, parts.experiment, parts.library);
  session.setIntervalMs(kQuickMs);
  RunSettings config = test::smallConfig();
  config.steps = 1'000'000;
  config.evalEvery = 5;
  parts.experiment.begin(config);
  parts.controller.play();
  int note = 0;
  QObject::connect(&session, &Session::saved, [&] {
    const KeptRun* run = parts.library.find(parts.library.presentId());
    if (run->metrics->steps.empty()) return;  // on a busy machine, the session saves long before the first step
    std::printf("kept %d\n", run->note.toInt());
    // The next saving keeps the note that is set here.
    parts.library.annotate(run->id, QString::number(++note));
    if (parts.document.saveAs(folder + QStringLiteral("/a.slab"))) std::printf("file %d\n", note);
    std::fflush(stdout);
  });
  return QCoreApplication::exec();
}

}  // namespace

class TestKill : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void nothingThatWasKeptIsLost() {
    std::mt19937 random(20260101);
    const QTemporaryDir folder;
    int longest = 0, withSteps = 0;
    for (int kill = 0; kill < kKills; ++kill) {
      const QString place = folder.filePath(QString::number(kill));
      QProcess process;
      process.start(QCoreApplication::arguments().constFirst(), {QStringLiteral("--child"), place});
      QVERIFY(process.waitForStarted(kPatienceMs));
      // Waits for a random number of lines, then kills the program at a random point of its work.
      const int words = std::uniform_int_distribution<int>(1, 40)(random);
      QByteArray said;
      while (said.count('\n') < words) {
        QVERIFY(process.waitForReadyRead(kPatienceMs));
        said += process.readAllStandardOutput();
      }
      const int spins = std::uniform_int_distribution<int>(0, 400'000)(random);
      for (volatile int spin = 0; spin < spins;) spin = spin + 1;
      process.kill();
      QVERIFY(process.waitForFinished(kPatienceMs));
      said += process.readAllStandardOutput();

      int kept = -1, file = 0;
      for (const QByteArray& line : said.split('\n')) {
        if (line.startsWith("kept ")) kept = line.mid(5).toInt();
        if (line.startsWith("file ")) file = line.mid(5).toInt();
      }
      longest = std::max(longest, kept);
      if (file > 0) (void)readExperiment(place.toStdString() + "/a.slab");  // throws if the file is not whole
      for (const QString& name : QDir(place).entryList({QStringLiteral("*.slab")}, QDir::Files))
        QCOMPARE(name, QStringLiteral("a.slab"));

      Parts parts;
      Session session(place, parts.document, parts.experiment, parts.library);
      QSignalSpy told(&session, &Session::said), restored(&session, &Session::restored);
      QVERIFY2(session.restore(), qPrintable(place));
      QVERIFY(restored.wait(kPatienceMs));
      QCOMPARE(told.size(), 1);  // it says that the session did not end normally
      QCOMPARE(parts.experiment.asked().steps, std::optional<std::int64_t>(1'000'000));
      for (const KeptRun& run : parts.library.runs()) {
        if (run.id == parts.library.presentId()) continue;
        ++withSteps;
        QVERIFY2(run.note.toInt() >= kept - 1, qPrintable(run.note));
        QVERIFY(!run.metrics->steps.empty());
        for (std::size_t i = 0; i < run.metrics->steps.size(); ++i)
          QCOMPARE(run.metrics->steps[i].step, static_cast<std::int64_t>(i) + 1);
      }
      parts.controller.stop();
    }
    QVERIFY(longest >= 5);
    QVERIFY2(withSteps > kKills / 2, qPrintable(QString::number(withSteps)));
  }

  void atMostTenSecondsAreLost() { QVERIFY(Session::kAutosaveMs <= 8'000); }
};

int main(int argc, char** argv) {
  QCoreApplication app(argc, argv);
  const QStringList arguments = QCoreApplication::arguments();
  if (arguments.size() == 3 && arguments[1] == QStringLiteral("--child")) return child(arguments[2]);
  TestKill test;
  return QTest::qExec(&test, argc, argv);
}
#include "tst_kill.moc"
