// SPDX-License-Identifier: GPL-3.0-or-later
// The stage for users who cannot see it or have no pointer: its objects in reading order, their names and figures, the
// keys that go from one to the next, and what screen readers are told.
#include <QAccessible>
#include <QKeyEvent>

#include <algorithm>
#include <tuple>
#include <utility>

#include "ui/accessibility/announcer.h"
#include "ui/i18n/words.h"
#include "ui/inspect/describe.h"
#include "ui/playback/playback.h"
#include "ui/runview/run_controller.h"
#include "ui/scene/selection.h"
#include "ui/stage/stage.h"
#include "ui/stage/stage_accessible.h"

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
      return Stage::tr("device");
    case Object::Kind::Transfer:
      return Stage::tr("message");
    case Object::Kind::Layer:
      return Stage::tr("layer");
    default:
      return {};  // the title includes it
  }
}

}  // namespace

std::vector<Object> Stage::objects() const {
  std::vector<Object> found;
  for (const Item& item : scene().items)
    if (item.object && item.opacity >= kSeen) found.push_back(item.object);
  std::ranges::sort(found, {}, orderOf);
  const auto twice = std::ranges::unique(found);
  found.erase(twice.begin(), twice.end());
  return found;
}

QRectF Stage::placeOf(const Object& object) const {
  QRectF place;
  for (const Item& item : scene().items) {
    if (item.object != object || item.opacity < kSeen) continue;
    place |= item.shape == Item::Shape::Link ? item.path.boundingRect().adjusted(-1, -1, 1, 1) : item.box;
  }
  return place;
}

Description Stage::description(const Object& object) const {
  if (!index_ || playback_.story().beats.empty()) return {};
  return describe(object, *index_, playback_.story(), playback_.seconds(), evaluation());
}

QString Stage::nameOf(const Object& object) const {
  const Description about = description(object);
  const QString kind = kindName(object.kind);
  QString name = kind.isEmpty() ? about.title : tr("%1 %2").arg(kind, about.title);
  if (object.kind == Object::Kind::Layer && !about.subtitle.isEmpty()) name += QStringLiteral(" ") + about.subtitle;
  if (object.kind == Object::Kind::Device) {
    for (const Description::Row& row : about.rows)
      if (row.isState) name += QStringLiteral(", ") + row.value;
    if (index_) name += tr(", step %1").arg(countText(index_->record().metric.step));
  }
  return name;
}

QString Stage::descriptionOf(const Object& object) const {
  const Description about = description(object);
  QStringList lines;
  if (!about.subtitle.isEmpty()) lines << about.subtitle;
  for (const Description::Row& row : about.rows) lines << tr("%1: %2").arg(row.name.trimmed(), row.value);
  if (!about.note.isEmpty()) lines << about.note;
  return lines.join(QStringLiteral("; "));
}

const Object& Stage::chosen() const {
  return selection_.pinned();
}

void Stage::choose(const Object& object) {
  selection_.pin(object);
}

void Stage::openMenu() {
  if (!index_) return;
  const QRectF place = chosen() ? placeOf(chosen()) : QRectF();
  const QPointF at = place.isEmpty() ? QRectF(rect()).center() : place.center();
  Q_EMIT menuWanted(place.isEmpty() ? Object{} : chosen(), mapToGlobal(at.toPoint()));
}

// Menu and Shift+F10: open the menu of the selection. Enter: zooms into the selection's replica; in a zoomed replica,
// chooses the image. Down and Up: the next and the previous object; Page Down and Page Up: of another kind.
void Stage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Menu || (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier))
    return openMenu();
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    const Object& object = chosen();
    if (zoomed_ < 0 && object.endpoint >= 0 && object.kind != Object::Kind::VariableShard)
      return zoomInto(object.endpoint);
    if (zoomed_ >= 0 && object.kind == Object::Kind::Digit && object.endpoint == zoomed_) {
      image_ = static_cast<std::size_t>(object.index);
      return advance();
    }
  }
  const bool down = event->key() == Qt::Key_Down || event->key() == Qt::Key_PageDown;
  const bool up = event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp;
  const bool far = event->key() == Qt::Key_PageDown || event->key() == Qt::Key_PageUp;
  if ((!down && !up) || event->modifiers() != Qt::NoModifier) return QWidget::keyPressEvent(event);
  const std::vector<Object> all = objects();
  if (all.empty()) return;
  showsFocus_ = true;
  update();
  auto at = std::ranges::find(all, chosen());
  if (at == all.end()) return choose(down ? all.front() : all.back());
  const Object::Kind kind = at->kind;
  do {
    if (down ? at + 1 == all.end() : at == all.begin()) break;  // stays at the end
    at += down ? 1 : -1;
  } while (far && at->kind == kind);
  choose(*at);
}

void Stage::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  // Only if the focus came by key; a click shows by itself where it went.
  showsFocus_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason ||
                event->reason() == Qt::ShortcutFocusReason;
  update();
}

void Stage::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  showsFocus_ = false;
  update();
}

// Announces the caption once per beat, spoken unless training runs on and captions come faster than speech. Then, and
// whenever the movie rests, announces objects that appeared, vanished or changed their names.
void Stage::announceMoment(const QString& caption) {
  const bool otherBeat = caption != accessibleDescription();
  if (otherBeat) setAccessibleDescription(caption);
  if (!QAccessible::isActive()) return;
  const bool readable = playback_.mode() <= Playback::Mode::Play || !playback_.isPlaying();
  if (!readable || (!otherBeat && playback_.isMoving())) return;
  if (otherBeat) announce(*this, caption, Announcer::Kind::Passing);
  if (auto* own = dynamic_cast<StageAccessible*>(QAccessible::queryAccessibleInterface(this))) own->announceChanges();
}

void Stage::announceSelection() {
  if (!QAccessible::isActive() || announced_ == chosen()) return;
  announced_ = chosen();
  auto* own = dynamic_cast<StageAccessible*>(QAccessible::queryAccessibleInterface(this));
  QAccessibleInterface* thing = own != nullptr && announced_ ? own->interfaceOf(announced_) : nullptr;
  if (thing == nullptr) return;
  QAccessibleEvent selected(thing, QAccessible::Selection);
  QAccessible::updateAccessibility(&selected);
  if (!hasFocus()) return;
  QAccessibleEvent focused(thing, QAccessible::Focus);
  QAccessible::updateAccessibility(&focused);
}

}  // namespace lab
