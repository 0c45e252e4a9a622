// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/cluster_picture.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "ui/theme.h"
#include "ui/words.h"

namespace lab {
namespace {

constexpr std::int64_t kMostHosts = 4, kMostDevices = 8;
constexpr double kHostEm = 6.2;  // the least width of a host

QString name(const Catalogue& catalogue, const std::string& device) {
  const auto found = std::ranges::find(catalogue.devices(), device, &DeviceModel::id);
  return QString::fromStdString(found == catalogue.devices().end() ? device : found->name);
}

const LinkModel* linkNamed(const Catalogue& catalogue, const std::string& link) {
  const auto found = std::ranges::find(catalogue.links(), link, &LinkModel::id);
  return found == catalogue.links().end() ? nullptr : &*found;
}

QString figures(const LinkModel* link) {
  if (link == nullptr) return {};
  return QStringLiteral("%1 · %2 GB/s · %3 µs")
      .arg(QString::fromStdString(link->name).section(QLatin1Char(','), 0, 0))
      .arg(link->effectiveGbPerSec)
      .arg(link->latencyUs);
}

QFont smallFont(const QFont& font) {
  QFont small = font;
  small.setPixelSize(theme::smallText(0.82));
  return small;
}

void write(QPainter& painter, const QRectF& area, int alignment, const QString& text) {
  painter.drawText(area, alignment,
                   painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(area.width())));
}

}  // namespace

ClusterPicture::ClusterPicture(const Catalogue& catalogue, QWidget* parent) : QWidget(parent), catalogue_(catalogue) {
  setObjectName(QStringLiteral("clusterPicture"));
  setMinimumSize(theme::em(16), theme::em(9));
}

QSize ClusterPicture::sizeHint() const {
  return {theme::em(24), theme::em(13)};
}

void ClusterPicture::setCluster(const ClusterSpec& cluster) {
  cluster_ = cluster;
  if (!cluster_.hosts.empty()) {
    const HostGroup& group = cluster_.hosts.front();
    words_ = tr("%Ln hosts", nullptr, plural(group.count)) + QLatin1Char(' ') +
             tr("with %Ln devices each, joined by %1", nullptr, plural(std::ssize(group.devices)))
                 .arg(figures(linkNamed(catalogue_, group.link)));
    if (group.count > 1)
      words_ += tr("; between hosts %Ln NICs of %1", nullptr, plural(group.nics))
                    .arg(figures(linkNamed(catalogue_, cluster_.hostLink)));
    setAccessibleName(tr("Picture of the cluster"));
    setAccessibleDescription(words_);
    setToolTip(words_);
  }
  update();
}

void ClusterPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const theme::Colours& colours = theme::colours();
  painter.fillRect(rect(), colours.stage);
  if (cluster_.hosts.empty()) return;
  const HostGroup& group = cluster_.hosts.front();
  const auto room = static_cast<std::int64_t>((width() - theme::em(3.6)) / theme::em(kHostEm));
  const std::int64_t drawn = std::min(group.count, std::clamp<std::int64_t>(room, 1, kMostHosts));
  const bool many = group.count > 1;
  const double gap = theme::em(0.6), network = many ? theme::em(3.0) : 0;
  const double rest = group.count > drawn ? theme::em(3.6) : 0;
  const QRectF area = QRectF(rect()).adjusted(gap, gap, -gap, -gap);
  const double hostWidth = (area.width() - rest - gap * static_cast<double>(drawn - 1)) / static_cast<double>(drawn);
  const double wireTop = area.bottom() - network + theme::em(1.1);
  for (std::int64_t h = 0; h < drawn; ++h) {
    const QRectF box(area.left() + static_cast<double>(h) * (hostWidth + gap), area.top(), hostWidth,
                     area.height() - network);
    if (many) {
      // Each NIC is a wire of its own.
      const auto nics = static_cast<int>(std::min<std::int64_t>(group.nics, 8));
      painter.setPen(QPen(colours.positive, 2));
      for (int n = 0; n < nics; ++n) {
        const double x = box.center().x() + (n - (nics - 1) / 2.0) * theme::em(0.7);
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x, wireTop));
        painter.fillRect(QRectF(x - theme::em(0.25), box.bottom() - theme::em(0.25), theme::em(0.5), theme::em(0.5)),
                         colours.positive);
      }
    }
    paintHost(painter, box, h);
  }
  painter.setFont(font());
  if (rest > 0) {
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(area.right() - rest, area.top(), rest, area.height() - network), Qt::AlignCenter,
                     QStringLiteral("…\n+%1").arg(group.count - drawn));
  }
  if (!many) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.positive);
  painter.drawRoundedRect(QRectF(area.left(), wireTop, area.width(), theme::em(0.3)), 2, 2);
  painter.setPen(colours.ink);
  painter.setFont(smallFont(font()));
  write(painter, QRectF(area.left(), wireTop + theme::em(0.3), area.width(), theme::em(1.5)), Qt::AlignCenter,
        tr("%1 × %2").arg(group.nics).arg(figures(linkNamed(catalogue_, cluster_.hostLink))));
}

