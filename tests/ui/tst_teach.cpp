// SPDX-License-Identifier: GPL-3.0-or-later
// Controls that a teacher hides or locks: in the window, in the file and the link, undone, lifted by a key, gone with
// the experiment. Also the experiment as a page for phones, whose QR code is read back from the picture.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QFrame>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardItemModel>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QTransform>
#include <QTreeWidget>
#include <QUndoStack>
#include <QUrl>
#include <QtNetwork/QTcpSocket>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/files/experiment_file.h"
#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/more_controls.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_panel.h"
#include "ui/classroom/arrange_dialog.h"
#include "ui/classroom/class_locks.h"
#include "ui/classroom/link_code.h"
#include "ui/compare/compare_view.h"
#include "ui/frame/menus.h"
#include "ui/frame/on_demand.h"
#include "ui/guide/gallery_view.h"
#include "ui/guide/lesson_view.h"
#include "ui/help/actions.h"
#include "ui/help/command_palette.h"
#include "ui/lanes/lanes.h"
#include "ui/runview/run_controller.h"
#include "ui/serving/qr_view.h"
#include "ui/session/workbench.h"
#include "ui/setup/setup_bar.h"
#include "ui/window/centre.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_views.h"

using namespace lab;

namespace {

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

SharedExperiment made() {
  SharedExperiment experiment;
  experiment.title = QStringLiteral("MirroredStrategy <2>");
  experiment.settings = {{QStringLiteral("Seed"), QStringLiteral("7")}};
  experiment.picture = QImage(40, 30, QImage::Format_RGB32);
  experiment.picture.fill(Qt::red);
  experiment.link = QStringLiteral("strategylab:?replicas=2");
  experiment.file = "{\"a\": 1}";
  experiment.fileName = QStringLiteral("mirrored-2.slab");
  return experiment;
}

QUrl servedAt(const QDialog& dialog) {
  const auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("servedAt"));
  return line == nullptr ? QUrl() : QUrl(line->text());
}

