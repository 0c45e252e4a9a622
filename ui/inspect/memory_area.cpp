// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/memory_area.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

#include "core/base/at.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/theme/labels.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kHeight = 6;  // in text sizes

constexpr std::array kKinds{MemoryKind::Variables,   MemoryKind::Gradients, MemoryKind::Optimizer,
                            MemoryKind::Activations, MemoryKind::Packs,     MemoryKind::Buffers};

struct Fill {
  QColor ground, ink;
  Qt::BrushStyle pattern = Qt::NoBrush;
};

// Distinguished by pattern as well as by colour.
Fill fillOf(MemoryKind kind) {
  const theme::Colours& c = theme::colours();
  switch (kind) {
    case MemoryKind::Variables:
      return {c.accent, c.accent, Qt::NoBrush};
    case MemoryKind::Gradients:
      return {c.second, c.second, Qt::NoBrush};
    case MemoryKind::Optimizer:
      return {theme::mix(c.accent, c.panel, 0.3), c.accent, Qt::VerPattern};
    case MemoryKind::Activations:
      return {theme::mix(c.ink, c.panel, 0.15), c.quietInk, Qt::BDiagPattern};
    case MemoryKind::Packs:
      return {theme::mix(c.second, c.panel, 0.25), c.second, Qt::Dense6Pattern};
    case MemoryKind::Buffers:
      return {c.panel, c.quietInk, Qt::Dense5Pattern};
  }
  return {};
}

void paintFill(QPainter& painter, const QRectF& place, const Fill& look) {
  painter.fillRect(place, look.ground);
  if (look.pattern != Qt::NoBrush) painter.fillRect(place, QBrush(look.ink, look.pattern));
}

QPixmap swatchOf(MemoryKind kind) {
  const int side = theme::em(0.9);
  QPixmap picture(side, side);
  QPainter painter(&picture);
  paintFill(painter, QRectF(0, 0, side, side), fillOf(kind));
  painter.setPen(fillOf(kind).ink);
  painter.drawRect(0, 0, side - 1, side - 1);
  return picture;
}

}  // namespace

QString nameOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::Variables:
      return MemoryArea::tr("variables");
    case MemoryKind::Gradients:
      return MemoryArea::tr("gradients");
    case MemoryKind::Optimizer:
      return MemoryArea::tr("optimizer's slots");
    case MemoryKind::Activations:
      return MemoryArea::tr("images and layers' outputs");
    case MemoryKind::Packs:
      return MemoryArea::tr("packs and gathered weights");
    case MemoryKind::Buffers:
      return MemoryArea::tr("buffers");
  }
  return {};
}

class MemoryArea::Plot final : public QWidget {
 public:
  explicit Plot(MemoryArea& area) : QWidget(&area), area_(area) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setObjectName(QStringLiteral("memoryArea"));
    theme::follow(this, [this] { setFixedHeight(theme::em(kHeight)); });
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const DeviceMemoryShown& shown = area_.shown_;
    if (shown.timeline.empty()) return;
    const theme::Colours& colours = theme::colours();
    QPainter painter(this);
    keepLeftToRight(painter);
    painter.fillRect(rect(), colours.panel);
    const auto& changes = shown.timeline.changes;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const double left = i == 0 ? 0 : xAt(changes[i].ns),
                   right = i + 1 < changes.size() ? xAt(changes[i + 1].ns) : width();
      double foot = height();
      for (const MemoryKind kind : kKinds) {
        const double tall = heightOf(of(changes[i].bytes, kind));
        if (tall > 0) paintFill(painter, QRectF(left, foot - tall, right - left, tall), fillOf(kind));
        foot -= tall;
      }
    }
    painter.setPen(QPen(colours.ink, 1, Qt::DashLine));
    if (const auto room = static_cast<std::int64_t>(shown.deviceBytes);
        room > 0 && room < sumOf(shown.timeline.peak().bytes))
      painter.drawLine(QPointF(0, height() - heightOf(room)), QPointF(width(), height() - heightOf(room)));
    painter.setPen(QPen(colours.ink, hasFocus() ? 2 : 1));
    const double x = xAt(area_.readNs());
    painter.drawLine(QPointF(x, 0), QPointF(x, height()));
    painter.setPen(QPen(hasFocus() ? colours.accent : colours.line, 1));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }

  void mouseMoveEvent(QMouseEvent* event) override { area_.read(nsAt(event->position().x())); }
  void leaveEvent(QEvent*) override {
    if (!hasFocus()) area_.read(std::nullopt);
  }
  void focusInEvent(QFocusEvent*) override { update(); }
  void focusOutEvent(QFocusEvent*) override { area_.read(std::nullopt); }

  bool event(QEvent* event) override {
    if (takesKey(*event, {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End})) return true;
    return QWidget::event(event);
  }

  // The arrow keys go from change to change.
  void keyPressEvent(QKeyEvent* event) override {
    const auto& changes = area_.shown_.timeline.changes;
    if (changes.empty()) return QWidget::keyPressEvent(event);
    const auto ns = [&](auto at) { return std::clamp(at->ns, area_.shown_.beginNs, area_.shown_.endNs); };
    const auto after = std::ranges::upper_bound(changes, area_.readNs(), {}, &MemoryTimeline::Change::ns);
    const auto from = std::ranges::lower_bound(changes, area_.readNs(), {}, &MemoryTimeline::Change::ns);
    switch (event->key()) {
      case Qt::Key_Right:
        return area_.read(ns(after == changes.end() ? std::prev(after) : after));
      case Qt::Key_Left:
        return area_.read(ns(from == changes.begin() ? from : std::prev(from)));
      case Qt::Key_Home:
        return area_.read(area_.shown_.beginNs);
      case Qt::Key_End:
        return area_.read(area_.shown_.endNs);
      default:
        QWidget::keyPressEvent(event);
    }
  }

 private:
  double lengthNs() const {
    return static_cast<double>(std::max<std::int64_t>(1, area_.shown_.endNs - area_.shown_.beginNs));
  }
  double xAt(std::int64_t ns) const {
    return std::clamp(static_cast<double>(ns - area_.shown_.beginNs) / lengthNs(), 0.0, 1.0) * (width() - 1);
  }
  std::int64_t nsAt(double x) const {
    return area_.shown_.beginNs +
           static_cast<std::int64_t>(std::clamp(x / std::max(1, width() - 1), 0.0, 1.0) * lengthNs());
  }
  double heightOf(std::int64_t bytes) const {
    const auto most = static_cast<double>(std::max<std::int64_t>(1, sumOf(area_.shown_.timeline.peak().bytes)));
    return static_cast<double>(bytes) / most * (height() - 2);
  }

  MemoryArea& area_;
};

