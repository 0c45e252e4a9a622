// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/cluster_picture.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/at.h"
#include "core/base/ceil_divide.h"
#include "core/base/units.h"
#include "ui/i18n/words.h"
#include "ui/theme/painted_words.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr std::int64_t kMostHosts = 4, kMostDrawn = 8;
constexpr double kHostEm = 6.2;  // the least width of a host, if its link's words are not longer
constexpr double kLineEm = 1.3;
constexpr QStringView kBetween = u" · ";  // two parts of a line

QString name(const Catalogue& catalogue, const std::string& device) {
  const auto found = std::ranges::find(catalogue.devices(), device, &DeviceModel::id);
  return QString::fromStdString(found == catalogue.devices().end() ? device : found->name);
}

const LinkModel* linkNamed(const Catalogue& catalogue, const std::string& link) {
  const auto found = std::ranges::find(catalogue.links(), link, &LinkModel::id);
  return found == catalogue.links().end() ? nullptr : &*found;
}

// The link's name and speed, with these factors on the catalogue's bandwidth and latency.
QStringList partsOf(const LinkModel* link, double bandwidth, double latency) {
  if (link == nullptr) return {};
  return {QString::fromStdString(link->name).section(QLatin1Char(','), 0, 0),
          QObject::tr("%1 GB/s effective").arg(numberText(link->effectiveGbPerSec * bandwidth)),
          QStringLiteral("%1 µs").arg(numberText(link->latencyUs * latency))};
}

QString restText(std::int64_t count) {
  return QLatin1Char('+') + countText(count);
}

// Joins as many parts into each line as fit.
QStringList linesOf(const QStringList& parts, const QFontMetricsF& metrics, double room) {
  QStringList lines;
  for (const QString& part : parts) {
    const QString longer = lines.isEmpty() ? part : QStringList{lines.back(), part}.join(kBetween);
    if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= room)
      lines.back() = longer;
    else
      lines << part;
  }
  return lines;
}

// Draws centred lines from the top of `box` downwards.
void drawLines(QPainter& painter, QRectF box, const QStringList& lines) {
  box.setHeight(theme::em(kLineEm));
  for (const QString& line : lines) {
    drawElided(painter, box, Qt::AlignCenter, line);
    box.translate(0, box.height());
  }
}

}  // namespace

ClusterPicture::ClusterPicture(const Catalogue& catalogue, QWidget* parent) : QWidget(parent), catalogue_(catalogue) {
  setObjectName(QStringLiteral("clusterPicture"));
  setMinimumSize(theme::em(10), theme::em(9));
}

QSize ClusterPicture::sizeHint() const {
  return {theme::em(24), theme::em(13)};
}

QStringList ClusterPicture::inside(const HostGroup& group) const {
  return partsOf(linkNamed(catalogue_, group.link), speeds_.link, speeds_.latency);
}

QStringList ClusterPicture::between() const {
  return partsOf(linkNamed(catalogue_, cluster_.hostLink), speeds_.hostLink, speeds_.latency);
}

void ClusterPicture::setCluster(const ClusterSpec& cluster, std::int64_t servers, const LinkSpeeds& speeds) {
  cluster_ = cluster;
  servers_ = servers;
  speeds_ = speeds;
  QStringList groups;
  for (const HostGroup& group : cluster_.hosts) {
    QString words = tr("%Ln hosts", nullptr, plural(group.count)) + QLatin1Char(' ') +
                    tr("with %Ln devices each, joined by %1", nullptr, plural(std::ssize(group.devices)))
                        .arg(inside(group).join(kBetween));
    if (cluster_.hostCount() > 1)
      words += tr("; between hosts %Ln NICs of %1", nullptr, plural(group.nics)).arg(between().join(kBetween));
    groups << words;
  }
  if (servers_ > 0) groups << tr("and %Ln parameter servers, each a host of its own", nullptr, plural(servers_));
  words_ = groups.join(QStringLiteral(". "));
  setAccessibleName(tr("Picture of the cluster"));
  setAccessibleDescription(words_);
  setToolTip(words_);
  update();
}

// First one host of each group while there is room, then more of each in turn.
std::vector<ClusterPicture::Drawn> ClusterPicture::chosen(std::int64_t room) const {
  std::vector<std::int64_t> drawn(cluster_.hosts.size(), 0);
  std::int64_t left = std::min(room, cluster_.hostCount());
  while (left > 0)
    for (std::size_t g = 0; g < drawn.size() && left > 0; ++g) {
      if (drawn[g] >= cluster_.hosts[g].count) continue;
      ++drawn[g];
      --left;
    }
  std::vector<Drawn> all;
  std::int64_t number = 0;
  for (std::size_t g = 0; g < drawn.size(); ++g) {
    const HostGroup& group = cluster_.hosts[g];
    for (std::int64_t h = 0; h < drawn[g]; ++h) all.push_back({&group, number + h, number + h});
    // With a single group, the others are counted at the side.
    if (drawn.size() > 1 && drawn[g] > 0) all.back().last = number + group.count - 1;
    number += group.count;
  }
  return all;
}

