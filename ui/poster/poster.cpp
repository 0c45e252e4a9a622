// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/poster/poster.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/messages.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/runview/run_summary.h"
#include "ui/theme/dressed.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/picture_file.h"
#include "ui/theme/wrapped_words.h"

namespace lab {
namespace {

// In points, for a page as wide as A3.
constexpr double kGap = 12;
// Space around the panels; the lower page has less.
constexpr PosterEdges kEdges{.margin = 26, .head = 56, .foot = 36, .titlePt = 27};
constexpr PosterEdges kWideEdges{.margin = 20, .head = 43, .foot = 34, .titlePt = 22};
constexpr double kPad = 6, kHeading = 17, kCaption = 31;  // within a panel
constexpr double kFactsPt = 13, kHeadingPt = 12, kCaptionPt = 11.5, kFiguresPt = 11, kFootPt = 10;
constexpr int kAcross = 3, kDown = 2;
// Points per unit of the scenes; the largest that lets layers stand above each other with their names and pictures is
// used. The stage's ordinary words are at least nine units high.
constexpr double kUnits[] = {0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65};
constexpr double kAbove = 0.2;  // room above the batch, in lines
constexpr int kPdfDpi = 1200;
constexpr double kPointsPerInch = 72;

QString quoted(const QString& word) {
  static const QRegularExpression plain(QStringLiteral("^[\\w./:=,+%@-]+$"));
  return plain.match(word).hasMatch()
             ? word
             : QLatin1Char('\'') + QString(word).replace(QLatin1Char('\''), QStringLiteral("'\\''")) +
                   QLatin1Char('\'');
}

// Wraps words into lines no wider than `width`. Options are not broken at their hyphens, so that the command can be
// copied.
QString inLines(const QFontMetricsF& metrics, const QString& words, double width) {
  QStringList lines;
  for (const QString& word : words.split(QLatin1Char(' '))) {
    const QString longer = lines.isEmpty() ? word : lines.last() + QLatin1Char(' ') + word;
    if (!lines.isEmpty() && metrics.horizontalAdvance(longer) > width)
      lines << word;
    else
      lines = lines.mid(0, lines.size() - 1) << longer;
  }
  return lines.join(QLatin1Char('\n'));
}

// The settings that the command must name because the others do not imply them. The strategy is always named, because
// without any option the window begins with settings of its own.
std::vector<const ConfigField*> neededFields(const ResolvedSettings& settings) {
  const RunSettings all = settings.asked();
  const auto results = [](const ResolvedSettings& of) {
    nlohmann::json json = configToJson(of);
    for (const ConfigField& field : configFields())
      if (!field.changesResults) json.erase(field.name);
    return json;
  };
  const nlohmann::json wanted = results(settings);
  std::vector<const ConfigField*> needed;
  for (const ConfigField& field : configFields())
    if ((!field.isDefault(all) && field.changesResults) || field.name == "strategy") needed.push_back(&field);
  const auto isSame = [&](const std::vector<const ConfigField*>& fields) {
    try {
      RunSettings asked;
      for (const ConfigField* field : fields) field->set(asked, field->get(all));
      return results(resolve(asked)) == wanted;
    } catch (const UserError&) {
      return false;
    }
  };
  if (!isSame(needed)) return needed;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (needed[i]->name == "strategy") continue;
    std::vector<const ConfigField*> fewer = needed;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (isSame(fewer)) needed = std::move(fewer);
  }
  return needed;
}

}  // namespace

QSizeF posterSize(PosterPage page) {
  const QSizeF a3 = QPageSize(QPageSize::A3).size(QPageSize::Point);
  return page == PosterPage::A3 ? a3.transposed() : QSizeF(a3.height(), a3.height() * 9 / 16);
}

Poster::Poster(const MovieStep& step, PosterPage page, const QFont& font)
    : step_(step),
      size_(posterSize(page)),
      edges_(page == PosterPage::A3 ? kEdges : kWideEdges),
      font_(font),
      index_(step.info, step.record),
      story_(makeStory(*step.info, *step.record, Pace::Play)),
      moments_(posterMoments(index_, story_)) {}

