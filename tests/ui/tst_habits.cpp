// SPDX-License-Identifier: GPL-3.0-or-later
// What a desktop program is expected to have, by its keys: palette, sheet, What's This on everything with a value,
// Preferences that are in force at once, About with system information; and no key that means two things.
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <map>

#include "ui/habits/habits.h"
#include "ui/habits/preferences.h"
#include "ui/main_window.h"
#include "ui/setup/fit.h"
#include "ui/theme.h"
#include "ui/workbench.h"

using namespace lab;

namespace {

struct Desk {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  Desk() {
    window.setWindowLayout(WindowLayout::Explore);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    RunConfig config = teachingConfig();
    config.dataset = "digits";
    config.trainExamples = 64;
    config.testExamples = 32;
    window.experiment().begin(config);
  }
  template <typename Part>
  Part* find(const char* name) {
    return window.findChild<Part*>(QLatin1String(name));
  }
};

}  // namespace

class TestHabits : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lettersFindNames() {
    QVERIFY(matchScore("sa", "File ▸ Save as") > matchScore("sa", "View ▸ Restart"));
    QVERIFY(matchScore("dark", "View ▸ Dark") > 0);
    QVERIFY(matchScore("xyz", "View ▸ Dark") < 0);
    QCOMPARE(matchScore("", "anything"), 0);
  }

  void paletteDoesWhatItFinds() {
    Desk desk;
    QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = desk.window.findChild<CommandPalette*>();
    QVERIFY(palette != nullptr && palette->isVisible());
    QVERIFY(palette->shown().size() > 30);
    auto* line = palette->findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    QTest::keyClicks(line, QStringLiteral("profile"));
    QCOMPARE(palette->shown().first(), QStringLiteral("View ▸ Profile"));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(desk.window.windowLayout(), WindowLayout::Profile);
    QTRY_VERIFY(desk.window.findChild<CommandPalette*>() == nullptr);
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window));
    QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
    line = desk.window.findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    QTest::keyClicks(line, QStringLiteral("replicas 5"));
    QTest::keyClick(line, Qt::Key_Down);
    QTest::keyClick(line, Qt::Key_Up);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(desk.window.experiment().resolved().replicas, std::optional<std::int64_t>(5));
  }

  void noKeyMeansTwoThings() {
    Desk desk;
    std::map<QString, QString> owners;
    for (const QAction* action : withKeys(*desk.window.menuBar(), desk.window.keyActions())) {
      for (const QKeySequence& keys : action->shortcuts()) {
        const auto [at, isNew] = owners.emplace(keys.toString(), action->text());
        QVERIFY2(isNew, qPrintable(keys.toString() + QStringLiteral(": ") + at->second + QStringLiteral(", ") +
                                   action->text()));
      }
    }
    for (const char* keys :
         {"Ctrl+N", "Ctrl+O", "Ctrl+S", "Ctrl+Z", "Ctrl+Q", "Ctrl+K", "Shift+F1", "F11", "?", "Space"})
      QVERIFY2(owners.count(QLatin1String(keys)) == 1, keys);
  }

  void sheetHasEveryKey() {
    Desk desk;
    QTest::keyClick(&desk.window, Qt::Key_Question);
    auto* sheet = desk.find<QDialog>("shortcuts");
    QVERIFY(sheet != nullptr);
    QStringList words;
    for (const QLabel* label : sheet->findChildren<QLabel*>()) words << label->text();
    for (const QAction* action : withKeys(*desk.window.menuBar(), desk.window.keyActions())) {
      const QString text = action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
      QVERIFY2(words.contains(text), qPrintable(text));
    }
    QVERIFY(sheet->height() <= 700);
  }

  void everythingWithAValueIsExplained() {
    Desk desk;
    const QStringList silent = unexplained(desk.window);
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
  }

  void preferencesAreInForceAtOnceAndKept() {
    Desk desk;
    desk.find<QAction>("preferencesAct")->trigger();
    auto* dialog = desk.find<QDialog>("preferences");
    QVERIFY(dialog != nullptr && dialog->isVisible());
    auto* themes = dialog->findChild<QComboBox*>(QStringLiteral("preferTheme"));
    QCOMPARE(themes->count(), static_cast<int>(theme::kKinds.size()));
    themes->setFocus();
    QTest::keyClick(themes, Qt::Key_Down);
    QCOMPARE(theme::kind(), theme::Kind::Dark);
    QTest::keyClick(themes, Qt::Key_Up);
    QCOMPARE(theme::kind(), theme::Kind::Light);
    auto* text = dialog->findChild<QSpinBox*>(QStringLiteral("preferText"));
    const int before = theme::textSize();
    text->setValue(theme::kMostPoints);
    QCOMPARE(theme::textSize(), 43);  // 32 pt at 96 pixels an inch
    text->setValue(theme::kLeastPoints);
    QCOMPARE(theme::textSize(), 11);
    text->setValue(text->minimum());
    QCOMPARE(theme::textSize(), before);
    dialog->findChild<QCheckBox*>(QStringLiteral("preferReopen"))->click();
    dialog->findChild<QCheckBox*>(QStringLiteral("preferStill"))->click();
    const Preferences kept = readPreferences(desk.settings);
    QVERIFY(!kept.reopen && kept.reducedMotion && kept.theme == theme::Kind::Light && kept.textPoints == 0);
    QVERIFY(!desk.bench.restoreSession());
  }

  void aboutCopiesTheSystemsFacts() {
    Desk desk;
    desk.find<QAction>("about")->trigger();
    auto* about = desk.find<QDialog>("about");
    QVERIFY(about != nullptr);
    for (QPushButton* button : about->findChildren<QPushButton*>())
      if (button->text().contains(QStringLiteral("system information"))) QTest::mouseClick(button, Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.startsWith(QStringLiteral("StrategyLab")) && copied.contains(QLatin1String(qVersion())));
  }
};

QTEST_MAIN(TestHabits)
#include "tst_habits.moc"
