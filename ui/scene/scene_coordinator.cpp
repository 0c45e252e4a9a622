// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/scene_coordinator.h"

#include <algorithm>
#include <array>

#include "core/base/ceil_divide.h"
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"
#include "ui/playback/fault_captions.h"

namespace lab {
namespace {

constexpr double kClosureS = 1.0;  // seconds of the movie that a closure is on its way
constexpr std::size_t kMostBars = 12, kFewestBars = 4;
constexpr double kBetweenNames = 0.5;  // of the font's size, between what stands below two bars
constexpr int kMostClosures = 16;

QString numbersOf(std::size_t first, std::size_t last) {
  return QStringLiteral("%1–%2").arg(first).arg(last);
}

double barScale(std::size_t each) {
  return each == 1 ? 0.9 : 0.7;
}

// Returns how many numbers a bar of the histogram covers: as few as the words below the bars have room for.
std::size_t stalenessOfABar(std::size_t numbers, double width, double px) {
  std::size_t each = 1;
  for (std::size_t most = kMostBars; most >= kFewestBars; --most) {
    each = ceilDivide(numbers, most);
    const std::size_t bars = std::max(ceilDivide(numbers, each), kFewestBars), last = numbers - 1;
    const QString widest = each == 1 ? QString::number(last) : numbersOf(last, last);
    if (widthOf(widest, barScale(each) * px) + kBetweenNames * px <= width / static_cast<double>(bars)) break;
  }
  return each;
}

}  // namespace

QRectF SceneCoordinator::box() const {
  const QRectF& batch = layout_.batch;
  const double width = std::min(44 * px_, layout_.size.width() - px_);
  return {batch.center().x() - width / 2, batch.top() + 0.2 * px_, width, batch.height() - 0.4 * px_};
}

// The coordinator does not know at first that a worker is dead: it only hears nothing.
bool SceneCoordinator::isMissed(int worker) const {
  return std::ranges::any_of(at_.record.dead, [&](const DeadTask& dead) {
    return dead.task == RunFault::Task::Worker && dead.index == worker && at_.ns >= dead.noticedNs;
  });
}

void SceneCoordinator::addQueue() {
  const QRectF panel = box();
  canvas_.add(Item::Shape::Panel, panel, {Object::Kind::Queue});
  const QRectF title(panel.left() + px_, panel.top() + 0.3 * px_, panel.width() - 2 * px_, 1.5 * px_);
  canvas_.text(title, tr("coordinator: one closure at a time for every worker"), 1, kAtLeft).bold = true;
  // Each worker's closure: what it is doing now.
  const int places = std::min(at_.info.replicas, kMostClosures), more = at_.info.replicas - places;
  const int shown = more > 0 ? places - 1 : places;
  const double width = (panel.width() - 2 * px_) / places;
  const auto placeOf = [&](int place) {
    return QRectF(panel.left() + px_ + place * width, panel.top() + 2.1 * px_, width - 0.3 * px_, 2.3 * px_);
  };
  const std::array doings{at_.namesQueue() ? tr("queues") : tr("waits"), tr("computes"), tr("pulls"), tr("pushes")};
  for (int w = 0; w < shown; ++w) {
    const auto now = static_cast<std::size_t>(at_.step.doing(w, at_.ns));
    const QString name = endpointName(at_.info, w), number = endpointNumber(at_.info, w), absent = at_.absence(w);
    const QStringList forms =
        now < doings.size()
            ? QStringList{name + QLatin1Char(' ') + doings[now], number + QLatin1Char(' ') + doings[now], number}
            : QStringList{tr("gradient of %1 applied").arg(name), tr("%1: ∇ applied").arg(number), number};
    const QRectF at = placeOf(w);
    const QStringList none = isMissed(w) ? deadWorkerForms(w)
                                         : QStringList{tr("worker %1: no answer").arg(w),
                                                       tr("%1: no answer").arg(number), number + QStringLiteral(" …")};
    const QStringList gone{name + QLatin1Char(' ') + absent, QStringLiteral("✕ ") + number};
    const QString words = longestThatFits(!absent.isEmpty() ? gone
                                          : at_.isDead(w)   ? none
                                                            : forms,
                                          at.width() - 0.6 * px_, 0.85 * px_);
    canvas_.chip(at, words, {Object::Kind::Queue}).owner = w;
  }
  if (more == 0) return;
  // The last place stands for its own worker and for those without a place.
  const QRectF last = placeOf(shown);
  const QString words =
      longestThatFits({QStringLiteral("+%1").arg(more + 1), QStringLiteral("…")}, last.width() - 0.6 * px_, 0.85 * px_);
  canvas_.chip(last, words, {Object::Kind::Queue});
}

// A histogram of staleness over all updates so far. With many workers a bar covers several numbers, since most updates
// are among the stalest.
void SceneCoordinator::addHistogram() {
  const std::span<const std::int64_t> counts = at_.input.stalenessCounts;
  if (counts.empty() || layout_.batch.width() < 62 * px_) return;
  const double left = layout_.batch.center().x() + 23.5 * px_;
  const double width = std::min(layout_.batch.right() - left, 18 * px_);
  if (width < 6 * px_) return;
  const std::size_t each = stalenessOfABar(counts.size(), width, px_), bars = ceilDivide(counts.size(), each);
  std::vector<std::int64_t> sums(bars, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) sums[i / each] += counts[i];
  // The step's own update counts once it has been made.
  if (const auto& own = at_.record.metric.staleness; own && !at_.hasApplied() && !at_.record.metric.aborted)
    if (std::int64_t& sum = sums[std::min(static_cast<std::size_t>(*own), counts.size() - 1) / each]; sum > 0) --sum;
  const std::int64_t most = std::max<std::int64_t>(1, std::ranges::max(sums));
  canvas_.text(QRectF(left, layout_.batch.top(), width, 1.3 * px_), tr("staleness of all updates"), 0.85).quiet = true;
  const double bar = width / static_cast<double>(std::max(bars, kFewestBars));
  const double top = layout_.batch.top() + 1.4 * px_, height = layout_.batch.height() - 2.8 * px_;
  for (std::size_t i = 0; i < bars; ++i) {
    const double share = static_cast<double>(sums[i]) / static_cast<double>(most);
    const double x = left + bar * static_cast<double>(i);
    Item& item =
        canvas_.add(Item::Shape::Bar, QRectF(x + 0.1 * bar, top + height * (1 - share), 0.8 * bar, height * share));
    item.level = share;
    const std::size_t first = i * each, last = std::min(first + each, counts.size()) - 1;
    const QString one = QString::number(first);
    const QStringList forms =
        first == last ? QStringList{one} : QStringList{numbersOf(first, last), one + QStringLiteral("…"), one};
    const QRectF below(x + 0.5 * kBetweenNames * px_, top + height, bar - kBetweenNames * px_, 1.3 * px_);
    canvas_.fitted(below, forms, barScale(each)).quiet = true;
  }
}

// How far the movie is on a way that ends, or begins, at a moment of this step's clock; below 0 or at least 1: not on
// its way.
double SceneCoordinator::wayOf(std::int64_t ns, bool arrives) const {
  if (ns <= at_.record.beginNs || ns > at_.record.endNs) return -1;
  const double at = at_.input.story.secondsAt(ns);
  const double latest = std::max(0.0, at_.input.story.seconds - kClosureS);
  const double begin = arrives ? std::max(0.0, at - kClosureS) : std::min(at, latest);
  return (at_.input.seconds - begin) / kClosureS;
}

void SceneCoordinator::addClosures() {
  const QRectF queue = box();
  const double width = 8 * px_, height = 1.7 * px_;
  const QPointF waits(queue.right() - width / 2 - 0.5 * px_, queue.top() + 1.1 * px_);
  for (const DeadTask& dead : at_.record.dead) {
    if (dead.task != RunFault::Task::Worker) continue;
    const auto put = [&](const QPointF& at) {
      Item& token = canvas_.add(Item::Shape::Token, QRectF(at.x() - width / 2, at.y() - height / 2, width, height),
                                {Object::Kind::Queue});
      token.owner = dead.index;
      token.level = 1;
      token.text = longestThatFits({tr("closure of %1").arg(dead.index), QString::number(dead.index)},
                                   width - 0.6 * px_, 0.85 * px_);
      token.fontPx = 0.85 * px_;
    };
    const double back = wayOf(dead.noticedNs, true);
    const double out = dead.takenBy >= 0 ? wayOf(dead.takenNs, false) : -1;
    const bool isBack = at_.ns >= dead.noticedNs, isTaken = dead.takenBy >= 0 && at_.ns >= dead.takenNs && out >= 0;
    const bool wasTaken = dead.takenBy >= 0 && dead.takenNs <= at_.record.beginNs;
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
