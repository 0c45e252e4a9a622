// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving/served_class.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/i18n/words.h"

namespace lab {
namespace {

constexpr int kRefreshMs = 250;
constexpr double kMegabit = 1e6 / 8;  // bytes
constexpr double kFewMegabits = 10;   // below this, with one decimal

ClassTotals totalsOf(const std::vector<ClassMember>& members, std::int64_t updates) {
  ClassTotals totals{.updates = updates};
  for (const ClassMember& member : members) {
    if (!isThere(member)) continue;
    ++totals.workers;
    totals.imagesPerSecond += member.imagesPerSecond;
    totals.bytesPerSecond += member.bytesPerSecond;
  }
  return totals;
}

}  // namespace

bool isThere(const ClassMember& member) {
  return member.state != ClassMember::State::Left;
}

ServedClass::ServedClass(ClassSource* source, QObject* parent) : QObject(parent) {
  timer_.setInterval(kRefreshMs);
  connect(&timer_, &QTimer::timeout, this, &ServedClass::refresh);
  setSource(source);
}

void ServedClass::setSource(ClassSource* source) {
  source_ = source;
  refresh();
}

void ServedClass::refresh() {
  const ClassSource::State before = std::exchange(state_, source_ != nullptr ? source_->state() : ClassSource::State());
  if (state_ == ClassSource::State::Open) {
    if (before != ClassSource::State::Open) nicknames_ = false;  // a new class begins
    timer_.start();
  } else {
    timer_.stop();
    if (before == state_) return;
  }
  const bool there = state_ != ClassSource::State::None;
  paused_ = there && source_->isPaused();
  link_ = there ? source_->link() : QString();
  members_ = there ? source_->members() : std::vector<ClassMember>();
  totals_ = totalsOf(members_, there ? source_->updates() : 0);
  Q_EMIT changed();
}

QString ServedClass::nameOf(const ClassMember& member) const {
  const QString name = QString::fromStdString(member.name);
  if (!nicknames_ || member.nickname.empty()) return name;
  return tr("%1 (%2)", "a worker's name, its student's").arg(name, QString::fromStdString(member.nickname));
}

void ServedClass::setShowsNicknames(bool shown) {
  if (std::exchange(nicknames_, shown) != shown) Q_EMIT changed();
}

void ServedClass::setPaused(bool paused) {
  if (!isOpen()) return;
  source_->setPaused(paused);
  refresh();
}

void ServedClass::remove(int worker) {
  if (!isOpen()) return;
  source_->remove(worker);
  refresh();
}

void ServedClass::slow(int worker, double factor) {
  if (!isOpen()) return;
  source_->slow(worker, factor);
  refresh();
}

void ServedClass::end() {
  if (!isOpen()) return;
  source_->end();
  refresh();
}

QString classRateWords(const ClassTotals& totals) {
  return tr("%1 images/s, the class").arg(countText(std::llround(totals.imagesPerSecond)));
}

QString classEndWords(const ServedClass& served) {
  return tr("%Ln workers joined", nullptr, plural(std::ssize(served.members()))) + QStringLiteral(" · ") +
         tr("%Ln updates", nullptr, plural(served.totals().updates));
}

QString classTotalsWords(const ClassTotals& totals) {
  const double megabits = totals.bytesPerSecond / kMegabit;
  const QString link = numberText(megabits, 'f', megabits < kFewMegabits ? 1 : 0);
  const QStringList parts{tr("%Ln workers", nullptr, totals.workers),
                          tr("%Ln updates", nullptr, plural(totals.updates)), classRateWords(totals),
                          tr("%1 Mbit/s").arg(link)};
  return parts.join(QStringLiteral(" · "));
}

}  // namespace lab