// Returns everything that the server sends until it closes the connection.
QByteArray asked(const QUrl& url, const QByteArray& request) {
  QTcpSocket socket;
  socket.connectToHost(QHostAddress(url.host()), static_cast<quint16>(url.port()));
  QByteArray answer;
  QObject::connect(&socket, &QTcpSocket::readyRead, &socket, [&] { answer += socket.readAll(); });
  QObject::connect(&socket, &QTcpSocket::connected, &socket, [&] { socket.write(request); });
  bool over = false;
  QObject::connect(&socket, &QTcpSocket::disconnected, &socket, [&] { over = true; });
  (void)QTest::qWaitFor([&] { return over; }, kPatienceMs);
  return answer + socket.readAll();
}

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
    // The program enables and shows controls that are locked and hidden; they stay locked and hidden.
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

  // A locked field explains itself over each of its parts, also where a narrow toolbar moves it into a popup.
  void whatIsLockedSaysSoInThePopup() {
    Desk desk;
    desk.locks.set({QStringLiteral("lr-scaling")}, ControlState::Locked);
    desk.window.resize(800, 720);
    test::openMore(desk.window);
    auto& more = *desk.field("moreBar").findChild<QToolButton*>(QStringLiteral("moreSettings"));
    QVERIFY(more.isVisible());
    more.click();
    auto* popup = desk.window.findChild<QFrame*>(QStringLiteral("moreSettingsPopup"));
    auto* rate = popup->findChild<QToolButton*>(QStringLiteral("rate"));
    QTRY_VERIFY_WITH_TIMEOUT(!rate->isEnabled(), kPatienceMs);
    QHelpEvent asked(QEvent::ToolTip, rate->rect().center(), rate->mapToGlobal(rate->rect().center()));
    QCoreApplication::sendEvent(rate, &asked);
    QVERIFY2(QToolTip::text().contains(QStringLiteral("Ctrl+Alt+U")), qPrintable(QToolTip::text()));
    popup->close();
  }

  // A button is named as it reads, and not by its tool tip.
  void controlsAreNamedAsTheyRead() {
    Desk desk;
    desk.window.workspaces().choose(WindowLayout::Sweep);
    const std::vector<Control> all = desk.locks.controls();
    for (const char* rule : {"none", "linear", "sqrt", "staleness"}) {
      const QString id = QStringLiteral("sweepRule-") + QLatin1String(rule);
      const auto found = std::ranges::find(all, id, &Control::id);
      QVERIFY2(found != all.end(), rule);
      QCOMPARE(found->name, desk.window.findChild<QCheckBox*>(id)->text());
    }
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
      // The key works even if every menu is hidden.
      QTest::keyClick(&desk.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
      QVERIFY(desk.locks.isLifted());
      QVERIFY(desk.act("again").isEnabled() && desk.act("again").isVisible());
      QVERIFY(desk.window.menus().file->menuAction()->isVisible());
      desk.bench.undo().stack().undo();
      QVERIFY(desk.locks.locks().empty());
      QVERIFY(desk.field("replicas").isVisible() && desk.field("replicas").isEnabled());
      if (state == ControlState::Locked) QCOMPARE(desk.window.workspaces().current(), WindowLayout::Teach);
      if (state == ControlState::Locked) QCOMPARE(openPanels(), panels);
    }
  }

  // No caption stays where its field is hidden.
  void aHiddenFieldTakesItsCaptionAlong() {
    Desk desk;
    desk.locks.set({QStringLiteral("strategy"), QStringLiteral("replicas"), QStringLiteral("global-batch")},
                   ControlState::Hidden);
    for (const QLabel* caption : desk.window.findChild<SetupBar*>()->findChildren<QLabel*>())
      QVERIFY2(!caption->isVisible(), qPrintable(caption->text()));
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
    // A new experiment keeps locks that are in force; once they are lifted, a new experiment has none.
    desk.act("new").trigger();
    QCOMPARE(desk.locks.stateOf(QStringLiteral("reducer")), ControlState::Locked);
    QVERIFY(desk.bench.document().text().contains("whatIfTab"));
    const auto free = [&desk] {
      QTest::keyClick(&desk.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
      desk.act("new").trigger();
    };
    free();
    QVERIFY(desk.locks.locks().empty());
    QVERIFY(desk.field("reducer").isEnabled());
    for (const bool file : {true, false}) {
      if (file) {
        QVERIFY(desk.bench.files().open(path));
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
      free();
      QVERIFY(desk.locks.locks().empty());
    }
    // The effect of locks on the panels is not kept as a preference.
    QVERIFY(desk.bench.files().open(path));
    desk.bench.session().rememberWindow();
    QVERIFY(!desk.settings.contains(QStringLiteral("window/panels")));
  }

  // Only what is known here counts among what is hidden and locked.
  void whatIsNotKnownIsNotCounted() {
    Desk desk;
    const auto says = [&desk](const QString& words) {
      const auto labels = desk.window.findChildren<QLabel*>(QStringLiteral("banner"));
      return std::ranges::any_of(
          labels, [&](const QLabel* label) { return label->isVisible() && label->text().contains(words); });
    };
    QVERIFY(desk.bench.document().openLink(
        QStringLiteral("strategylab:?strategy=mirrored&replicas=4&hide=dataMenu,nonsense&lock=reducer")));
    QVERIFY(says(QStringLiteral("hides or locks 2 controls.")));
    QVERIFY(says(QStringLiteral("Not known here, and ignored: nonsense.")));
  }

  // The program changes controls while they are locked: once the locks are lifted, they are as the program wants them.
  void itComesBackAsTheProgramWantsIt() {
    Desk desk;
    QAction& alone = desk.act("again");
    QAction& oneOfMany = desk.act("keepGlobalBatch");
    QVERIFY(oneOfMany.actionGroup() != nullptr);
    desk.window.panels().openTab(QStringLiteral("chartsTab"));
    QWidget& field = desk.field("chartAxis");
    const QStringList ids{alone.objectName(), oneOfMany.objectName(), field.objectName()};
    const auto lift = [&desk] { QTest::keyClick(&desk.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier); };
    for (const ControlState state : {ControlState::Locked, ControlState::Hidden}) {
      desk.locks.set(ids, state);
      alone.setEnabled(false);
      field.setEnabled(false);
      desk.window.experiment().set(QStringLiteral("strategy"), QStringLiteral("parameter-server"));
      lift();
      QVERIFY(!alone.isEnabled() && alone.isVisible());
      QVERIFY(!field.isEnabled());
      QVERIFY(!oneOfMany.isEnabled() && oneOfMany.isVisible());
      lift();
      alone.setEnabled(true);
      field.setEnabled(true);
      desk.window.experiment().set(QStringLiteral("strategy"), QStringLiteral("mirrored"));
      QVERIFY(!alone.isEnabled() && !field.isEnabled() && !oneOfMany.isEnabled());
      alone.setVisible(false);
      lift();
      QVERIFY(!alone.isVisible());
      alone.setVisible(true);
      QVERIFY(alone.isEnabled() && field.isEnabled() && oneOfMany.isEnabled());
      desk.locks.set(ids, ControlState::Shown);
    }
    QCOMPARE(oneOfMany.actionGroup()->actions().indexOf(&oneOfMany), 0);
  }

  // No other way than the field itself changes a locked setting: the palette, keys, undo, links, files, lessons.
  void aLockedSettingStays() {
    Desk desk;
    Experiment& experiment = desk.window.experiment();
    experiment.set(QStringLiteral("replicas"), QStringLiteral("3"));
    desk.locks.set({QStringLiteral("replicas")}, ControlState::Locked);
    const auto is3 = [&experiment] { return experiment.resolved().replicas == 3; };
    desk.act("paletteAct").trigger();
    auto* palette = desk.window.findChild<CommandPalette*>();
    QTest::keyClicks(palette->findChild<QLineEdit*>(), QStringLiteral("replicas 4"));
    const auto* found = palette->findChild<QListWidget*>();
    QVERIFY(found->item(0)->text().contains(QStringLiteral("Set replicas to 4")));
    QVERIFY(!found->item(0)->flags().testFlag(Qt::ItemIsEnabled));
    QTest::keyClick(palette->findChild<QLineEdit*>(), Qt::Key_Return);
    palette->close();
    QVERIFY(is3());
    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));  // as lessons, messages and the stage do
    QVERIFY(is3() && experiment.complaint().contains(QStringLiteral("Ctrl+Alt+U")));
    for (int i = 0; i < 2; ++i) {  // tries to undo the lock, and the change before it
      QTest::keyClick(&desk.window, Qt::Key_Z, Qt::ControlModifier);
      QVERIFY(is3() && desk.locks.isInForce());
    }
    RunSettings other = experiment.asked();
    other.replicas = 4;
    const QString link = QString::fromStdString(experimentLink(other, {}));
    QVERIFY(!desk.bench.document().openLink(link));
    desk.bench.undo().forget();
    for (const char* tab : {"lessonsTab", "galleryTab"}) desk.window.panels().openTab(QLatin1String(tab));
    Moment moment;
    moment.settings = other;
    Q_EMIT desk.window.findChild<LessonView*>()->visitWanted(moment);
    Q_EMIT desk.window.findChild<GalleryView*>()->wanted(moment);
    QVERIFY(is3() && desk.locks.isInForce());
    // A link may change other settings; a link with its own locks brings them, as another of the teacher's files does.
    other.replicas = 3;
    other.seed = 5;
    QVERIFY(desk.bench.document().openLink(QString::fromStdString(experimentLink(other, {}))));
    QVERIFY(is3() && !desk.field("replicas").isEnabled());
    other.replicas = 2;
    ControlLocks own;
    own.locked = {"reducer"};
    QVERIFY(desk.bench.document().openLink(QString::fromStdString(experimentLink(other, own))));
    QVERIFY(desk.field("replicas").isEnabled() && !desk.field("reducer").isEnabled());
  }

  void theTeachersMomentsGoPastTheLocks() {
    Desk desk;
    desk.act("momentAddMenu").trigger();
    desk.window.experiment().set(QStringLiteral("replicas"), QStringLiteral("3"));
    desk.act("momentAddMenu").trigger();
    desk.locks.set({QStringLiteral("replicas")}, ControlState::Locked);
    desk.window.looks().setProjectorMode(true);
    QTest::keyClick(&desk.window, Qt::Key_PageUp);
    QCOMPARE(desk.window.experiment().resolved().replicas, 2);
    QTest::keyClick(&desk.window, Qt::Key_PageDown);
    QCOMPARE(desk.window.experiment().resolved().replicas, 3);
    QVERIFY(!desk.field("replicas").isEnabled());
    desk.window.looks().setProjectorMode(false);
  }

  // A lock also holds for a control's twins, for ways to a tab or workspace, for menus that are made on demand, and for
  // what the user drops.
  void noOtherControlStandsForIt() {
    Desk desk;
    const auto mode = desk.window.playback().mode();
    desk.window.panels().openTab(QStringLiteral("chartsTab"));
    desk.locks.set({QStringLiteral("mode"), QStringLiteral("glossaryTab"), QStringLiteral("profile"),
                    QStringLiteral("chartAxis"), QStringLiteral("pasteLink"), QStringLiteral("themeMenu")},
                   ControlState::Locked);
    desk.locks.set({QStringLiteral("quizTab")}, ControlState::Hidden);
    for (const Qt::Key key : {Qt::Key_M, Qt::Key_L}) QTest::keyClick(&desk.window, key);
    QCOMPARE(desk.window.playback().mode(), mode);
    for (const char* tab : {"glossaryTab", "quizTab"}) {
      desk.window.panels().showTab(QLatin1String(tab));  // as a lesson or "Show me" does
      QVERIFY2(!desk.window.panels().tab(QLatin1String(tab))->isVisible(), tab);
    }
    const auto* list = desk.window.findChild<QWidget*>(QStringLiteral("guidePanel"))->findChild<QComboBox*>();
    const auto* rows = qobject_cast<QStandardItemModel*>(list->model());
    QVERIFY(!rows->item(list->findText(QStringLiteral("Glossary")))->isEnabled());
    QTest::keyClick(&desk.window, static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(WindowLayout::Profile)),
                    Qt::ControlModifier);
    desk.window.workspaces().choose(WindowLayout::Profile);
    desk.window.workspaces().visit(WindowLayout::Profile);
    QVERIFY(desk.window.workspaces().current() != WindowLayout::Profile);
    QMenu menu;
    desk.window.views().charts().fillMenu(menu);
    menu.popup(desk.window.pos());
    for (const QAction* axis : menu.findChildren<QAction*>(QStringLiteral("axis"))) QVERIFY(!axis->isEnabled());
    menu.close();
    desk.act("preferencesAct").trigger();
    QTRY_VERIFY_WITH_TIMEOUT(!desk.window.findChild<QWidget*>(QStringLiteral("preferTheme"))->isEnabled(), kPatienceMs);
    desk.window.findChild<QDialog*>(QStringLiteral("preferences"))->close();
    QMimeData link;
    RunSettings other = desk.window.experiment().asked();
    other.seed = 7;
    link.setText(QString::fromStdString(experimentLink(other, {})));
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &link, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&desk.window, &drop);
    QVERIFY(desk.window.experiment().asked().seed != other.seed);
    // The teacher's own dialog is locked, too, and the list of commands offers no way around the locks.
    QVERIFY(!desk.act("arrangeAct").isEnabled());
    for (const Command& command : commandsOf(*desk.window.menuBar(), {}, desk.window.menus().keyActions()))
      QVERIFY2(!command.name.contains(QStringLiteral("Bring all")), qPrintable(command.name));
    desk.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&desk.window, kPatienceMs));
    QTest::keyClick(&desk.window, Qt::Key_U, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(desk.act("arrangeAct").isEnabled() && desk.act("nextMode").isEnabled());
    desk.window.panels().showTab(QStringLiteral("quizTab"));
    QVERIFY(desk.window.panels().tab(QStringLiteral("quizTab"))->isVisible());
  }

  // Lanes that nobody can see stay as they are, whatever asks for one.
  void aLockedComparisonIsLeftAlone() {
    Desk desk;
    desk.window.workspaces().choose(WindowLayout::Compare);
    const Lanes& lanes = desk.window.centre().comparison()->lanes();
    desk.window.workspaces().choose(WindowLayout::Explore);
    desk.locks.set({QStringLiteral("compare")}, ControlState::Locked);
    Q_EMIT desk.window.findChild<SetupBar*>()->compareWanted(strategyInfo(StrategyKind::CentralStorage));
    QCOMPARE(lanes.count(), std::size_t{1});
    desk.locks.set({QStringLiteral("compare")}, ControlState::Shown);
    Q_EMIT desk.window.findChild<SetupBar*>()->compareWanted(strategyInfo(StrategyKind::CentralStorage));
    QCOMPARE(lanes.count(), std::size_t{2});
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
    // The right mouse button locks a control in the window.
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

  // The code holds the page's address; the page is served while the dialog is open, and describes the experiment.
  void codeLeadsToThePage() {
    Desk desk;
    auto* dialog = showLinkCode(desk.window, made(), {QHostAddress(QHostAddress::LocalHost)});
    const QUrl url = servedAt(*dialog);
    QVERIFY2(url.isValid() && url.host() == QStringLiteral("127.0.0.1") && url.path().size() > 20,
             qPrintable(url.toString()));
    const QImage code = qrCode(url.toString());
    auto* view = dialog->findChild<QrView*>();
    QTRY_VERIFY_WITH_TIMEOUT(view->isVisible(), kPatienceMs);
    const QImage picture = view->grab().toImage();
    const int modules = code.width() + 2 * QrView::kQuietModules;
    const int side = std::min(picture.width(), picture.height()) / modules;
    QVERIFY2(side >= 4, "too small for a phone");
    QRect place(0, 0, side * code.width(), side * code.width());
    place.moveCenter(picture.rect().center());
    for (int y = -QrView::kQuietModules; y < code.height() + QrView::kQuietModules; ++y)
      for (int x = -QrView::kQuietModules; x < code.width() + QrView::kQuietModules; ++x) {
        const bool inside = x >= 0 && y >= 0 && x < code.width() && y < code.height();
        const QRgb wanted = inside ? code.pixel(x, y) : qRgb(255, 255, 255);
        QCOMPARE(picture.pixel(place.left() + x * side + side / 2, place.top() + y * side + side / 2), wanted);
      }
    if (qEnvironmentVariableIsSet("STRATEGYLAB_QR")) picture.save(qEnvironmentVariable("STRATEGYLAB_QR"));
    QCOMPARE(dialog->findChild<QLineEdit*>(QStringLiteral("linkText"))->text(), made().link);
    dialog->findChild<QPushButton*>(QStringLiteral("copyLinkText"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), made().link);

    const QByteArray page = asked(url, "GET " + url.path().toUtf8() + " HTTP/1.1\r\nHost: x\r\n\r\n");
    QVERIFY2(page.startsWith("HTTP/1.1 200 OK\r\n") && page.contains("text/html"), page.left(300).constData());
    QVERIFY(page.contains("MirroredStrategy &lt;2&gt;") && page.contains("data:image/png;base64,"));
    QVERIFY(page.contains("strategylab:?replicas=2") && page.contains("<dt>Seed</dt><dd>7</dd>"));
    const QRegularExpression link(QStringLiteral("href=\"([^\"]+)\""));
    const QByteArray file = link.match(QString::fromUtf8(page)).captured(1).toUtf8();
    const QByteArray slab = asked(url, "GET " + file + " HTTP/1.1\r\n\r\n");
    QVERIFY2(slab.startsWith("HTTP/1.1 200 OK\r\n") && slab.endsWith("\r\n\r\n{\"a\": 1}"), slab.constData());

    QTest::keyClick(dialog, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.findChild<QDialog*>(QStringLiteral("linkCode")) == nullptr, kPatienceMs);
    QTcpSocket late;
    late.connectToHost(QHostAddress(url.host()), static_cast<quint16>(url.port()));
    QTRY_COMPARE_WITH_TIMEOUT(late.error(), QAbstractSocket::ConnectionRefusedError, kPatienceMs);
  }

  // Q shares the window's experiment, and nothing listens on the network before.
  void theWindowsExperimentIsShared() {
    Desk desk;
    QVERIFY(desk.window.findChild<PageServer*>() == nullptr);
    QTest::keyClick(&desk.window, Qt::Key_Q);
    auto* dialog = desk.window.findChild<QDialog*>(QStringLiteral("linkCode"));
    QVERIFY(dialog != nullptr);
    desk.act("copyLink").trigger();
    QCOMPARE(dialog->findChild<QLineEdit*>(QStringLiteral("linkText"))->text(), QGuiApplication::clipboard()->text());
    QCOMPARE(dialog->findChild<PageServer*>() != nullptr, !networkAddresses().isEmpty());
  }

  void withoutANetworkThereIsTheLink() {
    Desk desk;
    auto* dialog = showLinkCode(desk.window, made(), {});
    QVERIFY(dialog->findChild<QLabel*>(QStringLiteral("noNetwork")) != nullptr);
    QVERIFY(dialog->findChild<QrView*>() == nullptr && dialog->findChild<PageServer*>() == nullptr);
    QCOMPARE(dialog->findChild<QLineEdit*>(QStringLiteral("linkText"))->text(), made().link);
  }

  void hostileRequestsGetNothing_data() {
    QTest::addColumn<QByteArray>("request");  // PATH stands for the page's path
    QTest::addColumn<QByteArray>("status");
    QTest::newRow("no token") << QByteArray("GET / HTTP/1.1\r\n\r\n") << QByteArray("404");
    QTest::newRow("wrong token") << QByteArray("GET /AAAAAAAAAAAAAAAAAAAAAA HTTP/1.1\r\n\r\n") << QByteArray("404");
    QTest::newRow("up") << QByteArray("GET PATH/../../etc/passwd HTTP/1.1\r\n\r\n") << QByteArray("404");
    QTest::newRow("up, encoded") << QByteArray("GET PATH/%2e%2e%2fetc%2fpasswd HTTP/1.1\r\n\r\n") << QByteArray("404");
    QTest::newRow("absolute") << QByteArray("GET /etc/passwd HTTP/1.1\r\n\r\n") << QByteArray("404");
    QTest::newRow("another place") << QByteArray("GET http://example.org/ HTTP/1.1\r\n\r\n") << QByteArray("404");
    QTest::newRow("POST") << QByteArray("POST PATH HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc") << QByteArray("405");
    QTest::newRow("DELETE") << QByteArray("DELETE PATH HTTP/1.1\r\n\r\n") << QByteArray("405");
    QTest::newRow("no version") << QByteArray("GET PATH\r\n\r\n") << QByteArray("400");
    QTest::newRow("no HTTP") << QByteArray("\x16\x03\x01\x02\x00\r\n\r\n", 9) << QByteArray("400");
    QTest::newRow("empty") << QByteArray("\r\n\r\n") << QByteArray("400");
    QTest::newRow("endless line") << QByteArray("GET /" + QByteArray(100'000, 'a')) << QByteArray();
    QTest::newRow("endless heads") << QByteArray("GET PATH HTTP/1.1\r\n" + QByteArray("A: b\r\n").repeated(9000))
                                   << QByteArray();
  }
  void hostileRequestsGetNothing() {
    QFETCH(QByteArray, request);
    QFETCH(QByteArray, status);
    PageServer server;
    server.setContent("the page", "the file", QStringLiteral("a.slab"));
    QVERIFY(server.listen(QHostAddress(QHostAddress::LocalHost)));
    const QByteArray answer = asked(server.url(), request.replace("PATH", server.url().path().toUtf8()));
    if (status.isEmpty())
      QCOMPARE(answer, QByteArray());
    else
      QVERIFY2(answer.startsWith("HTTP/1.1 " + status), answer.left(200).constData());
    QVERIFY(!answer.contains("the page") && !answer.contains("the file"));
    // The server goes on as before, and its answer to HEAD has no body.
    const QByteArray path = server.url().path().toUtf8();
    QVERIFY(asked(server.url(), "GET " + path + " HTTP/1.0\r\n\r\n").endsWith("\r\n\r\nthe page"));
    const QByteArray head = asked(server.url(), "HEAD " + path + " HTTP/1.1\r\n\r\n");
    QVERIFY(head.contains("Content-Length: 8\r\n") && head.endsWith("\r\n\r\n"));
    QVERIFY(server.url() != PageServer().url());
  }

  void tooManyConnectionsAreClosed() {
    PageServer server;
    QVERIFY(server.listen(QHostAddress(QHostAddress::LocalHost)));
    std::vector<std::unique_ptr<QTcpSocket>> sockets;
    const auto connected = [&] {
      auto socket = std::make_unique<QTcpSocket>();
      socket->connectToHost(QHostAddress(server.url().host()), static_cast<quint16>(server.url().port()));
      sockets.push_back(std::move(socket));
      return sockets.back().get();
    };
    for (int i = 0; i < PageServer::kMostConnections; ++i) {
      const QTcpSocket* socket = connected();
      QTRY_COMPARE_WITH_TIMEOUT(socket->state(), QAbstractSocket::ConnectedState, kPatienceMs);
    }
    QTRY_COMPARE_WITH_TIMEOUT(server.findChildren<QTcpSocket*>().size(), PageServer::kMostConnections, kPatienceMs);
    const QTcpSocket* over = connected();
    QTRY_VERIFY_WITH_TIMEOUT(over->state() == QAbstractSocket::UnconnectedState, kPatienceMs);
  }

  // The code as a phone sees it from the last row: small, turned, blurred by the scaling, with noise and uneven light.
  // Level M restores 15 % of the words; here fewer than one module in fifty may be misread.
  void codeIsReadFromAPhotograph() {
    Desk desk;
    auto* dialog = showLinkCode(desk.window, made(), {QHostAddress(QHostAddress::LocalHost)});
    auto* view = dialog->findChild<QrView*>();
    QTRY_VERIFY_WITH_TIMEOUT(view->isVisible(), kPatienceMs);
    const QImage code = qrCode(servedAt(*dialog).toString());
    const QImage screen = view->grab().toImage();
    const int modules = code.width() + 2 * QrView::kQuietModules;
    const int side = std::min(screen.width(), screen.height()) / modules;
    QRect place(0, 0, side * code.width(), side * code.width());
    place.moveCenter(screen.rect().center());
    constexpr double kPixelsAModule = 2.6;
    QTransform seen;
    seen.rotate(4);
    seen.scale(kPixelsAModule / side, 0.92 * kPixelsAModule / side);
    const QTransform whole = QImage::trueMatrix(seen, screen.width(), screen.height());
    QImage photograph = screen.transformed(seen, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
    for (int y = 0; y < photograph.height(); ++y)
      for (int x = 0; x < photograph.width(); ++x) {
        const int noise = (x * 7919 + y * 104729) % 41 - 20, light = 255 - 90 * x / photograph.width();
        const int grey = std::clamp(40 + qGray(photograph.pixel(x, y)) * (light - 40) / 255 + noise, 0, 255);
        photograph.setPixel(x, y, qRgb(grey, grey, grey));
      }
    int wrong = 0;
    for (int y = 0; y < code.height(); ++y)
      for (int x = 0; x < code.width(); ++x) {
        const QPoint at = whole.map(QPointF(place.left() + (x + 0.5) * side, place.top() + (y + 0.5) * side)).toPoint();
        const int light = 255 - 90 * at.x() / photograph.width();
        const bool dark = qGray(photograph.pixel(at)) < (40 + light) / 2;
        wrong += dark != (qGray(code.pixel(x, y)) < 128);
      }
    QVERIFY2(wrong * 50 < code.width() * code.height(), qPrintable(QString::number(wrong)));
    if (qEnvironmentVariableIsSet("STRATEGYLAB_QR")) photograph.save(qEnvironmentVariable("STRATEGYLAB_QR"));
  }
};

QTEST_MAIN(TestTeach)
#include "tst_teach.moc"
