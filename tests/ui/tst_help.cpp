// SPDX-License-Identifier: GPL-3.0-or-later
// The usual parts of a desktop program, by their keys: palette, sheet, What's This on everything with a value,
// Preferences that apply at once, About with system information; and no key has two meanings.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusMetaType>
#include <QDBusVariant>
#include <QDialog>
#include <QDir>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMap>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTreeWidget>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_panel.h"
#include "ui/frame/menus.h"
#include "ui/frame/on_demand.h"
#include "ui/help/actions.h"
#include "ui/help/handbook.h"
#include "ui/help/notice.h"
#include "ui/i18n/band_words.h"
#include "ui/i18n/strategy_words.h"
#include "ui/runs/run_menu.h"
#include "ui/session/preferences.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"
#include "ui/theme/system_looks.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_views.h"

using namespace lab;

namespace {

bool isWordless(const QWidget* widget) {
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  return button != nullptr && button->text().isEmpty();
}

// Returns whether a person sets the widget, or presses it although it has no words. Parts of Qt's own widgets do not
// count.
bool hasValue(const QWidget* widget) {
  if (qobject_cast<const QScrollBar*>(widget) != nullptr) return false;
  for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget())
    if (qobject_cast<const QAbstractSpinBox*>(parent) != nullptr || qobject_cast<const QComboBox*>(parent) != nullptr ||
        qobject_cast<const QLineEdit*>(parent) != nullptr || qobject_cast<const QTabBar*>(parent) != nullptr ||
        qobject_cast<const QAbstractItemView*>(parent) != nullptr)
      return false;
  if (widget->objectName().startsWith(QStringLiteral("qt_"))) return false;
  return qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr || qobject_cast<const QLineEdit*>(widget) != nullptr ||
         qobject_cast<const QAbstractSlider*>(widget) != nullptr || qobject_cast<const QCheckBox*>(widget) != nullptr ||
         isWordless(widget);
}

// Returns the widgets with a value, or that can be pressed, which lack a tool tip or a What's This text.
QStringList unexplained(const QWidget& root) {
  QStringList names;
  for (const QWidget* widget : root.findChildren<QWidget*>()) {
    if (!hasValue(widget)) continue;
    if (widget->toolTip().isEmpty() || widget->whatsThis().isEmpty())
      names << QStringLiteral("%1 '%2' %3")
                   .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                        widget->accessibleName());
  }
  return names;
}

struct Desk {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  Desk() {
    window.workspaces().choose(WindowLayout::Explore);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    RunSettings config = test::smallConfig();
    window.experiment().begin(config);
  }
  template <typename Part>
  Part* find(const char* name) {
    return window.findChild<Part*>(QLatin1String(name));
  }
};

// A bus of this test's own, with nobody on it. It must exist before Qt first asks for the session's bus.
struct PrivateBus {
  int daemon = 0;
  PrivateBus() {
    std::FILE* said = popen("dbus-daemon --session --fork --print-address=1 --print-pid=1 2>/dev/null", "r");
    char address[512] = "", pid[32] = "";
    if (std::fgets(address, sizeof address, said) != nullptr && std::fgets(pid, sizeof pid, said) != nullptr) {
      daemon = std::atoi(pid);
      std::string text(address);
      qputenv("DBUS_SESSION_BUS_ADDRESS", QByteArray::fromStdString(text.substr(0, text.find('\n'))));
    }
    pclose(said);
  }
  ~PrivateBus() {
    if (daemon > 0) kill(daemon, SIGTERM);
  }
};
const PrivateBus privateBus;

// Imitates the desktop portal's settings, as far as looks are concerned.
class FakePortal final : public QObject {
  Q_OBJECT
  Q_CLASSINFO("D-Bus Interface", "org.freedesktop.portal.Settings")

 public:
  using Values = QMap<QString, QVariantMap>;