// The number of NICs per host is shown only if all hosts have the same.
QStringList ClusterPicture::hostLinkLines(double room) const {
  QStringList parts = between();
  const std::int64_t nics = cluster_.hosts.front().nics;
  const bool alike = std::ranges::all_of(cluster_.hosts, [nics](const HostGroup& group) { return group.nics == nics; });
  if (alike && !parts.isEmpty()) parts.front() = tr("%1 × %2").arg(nics).arg(parts.front());
  if (servers_ > 0) parts << tr("to %Ln parameter servers", nullptr, plural(servers_));
  return linesOf(parts, QFontMetricsF(theme::smallFont(font())), room);
}

double ClusterPicture::leastHost() const {
  const QFontMetricsF metrics(theme::smallFont(font()));
  double least = theme::em(kHostEm);
  for (const HostGroup& group : cluster_.hosts)
    for (const QString& part : group.devices.size() > 1 ? inside(group) : QStringList())
      least = std::max(least, metrics.horizontalAdvance(part) + theme::em(1.6));
  return least;
}

void ClusterPicture::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  keepLeftToRight(painter);
  painter.setRenderHint(QPainter::Antialiasing);
  const theme::Colours& colours = theme::colours();
  painter.fillRect(rect(), colours.stage);
  if (cluster_.hosts.empty()) return;
  const std::int64_t hosts = cluster_.hostCount();
  const double counted =
      std::max<double>(theme::em(3.6), QFontMetricsF(font()).horizontalAdvance(restText(hosts)) + theme::em(0.4));
  const auto room = static_cast<std::int64_t>((width() - counted) / leastHost());
  const std::vector<Drawn> drawn = chosen(std::clamp<std::int64_t>(room, 1, kMostHosts));
  std::int64_t shown = 0;
  for (const Drawn& host : drawn) shown += host.last - host.first + 1;
  const bool many = hosts > 1;
  const double gap = theme::em(0.6);
  const double rest = hosts > shown ? counted : 0;
  const QRectF area = QRectF(rect()).adjusted(gap, gap, -gap, -gap);
  const QStringList link = many ? hostLinkLines(area.width()) : QStringList();
  const double network = many ? theme::em(1.7) + theme::em(kLineEm) * static_cast<double>(link.size()) : 0;
  const auto boxes = static_cast<double>(drawn.size());
  const double hostWidth = (area.width() - rest - gap * (boxes - 1)) / boxes;
  const double linkTop = area.bottom() - network + theme::em(1.1);
  double left = area.left();
  for (const Drawn& host : drawn) {
    const QRectF box(left, area.top(), hostWidth, area.height() - network);
    left += hostWidth + gap;
    if (many) {
      // Each NIC is a separate link.
      const auto nics = static_cast<int>(std::min<std::int64_t>(host.group->nics, 8));
      painter.setPen(QPen(colours.second, 2));
      for (int n = 0; n < nics; ++n) {
        const double x = box.center().x() + (n - (nics - 1) / 2.0) * theme::em(0.7);
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x, linkTop));
        painter.fillRect(QRectF(x - theme::em(0.25), box.bottom() - theme::em(0.25), theme::em(0.5), theme::em(0.5)),
                         colours.second);
      }
    }
    paintHost(painter, box, host);
  }
  painter.setFont(font());
  if (rest > 0) {
    painter.setPen(colours.quietInk);
    painter.drawText(QRectF(area.right() - rest, area.top(), rest, area.height() - network), Qt::AlignCenter,
                     QStringLiteral("…\n") + restText(hosts - shown));
  }
  if (!many) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colours.second);
  painter.drawRoundedRect(QRectF(area.left(), linkTop, area.width(), theme::em(0.3)), 2, 2);
  painter.setPen(colours.ink);
  painter.setFont(theme::smallFont(font()));
  drawLines(painter, QRectF(area.left(), linkTop + theme::em(0.35), area.width(), 0), link);
}