QString Poster::title() const {
  const RunInfo& info = *step_.info;
  const QString name = runTitle(info.config, &info);
  if (index_.asynchronous() && info.parameterDevices == 1)
    return tr("%1: one step of %Ln workers on one server", nullptr, info.replicas).arg(name);
  if (index_.asynchronous())
    return tr("%1: one step of %Ln workers on %2 servers", nullptr, info.replicas)
        .arg(name, countText(info.parameterDevices));
  if (info.replicas == 1) return tr("%1: one step on one device").arg(name);
  if (info.hosts > 1)
    return tr("%1: one step on %Ln replicas of %2 hosts", nullptr, info.replicas).arg(name, countText(info.hosts));
  return tr("%1: one step on %Ln replicas", nullptr, info.replicas).arg(name);
}

QString Poster::facts() const {
  const RunInfo& info = *step_.info;
  const StepMetric& metric = step_.record->metric;
  const bool modelled = info.clock == TimeSource::Modelled;
  QStringList facts;
  facts << tr("Step %1").arg(countText(metric.step))
        << tr("%Ln images from %1", nullptr, plural(metric.examples)).arg(datasetName(info));
  facts << (modelled
                ? tr("times: modelled, of a simulated %1").arg(QString::fromStdString(info.devices.front().hardware))
                : tr("times: measured, on real devices"));
  facts << tr("losses and gradients: computed");
  return facts.join(QStringLiteral("  ·  "));
}

QString Poster::command() const {
  const RunInfo& info = *step_.info;
  if (!info.lineage.empty()) return {};
  QString words = QStringLiteral("strategylab --render poster.pdf --after-steps %1").arg(step_.record->metric.step);
  for (const ConfigField* field : neededFields(info.config)) {
    words += QStringLiteral(" --") + QString::fromStdString(field->name);
    if (field->kind != ConfigField::Kind::Flag)
      words += QLatin1Char(' ') + quoted(QString::fromStdString(field->get(info.config)));
  }
  return words;
}

QFont Poster::fontOf(double points, bool bold) const {
  QFont font = font_;
  font.setBold(bold);
  font.setPixelSize(static_cast<int>(std::lround(points)));  // the painter's unit is a point
  return font;
}

// Lays out the stage so that it fills `room` without its first line and caption, which the panel writes itself.
StageLayout Poster::layoutIn(const QSizeF& room) const {
  double total = 1.4 * room.height();
  StageLayout layout = layoutStage(*step_.info, {room.width(), total});
  for (int i = 0; i < 4; ++i) {
    total += room.height() - (layout.caption.top() - layout.batch.top() + kAbove * layout.px);
    layout = layoutStage(*step_.info, {room.width(), total});
  }
  return layout;
}

Poster::Panel Poster::panel(std::size_t number) const {
  const double width = (size_.width() - 2 * edges_.margin - (kAcross - 1) * kGap) / kAcross;
  const double height = (size_.height() - 2 * edges_.margin - edges_.head - edges_.foot - (kDown - 1) * kGap) / kDown;
  const auto column = static_cast<double>(number % kAcross), row = static_cast<double>(number / kAcross);
  Panel panel;
  panel.box = QRectF(edges_.margin + column * (width + kGap), edges_.margin + edges_.head + row * (height + kGap),
                     width, height);
  panel.picture = panel.box.adjusted(kPad, kPad + kHeading, -kPad, -kPad - kCaption);
  StageLayout layout;
  for (const double unit : kUnits) {
    layout = layoutIn(panel.picture.size() / unit);
    panel.scale = unit;
    if (!layout.columns.front().flat) break;
  }
  if (layout.columns.front().flat) layout = layoutIn(panel.picture.size() / (panel.scale = kUnits[0]));
  panel.scene = makeScene({index_, layout, story_, moments_[number].seconds, step_.stalenessCounts});
  const double top = layout.batch.top() - kAbove * layout.px, bottom = layout.caption.top() - 1;
  std::erase_if(panel.scene.items, [&](const Item& item) {
    const QRectF extent = item.shape == Item::Shape::Link ? item.path.boundingRect() : item.box;
    return extent.top() >= bottom || extent.bottom() <= layout.batch.top();
  });
  for (Item& item : panel.scene.items) {
    item.box.translate(0, -top);
    item.path.translate(0, -top);
    item.picture.translate(0, -top);
  }
  panel.scene.size = panel.picture.size() / panel.scale;
  return panel;
}

