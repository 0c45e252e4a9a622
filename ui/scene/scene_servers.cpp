// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_servers.h"

#include <cmath>
#include <ranges>

#include "core/base/at.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"

namespace lab {

void SceneServers::add() {
  for (int i = 0; i < static_cast<int>(layout_.servers.size()); ++i) {
    if (at_.asynchronous)
      addShard(i);
    else
      addCentral();
  }
}

QRectF SceneServers::roomIn(const QRectF& box) const {
  return box.adjusted(badgeWidth(box) + 1.2 * px_, 2.2 * px_, -0.6 * px_, -0.5 * px_);
}

// Adds the box with its badge and first line; returns the room beside the badge, below that line.
QRectF SceneServers::addServer(const QRectF& box, const Object& object, BeatKind update, const QStringList& words) {
  Item& panel = canvas_.add(Item::Shape::Panel, box, object);
  const Span* doing = at_.activity(object.endpoint);
  panel.glow = doing != nullptr && doing->kind == SpanKind::Update ? 1 : 0;
  Item& badge =
      canvas_.add(Item::Shape::Weights,
                  QRectF(box.left() + 0.5 * px_, box.top() + 0.6 * px_, badgeWidth(box), box.height() - 1.2 * px_),
                  {Object::Kind::Weights, object.endpoint});
  badge.level = 1;
  badge.strong = true;
  badge.text = weightsName(at_.versionOf(object.endpoint));
  badge.fontPx = weightsFontPx(badge.text, badge.box.size(), true, 1.25 * px_);
  const double turned = at_.progress(update);
  badge.glow = turned > 0 && turned < 1 ? 1 - turned : 0;
  const QRectF in = box.adjusted(badgeWidth(box) + 1.2 * px_, 0.4 * px_, -0.6 * px_, -0.5 * px_);
  canvas_.fitted(QRectF(in.left(), in.top(), in.width(), 1.5 * px_), words, 0.95, kAtLeft, true);
  return roomIn(box);
}

void SceneServers::addShard(int server) {
  const int endpoint = at_.info.replicas + server;
  const std::vector<VariablePart>& parts = at(at_.info.variableShards, server);
  std::int64_t bytes = 0;
  for (const VariablePart& part : parts) bytes += part.count * 4;
  const QString percent = serverShare(at_.info, server);
  const QString name = endpointName(at_.info, endpoint);
  const QRectF in =
      addServer(at(layout_.servers, server), {Object::Kind::VariableShard, endpoint}, BeatKind::Apply,
                {tr("parameter server %1 · %2 · %3 % of all bytes").arg(server).arg(bytesText(bytes), percent),
                 tr("%1 · %2 · %3 %").arg(name, bytesText(bytes), percent), tr("%1 · %2 %").arg(name, percent), name});
  // Widths follow the variables' sizes, but no block is too narrow to be seen.
  const double least = 0.7 * px_;
  const double room = in.width() - least * static_cast<double>(parts.size());
  const std::int64_t version = at_.versionOf(endpoint);
  // When gradients have been applied, each variable shows its change below it.
  const bool changed = at_.isAt(BeatKind::Apply) && at_.hasApplied() && in.height() > 1.6 * px_;
  const QString range = SceneCanvas::colourScaleText(at_.step.pictures().changeScale());
  double x = in.left();
  for (const VariablePart& part : std::views::reverse(parts)) {
    const double width =
        least + (bytes > 0 ? room * 4.0 * static_cast<double>(part.count) / static_cast<double>(bytes) : 0);
    Item& block =
        canvas_.add(Item::Shape::Block, QRectF(x, in.top(), width - 0.15 * px_, (changed ? 0.5 : 1) * in.height()),
                    {Object::Kind::VariableShard, endpoint});
    block.values = at_.step.pictures().weights(version, {part.offset, part.count}, resolutionOf(block.box));
    const QString variable = QString::fromStdString(part.name);
    block.fontPx = 0.85 * px_;
    block.text = longestThatFits({QStringLiteral("%1 · %2").arg(variable, bytesText(part.count * 4)), variable, {}},
                                 width - 0.8 * px_, block.fontPx);
    if (changed) {
      const QRectF below = block.box.translated(0, block.box.height());
      Item& change = canvas_.term(below, at_.step.pictures().change({part.offset, part.count}, resolutionOf(below)),
                                  {Object::Kind::VariableShard, endpoint});
      const QStringList forms{tr("change · %1").arg(range), tr("change"), QStringLiteral("Δ"), {}};
      change.text = longestThatFits(forms, width - 0.8 * px_, change.fontPx);
    }
    x += width;
  }
}

QStringList SceneServers::centralNames() const {
  return {tr("CPU:0 · the only copy of the variables, and where gradients are added"),
          tr("CPU:0 · the only copy of the variables"), QStringLiteral("CPU:0")};
}

void SceneServers::nameCentral(const QRectF& line) {
  canvas_.fitted(line, centralNames(), 0.95, kAtLeft, true);
}

void SceneServers::addCentral() {
  const int endpoint = at_.info.replicas;
  const QRectF strip =
      addServer(layout_.servers.front(), {Object::Kind::Device, endpoint}, BeatKind::Update, centralNames());
  // Variables arrive one after the other; the sum's progress is that of all of them together.
  const std::vector<GradientCell>& cells = at_.step.aggregation().cells();
  double added = 0, filled = 0, all = 0;  // elements over all replicas
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Contributions& holds = at_.holds(endpoint, c);
    const auto count = static_cast<double>(cells[c].count);
    added += count * static_cast<double>(holds.count());
    if (!at_.isOfZeros(holds)) filled += count * static_cast<double>(holds.count());
    all += count * at_.taking;
  }
  Item& cell = canvas_.add(Item::Shape::Cell, strip, {Object::Kind::Gradient, endpoint, -1});
  cell.level = filled / std::max(1.0, all);
  cell.quiet = added <= 0;
  if (filled > 0) cell.values = at_.gradientsIn(strip, endpoint, {0, at_.info.parameters}, at_.info.parameters);
  cell.fontPx = px_;
  const QString percent =
      countText(static_cast<std::int64_t>(std::min(99.0, std::ceil(100 * added / std::max(1.0, all)))));
  const QString words = added <= 0        ? tr("sum of gradients: empty")
                        : added < all     ? tr("sum of gradients: %1 % of it added").arg(percent)
                        : at_.taking == 2 ? tr("Σ: the sum of both gradients")
                                          : tr("Σ: the sum of all %1 gradients").arg(at_.taking);
  cell.text = longestThatFits({words, added < all ? QStringLiteral("Σ %1 %").arg(percent) : QStringLiteral("Σ")},
                              strip.width(), cell.fontPx);
}

}  // namespace lab
