// SPDX-License-Identifier: GPL-3.0-or-later
// ctest: cost=27
// Every screen in other languages. In the stretched language, each text that goes through tr() has accents: a word in
// plain letters is either the name of a thing or has been forgotten. Widgets, actions and models are asked for their
// texts; texts that widgets paint are read from an SVG of the window. In German and stretched, at 1280×720, no label
// and no button is cut off.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QBuffer>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QScreen>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QStyle>
#include <QStyleOptionButton>
#include <QStyleOptionComboBox>
#include <QSvgGenerator>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QXmlStreamReader>

#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "core/hardware/catalogue.h"
#include "core/model/model_presets.h"
#include "tests/support/patience.h"
#include "tests/support/pseudo_language.h"
#include "tests/ui/class_places.h"
#include "tests/ui/more_controls.h"
#include "tests/ui/small_config.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/metric_chart.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/lane_view.h"
#include "ui/frame/on_demand.h"
#include "ui/frame/status_line.h"
#include "ui/guide/glossary.h"
#include "ui/help/handbook.h"
#include "ui/help/help.h"
#include "ui/i18n/language.h"
#include "ui/session/preferences.h"
#include "ui/session/workbench.h"
#include "ui/setup/fit.h"
#include "ui/setup/setting_field.h"
#include "ui/setup/setup_bar.h"
#include "ui/setup/strategy_picker.h"
#include "ui/stage/stage.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/theme.h"
#include "ui/transport/scrubber.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_views.h"

using namespace lab;

namespace {

// The window with its workbench in the given language, on a short run of the given strategy.
struct Desk {
  QTemporaryDir folder;
  std::unique_ptr<QSettings> settings;
  std::unique_ptr<RunController> controller;
  std::unique_ptr<MainWindow> window;
  std::unique_ptr<Workbench> bench;

