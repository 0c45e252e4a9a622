// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=20
// Checks the window for users who cannot see it or have no pointer. In the tree that screen readers walk, every control
// has a name, and the stage's devices and messages are present. By keyboard, Tab reaches every control, which shows its
// focus and is at least 24 pixels large; arrow keys reach the stage's objects.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QGuiApplication>
#include <QHash>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QScreen>
#include <QScrollBar>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <functional>

#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/class_places.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_panel.h"
#include "ui/frame/on_demand.h"
#include "ui/help/notice.h"
#include "ui/i18n/language.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/stage/narration.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_views.h"

using namespace lab;

namespace {

constexpr int kPoints[]{0, theme::kLeastPoints, theme::kMostPoints};  // 0: by the screen
constexpr double kLastRowPx = 5;  // height of small letters, in a picture of a quarter of the size

struct Desk {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};

  Desk() {
    window.resize(1600, 1000);
    window.workspaces().choose(WindowLayout::Explore);
    window.show();
    window.activateWindow();
    (void)QTest::qWaitForWindowActive(&window);
    RunSettings config = test::smallConfig();
    window.experiment().begin(config);
    (void)QTest::qWaitFor([this] { return window.playback().record() != nullptr; }, kPatienceMs);
    stage().grab();
  }
  // Calls `look` with each tab in front.
  void eachTab(const std::function<void()>& look) {
    for (const QString& tab : window.panels().tabNames()) {
      window.panels().openTab(tab);
      QCoreApplication::processEvents();
      look();
    }
  }
  Stage& stage() { return window.stage(); }
  QAccessibleInterface& canvas() { return *QAccessible::queryAccessibleInterface(&stage()); }
  // Seeks into the middle of the aggregation.
  void goToTransfers() {
    const Beat* beat = window.playback().story().find(BeatKind::Aggregate);
    window.playback().seek(1, beat->motionS + 0.2 * (beat->endS - beat->motionS));
    stage().grab();
  }
};

// Returns whether a user can operate an element with this role.
bool isOperated(QAccessible::Role role) {
  switch (role) {
    case QAccessible::PushButton:
    case QAccessible::CheckBox:
    case QAccessible::RadioButton:
    case QAccessible::ComboBox:
    case QAccessible::SpinBox:
    case QAccessible::Slider:
    case QAccessible::EditableText:
    case QAccessible::PageTab:
    case QAccessible::MenuItem:
    case QAccessible::ButtonMenu:
    case QAccessible::ButtonDropDown:
    case QAccessible::Table:
    case QAccessible::List:
    case QAccessible::Tree:
    case QAccessible::Canvas:
      return true;
    default:
      return false;
  }
}

bool saysSomething(const QString& name) {
  return std::any_of(name.begin(), name.end(), [](QChar c) { return c.isLetterOrNumber(); });
}

// Adds a line for each element of the tree below `node` to `lines`, and each element without a name to `nameless`.
void walk(QAccessibleInterface& node, int depth, QStringList& lines, QStringList& nameless) {
  if (!node.isValid() || node.state().invisible) return;
  const QString name = node.text(QAccessible::Name);
  const QObject* object = node.object();
  const QString line = QStringLiteral("%1%2 '%3' %4")
                           .arg(QString(2 * depth, QLatin1Char(' ')))
                           .arg(static_cast<int>(node.role()))
                           .arg(name, object == nullptr ? QString() : QLatin1String(object->metaObject()->className()));
  lines << line;
  const bool separator = node.role() == QAccessible::Separator || node.role() == QAccessible::StaticText;
  const bool own = isOperated(node.role()) || node.state().focusable;
  if (own && !separator && !saysSomething(name))
    nameless << line + QStringLiteral(" ") + (object == nullptr ? QString() : object->objectName());
  // The elements inside a spin box, a list or a table belong to it and need no names of their own.
  const QAccessible::Role role = node.role();
  if (role == QAccessible::SpinBox || role == QAccessible::ComboBox || role == QAccessible::Table ||
      role == QAccessible::List || role == QAccessible::Tree || role == QAccessible::EditableText)
    return;
  for (int i = 0; i < node.childCount(); ++i)
    if (QAccessibleInterface* child = node.child(i)) walk(*child, depth + 1, lines, nameless);
}

