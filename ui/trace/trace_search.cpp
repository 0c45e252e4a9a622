// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_search.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>
#include <utility>

#include "core/base/at.h"
#include "ui/accessibility/announcer.h"
#include "ui/accessibility/own_events.h"
#include "ui/i18n/words.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"
#include "ui/trace/trace_view.h"

namespace lab {

TraceSearch::TraceSearch(std::vector<TraceView*> views, QWidget* parent) : QWidget(parent), views_(std::move(views)) {
  line_ = new QLineEdit;
  line_->setObjectName(QStringLiteral("traceSearch"));
  line_->setPlaceholderText(tr("Find a bar"));
  line_->setAccessibleName(tr("Find a bar of the trace"));
  line_->setToolTip(tr("By its name or its kind. Enter goes to the next one, Shift+Enter to the one before."));
  line_->setProperty(kOwnEnter, true);
  line_->installEventFilter(this);
  theme::follow(line_, [this] { line_->setFixedWidth(theme::em(8)); });
  count_ = makeLabel({.name = "traceFound", .role = "quiet"});
  count_->hide();
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.4));
  row->addWidget(line_);
  row->addWidget(count_);
  connect(line_, &QLineEdit::textChanged, this, [this] {
    last_ = {};
    refresh();
  });
}

std::vector<TraceSearch::Match> TraceSearch::matches() const {
  std::vector<Match> found;
  for (TraceView* view : views_)
    for (const std::int64_t bar : view->tracks().find(line_->text())) found.push_back({view, bar});
  return found;
}

void TraceSearch::refresh() {
  last_ = {};
  const bool asked = !line_->text().isEmpty();
  count_->setVisible(asked);
  if (!asked || !isVisible()) return;
  const auto found = std::ssize(matches());
  count_->setText(found == 0 ? tr("none") : tr("%1 found").arg(countText(found)));
}

void TraceSearch::go(int direction) {
  const std::vector<Match> found = matches();
  if (found.empty()) return;
  const auto same = [this](const Match& match) { return match.view == last_.view && match.bar == last_.bar; };
  const auto here = std::ranges::find_if(found, same) - found.begin();
  const std::ptrdiff_t count = std::ssize(found);
  const std::ptrdiff_t next = here == count ? (direction > 0 ? 0 : count - 1) : (here + direction + count) % count;
  last_ = at(found, next);
  last_.view->goTo(last_.bar);
  count_->setText(tr("%1 of %2", "which of those found").arg(countText(next + 1), countText(count)));
  announce(*this, count_->text(), Announcer::Kind::Passing);
}

bool TraceSearch::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto& key = static_cast<const QKeyEvent&>(*event);
  if (key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter) {
    go((key.modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace lab
