// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_objects.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <tuple>

#include "core/base/at.h"
#include "ui/i18n/class_words.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describe.h"
#include "ui/playback/playback.h"
#include "ui/stage/shown_step.h"
#include "ui/step/selection.h"

namespace lab {
namespace {

constexpr double kSeen = 0.05;  // less opaque objects count as absent

// The object's position in reading order.
int rankOf(Object::Kind kind) {
  using Kind = Object::Kind;
  constexpr Kind kOrder[] = {Kind::Host,     Kind::Queue, Kind::Pipeline,      Kind::Evaluation, Kind::EpochMean,
                             Kind::Device,   Kind::Loss,  Kind::VariableShard, Kind::Transfer,   Kind::Weights,
                             Kind::Gradient, Kind::Layer, Kind::Unit,          Kind::Link,       Kind::Digit};
  return static_cast<int>(std::ranges::find(kOrder, kind) - std::begin(kOrder));
}

auto orderOf(const Object& object) {
  return std::tuple(rankOf(object.kind), object.endpoint, object.index);
}

QString kindName(Object::Kind kind) {
  switch (kind) {
    case Object::Kind::Device:
      return StageObjects::tr("device");
    case Object::Kind::Transfer:
      return StageObjects::tr("transfer");
    case Object::Kind::Layer:
      return StageObjects::tr("layer");
    default:
      return {};  // the title includes it
  }
}

}  // namespace

StageObjects::StageObjects(const Scene& scene, const ShownStep& step, const Playback& playback, Selection& selection)
    : scene_(scene), step_(step), playback_(playback), selection_(selection) {}

std::vector<Object> StageObjects::all() const {
  std::vector<Object> found;
  std::vector<QRectF> hatched;  // dead tasks; nothing that lies wholly below is there
  for (const Item& item : scene_.items | std::views::reverse) {
    if (!item.object || item.opacity < kSeen) continue;
    if (std::ranges::none_of(hatched, [&](const QRectF& box) { return box.contains(item.box); }))
      found.push_back(item.object);
    if (item.shape == Item::Shape::Hatch && item.covers) hatched.push_back(item.box);
  }
  std::ranges::sort(found, {}, orderOf);
  const auto twice = std::ranges::unique(found);
  found.erase(twice.begin(), twice.end());
  return found;
}

QRectF StageObjects::placeOf(const Object& object) const {
  QRectF place;
  for (const Item& item : scene_.items) {
    if (item.object != object || item.opacity < kSeen) continue;
    place |= item.shape == Item::Shape::Link ? item.path.boundingRect().adjusted(-1, -1, 1, 1) : item.box;
  }
  return place;
}

Description StageObjects::description(const Object& object) const {
  if (step_.index() == nullptr || playback_.story().beats.empty()) return {};
  return describe(object, *step_.index(), playback_.story(), playback_.seconds(), step_.evaluation());
}

QString StageObjects::nameOf(const Object& object) const {
  const Description about = description(object);
  const QString kind = kindName(object.kind);
  QString name = kind.isEmpty() ? about.title : tr("%1 %2").arg(kind, about.title);
  if (object.kind == Object::Kind::Layer && !about.subtitle.isEmpty()) name += QStringLiteral(" ") + about.subtitle;
  if (object.kind == Object::Kind::Device) {
    for (const Description::Row& row : about.rows)
      if (row.isState) name += QStringLiteral(", ") + row.value;
    if (step_.index() != nullptr) name += tr(", step %1").arg(countText(step_.index()->record().metric.step));
  }
  return name;
}

QString StageObjects::descriptionOf(const Object& object) const {
  const Description about = description(object);
  QStringList lines;
  if (!about.subtitle.isEmpty()) lines << about.subtitle;
  for (const Description::Row& row : about.rows) lines << tr("%1: %2").arg(row.name.trimmed(), row.value);
  if (!about.note.isEmpty()) lines << about.note;
  return lines.join(QStringLiteral("; "));
}

const Object& StageObjects::chosen() const {
  return selection_.pinned();
}

void StageObjects::choose(const Object& object) const {
  selection_.pin(object);
}

bool StageObjects::chooseNext(bool forward, bool far) const {
  const std::vector<Object> objects = all();
  if (objects.empty()) return false;
  auto at = std::ranges::find(objects, chosen());
  if (at == objects.end()) {
    choose(forward ? objects.front() : objects.back());
    return true;
  }
  const Object::Kind kind = at->kind;
  do {
    if (forward ? at + 1 == objects.end() : at == objects.begin()) break;  // stays at the end
    at += forward ? 1 : -1;
  } while (far && at->kind == kind);
  choose(*at);
  return true;
}

// The picture of an answer has room only for a class's number; the tip shows its name.
QString StageObjects::digitTip(const Object& object) const {
  constexpr std::size_t kLabelAndPrediction = 2;
  QString tip = tr("A real image. Click it to keep it in the inspector.");
  if (!step_.index()->info().data || !classesAreNamed(*step_.index()->info().data)) return tip;
  const Description said = description(object);
  for (std::size_t i = 0; i < std::min(kLabelAndPrediction, said.rows.size()); ++i)
    tip += QStringLiteral("\n%1: %2").arg(said.rows[i].name, said.rows[i].value);
  return tip;
}

QString StageObjects::tipOf(const Object& object, int zoomed) const {
  if (step_.index() == nullptr || !object) return {};
  const auto& legend = step_.index()->info().legend;
  switch (object.kind) {
    case Object::Kind::Digit:
      return digitTip(object);
    case Object::Kind::Transfer:
      return tr("On its way. Click it to see what is added to what.");
    case Object::Kind::Gradient:
      return tr("A gradient buffer. Click it to see its values.");
    case Object::Kind::Link:
      return coreText(at(legend.tracks, object.index).name);
    case Object::Kind::Device: {
      const QString name = coreText(at(legend.endpoints, object.endpoint).name);
      return zoomed == object.endpoint ? name : tr("%1. Double-click to look inside.").arg(name);
    }
    case Object::Kind::Layer:
      return zoomed < 0 ? tr("Double-click to see what every layer makes of an image.") : QString();
    default:
      return {};
  }
}

}  // namespace lab