void ClusterPicture::paintHost(QPainter& painter, const QRectF& box, std::int64_t number) {
  const theme::Colours& colours = theme::colours();
  painter.setPen(QPen(colours.edge, 1.2));
  painter.setBrush(colours.panel);
  painter.drawRoundedRect(box, theme::em(0.4), theme::em(0.4));
  const double title = theme::em(1.4), bus = theme::em(1.9);
  painter.setFont(smallFont(font()));
  painter.setPen(colours.quietInk);
  write(painter, QRectF(box.left() + theme::em(0.4), box.top(), box.width() - theme::em(0.8), title),
        Qt::AlignLeft | Qt::AlignVCenter, tr("host %1").arg(number));
  paintDevices(painter, box.adjusted(theme::em(0.4), title, -theme::em(0.4), -bus));
  const QRectF wire(box.left() + theme::em(0.4), box.bottom() - bus + theme::em(0.15), box.width() - theme::em(0.8),
                    theme::em(0.25));
  const HostGroup& group = cluster_.hosts.front();
  if (group.devices.size() > 1) {
    painter.fillRect(wire, colours.accent);
    painter.setPen(colours.ink);
    painter.setFont(smallFont(font()));
    write(painter, QRectF(wire.left(), wire.bottom(), wire.width(), theme::em(1.3)), Qt::AlignCenter,
          figures(linkNamed(catalogue_, group.link)));
  }
}

void ClusterPicture::paintDevices(QPainter& painter, const QRectF& area) {
  const theme::Colours& colours = theme::colours();
  const HostGroup& group = cluster_.hosts.front();
  const auto all = std::ssize(group.devices);
  // Of both kinds, if there are two: the first of the first and the last of the second.
  std::vector<std::string> shown = group.devices;
  if (all > kMostDevices) {
    const auto second = std::ranges::count_if(group.devices, [&](const auto& d) { return d != group.devices.front(); });
    const std::int64_t seconds =
        second == 0 ? 0 : std::clamp<std::int64_t>(second * (kMostDevices - 1) / all, 1, kMostDevices - 2);
    shown.assign(static_cast<std::size_t>(kMostDevices - 1 - seconds), group.devices.front());
    shown.insert(shown.end(), static_cast<std::size_t>(seconds), group.devices.back());
  }
  const auto cells = static_cast<int>(shown.size()) + (all > std::ssize(shown) ? 1 : 0);
  const double wanted = std::sqrt(area.width() * area.height() / cells);
  int columns = std::clamp(static_cast<int>(std::lround(area.width() / std::max(1.0, wanted * 1.3))), 1, cells);
  const int rows = (cells + columns - 1) / columns;
  columns = (cells + rows - 1) / rows;
  const double gap = theme::em(0.25);
  const QSizeF size((area.width() - gap * (columns - 1)) / columns,
                    std::min((area.height() - gap * (rows - 1)) / rows, static_cast<double>(theme::em(3.2))));
  painter.setFont(smallFont(font()));
  for (int i = 0; i < cells; ++i) {
    const QRectF cell(
        QPointF(area.left() + (i % columns) * (size.width() + gap), area.top() + (i / columns) * (size.height() + gap)),
        size);
    if (i >= static_cast<int>(shown.size())) {
      painter.setPen(colours.quietInk);
      painter.drawText(cell, Qt::AlignCenter, QStringLiteral("+%1").arg(all - std::ssize(shown)));
      continue;
    }
    const bool second = shown[static_cast<std::size_t>(i)] != group.devices.front();
    const QColor tint = second ? colours.positive : colours.accent;
    painter.setPen(QPen(tint, 1.2, second ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(theme::mix(tint, colours.panel, 0.12));
    painter.drawRoundedRect(cell, 3, 3);
    painter.setPen(colours.ink);
    const QString full = name(catalogue_, shown[static_cast<std::size_t>(i)]);
    const QString brief = QString::fromStdString(shown[static_cast<std::size_t>(i)]).toUpper();
    const QRectF room = cell.adjusted(3, 1, -3, -1);
    const bool fits = painter.fontMetrics().horizontalAdvance(full) <= room.width();
    write(painter, room, Qt::AlignCenter, fits ? full : brief);
  }
}

}  // namespace lab
