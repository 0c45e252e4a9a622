// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_preview.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "core/data/custom_files.h"
#include "ui/i18n/words.h"
#include "ui/painting/digit_images.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr std::int64_t kMostShown = 40;
constexpr double kCell = 3.4, kLine = 1.5, kBars = 7;  // in text sizes: a digit, a line of text, the histogram
constexpr int kRows = 2;

}  // namespace

DataSummary summaryOf(const Examples& train, const Examples& test, std::int64_t classes,
                      std::vector<std::string> names) {
  DataSummary summary;
  summary.train = train.count;
  summary.test = test.count;
  summary.trainClasses = classCounts(train, classes);
  summary.testClasses = classCounts(test, classes);
  summary.names = std::move(names);
  summary.first.shape = train.shape;
  // Shows some examples of each class if the set names its classes, else the first examples.
  const bool each = !summary.names.empty();
  std::vector<std::vector<std::int64_t>> ofClass(static_cast<std::size_t>(each ? classes : 1));
  for (std::int64_t i = 0; i < train.count; ++i) {
    auto& shown = ofClass[each ? at(train.labels, i) : 0];
    if (std::ssize(shown) < kMostShown) shown.push_back(i);
  }
  for (std::size_t turn = 0; turn < kMostShown && summary.first.count < kMostShown; ++turn)
    for (const auto& images : ofClass) {
      if (turn >= images.size() || summary.first.count == kMostShown) continue;
      summary.first.pixels.insert(summary.first.pixels.end(), train.image(images[turn]), train.image(images[turn] + 1));
      summary.first.labels.push_back(at(train.labels, images[turn]));
      ++summary.first.count;
    }
  return summary;
}

DataPreview::DataPreview(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Preview of the data set"));
  setToolTip(tr("The first training images with their labels, and how many images of each class there are"));
  setWhatsThis(toolTip());
}

QString DataPreview::words() const {
  if (summary_.train == 0) return {};
  const bool colour = summary_.first.shape[2] == 3;
  return (colour ? tr("%1 training and %2 test images, %3×%4 colour pixels each")
                 : tr("%1 training and %2 test images, %3×%4 grey pixels each"))
      .arg(QLocale().toString(qlonglong{summary_.train}), QLocale().toString(qlonglong{summary_.test}))
      .arg(summary_.first.shape[0])
      .arg(summary_.first.shape[1]);
}

void DataPreview::show(DataSummary summary) {
  summary_ = std::move(summary);
  QStringList classes;
  for (std::size_t i = 0; i < summary_.trainClasses.size() && summary_.train > 0; ++i)
    classes << tr("class %1: %2 for training, %3 for testing")
                   .arg(nameOf(i), countText(summary_.trainClasses[i]), countText(summary_.testClasses[i]));
  setAccessibleDescription(summary_.train > 0 ? words() + QStringLiteral(". ") + classes.join(QStringLiteral("; "))
                                              : QString());
  updateGeometry();
  update();
}

QString DataPreview::nameOf(std::size_t label) const {
  return label < summary_.names.size() ? QString::fromStdString(summary_.names[label]) : QString::number(label);
}

QSize DataPreview::minimumSizeHint() const {
  return {theme::em(30), theme::em(kLine + kRows * (kCell + kLine) + kBars + 2.5 * kLine)};
}
QSize DataPreview::sizeHint() const {
  return minimumSizeHint();
}

void DataPreview::paintEvent(QPaintEvent*) {
  const theme::Colours& colours = theme::colours();
  QPainter painter(this);
  keepLeftToRight(painter);
  if (summary_.train == 0) {
    painter.setPen(colours.quietInk);
    painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap,
                     tr("The first images of a data set and the sizes of its classes are shown here"));
    return;
  }
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  const double em = theme::textSize();
  painter.setPen(colours.ink);
  painter.drawText(QRectF(0, 0, width(), kLine * em), Qt::AlignLeft | Qt::AlignVCenter, words());

  const int columns = std::max(1, static_cast<int>(width() / (kCell * em)));
  const double cell = width() / static_cast<double>(columns), side = kCell * em - 0.6 * em;
  const auto shown = static_cast<int>(std::min<std::int64_t>(summary_.first.count, kRows * columns));
  double y = kLine * em;
  for (int i = 0; i < shown; ++i) {
    const QRectF box(i % columns * cell + (cell - side) / 2, y + i / columns * (kCell + kLine) * em + 0.3 * em, side,
                     side);
    painter.drawImage(box, exampleImage(summary_.first, i));
    painter.setPen(colours.edge);
    painter.drawRect(box);
    painter.setPen(colours.ink);
    drawElided(painter, QRectF(i % columns * cell, box.bottom(), cell, kLine * em), Qt::AlignCenter,
               nameOf(at(summary_.first.labels, i)));
  }
  paintClasses(painter, y + kRows * (kCell + kLine) * em + 0.5 * em);
}

// The histogram. Each class has two bars, for training and for testing, each scaled to the largest bar of its kind.
void DataPreview::paintClasses(QPainter& painter, double y) const {
  const theme::Colours& colours = theme::colours();
  const double em = theme::textSize();
  const auto largest = [](const std::vector<std::int64_t>& counts) {
    return static_cast<double>(std::max<std::int64_t>(1, *std::max_element(counts.begin(), counts.end())));
  };
  const double ofTrain = largest(summary_.trainClasses), ofTest = largest(summary_.testClasses);
  painter.setPen(colours.quietInk);
  painter.drawText(QRectF(0, y, width(), kLine * em), Qt::AlignLeft | Qt::AlignVCenter,
                   tr("Images of each class: left for training, right for testing, each to its own scale"));
  y += kLine * em;
  const double room = height() - y - 2 * kLine * em;  // without the numbers above the bars and the classes below them
  const auto classes = static_cast<double>(summary_.trainClasses.size());
  const double wide = width() / classes, high = std::clamp(room, em, 2 * kBars * em), foot = y + kLine * em + high;
  for (std::size_t i = 0; i < summary_.trainClasses.size(); ++i) {
    const double at = static_cast<double>(i) * wide, bar = std::min(0.3 * wide, 2.5 * em);
    const double left = at + (wide - 2 * bar - 1) / 2;
    const double train = high * static_cast<double>(summary_.trainClasses[i]) / ofTrain;
    const double test = high * static_cast<double>(summary_.testClasses[i]) / ofTest;
    painter.fillRect(QRectF(left, foot - train, bar, train), colours.accent);
    painter.fillRect(QRectF(left + bar + 1, foot - test, bar, test), colours.batchLine);
    const QString ofClass = countText(summary_.trainClasses[i]);
    const QString both = QStringLiteral("%1 · %2").arg(ofClass, countText(summary_.testClasses[i]));
    painter.setPen(colours.quietInk);
    drawElided(painter, QRectF(at, foot - std::max(train, test) - kLine * em, wide, kLine * em), Qt::AlignCenter,
               painter.fontMetrics().horizontalAdvance(both) < wide ? both : ofClass);
    painter.setPen(colours.ink);
    drawElided(painter, QRectF(at, foot, wide, kLine * em), Qt::AlignCenter, nameOf(i));
  }
  painter.setPen(colours.line);
  painter.drawLine(QPointF(0, foot), QPointF(width(), foot));
}

}  // namespace lab
