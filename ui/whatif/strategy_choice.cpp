// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whatif/strategy_choice.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <string>

#include "core/options/config_field.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/theme/still.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

QComboBox* makeChoice(const char* objectName, const QString& title, const QString& tip) {
  auto* box = new Still<QComboBox>;
  box->setObjectName(QLatin1String(objectName));
  box->setFocusPolicy(Qt::TabFocus);  // after a choice with the mouse, keys go to the window
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setAccessibleName(title);
  box->setToolTip(tip);
  box->setWhatsThis(tip);
  return box;
}

}  // namespace

StrategyChoice::StrategyChoice(QWidget* parent) : QWidget(parent), notes_(new QLabel) {
  strategy_ = makeChoice("whatIfStrategy", tr("Strategy"),
                         tr("The recorded step's examples on the same devices under another strategy. Computing time "
                            "is the recorded step's; communication is modelled for the chosen strategy."));
  for (const StrategyInfo& info : strategies()) strategy_->addItem(coreText(info.name), static_cast<int>(info.kind));
  reducer_ = makeChoice("whatIfReducer", tr("Reducer"), tr("How that strategy sums gradients over its replicas."));
  notes_->setObjectName(QStringLiteral("whatIfStrategyNotes"));
  notes_->setProperty("role", QStringLiteral("quiet"));
  notes_->setWordWrap(true);
  notes_->hide();
  auto* form = new QFormLayout;
  form->setVerticalSpacing(theme::em(0.35));
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->addRow(tr("Strategy"), strategy_);
  form->addRow(tr("Reducer"), reducer_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(form);
  column->addWidget(notes_);
  offerReducers(Reducer::Auto);
  connect(strategy_, &QComboBox::currentIndexChanged, this, [this] {
    offerReducers(reducer());
    Q_EMIT chosen();
  });
  connect(reducer_, &QComboBox::currentIndexChanged, this, &StrategyChoice::chosen);
}

StrategyKind StrategyChoice::strategy() const {
  return static_cast<StrategyKind>(strategy_->currentData().toInt());
}

Reducer StrategyChoice::reducer() const {
  return static_cast<Reducer>(reducer_->currentData().toInt());
}

void StrategyChoice::set(StrategyKind strategy, Reducer reducer) {
  const QSignalBlocker quiet(strategy_);
  strategy_->setCurrentIndex(strategy_->findData(static_cast<int>(strategy)));
  offerReducers(reducer);
}

void StrategyChoice::offerReducers(Reducer wanted) {
  const QSignalBlocker quiet(reducer_);
  const ConfigField& field = configField("reducer");
  reducer_->clear();
  const auto offer = [&](Reducer reducer) {
    reducer_->addItem(settingText(field, std::string(toString(reducer))), static_cast<int>(reducer));
  };
  offer(Reducer::Auto);
  for (const Reducer reducer : strategyInfo(strategy()).reducers) offer(reducer);
  reducer_->setCurrentIndex(std::max(0, reducer_->findData(static_cast<int>(wanted))));
  reducer_->setEnabled(reducer_->count() > 1);
}

void StrategyChoice::setNotes(const QString& sentences) {
  notes_->setText(sentences);
  notes_->setVisible(!sentences.isEmpty());
}

}  // namespace lab