  Desk(const QString& name, const char* strategy) {
    test::useLanguage(name);
    theme::setTextSize(theme::textSizeFor(720));
    theme::apply(*qApp);
    settings = std::make_unique<QSettings>(folder.filePath(QStringLiteral("s.ini")), QSettings::IniFormat);
    controller = std::make_unique<RunController>();
    window = std::make_unique<MainWindow>(*controller);
    bench = std::make_unique<Workbench>(*window, *settings);
    window->resize(1280, 720);
    window->show();
    window->experiment().begin(test::runOf(strategy));
  }
  bool hasStep() {
    return QTest::qWaitFor([this] { return window->playback().record() != nullptr; }, kPatienceMs);
  }
  void settle() const {
    window->refreshAll();
    for (int i = 0; i < 3; ++i) {
      QCoreApplication::sendPostedEvents();
      QCoreApplication::processEvents();
    }
    window->repaint();
  }
};

// Matches words in plain letters, which the stretched language would have changed.
const QRegularExpression& plainWord() {
  static const QRegularExpression word(QStringLiteral("(?<![\\w])[A-Za-z]{2,}(?![\\w])"),
                                       QRegularExpression::UseUnicodePropertiesOption);
  return word;
}

// Returns the names of things, which are the same in every language, longest first.
const QStringList& names() {
  static const QStringList all = [] {
    QStringList names{"StrategyLab",
                      "TensorFlow",
                      "MirroredStrategy",
                      "MNIST",
                      "Fashion-MNIST",
                      "TF_CONFIG",
                      "Perfetto",
                      "Chrome",
                      "DejaVu",
                      "English",
                      "Deutsch",
                      "PNG",
                      "SVG",
                      "CSV",
                      "PDF",
                      "Qt",
                      "GPU",
                      "TPU",
                      "CPU",
                      "UI",
                      "SIMD",
                      "Keras",
                      "Adam",
                      "SGD",
                      "JSON"};
    for (const DeviceModel& device : Catalogue::builtIn().devices())
      names << QString::fromStdString(device.name) << QString::fromStdString(device.id)
            << QString::fromStdString(device.matrixPrecision);
    for (const LinkModel& link : Catalogue::builtIn().links())
      names << QString::fromStdString(link.name) << QString::fromStdString(link.name).section(QLatin1Char(','), 0, 0)
            << QString::fromStdString(link.id);
    for (const ModelProfile& model : modelPresets()) names << QString::fromStdString(model.name);
    for (const StrategyInfo& info : strategies()) {
      names << QString::fromStdString(info.key);
      if (info.kind == StrategyKind::Default) continue;
      names << QString::fromStdString(info.name)
            << QString::fromStdString(info.name).remove(QStringLiteral("Strategy"));
    }
    for (const char* value : {"float32", "bfloat16", "adam",    "sgd",    "nccl",          "mpi",     "cuda",
                              "cpu",     "fit",      "loop",    "mnist",  "fashion-mnist", "conv2d",  "kernel",
                              "bias",    "dense",    "dense_1", "worker", "chief",         "example", "cluster",
                              "task",    "type",     "index",   "GB/s",   "TFLOP/s",       "ms",      "ns",
                              "kB",      "MB",       "GB",      "Ctrl",   "Shift",         "Del",     "Home",
                              "End",     "Left",     "Right",   "Space",  "Backspace",     "Esc",     "Alt",
                              "PS",      "multi",    "digits",  "Conv",   "Dense",         "PgUp",    "PgDown",
                              "Flatten", "flatten",  "course",  "mlp",    "GFLOP/s",       "MFLOP/s", "kFLOP/s"})
      names << QString::fromUtf8(value);
    for (const GlossaryTerm& term : shippedGlossary()) names << QString::fromStdString(term.tensorflow);
    for (QString& name : names) name = name.simplified();
    names.removeAll(QString());
    std::sort(names.begin(), names.end(), [](const QString& a, const QString& b) { return a.size() > b.size(); });
    return names;
  }();
  return all;
}

// Returns true if `word` is part of a name that a line break has split: "… on simulated NVIDIA", then "V100 SXM2 · …".
bool isOfPartedName(const QString& line, const QRegularExpressionMatch& word, const QString& name) {
  for (qsizetype space = name.indexOf(QLatin1Char(' ')); space >= 0;
       space = name.indexOf(QLatin1Char(' '), space + 1)) {
    const QString head = name.left(space), tail = name.mid(space + 1);
    if (line.endsWith(head) && word.capturedStart() >= line.size() - head.size()) return true;
    if (line.startsWith(tail) && word.capturedEnd() <= tail.size()) return true;
  }
  return false;
}

// Returns the first word of `text` that nobody has translated, or "" if there is none.
QString untranslated(QString text) {
  text.remove(QChar(0x200B));  // the zero-width space, at which a name may wrap
  // Sources and notes of the catalogue are data, in the language of their file.
  if (text.startsWith(QStringLiteral("<qt>"))) text = text.section(QStringLiteral("<br><br>"), 0, 0);
  if (Qt::mightBeRichText(text)) text = QTextDocumentFragment::fromHtml(text).toPlainText().simplified();
  static const QRegularExpression codes(
      QStringLiteral("\\(\\*[^)]*\\)|--[a-z-]+|(?<!\\w)/[\\w./-]+"));  // filters, options, paths
  text.replace(codes, QStringLiteral(" "));
  for (auto it = plainWord().globalMatch(text); it.hasNext();) {
    const QRegularExpressionMatch match = it.next();
    bool named = false;
    for (const QString& name : names()) {
      for (qsizetype at = text.indexOf(name); at >= 0 && !named; at = text.indexOf(name, at + 1))
        named = at <= match.capturedStart() && match.capturedEnd() <= at + name.size();
      named = named || isOfPartedName(text, match, name);
      if (named) break;
    }
    if (!named) return match.captured();
  }
  return {};
}

void collectModel(const QAbstractItemView& view, QStringList& texts) {
  const QAbstractItemModel* model = view.model();
  if (model == nullptr) return;
  const int rows = std::min(model->rowCount(), 60), columns = std::min(model->columnCount(), 40);
  for (int column = 0; column < columns; ++column) {
    texts << model->headerData(column, Qt::Horizontal).toString()
          << model->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
    for (int row = 0; row < rows; ++row) {
      const QModelIndex index = model->index(row, column);
      texts << index.data().toString() << index.data(Qt::ToolTipRole).toString();
    }
  }
  for (int row = 0; row < rows; ++row) texts << model->headerData(row, Qt::Vertical).toString();
}

// Returns the texts that a person can read, or have read out, in a widget and its children.
QStringList textsOf(const QWidget& root) {
  QStringList texts{root.windowTitle()};
  for (const QWidget* widget : root.findChildren<QWidget*>()) {
    if (widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
    texts << widget->toolTip() << widget->whatsThis() << widget->accessibleName() << widget->accessibleDescription()
          << widget->statusTip();
    if (const auto* label = qobject_cast<const QLabel*>(widget)) texts << label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) texts << button->text();
    if (const auto* line = qobject_cast<const QLineEdit*>(widget)) texts << line->text() << line->placeholderText();
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(widget);
        text != nullptr && text->objectName() != QStringLiteral("programText"))  // Python, with English comments
      texts << text->placeholderText() << text->toPlainText().split(QLatin1Char('\n'));
    if (const auto* box = qobject_cast<const QGroupBox*>(widget)) texts << box->title();
    if (const auto* dock = qobject_cast<const QDockWidget*>(widget)) texts << dock->windowTitle();
    if (const auto* menu = qobject_cast<const QMenu*>(widget)) texts << menu->title();
    if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
      for (int i = 0; i < tabs->count(); ++i) texts << tabs->tabText(i) << tabs->tabToolTip(i);
    if (const auto* list = qobject_cast<const QComboBox*>(widget))
      for (int i = 0; i < list->count(); ++i)
        texts << list->itemText(i) << list->itemData(i, Qt::ToolTipRole).toString();
    if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) collectModel(*view, texts);
  }
  for (const QAction* action : root.findChildren<QAction*>()) texts << action->text() << action->toolTip();
  texts.removeDuplicates();
  return texts;
}

