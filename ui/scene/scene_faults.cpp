// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_faults.h"

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/fault_captions.h"

namespace lab {

int SceneFaults::firstReplicaOf(const DeadTask& worker) const {
  return worker.index * (at_.asynchronous ? 1 : at_.info.replicas / std::max(1, at_.info.hosts));
}

QRectF SceneFaults::boxOf(const DeadTask& dead) const {
  if (dead.task == RunFault::Task::Chief) return layout_.batch;
  const auto index = static_cast<std::size_t>(dead.index);
  if (dead.task == RunFault::Task::Server) return index < layout_.servers.size() ? layout_.servers[index] : QRectF();
  if (!at_.asynchronous && index < layout_.frames.size()) return layout_.frames[index];
  return layout_.columnOf(firstReplicaOf(dead)).box;
}

// What the pointer picks there: a task that is dead, and nothing that the hatching hides.
Object SceneFaults::objectOf(const DeadTask& dead) const {
  if (dead.task == RunFault::Task::Chief) return {Object::Kind::Queue};
  if (dead.task == RunFault::Task::Server) return {Object::Kind::VariableShard, at_.info.replicas + dead.index};
  return {Object::Kind::Device, firstReplicaOf(dead)};
}

void SceneFaults::addHatch(const QRectF& box, const Object& object) {
  canvas_.add(Item::Shape::Hatch, box, object).covers = true;
}

Item& SceneFaults::addMark(const QRectF& box, double top, double height, const QStringList& forms) {
  const QString words = longestThatFits(forms, box.width() - 1.4 * px_, 0.85 * px_);
  const double width = std::min(box.width() - 0.4 * px_, widthOf(words, 0.85 * px_) + 1.2 * px_);
  Item& item = canvas_.chip(QRectF(box.center().x() - width / 2, top, width, height), words);
  item.strong = true;
  return item;
}

// If replicas share a column, only the line of the absent one's gradient is marked, unless all are absent.
void SceneFaults::addAbsent() {
  if (!at_.info.isClass) return;
  for (const StageColumn& column : layout_.columns) {
    QStringList words;
    for (int r = column.first; r < column.first + column.count; ++r)
      if (const QString why = at_.absence(r); !why.isEmpty()) words << why;
    const bool all = words.size() == column.count;
    for (int r = column.first; r < column.first + column.count && !all; ++r)
      if (!at_.absence(r).isEmpty()) canvas_.add(Item::Shape::Hatch, layout_.strip(r));
    if (!all) continue;
    if (words.count(words.front()) == words.size()) words = {words.front()};
    addHatch(column.box, {Object::Kind::Device, column.first});
    addMark(column.box, column.box.center().y() - 0.9 * px_, 1.8 * px_,
            {column.count == 1 ? endpointName(at_.info, column.first) + QLatin1Char(' ') + words.front()
                               : words.join(QStringLiteral(", ")),
             words.front(), QStringLiteral("✕")})
        .covers = true;
  }
}

// Hatched all over, with a cross and words, so that colour is not the only sign.
void SceneFaults::addDead() {
  for (const DeadTask& dead : at_.record.dead) {
    const QRectF box = boxOf(dead);
    if (at_.ns < dead.sinceNs || box.isEmpty()) continue;
    const QString number = QString::number(dead.index);
    const QStringList names =
        dead.task == RunFault::Task::Chief ? QStringList{tr("✕ the coordinator is dead"), tr("✕ dead")}
        : dead.task == RunFault::Task::Server
            ? QStringList{tr("✕ parameter server %1 is dead").arg(number), QStringLiteral("✕ PS") + number}
            : deadWorkerForms(dead.index);
    addHatch(box, objectOf(dead));
    const auto line = [&](double top, double height, const QStringList& forms) {
      addMark(box, top, height, forms).covers = true;
    };
    const bool two = box.height() > 4.4 * px_;
    const double top = box.center().y() - (two ? 1.9 : 0.9) * px_;
    line(top, 1.8 * px_, names);
    if (!two) continue;
    // In a narrow box how and when stand on two lines.
    const QString whole = deathWords(at_.info, at_.record, dead, at_.ns);
    const qsizetype comma = whole.indexOf(QLatin1Char(','));
    const QString how = whole.left(comma), when = whole.mid(comma + 1).trimmed();
    if (widthOf(whole, 0.85 * px_) <= box.width() - 1.4 * px_) {
      line(top + 2 * px_, 1.6 * px_, {whole});
    } else if (box.height() > 6.4 * px_) {
      line(top + 2 * px_, 1.6 * px_, {how, how.section(QLatin1Char(' '), 0, 0)});
      line(top + 3.8 * px_, 1.6 * px_, {when, when.section(QStringLiteral(" ("), 0, 0)});
    }
  }
}

// A real process that no record mentions: the run has no record of a step that did not end.
void SceneFaults::addLost() {
  const auto worker = static_cast<std::size_t>(at_.input.lostWorker);
  if (at_.input.lostWorker < 0 || (worker >= layout_.frames.size() && at_.input.lostWorker >= at_.info.hosts)) return;
  DeadTask lost;
  lost.index = at_.input.lostWorker;
  const QRectF box = boxOf(lost);
  addHatch(box, objectOf(lost));
  const QString number = QString::number(lost.index), step = countText(at_.input.lostAfter);
  addMark(box, box.center().y() - 1.9 * px_, 1.8 * px_,
          {tr("✕ worker %1 was killed").arg(number), tr("✕ worker %1").arg(number), QStringLiteral("✕ ") + number});
  if (box.height() > 4.4 * px_)
    addMark(box, box.center().y() + 0.1 * px_, 1.8 * px_, {tr("after step %1").arg(step), step});
}

}  // namespace lab
