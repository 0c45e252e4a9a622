// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/setup_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScreen>
#include <QToolButton>

#include <algorithm>

#include "ui/i18n/core_words.h"
#include "ui/setup/batch_kept_field.h"
#include "ui/setup/experiment.h"
#include "ui/setup/rate_field.h"
#include "ui/setup/setting_field.h"
#include "ui/setup/strategy_picker.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// What the bar does without in little room, in its order.
constexpr const char* kSpare[] = {"replicas",   "batch-per-replica", "global-batch",
                                  "batch-kept", "learning-rate",     "reducer"};

}  // namespace

SetupBar::SetupBar(Experiment& experiment, QWidget* parent) : QWidget(parent), experiment_(experiment) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.5));

  auto* column = new QVBoxLayout;
  column->setSpacing(1);
  auto* caption = new QLabel(tr("Strategy"));
  caption->setProperty("role", QStringLiteral("caption"));
  strategy_ = new QToolButton;
  strategy_->setObjectName(QStringLiteral("strategy"));
  strategy_->setProperty("framed", true);
  strategy_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  strategy_->setIcon(icon(Icon::Down));
  strategy_->setLayoutDirection(layoutDirection() == Qt::LeftToRight ? Qt::RightToLeft : Qt::LeftToRight);
  strategy_->setFocusPolicy(Qt::TabFocus);
  strategy_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);  // as high as its neighbours
  strategy_->setToolTip(tr("Choose among the strategies (1 to %1)").arg(std::min<std::size_t>(9, strategies().size())));
  // As wide as the longest name, so that nothing moves when another is chosen.
  theme::follow(this, [this] {
    int widest = 0;
    for (const StrategyInfo& info : strategies())
      widest = std::max(widest, strategy_->fontMetrics().horizontalAdvance(strategyShortName(info)));
    strategy_->setMinimumWidth(widest + theme::em(3.4));
  });
  connect(strategy_, &QToolButton::clicked, this, &SetupBar::openPicker);
  column->addWidget(caption);
  column->addWidget(strategy_);
  row->addLayout(column);

  for (const char* name : kSpare) {
    QWidget* field = makeField(QLatin1String(name));
    field->setProperty("spare", true);
    row->addWidget(field);
    spares_ << field;
  }
  rate_ = spares_[spares_.size() - 2];
  reducer_ = spares_.last();
  more_ = new QToolButton;
  more_->setObjectName(QStringLiteral("moreSettings"));
  more_->setProperty("framed", true);
  more_->setText(QStringLiteral("⋯"));
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);
  more_->hide();
  connect(more_, &QToolButton::clicked, this, &SetupBar::openMore);
  row->addWidget(more_);
  connect(&experiment_, &Experiment::changed, this, &SetupBar::refresh);
  refresh();
}

void SetupBar::openPicker() {
  if (picker_ == nullptr) {
    picker_ = new StrategyPicker(experiment_, this);
    connect(picker_, &StrategyPicker::compareWanted, this, &SetupBar::compareWanted);
    connect(picker_, &StrategyPicker::closed, strategy_, &QWidget::clearFocus);  // so that Space plays
  }
  picker_->openBelow(strategy_);
}

QWidget* SetupBar::makeField(const QString& name) {
  if (name == QLatin1String("batch-kept")) return new BatchKeptField(experiment_);
  if (name == QLatin1String("learning-rate")) return new RateField(experiment_);
  const QString caption = name == QLatin1String("replicas")            ? tr("Replicas")
                          : name == QLatin1String("batch-per-replica") ? tr("Batch/replica")
                          : name == QLatin1String("global-batch")      ? tr("Global batch")
                                                                       : tr("Reducer");
  return new SettingField(experiment_, name, caption);
}

QList<QWidget*> SetupBar::spares() const {
  return spares_;
}

void SetupBar::setGone(const QList<QWidget*>& spares) {
  gone_.clear();
  for (qsizetype i = 0; i < spares_.size(); ++i)
    if (spares.contains(spares_[i])) gone_ << QLatin1String(kSpare[i]);
  more_->setVisible(!gone_.isEmpty());
  QStringList names;
  for (QWidget* field : spares)
    if (const auto* caption = field->findChild<QLabel*>()) names << caption->text();
  more_->setAccessibleName(tr("More settings: %1").arg(names.join(QStringLiteral(", "))));
  more_->setToolTip(more_->accessibleName());
}

// Fields of their own: the bar may get its back at any time.
void SetupBar::openMore() {
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

int SetupBar::moreWidth() const {
  return more_->sizeHint().width() + layout()->spacing();
}

int SetupBar::nameWidth() const {
  return strategy_->sizeHint().expandedTo(strategy_->minimumSize()).width();
}

void SetupBar::refresh() {
  const StrategyInfo& info = strategyInfo(experiment_.resolved().strategy);
  strategy_->setText(strategyShortName(info));
  strategy_->setAccessibleName(tr("Strategy: %1").arg(coreText(info.name)));
  strategy_->setAccessibleDescription(coreText(info.sentence));
  // Where a rule is at work its rate is worth more than the reducer.
  const bool atWork = experiment_.resolved().lrScaling != LearningRateScaling::None;
  rate_->setProperty("leastNeeded", !atWork);
  reducer_->setProperty("leastNeeded", atWork);
  Q_EMIT refreshed();
}

}  // namespace lab
