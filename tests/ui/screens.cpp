// SPDX-License-Identifier: GPL-3.0-or-later
// Photographs every screen, for a person to look at: the layouts, each dock, the pages of Try it, the dialogs, menus.
//   screens FOLDER [--theme light|dark|high-contrast|projector] [--text POINTS] [--language en|de|pseudo|pseudo-rtl]
//           [--size WIDTHxHEIGHT] [--class] [--every LESSONS]
// --class: only what a class uses: lessons (one of so many), quiz, gallery, moments, program, movie, locks, QR code.
// QT_SCALE_FACTOR=2 photographs them at 200 %. Dialogs are no larger than the screen, so give it one of the size:
//   xvfb-run -s "-screen 0 1920x1080x24" screens FOLDER --size 1920x1080
// Not run by ctest: what is cut off, tst_languages and tst_accessibility find; this is for what no rule can find.
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QButtonGroup>
#include <QCommandLineParser>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cstdio>

#include "tests/support/patience.h"
#include "tests/support/pseudo_language.h"
#include "tests/ui/class_places.h"
#include "tests/ui/small_config.h"
#include "tests/ui/theme_sampler.h"
#include "ui/frame/on_demand.h"
#include "ui/i18n/language.h"
#include "ui/session/workbench.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

constexpr std::array kThemeNames{"light", "dark", "high-contrast", "projector"};

class Photographer {
 public:
  Photographer(MainWindow& window, const QString& folder) : window_(window), folder_(folder) {}

  bool begin(const char* strategy) {
    window_.experiment().begin(test::runOf(strategy));
    if (!QTest::qWaitFor([this] { return window_.playback().record() != nullptr; }, kPatienceMs)) return false;
    window_.playback().seek(window_.playback().step(), 0.55 * window_.playback().story().seconds);
    return true;
  }

  void layouts(const QString& of) {
    for (std::size_t i = 0; i < kLayouts.size(); ++i) {
      window_.workspaces().choose(static_cast<WindowLayout>(i));
      take(window_, of + QLatin1Char('-') + QLatin1String(kLayouts[i].key));
    }
  }

  void tabs() {
    window_.workspaces().choose(WindowLayout::Teach);
    window_.selection().pin({Object::Kind::Device, 0, -1});
    for (const QString& name : window_.panels().tabNames()) {
      window_.panels().openTab(name);
      // Try it has pages.
      if (name == QStringLiteral("tryTab")) {
        const auto* pages = window_.panels().tab(name)->findChild<QButtonGroup*>();
        for (QAbstractButton* page : pages->buttons()) {
          page->click();
          take(window_, name + QLatin1Char('-') + page->objectName());
        }
      } else {
        take(window_, name);
      }
    }
  }

  void dialogs() {
    for (const char* name : {"preferencesAct", "changeKeys", "keys", "about", "paletteAct", "historyAct", "dataSets",
                             "handbook", "chartTableAct"}) {
      auto* action = window_.findChild<QAction*>(QLatin1String(name));
      if (action == nullptr) continue;
      const QList<QDialog*> before = window_.findChildren<QDialog*>();
      action->trigger();
      for (QDialog* dialog : window_.findChildren<QDialog*>()) {
        if (before.contains(dialog) || !dialog->isVisible()) continue;
        take(*dialog, QLatin1String(name));
        dialog->close();
      }
    }
    window_.findChild<QAbstractButton*>(QStringLiteral("strategy"))->click();
    if (auto* picker = window_.findChild<QWidget*>(QStringLiteral("strategyPicker"))) {
      take(*picker, QStringLiteral("strategyPicker"));
      picker->close();
    }
  }

  // `every`: of the lessons, so many are left out after each.
  void classroom(int every) {
    window_.workspaces().choose(WindowLayout::Teach);
    const auto look = [this](const QString& name, QWidget& shown) { take(shown, QStringLiteral("class-") + name); };
    test::eachGuide(window_, look, every);
    if (!begin("multi-worker-mirrored")) return;  // whose tasks can die
    test::eachClassDialog(window_, look);
  }

  void controls() {
    test::ThemeSampler sampler;
    sampler.show();
    take(sampler, QStringLiteral("controls"));
  }

  void menus() {
    for (QAction* action : window_.menuBar()->actions()) {
      QMenu* menu = action->menu();
      if (menu == nullptr) continue;
      menu->popup(window_.pos());
      take(*menu, QStringLiteral("menu-") + QString(action->text()).remove(QLatin1Char('&')));
      menu->close();
    }
  }

 private:
  void take(QWidget& widget, const QString& name) {
    window_.refreshAll();
    for (int i = 0; i < 3; ++i) {
      QCoreApplication::sendPostedEvents();
      QTest::qWait(80);  // pages of Try it are computed beside the window
    }
    const QString number = QStringLiteral("%1").arg(++taken_, 2, 10, QLatin1Char('0'));
    widget.grab().save(QDir(folder_).filePath(number + QLatin1Char('-') + name + QStringLiteral(".png")));
  }

  MainWindow& window_;
  QString folder_;
  int taken_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  QCommandLineParser parser;
  parser.addHelpOption();
  parser.addOptions({{QStringLiteral("theme"), QString(), QStringLiteral("NAME"), QStringLiteral("light")},
                     {QStringLiteral("text"), QString(), QStringLiteral("POINTS"), QStringLiteral("0")},
                     {QStringLiteral("language"), QString(), QStringLiteral("NAME"), QStringLiteral("en")},
                     {QStringLiteral("class"), QStringLiteral("What a class uses, alone.")},
                     {QStringLiteral("every"), QString(), QStringLiteral("LESSONS"), QStringLiteral("1")},
                     {QStringLiteral("size"), QString(), QStringLiteral("WIDTHxHEIGHT"), QStringLiteral("1280x720")}});
  parser.process(app);
  const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
  const auto kind = std::find(kThemeNames.begin(), kThemeNames.end(), parser.value(QStringLiteral("theme")));
  if (parser.positionalArguments().size() != 1 || size.size() != 2 || kind == kThemeNames.end()) {
    std::fputs(qPrintable(parser.helpText()), stderr);
    return 2;
  }
  const QString folder = parser.positionalArguments().constFirst();
  QDir().mkpath(folder);

  test::useLanguage(parser.value(QStringLiteral("language")));
  theme::setTextSize(theme::textSizeFor(size[1].toInt()));
  theme::apply(app);
  const QTemporaryDir kept;
  QSettings settings(kept.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
  RunController controller;
  MainWindow window(controller);
  const Workbench workbench(window, settings);
  window.resize(size[0].toInt(), size[1].toInt());
  window.looks().setTheme(theme::kKinds[static_cast<std::size_t>(kind - kThemeNames.begin())]);
  window.looks().setTextPoints(parser.value(QStringLiteral("text")).toInt());
  window.show();

  Photographer photographer(window, folder);
  for (const char* strategy : {"parameter-server", "multi-worker-mirrored", "tpu", "mirrored"}) {
    if (parser.isSet(QStringLiteral("class")) && strategy != QByteArray("mirrored")) continue;
    if (!photographer.begin(strategy)) return 1;
    photographer.layouts(QString::fromLatin1(strategy));
  }
  if (!parser.isSet(QStringLiteral("class"))) {
    photographer.tabs();
    photographer.dialogs();
    photographer.controls();
  }
  photographer.menus();
  photographer.classroom(parser.value(QStringLiteral("every")).toInt());
  return 0;
}
