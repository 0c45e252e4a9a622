// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/branches/run_until_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

#include "ui/accessibility/announcer.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"

namespace lab {
namespace {

using Until = UntilWish::What;

template <typename Field>
Field* untilField(const char* name, const QString& words) {
  auto* made = new Field;
  made->setObjectName(QLatin1String(name));
  made->setAccessibleName(words);
  made->setToolTip(words);
  return made;
}

}  // namespace

RunUntilDialog::RunUntilDialog(RunUntil& until, std::int64_t shownStep, QWidget* parent)
    : QDialog(parent), until_(until) {
  setObjectName(QStringLiteral("runUntilDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Run until"));
  makeFields(shownStep);
  auto* all = new QVBoxLayout(this);
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->addRow(tr("&Until"), what_);
  valueLabel_ = new QLabel(tr("&Value"));
  valueLabel_->setBuddy(values_);
  form->addRow(valueLabel_, values_);
  inLabel_ = new QLabel(tr("&In"));
  inLabel_->setBuddy(in_);
  form->addRow(inLabel_, in_);
  QVBoxLayout* column = addFittingColumn(*all);
  column->addLayout(form);
  column->addStretch(1);
  words_ = makeLabel({.name = "untilWords", .wraps = true, .plain = true});
  all->addWidget(words_);
  makeButtons();
  connect(what_, &QComboBox::currentIndexChanged, this, &RunUntilDialog::refresh);
  connect(&until_, &RunUntil::changed, this, &RunUntilDialog::refresh);
  connect(&until_, &RunUntil::ended, this, [this](const QString& words) { announce(*this, words); });
  fitToScreen(*this, {30, 0});
  refresh();
}

void RunUntilDialog::makeFields(std::int64_t shownStep) {
  what_ = untilField<QComboBox>("untilWhat", tr("What to run until"));
  what_->addItem(tr("a step"), static_cast<int>(Until::Step));
  what_->addItem(tr("the end of an epoch"), static_cast<int>(Until::Epoch));
  what_->addItem(tr("an accuracy on the test images"), static_cast<int>(Until::Accuracy));
  what_->addItem(tr("the loss diverges"), static_cast<int>(Until::LossLost));
  what_->addItem(tr("the copies of the variables differ"), static_cast<int>(Until::CopiesDiffer));
  what_->addItem(tr("the weights of two lanes are this far apart"), static_cast<int>(Until::LanesApart));
  what_->setItemData(3,
                     tr("The loss is no longer a number, or it is ten times as high as at the beginning and does not "
                        "come down again."),
                     Qt::ToolTipRole);
  step_ = untilField<QSpinBox>("untilStep", tr("Number of the step"));
  step_->setRange(1, std::numeric_limits<int>::max());
  step_->setValue(static_cast<int>(std::min<std::int64_t>(shownStep + 100, step_->maximum())));
  epoch_ = untilField<QSpinBox>("untilEpoch", tr("Number of epochs that are over"));
  epoch_->setRange(1, 1'000'000);
  accuracy_ = untilField<QDoubleSpinBox>("untilAccuracy", tr("Accuracy on the test images"));
  accuracy_->setRange(0.1, 100);
  accuracy_->setDecimals(1);
  accuracy_->setSuffix(tr(" %"));
  accuracy_->setValue(90);
  distance_ = untilField<QDoubleSpinBox>("untilDistance", tr("Weight distance, ‖w − b‖ / ‖b‖"));
  distance_->setRange(0, 1'000'000);
  distance_->setDecimals(6);
  distance_->setValue(0.01);
  distance_->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  values_ = new QStackedWidget;
  for (QWidget* field : {static_cast<QWidget*>(step_), static_cast<QWidget*>(epoch_), static_cast<QWidget*>(accuracy_),
                         new QWidget, new QWidget, static_cast<QWidget*>(distance_)})
    values_->addWidget(field);
  in_ = untilField<QComboBox>("untilIn", tr("Which lanes must reach it"));
  in_->addItem(tr("the first lane that reaches it"));
  in_->addItem(tr("all lanes"));
}

void RunUntilDialog::makeButtons() {
  auto* buttons = new QDialogButtonBox;
  run_ = buttons->addButton(tr("&Run"), QDialogButtonBox::ActionRole);
  run_->setObjectName(QStringLiteral("untilRun"));
  run_->setDefault(true);
  stop_ = buttons->addButton(tr("&Stop"), QDialogButtonBox::ActionRole);
  stop_->setObjectName(QStringLiteral("untilStop"));
  QPushButton* close = buttons->addButton(tr("&Close"), QDialogButtonBox::RejectRole);
  close->setObjectName(QStringLiteral("untilClose"));
  connect(run_, &QPushButton::clicked, this, [this] { until_.start(wish()); });
  connect(stop_, &QPushButton::clicked, &until_, &RunUntil::stop);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  layout()->addWidget(buttons);
}

UntilWish RunUntilDialog::wish() const {
  UntilWish wish;
  wish.what = static_cast<Until>(what_->currentData().toInt());
  wish.inAllLanes = in_->currentIndex() == 1;
  if (wish.what == Until::Step) wish.value = step_->value();
  if (wish.what == Until::Epoch) wish.value = epoch_->value();
  if (wish.what == Until::Accuracy) wish.value = accuracy_->value() / 100;
  if (wish.what == Until::LanesApart) wish.value = distance_->value();
  return wish;
}

void RunUntilDialog::refresh() {
  const Until what = wish().what;
  const bool hasValue = what != Until::LossLost && what != Until::CopiesDiffer;
  const bool hasLanes = until_.severalLanes() && what == Until::Accuracy;
  values_->setCurrentIndex(what_->currentIndex());
  valueLabel_->setBuddy(values_->currentWidget());
  values_->setVisible(hasValue);
  valueLabel_->setVisible(hasValue);
  in_->setVisible(hasLanes);
  inLabel_->setVisible(hasLanes);
  const QString why = until_.refusal(wish());
  const bool running = until_.isRunning();
  // A focused button that is disabled would lose the keyboard focus, so move the focus first.
  if (running && focusWidget() == run_) stop_->setEnabled(true), stop_->setFocus();
  if (!running && focusWidget() == stop_ && why.isEmpty()) run_->setEnabled(true), run_->setFocus();
  run_->setEnabled(!running && why.isEmpty());
  stop_->setEnabled(running);
  what_->setEnabled(!running);
  words_->setText(!running && !why.isEmpty() ? why : until_.words());
}

}  // namespace lab
