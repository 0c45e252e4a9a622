// SPDX-License-Identifier: GPL-3.0-or-later
// The colours of all four themes against WCAG 2.2 AA: text at 4.5:1, graphics at 3:1 (high contrast: text at 7:1);
// weakened colours stay visible. Also the size of text, and controls of 24 pixels or more.
#include <QApplication>
#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QStyleOptionComboBox>
#include <QTest>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/ui/theme_sampler.h"
#include "ui/runs/run_colours.h"
#include "ui/theme/apply_theme.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_paint.h"

using namespace lab;
using theme::contrast;
using theme::Kind;

namespace {

struct Pair {
  const char* what;
  QColor front, back;
};

QString named(Kind kind, const Pair& pair) {
  return QStringLiteral("%1: %2 %3 on %4 is %5:1")
      .arg(QLatin1String(theme::keyOf(kind)), QLatin1String(pair.what), pair.front.name(), pair.back.name())
      .arg(contrast(pair.front, pair.back), 0, 'f', 2);
}

std::array<QColor, 4> groundsOf(const theme::Colours& c) {
  return {c.window, c.panel, c.stage, c.stagePaused};
}

// Returns the commonest colour, and of the others that are not rare the one that differs most from it: rare colours
// belong to the smoothed edges of letters.
Pair paintedIn(const char* name, const QPixmap& part) {
  const QImage picture = part.toImage().convertToFormat(QImage::Format_RGB32);
  QHash<QRgb, int> colours;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x) ++colours[picture.pixel(x, y)];
  const QColor ground = QColor::fromRgb(std::max_element(colours.begin(), colours.end()).key());
  QColor letters = ground;
  for (auto it = colours.begin(); it != colours.end(); ++it)
    if (it.value() >= 20 && contrast(QColor::fromRgb(it.key()), ground) > contrast(letters, ground))
      letters = QColor::fromRgb(it.key());
  return {name, letters, ground};
}

}  // namespace

