// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=15
// Run ▸ Serve to the class: what the dialog asks for and refuses, the QR code as a phone reads it, the table of
// workers, a teacher's actions on them, nicknames, and how a class locks the window. The test plays the class.
#include <qrencode.h>

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

#include "core/base/error.h"
#include "core/base/message.h"
#include "core/base/messages.h"
#include "core/lesson/lesson.h"
#include "core/options/resolve.h"
#include "core/protocol/class_settings.h"
#include "core/protocol/messages.h"
#include "core/strategy/strategy.h"
#include "tests/support/patience.h"
#include "tests/ui/small_config.h"
#include "ui/frame/on_demand.h"
#include "ui/guide/lesson_view.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/playback/playback.h"
#include "ui/serving/class_panel.h"
#include "ui/serving/invitation.h"
#include "ui/serving/member_table.h"
#include "ui/serving/qr_view.h"
#include "ui/serving/serve_dialog.h"
#include "ui/serving/served_class.h"
#include "ui/session/workbench.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"

using namespace lab;
using namespace lab::test;

namespace {

const QString kLink = QStringLiteral("http://192.168.1.20:43210/#a046ff2004393efebe51a91fc6701705");

ClassMember memberOf(int worker, const char* name, const char* nickname = "") {
  ClassMember member;
  member.worker = worker;
  member.name = name;
  member.nickname = nickname;
  member.path = "wasm";
  member.state = ClassMember::State::Computing;
  member.pushes = 10;
  member.imagesPerSecond = 100;
  member.meanStaleness = 1.25;
  member.latestStaleness = 2;
  member.bytesPerSecond = 500'000;
  member.roundTripNs = 12'000'000;
  return member;
}

struct PlayedClass final : ClassSource {
  State now = State::Open;
  bool paused = false;
  std::vector<ClassMember> who;
  std::int64_t made = 0;
  QString where = kLink;
  QStringList asked;

  State state() const override { return now; }
  bool isPaused() const override { return paused; }
  QString link() const override { return where; }
  std::vector<ClassMember> members() const override { return who; }
  std::int64_t updates() const override { return made; }
  void setPaused(bool wanted) override {
    paused = wanted;
    asked << (wanted ? QStringLiteral("pause") : QStringLiteral("go on"));
  }
  void remove(int worker) override { asked << QStringLiteral("remove %1").arg(worker); }
  void slow(int worker, double factor) override { asked << QStringLiteral("slow %1 %2").arg(worker).arg(factor); }
  void end() override {
    asked << QStringLiteral("end");
    now = State::Over;
  }
};

struct Room {
  QTemporaryDir folder;
  QSettings settings{folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat};
  RunController controller;
  MainWindow window{controller};
  Workbench bench{window, settings};
  PlayedClass played;
  ServedClass& served = window.servedClass();

  Room() {
    window.resize(1280, 720);
    window.show();
    (void)QTest::qWaitForWindowExposed(&window);
    window.experiment().begin(smallConfig());
    window.panels().openTab(QStringLiteral("classTab"));
  }
  ~Room() { served.setSource(nullptr); }
  void open() { served.setSource(&played); }
  template <typename Widget = QPushButton>
  Widget& part(const char* name) {
    auto* found = window.findChild<Widget*>(QLatin1String(name));
    if (found == nullptr) qFatal("no %s", name);
    return *found;
  }
  QTableView& table() { return part<QTableView>("classMembers"); }
  QString cell(int row, MemberTable::Column column) {
    return table().model()->index(row, static_cast<int>(column)).data().toString();
  }
  void click(const char* name) { QTest::mouseClick(&part(name), Qt::LeftButton); }
  void clickRow(int row, Qt::KeyboardModifiers keys = {}) {
    const QRect place = table().visualRect(table().model()->index(row, 0));
    QTest::mouseClick(table().viewport(), Qt::LeftButton, keys, place.center());
  }
  QAction& act(const char* name) { return *window.findChild<QAction*>(QLatin1String(name)); }
};

QList<OwnAddress> twoAddresses() {
  return {{QHostAddress(QStringLiteral("192.168.1.20")), QStringLiteral("wlan0")},
          {QHostAddress(QStringLiteral("10.0.0.7")), QStringLiteral("eth0")}};
}

// Returns all words of a widget and its children: labels, tool tips, accessible names and cells of tables.
QString wordsOf(QWidget& root) {
  QStringList words;
  QList<QWidget*> all = root.findChildren<QWidget*>();
  all << &root;
  for (QWidget* widget : all) {
    words << widget->accessibleName() << widget->toolTip();
    if (const auto* label = qobject_cast<QLabel*>(widget)) words << label->text();
    if (const auto* view = qobject_cast<QTableView*>(widget))
      for (int row = 0; row < view->model()->rowCount(); ++row)
        for (int column = 0; column < view->model()->columnCount(); ++column)
          for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
            words << view->model()->index(row, column).data(role).toString();
  }
  return words.join(QLatin1Char('\n'));
}

}  // namespace

