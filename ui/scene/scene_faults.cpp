// SPDX-License-Identifier: GPL-3.0-or-later
// Dead tasks: their boxes with when and how they died, their links, and the closure that a dead worker of a parameter
// server was computing, on its way back into the coordinator's queue and to another worker.
#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/fault_captions.h"
#include "ui/scene/scene_builder.h"

namespace lab {
namespace {

constexpr double kClosureS = 1.0;  // seconds of the movie that a closure is on its way

}  // namespace

bool SceneBuilder::isDead(int worker) const {
  return std::ranges::any_of(record_.dead, [&](const DeadTask& dead) {
    return dead.task == RunFault::Task::Worker && dead.index == worker && ns_ >= dead.sinceNs;
  });
}

// In a synchronous strategy a worker is a host, with all its replicas.
bool SceneBuilder::isGone(int endpoint) const {
  if (record_.dead.empty()) return false;
  if (!isServer(endpoint))
    return isDead(asynchronous_ ? endpoint : info_.legend.endpoints[static_cast<std::size_t>(endpoint)].host);
  return std::ranges::any_of(record_.dead, [&](const DeadTask& dead) {
    return dead.task == RunFault::Task::Server && dead.index == endpoint - info_.replicas && ns_ >= dead.sinceNs;
  });
}

QRectF SceneBuilder::boxOf(const DeadTask& dead) const {
  if (dead.task == RunFault::Task::Chief) return layout_.batch;
  const auto index = static_cast<std::size_t>(dead.index);
  if (dead.task == RunFault::Task::Server) return index < layout_.servers.size() ? layout_.servers[index] : QRectF();
  if (!asynchronous_ && index < layout_.frames.size()) return layout_.frames[index];
  return layout_.columnOf(asynchronous_ ? dead.index : dead.index * (info_.replicas / std::max(1, info_.hosts))).box;
}

void SceneBuilder::addMark(const QRectF& box, double top, double height, const QStringList& forms) {
  const QString words = longestThatFits(forms, box.width() - 1.4 * px_, 0.85 * px_);
  const double width = std::min(box.width() - 0.4 * px_, widthOf(words, 0.85 * px_) + 1.2 * px_);
  Item& item = chip(QRectF(box.center().x() - width / 2, top, width, height), words);
  item.strong = true;
  item.covers = true;
}

QString SceneBuilder::absence(int worker) const {
  if (std::ranges::find(input_.left, worker) != input_.left.end()) return tr("has left");
  return absenceWords(record_, worker);
}

// If replicas share a column, only the line of the absent one's gradient is marked, unless all are absent.
void SceneBuilder::addAbsent() {
  if (!info_.isClass) return;
  for (const StageColumn& column : layout_.columns) {
    QStringList words;
    for (int r = column.first; r < column.first + column.count; ++r)
      if (const QString why = absence(r); !why.isEmpty()) words << why;
    const bool all = words.size() == column.count;
    for (int r = column.first; r < column.first + column.count && !all; ++r)
      if (!absence(r).isEmpty()) add(Item::Shape::Hatch, layout_.strip(r));
    if (!all) continue;
    if (words.count(words.front()) == words.size()) words = {words.front()};
    add(Item::Shape::Hatch, column.box);
    addMark(column.box, column.box.center().y() - 0.9 * px_, 1.8 * px_,
            {column.count == 1 ? endpointName(info_, column.first) + QLatin1Char(' ') + words.front()
                               : words.join(QStringLiteral(", ")),
             words.front(), QStringLiteral("✕")});
  }
}

// Hatched all over, with a cross and words, so that colour is not the only sign.
void SceneBuilder::addDead() {
  for (const DeadTask& dead : record_.dead) {
    const QRectF box = boxOf(dead);
    if (ns_ < dead.sinceNs || box.isEmpty()) continue;
    const QString number = QString::number(dead.index);
    const QStringList names =
        dead.task == RunFault::Task::Chief ? QStringList{tr("✕ the coordinator is dead"), tr("✕ dead")}
        : dead.task == RunFault::Task::Server
            ? QStringList{tr("✕ parameter server %1 is dead").arg(number), QStringLiteral("✕ PS") + number}
            : QStringList{tr("✕ worker %1 is dead").arg(number), tr("✕ %1 dead").arg(number),
                          QStringLiteral("✕ ") + number};
    add(Item::Shape::Hatch, box);
    const auto line = [&](double top, double height, const QStringList& forms) { addMark(box, top, height, forms); };
    const bool two = box.height() > 4.4 * px_;
    const double top = box.center().y() - (two ? 1.9 : 0.9) * px_;
    line(top, 1.8 * px_, names);
    if (!two) continue;
    // In a narrow box how and when stand on two lines.
    const QString whole = deathWords(info_, record_, dead, ns_);
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
void SceneBuilder::addLost() {
  const auto worker = static_cast<std::size_t>(input_.lostWorker);
  if (input_.lostWorker < 0 || (worker >= layout_.frames.size() && input_.lostWorker >= info_.hosts)) return;
  DeadTask lost;
  lost.index = input_.lostWorker;
  const QRectF box = boxOf(lost);
  add(Item::Shape::Hatch, box);
  const QString number = QString::number(lost.index), step = countText(input_.lostAfter);
  const auto line = [&](double top, const QStringList& forms) {
    const QString words = longestThatFits(forms, box.width() - 1.4 * px_, 0.85 * px_);
    const double width = std::min(box.width() - 0.4 * px_, widthOf(words, 0.85 * px_) + 1.2 * px_);
    chip(QRectF(box.center().x() - width / 2, top, width, 1.8 * px_), words).strong = true;
  };
  line(box.center().y() - 1.9 * px_,
       {tr("✕ worker %1 was killed").arg(number), tr("✕ worker %1").arg(number), QStringLiteral("✕ ") + number});
  if (box.height() > 4.4 * px_) line(box.center().y() + 0.1 * px_, {tr("after step %1").arg(step), step});
}

// No message uses this link any more. If all share a bus, only the part that leads to the dead task is broken: the
// living ones go on using the rest. `deadAtFrom`: the dead task is where the path begins.
void SceneBuilder::breakLink(Item& link, bool deadAtFrom) {
  link.quiet = true;
  link.glow = 0;
  if (layout_.servers.empty() || link.path.elementCount() != 4) {
    broken_.push_back(link.path.pointAtPercent(0.5));
    return;
  }
  const QPointF end = link.path.elementAt(deadAtFrom ? 0 : 3), bus = link.path.elementAt(deadAtFrom ? 1 : 2);
  link.path = QPainterPath(end);
  link.path.lineTo(bus);
  broken_.push_back(bus);
}

// Links of a parameter server's dead worker, which no message of the step uses; and the marks on all broken links.
void SceneBuilder::addBroken() {
  for (const DeadTask& dead : record_.dead) {
    if (!asynchronous_ || dead.task != RunFault::Task::Worker || ns_ < dead.sinceNs) continue;
    for (std::size_t s = 0; s < layout_.servers.size(); ++s) {
      Span pull;
      pull.from = info_.replicas + static_cast<int>(s);
      pull.to = dead.index;
      const QRectF strip = layout_.strip(dead.index);
      const QRectF from(strip.center().x() - px_, strip.top(), 2 * px_, strip.height());
      Item& link = add(Item::Shape::Link, {});
      link.path = route(from, place(pull.from, pull), dead.index, pull.from);
      link.strong = true;
      breakLink(link, true);
    }
  }
  std::vector<QRectF> marks;
  for (const QPointF& at : broken_) {
    const QRectF box(at.x() - 0.8 * px_, at.y() - 0.8 * px_, 1.6 * px_, 1.6 * px_);
    if (std::ranges::any_of(marks, [&](const QRectF& mark) { return mark.intersects(box); })) continue;
    marks.push_back(box);
    Item& mark = chip(box, QStringLiteral("✕"));
    mark.strong = true;
  }
}

// How far the movie is on a way that ends, or begins, at a moment of this step's clock; below 0 or at least 1: not on
// its way.
double SceneBuilder::wayOf(std::int64_t ns, bool arrives) const {
  if (ns <= record_.beginNs || ns > record_.endNs) return -1;
  const double at = input_.story.secondsAt(ns);
  const double latest = std::max(0.0, input_.story.seconds - kClosureS);
  const double begin = arrives ? std::max(0.0, at - kClosureS) : std::min(at, latest);
  return (input_.seconds - begin) / kClosureS;
}

void SceneBuilder::addClosures() {
  if (!asynchronous_) return;
  const QRectF queue = coordinatorBox();
  const double width = 8 * px_, height = 1.7 * px_;
  const QPointF waits(queue.right() - width / 2 - 0.5 * px_, queue.top() + 1.1 * px_);
  for (const DeadTask& dead : record_.dead) {
    if (dead.task != RunFault::Task::Worker) continue;
    const auto put = [&](const QPointF& at) {
      Item& token = add(Item::Shape::Token, QRectF(at.x() - width / 2, at.y() - height / 2, width, height),
                        {Object::Kind::Queue});
      token.owner = dead.index;
      token.level = 1;
      token.text = longestThatFits({tr("closure of %1").arg(dead.index), QString::number(dead.index)},
                                   width - 0.6 * px_, 0.85 * px_);
      token.fontPx = 0.85 * px_;
    };
    const double back = wayOf(dead.noticedNs, true);
    const double out = dead.takenBy >= 0 ? wayOf(dead.takenNs, false) : -1;
    const bool isBack = ns_ >= dead.noticedNs, isTaken = dead.takenBy >= 0 && ns_ >= dead.takenNs && out >= 0;
    const bool wasTaken = dead.takenBy >= 0 && dead.takenNs <= record_.beginNs;
    if (back >= 0 && back < 1 && !isBack) {
      const QPointF from = layout_.columnOf(dead.index).header.center();
      put(from + (waits - from) * easeInOut(back));
    } else if (isTaken && out < 1) {
      const QPointF to = layout_.columnOf(dead.takenBy).header.center();
      put(waits + (to - waits) * easeInOut(out));
    } else if (isBack && !wasTaken && !isTaken) {
      put(waits);
    }
  }
}

}  // namespace lab