QStringList namelessIn(QWidget& top, QStringList* dump = nullptr) {
  QStringList lines, nameless;
  walk(*QAccessible::queryAccessibleInterface(&top), 0, lines, nameless);
  if (dump != nullptr) *dump = lines;
  return nameless;
}

// Returns whether the widget is a part of one of Qt's own widgets.
bool isPart(const QWidget* widget) {
  if (widget->objectName().startsWith(QStringLiteral("qt_"))) return true;
  for (const QWidget* parent = widget->parentWidget(); parent != nullptr; parent = parent->parentWidget())
    if (qobject_cast<const QAbstractSpinBox*>(parent) != nullptr || qobject_cast<const QComboBox*>(parent) != nullptr ||
        qobject_cast<const QLineEdit*>(parent) != nullptr ||
        qobject_cast<const QAbstractItemView*>(parent) != nullptr || qobject_cast<const QTabBar*>(parent) != nullptr)
      return true;
  return false;
}

// Returns whether the button is an unchosen one of an exclusive group; arrow keys reach it from the chosen one.
bool isOneOfMany(const QWidget* widget) {
  const auto* button = qobject_cast<const QAbstractButton*>(widget);
  return button != nullptr && button->group() != nullptr && button->group()->exclusive() && !button->isChecked();
}

bool isControl(const QWidget* widget) {
  if (qobject_cast<const QScrollBar*>(widget) != nullptr || isPart(widget)) return false;
  return qobject_cast<const QAbstractButton*>(widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QComboBox*>(widget) != nullptr || qobject_cast<const QLineEdit*>(widget) != nullptr ||
         qobject_cast<const QAbstractSlider*>(widget) != nullptr ||
         qobject_cast<const QAbstractItemView*>(widget) != nullptr;
}

QString named(const QWidget* widget) {
  return QStringLiteral("%1 '%2' '%3' %4x%5")
      .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(), widget->accessibleName())
      .arg(widget->width())
      .arg(widget->height());
}

// Returns the contrast of painted words on their ground: the ground is the commonest colour, and the words have the
// colour that is farthest from it.
double paintedContrast(const QImage& picture) {
  QHash<QRgb, int> counts;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0, begin = 0; x < picture.width(); begin = x) {  // neighbours mostly have the same colour
      const QRgb pixel = picture.pixel(x, y);
      do ++x;
      while (x < picture.width() && picture.pixel(x, y) == pixel);
      counts[pixel] += x - begin;
    }
  QRgb ground = 0;
  for (auto each = counts.cbegin(); each != counts.cend(); ++each)
    if (each.value() > counts.value(ground)) ground = each.key();
  double most = 1;
  for (auto each = counts.cbegin(); each != counts.cend(); ++each)
    most = std::max(most, theme::contrast(QColor::fromRgb(ground), QColor::fromRgb(each.key())));
  return most;
}

// Returns the caption's words and their place: the bold text on the ground from edge to edge. Null if there are none.
const Item* captionOf(const Scene& scene) {
  QRectF ground;
  for (const Item& item : scene.items) {
    if (item.shape == Item::Shape::Panel && item.strong) ground = item.box;
    if (item.shape == Item::Shape::Text && item.bold && ground.contains(item.box.center())) return &item;
  }
  return nullptr;
}

// Returns the height of small letters as painted, computed from the width of the lines' ink.
double paintedXHeight(const QImage& picture, QFont font, const QString& words) {
  const QRgb ground = picture.pixel(0, 0);
  QHash<QRgb, bool> known;  // most pixels have one of few colours
  const auto standsOut = [&](QRgb pixel) {
    const auto found = known.constFind(pixel);
    if (found != known.constEnd()) return *found;
    return *known.insert(pixel, theme::contrast(QColor::fromRgb(pixel), QColor::fromRgb(ground)) >= 2);
  };
  int ink = 0, left = picture.width(), right = -1;
  for (int y = 0; y <= picture.height(); ++y) {
    bool empty = true;
    for (int x = 0; y < picture.height() && x < picture.width(); ++x) {
      if (!standsOut(picture.pixel(x, y))) continue;
      empty = false;
      left = std::min(left, x);
      right = std::max(right, x);
    }
    if (!empty || right < 0) continue;
    ink += right + 1 - left;  // a line has ended
    left = picture.width();
    right = -1;
  }
  font.setBold(true);
  font.setPixelSize(100);
  const QFontMetricsF metrics(font);
  return ink / metrics.horizontalAdvance(words) * metrics.xHeight();
}

