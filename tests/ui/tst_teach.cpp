// SPDX-License-Identifier: GPL-3.0-or-later
// What a teacher hides and locks: in the window, in the file and the link, undone, brought back by a key, gone with the
// experiment. And the link as a QR code, whose modules are read back from the picture.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeWidget>
#include <QUndoStack>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/ui/small_config.h"
#include "ui/teach/arrange_dialog.h"
#include "ui/teach/class_locks.h"
#include "ui/teach/link_code.h"
#include "ui/watch/run_controller.h"
#include "ui/window/main_window.h"
#include "ui/workbench/workbench.h"

using namespace lab;

namespace {

constexpr int kPatienceMs = 30'000;

struct Desk {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};
  ClassLocks& locks = *window.findChild<ClassLocks*>();

  Desk() {
    window.resize(1280, 800);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    window.experiment().begin(test::smallConfig());
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
    bench.undo().forget();
  }
  QAction& act(const char* name) { return *window.findChild<QAction*>(QLatin1String(name)); }
  QWidget& field(const char* name) { return *window.findChild<QWidget*>(QLatin1String(name)); }
};

}  // namespace

class TestTeach : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void lockedIsSeenAndCannotBeUsed() {
    Desk desk;
    const auto before = desk.window.experiment().resolved().replicas;
    desk.locks.set({QStringLiteral("replicas"), QStringLiteral("teach")}, ControlState::Locked);
    desk.locks.set({QStringLiteral("again")}, ControlState::Hidden);
    QVERIFY(desk.field("replicas").isVisible());
    QVERIFY(!desk.field("replicas").isEnabled());
    QVERIFY(desk.field("replicas").toolTip().contains(QStringLiteral("Ctrl+Alt+U")));
    QVERIFY(!desk.act("again").isVisible());
    QTest::keyClick(&desk.window, Qt::Key_Plus);
    QCOMPARE(desk.window.experiment().resolved().replicas, before);
    // The program enables and shows what it holds; it stays as it is.
    desk.act("again").setVisible(true);
    desk.act("moreReplicas").setEnabled(true);
    desk.field("replicas").setEnabled(true);
    QVERIFY(!desk.act("again").isVisible());
    QVERIFY(!desk.act("moreReplicas").isEnabled());
    QVERIFY(!desk.field("replicas").isEnabled());
    QTest::keyClick(&desk.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(desk.locks.isLifted());
    QVERIFY(desk.field("replicas").isEnabled());
    QVERIFY(desk.act("again").isVisible());
    QVERIFY(!desk.field("replicas").toolTip().contains(QStringLiteral("Ctrl+Alt+U")));
    QTest::keyClick(&desk.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(!desk.field("replicas").isEnabled());
  }

  void everythingCanBeHiddenAndComesBack() {
    Desk desk;
    const std::vector<Control> all = desk.locks.controls();
    QVERIFY(all.size() > 100);
    QStringList ids;
    for (const Control& control : all) {
      QVERIFY2(!control.id.isEmpty() && !control.name.isEmpty(), qPrintable(control.id + control.name));
      QVERIFY2(!ids.contains(control.id), qPrintable(control.id));
      ids << control.id;
    }
    const auto openPanels = [&desk] {
      QStringList open;
      for (const QDockWidget* panel : desk.window.findChildren<QDockWidget*>())
        if (!panel->isHidden()) open << panel->objectName();
      return open;
    };
    const QStringList panels = openPanels();
    for (const ControlState state : {ControlState::Locked, ControlState::Hidden}) {
      desk.locks.set(ids, state);
      for (const Control& control : all)
        for (const auto& action : control.actions)
          QVERIFY2(!action->isEnabled() && (state == ControlState::Locked || !action->isVisible()),
                   qPrintable(control.id));
      // The key works where every menu is gone.
      QTest::keyClick(&desk.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
      QVERIFY(desk.locks.isLifted());
      QVERIFY(desk.act("again").isEnabled() && desk.act("again").isVisible());
      QVERIFY(desk.window.menus().file->menuAction()->isVisible());
      desk.bench.undo().stack().undo();
      QVERIFY(desk.locks.locks().empty());
      QVERIFY(desk.field("replicas").isVisible() && desk.field("replicas").isEnabled());
      if (state == ControlState::Locked) QCOMPARE(desk.window.windowLayout(), WindowLayout::Teach);
      if (state == ControlState::Locked) QCOMPARE(openPanels(), panels);
    }
  }

  void fileAndLinkKeepThem() {
    Desk desk;
    const QString path = desk.folder.filePath(QStringLiteral("class.slab"));
    desk.locks.set({QStringLiteral("dataMenu"), QStringLiteral("whatIfTab")}, ControlState::Hidden);
    desk.locks.set({QStringLiteral("reducer")}, ControlState::Locked);
    QVERIFY(desk.bench.document().isModified());
    QVERIFY(desk.bench.document().saveAs(path));
    QVERIFY(!desk.bench.document().isModified());
    desk.act("copyLink").trigger();
    const QString link = QGuiApplication::clipboard()->text();
    QVERIFY2(link.contains(QStringLiteral("hide=dataMenu,whatIfTab")) && link.contains(QStringLiteral("lock=reducer")),
             qPrintable(link));
    desk.act("new").trigger();
    QVERIFY(desk.locks.locks().empty());
    QVERIFY(desk.field("reducer").isEnabled());
    for (const bool file : {true, false}) {
      if (file) {
        QVERIFY(desk.bench.open(path));
      } else {
        QVERIFY(desk.bench.document().openLink(link));
      }
      QCOMPARE(desk.locks.stateOf(QStringLiteral("dataMenu")), ControlState::Hidden);
      QVERIFY(!desk.window.findChild<QMenu*>(QStringLiteral("dataMenu"))->menuAction()->isVisible());
      QVERIFY(!desk.field("reducer").isEnabled());
      const auto labels = desk.window.findChildren<QLabel*>(QStringLiteral("banner"));
      QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("Ctrl+Alt+U"));
      }));
      desk.act("new").trigger();
      QVERIFY(desk.locks.locks().empty());
    }
    // Nothing of it is kept as a preference.
    QVERIFY(desk.bench.open(path));
    desk.bench.rememberWindow();
    QVERIFY(!desk.settings.contains(QStringLiteral("window/panels")));
  }

  void unknownNamesAreToldAndKept() {
    Desk desk;
    ControlLocks locks;
    locks.hidden = {"chartAxis", "fromTheFuture"};
    QCOMPARE(desk.locks.take(locks), QStringList{QStringLiteral("fromTheFuture")});
    QVERIFY(desk.bench.document().text().contains("fromTheFuture"));
  }

  void dialogAndRightButton() {
    Desk desk;
    desk.act("arrangeAct").trigger();
    auto* dialog = desk.window.findChild<ArrangeDialog*>();
    QVERIFY(dialog != nullptr);
    auto* tree = dialog->findChild<QTreeWidget*>(QStringLiteral("arrangeTree"));
    for (QTreeWidgetItemIterator at(tree); *at != nullptr; ++at)
      if ((*at)->data(0, Qt::UserRole).toString() == QStringLiteral("replicas")) tree->setCurrentItem(*at);
    QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("arrangeHide")), Qt::LeftButton);
    QCOMPARE(desk.locks.stateOf(QStringLiteral("replicas")), ControlState::Hidden);
    QVERIFY(!desk.field("replicas").isVisible());
    // A control of the window, with the right button.
    QTest::mouseClick(&desk.field("strategy"), Qt::RightButton);
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QVERIFY(menu != nullptr);
    menu->actions().front()->trigger();
    menu->close();
    QCOMPARE(desk.locks.stateOf(QStringLiteral("strategy")), ControlState::Locked);
    desk.act("undo").trigger();
    desk.act("undo").trigger();
    QVERIFY(desk.locks.locks().empty());
    dialog->close();
  }

  void codeIsTheLink() {
    Desk desk;
    QTest::keyClick(&desk.window, Qt::Key_Q);
    auto* dialog = desk.window.findChild<QDialog*>(QStringLiteral("linkCode"));
    QVERIFY(dialog != nullptr);
    desk.act("copyLink").trigger();
    const QString link = QGuiApplication::clipboard()->text();
    const QImage code = qrCode(link);
    QVERIFY(!code.isNull());
    auto* view = dialog->findChild<QrView*>();
    QTRY_VERIFY(view->isVisible());
    const QImage picture = view->grab().toImage();
    const int modules = code.width() + 2 * QrView::kQuietModules;
    const int side = std::min(picture.width(), picture.height()) / modules;
    QVERIFY2(side >= 4, "too small for a telephone");
    QRect place(0, 0, side * code.width(), side * code.width());
    place.moveCenter(picture.rect().center());
    for (int y = -QrView::kQuietModules; y < code.height() + QrView::kQuietModules; ++y)
      for (int x = -QrView::kQuietModules; x < code.width() + QrView::kQuietModules; ++x) {
        const bool inside = x >= 0 && y >= 0 && x < code.width() && y < code.height();
        const QRgb wanted = inside ? code.pixel(x, y) : qRgb(255, 255, 255);
        QCOMPARE(picture.pixel(place.left() + x * side + side / 2, place.top() + y * side + side / 2), wanted);
      }
    if (qEnvironmentVariableIsSet("STRATEGYLAB_QR")) picture.save(qEnvironmentVariable("STRATEGYLAB_QR"));
    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY(desk.window.findChild<QDialog*>(QStringLiteral("linkCode")) == nullptr);
    QVERIFY(qrCode(QString(4000, QLatin1Char('x'))).isNull());
    showLinkCode(desk.window, QString(4000, QLatin1Char('x')));
    QVERIFY(desk.window.findChild<QLabel*>(QStringLiteral("linkTooLong")) != nullptr);
  }
};

QTEST_MAIN(TestTeach)
#include "tst_teach.moc"