  explicit FakePortal(const Values& values) : values_(values) {
    qDBusRegisterMetaType<Values>();
    if (!bus_.registerObject(kPath, this, QDBusConnection::ExportAllSlots) ||
        !bus_.registerService(QStringLiteral("org.freedesktop.portal.Desktop")))
      qFatal("the fake portal cannot be reached");
  }
  ~FakePortal() override { QDBusConnection::disconnectFromBus(QStringLiteral("portal")); }
  void change(const QString& space, const QString& key, const QVariant& value) {
    values_[space][key] = value;
    QDBusMessage signal = QDBusMessage::createSignal(kPath, QStringLiteral("org.freedesktop.portal.Settings"),
                                                     QStringLiteral("SettingChanged"));
    signal << space << key << QVariant::fromValue(QDBusVariant(value));
    bus_.send(signal);
  }

 public Q_SLOTS:
  QMap<QString, QVariantMap> ReadAll(const QStringList& spaces) {
    Values asked;
    for (const QString& space : spaces)
      if (values_.contains(space)) asked[space] = values_[space];
    return asked;
  }

 private:
  const QString kPath = QStringLiteral("/org/freedesktop/portal/desktop");
  QDBusConnection bus_ = QDBusConnection::connectToBus(QDBusConnection::SessionBus, QStringLiteral("portal"));
  Values values_;
};

const QString kAppearance = QStringLiteral("org.freedesktop.appearance");
const QString kColours = QStringLiteral("color-scheme"), kMotion = QStringLiteral("reduced-motion");
const QString kGnome = QStringLiteral("org.gnome.desktop.interface"), kAnimations = QStringLiteral("enable-animations");

QPalette paletteOf(const QColor& letters, const QColor& ground) {
  QPalette palette;
  palette.setColor(QPalette::WindowText, letters);
  palette.setColor(QPalette::Window, ground);
  return palette;
}

}  // namespace

