// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/settings_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QToolButton>

#include <algorithm>
#include <utility>

#include "ui/setup/batch_kept_field.h"
#include "ui/setup/rate_field.h"
#include "ui/setup/setting_field.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// The part of a field that the Tab key reaches; nullptr if there is none.
QWidget* partOf(const QWidget& field) {
  for (QWidget* part : field.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
    if ((part->focusPolicy() & Qt::TabFocus) != 0) return part;
  return nullptr;
}

// The part that precedes it in the Tab order.
QWidget* stopBefore(const QWidget& part) {
  QWidget* before = part.previousInFocusChain();
  while (before != &part && (before->focusPolicy() & Qt::TabFocus) == 0) before = before->previousInFocusChain();
  return before;
}

// Puts `part` after `before` in the Tab order, unless it contains `before`: Qt would remove a part that is to follow
// its own line of text from the Tab order.
void putAfter(QWidget* before, QWidget* part) {
  if (!part->isAncestorOf(before)) QWidget::setTabOrder(before, part);
}

}  // namespace

SettingsRow::SettingsRow(Experiment& experiment, const QStringList& names, QWidget* parent)
    : QWidget(parent), experiment_(experiment), row_(new QHBoxLayout(this)), names_(names), more_(new QToolButton) {
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(theme::em(0.5));
  for (const QString& name : names) {
    fields_ << makeField(name);
    row_->addWidget(fields_.last());
  }
  more_->setObjectName(QStringLiteral("moreSettings"));
  more_->setProperty("framed", true);
  more_->setText(QStringLiteral("⋯"));
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  more_->hide();
  connect(more_, &QToolButton::clicked, this, &SettingsRow::openMore);
  row_->addWidget(more_);
}

QWidget* SettingsRow::makeField(const QString& name) const {
  if (name == QLatin1String("batch-kept")) return new BatchKeptField(experiment_);
  if (name == QLatin1String("learning-rate")) return new RateField(experiment_);
  const QString caption = name == QLatin1String("replicas")            ? tr("Replicas")
                          : name == QLatin1String("batch-per-replica") ? tr("Batch/replica")
                          : name == QLatin1String("global-batch")      ? tr("Global batch")
                                                                       : tr("Reducer");
  return new SettingField(experiment_, name, caption);
}

QWidget* SettingsRow::field(const QString& name) const {
  const qsizetype at = names_.indexOf(name);
  return at < 0 ? nullptr : fields_[at];
}

void SettingsRow::exchange(SettingsRow& one, const QString& name, SettingsRow& other, const QString& otherName) {
  const qsizetype here = one.names_.indexOf(name), there = other.names_.indexOf(otherName);
  QWidget *first = partOf(*one.fields_[here]), *second = partOf(*other.fields_[there]);
  std::swap(one.names_[here], other.names_[there]);
  std::swap(one.fields_[here], other.fields_[there]);
  one.row_->insertWidget(static_cast<int>(here), one.fields_[here]);
  other.row_->insertWidget(static_cast<int>(there), other.fields_[there]);
  // The Tab order follows the fields' new places.
  if (first == nullptr || second == nullptr) return;
  QWidget *beforeFirst = stopBefore(*first), *beforeSecond = stopBefore(*second);
  putAfter(beforeFirst, second);
  putAfter(beforeSecond, first);
}

void SettingsRow::setGone(const QList<QWidget*>& fields) {
  gone_.clear();
  QStringList captions;
  for (qsizetype i = 0; i < fields_.size(); ++i) {
    if (!fields.contains(fields_[i])) continue;
    gone_ << names_[i];
    if (const auto* caption = fields_[i]->findChild<QLabel*>()) captions << caption->text();
  }
  more_->setVisible(!gone_.isEmpty());
  more_->setAccessibleName(tr("More settings: %1").arg(captions.join(QStringLiteral(", "))));
  more_->setToolTip(more_->accessibleName());
}

// Makes new fields: the row may get its own back at any time.
void SettingsRow::openMore() {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setObjectName(QStringLiteral("moreSettingsPopup"));
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setProperty("role", QStringLiteral("popup"));
  popup->setAccessibleName(tr("More settings"));
  auto* row = new QHBoxLayout(popup);
  row->setContentsMargins(theme::em(0.8), theme::em(0.6), theme::em(0.8), theme::em(0.6));
  row->setSpacing(theme::em(0.8));
  for (const QString& name : gone_) row->addWidget(makeField(name), 0, Qt::AlignVCenter);
  popup->adjustSize();
  const QRect screen = this->screen()->availableGeometry();
  QPoint at = more_->mapToGlobal(QPoint(0, more_->height()));
  at.setX(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - popup->width())));
  popup->move(at);
  popup->show();
  popup->setFocus(Qt::PopupFocusReason);
}

int SettingsRow::moreWidth() const {
  return more_->sizeHint().width() + row_->spacing();
}

}  // namespace lab