MemoryArea::MemoryArea(QWidget* parent) : QWidget(parent) {
  plot_ = new Plot(*this);
  head_ = makeLabel({.name = "memoryWords", .role = "quiet", .wraps = true, .plain = true});
  legend_ = new QGridLayout;
  legend_->setColumnStretch(1, 1);
  for (std::size_t kind = 0; kind < kMemoryKinds; ++kind) {
    kinds_[kind] = {new QLabel, makeLabel({.name = "memoryKind", .role = "plain", .wraps = true, .plain = true})};
    legend_->addWidget(kinds_[kind].first, static_cast<int>(kind), 0, Qt::AlignTop);
    legend_->addWidget(kinds_[kind].second, static_cast<int>(kind), 1);
  }
  plot_->setWhatsThis(
      tr("The device's memory over the step, from left to right as in the trace. Point at a moment, or use the arrow "
         "keys, to see what it holds then; otherwise this is the moment that the stage shows."));
  auto* column = new QVBoxLayout(this);
  column->addWidget(plot_);
  column->addWidget(head_);
  column->addLayout(legend_);
  theme::follow(this, [this, column] {
    legend_->setHorizontalSpacing(theme::em(0.4));
    legend_->setVerticalSpacing(theme::em(0.15));
    column->setContentsMargins(0, theme::em(0.3), 0, 0);
    column->setSpacing(theme::em(0.3));
  });
  hide();
}

void MemoryArea::show(const DeviceMemoryShown& memory) {
  if (shown_.timeline != memory.timeline) at_.reset();
  shown_ = memory;
  setVisible(!shown_.timeline.empty());
  if (!shown_.timeline.empty()) fill();
}

void MemoryArea::read(std::optional<std::int64_t> ns) {
  at_ = ns;
  fill();
}

QString MemoryArea::words() const {
  if (shown_.timeline.empty()) return {};
  const QString at = durationText(readNs() - shown_.beginNs);
  const QString all = bytesText(sumOf(shown_.timeline.at(readNs())));
  return shown_.timeline.clock == TimeSource::Modelled ? tr("%1 into the step: %2, modelled").arg(at, all)
                                                       : tr("%1 into the step: %2, measured").arg(at, all);
}

void MemoryArea::fill() {
  const MemoryByKind now = shown_.timeline.at(readNs()), most = shown_.timeline.most();
  QStringList parts;
  for (const MemoryKind kind : kKinds) {
    const auto& [mark, words] = at(kinds_, kind);
    for (QLabel* label : {mark, words}) label->setVisible(of(most, kind) > 0);
    if (of(most, kind) == 0) continue;
    parts << QStringLiteral("%1 %2").arg(nameOf(kind), bytesText(of(now, kind)));
    mark->setPixmap(swatchOf(kind));
    words->setText(parts.last());
  }
  head_->setText(words());
  const QString name = shown_.timeline.clock == TimeSource::Modelled ? tr("Memory over the step, modelled")
                                                                     : tr("Memory over the step, measured");
  const QString about = tr("%1: %2", "memory at a moment, its parts").arg(words(), parts.join(QStringLiteral(", ")));
  // Qt tells screen readers of both also where they are the same.
  if (plot_->accessibleName() != name) plot_->setAccessibleName(name);
  if (plot_->accessibleDescription() != about) plot_->setAccessibleDescription(about);
  plot_->update();
}

void MemoryArea::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) fill();
}

}  // namespace lab