void ClusterPicture::paintHost(QPainter& painter, const QRectF& box, const Drawn& host) {
  const theme::Colours& colours = theme::colours();
  painter.setPen(QPen(colours.edge, 1.2));
  painter.setBrush(colours.panel);
  painter.drawRoundedRect(box, theme::em(0.4), theme::em(0.4));
  painter.setFont(theme::smallFont(font()));
  const HostGroup& group = *host.group;
  const double title = theme::em(1.4), room = box.width() - theme::em(0.8);
  QStringList link;
  if (group.devices.size() > 1) link = linesOf(inside(group), QFontMetricsF(painter.font()), room);
  const double bus = theme::em(0.6) + theme::em(kLineEm) * static_cast<double>(link.size());
  painter.setPen(colours.quietInk);
  drawElided(
      painter, QRectF(box.left() + theme::em(0.4), box.top(), room, title), Qt::AlignLeft | Qt::AlignVCenter,
      host.last == host.first ? tr("host %1").arg(host.first) : tr("hosts %1 to %2").arg(host.first).arg(host.last));
  paintDevices(painter, box.adjusted(theme::em(0.4), title, -theme::em(0.4), -bus), group);
  const QRectF hostLink(box.left() + theme::em(0.4), box.bottom() - bus + theme::em(0.15), room, theme::em(0.25));
  if (group.devices.size() > 1) {
    painter.fillRect(hostLink, colours.accent);
    painter.setPen(colours.ink);
    painter.setFont(theme::smallFont(font()));
    drawLines(painter, QRectF(hostLink.left(), hostLink.bottom(), hostLink.width(), bus), link);
  }
}

// Wide enough for the device's name, and the number of devices without a cell.
double ClusterPicture::leastCell(const HostGroup& group) const {
  const QFontMetricsF metrics(theme::smallFont(font()));
  double least = metrics.horizontalAdvance(restText(std::ssize(group.devices)));
  for (const std::string& device : std::set(group.devices.begin(), group.devices.end()))
    least = std::max(least, metrics.horizontalAdvance(QString::fromStdString(device).toUpper()));
  return least + theme::em(0.9);
}

std::int64_t ClusterPicture::cellsIn(const QSizeF& area, const HostGroup& group) const {
  const double line = QFontMetricsF(theme::smallFont(font())).height() + theme::em(0.25);
  const auto across = static_cast<std::int64_t>(area.width() / leastCell(group)),
             down = static_cast<std::int64_t>(area.height() / line);
  return std::max<std::int64_t>(1, across) * std::max<std::int64_t>(2, down);
}

void ClusterPicture::paintDevices(QPainter& painter, const QRectF& area, const HostGroup& group) {
  const theme::Colours& colours = theme::colours();
  const auto all = std::ssize(group.devices);
  // With two kinds, show both: the first ones of the first kind and the last ones of the second.
  std::vector<std::string> shown = group.devices;
  if (const std::int64_t most = std::min(kMostDrawn, cellsIn(area.size(), group)); all > most) {
    const auto second = std::ranges::count_if(group.devices, [&](const auto& d) { return d != group.devices.front(); });
    const std::int64_t seconds =
        second == 0 ? 0 : std::clamp<std::int64_t>(second * (most - 1) / all, 1, std::max<std::int64_t>(1, most - 2));
    shown.assign(static_cast<std::size_t>(std::max<std::int64_t>(1, most - 1 - seconds)), group.devices.front());
    shown.insert(shown.end(), static_cast<std::size_t>(seconds), group.devices.back());
  }
  const auto cells = static_cast<int>(shown.size()) + (all > std::ssize(shown) ? 1 : 0);
  const double wanted = std::sqrt(area.width() * area.height() / cells);
  const auto across = static_cast<int>(area.width() / leastCell(group));
  int columns = std::clamp(static_cast<int>(std::lround(area.width() / std::max(1.0, wanted * 1.3))), 1,
                           std::clamp(across, 1, cells));
  const int rows = ceilDivide(cells, columns);
  columns = ceilDivide(cells, rows);
  const double gap = theme::em(0.25);
  const QSizeF size((area.width() - gap * (columns - 1)) / columns,
                    std::min((area.height() - gap * (rows - 1)) / rows, static_cast<double>(theme::em(3.2))));
  painter.setFont(theme::smallFont(font()));
  for (int i = 0; i < cells; ++i) {
    const QRectF cell(
        QPointF(area.left() + (i % columns) * (size.width() + gap), area.top() + (i / columns) * (size.height() + gap)),
        size);
    if (i >= static_cast<int>(shown.size())) {
      painter.setPen(colours.quietInk);
      painter.drawText(cell, Qt::AlignCenter, restText(all - std::ssize(shown)));
      continue;
    }
    // A kind has the same look in every group.
    const bool second = at(shown, i) != cluster_.hosts.front().devices.front();
    const QColor tint = second ? colours.second : colours.accent;
    painter.setPen(QPen(tint, 1.2, second ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(theme::mix(tint, colours.panel, 0.12));
    painter.drawRoundedRect(cell, 3, 3);
    painter.setPen(colours.ink);
    const QString full = name(catalogue_, at(shown, i));
    const QString brief = QString::fromStdString(at(shown, i)).toUpper();
    const QRectF room = cell.adjusted(3, 1, -3, -1);
    const bool fits = painter.fontMetrics().horizontalAdvance(full) <= room.width();
    drawElided(painter, room, Qt::AlignCenter, fits ? full : brief);
  }
}

}  // namespace lab
