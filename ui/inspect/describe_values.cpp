// SPDX-License-Identifier: GPL-3.0-or-later
// Describes what moves: gradients in their buffers and in transit, with the real numbers that are added.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/at.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describer.h"
#include "ui/playback/beat_steps.h"
#include "ui/playback/captions.h"

namespace lab {

namespace {

constexpr std::int64_t kMostWork = 4'000'000;  // elements that may be added up between two frames
constexpr std::size_t kPicked = 5;             // additions that are written out

double norm(const std::vector<float>& values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

// Whose gradients are in some part of a buffer, and in how many of them the parts differ.
struct Contents {
  Contributions::Bits any;
  std::size_t least = static_cast<std::size_t>(kMaxReplicas), most = 0;  // in a part
  bool alike = true;
};

Contents contentsOf(const Aggregation& aggregation, const StepRecord& record, int endpoint, std::int64_t ns,
                    std::size_t first, std::size_t end) {
  Contents contents;
  Aggregation::State state = end - first == 1 ? aggregation.stateAt(ns, first) : aggregation.takeState(ns);
  for (std::size_t cell = first; cell < end; ++cell) {
    Contributions::Bits bits = state.at(endpoint, cell).bits();
    for (const Absence& each : record.absent) bits.reset(static_cast<std::size_t>(each.replica));
    for (const int late : record.metric.leftOut) bits.reset(static_cast<std::size_t>(late));  // it added zeros
    contents.alike = contents.alike && (cell == first || bits == contents.any);
    contents.any |= bits;
    contents.least = std::min(contents.least, bits.count());
    contents.most = std::max(contents.most, bits.count());
  }
  if (end - first > 1) aggregation.giveBack(std::move(state));
  return contents;
}

// "R0 + R1 (2 of 4)", or "1 to 2 of 4, by part"
QString contentsWords(const Contents& contents, const QStringList& owners, std::int64_t all) {
  if (owners.isEmpty()) return tr("nothing yet");
  if (!contents.alike) return tr("%1 to %2 of %3, by part").arg(contents.least).arg(contents.most).arg(all);
  return tr("%1 (%2 of %3)").arg(owners.join(QStringLiteral(" + "))).arg(contents.most).arg(all);
}

const Variable& variableAt(const Layout& layout, std::int64_t offset) {
  for (const Variable& variable : layout.variables())
    if (offset >= variable.offset && offset < variable.offset + variable.size) return variable;
  return layout.variables().front();
}

// "dense/kernel[3, 17]"
QString elementName(const Layout& layout, std::int64_t offset) {
  const Variable& variable = variableAt(layout, offset);
  std::int64_t within = offset - variable.offset;
  QStringList indices;
  for (auto axis = variable.shape.rbegin(); axis != variable.shape.rend(); ++axis) {
    indices.prepend(QString::number(within % *axis));
    within /= *axis;
  }
  return QStringLiteral("%1[%2]").arg(QString::fromStdString(variable.name), indices.join(QStringLiteral(", ")));
}

// Positions of the most instructive elements, in order.
std::vector<std::size_t> pick(const Aggregation::Numbers& numbers, bool add) {
  std::vector<std::size_t> order(numbers.source.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t i) {
    const float a = std::abs(numbers.before[i]), b = std::abs(numbers.source[i]);
    return add ? std::min(a, b) : b;
  };
  const std::size_t picked = std::min(kPicked, order.size());
  std::ranges::partial_sort(
      order, order.begin() + static_cast<std::ptrdiff_t>(picked),
      [&](std::size_t a, std::size_t b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
  order.resize(picked);
  std::ranges::sort(order);
  return order;
}

}  // namespace

std::int64_t Describer::mostElements() const {
  return std::max<std::int64_t>(1, kMostWork / std::max<std::int64_t>(1, std::ssize(info_.legend.endpoints)));
}

// The variables that [offset, offset + values.size()) covers, largest first.
void Describer::addParts(std::int64_t offset, const std::vector<float>& values) {
  const std::int64_t end = offset + std::ssize(values);
  for (const Variable& variable : info_.network->layout().variables()) {
    const std::int64_t from = std::max(offset, variable.offset);
    const std::int64_t to = std::min(end, variable.offset + variable.size);
    if (from >= to) continue;
    TensorPart part;
    part.columns = variable.shape.back();
    part.name = QString::fromStdString(variable.name);
    if (to - from < variable.size) part.name = tr("%1, %Ln values", nullptr, plural(to - from)).arg(part.name);
    part.values.assign(values.begin() + (from - offset), values.begin() + (to - offset));
    text_.parts.push_back(std::move(part));
  }
  std::ranges::stable_sort(text_.parts,
                           [](const TensorPart& a, const TensorPart& b) { return a.values.size() > b.values.size(); });
}

void Describer::gradient(const Object& object) {
  const Aggregation& aggregation = step_.aggregation();
  const auto& cells = aggregation.cells();
  if ((!isReplica(object.endpoint) && !isServer(object.endpoint)) || object.index >= std::ssize(cells)) return;
  const bool all = object.index < 0 || cells.size() == 1;
  const GradientCell cell = all ? GradientCell{0, info_.network->layout().size()} : at(cells, object.index);
  const QString who = nameOf(object.endpoint);
  if (isReplica(object.endpoint) && !step_.asynchronous() && at(record_.replicas, object.endpoint).shard.empty())
    text_.subtitle = tr("of 0 images: zeros");
  text_.title =
      all ? (aggregation.holdsWeights(ns_) ? tr("Weights of %1, being averaged") : tr("Gradient buffer of %1")).arg(who)
      : aggregation.holdsWeights(ns_) ? tr("Part %1 of %2 of %3's weights, from the left")
                                            .arg(std::ssize(cells) - object.index)
                                            .arg(cells.size())
                                            .arg(who)
                                      : tr("Part %1 of %2 of %3's gradient, from the left")
                                            .arg(std::ssize(cells) - object.index)
                                            .arg(cells.size())
                                            .arg(who);
  row(tr("Values"), countText(cell.count));
  row(tr("Bytes"), bytesText(4 * cell.count));
  if (isReplica(object.endpoint) && step_.gradientReady(object.endpoint, ns_) < cell.offset + cell.count) {
    text_.note = step_.isLeftOut(object.endpoint, ns_)
                     ? tr("Too late: the step has left this gradient out.")
                     : tr("Not computed yet: the backward pass fills this buffer, last layer first.");
    return;
  }
  // The replicas whose gradients it contains.
  const std::size_t first = all ? 0 : static_cast<std::size_t>(object.index);
  const Contents contents =
      contentsOf(aggregation, record_, object.endpoint, ns_, first, all ? cells.size() : first + 1);
  QStringList owners;
  for (int r = 0; r < info_.replicas && owners.size() < 8; ++r)
    if (contents.any.test(static_cast<std::size_t>(r))) owners << nameOf(r);
  if (contents.any.count() > 8) owners << QStringLiteral("…");
  const bool isOfWeights = aggregation.holdsWeights(ns_);
  const auto inMean = static_cast<std::int64_t>(aggregation.inMean());
  // Where weights are averaged, a gradient is added to no other.
  const std::int64_t inWhole = record_.averagesWeights() && !isOfWeights ? 1
                               : inMean > 0                              ? inMean
                                                                         : step_.inSum(object.endpoint);
  if (info_.replicas > 1 && !step_.asynchronous()) row(tr("Contains"), contentsWords(contents, owners, inWhole));
  if (isOfWeights && inMean == 0 && !aggregation.transfers().empty())
    text_.note = tr("A sum of copies, each weighed by its share of the images; divided by %1 at the end, it is their "
                    "mean.")
                     .arg(countText(inWhole));
  if (owners.isEmpty()) {
    text_.note = tr("Empty until gradients arrive.");
    return;
  }
  const std::int64_t shown = std::min(cell.count, mostElements());
  const std::vector<float> values = aggregation.bufferAt(object.endpoint, ns_, cell.offset, shown);
  row(tr("L2 norm"), describeNumber(norm(values)));
  const auto [least, most] = std::ranges::minmax(values);
  row(tr("From, to"),
      tr("%1 to %2").arg(describeNumber(static_cast<double>(least)), describeNumber(static_cast<double>(most))));
  addParts(cell.offset, values);
  if (shown < cell.count)
    text_.note = tr("The first %1 values; with this many replicas, showing all takes too long.").arg(countText(shown));
}

void Describer::transferFacts(const Span& span) {
  const QString label =
      span.label < info_.legend.labels.size() ? coreText(info_.legend.labels[span.label]) : tr("transfer");
  text_.title = tr("%1 → %2").arg(nameOf(span.from), nameOf(span.to));
  text_.subtitle = span.round >= 0 ? tr("%1, round %2").arg(label).arg(span.round + 1) : label;
  row(tr("On arrival"), span.label == labelOf(Label::ShareWeights)  ? tr("is averaged with what is there")
                        : span.add                                  ? tr("is added to what is there")
                        : step_.asynchronous() && isServer(span.to) ? tr("is applied to the variables there")
                                                                    : tr("replaces what is there"));
  row(tr("Bytes"), bytesText(span.bytes));
  if (span.track >= 0 && span.track < static_cast<int>(info_.links.size()))
    row(tr("Link"), coreText(at(info_.links, span.track).name));
  row(tr("Takes"), record_.timesKnown ? tr("%1, %2").arg(durationText(span.durationNs), kindOfTime())
                                      : tr("times were not recorded"));
  row(tr("Now"),
      !hasBegun(span) ? tr("not sent yet")
      : isOver(span)
          ? tr("has arrived")
          : tr("%1 % of the way").arg(100 * (ns_ - span.startNs) / std::max<std::int64_t>(1, span.durationNs)));
  if (span.pack >= 0) row(tr("Pack"), QString::number(span.pack + 1));
}

void Describer::transfer(const Object& object) {
  if (object.index < 0 || object.index >= std::ssize(record_.spans)) return;
  const auto index = static_cast<std::size_t>(object.index);
  const Span& span = record_.spans[index];
  if (span.kind != SpanKind::Transfer) return;
  transferFacts(span);
  if (span.label == labelOf(Label::ExchangeSums)) {
    row(tr("Values"), countText(span.count));
    text_.note =
        tr("Sums of a synchronised BatchNormalization, channel by channel. Forwards: sums of its values and of their "
           "squares, and how many values there are. Backwards: sums of their gradients. With the sums of all replicas, "
           "the layer does what one device with the whole batch would do.");
    return;
  }
  const bool gradients =
      std::ranges::find(step_.aggregation().transfers(), index) != step_.aggregation().transfers().end();
  // A server's share consists of pieces from all over the network.
  const int server = isServer(span.to) ? span.to : isServer(span.from) ? span.from : -1;
  std::vector<GradientCell> ranges{{span.offset, span.count}};
  if (span.round < 0 && server >= 0) {
    ranges.clear();
    for (const VariablePart& part : at(info_.variableShards, server - info_.replicas))
      ranges.push_back({part.offset, part.count});
  }
  // Where replicas keep whole weights between two steps, parts are gathered only once they have been updated.
  const StrategyInfo& strategy = strategyInfo(info_.config.strategy);
  const bool isUpdated =
      span.label == labelOf(Label::GatherWeights) && strategy.shardStage(info_.config) < StrategyInfo::kWholeNowhere;
  const std::vector<float>& weights = isUpdated ? record_.weightsAfter : record_.weightsBefore;
  std::int64_t room = mostElements();
  double squares = 0;
  std::int64_t elements = 0;
  for (const GradientCell& range : ranges) {
    elements += range.count;
    const std::int64_t shown = std::min(range.count, room);
    if (shown <= 0 || range.offset < 0 || range.offset + shown > info_.network->layout().size()) continue;
    room -= shown;
    std::vector<float> values;
    if (gradients) {
      values = step_.aggregation().numbers(index, range.offset, shown).source;
    } else if (weights.size() >= static_cast<std::size_t>(range.offset + shown)) {
      values.assign(weights.begin() + range.offset, weights.begin() + range.offset + shown);
    }
    squares += norm(values) * norm(values);
    addParts(range.offset, values);
  }
  row(tr("Values"), countText(elements));
  row(tr("L2 norm"), describeNumber(std::sqrt(squares)));
  if (!gradients) return;
  text_.note = strategyWords(info_.config.strategy, "transfer",
                             countText(static_cast<std::int64_t>(step_.aggregation().inMean())));
  if (text_.note.isEmpty()) text_.note = logExplanation(info_);
  const auto largest = std::ranges::max_element(ranges, {}, &GradientCell::count);
  if (largest != ranges.end()) addition(index, largest->offset, std::min(largest->count, mostElements()));
}

void Describer::addition(std::size_t transfer, std::int64_t offset, std::int64_t shown) {
  const Span& span = record_.spans[transfer];
  const Aggregation::Numbers numbers = step_.aggregation().numbers(transfer, offset, shown);
  if (numbers.source.empty()) return;
  const bool isMean = span.label == labelOf(Label::ShareWeights);
  text_.sumsTitle =
      isMean ? tr("The average, for five of the values: what was there, what %1 sends → what is there then")
                   .arg(nameOf(span.from))
      : span.add ? tr("The addition, for five of the values: %1 + %2 = sum").arg(nameOf(span.to), nameOf(span.from))
                 : tr("Five of the values that are copied");
  for (const std::size_t i : pick(numbers, span.add)) {
    const QString name = elementName(info_.network->layout(), offset + static_cast<std::int64_t>(i));
    const auto figure = [](float value) { return describeNumber(static_cast<double>(value)); };
    text_.sums << (span.add
                       ? (isMean ? QStringLiteral("%1\n    %2, %3 → %4") : QStringLiteral("%1\n    %2 + %3 = %4"))
                             .arg(name, figure(numbers.before[i]), figure(numbers.source[i]), figure(numbers.after[i]))
                       : QStringLiteral("%1\n    %2").arg(name, figure(numbers.source[i])));
  }
}

}  // namespace lab