void Poster::paint(QPainter& painter) {
  const theme::Dressed dressed(theme::Kind::Light, static_cast<int>(size_.height()));
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setRenderHint(QPainter::LosslessImageRendering);  // colours stand for values
  // At the paper's resolution, hatching of device pixels would be plain grey.
  painter.setRenderHint(QPainter::NonCosmeticBrushPatterns);
  painter.fillRect(QRectF({}, size_), theme::colours().panel);
  paintHead(painter);
  scenes_.setFont(font_);
  for (std::size_t i = 0; i < moments_.size(); ++i) paintPanel(painter, i);
  paintFoot(painter);
}

void Poster::paintHead(QPainter& painter) const {
  const QRectF line(edges_.margin, edges_.margin, size_.width() - 2 * edges_.margin, edges_.head);
  painter.setPen(theme::colours().ink);
  painter.setFont(fontOf(edges_.titlePt, true));
  painter.drawText(line.adjusted(0, -4, 0, 0), Qt::AlignLeft | Qt::AlignTop, title());
  painter.setPen(theme::colours().quietInk);
  painter.setFont(fontOf(kFactsPt));
  painter.drawText(line.adjusted(0, 0, 0, -8), Qt::AlignLeft | Qt::AlignBottom, facts());
}

// Beside a long name (German "Anwenden") the figures have smaller letters instead of lying over it.
QFont Poster::figuresFont(const QString& figures, double room) const {
  constexpr double kLeastPt = 7;
  double points = kFiguresPt;
  while (points > kLeastPt && QFontMetricsF(fontOf(points)).horizontalAdvance(figures) > room) --points;
  return fontOf(points);
}

void Poster::paintPanel(QPainter& painter, std::size_t number) {
  const theme::Colours& c = theme::colours();
  const PosterMoment& moment = moments_[number];
  const Panel panel = this->panel(number);
  painter.setPen(QPen(c.line, 1));
  painter.setBrush(c.stage);
  painter.drawRoundedRect(panel.box, 6, 6);
  const QRectF in = panel.box.adjusted(kPad, kPad, -kPad, -kPad);
  const QRectF heading(in.left(), in.top() - 2, in.width(), kHeading);
  painter.setPen(c.ink);
  painter.setFont(fontOf(kHeadingPt, true));
  const QString name = QStringLiteral("%1   %2").arg(number + 1).arg(moment.heading);
  painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, name);
  painter.setPen(c.quietInk);
  painter.setFont(figuresFont(
      moment.figures, heading.width() - QFontMetricsF(fontOf(kHeadingPt, true)).horizontalAdvance(name) - kGap));
  painter.drawText(heading, Qt::AlignRight | Qt::AlignVCenter, moment.figures);
  painter.save();
  painter.translate(panel.picture.topLeft());
  painter.scale(panel.scale, panel.scale);
  scenes_.paint(painter, panel.scene, *step_.info->data, {});
  painter.restore();
  painter.setOpacity(1);
  painter.setPen(c.ink);
  double points = kCaptionPt;
  const QRectF room(in.left(), in.bottom() - kCaption + 2, in.width(), kCaption);
  QFont font = fontOf(points, true);
  const QString caption = withWholeQuantities(moment.caption);
  const auto fits = [&] {
    return room.height() >= QFontMetricsF(font).boundingRect(room, Qt::TextWordWrap, caption).height();
  };
  while (!fits() && points > 9) font = fontOf(points -= 1, true);
  painter.setFont(font);
  painter.drawText(room, Qt::AlignHCenter | Qt::AlignVCenter | Qt::TextWordWrap,
                   wrappedWords(QFontMetricsF(font), caption, room.size() + QSizeF(1, 1)));
}