class TestHelp : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lettersFindNames() {
    QVERIFY(matchScore("sa", "File ▸ Save as") > matchScore("sa", "View ▸ Restart"));
    QVERIFY(matchScore("dark", "View ▸ Dark") > 0);
    QVERIFY(matchScore("xyz", "View ▸ Dark") < 0);
    // A whole word comes before letters from several places.
    QVERIFY(matchScore("csv", "Charts ▸ Loss ▸ Save as CSV ▸ All runs") >
            matchScore("csv", "Charts ▸ Staleness ▸ Copy picture and values"));
    QCOMPARE(matchScore("", "anything"), 0);
    // Several words match in any order.
    QVERIFY(matchScore("dark theme", "View ▸ Theme ▸ Dark") > 0);
    QVERIFY(matchScore("dark theme", "View ▸ Workspace ▸ Teach") < 0);
  }

  void paletteDoesWhatItFinds() {
    Desk desk;
    QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = desk.window.findChild<CommandPalette*>();
    QVERIFY(palette != nullptr && palette->isVisible());
    QVERIFY(palette->shown().size() > 30);
    auto* line = palette->findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    QTest::keyClicks(line, QStringLiteral("profile"));
    QCOMPARE(palette->shown().first(), QStringLiteral("View ▸ Workspace ▸ Profile"));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Profile);
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.findChild<CommandPalette*>() == nullptr, kPatienceMs);
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window, kPatienceMs));
    QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
    line = desk.window.findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    QTest::keyClicks(line, QStringLiteral("replicas 5"));
    QTest::keyClick(line, Qt::Key_Down);
    QTest::keyClick(line, Qt::Key_Up);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(desk.window.experiment().resolved().replicas, std::optional<std::int64_t>(5));
  }

  // The palette has every menu's commands: the bar's, the charts' and the runs', including those unavailable now.
  void paletteFindsEveryActionOfEveryMenu() {
    Desk desk;
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.playback().record() != nullptr, kPatienceMs);
    desk.bench.undo().forget();
    desk.settings.setValue(QStringLiteral("recentFiles"), QStringList{QStringLiteral("/none/mine.slab")});
    QMenu chart, run;
    desk.window.views().charts().fillMenu(chart, desk.window.views().charts().chart(Quantity::Loss));
    fillRunMenu(run, desk.window.library(), desk.window.library().presentId());
    QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = desk.window.findChild<CommandPalette*>();
    QVERIFY(palette != nullptr);
    auto* line = palette->findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    QList<const QMenu*> menus{&chart, &run};
    for (const QMenu* menu : desk.window.menuBar()->findChildren<QMenu*>()) menus << menu;
    for (const QMenu* menu : chart.findChildren<QMenu*>()) menus << menu;
    int actions = 0;
    for (const QMenu* menu : menus) {
      for (const QAction* action : menu->actions()) {
        if (action->isSeparator() || action->menu() != nullptr) continue;
        const QString text = action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
        line->setText(text);
        const QStringList shown = palette->shown();
        QVERIFY2(std::any_of(shown.begin(), shown.end(),
                             [&](const QString& name) { return name.endsWith(QStringLiteral("▸ ") + text); }),
                 qPrintable(text + QStringLiteral(": ") + shown.join(QStringLiteral(", "))));
        ++actions;
      }
    }
    QVERIFY2(actions > 70, qPrintable(QString::number(actions)));
    // The palette also finds commands by the name of their group.
    const auto found = [&](const char* typed) {
      line->setText(QLatin1String(typed));
      return palette->shown();
    };
    for (const char* layout : {"Teach", "Explore", "Profile"})
      QVERIFY(found("workspace").contains(QStringLiteral("View ▸ Workspace ▸ ") + QLatin1String(layout)));
    for (const char* theme : {"Light", "Dark", "High contrast", "Projector"})
      QVERIFY(found("theme").contains(QStringLiteral("View ▸ Theme ▸ ") + QLatin1String(theme)));
    QCOMPARE(found("dark theme").first(), QStringLiteral("View ▸ Theme ▸ Dark"));
    // A command that is not available now is listed but cannot be chosen.
    QCOMPARE(found("edit undo").first(), QStringLiteral("Edit ▸ Undo"));
    const auto* list = palette->findChild<QListWidget*>();
    QVERIFY(list->item(0)->text().startsWith(QStringLiteral("Edit ▸ Undo")));
    QVERIFY((list->item(0)->flags() & Qt::ItemIsEnabled) == 0 && list->currentRow() != 0);
    line->setText(QStringLiteral("explore layout"));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(desk.window.workspaces().current(), WindowLayout::Explore);
  }

  void paletteSaysThatNothingMatches() {
    Desk desk;
    QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = desk.window.findChild<CommandPalette*>();
    auto* line = palette->findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    auto* list = palette->findChild<QListWidget*>();
    QTest::keyClicks(line, QStringLiteral("qqqq"));
    QVERIFY(palette->shown().isEmpty());
    QCOMPARE(list->count(), 1);
    QVERIFY2(list->item(0)->text().contains(QStringLiteral("qqqq")), qPrintable(list->item(0)->text()));
    QTest::keyClick(line, Qt::Key_Return);
    QVERIFY(palette->isVisible());
    line->setText(QStringLiteral("slow"));  // a setting without its value
    QVERIFY(palette->shown().isEmpty());
    QVERIFY2(list->item(0)->text().contains(QStringLiteral("REPLICA:FACTOR")), qPrintable(list->item(0)->text()));
    line->clear();
    QVERIFY(list->count() > 30);
  }

  // What is typed replaces a list of replicas and factors, as in the form.
  void paletteChangesAStraggler() {
    Desk desk;
    desk.window.experiment().slowDown(1, 3);
    QTest::keyClick(&desk.window, Qt::Key_K, Qt::ControlModifier);
    auto* palette = desk.window.findChild<CommandPalette*>();
    auto* line = palette->findChild<QLineEdit*>(QStringLiteral("paletteLine"));
    line->setText(QStringLiteral("slow 1:4"));
    QVERIFY2(palette->shown().contains(QStringLiteral("Set slow to 1:4")), qPrintable(palette->shown().join(u'|')));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(desk.window.experiment().resolved().slow, (std::vector<std::pair<int, double>>{{1, 4.0}}));
  }

  void noKeyMeansTwoThings() {
    Desk desk;
    std::map<QString, QString> owners;
    for (const QAction* action : withKeys(*desk.window.menuBar(), desk.window.menus().keyActions())) {
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
    for (const QAction* action : withKeys(*desk.window.menuBar(), desk.window.menus().keyActions())) {
      const QString text = action->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
      QVERIFY2(words.contains(text), qPrintable(text));
    }
    QVERIFY(words.contains(QStringLiteral("Larger text")));  // the sheet does not show the menu that an action is in
    QVERIFY(sheet->height() <= desk.window.screen()->availableSize().height());
  }

  void everythingWithAValueIsExplained() {
    Desk desk;
    for (OnDemand* place : desk.window.findChildren<OnDemand*>()) (void)place->content();
    const QStringList silent = unexplained(desk.window);
    QVERIFY2(silent.isEmpty(), qPrintable(silent.join(QLatin1Char('\n'))));
  }

  void preferencesAreInForceAtOnceAndKept() {
    Desk desk;
    desk.find<QAction>("preferencesAct")->trigger();
    auto* dialog = desk.find<QDialog>("preferences");
    QVERIFY(dialog != nullptr && dialog->isVisible());
    auto* themes = dialog->findChild<QComboBox*>(QStringLiteral("preferTheme"));
    QCOMPARE(themes->count(), static_cast<int>(theme::kKinds.size()) + 1);  // and the system's theme
    QCOMPARE(readPreferences(desk.settings).theme, std::optional<theme::Kind>());
    themes->setFocus();
    QTest::keyClick(themes, Qt::Key_Down);
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
    auto* motion = dialog->findChild<QComboBox*>(QStringLiteral("preferMotion"));
    motion->setFocus();
    for (int i = 0; i < 2; ++i) QTest::keyClick(motion, Qt::Key_Down);
    const Preferences kept = readPreferences(desk.settings);
    QVERIFY(!kept.reopen && kept.reducedMotion == true && kept.theme == theme::Kind::Light && kept.textPoints == 0);
    QVERIFY(!desk.bench.session().restore());
  }

  void theDesktopIsAskedForItsLooks() {
    QVERIFY2(privateBus.daemon > 0, "dbus-daemon is missing: app/setup.sh names its package");
    const QPalette light = paletteOf(Qt::black, Qt::white);
    FakePortal portal({{kAppearance, {{kColours, 1U}}}, {kGnome, {{kAnimations, true}}}});
    SystemLooks looks(light);
    QTRY_COMPARE_WITH_TIMEOUT(looks.theme(), theme::Kind::Dark, kPatienceMs);
    QVERIFY(!looks.reducedMotion());
    QSignalSpy told(&looks, &SystemLooks::changed);
    portal.change(kAppearance, kColours, 2U);
    QTRY_COMPARE_WITH_TIMEOUT(looks.theme(), theme::Kind::Light, kPatienceMs);
    portal.change(kGnome, kAnimations, false);
    QTRY_VERIFY_WITH_TIMEOUT(looks.reducedMotion(), kPatienceMs);
    portal.change(kGnome, kAnimations, true);
    QTRY_VERIFY_WITH_TIMEOUT(!looks.reducedMotion(), kPatienceMs);
    portal.change(kAppearance, kMotion, 1U);
    QTRY_VERIFY_WITH_TIMEOUT(looks.reducedMotion(), kPatienceMs);
    portal.change(kAppearance, QStringLiteral("accent-color"), 7U);
    portal.change(kAppearance, kColours, QStringLiteral("dark"));  // this value does not exist: no wish
    portal.change(kAppearance, kMotion, 0U);
    QTRY_VERIFY_WITH_TIMEOUT(!looks.reducedMotion(), kPatienceMs);
    QCOMPARE(looks.theme(), theme::Kind::Light);
    QCOMPARE(told.count(), 5);
    // The value is wrapped twice, as by Read() and by some portals.
    portal.change(kAppearance, kColours, QVariant::fromValue(QDBusVariant(1U)));
    QTRY_COMPARE_WITH_TIMEOUT(looks.theme(), theme::Kind::Dark, kPatienceMs);
  }

  void whereNoDesktopAnswersThePaletteTells() {
    QVERIFY(privateBus.daemon > 0);
    SystemLooks light(paletteOf(Qt::black, Qt::white)), dark(paletteOf(Qt::white, Qt::black));
    // When this call returns, the bus has said that there is no portal.
    QDBusConnection bus = QDBusConnection::sessionBus();
    const QDBusMessage nobody = bus.call(QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.portal.Desktop"), QStringLiteral("/"), QString(), QStringLiteral("Ping")));
    QCOMPARE(nobody.type(), QDBusMessage::ErrorMessage);
    for (SystemLooks* looks : {&light, &dark}) looks->takeAnswer();
    QCOMPARE(light.theme(), theme::Kind::Light);
    QCOMPARE(dark.theme(), theme::Kind::Dark);
    QVERIFY(!light.reducedMotion() && !dark.reducedMotion());
  }

  void theSystemIsFollowedUnlessSomethingWasChosen() {
    Desk desk;
    applyPreferences(readPreferences(desk.settings), desk.window);
    const auto animates = [&] { return desk.window.dockOptions().testFlag(QMainWindow::AnimatedDocks); };
    QVERIFY(desk.find<QAction>("theme-system")->isChecked() && animates());
    desk.window.looks().setSystem(theme::Kind::Dark, true);
    QCOMPARE(theme::kind(), theme::Kind::Dark);
    QVERIFY(desk.find<QAction>("theme-system")->isChecked());
    QVERIFY(!animates() && desk.window.playback().reducedMotion());
    QCOMPARE(QApplication::style()->styleHint(QStyle::SH_Widget_Animate), 0);
    // F11 changes the theme only for a while, whatever the system does meanwhile.
    desk.window.looks().setProjectorMode(true);
    desk.window.looks().setSystem(theme::Kind::Light, true);
    QCOMPARE(theme::kind(), theme::Kind::Projector);
    desk.window.looks().setProjectorMode(false);
    QCOMPARE(theme::kind(), theme::Kind::Light);
    // What the user chose stays, also after a restart.
    desk.find<QAction>("theme-high-contrast")->trigger();
    desk.window.looks().setReducedMotion(false);
    desk.window.looks().setSystem(theme::Kind::Dark, true);
    QCOMPARE(theme::kind(), theme::Kind::HighContrast);
    QVERIFY(animates() && !desk.window.playback().reducedMotion());
    desk.bench.session().rememberWindow();
    QCOMPARE(readPreferences(desk.settings).theme, std::optional(theme::Kind::HighContrast));
    desk.find<QAction>("theme-system")->trigger();
    QCOMPARE(theme::kind(), theme::Kind::Dark);
    desk.bench.session().rememberWindow();
    QCOMPARE(readPreferences(desk.settings).theme, std::optional<theme::Kind>());
    desk.window.looks().setTheme(theme::Kind::Light);
    // Earlier versions kept Light for everybody who had chosen nothing, so it counts as no choice.
    QSettings before(desk.folder.filePath(QStringLiteral("before.ini")), QSettings::IniFormat);
    before.setValue(QStringLiteral("window/theme"), QStringLiteral("light"));
    QCOMPARE(readPreferences(before).theme, std::optional<theme::Kind>());
    before.setValue(QStringLiteral("window/theme"), QStringLiteral("dark"));
    QCOMPARE(readPreferences(before).theme, std::optional(theme::Kind::Dark));
  }

  void aReportOfAProblemTellsWhatIsNeeded() {
    Desk desk;
    desk.window.experiment().set(QStringLiteral("learning-rate"), QStringLiteral("0.0625"));
    auto* notice = desk.window.findChildren<Notice*>().constLast();
    notice->say(Notice::Kind::Warning, QStringLiteral("'%1/a.run' is damaged").arg(QDir::homePath()));
    QGuiApplication::clipboard()->setText(QStringLiteral("before"));
    desk.find<QAction>("reportAct")->trigger();
    auto* dialog = desk.find<QDialog>("report");
    QVERIFY(dialog != nullptr && dialog->isVisible());
    auto* text = dialog->findChild<QPlainTextEdit*>(QStringLiteral("reportText"));
    const QString shown = text->toPlainText();
    for (const QString& part :
         {QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()), QSysInfo::prettyProductName(),
          QStringLiteral("Build: "), QStringLiteral("Display: offscreen; "), QStringLiteral("GPU: "),
          QStringLiteral("layout explore, theme light (the system's)"), QStringLiteral("\"learning-rate\":0.0625"),
          QStringLiteral("'~/a.run' is damaged")})
      QVERIFY2(shown.contains(part), qPrintable(part + QStringLiteral(" is not in\n") + shown));
    QVERIFY(!shown.contains(QDir::homePath()));
    // The report is shown first, and the copied text has its reader's changes.
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("before"));
    text->setPlainText(shown.section(QLatin1Char('\n'), 0, 2));
    dialog->findChild<QPushButton*>(QStringLiteral("copyReport"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), shown.section(QLatin1Char('\n'), 0, 2));
    notice->say(Notice::Kind::Warning, QString());
  }

  // The error that the handbook quotes is the one that the program shows.
  void theHandbookQuotesTheModelsError() {
    const QString text = handbookIn(QStringLiteral("en")).markdown.simplified();
    QVERIFY(text.contains(bandText(BoundBy::OneHost)));
  }

  void theHandbookOpensAtWhatHasTheFocus() {
    Desk desk;
    const auto ask = [&](QWidget* where) {
      where->setFocus();
      QTest::keyClick(where, Qt::Key_F1);
      return desk.find<Handbook>("handbook");
    };
    desk.window.stage().setFocus();
    Handbook* book = ask(&desk.window.stage());
    QVERIFY(book != nullptr && book->isVisible());
    QCOMPARE(book->section(), QStringLiteral("start"));
    auto* page = book->findChild<QTextBrowser*>(QStringLiteral("handbookPage"));
    const auto top = [page] { return page->verticalScrollBar()->value(); };
    const int start = top();
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window, kPatienceMs));
    QCOMPARE(ask(desk.find<QComboBox>("chartAxis")), book);  // the same one again
    QCOMPARE(book->section(), QStringLiteral("charts"));
    QVERIFY(top() > start);
    // F1 works in a dialog too.
    desk.find<QAction>("changeKeys")->trigger();
    auto* editor = desk.find<QDialog>("keyEditor");
    auto* filter = editor->findChild<QLineEdit*>(QStringLiteral("keyFilter"));
    QCoreApplication::processEvents();
    QApplication::setActiveWindow(editor);
    filter->setFocus();
    QCOMPARE(QApplication::focusWidget(), filter);
    ask(filter);
    QCOMPARE(book->section(), QStringLiteral("keyboard"));
    // Keys move in the list of sections.
    QApplication::setActiveWindow(book);
    auto* contents = book->findChild<QListWidget*>(QStringLiteral("handbookContents"));
    QTest::keyClick(contents, Qt::Key_Home);
    QCOMPARE(book->section(), QStringLiteral("start"));
    QCOMPARE(top(), start);
    // The search goes forwards and backwards, and says if a word is not found.
    auto* search = book->findChild<QLineEdit*>(QStringLiteral("handbookSearch"));
    auto* told = book->findChild<QLabel*>(QStringLiteral("handbookStatus"));
    QTest::keyClicks(search, QStringLiteral("staleness"));
    QCOMPARE(page->textCursor().selectedText().toLower(), QStringLiteral("staleness"));
    const int first = page->textCursor().position();
    QTest::keyClick(search, Qt::Key_Return);
    QVERIFY(page->textCursor().position() > first);
    QTest::keyClick(search, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(page->textCursor().position(), first);
    QVERIFY(told->text().isEmpty());
    QTest::keyClicks(search, QStringLiteral("xyz"));
    QVERIFY(!told->text().isEmpty());
    // The handbook's letters grow with the window's, and the handbook stays at its section.
    contents->setCurrentRow(6);
    const QString before = book->section();
    desk.window.looks().setTextPoints(10);
    const double height = page->document()->size().height();
    desk.window.looks().setTextPoints(20);
    QVERIFY(page->document()->size().height() > 1.3 * height);
    QCOMPARE(book->section(), before);
    desk.window.looks().setTextPoints(0);
  }

  void theHandbookIsWholeInEachLanguage_data() {
    QTest::addColumn<QString>("language");
    for (const char* name : {"en", "de"}) QTest::newRow(name) << QString::fromLatin1(name);
  }
  void theHandbookIsWholeInEachLanguage() {
    QFETCH(QString, language);
    const HandbookText text = handbookIn(language), english = handbookIn(QStringLiteral("en"));
    QVERIFY(text.sections.size() >= 12);
    QStringList keys, expected, links;
    for (const auto& section : text.sections) {
      keys << section.key;
      QVERIFY(!section.title.isEmpty());
    }
    for (const auto& section : english.sections) expected << section.key;
    QCOMPARE(keys, expected);
    static const QRegularExpression link(QStringLiteral("\\]\\(([^)]*)\\)"));
    for (auto it = link.globalMatch(text.markdown); it.hasNext();) links << it.next().captured(1);
    QVERIFY(!links.isEmpty());
    for (const QString& to : links)
      QVERIFY2(to.startsWith(QLatin1Char('#')) && keys.contains(to.mid(1)), qPrintable(to));
    for (const StrategyInfo& info : strategies()) {
      QString name = QString::fromStdString(info.name).section(QLatin1Char(' '), 0, 0);
      name.remove(QStringLiteral("Strategy"));
      constexpr int kKeys = 9;
      const int place = static_cast<int>(info.kind) + 1;
      if (info.beyondTensorFlow) name = QString::number(place);  // the number key, because the name is translated
      if (place > kKeys)
        name = QString::fromStdString(strategyMessages().at(info.key + ".text.name").at(language.toStdString()));
      QVERIFY2(text.markdown.contains(QStringLiteral("**%1**").arg(name)), qPrintable(name));
    }
    // The text has as many paragraphs as the English one and is about as long.
    QCOMPARE(text.markdown.count(QStringLiteral("\n\n")), english.markdown.count(QStringLiteral("\n\n")));
    QVERIFY(text.markdown.size() > 0.8 * static_cast<double>(english.markdown.size()));
    // Every part of the window leads to a section that exists.
    Desk desk;
    for (const QWidget* widget : desk.window.findChildren<QWidget*>())
      QVERIFY2(keys.contains(handbookSection(widget)), qPrintable(handbookSection(widget)));
    QCOMPARE(handbookSection(nullptr), QStringLiteral("start"));
    // A tab's section is not the one for parts that have none.
    for (const QString& tab : desk.window.panels().tabNames())
      QVERIFY2(handbookSection(desk.window.panels().tab(tab)) != QStringLiteral("start"), qPrintable(tab));
  }

  // The paragraph about real processes names those strategies that can train in them, and no other.
  void realProcessesHaveTheirStrategies_data() { theHandbookIsWholeInEachLanguage_data(); }
  void realProcessesHaveTheirStrategies() {
    QFETCH(QString, language);
    const QString head = language == QStringLiteral("de") ? QStringLiteral("**Echte Prozesse.** ")
                                                          : QStringLiteral("**Real processes.** ");
    const QString told = handbookIn(language).markdown.section(head, 1).section(QLatin1Char('('), 0, 0).simplified();
    QVERIFY2(told.contains(QStringLiteral("Open MPI")), qPrintable(told));
    for (const StrategyInfo& info : strategies()) {
      if (info.kind == StrategyKind::Default) continue;  // an ordinary word
      const auto own = strategyMessages().find(info.key + ".text.name");
      QString name =
          QString::fromStdString(own == strategyMessages().end() ? info.name : own->second.at(language.toStdString()));
      name.remove(QStringLiteral("Strategy"));
      const QRegularExpression word(QStringLiteral("\\b%1\\b").arg(QRegularExpression::escape(name)));
      QVERIFY2(told.contains(word) == whyNotOn(info, DeviceChoice::Processes).empty(),
               qPrintable(name + QStringLiteral(": ") + told));
    }
  }

  void keysAreChangedAndKept() {
    Desk desk;
    desk.find<QAction>("changeKeys")->trigger();
    auto* editor = desk.find<QDialog>("keyEditor");
    QVERIFY(editor != nullptr && editor->isVisible());
    auto* list = editor->findChild<QTreeWidget*>(QStringLiteral("keyList"));
    auto* edit = editor->findChild<QKeySequenceEdit*>(QStringLiteral("keyEdit"));
    auto* use = editor->findChild<QPushButton*>(QStringLiteral("keySet"));
    const auto choose = [&](const char* name) {
      const auto found = list->findItems(QString::fromUtf8(name), Qt::MatchExactly);
      QCOMPARE(found.size(), 1);
      list->setCurrentItem(found.front());
    };
    // A key that belongs to another command is taken from it, and the dialog says so first.
    choose("Run ▸ Start anew, same seed");
    QVERIFY(!use->isEnabled());
    edit->setKeySequence(QKeySequence(Qt::Key_L));
    QVERIFY(use->isEnabled());
    auto* words = editor->findChild<QLabel*>(QStringLiteral("keyWords"));
    QVERIFY2(words->text().contains(QStringLiteral("Run ▸ Live")), qPrintable(words->text()));
    QTest::mouseClick(use, Qt::LeftButton);
    auto* again = desk.find<QAction>("again");
    auto* live = desk.find<QAction>("live");
    QCOMPARE(again->shortcuts(), QList<QKeySequence>{QKeySequence(Qt::Key_L)});
    QVERIFY(live->shortcuts().isEmpty());
    // Keys of the desktop cannot be chosen.
    edit->setKeySequence(QKeySequence(Qt::META | Qt::Key_X));
    QVERIFY(!use->isEnabled());
    choose("Run ▸ Play");
    edit->setKeySequence(QKeySequence(Qt::Key_P));
    QTest::mouseClick(use, Qt::LeftButton);
    QVERIFY(desk.find<QAction>("play")->toolTip().endsWith(QStringLiteral("(P)")));
    // The new key is in force: the run begins anew.
    QSignalSpy started(&desk.window.experiment(), &Experiment::started);
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window, kPatienceMs));
    QTest::keyClick(&desk.window, Qt::Key_L);
    QCOMPARE(started.size(), 1);
    {  // the keys are kept for the next start
      RunController controller;
      MainWindow window(controller);
      const Workbench bench(window, desk.settings);
      const auto* kept = window.findChild<QAction*>(QStringLiteral("again"));
      QCOMPARE(kept->shortcut(), QKeySequence(Qt::Key_L));
      QVERIFY(window.findChild<QAction*>(QStringLiteral("live"))->shortcuts().isEmpty());
    }
    QTest::mouseClick(editor->findChild<QPushButton*>(QStringLiteral("keysAll")), Qt::LeftButton);
    QCOMPARE(again->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_R));
    QCOMPARE(live->shortcut(), QKeySequence(Qt::Key_L));
    QVERIFY(desk.settings.allKeys().filter(QStringLiteral("keys/")).isEmpty());
  }

  // As after an update that gives Live the key that a user has long had for something else.
  void aKeptKeyBelongsToOneCommandAlone() {
    const QTemporaryDir folder;
    for (const bool moved : {false, true}) {
      QSettings settings(folder.filePath(moved ? QStringLiteral("a.ini") : QStringLiteral("b.ini")),
                         QSettings::IniFormat);
      settings.setValue(QStringLiteral("keys/again"), QStringList{QStringLiteral("L")});
      if (moved) settings.setValue(QStringLiteral("keys/live"), QStringList{QStringLiteral("Ctrl+L")});
      RunController controller;
      MainWindow window(controller);
      const Workbench bench(window, settings);
      QCOMPARE(window.findChild<QAction*>(QStringLiteral("again"))->shortcut(), QKeySequence(Qt::Key_L));
      const QList<QKeySequence> left = window.findChild<QAction*>(QStringLiteral("live"))->shortcuts();
      QCOMPARE(left, moved ? QList{QKeySequence(Qt::CTRL | Qt::Key_L)} : QList<QKeySequence>());
    }
  }

  void aboutCopiesTheSystemsFacts() {
    Desk desk;
    qApp->setProperty("revision", QStringLiteral("0123abc"));
    desk.find<QAction>("about")->trigger();
    auto* about = desk.find<QDialog>("about");
    QVERIFY(about != nullptr);
    for (QPushButton* button : about->findChildren<QPushButton*>())
      if (button->text().contains(QStringLiteral("system information"))) QTest::mouseClick(button, Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY(copied.startsWith(QStringLiteral("StrategyLab")) && copied.contains(QLatin1String(qVersion())));
    QVERIFY(copied.contains(QStringLiteral("revision 0123abc")) && copied.contains(QStringLiteral("GPU: ")));
  }
};

QTEST_MAIN(TestHelp)
#include "tst_help.moc"