QString wordsOn(const QWidget* widget) {
  if (const auto* label = qobject_cast<const QLabel*>(widget)) return label->text();
  if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) return button->text();
  return {};
}

// Returns the captions of the first step that cannot be read from the last row.
QStringList faintCaptions(Desk& desk, const QString& language, const QString& strategy) {
  const QString folder = qEnvironmentVariable("STRATEGYLAB_SMALL_PICTURES");
  const auto smaller = [](const QImage& picture) {
    return picture.scaled(picture.size() / 4, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
  };
  const Story story = desk.window.playback().story();
  QStringList faults;
  for (const Beat& beat : story.beats)
    for (const Beat::TimedCaption& saying : beat.sayings) {
      desk.window.playback().seek(1, saying.fromS + 0.01);
      const QImage whole = desk.stage().grab().toImage();
      const Item* caption = captionOf(desk.stage().scene());
      if (caption == nullptr) {
        faults << beat.name + QStringLiteral(": no caption");
        continue;
      }
      const double high =
          paintedXHeight(whole.copy(caption->box.toAlignedRect()), desk.stage().font(), caption->text) / 4;
      // Cut where the whole picture's smaller pixels end, so that the words become the same ones.
      const QRect at = QRectF(caption->box.topLeft() / 4, caption->box.size() / 4).toAlignedRect();
      const QRect words = QRect(at.topLeft() * 4, at.size() * 4).intersected(whole.rect());
      const double contrast = paintedContrast(smaller(whole.copy(words)));
      if (high < kLastRowPx || contrast < 4.5)
        faults << QStringLiteral("%1: %2 px, contrast %3: %4")
                      .arg(beat.name)
                      .arg(high, 0, 'f', 1)
                      .arg(contrast, 0, 'f', 1)
                      .arg(caption->text);
      if (!folder.isEmpty())
        smaller(whole).save(
            QStringLiteral("%1/%2-%3-%4-%5.png").arg(folder, language, strategy, beat.name).arg(saying.fromS));
    }
  return faults;
}

// Returns the faults below `root`: missing names, controls that Tab does not reach, small sizes, weak contrast.
QStringList faultsIn(QWidget& root) {
  QStringList faults;
  if (qobject_cast<QMenu*>(&root) == nullptr)  // Qt itself describes a menu's entries
    for (const QString& nameless : namelessIn(root)) faults << QStringLiteral("no name: ") + nameless;
  const QImage picture = root.grab().toImage();
  const double least = theme::kind() == theme::Kind::HighContrast ? 7 : 4.5;
  for (QWidget* widget : root.findChildren<QWidget*>()) {
    if (!widget->isVisibleTo(&root)) continue;
    if (isControl(widget)) {
      if (widget->isEnabled() && !(widget->focusPolicy() & Qt::TabFocus) && !isOneOfMany(widget))
        faults << QStringLiteral("no Tab: ") + named(widget);
      if ((widget->width() < 24 && widget->sizeHint().width() < 24) || widget->height() < 24)
        faults << QStringLiteral("small: ") + named(widget);
    }
    const QString words = wordsOn(widget);
    const QRect seen = widget->visibleRegion().boundingRect();
    if (!saysSomething(words) || !widget->isEnabled() || seen.height() < widget->fontMetrics().height()) continue;
    const double contrast = paintedContrast(picture.copy(QRect(widget->mapTo(&root, seen.topLeft()), seen.size())));
    if (contrast < least) faults << QStringLiteral("contrast %1: ").arg(contrast) + named(widget) + words.left(40);
  }
  return faults;
}

}  // namespace