// At the left the command that draws the poster again, at the right the colour scales and the program's name.
void Poster::paintFoot(QPainter& painter) {
  const QRectF foot(edges_.margin, size_.height() - edges_.margin - edges_.foot + kGap,
                    size_.width() - 2 * edges_.margin, edges_.foot - kGap);
  painter.setPen(theme::colours().quietInk);
  painter.setFont(fontOf(kFootPt));
  const QString made = QStringLiteral("StrategyLab %1").arg(QCoreApplication::applicationVersion()).trimmed();
  const QFontMetricsF metrics(painter.font());
  painter.drawText(foot, Qt::AlignRight | Qt::AlignTop, made);
  constexpr double kBetween = 24;
  const double scalesLeft = paintScales(painter, foot.adjusted(0, 0, -metrics.horizontalAdvance(made) - kBetween, 0));
  const QString command = this->command();
  const QString again = command.isEmpty() ? tr("This run branches off another one, or a value was changed by hand: its "
                                               "experiment file begins it again.")
                                          : tr("The same again: %1").arg(command);
  QRectF words = foot;
  words.setRight(scalesLeft - kBetween);
  painter.setPen(theme::colours().quietInk);
  painter.setFont(fontOf(kFootPt));
  painter.drawText(words, Qt::AlignLeft | Qt::AlignTop, inLines(metrics, again, words.width()));
}

// Paints the colour scales at the right end of `line`, and returns the x where they begin.
double Poster::paintScales(QPainter& painter, const QRectF& line) {
  constexpr double kBar = 60, kHigh = 9, kBetween = 18;
  const QFontMetricsF metrics(fontOf(kFootPt));
  std::vector<Item> scales;
  double right = line.right();
  for (const auto& [words, scale] : {std::pair{tr("gradients ±%1"), index_.pictures().gradientScale()},
                                     std::pair{tr("weights ±%1"), index_.pictures().weightScale()}}) {
    if (scale <= 0) continue;
    Item item;
    item.shape = Item::Shape::Scale;
    item.text = words.arg(numberText(scale));
    item.fontPx = kFootPt;
    item.align = Qt::AlignLeft | Qt::AlignVCenter;
    item.values = rampValues();
    const double width = metrics.horizontalAdvance(item.text) + 8, height = metrics.height();
    item.box = QRectF(right - width - kBar, line.top(), width + kBar, height);
    item.picture = QRectF(right - kBar, item.box.center().y() - kHigh / 2, kBar, kHigh);
    right = item.box.left() - kBetween;
    scales.push_back(item);
  }
  std::vector<const Item*> shown;
  for (const Item& item : scales) shown.push_back(&item);
  scenes_.paintItems(painter, shown, kFootPt, *step_.info->data, {});
  return right;
}

bool isPosterFile(const QString& path) {
  return path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive) ||
         path.endsWith(QStringLiteral(".svg"), Qt::CaseInsensitive);
}

void writePoster(const MovieStep& step, PosterPage page, const QFont& font, const QString& path) {
  if (!step.record) throw UserError(UserError::Kind::Run, say::noStepForPoster);
  if (!isPosterFile(path)) throw UserError(UserError::Kind::Run, say::posterNotMade, File{path.toStdString()});
  Poster poster(step, page, font);
  const QSizeF size = posterSize(page);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  if (path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive)) {
    QPdfWriter pdf(&buffer);
    pdf.setTitle(poster.title());
    pdf.setCreator(QCoreApplication::applicationName());
    pdf.setResolution(kPdfDpi);
    pdf.setPageMargins({});
    pdf.setPageSize(QPageSize(size, QPageSize::Point, QString(), QPageSize::ExactMatch));
    QPainter painter(&pdf);
    painter.scale(kPdfDpi / kPointsPerInch, kPdfDpi / kPointsPerInch);
    poster.paint(painter);
  } else {
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setResolution(static_cast<int>(kPointsPerInch));
    svg.setSize(size.toSize());
    svg.setViewBox(QRectF({}, size));
    svg.setTitle(poster.title());
    svg.setDescription(poster.command());
    QPainter painter(&svg);
    poster.paint(painter);
    painter.end();
    addUsualFont(bytes);
  }
  buffer.close();
  writeFileAtomically(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

}  // namespace lab
