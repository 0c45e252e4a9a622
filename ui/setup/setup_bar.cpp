// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/setup_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>

#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"
#include "ui/setup/settings_row.h"
#include "ui/setup/strategy_picker.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

// Under a parameter server each step belongs to one worker, which takes no part in a global batch.
constexpr auto kGlobal = QLatin1String("global-batch"), kOwn = QLatin1String("batch-per-replica");

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
  // As wide as the longest name, so that nothing moves when another strategy is chosen.
  theme::follow(this, [this] {
    int widest = 0;
    for (const StrategyInfo& info : strategies())
      widest = std::max(widest, strategy_->fontMetrics().horizontalAdvance(strategyShortName(info)));
    strategy_->setMinimumWidth(widest + theme::em(3.4));
  });
  connect(strategy_, &QToolButton::clicked, this, &SetupBar::openPicker);
  caption->setBuddy(strategy_);
  column->addWidget(caption);
  column->addWidget(strategy_);
  row->addLayout(column);

  first_ = new SettingsRow(experiment_, {QStringLiteral("replicas"), kGlobal});
  row->addWidget(first_);
  others_ = new SettingsRow(
      experiment_, {kOwn, QStringLiteral("batch-kept"), QStringLiteral("learning-rate"), QStringLiteral("reducer")});
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

int SetupBar::nameWidth() const {
  return strategy_->sizeHint().expandedTo(strategy_->minimumSize()).width() + layout()->spacing();
}

void SetupBar::refresh() {
  const StrategyInfo& info = strategyInfo(experiment_.resolved().strategy);
  strategy_->setText(strategyShortName(info));
  strategy_->setAccessibleName(tr("Strategy: %1").arg(coreText(info.name)));
  strategy_->setAccessibleDescription(coreText(info.sentence));
  const QLatin1String batch = experiment_.hasGlobalBatch() ? kGlobal : kOwn;
  if (first_->field(batch) == nullptr)
    SettingsRow::exchange(*first_, batch == kGlobal ? kOwn : kGlobal, *others_, batch);
  // While a rule is in effect, its rate is more important than the reducer.
  const bool atWork = experiment_.resolved().lrScaling != LearningRateScaling::None;
  others_->field(QStringLiteral("learning-rate"))->setProperty("leastNeeded", !atWork);
  others_->field(QStringLiteral("reducer"))->setProperty("leastNeeded", atWork);
  Q_EMIT refreshed();
}

}  // namespace lab
