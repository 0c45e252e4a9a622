// SPDX-License-Identifier: GPL-3.0-or-later
// Tells tests/ui/first_minute.sh where to click: opens the same window, of the given size and on the same display
// (elsewhere letters have other widths), and prints one line NAME X Y WIDTH HEIGHT for each thing that it clicks or
// watches. The beats are those of the first step: a spot of each that lights up on the scrubber, for two replicas
// (2-distribute) and for four (4-distribute).
#include <QApplication>
#include <QDockWidget>
#include <QSettings>
#include <QSpinBox>
#include <QStyleOptionSpinBox>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

#include "tests/support/patience.h"
#include "ui/frame/on_demand.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/transport/scrubber.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

void print(const char* name, const QWidget& window, const QWidget& widget, const QRect& part) {
  const QPoint at = widget.mapTo(&window, part.topLeft());
  std::printf("%s %d %d %d %d\n", name, at.x(), at.y(), part.width(), part.height());
}

void printBeats(MainWindow& window) {
  const auto& scrubber = *window.findChild<Scrubber*>();
  const std::size_t replicas = window.playback().record()->replicas.size();
  for (const Beat& beat : window.playback().story().beats) {
    const int x = static_cast<int>(scrubber.xAt(beat.beginS)) + theme::em(0.6);
    print(qPrintable(QStringLiteral("%1-%2").arg(replicas).arg(beat.name)), window, scrubber,
          QRect(x, scrubber.height() / 2, 3, 3));
  }
}

// Only the spin box knows where its arrows are.
class SpinBoxParts : public QSpinBox {
 public:
  static QRect upArrow(const QSpinBox& box) {
    QStyleOptionSpinBox option;
    (box.*&SpinBoxParts::initStyleOption)(&option);
    return box.style()->subControlRect(QStyle::CC_SpinBox, &option, QStyle::SC_SpinBoxUp, &box);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const QStringList size = QString::fromLocal8Bit(argc > 1 ? argv[1] : "").split(QLatin1Char('x'));
  if (size.size() != 2 || size[0].toInt() < 320 || size[1].toInt() < 240) {
    std::fputs("usage: window_places WIDTHxHEIGHT\n", stderr);
    return 2;
  }
  const QApplication app(argc, argv);
  theme::setTextSize(theme::textSizeFor(size[1].toInt()));
  theme::applyColours(*qApp);
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  RunController controller;
  MainWindow window(controller);
  const Workbench workbench(window, settings);
  theme::apply(*qApp);  // in the program's order
  window.resize(size[0].toInt(), size[1].toInt());
  window.workspaces().choose(WindowLayout::Teach);
  window.show();
  window.experiment().begin(teachingConfig());
  if (!QTest::qWaitFor([&] { return window.playback().record() != nullptr; }, kPatienceMs)) return 1;
  window.refreshAll();
  QTest::qWait(200);  // the new texts get their room
  window.grab();

  const auto* replicas = window.findChild<QWidget*>(QStringLiteral("replicas"))->findChild<QSpinBox*>();
  print("replicas-up", window, *replicas, SpinBoxParts::upArrow(*replicas));
  const Stage& stage = window.stage();
  print("stage", window, stage, stage.rect());
  // The caption's words are the boldest text on the ground that reaches from edge to edge.
  QRect caption;
  for (const Item& item : stage.scene().items) {
    if (item.shape == Item::Shape::Panel && item.strong) caption = item.box.toAlignedRect();
    if (item.shape == Item::Shape::Text && item.bold && caption.contains(item.box.center().toPoint()))
      print("caption", window, stage, item.box.toAlignedRect());
  }

  printBeats(window);
  window.experiment().set(QStringLiteral("replicas"), QStringLiteral("4"));
  const auto four = [&] { return window.playback().record() && window.playback().record()->replicas.size() == 4; };
  if (!QTest::qWaitFor(four, kPatienceMs)) return 1;
  printBeats(window);
  // As soon as there is a line they open by themselves.
  window.panels().openTab(QStringLiteral("chartsTab"));
  QTest::qWait(200);
  print("charts", window, *window.panels().tab(QStringLiteral("chartsTab")),
        window.panels().tab(QStringLiteral("chartsTab"))->rect());
  return 0;
}
