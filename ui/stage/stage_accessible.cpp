// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_accessible.h"

#include <QMetaObject>
#include <QPointer>

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/base/at.h"
#include "ui/stage/stage.h"

namespace lab {
namespace {

class ObjectAccessible final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  ObjectAccessible(Stage& stage, const Object& thing) : stage_(&stage), thing_(thing) {}

  const Object& thing() const { return thing_; }
  bool isValid() const override { return stage_ && parentStage()->indexOf(thing_) >= 0; }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return stage_ ? stage_->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(stage_.data()); }
  QAccessibleInterface* child(int) const override { return nullptr; }
  QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface*) const override { return -1; }

  QString text(QAccessible::Text kind) const override {
    if (!isValid()) return {};
    switch (kind) {
      case QAccessible::Name:
        return stage_->objects().nameOf(thing_);
      case QAccessible::Description:
        return stage_->objects().descriptionOf(thing_);
      default:
        return {};
    }
  }
  void setText(QAccessible::Text, const QString&) override {}

  QRect rect() const override {
    if (!isValid()) return {};
    const QRect place = stage_->objects().placeOf(thing_).toAlignedRect();
    return {stage_->mapToGlobal(place.topLeft()), place.size()};
  }

  QAccessible::Role role() const override {
    switch (thing_.kind) {
      case Object::Kind::Device:
      case Object::Kind::Host:
      case Object::Kind::VariableShard:
      case Object::Kind::Queue:
        return QAccessible::Grouping;
      case Object::Kind::Transfer:
        return QAccessible::Animation;
      default:
        return QAccessible::Graphic;
    }
  }

  QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !isValid();
    if (state.invalid) return state;
    state.selectable = state.focusable = true;
    state.selected = stage_->objects().chosen() == thing_;
    state.focused = state.selected && stage_->hasFocus();
    state.offscreen = !stage_->isVisible();
    return state;
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QStringList actionNames() const override { return {pressAction(), setFocusAction(), showMenuAction()}; }
  void doAction(const QString& name) override {
    if (!isValid()) return;
    if (name == setFocusAction()) stage_->setFocus();
    stage_->objects().choose(thing_);
    if (name == showMenuAction()) stage_->openMenu();
  }
  QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  const StageAccessible* parentStage() const { return static_cast<const StageAccessible*>(parent()); }

  QPointer<Stage> stage_;
  Object thing_;
};

QAccessibleInterface* makeStageAccessible(const QString& className, QObject* object) {
  if (className != QStringLiteral("lab::Stage")) return nullptr;
  return new StageAccessible(*static_cast<Stage*>(object));
}

}  // namespace

void installStageAccessible() {
  QAccessible::installFactory(makeStageAccessible);
}

StageAccessible::StageAccessible(Stage& stage) : QAccessibleWidget(&stage, QAccessible::Canvas), stage_(stage) {}

StageAccessible* StageAccessible::of(Stage& stage) {
  if (!QAccessible::isActive()) return nullptr;
  return dynamic_cast<StageAccessible*>(QAccessible::queryAccessibleInterface(&stage));
}

StageAccessible::~StageAccessible() {
  for (const Known& known : known_) QAccessible::deleteAccessibleInterface(known.id);
}

void StageAccessible::refresh() const {
  if (version_ == stage_.sceneVersion()) return;
  version_ = stage_.sceneVersion();
  const std::vector<Object> now = stage_.objects().all();
  const auto isIn = [](const std::vector<Object>& all, const Object& one) {
    return std::ranges::find(all, one) != all.end();
  };
  const auto announce = [](QAccessibleInterface* thing, QAccessible::Event what) {
    QAccessibleEvent event(thing, what);
    QAccessible::updateAccessibility(&event);
  };
  const bool listened = QAccessible::isActive() && asked_;
  std::erase_if(known_, [&](const Known& known) {
    if (isIn(now, known.object)) return false;
    if (listened) announce(QAccessible::accessibleInterface(known.id), QAccessible::ObjectDestroyed);
    QMetaObject::invokeMethod(
        &stage_, [id = known.id] { QAccessible::deleteAccessibleInterface(id); }, Qt::QueuedConnection);
    return true;
  });
  const std::vector<Object> before = std::exchange(objects_, now);
  if (!listened) return;
  for (const Object& object : now)
    if (!isIn(before, object)) announce(interfaceOf(object), QAccessible::ObjectCreated);
}

