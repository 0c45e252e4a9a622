// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_buffers.h"

#include <algorithm>
#include <map>

#include "core/model/neural_network.h"
#include "ui/step/layer_words.h"

namespace lab {
namespace {

constexpr double kCellWithWords = 3.2;  // in px: pieces of a gradient at least this wide say how much they contain

}  // namespace

// Says what the buffer below holds: the replica's own gradient, a partial sum in some parts, or the sum of all.
void SceneBuffers::nameStrip(const StageColumn& column) {
  if (column.count > 1 || column.brief || column.strips.empty() || at_.step.gradientReady(column.first, at_.ns) == 0)
    return;
  if (at_.step.aggregation().holdsWeights(at_.ns)) return;
  const double room = (column.loss.width() - 8.5 * px_) / 2;
  const QString words = longestThatFits(stripNames(column.first), room, 0.85 * px_);
  if (words.isEmpty()) return;
  const QRectF& strip = column.strips.front();
  canvas_.text(QRectF(strip.left(), strip.top() - 1.3 * px_, room, 1.3 * px_), words, 0.85, kAtLeft).quiet = true;
}

QStringList SceneBuffers::stripNames(int replica) const {
  const std::size_t cells = at_.step.aggregation().cells().size();
  std::size_t own = 0, whole = 0;  // cells
  for (const Contributions& holds : at_.cellsOf(replica)) {
    own += holds.count() == 1 && holds.test(static_cast<std::size_t>(replica)) ? 1 : 0;
    whole += at_.isWhole(holds, replica) ? 1 : 0;
  }
  if (at_.asynchronous || at_.info.replicas == 1 || own == cells) return {tr("its gradient"), QString()};
  if (at_.step.isScattered(at_.ns)) return {tr("its part of the sum"), QString()};
  if (whole < cells) return {tr("partly summed"), QString()};
  return sumNames(replica) << QString();
}

QStringList SceneBuffers::sumNames(int endpoint) const {
  const std::size_t late = at_.record.metric.leftOut.size(), all = static_cast<std::size_t>(at_.step.inSum(endpoint));
  if (late > 0) return {tr("sum of %1 of %2 gradients").arg(all - late).arg(all), tr("sum")};
  if (all == 2) return {tr("sum of both gradients"), tr("sum of both"), tr("sum")};
  return {tr("sum of all %1 gradients").arg(all), tr("sum of all"), tr("sum")};
}

// Neighbouring cells that are too narrow for a picture of their own share one. Returns one past the last of them.
std::size_t SceneBuffers::endOfPicture(double stripWidth, std::size_t first) const {
  const std::vector<GradientCell>& cells = at_.step.aggregation().cells();
  // The picture goes from right to left.
  const auto widthOf = [&](std::size_t begin, std::size_t end) {
    const std::int64_t offset = end < cells.size() ? cells[end].offset : at_.info.parameters;
    return (map_.edge(cells[begin].offset) - map_.edge(offset)) * stripWidth;
  };
  const auto isNarrow = [&](double width) { return width < 2 * kNarrowestPicture; };
  std::size_t end = first + 1;
  while (end < cells.size() && widthOf(end, end + 1) < kCellWithWords * px_ &&
         (isNarrow(widthOf(first, end)) ||
          (isNarrow(widthOf(end, cells.size())) && widthOf(first, end) < kCellWithWords * px_)))
    ++end;
  return end;
}

// The strips of all replicas have the same width, but for a zoomed one's.
const std::vector<std::size_t>& SceneBuffers::picturesIn(double stripWidth) {
  const std::size_t cells = at_.step.aggregation().cells().size();
  if (pictureWidth_ == stripWidth) return pictureEnds_;
  pictureWidth_ = stripWidth;
  pictureEnds_.clear();
  for (std::size_t end = 0; end < cells;) pictureEnds_.push_back(end = endOfPicture(stripWidth, end));
  return pictureEnds_;
}

void SceneBuffers::addStrip(int replica) {
  const QRectF strip = layout_.strip(replica);
  const std::vector<GradientCell>& cells = at_.step.aggregation().cells();
  const std::int64_t ready = at_.step.gradientReady(replica, at_.ns);
  const std::size_t inMean = at_.step.aggregation().inMean();
  const int inSum = inMean > 0 ? at_.taking : at_.step.inSum(replica);
  if (ready == 0 && strip.width() > 6 * px_ && strip.height() > 1.2 * px_) {
    Item& cell = canvas_.add(Item::Shape::Cell, strip, {Object::Kind::Gradient, replica, -1});
    cell.fontPx = 0.85 * px_;
    const QString state =
        at_.step.isLeftOut(replica, at_.ns) ? tr("gradient: too late, left out") : tr("gradient: not computed yet");
    cell.text = longestThatFits({state, tr("gradient")}, strip.width() - 2 * px_, cell.fontPx);
    cell.quiet = true;
    return;
  }
  const bool sumAlone = at_.step.keepsSumAlone(at_.ns);  // the rest has been freed
  const std::vector<std::size_t>& ends = picturesIn(strip.width());
  for (std::size_t p = 0; p < ends.size(); ++p) {
    const std::size_t first = p == 0 ? 0 : ends[p - 1], end = ends[p];
    const BufferRange range{cells[first].offset, cells[end - 1].offset + cells[end - 1].count - cells[first].offset};
    const QRectF box = map_.partOf(strip, range);
    Item& cell =
        canvas_.add(Item::Shape::Cell, box, {Object::Kind::Gradient, replica, static_cast<std::int64_t>(first)});
    cell.owner = replica;
    cell.quiet = ready <= range.offset;
    for (std::size_t c = first; sumAlone && c < end; ++c)
      cell.quiet = cell.quiet || !at_.isWhole(at_.holds(replica, c), replica);
    if (cell.quiet) continue;
    std::size_t all = 0;  // of all its cells
    bool own = true, zeros = true;
    for (std::size_t c = first; c < end; ++c) {
      const Contributions& holds = at_.holds(replica, c);
      const std::size_t in = at_.counted.in(holds);
      all += in;
      own = own && in <= 1 && (in == 0 || holds.test(static_cast<std::size_t>(replica)));
      zeros = zeros && at_.isOfZeros(holds);
    }
    const double contributors = static_cast<double>(all) / static_cast<double>(end - first);
    const bool partly = ready < range.end();
    if (zeros) continue;  // a replica without images has a gradient of zeros
    cell.values = at_.gradientsIn(box, replica, range, ready);
    cell.level = partly ? 0.999 * static_cast<double>(ready - range.offset) / static_cast<double>(range.count)
                        : contributors / std::max(1, inSum);
    cell.strong = partly;  // still filling
    if (at_.asynchronous || at_.info.replicas == 1) continue;
    if (!own) cell.owner = -1;
    if (contributors > 1 && box.width() > kCellWithWords * px_ && strip.height() > 1.2 * px_) {
      const bool whole = at_.isWhole(at_.holds(replica, first), replica);
      cell.text = !whole ? QStringLiteral("%1/%2").arg(contributors).arg(inMean > 0 ? static_cast<int>(inMean) : inSum)
                  : inMean > 0 ? meanText()
                               : QStringLiteral("Σ");
      cell.fontPx = 0.9 * px_;
    }
  }
  if (ready > 0 && at_.isOfZeros(at_.holds(replica, 0)) && at_.absence(replica).isEmpty() && strip.width() > 4 * px_ &&
      strip.height() > 1.2 * px_)
    canvas_.text(strip, tr("zeros"), 0.85).quiet = true;
}

void SceneBuffers::addEdges(const QRectF& picture, const BufferRange& range, double opacity, bool overhangs) {
  constexpr double kLeast = 4;  // pixels between two
  const double from = map_.edge(range.end()), across = map_.edge(range.offset) - from;
  const std::vector<Variable>& all = at_.info.network->layout().variables();
  std::map<double, bool> edges;  // x from the left; true where a layer ends
  for (const Variable& variable : all) {
    if (variable.offset <= range.offset || variable.offset >= range.end()) continue;
    const auto before =
        std::ranges::find_if(all, [&](const Variable& other) { return other.offset + other.size == variable.offset; });
    const auto layerOf = [](const Variable& each) { return each.name.substr(0, each.name.rfind('/')); };
    edges[picture.left() + picture.width() * (map_.edge(variable.offset) - from) / across] =
        before == all.end() || layerOf(*before) != layerOf(variable);
  }
  double last = picture.left();
  for (const auto& [x, ends] : edges) {
    if (x - last < kLeast || picture.right() - x < kLeast) continue;
    last = x;
    const double beyond = overhangs && ends ? 0.6 * px_ : 0;
    canvas_.add(Item::Shape::Edge, QRectF(x - 0.75, picture.top(), 1.5, picture.height() + beyond)).opacity = opacity;
  }
}

// Names below the buffer say whose variables lie there. A kernel and its biases share one name if they are too narrow
// for one each.
void SceneBuffers::nameVariables(const StageColumn& column) {
  if (column.names.isEmpty()) return;
  const double font = 0.8 * px_;
  const auto name = [&](const QRectF& part, const QStringList& forms) {
    const QString shown = longestThatFits(forms + QStringList{QString()}, part.width() - 2, font);
    const QRectF line(part.left(), column.names.top(), part.width(), column.names.height());
    if (!shown.isEmpty()) canvas_.text(line, shown, 0.8).quiet = true;
  };
  for (const NetworkLayer& layer : at_.info.network->layers()) {
    QRectF all, kernel, biases;
    for (const Variable& variable : at_.info.network->layout().variables()) {
      if (!variable.name.starts_with(layer.name + "/")) continue;
      const QRectF part = map_.partOf(column.strips.front(), {variable.offset, variable.size});
      all |= part;
      if (variable.name.ends_with("/kernel")) kernel = part;
      if (variable.name.ends_with("/bias")) biases = part;
    }
    if (all.isEmpty()) continue;
    const LayerWords words = layerWords(*at_.info.network, layer);
    QStringList forms{words.middle, words.middle.section(QLatin1Char(','), 0, 0)};
    if (words.brief != words.units) forms << words.brief;
    const bool both = !kernel.isEmpty() && !biases.isEmpty();
    if (both && widthOf(tr("biases"), font) <= biases.width() - 2) {
      name(biases, {tr("biases")});
      name(kernel, QStringList{tr("%1: kernel").arg(words.middle)} + forms);
    } else {
      name(all, (both ? QStringList{tr("%1: kernel and biases").arg(words.middle)} : QStringList()) + forms);
    }
  }
}

}  // namespace lab
