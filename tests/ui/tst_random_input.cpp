// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=35
// Ten thousand random clicks, drags, keys, resizes and changes of settings while training goes on: nothing crashes,
// nothing hangs. The sequence is the same each time; STRATEGYLAB_SEED and STRATEGYLAB_EVENTS choose another. The state
// of the program is not the same, because training goes at its own pace. A crash therefore reports the last action.
#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <array>

#include "core/base/rng.h"
#include "core/config/run_settings.h"
#include "core/options/config_field.h"
#include "tests/support/last_words.h"
#include "tests/support/patience.h"
#include "ui/runview/run_controller.h"
#include "ui/stage/stage.h"
#include "ui/window/main_window.h"

using namespace lab;

namespace {

constexpr std::array kKeys{Qt::Key_Space, Qt::Key_Space,  Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Home,
                           Qt::Key_End,   Qt::Key_Period, Qt::Key_Comma,  Qt::Key_1,      Qt::Key_2,
                           Qt::Key_3,     Qt::Key_4,      Qt::Key_5,      Qt::Key_6,      Qt::Key_7,
                           Qt::Key_Plus,  Qt::Key_Minus,  Qt::Key_L,      Qt::Key_Escape, Qt::Key_Tab,
                           Qt::Key_Up,    Qt::Key_Down,   Qt::Key_Return, Qt::Key_F11,    Qt::Key_Question};

class Monkey {
 public:
  Monkey(MainWindow& window, std::uint64_t seed) : window_(window), rng_(seed, 1) {}

  void act() {
    ++acts_;
    // Closes an open dialog, as a person would; the random keys include Esc, which closes popups now and then.
    if (QWidget* modal = QApplication::activeModalWidget()) {
      say("close", modal);
      modal->close();
    }
    const std::uint64_t kind = below(100);
    if (kind < 30)
      pointer();
    else if (kind < 62)
      key();
    else if (kind < 64)  // rare: a resize may bring another text size, and so a style sheet for every widget
      resize();
    else if (kind < 74)
      setting();
    else if (kind < 77)
      look(kind < 76);
    else
      wait();
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return rng_.below(limit); }

  void say(const char* what, const QObject* to, const QString& with = {}) {
    const char* type = to != nullptr ? to->metaObject()->className() : "nothing";
    const QString name = to != nullptr ? to->objectName() : QString();
    test::note(QStringLiteral("%1 %2 %3 %4 %5")
                   .arg(acts_)
                   .arg(QLatin1String(what), QLatin1String(type), name, with)
                   .toStdString());
  }
  void say(const char* what, const QWidget& to, const QPoint& at) {
    say(what, &to, QStringLiteral("at %1, %2 of %3 x %4").arg(at.x()).arg(at.y()).arg(to.width()).arg(to.height()));
  }

  void resize() {
    const QSize size(static_cast<int>(640 + below(1000)), static_cast<int>(400 + below(700)));
    say("resize", &window_, QStringLiteral("%1 x %2").arg(size.width()).arg(size.height()));
    window_.resize(size);
  }

  void look(bool layout) {
    if (layout) {
      const auto which = static_cast<WindowLayout>(below(static_cast<int>(kLayouts.size())));
      say("layout", &window_, QString::number(static_cast<int>(which)));
      return window_.workspaces().choose(which);
    }
    const theme::Kind kind = theme::kKinds[static_cast<std::size_t>(below(4))];
    say("theme", &window_, QString::number(static_cast<int>(kind)));
    window_.looks().setTheme(kind);
  }

  void wait() {
    say("wait", nullptr);
    QCoreApplication::processEvents(QEventLoop::AllEvents, 3);
  }

  // Returns a visible widget of the window, or of the popup that is open.
  QWidget* anyWidget() {
    QWidget* top = QApplication::activePopupWidget();
    if (top == nullptr) top = &window_;
    QList<QWidget*> all = top->findChildren<QWidget*>();
    all.removeIf([](QWidget* widget) { return !widget->isVisible() || widget->width() < 2 || widget->height() < 2; });
    if (all.isEmpty() || below(8) == 0) return top;
    return all[static_cast<qsizetype>(below(static_cast<std::uint64_t>(all.size())))];
  }