class TestAccessibility : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { theme::apply(*qApp); }
  void cleanup() {
    theme::setKind(theme::Kind::Light);
    theme::setChosenPoints(0);
    theme::setTextSize(13);
    theme::apply(*qApp);
  }

  void everythingInTheTreeHasAName() {
    Desk desk;
    QStringList dump, nameless;
    qsizetype lines = 0;
    desk.eachTab([&] {
      nameless << namelessIn(desk.window, &dump);
      lines = std::max(lines, dump.size());
    });
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
    QVERIFY(lines > 150);
    desk.window.panels().openTab(QStringLiteral("chartsTab"));
    // The test notices a name that is taken away.
    auto* button = desk.window.findChild<QToolButton*>(QStringLiteral("chartMenu"));
    const QString name = button->accessibleName();
    button->setAccessibleName(QString());
    QVERIFY(!namelessIn(desk.window).isEmpty());
    button->setAccessibleName(name);
    QVERIFY(namelessIn(desk.window).isEmpty());
  }

  // The buttons for a message's proposal and for closing the message have names.
  void buttonsOfMessagesHaveNames() {
    Desk desk;
    Notice notice;
    notice.say(Notice::Kind::Warning, QStringLiteral("It is so."), QStringLiteral("Start it again"));
    const auto buttons = notice.findChildren<QToolButton*>();
    QVERIFY(buttons.size() >= 2);
    QStringList names;
    for (QToolButton* button : buttons) names << QAccessible::queryAccessibleInterface(button)->text(QAccessible::Name);
    QVERIFY2(names.contains(QStringLiteral("Start it again")) && names.contains(QStringLiteral("Close this message")),
             qPrintable(names.join(QLatin1Char('|'))));
  }

  void dialogsHaveNames_data() {
    QTest::addColumn<QByteArray>("action");
    for (const char* name : {"preferencesAct", "keys", "about"}) QTest::newRow(name) << QByteArray(name);
  }
  void dialogsHaveNames() {
    QFETCH(QByteArray, action);
    Desk desk;
    desk.window.findChild<QAction*>(QLatin1String(action))->trigger();
    const auto dialogs = desk.window.findChildren<QDialog*>();
    QVERIFY(!dialogs.isEmpty());
    for (QDialog* dialog : dialogs) {
      const QStringList nameless = namelessIn(*dialog);
      QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
      QVERIFY(!dialog->windowTitle().isEmpty());
    }
  }

  // With the largest letters on a small screen a dialog is scrolled; its buttons stay on the screen.
  void dialogsFitTheirScreen() {
    Desk desk;
    desk.window.looks().setTextPoints(theme::kMostPoints);
    for (const char* name :
         {"preferencesAct", "changeKeys", "keys", "about", "paletteAct", "historyAct", "dataSets", "handbook"}) {
      auto* action = desk.window.findChild<QAction*>(QLatin1String(name));
      QVERIFY2(action != nullptr, name);
      action->trigger();
    }
    desk.window.findChild<QAbstractButton*>(QStringLiteral("strategy"))->click();
    QCoreApplication::processEvents();
    const QSize screen = desk.window.screen()->availableSize();
    QList<QWidget*> windows;
    for (QDialog* dialog : desk.window.findChildren<QDialog*>()) windows << dialog;
    windows << desk.window.findChild<QWidget*>(QStringLiteral("strategyPicker"));
    QVERIFY(windows.size() >= 9 && windows.last() != nullptr);
    QStringList faults;
    for (const QWidget* window : windows) {
      if (window->width() > screen.width() || window->height() > screen.height()) faults << named(window);
      for (const QWidget* button : window->findChildren<QAbstractButton*>()) {
        bool scrolled = false;
        for (const QWidget* parent = button; parent != window; parent = parent->parentWidget())
          scrolled = scrolled || qobject_cast<const QAbstractScrollArea*>(parent) != nullptr;
        const QRect at(button->mapTo(window, QPoint()), button->size());
        if (!scrolled && button->isVisible() && !window->rect().contains(at)) faults << named(button);
      }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
  }

  // Whatever the View menu is asked for, docks stand beside or behind one another within the window, and no dock is
  // narrower than its content.
  void docksStandApart_data() {
    QTest::addColumn<theme::Kind>("kind");
    QTest::addColumn<int>("points");
    QTest::addColumn<QSize>("size");
    const QSize usual(1280, 720);
    QTest::newRow("usual") << theme::Kind::Light << 0 << usual;
    QTest::newRow("8 pt") << theme::Kind::Light << theme::kLeastPoints << usual;
    QTest::newRow("20 pt") << theme::Kind::Dark << 20 << usual;
    QTest::newRow("projector") << theme::Kind::Projector << 0 << usual;
    QTest::newRow("half of 1920x1080, at 200 %") << theme::Kind::Light << 0 << QSize(960, 540);
  }
  void docksStandApart() {
    QFETCH(theme::Kind, kind);
    QFETCH(int, points);
    QFETCH(QSize, size);
    Desk desk;
    desk.window.looks().setTheme(kind);
    desk.window.looks().setTextPoints(points);
    desk.window.resize(size);
    const QWidget& stage = desk.window.stage();
    const auto& scrubber = *desk.window.findChild<QWidget*>(QStringLiteral("scrubber"));
    for (const Quantity quantity : kQuantities) desk.window.views().charts().setWanted(quantity, true);
    QStringList faults;
    for (const WindowLayout layout :
         {WindowLayout::Teach, WindowLayout::Explore, WindowLayout::Sweep, WindowLayout::Profile}) {
      desk.window.workspaces().choose(layout);
      for (const QString& asked : desk.window.panels().tabNames()) {
        desk.window.panels().openTab(asked);
        for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
        QList<const QDockWidget*> seen;
        for (const QDockWidget* dock : desk.window.findChildren<QDockWidget*>())
          if (dock->isVisible() && !dock->visibleRegion().isEmpty()) seen << dock;
        const QString when = QStringLiteral("layout %1, %2: ").arg(static_cast<int>(layout)).arg(asked);
        const QPoint stageAt = stage.mapTo(&desk.window, QPoint()), scrubberAt = scrubber.mapTo(&desk.window, QPoint());
        if (stage.visibleRegion().translated(stageAt).intersects(scrubber.rect().translated(scrubberAt)))
          faults << when + QStringLiteral("the scrubber is on the stage");
        for (const QDockWidget* dock : seen) {
          if (!desk.window.rect().contains(dock->geometry())) faults << when + named(dock) + QStringLiteral(" outside");
          if (dock->widget()->width() < dock->widget()->minimumSizeHint().width())
            faults << when + named(dock) + QStringLiteral(" is narrower than its content");
          for (const QDockWidget* other : seen)
            if (other != dock && other->geometry().intersects(dock->geometry()))
              faults << when + named(dock) + QStringLiteral(" on ") + named(other);
        }
      }
    }
    faults.removeDuplicates();
    QVERIFY2(faults.isEmpty(), qPrintable(faults.mid(0, 12).join(QLatin1Char('\n'))));
  }

  void theStageIsACanvasWithItsObjects() {
    Desk desk;
    desk.goToTransfers();
    QAccessibleInterface& canvas = desk.canvas();
    QCOMPARE(canvas.role(), QAccessible::Canvas);
    QCOMPARE(canvas.text(QAccessible::Name), QStringLiteral("Stage"));
    QVERIFY(canvas.text(QAccessible::Description).contains(QLatin1Char(' ')));  // the caption
    QCOMPARE(canvas.childCount(), static_cast<int>(desk.stage().objects().all().size()));
    int devices = 0, messages = 0;
    for (int i = 0; i < canvas.childCount(); ++i) {
      QAccessibleInterface* child = canvas.child(i);
      QVERIFY(child != nullptr && child->isValid());
      const QString name = child->text(QAccessible::Name);
      QVERIFY2(saysSomething(name) && name != QStringLiteral("Not in this step"), qPrintable(name));
      QVERIFY2(!child->text(QAccessible::Description).isEmpty(), qPrintable(name));
      QVERIFY2(canvas.rect().intersects(child->rect()), qPrintable(name));
      QCOMPARE(child->parent(), &canvas);
      QCOMPARE(canvas.indexOfChild(child), i);
      QCOMPARE(canvas.child(i), child);  // the same interface each time
      if (name.startsWith(QStringLiteral("device R")) && name.contains(QStringLiteral("step 1"))) ++devices;
      if (name.startsWith(QStringLiteral("transfer R"))) {
        ++messages;
        QCOMPARE(child->role(), QAccessible::Animation);
      }
    }
    QCOMPARE(devices, 2);
    QVERIFY(messages > 0);
    // The element at a point is the object that the pointer would find there.
    QAccessibleInterface* device = canvas.child(0);
    QVERIFY(canvas.childAt(device->rect().center().x(), device->rect().center().y()) != nullptr);
    // When messages go, their interfaces become invalid, and nothing dangles.
    desk.window.playback().seek(1, desk.window.playback().story().find(BeatKind::Forward)->motionS);
    desk.stage().grab();
    for (int i = 0; i < canvas.childCount(); ++i)
      QVERIFY(!canvas.child(i)->text(QAccessible::Name).startsWith(QStringLiteral("transfer")));
  }

  void theStageIsWalkedByKey() {
    Desk desk;
    desk.stage().setFocus(Qt::TabFocusReason);
    QVERIFY(desk.stage().hasFocus());
    QTest::keyClick(&desk.stage(), Qt::Key_Down);
    QAccessibleInterface& canvas = desk.canvas();
    QCOMPARE(canvas.focusChild(), canvas.child(0));
    QVERIFY(canvas.child(0)->state().selected && canvas.child(0)->state().focused);
    QTest::keyClick(&desk.stage(), Qt::Key_Down);
    QVERIFY(canvas.child(1)->state().selected && !canvas.child(0)->state().selected);
    QTest::keyClick(&desk.stage(), Qt::Key_Up);
    QVERIFY(canvas.child(0)->state().selected);
    const Object::Kind before = desk.stage().objects().chosen().kind;
    QTest::keyClick(&desk.stage(), Qt::Key_PageDown);
    QVERIFY(desk.stage().objects().chosen().kind != before);
    // From the first object to the last, the Down key reaches each once.
    desk.stage().objects().choose({});
    int steps = 0;
    for (Object last; steps <= canvas.childCount(); ++steps, last = desk.stage().objects().chosen()) {
      QTest::keyClick(&desk.stage(), Qt::Key_Down);
      if (desk.stage().objects().chosen() == last) break;
    }
    QCOMPARE(steps, canvas.childCount());
    // A screen reader's press also selects an object; Esc ends the selection.
    canvas.child(1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QVERIFY(canvas.child(1)->state().selected);
    QTest::keyClick(&desk.window, Qt::Key_Escape);
    QVERIFY(!desk.stage().objects().chosen());
  }

  void everyControlIsReachedAndShowsIt() {
    Desk desk;
    QStringList unreached, unseen;
    desk.eachTab([&] {
      for (QWidget* widget : desk.window.findChildren<QWidget*>()) {
        if (!widget->isVisibleTo(&desk.window) || !widget->isEnabled()) continue;
        if (isControl(widget) && !(widget->focusPolicy() & Qt::TabFocus) && !isOneOfMany(widget))
          unreached << named(widget);
        if (!(widget->focusPolicy() & Qt::TabFocus) || isPart(widget) || widget->visibleRegion().isEmpty() ||
            widget->focusProxy() != nullptr)
          continue;
        widget->clearFocus();  // the previous tab may have left the focus here
        widget->setFocus(Qt::TabFocusReason);
        if (!widget->hasFocus()) continue;
        const QImage with = widget->grab().toImage();
        widget->clearFocus();
        if (with == widget->grab().toImage()) unseen << named(widget);
      }
    });
    for (QStringList* faults : {&unreached, &unseen}) faults->removeDuplicates();
    QVERIFY2(unreached.isEmpty(), qPrintable(QStringLiteral("no Tab:\n") + unreached.join(QLatin1Char('\n'))));
    QVERIFY2(unseen.isEmpty(), qPrintable(QStringLiteral("focus unseen:\n") + unseen.join(QLatin1Char('\n'))));
  }

  // The button that Enter presses has the accent as its ground, so a ring in the accent would not be seen.
  void aPrimaryButtonShowsTheFocus() {
    for (const theme::Kind kind : theme::kKinds) {
      theme::setKind(kind);
      theme::apply(*qApp);
      QDialog dialog;
      auto* button = new QPushButton(QStringLiteral("OK"), &dialog);
      auto* field = new QLineEdit(&dialog);
      button->setDefault(true);
      button->setGeometry(10, 10, 120, 40);
      field->setGeometry(10, 60, 120, 40);
      dialog.resize(140, 110);
      dialog.show();
      dialog.activateWindow();
      QVERIFY(QTest::qWaitForWindowActive(&dialog));
      const auto edge = [&](QWidget& focused) {
        focused.setFocus(Qt::TabFocusReason);
        return button->grab().toImage().pixelColor(button->width() / 2, 3);
      };
      QCOMPARE(edge(*field), theme::colours().accent);
      QCOMPARE(edge(*button), theme::colours().onAccent);
    }
  }

  // WCAG 2.2, 2.5.8. The arrows of a spin box and scroll bars are smaller: typing, keys and the wheel do the same
  // ("Equivalent"), as the criterion allows.
  void whatIsPressedIsLargeEnough_data() {
    QTest::addColumn<theme::Kind>("kind");
    for (const theme::Kind kind : theme::kKinds) QTest::addRow("%s", theme::keyOf(kind)) << kind;
  }
  void whatIsPressedIsLargeEnough() {
    QFETCH(theme::Kind, kind);
    Desk desk;
    desk.window.looks().setTheme(kind);
    for (const int points : kPoints) {
      desk.window.looks().setTextPoints(points);
      QVERIFY(theme::target() >= 24);
      QStringList small;
      desk.eachTab([&] {
        for (QWidget* widget : desk.window.findChildren<QWidget*>()) {
          if (!widget->isVisibleTo(&desk.window) || !isControl(widget)) continue;
          const bool wide = widget->width() >= 24 || widget->sizeHint().width() >= 24;
          if (!wide || widget->height() < 24) small << named(widget);
        }
      });
      small.removeDuplicates();
      for (QTabBar* tabs : desk.window.findChildren<QTabBar*>())
        for (int i = 0; i < tabs->count(); ++i)
          if (tabs->isVisible() && (tabs->tabRect(i).height() < 24 || tabs->tabRect(i).width() < 24))
            small << named(tabs);
      for (QAction* action : desk.window.menuBar()->actions())
        if (desk.window.menuBar()->actionGeometry(action).height() < 24) small << action->text();
      QVERIFY2(small.isEmpty(), qPrintable(QStringLiteral("%1 pt:\n").arg(points) + small.join(QLatin1Char('\n'))));
    }
  }

  // Checks what a class uses: lessons, questions, quiz, gallery, glossary, moments, program; movie, locks, QR code, the
  // menu of faults.
  void whatAClassUses_data() {
    QTest::addColumn<theme::Kind>("kind");
    QTest::addColumn<int>("points");
    for (const theme::Kind kind : theme::kKinds)
      for (const int points : kPoints) QTest::addRow("%s, %d pt", theme::keyOf(kind), points) << kind << points;
  }
  void whatAClassUses() {
    QFETCH(theme::Kind, kind);
    QFETCH(int, points);
    Desk desk;
    desk.window.resize(1280, 720);
    desk.window.looks().setTheme(kind);
    desk.window.looks().setTextPoints(points);
    QStringList faults;
    int places = 0;
    const auto look = [&](const QString& name, QWidget& shown) {
      ++places;
      QList<QWidget*> roots{&shown};
      if (&shown == &desk.window) {
        roots.clear();
        for (const char* panel : {"guidePanel", "detailPanel"})
          if (auto* dock = desk.window.findChild<QWidget*>(QLatin1String(panel)); dock->isVisible()) roots << dock;
      }
      const bool painted = desk.window.updatesEnabled();
      desk.window.setUpdatesEnabled(true);  // a picture has no widget whose updates are disabled
      for (QWidget* root : roots)
        for (const QString& fault : faultsIn(*root)) faults << name + QStringLiteral(": ") + fault;
      desk.window.setUpdatesEnabled(painted);
    };
    desk.window.setUpdatesEnabled(false);  // only what is looked at is painted
    test::eachGuide(desk.window, look, 9);
    desk.window.setUpdatesEnabled(true);
    desk.window.looks().setTheme(kind);  // a moment may have changed the theme
    test::eachClassDialog(desk.window, look);
    QVERIFY2(places > 50, qPrintable(QString::number(places)));
    QVERIFY2(faults.isEmpty(), qPrintable(faults.mid(0, 30).join(QLatin1Char('\n'))));
  }

  // Seen from the last row, a projector's screen looks as large as a quarter of it on the desk. So the stage is scaled
  // to a quarter; its captions must keep small letters of five pixels that stand out from their ground.
  void aProjectorsCaptionsAreReadFromTheLastRow_data() {
    QTest::addColumn<QString>("language");
    QTest::addColumn<QString>("strategy");
    for (const char* language : {"en", "de"})
      for (const StrategyInfo& info : strategies())
        QTest::addRow("%s %s", language, info.key.c_str())
            << QString::fromLatin1(language) << QString::fromStdString(info.key);
  }
  void aProjectorsCaptionsAreReadFromTheLastRow() {
    QFETCH(QString, language);
    QFETCH(QString, strategy);
    const auto english = qScopeGuard([] { language::use(QStringLiteral("en")); });
    language::use(language);
    Desk desk;
    desk.window.experiment().begin(test::runOf(qPrintable(strategy)));
    desk.window.looks().setProjectorMode(true);
    test::settle(desk.window);
    desk.window.showNormal();  // the screen of the tests is small
    desk.window.resize(1920, 1080);
    QTRY_COMPARE_WITH_TIMEOUT(theme::textSize(), 1080 / 45, kPatienceMs);  // fits the window's new height
    test::settle(desk.window);
    QCOMPARE(desk.window.size(), QSize(1920, 1080));
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.playback().record() != nullptr, kPatienceMs);
    const QStringList faults = faintCaptions(desk, language, strategy);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
  }

  // Bar 17: the caption has 2.5 % of the window's height or more, and no words on the stage are smaller than 18 pt on
  // 1,080 lines, or in proportion on other screens.
  void aProjectorsStageCanBeRead_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("strategy");
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
      for (const char* strategy : {"mirrored", "parameter-server", "one-device"})
        QTest::addRow("%d %s", size.height(), strategy) << size << QString::fromLatin1(strategy);
  }
  void aProjectorsStageCanBeRead() {
    QFETCH(QSize, size);
    QFETCH(QString, strategy);
    Desk desk;
    desk.window.resize(size);
    desk.window.experiment().set(QStringLiteral("strategy"), strategy);
    desk.window.looks().setTheme(theme::Kind::Projector);
    const auto kind = desk.window.experiment().resolved().strategy;
    QTRY_VERIFY_WITH_TIMEOUT(desk.controller.info() != nullptr && desk.controller.info()->config.strategy == kind &&
                                 desk.window.playback().record() != nullptr,
                             kPatienceMs);
    desk.stage().grab();
    QCOMPARE(desk.window.size(), size);
    const double least = size.height() / 45.0, lines = size.height();
    double caption = 0;
    for (const Item& item : desk.stage().scene().items) {
      if (item.text.isEmpty()) continue;
      caption = std::max(caption, item.bold ? item.fontPx : 0);
      // The painter raises smaller letters to `least`; the scene's size must be near enough for the words to have room.
      QVERIFY2(item.fontPx >= 0.8 * least, qPrintable(item.text));
    }
    QVERIFY2(caption >= 0.025 * lines, qPrintable(QString::number(caption)));
    QVERIFY(theme::textSize() >= least);
    // The projector shows fewer panels: the stage alone, until a curve has something to show (tst_projector).
    for (const QDockWidget* dock : desk.window.findChildren<QDockWidget*>()) QVERIFY(!dock->isVisible());
  }

  void f11IsForTheProjectorAndBack() {
    Desk desk;
    desk.window.looks().setTheme(theme::Kind::Dark);
    const int size = theme::textSize();
    QTest::keyClick(&desk.window, Qt::Key_F11);
    QCOMPARE(theme::kind(), theme::Kind::Dark);  // the theme stays dark, so that nobody is blinded
    QVERIFY(desk.window.isFullScreen() && theme::textSize() > size);
    QCOMPARE(desk.window.looks().chosenTheme(), theme::Kind::Dark);
    QVERIFY(!desk.window.panels().tab(QStringLiteral("setupTab"))->isVisible());
    QTest::keyClick(&desk.window, Qt::Key_Escape);
    QVERIFY(!desk.window.isFullScreen());
    QCOMPARE(theme::kind(), theme::Kind::Dark);
    QTRY_VERIFY_WITH_TIMEOUT(desk.window.panels().tab(QStringLiteral("setupTab"))->isVisible(), kPatienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(theme::textSize(), size, kPatienceMs);
  }

  void notesAreCopied() {
    Desk desk;
    auto* notes = desk.window.findChild<Narration*>();
    QVERIFY(notes != nullptr);
    for (const BeatKind kind :
         {BeatKind::Distribute, BeatKind::Forward, BeatKind::Backward, BeatKind::Aggregate, BeatKind::Update}) {
      const Beat* beat = desk.window.playback().story().find(kind);
      QVERIFY(beat != nullptr);
      const QString name = QStringLiteral("step 1 · %1").arg(beat->name);
      desk.window.playback().seek(1, beat->beginS + 0.01);
      QTRY_VERIFY_WITH_TIMEOUT(notes->toPlainText().contains(name), kPatienceMs);
    }
    notes->copyNotes();
    const QString copied = QGuiApplication::clipboard()->text();
    for (const char* words : {"MirroredStrategy", "seed", "step 1 · forward", "modelled", "Mean loss",
                              "Images per replica: 4, 4", "Sent in total"})
      QVERIFY2(copied.contains(QString::fromUtf8(words)), qPrintable(copied));
  }
};

QTEST_MAIN(TestAccessibility)
#include "tst_accessibility.moc"
