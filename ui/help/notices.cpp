// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/notices.h"

#include <algorithm>
#include <utility>

namespace lab {

Notices::Notices(Notice& notice, QObject* parent) : QObject(parent), notice_(notice) {
  connect(&notice_, &Notice::closed, this, [this] {
    if (!entries_.empty()) entries_.pop_back();
    show();
  });
  connect(&notice_, &Notice::remedyWanted, this, [this] {
    if (entries_.empty()) return;
    const Entry done = std::move(entries_.back());
    entries_.pop_back();
    show();
    if (done.message.act) done.message.act();
  });
}

void Notices::set(Cause cause, Message message) {
  std::erase_if(entries_, [cause](const Entry& entry) { return entry.cause == cause; });
  if (!message.isDone || !message.isDone()) entries_.push_back({cause, std::move(message)});
  show();
}

void Notices::offer(Cause cause, const QString& remedy, std::function<void()> act) {
  for (Entry& entry : entries_) {
    if (entry.cause != cause) continue;
    entry.message.remedy = remedy;
    entry.message.act = std::move(act);
  }
  show();
}

void Notices::over(Cause cause) {
  if (std::erase_if(entries_, [cause](const Entry& entry) { return entry.cause == cause; }) > 0) show();
}

void Notices::review() {
  const auto isDone = [](const Entry& entry) { return entry.message.isDone && entry.message.isDone(); };
  if (std::erase_if(entries_, isDone) > 0) show();
}

bool Notices::has(Cause cause) const {
  return std::any_of(entries_.begin(), entries_.end(), [cause](const Entry& entry) { return entry.cause == cause; });
}

void Notices::show() {
  notice_.say(Notice::Kind::Warning, QString());  // so that a closed message can be shown again
  if (entries_.empty()) return;
  const Message message = entries_.back().message;  // a copy: what is shown resizes the window, which may end a message
  notice_.say(message.kind, message.text, message.remedy);
}

}  // namespace lab