// Returns what is painted: the text elements of an SVG of the window.
QStringList paintedTexts(QWidget& window) {
  QBuffer svg;
  svg.open(QIODevice::ReadWrite);
  QSvgGenerator generator;
  generator.setOutputDevice(&svg);
  generator.setSize(window.size());
  window.render(&generator);
  QXmlStreamReader xml(svg.data());
  QStringList texts;
  while (!xml.atEnd())
    if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QStringLiteral("text"))
      texts << xml.readElementText(QXmlStreamReader::IncludeChildElements);
  texts.removeDuplicates();
  return texts;
}

QStringList forgotten(const QStringList& texts) {
  QStringList faults;
  for (const QString& text : texts) {
    const QString word = untranslated(text);
    if (!word.isEmpty()) faults << QStringLiteral("'%1' in '%2'").arg(word, text);
  }
  return faults;
}

// Returns the widgets whose text is wider or higher than they are.
QStringList cutOff(const QWidget& root) {
  QStringList faults;
  for (const QWidget* widget : root.findChildren<QWidget*>()) {
    if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
    if (widget->objectName() == QStringLiteral("qt_toolbar_ext_button"))
      faults << QStringLiteral("toolbar: not all in it");
    QSize wanted(0, 0);
    QString text;
    if (const auto* label = qobject_cast<const QLabel*>(widget)) {
      text = label->text();
      if (label->wordWrap())
        wanted = QSize(0, label->heightForWidth(label->width()));
      else
        wanted = label->sizeHint();
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
      text = button->text();
      const auto* tool = qobject_cast<const QToolButton*>(widget);
      const bool format = tool == nullptr || tool->toolButtonStyle() != Qt::ToolButtonIconOnly || tool->icon().isNull();
      if (format && !text.isEmpty()) wanted = QSize(button->sizeHint().width(), 0);
    } else if (const auto* list = qobject_cast<const QComboBox*>(widget)) {
      text = list->currentText();
      QStyleOptionComboBox option;
      option.initFrom(list);
      option.editable = list->isEditable();
      const QRect room =
          list->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, list);
      wanted = QSize(list->fontMetrics().horizontalAdvance(text) + list->width() - room.width(), 0);
    } else if (const auto* tabs = qobject_cast<const QTabBar*>(widget)) {
      for (int i = 0; i < tabs->count(); ++i)
        if (tabs->fontMetrics().horizontalAdvance(tabs->tabText(i)) > tabs->tabRect(i).width())
          faults << QStringLiteral("tab '%1'").arg(tabs->tabText(i));
    }
    // Text may scroll down, but not sideways.
    if (const auto* area = qobject_cast<const QScrollArea*>(widget);
        area != nullptr && area->horizontalScrollBar()->maximum() > area->horizontalScrollBar()->minimum())
      faults << QStringLiteral("%1 scrolls sideways, by %2 of %3 pixels")
                    .arg(area->accessibleName())
                    .arg(area->horizontalScrollBar()->maximum())
                    .arg(area->viewport()->width());
    if (const auto* area = qobject_cast<const QScrollArea*>(widget);
        area != nullptr && area->horizontalScrollBarPolicy() == Qt::ScrollBarAlwaysOff && area->widget() != nullptr &&
        area->widget()->width() > area->viewport()->width())
      faults << QStringLiteral("%1's content has %2 of %3 pixels")
                    .arg(QLatin1String(area->parentWidget()->metaObject()->className()))
                    .arg(area->viewport()->width())
                    .arg(area->widget()->width());
    if (text.isEmpty()) continue;
    if (wanted.width() > widget->width() + 1 || wanted.height() > widget->height() + 1)
      faults << QStringLiteral("%1 '%2' in '%3': %4×%5 of %6×%7: %8")
                    .arg(QLatin1String(widget->metaObject()->className()), widget->objectName(),
                         widget->parentWidget()->objectName())
                    .arg(widget->width())
                    .arg(widget->height())
                    .arg(wanted.width())
                    .arg(wanted.height())
                    .arg(text.left(70));
  }
  return faults;
}

