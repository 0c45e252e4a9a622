// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/notices.h"

#include <algorithm>
#include <utility>

namespace lab {

Notices::Notices(Notice& notice, QObject* parent) : QObject(parent), notice_(notice) {
  connect(&notice_, &Notice::closed, this, [this] {
    if (!told_.empty()) told_.pop_back();
    show();
  });
  connect(&notice_, &Notice::remedyWanted, this, [this] {
    if (told_.empty()) return;
    const Told done = std::move(told_.back());
    told_.pop_back();
    show();
    if (done.message.act) done.message.act();
  });
}

void Notices::tell(Cause cause, Message message) {
  std::erase_if(told_, [cause](const Told& told) { return told.cause == cause; });
  told_.push_back({cause, std::move(message)});
  show();
}

void Notices::offer(Cause cause, const QString& remedy, std::function<void()> act) {
  for (Told& told : told_) {
    if (told.cause != cause) continue;
    told.message.remedy = remedy;
    told.message.act = std::move(act);
  }
  show();
}

void Notices::over(Cause cause) {
  if (std::erase_if(told_, [cause](const Told& told) { return told.cause == cause; }) > 0) show();
}

bool Notices::has(Cause cause) const {
  return std::any_of(told_.begin(), told_.end(), [cause](const Told& told) { return told.cause == cause; });
}

void Notices::show() {
  notice_.tell(Notice::Kind::Warning, QString());  // what was closed may be said again
  if (told_.empty()) return;
  const Message& message = told_.back().message;
  notice_.tell(message.kind, message.text, message.remedy);
}

}  // namespace lab
