// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accessibility/announcer.h"

#include <QAccessible>

#include <utility>

namespace lab {
namespace {

constexpr int kPauseMs = 1'200;  // about as long as a short sentence takes to speak

}  // namespace

Announcer::Announcer(QWidget* window) : QWidget(window) {
  setObjectName(QStringLiteral("announcer"));
  setFocusPolicy(Qt::NoFocus);
  hide();
  pause_.setSingleShot(true);
  pause_.setInterval(kPauseMs);
  connect(&pause_, &QTimer::timeout, this, [this] {
    if (!nextPassing_.isEmpty()) next_ << std::exchange(nextPassing_, QString());
    if (!next_.isEmpty()) speak(std::exchange(next_, {}).join(QStringLiteral(". ")));
  });
}

void Announcer::say(const QString& words, Kind kind) {
  if (!QAccessible::isActive() || words.isEmpty()) return;
  if (!pause_.isActive()) {
    speak(words);
  } else if (kind == Kind::Passing) {
    nextPassing_ = words;
  } else {
    nextPassing_.clear();
    next_ << words;
  }
}

void Announcer::speak(const QString& words) {
  setAccessibleName(words);
  QAccessibleEvent shown(this, QAccessible::ObjectShow);
  QAccessible::updateAccessibility(&shown);
  pause_.start();
}

void announce(const QWidget& near, const QString& words, Announcer::Kind kind) {
  for (const QWidget* window = near.window(); window != nullptr;
       window = window->parentWidget() != nullptr ? window->parentWidget()->window() : nullptr) {
    if (auto* announcer = window->findChild<Announcer*>(QString(), Qt::FindDirectChildrenOnly))
      return announcer->say(words, kind);
  }
}

}  // namespace lab