class TestTheme : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    theme::setKind(Kind::Light);
    theme::setChosenPoints(0);
    theme::setTextSize(13);
    theme::apply(*qApp);
  }

  // https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio; the second is WebAIM's example of the smallest grey that passes.
  void contrastIsAsDefined() {
    QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
    QVERIFY(std::abs(contrast(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.005);
    QCOMPARE(contrast(Qt::white, Qt::black), contrast(Qt::black, Qt::white));
  }

  void keysGoBothWays() {
    for (const Kind kind : theme::kKinds) QCOMPARE(theme::kindOf(theme::keyOf(kind)), std::optional(kind));
    QVERIFY(!theme::kindOf("drak"));
  }

  void whatIsDisabledLooksSo() {
    for (const Kind kind : theme::kKinds) {
      theme::setKind(kind);
      const theme::Colours& c = theme::coloursOf(kind);
      QVERIFY2(contrast(theme::disabledInk(), c.ink) >= 1.5, theme::keyOf(kind));
      QVERIFY2(contrast(theme::disabledInk(), c.panel) >= 3, theme::keyOf(kind));
    }
  }

  void textCanBeRead() {
    for (const Kind kind : theme::kKinds) {
      const theme::Colours& c = theme::coloursOf(kind);
      const double least = kind == Kind::HighContrast ? 7 : theme::kLeastText;
      QList<Pair> pairs{{"text on the accent", c.onAccent, c.accent},
                        {"error", c.errorInk, c.errorGround},
                        {"warning", c.warningInk, c.warningGround},
                        {"tool tip", c.panel, c.ink},
                        {"link", c.accent, c.panel}};
      for (const QColor& ground : groundsOf(c)) {
        pairs << Pair{"ink", c.ink, ground} << Pair{"quiet ink", c.quietInk, ground};
        for (int r = 0; r < 8; ++r)
          pairs << Pair{"name of a replica", theme::asText(theme::replicaColour(r, kind), c), ground};
      }
      for (const Pair& pair : pairs) QVERIFY2(contrast(pair.front, pair.back) >= least, qPrintable(named(kind, pair)));
    }
  }

  // Checks painted tool tips, in the theme at the start and in those that are chosen later.
  void tooltipsCanBeRead() {
    QLabel label;
    label.resize(400, 300);
    label.show();
    for (const Kind kind : {Kind::Light, Kind::Dark, Kind::HighContrast, Kind::Projector, Kind::Light}) {
      theme::setKind(kind);
      theme::apply(*qApp);
      for (const QString& text : {QStringLiteral("HHHH MMMM WWWW"), QStringLiteral("<b>HHHH MMMM WWWW</b>")}) {
        QToolTip::showText(label.mapToGlobal(QPoint(20, 20)), text, &label);
        QWidget* tip = nullptr;
        for (QWidget* widget : QApplication::topLevelWidgets())
          if (widget->inherits("QTipLabel") && widget->isVisible()) tip = widget;
        QVERIFY(tip != nullptr);
        const Pair painted = paintedIn("tool tip", tip->grab());
        QVERIFY2(contrast(painted.front, painted.back) >= (kind == Kind::HighContrast ? 7 : theme::kLeastText),
                 qPrintable(named(kind, painted)));
        QCOMPARE(painted.back, theme::coloursOf(kind).ink);
        QCOMPARE(painted.front, theme::coloursOf(kind).panel);
        QToolTip::hideText();
        tip->hide();
      }
    }
  }

  void aMenusChosenItemCanBeRead() {
    for (const Kind kind : {Kind::Light, Kind::Dark, Kind::HighContrast, Kind::Projector}) {
      theme::setKind(kind);
      theme::apply(*qApp);
      QMenu menu;
      QAction* chosen = menu.addAction(QStringLiteral("HHHH MMMM WWWW"));
      menu.addAction(QStringLiteral("HHHH MMMM WWWW"));
      menu.popup({});
      menu.setActiveAction(chosen);
      const Pair painted = paintedIn("menu's item", menu.grab(menu.actionGeometry(chosen).adjusted(2, 2, -2, -2)));
      QCOMPARE(painted.back, theme::coloursOf(kind).accent);
      QCOMPARE(painted.front, theme::coloursOf(kind).onAccent);
    }
  }

  // A replica's frame beside a picture of values must not look like the colour of a sign.
  void signsHaveHuesOfTheirOwn() {
    for (const Kind kind : theme::kKinds) {
      const theme::Colours& c = theme::coloursOf(kind);
      for (int r = 0; r < 8; ++r)
        for (const QColor& sign : {c.positive, c.negative}) {
          const QColor own = theme::replicaColour(r, kind);
          if (own.hsvSaturationF() < 0.2) continue;  // grey
          const int apart = std::abs(own.hsvHue() - sign.hsvHue());
          QVERIFY2(std::min(apart, 360 - apart) >= 20, qPrintable(named(kind, {"replica", own, sign})));
        }
      // No stage of a step has a sign's colour: communication is not a positive value, and a wrong answer is not green.
      theme::setKind(kind);
      for (int stage = 0; stage <= static_cast<int>(StepStage::Idle); ++stage)
        for (const QColor& colour :
             {lookOf(static_cast<StepStage>(stage)).ground, lookOf(static_cast<StepStage>(stage)).ink})
          QVERIFY2(colour != c.positive && colour != c.negative, qPrintable(QString::number(stage)));
    }
  }

  void graphicsCanBeSeen() {
    for (const Kind kind : theme::kKinds) {
      const theme::Colours& c = theme::coloursOf(kind);
      QList<Pair> pairs{{"batch line", c.batchLine, c.panel},
                        {"second", c.second, c.panel},
                        {"positive", c.positive, c.panel},
                        {"negative", c.negative, c.panel},
                        {"missed digit's corner", c.errorInk, c.panel}};
      for (const QColor& ground : groundsOf(c)) {
        pairs << Pair{"edge", c.edge, ground} << Pair{"accent", c.accent, ground};
        for (int r = 0; r < 8; ++r) pairs << Pair{"replica", theme::replicaColour(r, kind), ground};
      }
      for (int run = 0; run < kRunColours; ++run) pairs << Pair{"run", runColour(run, kind), c.panel};
      for (const Pair& pair : pairs)
        QVERIFY2(contrast(pair.front, pair.back) >= theme::kLeastGraphics, qPrintable(named(kind, pair)));
    }
  }

  // All controls look alike: one that is pressed or typed into has the theme's edge at its side and none in its corner;
  // the button that Enter presses, and whatever is on, is filled with the accent.
  void controlsAreOfOneFamily() {
    for (const Kind kind : theme::kKinds) {
      theme::setKind(kind);
      theme::setTextSize(20);
      theme::apply(*qApp);
      const theme::Colours& c = theme::colours();
      test::ThemeSampler sampler;
      sampler.show();
      sampler.clearFocus();
      const QImage picture = sampler.grab().toImage();
      for (const QWidget* each : sampler.framed()) {
        const QRect box(each->mapTo(&sampler, QPoint()), each->size());
        const QString name = QLatin1String(theme::keyOf(kind)) + QLatin1Char(' ') + each->objectName();
        QVERIFY2(picture.pixelColor(box.left(), box.center().y()) == c.edge, qPrintable(name));
        QVERIFY2(picture.pixelColor(box.topLeft()) == c.window, qPrintable(name));
        const QPoint inside(box.left() + 2, box.center().y());
        QVERIFY2(picture.pixelColor(inside) == (each->isEnabled() ? c.panel : c.window), qPrintable(name));
      }
      for (const QWidget* each : sampler.filled()) {
        const QPoint corner = each->mapTo(&sampler, QPoint(each->height() / 2, 3));
        QVERIFY2(picture.pixelColor(corner) == c.accent, qPrintable(each->objectName()));
      }
    }
  }

  // A table's current cell is visible even if it is not selected, because keys go on from there.
  void theCurrentCellHasTheFocus() {
    theme::apply(*qApp);
    QTableWidget table(2, 2);
    table.setSelectionMode(QAbstractItemView::NoSelection);
    table.setCurrentCell(1, 1);
    table.show();
    table.activateWindow();
    table.setFocus();
    QVERIFY(QTest::qWaitForWindowActive(&table));
    const QRect cell = static_cast<const QAbstractItemView&>(table).visualRect(table.model()->index(1, 1));
    const QImage picture = table.viewport()->grab().toImage();
    QCOMPARE(picture.pixelColor(cell.left() + 1, cell.center().y()), theme::colours().accent);
    const QRect other = static_cast<const QAbstractItemView&>(table).visualRect(table.model()->index(0, 0));
    QVERIFY(picture.pixelColor(other.left() + 1, other.center().y()) != theme::colours().accent);
  }

  void whatIsWeakenedStaysLegible() {
    for (const Kind kind : theme::kKinds) {
      theme::setKind(kind);
      const theme::Colours& c = theme::colours();
      QList<QColor> colours{c.ink, c.quietInk, c.accent, c.positive, c.negative, c.batchLine};
      for (int r = 0; r < 8; ++r) colours << theme::replicaColour(r) << runColour(r);
      for (const QColor& colour : colours) {
        for (double share = 0; share <= 1; share += 0.05) {
          const Pair text{"ink on a tint", c.ink, theme::tint(colour, share)};
          QVERIFY2(contrast(text.front, text.back) >= theme::kLeastText, qPrintable(named(kind, text)));
          const Pair line{"faint line", theme::faint(colour, share), c.panel};
          QVERIFY2(contrast(line.front, line.back) >= theme::kLeastGraphics, qPrintable(named(kind, line)));
        }
        QCOMPARE(theme::faint(colour, 1), colour);
        QCOMPARE(theme::tint(colour, 0), c.panel);
      }
    }
  }

  // Words that shrinkFont has shrunk fit their room; otherwise callers would leave them out.
  void shrunkWordsFit() {
    QImage image(10, 10, QImage::Format_RGB32);
    QPainter painter(&image);
    for (const char* words : {"batch", "update", "aggregate", "Rückwärts"})
      for (const QFont::Weight weight : {QFont::Normal, QFont::DemiBold})
        for (int size = 11; size <= 43; ++size)
          for (double share = 0.65; share < 1; share += 0.03) {
            QFont font = QApplication::font();
            font.setWeight(weight);
            font.setPixelSize(size);
            painter.setFont(font);
            const QString text = QString::fromUtf8(words);
            const double room = share * painter.fontMetrics().horizontalAdvance(text);
            shrinkFont(painter, text, room);
            QCOMPARE(painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room)), text);
          }
  }

  // A list too narrow for its text ends in an ellipsis, not in half a letter.
  void aListsTextIsElided() {
    theme::apply(*qApp);
    const auto drawn = [](const QString& text) {
      QComboBox list;
      list.addItem(text);
      list.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
      list.resize(120, list.sizeHint().height());
      QStyleOptionComboBox option;
      option.initFrom(&list);
      const QRect room =
          list.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &list);
      return std::pair(list.grab().toImage(), list.fontMetrics().elidedText(text, Qt::ElideRight, room.width() - 2));
    };
    const auto [whole, cut] = drawn(QStringLiteral("MultiWorkerMirroredStrategy"));
    QVERIFY(cut.endsWith(u'…'));
    QCOMPARE(whole, drawn(cut).first);
    QCOMPARE(drawn(QStringLiteral("TPU")).second, QStringLiteral("TPU"));
  }

  void textGoesWithTheWindowOrAsChosen() {
    QCOMPARE(theme::textSizeFor(720), 13);
    QCOMPARE(theme::textSizeFor(2160), 30);
    for (const auto& [points, pixels] : {std::pair{8, 11}, {10, 13}, {18, 24}, {32, 43}}) {
      theme::setChosenPoints(points);
      QCOMPARE(theme::textSizeFor(720), pixels);
      QCOMPARE(theme::textSizeFor(2160), pixels);
      theme::setTextSize(pixels);
      QCOMPARE(theme::textSize(), pixels);
    }
  }

  // Text has 18 pt (24 pixels) on 1,080 lines and the same share of other heights; nothing is smaller than ordinary
  // text.
  void aProjectorsTextIsLarge() {
    theme::setKind(Kind::Projector);
    for (const int lines : {720, 768, 1080, 2160}) {
      theme::setTextSize(theme::textSizeFor(lines));
      QVERIFY(theme::textSize() * 1080 >= 24 * lines);
      for (const double share : {0.8, 0.85, 0.9, 1.0}) QCOMPARE(theme::smallText(share), theme::textSize());
    }
    theme::setChosenPoints(8);  // a chosen size does not make the text smaller
    QCOMPARE(theme::textSizeFor(1080), 24);
    theme::setChosenPoints(32);
    QCOMPARE(theme::textSizeFor(1080), 43);
  }

  void appliesAndTellsOnlyOnce() {
    theme::apply(*qApp);
    QLabel label;
    int calls = 0;
    {
      QObject context;
      theme::follow(&context, [&] { ++calls; });
      QCOMPARE(calls, 1);
      theme::apply(*qApp);  // nothing has changed
      QCOMPARE(calls, 1);
      theme::setKind(Kind::HighContrast);
      theme::apply(*qApp);
      QCOMPARE(calls, 2);
      QCOMPARE(label.palette().color(QPalette::WindowText), theme::coloursOf(Kind::HighContrast).ink);
      theme::setTextSize(20);
      theme::apply(*qApp);
      QCOMPARE(calls, 3);
      QCOMPARE(label.font().pixelSize(), 20);
    }
    theme::setTextSize(13);
    theme::apply(*qApp);
    QCOMPARE(calls, 3);
  }

  // An act that makes new parts, which follow too, does not make later followers miss the theme, even if earlier ones
  // are gone.
  void noFollowerIsMissed() {
    int calls = 0;
    bool makes = false;
    QObject maker, made, last;
    {
      QObject gone;
      theme::follow(&gone, [] {});
      theme::follow(&maker, [&] {
        if (makes) theme::follow(&made, [&] { ++calls; });
      });
      theme::follow(&last, [&] { ++calls; });
    }
    QCOMPARE(calls, 1);
    makes = true;
    theme::setTextSize(20);
    theme::apply(*qApp);
    QCOMPARE(calls, 4);  // the last one, and the new one when it is added and when all are told
  }

  // The height for a width depends on the widgets alone, not on an earlier layout: once, a comparison's bar that hid
  // its last word as a trial made the window lay itself out for a minute.
  void whatIsOnlyBesideTakesNoRow() {
    QWidget bar;
    auto* flow = new FlowLayout(&bar);
    flow->setContentsMargins(0, 0, 0, 0);
    flow->setSpacing(4);
    std::array<QLabel*, 3> labels{};
    for (QLabel*& each : labels) {
      each = new QLabel;
      each->setFixedSize(50, 20);
      flow->addWidget(each);
    }
    QCOMPARE(flow->heightForWidth(158), 20);
    QCOMPARE(flow->heightForWidth(157), 44);
    flow->setOnlyBeside(labels.back());
    QCOMPARE(flow->heightForWidth(158), 20);
    QCOMPARE(flow->heightForWidth(157), 20);
    QCOMPARE(flow->heightForWidth(60), 44);  // second row: the second label, beside which the last has no room
    flow->setOnlyBeside(nullptr);
    QCOMPARE(flow->heightForWidth(157), 44);
  }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