void openDialogs(Desk& desk) {
  showPreferences(*desk.window, *desk.settings);
  showAbout(desk.window.get());
  QTest::keyClick(desk.window.get(), Qt::Key_Question);
  QTest::keyClick(desk.window.get(), Qt::Key_K, Qt::ControlModifier);
  showHandbook(*desk.window, QStringLiteral("charts"));
  desk.settle();
}

}  // namespace

class TestLanguages : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { QVERIFY(names().size() > 50); }
  void cleanup() {
    theme::setChosenPoints(0);
    test::useLanguage(QStringLiteral("en"));
  }

  void forgottenTextsAreFound() {
    QCOMPARE(untranslated(test::stretched(QStringLiteral("A text"))), QString());
    QCOMPARE(untranslated(QStringLiteral("Untranslated")), QStringLiteral("Untranslated"));
    QCOMPARE(untranslated(QStringLiteral("⟦Šţéþ⟧ 3 of MirroredStrategy")), QStringLiteral("of"));
    QCOMPARE(untranslated(QStringLiteral("1.39 MB")), QString());
  }

  void nothingIsForgotten_data() {
    QTest::addColumn<QString>("strategy");
    for (const char* strategy : {"mirrored", "parameter-server", "multi-worker-mirrored", "central-storage", "tpu"})
      QTest::addRow("%s", strategy) << QString::fromUtf8(strategy);
  }
  void nothingIsForgotten() {
    QFETCH(const QString, strategy);
    Desk desk(QStringLiteral("pseudo"), qPrintable(strategy));
    QVERIFY(desk.hasStep());
    QStringList texts;
    for (const WindowLayout layout :
         {WindowLayout::Teach, WindowLayout::Explore, WindowLayout::Sweep, WindowLayout::Profile}) {
      desk.window->workspaces().choose(layout);
      desk.settle();
      texts << paintedTexts(*desk.window);
    }
    // Each beat has its own words, on the stage and beside it.
    const Story story = desk.window->playback().story();
    for (const Beat& beat : story.beats) {
      texts << beat.name << beat.note;
      for (const Beat::TimedCaption& saying : beat.sayings) texts << saying.text;
      desk.window->playback().seek(desk.window->playback().step(), (beat.motionS + beat.endS) / 2);
      desk.settle();
      for (const Item& item : desk.window->stage().scene().items) texts << item.text;
    }
    for (const QString& tab : desk.window->panels().tabNames()) {
      desk.window->panels().openTab(tab);
      desk.settle();
    }
    if (strategy == QStringLiteral("mirrored")) openDialogs(desk);
    texts << textsOf(*desk.window);
    // The system information for fault reports is English in every language, and the handbook is a file of its own.
    texts.removeAll(systemInfo());
    for (const HandbookText::Section& section : handbookIn(language::used()).sections) texts.removeAll(section.title);
    const QStringList faults = forgotten(texts);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    QVERIFY(texts.size() > 200);
  }

  void wordsRunFromTheRight() {
    const QString turned = test::fromTheRight(QStringLiteral("&Open %1 file (*.slab)"));
    QVERIFY(turned.isRightToLeft());
    QVERIFY(turned.contains(QStringLiteral("%1")) && turned.endsWith(QStringLiteral("(*.slab)")));
    QCOMPARE(QKeySequence::mnemonic(turned), QKeySequence(Qt::ALT | Qt::Key_O));
  }

  // What is read is mirrored; numbers, pictures and what runs in time stay as they are.
  void rightToLeftIsLaidOut() {
    const auto middle = [](const Desk& desk, const QWidget* widget) {
      return widget->mapTo(desk.window.get(), widget->rect().center()).x();
    };
    struct Seen {
      std::vector<int> acts;
      std::vector<QRectF> places;
      double first = 0, last = 0;
      QImage numbers;
    };
    std::map<QString, Seen> seen;
    for (const char* name : {"pseudo", "pseudo-rtl"}) {
      Desk desk(QLatin1String(name), "mirrored");
      QVERIFY(desk.hasStep());
      desk.window->workspaces().choose(WindowLayout::Explore);
      desk.settle();
      const bool turned = desk.window->isRightToLeft();
      QCOMPARE(turned, name == QStringLiteral("pseudo-rtl"));
      const auto before = [turned](int a, int b) { return turned ? a > b : a < b; };
      for (const char* tab : {"narrationTab", "setupTab"}) {
        desk.window->panels().openTab(QLatin1String(tab));
        desk.settle();
        const int side = middle(desk, desk.window->panels().tab(QLatin1String(tab))),
                  stage = middle(desk, &desk.window->stage());
        QVERIFY2(tab == QByteArray("setupTab") ? before(stage, side) : before(side, stage), tab);
      }
      QVERIFY(before(middle(desk, desk.window->findChild<SetupBar*>()), desk.window->width() / 2));
      const auto* status = desk.window->findChild<StatusLine*>();
      QVERIFY(before(middle(desk, status->findChild<QLabel*>(QStringLiteral("state"))), desk.window->width() / 2));
      const auto* setting = desk.window->findChild<SettingField*>();
      QVERIFY(setting != nullptr);

      Seen& now = seen[QLatin1String(name)];
      test::openMore(*desk.window);
      for (const char* act : {"home", "back", "forward", "end"}) {
        auto* action = desk.window->findChild<QAction*>(QLatin1String(act));
        QVERIFY2(action != nullptr, act);
        for (QObject* object : action->associatedObjects())
          if (auto* button = qobject_cast<QToolButton*>(object)) now.acts.push_back(middle(desk, button));
      }
      QCOMPARE(now.acts.size(), std::size_t{4});
      QVERIFY(std::is_sorted(now.acts.begin(), now.acts.end()));  // in the order of time
      for (const Item& item : desk.window->stage().scene().items)
        if (item.shape == Item::Shape::Panel || item.shape == Item::Shape::Layer) now.places.push_back(item.box);
      QVERIFY(now.places.size() > 2);
      auto* scrubber = desk.window->findChild<Scrubber*>();
      QTest::mouseClick(scrubber, Qt::LeftButton, {}, QPoint(scrubber->width() / 4, scrubber->height() / 2));
      now.first = desk.window->playback().seconds();
      QTest::mouseClick(scrubber, Qt::LeftButton, {}, QPoint(scrubber->width() * 3 / 4, scrubber->height() / 2));
      now.last = desk.window->playback().seconds();
      QVERIFY(now.first < now.last);
      // The numbers of the axes are painted at the same places.
      MetricChart& chart = desk.window->views().charts().chart(Quantity::Loss);
      chart.resize(420, 260);
      chart.redraw();
      const QImage picture = chart.grab().toImage();
      const QRect plot = PlotView::plotArea(chart.size()).toRect();
      now.numbers = picture.copy(0, theme::em(3), plot.left() - 2, picture.height() - theme::em(6));
      desk.window->close();
    }
    QCOMPARE(seen["pseudo"].places, seen["pseudo-rtl"].places);
    QCOMPARE(seen["pseudo"].numbers, seen["pseudo-rtl"].numbers);
    QVERIFY(!seen["pseudo"].numbers.isNull());
    QVERIFY(std::abs(seen["pseudo"].first - seen["pseudo-rtl"].first) < 0.5);
  }

  void nothingIsCutOff_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"en", "de", "pseudo", "pseudo-rtl"}) QTest::addRow("%s", name) << QString::fromUtf8(name);
  }
  void nothingIsCutOff() {
    QFETCH(const QString, name);
    Desk desk(name, "mirrored");
    QVERIFY(desk.hasStep());
    QStringList faults;
    for (const WindowLayout layout :
         {WindowLayout::Teach, WindowLayout::Explore, WindowLayout::Sweep, WindowLayout::Profile}) {
      desk.window->workspaces().choose(layout);
      // A device has the longest description.
      desk.window->selection().pin({Object::Kind::Device, 0, -1});
      desk.settle();
      QTest::qWait(0);
      desk.settle();
      QCOMPARE(desk.window->size(), QSize(1280, 720));
      for (const QString& fault : cutOff(*desk.window))
        // In the stretched languages, the toolbar may hide actions behind », as in a narrow window, and the inspector
        // may cut off stretched words that cannot be broken and stand side by side.
        if (!name.startsWith(QStringLiteral("pseudo")) ||
            !(fault.contains(QStringLiteral("scrolls sideways")) || fault.startsWith(QStringLiteral("toolbar")) ||
              fault.contains(QStringLiteral("'setting-")) || fault.startsWith(QStringLiteral("lab::Inspector"))))
          faults << QStringLiteral("layout %1: ").arg(static_cast<int>(layout)) + fault;
    }
    const auto* status = desk.window->findChild<StatusLine*>();
    QVERIFY(status->findChild<QLabel*>(QStringLiteral("frames"))->isVisible());
    desk.window->resize(960, 640);
    desk.settle();
    faults << cutOff(*status);
    for (const QLabel* label : status->findChildren<QLabel*>())
      if (label->isVisible() && label->geometry().right() > desk.window->width())
        faults << QStringLiteral("status line: '%1' leaves it").arg(label->text());
    openDialogs(desk);
    for (QDialog* dialog : desk.window->findChildren<QDialog*>()) {
      for (const QString& fault : cutOff(*dialog))
        if (!fault.contains(QStringLiteral("scrolls sideways"))) faults << fault;  // offscreen has 800 pixels
      const QSize screen = dialog->screen()->availableSize();
      if (dialog->width() > screen.width() || dialog->height() > screen.height())
        faults << QStringLiteral("dialog '%1' is %2×%3")
                      .arg(dialog->objectName())
                      .arg(dialog->width())
                      .arg(dialog->height());
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
  }

  // At 1280×720 the stages above the weights are whole, because the bar has one row in every real language.
  void lanesKeepTheirStages_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"en", "de"}) QTest::addRow("%s", name) << QString::fromUtf8(name);
  }
  void lanesKeepTheirStages() {
    QFETCH(const QString, name);
    Desk desk(name, "mirrored");
    desk.window->workspaces().choose(WindowLayout::Compare);
    CompareView& view = *desk.window->centre().comparison();
    for (const StrategyKind kind : {StrategyKind::MultiWorkerMirrored, StrategyKind::ParameterServer})
      view.compareWith(strategyInfo(kind));
    QVERIFY(desk.hasStep());
    const auto there = [&] { return view.lanes().lockstep().isInStep(); };
    QVERIFY(QTest::qWaitFor(there, kPatienceMs));
    for (const int tab : {0, 1, 2, 1}) {
      view.findChild<QTabWidget*>(QStringLiteral("lanesBelow"))->setCurrentIndex(tab);
      desk.settle();
      for (std::size_t i = 0; i < view.lanes().count(); ++i) {
        const LaneView& lane = view.laneView(i);
        QVERIFY2(!lane.isSmall(),
                 qPrintable(QStringLiteral("tab %1, lane %2: %3 pixels high").arg(tab).arg(i).arg(lane.height())));
        // The lane's head is complete, with the part that a small sketch leaves out.
        const QString number = lane.findChild<QLabel*>(QStringLiteral("laneNumber"))->text();
        QVERIFY2(number.contains(QStringLiteral(" · ")), qPrintable(number));
      }
    }
  }

  // Covers lessons, questions, quiz, moments, glossary and program; movie, locks, QR code and the menu of faults.
  void whatAClassUses_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("points");
    QTest::addColumn<QSize>("size");
    for (const char* name : {"en", "de"})
      for (const int points : {0, theme::kLeastPoints, theme::kMostPoints})
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
          QTest::addRow("%s, %d pt, %d", name, points, size.height()) << QString::fromUtf8(name) << points << size;
  }
  void whatAClassUses() {
    QFETCH(const QString, name);
    QFETCH(int, points);
    QFETCH(const QSize, size);
    Desk desk(name, "multi-worker-mirrored");
    QVERIFY(desk.hasStep());
    desk.window->resize(size);
    desk.window->looks().setTextPoints(points);
    QStringList faults;
    const auto look = [&](const QString& place, QWidget& shown) {
      QList<QWidget*> roots{&shown};
      if (&shown == desk.window.get()) {
        roots.clear();
        for (const char* panel : {"guidePanel", "detailPanel"})
          if (auto* dock = desk.window->findChild<QWidget*>(QLatin1String(panel)); dock->isVisible()) roots << dock;
        roots << desk.window->findChild<QWidget*>(QStringLiteral("workspaceRow"));
      }
      for (const QWidget* root : roots)
        for (const QString& fault : cutOff(*root))
          // If a chosen entry is too long for its box, the open list shows it whole.
          if (!fault.startsWith(QStringLiteral("lab::CataloguePicker")) &&
              !fault.startsWith(QStringLiteral("QComboBox 'movie")) &&
              !(points == theme::kMostPoints &&
                place == QStringLiteral("setupTab")))  // at this text size, the form is wider than a side
            faults << place + QStringLiteral(": ") + fault;
    };
    desk.window->setUpdatesEnabled(false);  // sizes are looked at, so several hundred places need no painting
    test::eachGuide(*desk.window, look);
    desk.window->setUpdatesEnabled(true);
    desk.window->experiment().begin(test::runOf("multi-worker-mirrored"));
    QVERIFY(desk.hasStep());
    test::eachClassDialog(*desk.window, look);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.mid(0, 40).join(QLatin1Char('\n'))));
  }
};

QTEST_MAIN(TestLanguages)
#include "tst_languages.moc"
