// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/rate_field.h"

#include <QActionGroup>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/options/config_field.h"
#include "core/options/learning_rate.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/setup/experiment.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr std::int64_t kAfterWarmup = std::numeric_limits<std::int64_t>::max() / 2;

QString ruleText(const QString& rule, const QString& rate) {
  if (rule == QLatin1String("linear")) return lab::tr("Linear with the batch: %1").arg(rate);
  if (rule == QLatin1String("sqrt")) return lab::tr("Root of the batch: %1").arg(rate);
  if (rule == QLatin1String("staleness")) return lab::tr("Divided by the staleness: %1").arg(rate);
  return lab::tr("Rate unchanged: %1").arg(rate);
}

// The rules that the strategy supports.
std::vector<std::string> rulesFor(const SettingsBase& config) {
  std::vector<std::string> rules = configField("lr-scaling").choices;
  if (strategyInfo(config.strategy).synchronous) std::erase(rules, "staleness");
  return rules;
}

ResolvedSettings withRule(ResolvedSettings config, const std::string& rule) {
  RunSettings named;
  configField("lr-scaling").set(named, rule);
  config.lrScaling = named.lrScaling;
  return config;
}

}  // namespace

QString rateText(const ResolvedSettings& config) {
  const ConfigField& field = configField("learning-rate");
  const QString base = settingText(field, field.get(config));
  if (config.lrScaling == LearningRateScaling::Staleness) return lab::tr("%1 ÷ staleness").arg(base);
  const double full = learningRateAt(config, kAfterWarmup, 1);
  return full == config.learningRate ? base : QStringLiteral("%1 → %2").arg(base, numberText(full, 'g', 4));
}

RateField::RateField(Experiment& experiment, QWidget* parent) : QWidget(parent), experiment_(experiment) {
  setObjectName(QStringLiteral("lr-scaling"));
  auto* caption = new QLabel(tr("Learning rate"));
  caption->setProperty("role", QStringLiteral("caption"));
  button_ = new QToolButton;
  button_->setObjectName(QStringLiteral("rate"));
  button_->setProperty("framed", true);
  button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button_->setIcon(icon(Icon::Down));
  button_->setLayoutDirection(layoutDirection() == Qt::LeftToRight ? Qt::RightToLeft : Qt::LeftToRight);
  button_->setFocusPolicy(Qt::TabFocus);
  button_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Expanding);  // as high as its neighbours
  menu_ = new QMenu(button_);
  // Not setMenu(), because Qt would open that menu with an event loop of its own.
  connect(button_, &QToolButton::clicked, this, &RateField::openMenu);
  caption->setBuddy(button_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  column->addWidget(caption);
  column->addWidget(button_);
  connect(&experiment_, &Experiment::changed, this, &RateField::refresh);
  theme::follow(this, [this] { refresh(); });
}

void RateField::refresh() {
  const ResolvedSettings& config = experiment_.resolved();
  const QString text = rateText(config);
  button_->setText(text);
  button_->setAccessibleName(tr("Learning rate: %1").arg(text));
  QString tip =
      config.lrScaling == LearningRateScaling::Staleness
          ? tr("Each update's learning rate is divided by its staleness: how many updates its gradient has missed")
          : tr("The learning rate, and what its rule makes of it at this global batch: the rate unchanged, times the "
               "batch over 64, or times the square root of that");
  if (config.warmupEpochs > 0)
    tip += QStringLiteral(". ") + tr("It rises to that over %1 epochs").arg(numberText(config.warmupEpochs));
  button_->setToolTip(tip);
  button_->setAccessibleDescription(tip);
  setToolTip(tip);
}

void RateField::openMenu() {
  const ResolvedSettings& config = experiment_.resolved();
  menu_->clear();
  auto* group = new QActionGroup(menu_);
  for (const std::string& rule : rulesFor(config)) {
    const QString name = QString::fromStdString(rule);
    QAction* action = menu_->addAction(ruleText(name, rateText(withRule(config, rule))));
    action->setCheckable(true);
    action->setChecked(configField("lr-scaling").get(config) == rule);
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, name] { experiment_.set(QStringLiteral("lr-scaling"), name); });
  }
  menu_->popup(button_->mapToGlobal(QPoint(0, button_->height())));
}

}  // namespace lab