void StageAccessible::announceChanges() const {
  refresh();
  for (std::size_t i = 0; i < known_.size(); ++i) {  // a client may ask meanwhile, which adds entries
    QAccessibleInterface* thing = QAccessible::accessibleInterface(known_[i].id);
    for (const auto& [kind, event, last] :
         {std::tuple{QAccessible::Name, QAccessible::NameChanged, &Known::name},
          {QAccessible::Description, QAccessible::DescriptionChanged, &Known::about}}) {
      const QString now = thing->text(kind);
      if (std::exchange(known_[i].*last, now) == now) continue;
      QAccessibleEvent changed(thing, event);
      QAccessible::updateAccessibility(&changed);
    }
  }
}

void StageAccessible::announceSelection() {
  const Object& chosen = stage_.objects().chosen();
  if (std::exchange(announced_, chosen) == chosen || !chosen) return;
  QAccessibleInterface* thing = interfaceOf(chosen);
  if (thing == nullptr) return;
  QAccessibleEvent selected(thing, QAccessible::Selection);
  QAccessible::updateAccessibility(&selected);
  if (!stage_.hasFocus()) return;
  QAccessibleEvent focused(thing, QAccessible::Focus);
  QAccessible::updateAccessibility(&focused);
}

int StageAccessible::childCount() const {
  asked_ = true;
  refresh();
  return static_cast<int>(objects_.size());
}

int StageAccessible::indexOf(const Object& object) const {
  refresh();
  const auto found = std::ranges::find(objects_, object);
  return found == objects_.end() ? -1 : static_cast<int>(found - objects_.begin());
}

QAccessibleInterface* StageAccessible::interfaceOf(const Object& object) const {
  if (indexOf(object) < 0) return nullptr;
  const auto found = std::ranges::find(known_, object, &Known::object);
  if (found != known_.end()) return QAccessible::accessibleInterface(found->id);
  auto* made = new ObjectAccessible(stage_, object);
  known_.push_back({object, QAccessible::registerAccessibleInterface(made), stage_.objects().nameOf(object),
                    stage_.objects().descriptionOf(object)});
  return made;
}

QAccessibleInterface* StageAccessible::child(int index) const {
  refresh();
  if (index < 0 || index >= static_cast<int>(objects_.size())) return nullptr;
  return interfaceOf(Object(at(objects_, index)));
}

int StageAccessible::indexOfChild(const QAccessibleInterface* child) const {
  const auto* thing = dynamic_cast<const ObjectAccessible*>(child);
  return thing == nullptr ? -1 : indexOf(thing->thing());
}

QAccessibleInterface* StageAccessible::childAt(int x, int y) const {
  const Object object = stage_.scene().objectAt(stage_.mapFromGlobal(QPoint(x, y)));
  return object ? interfaceOf(object) : nullptr;
}

QAccessibleInterface* StageAccessible::focusChild() const {
  if (!stage_.hasFocus()) return nullptr;
  QAccessibleInterface* thing = stage_.objects().chosen() ? interfaceOf(stage_.objects().chosen()) : nullptr;
  return thing != nullptr ? thing : const_cast<StageAccessible*>(this);
}

// The caption is the description, which the stage stores.
QString StageAccessible::text(QAccessible::Text kind) const {
  return kind == QAccessible::Value ? stage_.message().words() : QAccessibleWidget::text(kind);
}

}  // namespace lab