class TestServingWindow : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void init() { qputenv("STRATEGYLAB_CLASS_PROGRAM", QFile::encodeName(QCoreApplication::applicationFilePath())); }

  void theDialogListsThisMachinesAddresses() {
    ServeDialog dialog(smallConfig(), twoAddresses(), [](const RunSettings&, const ClassRun::Wishes&) {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    auto& address = *dialog.findChild<QComboBox*>(QStringLiteral("serveAddress"));
    QCOMPARE(address.count(), 3);
    QVERIFY(address.itemText(0).contains(QStringLiteral("192.168.1.20")) &&
            address.itemText(0).contains(QStringLiteral("wlan0")));
    QVERIFY(address.itemText(2).contains(QStringLiteral("127.0.0.1, only this machine")));
    auto& who = *dialog.findChild<QLabel*>(QStringLiteral("serveWho"));
    QVERIFY(who.text().contains(QStringLiteral("everybody in this network")));
    address.setCurrentIndex(2);
    QVERIFY(who.text().contains(QStringLiteral("Only this machine")));
  }

  // Whoever trains on a folder of one's own is told that its images are sent.
  void theDialogSaysThatOwnImagesAreSent() {
    RunSettings config = smallConfig();
    const auto said = [&config] {
      ServeDialog dialog(config, twoAddresses(), [](const RunSettings&, const ClassRun::Wishes&) {});
      dialog.setAttribute(Qt::WA_DeleteOnClose, false);
      return dialog.findChild<QLabel*>(QStringLiteral("serveWho"))->text();
    };
    QVERIFY2(said().contains(QStringLiteral("published digits")), qPrintable(said()));
    config.dataset = "mnist";
    config.dataDir = "/home/a/letters";
    QVERIFY2(said().contains(QStringLiteral("the training images in your folder")), qPrintable(said()));
    QVERIFY2(!said().contains(QStringLiteral("published")), qPrintable(said()));
  }

  void theDialogAsksForWhatIsChosen() {
    RunSettings got;
    ClassRun::Wishes wishes;
    int times = 0;
    ServeDialog dialog(smallConfig(), twoAddresses(), [&](const RunSettings& config, const ClassRun::Wishes& wished) {
      got = config;
      wishes = wished;
      ++times;
    });
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    QVERIFY(dialog.findChild<QRadioButton*>(QStringLiteral("serve-mirrored"))->isChecked());  // as in the experiment
    auto& wire = *dialog.findChild<QCheckBox*>(QStringLiteral("serveWire"));
    QVERIFY(!wire.isEnabled() && !wire.isChecked());  // mirrored workers cannot choose it
    dialog.findChild<QRadioButton*>(QStringLiteral("serve-parameter-server"))->click();
    wire.click();
    dialog.findChild<QComboBox*>(QStringLiteral("serveAddress"))->setCurrentIndex(1);
    dialog.findChild<QSpinBox*>(QStringLiteral("serveUpdates"))->setValue(321);
    dialog.findChild<QSpinBox*>(QStringLiteral("serveBatch"))->setValue(48);
    dialog.findChild<QSpinBox*>(QStringLiteral("serveFirst"))->setValue(4);
    QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("serveNow")), Qt::LeftButton);
    QCOMPARE(times, 1);
    QVERIFY(!dialog.isVisible());
    const ResolvedSettings resolved = resolve(got);
    QCOMPARE(strategyInfo(resolved.strategy).key, std::string("parameter-server"));
    QCOMPARE(got.steps, std::optional<std::int64_t>(321));
    QVERIFY(got.wire == Wire::Bfloat16);
    QCOMPARE(resolved.batchPerReplica, std::int64_t{48});
    QCOMPARE(resolved.replicas, std::int64_t{4});
    QCOMPARE(resolved.dataset, std::string("digits"));
    QCOMPARE(wishes.listen, std::string("10.0.0.7:0"));
    QCOMPARE(wishes.firstWorkers, 4);
  }

  // Backup workers need one worker more than a step goes without: the dialog's own proposal can be served.
  void backupWorkersBeginWithOneMore() {
    RunSettings got;
    ClassRun::Wishes wishes;
    ServeDialog dialog(smallConfig(), {}, [&](const RunSettings& config, const ClassRun::Wishes& wished) {
      (void)serving::classSettings(config);
      got = config;
      wishes = wished;
    });
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto& first = *dialog.findChild<QSpinBox*>(QStringLiteral("serveFirst"));
    auto& backups = *dialog.findChild<QRadioButton*>(QStringLiteral("serve-backup-workers"));
    QCOMPARE(first.value(), 1);
    backups.click();
    QCOMPARE(first.value(), 2);
    dialog.findChild<QRadioButton*>(QStringLiteral("serve-mirrored"))->click();
    QCOMPARE(first.value(), 1);
    backups.click();
    QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("serveNow")), Qt::LeftButton);
    QVERIFY2(!dialog.isVisible(), qPrintable(dialog.findChild<QLabel*>(QStringLiteral("serveRefusal"))->text()));
    QCOMPARE(strategyInfo(got.strategy).key, std::string("backup-workers"));
    QCOMPARE(wishes.firstWorkers, 2);
  }

  // They are called as in the list of strategies, in both languages.
  void theDialogNamesStrategiesAsTheFormDoes() {
    const auto back = qScopeGuard([] { language::use(QStringLiteral("en")); });
    for (const char* spoken : {"en", "de"}) {
      language::use(QLatin1String(spoken));
      ServeDialog dialog(smallConfig(), {}, [](const RunSettings&, const ClassRun::Wishes&) {});
      dialog.setAttribute(Qt::WA_DeleteOnClose, false);
      for (const char* key : {"parameter-server", "mirrored", "backup-workers"}) {
        const StrategyInfo& info = strategyInfo(withSetting(smallConfig(), "strategy", key).strategy);
        QCOMPARE(dialog.findChild<QRadioButton*>(QStringLiteral("serve-") + QLatin1String(key))->text(),
                 strategyShortName(info));
      }
    }
  }

  // What a lesson's page tells the teacher to choose there is there, in both languages.
  void theDialogHasWhatLessonsName() {
    const auto back = qScopeGuard([] { language::use(QStringLiteral("en")); });
    static const QRegularExpression name(QStringLiteral("\\*([^*]+)\\*"));
    for (const char* spoken : {"en", "de"}) {
      language::use(QLatin1String(spoken));
      ServeDialog dialog(smallConfig(), twoAddresses(), [](const RunSettings&, const ClassRun::Wishes&) {});
      dialog.setAttribute(Qt::WA_DeleteOnClose, false);
      QStringList there;
      for (const auto* button : dialog.findChildren<QAbstractButton*>())
        there << button->text().remove(QLatin1Char('&'));
      int named = 0;
      for (const Lesson& lesson : builtInLessons()) {
        if (!lesson.name.starts_with("class-")) continue;
        auto found = name.globalMatch(QString::fromStdString(lesson.pages.front().text.in(spoken)));
        QVERIFY(found.hasNext());
        (void)found.next();  // the menu that opens the dialog
        for (; found.hasNext(); ++named) {
          const QString words = found.next().captured(1);
          QVERIFY2(there.contains(words), qPrintable(words));
        }
      }
      QVERIFY(named >= 3);
    }
  }

  void aRefusalIsSaidInTheDialog() {
    ServeDialog dialog(smallConfig(), {}, [](const RunSettings&, const ClassRun::Wishes&) {
      throw UserError(say::verbatim, "no such thing. Leave it out.");
    });
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto& refusal = *dialog.findChild<QLabel*>(QStringLiteral("serveRefusal"));
    QVERIFY(!refusal.isVisible());
    QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("serveNow")), Qt::LeftButton);
    QVERIFY(dialog.isVisible() && refusal.isVisible());
    QVERIFY2(refusal.text().contains(QStringLiteral("such thing")), qPrintable(refusal.text()));
  }

  // The dialog explains how to get the program, copies the command and can serve once the program is there.
  void withoutTheProgramTheDialogSaysHowToGetIt() {
    qputenv("STRATEGYLAB_CLASS_PROGRAM", "/no/such/program");
    ServeDialog dialog(smallConfig(), {}, [](const RunSettings&, const ClassRun::Wishes&) {});
    dialog.setAttribute(Qt::WA_DeleteOnClose, false);
    dialog.show();
    auto& serve = *dialog.findChild<QPushButton*>(QStringLiteral("serveNow"));
    auto& words = *dialog.findChild<QLabel*>(QStringLiteral("serveMissingWords"));
    QVERIFY(words.isVisible() && words.text().contains(QStringLiteral("app/run.sh")) && !serve.isEnabled());
    dialog.findChild<QPushButton*>(QStringLiteral("serveCopyCommand"))->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("STRATEGYLAB_CLASS=1 app/run.sh"));
    init();
    dialog.findChild<QPushButton*>(QStringLiteral("serveLook"))->click();
    QVERIFY(!words.isVisible() && serve.isEnabled());
  }

  // The menu and the empty tab only open the dialog: nothing is served before the dialog's own button is pressed.
  void theMenuOpensTheDialogAlone() {
    Room room;
    QVERIFY(room.part<QLabel>("classEmpty").isVisible());
    for (int way = 0; way < 2; ++way) {
      way == 0 ? room.act("serveClass").trigger() : room.click("classServe");
      auto* dialog = room.window.findChild<ServeDialog*>();
      QVERIFY(dialog != nullptr && dialog->isVisible());
      QVERIFY(room.controller.ofClass().run() == nullptr && !room.served.isOpen());
      dialog->reject();
      QTRY_VERIFY_WITH_TIMEOUT(room.window.findChild<ServeDialog*>() == nullptr, kPatienceMs);
    }
    QVERIFY(room.controller.ofClass().run() == nullptr);
  }

  // The painted code has each module where libqrencode puts it for the link, in a quiet zone, black on white.
  void theCodeIsTheLink_data() {
    QTest::addColumn<theme::Kind>("kind");
    QTest::newRow("light") << theme::Kind::Light;
    QTest::newRow("dark") << theme::Kind::Dark;
    QTest::newRow("high contrast") << theme::Kind::HighContrast;
  }
  void theCodeIsTheLink() {
    QFETCH(theme::Kind, kind);
    Room room;
    room.window.looks().setTheme(kind);
    room.open();
    auto& view = room.part<QrView>("classCode");
    QTRY_VERIFY_WITH_TIMEOUT(view.isVisible() && view.height() >= 240, kPatienceMs);
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
        QRcode_encodeString8bit(kLink.toUtf8().constData(), 0, QR_ECLEVEL_M), &QRcode_free);
    QVERIFY(code != nullptr);
    const QImage picture = view.grab().toImage();
    const int modules = code->width + 2 * QrView::kQuietModules;
    const int side = std::min(picture.width(), picture.height()) / modules;
    QVERIFY2(side >= 5, "too small for a phone");
    QRect place(0, 0, side * code->width, side * code->width);
    place.moveCenter(picture.rect().center());
    for (int y = -QrView::kQuietModules; y < code->width + QrView::kQuietModules; ++y)
      for (int x = -QrView::kQuietModules; x < code->width + QrView::kQuietModules; ++x) {
        const bool inside = x >= 0 && y >= 0 && x < code->width && y < code->width;
        const bool dark = inside && (code->data[y * code->width + x] & 1) != 0;
        QCOMPARE(picture.pixel(place.left() + x * side + side / 2, place.top() + y * side + side / 2),
                 dark ? qRgb(0, 0, 0) : qRgb(255, 255, 255));
      }
    room.click("classCopy");
    QCOMPARE(QGuiApplication::clipboard()->text(), kLink);
    QVERIFY(wordsOf(room.part<QWidget>("invitation")).contains(kLink));
    room.window.looks().setTheme(std::nullopt);
  }

  // The code replaces the stage until the first update, and on a projector until more than a few have joined.
  void theCodeStandsWhileFewHaveJoined() {
    Room room;
    auto& code = room.part<QWidget>("invitation");
    const auto shows = [&](bool wanted) {
      room.served.refresh();
      return code.isHidden() != wanted && room.window.stage().isHidden() == wanted;
    };
    QVERIFY(shows(false));
    room.open();
    QVERIFY(shows(true));
    auto& joined = room.part<QLabel>("invitationJoined");
    QCOMPARE(joined.text(), QStringLiteral("Nobody has joined yet"));
    room.played.who = {memberOf(0, "Otter 1")};
    room.played.who[0].state = ClassMember::State::Left;
    QVERIFY(shows(true));
    QCOMPARE(joined.text(), QStringLiteral("All who joined have left"));
    room.played.who = {memberOf(0, "Otter 1")};
    QVERIFY(shows(true));
    room.played.made = 1;
    QVERIFY(shows(false));
    QTest::keyClick(&room.window, Qt::Key_J);
    QVERIFY(shows(true) && room.act("classCode").isChecked());
    QTest::keyClick(&room.window, Qt::Key_Escape);
    QVERIFY(shows(false));
    room.click("classShowCode");
    QVERIFY(shows(true));
    room.click("classShowCode");
    QVERIFY(shows(false));
    room.served.setSource(nullptr);
    room.open();  // a new class, for which nobody has chosen to show the code
    room.window.looks().setProjectorMode(true);
    room.played.who = {memberOf(0, "Otter 1"), memberOf(1, "Heron 2"), memberOf(2, "Lynx 3")};
    QVERIFY(static_cast<int>(room.played.who.size()) == Invitation::kFew && shows(true));
    room.played.who.push_back(memberOf(9, "Lynx"));
    QVERIFY(shows(false));
    room.window.looks().setProjectorMode(false);
  }

  void theTableShowsWhoIsThere() {
    Room room;
    room.played.who = {memberOf(0, "Otter 1"), memberOf(1, "Heron 2"), memberOf(2, "Lynx 3")};
    room.played.who[0].state = ClassMember::State::Left;
    room.played.who[0].why = say::classRemoved;
    room.played.who[1].waitsFor = ClassMember::WaitsFor::Others;
    room.played.who[1].state = ClassMember::State::Waiting;
    room.played.who[2].imagesPerSecond = 300;
    room.played.who[2].slowdown = 4;
    room.played.made = 412;
    room.open();
    using Column = MemberTable::Column;
    QCOMPARE(room.table().model()->rowCount(), 3);
    QCOMPARE(room.cell(0, Column::Name), QStringLiteral("Heron 2"));  // workers that have left come last
    QCOMPARE(room.cell(0, Column::WaitsFor), QStringLiteral("the others"));
    QCOMPARE(room.cell(0, Column::Staleness), QStringLiteral("1.3, now 2"));
    QCOMPARE(room.cell(0, Column::RoundTrip), QStringLiteral("12.0 ms"));
    QCOMPARE(room.cell(0, Column::Bytes), QStringLiteral("500"));
    room.played.who[1].waitsFor = ClassMember::WaitsFor::Link;
    room.served.refresh();
    QCOMPARE(room.cell(0, Column::WaitsFor), QStringLiteral("the link"));
    QCOMPARE(room.cell(1, Column::State), QStringLiteral("slowed ×4"));
    QCOMPARE(room.cell(1, Column::Rate), QStringLiteral("300"));
    QCOMPARE(room.cell(2, Column::Name), QStringLiteral("Otter 1"));
    QVERIFY(room.table()
                .model()
                ->index(2, static_cast<int>(Column::State))
                .data(Qt::ToolTipRole)
                .toString()
                .contains(QStringLiteral("sent this worker away")));
    for (const Qt::SortOrder order : {Qt::DescendingOrder, Qt::AscendingOrder}) {
      room.table().sortByColumn(static_cast<int>(Column::Rate), order);
      QCOMPARE(room.cell(2, Column::Name), QStringLiteral("Otter 1"));
    }
    // The totals count only workers that are present, and the status bar shows the same numbers.
    const QString totals = room.part<QLabel>("classTotals").text();
    QCOMPARE(totals, QStringLiteral("2 workers · 412 updates · 400 images/s, the class · 8.0 Mbit/s"));
    QCOMPARE(room.part<QLabel>("rate").text(), QStringLiteral("400 images/s, the class"));
    room.played.who[1].imagesPerSecond = 150;
    room.served.refresh();
    QCOMPARE(room.part<QLabel>("rate").text(), QStringLiteral("450 images/s, the class"));
    QVERIFY(room.part<QLabel>("classTotals").text().contains(room.part<QLabel>("rate").text()));
  }

  // The tool tip gives every reason in the window's language.
  void whySomebodyWasSentAwayIsTranslated() {
    const auto back = qScopeGuard([] { language::use(QStringLiteral("en")); });
    Room room;
    room.played.who = {memberOf(0, "Otter 1")};
    room.played.who[0].state = ClassMember::State::Left;
    room.open();
    const auto tip = [&] {
      const int column = static_cast<int>(MemberTable::Column::State);
      return room.table().model()->index(0, column).data(Qt::ToolTipRole).toString();
    };
    for (std::uint8_t reason = 0; reason < serving::kReasons; ++reason) {
      room.played.who[0].why = serving::sentenceOf(static_cast<serving::Reason>(reason));
      room.served.refresh();
      language::use(QStringLiteral("en"));
      const QString english = tip();
      QCOMPARE(english, QString::fromStdString(format(room.played.who[0].why)).replace(0, 1, english.front()));
      language::use(QStringLiteral("de"));
      QVERIFY2(!tip().isEmpty() && tip() != english, qPrintable(tip()));
    }
  }

  // The toolbar and the panel show the same number of workers, and nobody can change it while a class is served.
  void theToolbarCountsTheClass() {
    Room room;
    auto& replicas = *room.window.findChild<QWidget*>(QStringLiteral("replicas"))->findChild<QSpinBox*>();
    QVERIFY(replicas.isEnabled() && replicas.value() == 2);
    room.window.experiment().set(QStringLiteral("batch-per-replica"), QStringLiteral("16"));
    room.open();
    QCOMPARE(replicas.value(), 0);
    room.played.who = {memberOf(0, "Otter 1"), memberOf(1, "Heron 2"), memberOf(2, "Lynx 3"), memberOf(3, "Badger 4")};
    room.played.who[1].state = ClassMember::State::Left;
    room.served.refresh();
    QCOMPARE(replicas.value(), 3);
    const auto& batch = *room.window.findChild<QWidget*>(QStringLiteral("global-batch"))->findChild<QSpinBox*>();
    QCOMPARE(batch.value(), 3 * static_cast<int>(room.window.experiment().resolved().batchPerReplica));
    QVERIFY(room.part<QLabel>("classTotals").text().startsWith(QStringLiteral("3 workers")));
    QVERIFY(!replicas.isEnabled() &&
            replicas.parentWidget()->toolTip().contains(QStringLiteral("A class is being served")));
    for (int worker = 4; worker < 65; ++worker) room.played.who.push_back(memberOf(worker, "Otter 1"));
    room.served.refresh();
    QCOMPARE(batch.value(), 1024);
    const auto& line = *batch.findChild<QLineEdit*>();
    QTRY_VERIFY(line.width() >= line.fontMetrics().horizontalAdvance(line.text()));
    room.played.now = ClassSource::State::Over;
    room.served.refresh();
    QVERIFY(replicas.isEnabled() && replicas.value() == 2);
    QVERIFY(!replicas.parentWidget()->toolTip().contains(QStringLiteral("A class")));
  }

  void theButtonsAskTheClass() {
    Room room;
    room.played.who = {memberOf(3, "Otter 4"), memberOf(7, "Heron 8"), memberOf(9, "Lynx 10")};
    room.played.made = 5;
    room.open();
    QVERIFY(!room.part("classRemove").isEnabled());
    room.clickRow(1);
    QVERIFY(room.part("classRemove").isEnabled());
    room.click("classSlow2");
    room.clickRow(0, Qt::ControlModifier);
    room.played.who.push_back(memberOf(12, "Tapir 13"));  // a new worker must not change the selection
    room.served.refresh();
    room.click("classSlow4");
    room.click("classFullSpeed");
    QCOMPARE(room.played.asked, QStringList({"slow 7 2", "slow 3 4", "slow 7 4", "slow 3 1", "slow 7 1"}));
    room.played.asked.clear();
    room.click("classPause");
    QCOMPARE(room.part("classPause").text(), QStringLiteral("Go on"));
    room.click("classPause");
    QCOMPARE(room.part("classPause").text(), QStringLiteral("Pause all"));
    room.click("classRemove");
    QCOMPARE(room.played.asked, QStringList({"pause", "go on", "remove 3", "remove 7"}));
    // The buttons do not work on workers that have left.
    for (ClassMember& member : room.played.who) member.state = ClassMember::State::Left;
    room.served.refresh();
    QVERIFY(!room.part("classRemove").isEnabled());
  }

  void theLessonEndsAfterAQuestion() {
    Room room;
    room.played.who = {memberOf(0, "Otter 1"), memberOf(1, "Heron 2")};
    room.open();
    room.click("classEnd");
    auto* question = room.window.findChild<QMessageBox*>(QStringLiteral("classAskEnd"));
    QVERIFY(question != nullptr && question->isVisible() && room.played.asked.isEmpty());
    QTest::keyClick(question, Qt::Key_Escape);
    QTRY_VERIFY_WITH_TIMEOUT(room.window.findChild<QMessageBox*>(QStringLiteral("classAskEnd")) == nullptr,
                             kPatienceMs);
    QVERIFY(room.played.asked.isEmpty() && room.served.isOpen());
    room.click("classEnd");
    QTest::mouseClick(&room.part("classEndNow"), Qt::LeftButton);
    QCOMPARE(room.played.asked, QStringList("end"));
    QVERIFY(!room.served.isOpen() && !room.part<QWidget>("invitation").isVisible());
    QVERIFY(room.part("classServe").isVisible());  // another class can begin
    QVERIFY(room.table().isVisible() && !room.part("classPause").isVisible());
    QCOMPARE(room.part<QLabel>("classTotals").text(), QStringLiteral("2 workers joined · 0 updates"));
    QVERIFY(room.part<QLabel>("classEmpty").text().contains(QStringLiteral("before its first update")));
  }

  // Nicknames show nowhere until the teacher allows them; one click hides them again, and so does a new class.
  void nicknamesAreHiddenUntilTheyAreAllowed() {
    Room room;
    room.played.who = {memberOf(0, "Otter 1", "Rude & Word")};
    room.open();
    auto& panel = room.part<QWidget>("classPanel");
    auto& code = room.part<QWidget>("invitation");
    auto& box = room.part<QCheckBox>("classNicknames");
    const QString nickname = QStringLiteral("Rude & Word");
    const auto seen = [&] { return wordsOf(panel).contains(nickname) || wordsOf(code).contains(nickname); };
    QVERIFY(wordsOf(panel).contains(QStringLiteral("Otter 1")) && wordsOf(code).contains(QStringLiteral("Otter 1")));
    QVERIFY(!seen());
    box.click();
    QVERIFY(wordsOf(panel).contains(nickname) && wordsOf(code).contains(nickname));
    box.click();
    QVERIFY(!seen());
    box.click();
    room.played.now = ClassSource::State::Over;
    room.served.refresh();
    room.played.now = ClassSource::State::Open;
    room.served.refresh();
    QVERIFY(!seen() && !box.isChecked());
  }

  // While a class is served, any change that would end the lesson by accident is refused with a sentence.
  void aClassHoldsTheExperiment() {
    Room room;
    Experiment& experiment = room.window.experiment();
    room.open();
    const auto run = room.controller.metrics();
    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QVERIFY2(experiment.complaint().contains(QStringLiteral("lesson")), qPrintable(experiment.complaint()));
    experiment.again();
    QVERIFY_EXCEPTION_THROWN(experiment.begin(smallConfig()), UserError);
    QCOMPARE(room.controller.metrics(), run);
    QCOMPARE(experiment.resolved().replicas, std::int64_t{2});
    room.played.now = ClassSource::State::Over;
    room.served.refresh();
    QVERIFY(experiment.complaint().isEmpty());
    experiment.set(QStringLiteral("replicas"), QStringLiteral("4"));
    QCOMPARE(experiment.resolved().replicas, std::int64_t{4});
  }

  // A lesson that is opened after its class leaves the experiment alone, instead of failing to begin another.
  void aLessonOpensBesideItsClass() {
    Room room;
    room.window.panels().openTab(QStringLiteral("lessonsTab"));
    auto* lessons = room.window.findChild<LessonView*>();
    QVERIFY(lessons != nullptr);
    QSignalSpy visits(lessons, &LessonView::visitWanted);
    room.open();
    QVERIFY(lessons->beginNamed(QStringLiteral("class-staleness")));
    QVERIFY(lessons->lesson() != nullptr && visits.isEmpty());
    Playback& playback = room.window.playback();
    playback.setMode(Playback::Mode::Story);
    playback.play();
    room.part("lessonAgain").click();
    QVERIFY(playback.isPlaying() && visits.isEmpty());
    // What it cannot do is said as long as the class is there.
    const auto says = [&room] {
      const auto labels = room.window.findChildren<QLabel*>(QStringLiteral("banner"));
      return std::ranges::any_of(labels, [](const QLabel* label) {
        return label->isVisible() && label->text().contains(QStringLiteral("A class is being served"));
      });
    };
    room.part("lessonDo").click();
    QVERIFY(says());
    room.played.now = ClassSource::State::Over;
    room.served.refresh();
    QVERIFY(!says());
    visits.clear();
    QVERIFY(lessons->beginNamed(QStringLiteral("class-slow")));
    QCOMPARE(visits.size(), 1);
  }

  // The window asks before it closes while a class is served.
  void closingAsksWhileAClassIsThere() {
    Room room;
    room.played.who = {memberOf(0, "Otter 1"), memberOf(1, "Heron 2")};
    room.open();
    room.window.close();
    auto* question = room.window.findChild<QMessageBox*>(QStringLiteral("askBefore"));
    QVERIFY(question != nullptr && room.window.isVisible());
    QVERIFY2(question->text().contains(QStringLiteral("with 2 workers")), qPrintable(question->text()));
    QTest::keyClick(question, Qt::Key_Escape);
  }

  void nothingIsCutOffWithLargeLetters_data() {
    QTest::addColumn<int>("points");
    QTest::newRow("usual") << 0;
    QTest::newRow("200 %") << 20;
  }
  void nothingIsCutOffWithLargeLetters() {
    QFETCH(int, points);
    Room room;
    room.window.looks().setTextPoints(points);
    for (int worker = 0; worker < 40; ++worker) room.played.who.push_back(memberOf(worker, "Hedgehog 40"));
    room.open();
    QCoreApplication::processEvents();
    const auto whole = [&] {
      QCoreApplication::processEvents();
      for (QWidget* widget : room.part<QWidget>("classPanel").findChildren<QWidget*>()) {
        const bool words = qobject_cast<QAbstractButton*>(widget) != nullptr && !widget->objectName().isEmpty();
        if (!words || !widget->isVisible()) continue;
        if (widget->width() < widget->sizeHint().width() || widget->height() < theme::target()) return false;
        if (widget->geometry().right() > widget->parentWidget()->width()) return false;
      }
      return true;
    };
    QTRY_VERIFY_WITH_TIMEOUT(whole(), kPatienceMs);
    QVERIFY(room.part<QrView>("classCode").height() >= 200);
    room.window.looks().setTextPoints(0);
  }
};

QTEST_MAIN(TestServingWindow)
#include "tst_serving_window.moc"