  void pointer() {
    // Half of the acts go to the stage, where the most can happen.
    QPointer<QWidget> widget = below(2) == 0 ? static_cast<QWidget*>(&window_.stage()) : anyWidget();
    const auto anywhere = [&] {
      return QPoint(static_cast<int>(below(static_cast<std::uint64_t>(std::max(1, widget->width())))),
                    static_cast<int>(below(static_cast<std::uint64_t>(std::max(1, widget->height())))));
    };
    const QPoint at = anywhere();
    switch (below(6)) {
      case 0:
        say("move over", *widget, at);
        QTest::mouseMove(widget, at);
        break;
      case 1: {
        say("wheel on", *widget, at);
        const QPointF point(at);
        QWheelEvent wheel(point, widget->mapToGlobal(point), QPoint(), QPoint(0, below(2) == 0 ? 120 : -120),
                          Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(widget, &wheel);
        break;
      }
      case 2: {
        say("drag", *widget, at);
        QTest::mousePress(widget, Qt::LeftButton, {}, at);
        for (int i = 0; i < 3 && widget; ++i) QTest::mouseMove(widget, anywhere());
        if (widget) QTest::mouseRelease(widget, Qt::LeftButton, {}, anywhere());
        break;
      }
      default: {
        const Qt::MouseButton button = below(12) == 0 ? Qt::RightButton : Qt::LeftButton;
        say(button == Qt::RightButton ? "right click on" : "click on", *widget, at);
        QTest::mouseClick(widget, button, {}, at);
      }
    }
  }

  void key() {
    QWidget* target = QApplication::activePopupWidget();
    if (target == nullptr) target = QApplication::focusWidget();
    if (target == nullptr || below(4) == 0) target = &window_;
    const Qt::KeyboardModifiers shift = below(5) == 0 ? Qt::ShiftModifier : Qt::NoModifier;
    const Qt::Key key = kKeys[below(kKeys.size())];
    say("key to", target, QKeySequence(key | shift).toString());
    QTest::keyClick(target, key, shift);
  }

  void setting() {
    const auto& fields = configFields();
    const ConfigField& field = fields[below(fields.size())];
    if (field.group == "Output" || field.name == "data-dir") return;
    QString value;
    switch (field.kind) {
      case ConfigField::Kind::Choice:
        value = QString::fromStdString(field.choices[below(field.choices.size())]);
        break;
      case ConfigField::Kind::Integer:
        value = QString::number(below(field.name == "replicas" ? 11 : 40));
        break;
      case ConfigField::Kind::Real:
        value = QString::number(static_cast<double>(below(100)) / 50.0);
        break;
      default:
        value = QStringLiteral("1:2");
    }
    if (below(6) == 0) value.clear();
    say("set", &window_, QStringLiteral("%1 = %2").arg(QString::fromStdString(field.name), value));
    window_.experiment().set(QString::fromStdString(field.name), value);
  }

  MainWindow& window_;
  Rng rng_;
  int acts_ = 0;
};

}  // namespace

class TestRandomInput : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    // The offscreen platform says thousands of times that it cannot grab the keyboard.
    static QtMessageHandler before = nullptr;
    before = qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
      if (!text.startsWith(QStringLiteral("This plugin does not support"))) before(type, context, text);
    });
  }

  void nothingCrashesOrHangs() {
    QTemporaryDir folder;  // text typed into a field for files may create files
    QVERIFY(folder.isValid());
    QDir::setCurrent(folder.path());
    const auto seed = static_cast<std::uint64_t>(qEnvironmentVariableIntValue("STRATEGYLAB_SEED"));
    const int asked = qEnvironmentVariableIntValue("STRATEGYLAB_EVENTS");
    const int events = asked > 0 ? asked : 10'000;
    test::giveLastWords("STRATEGYLAB_SEED=" + std::to_string(seed));

    RunController controller;
    MainWindow window(controller);
    window.show();
    RunSettings config;
    config.dataset = "digits";
    config.trainExamples = 512;
    config.testExamples = 64;
    config.globalBatch = 8;
    window.experiment().begin(config);
    QTRY_VERIFY_WITH_TIMEOUT(window.playback().record() != nullptr, kPatienceMs);

    Monkey monkey(window, seed);
    for (int i = 0; i < events; ++i) monkey.act();

    // The window still answers: another run begins, shows its first step and plays.
    if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
    window.experiment().begin(config);
    QTRY_VERIFY_WITH_TIMEOUT(window.playback().record() != nullptr && controller.state() != RunState::Preparing,
                             60'000);
    window.playback().setMode(Playback::Mode::Live);
    window.playback().play();
    QTRY_VERIFY_WITH_TIMEOUT(controller.isOver() || window.playback().step() > 1, kPatienceMs);
    // The run may be over before the stage has been painted, and the stage may lie behind another page.
    QTRY_VERIFY_WITH_TIMEOUT(!window.stage().isVisible() || !window.stage().scene().items.empty(), kPatienceMs);
    QDir::setCurrent(QDir::rootPath());
  }
};

QTEST_MAIN(TestRandomInput)
#include "tst_random_input.moc"
