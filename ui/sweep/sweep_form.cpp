// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/options/config_field.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/sweep/sweep_axes.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/still.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kPauseMs = 300;  // after the last change
constexpr int kMostAtOnce = 64;
constexpr std::array<const char*, 5> kRules{"none", "sqrt", "linear", kWarmedRule, kStalenessRule};

template <typename Box>
Box* makeNumber() {
  auto* box = new Still<Box>;
  box->setFocusPolicy(Qt::StrongFocus);  // not from the wheel
  return box;
}

}  // namespace

SweepForm::SweepForm(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("sweepForm"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(theme::em(0.6), theme::em(0.4), theme::em(0.6), theme::em(0.4));
  column->setSpacing(theme::em(0.3));
  filling_ = true;
  addHead(*column);
  auto* form = new QFormLayout;
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->setContentsMargins(0, 0, 0, 0);
  form->setSpacing(theme::em(0.3));
  addAxes(*form);
  addRules(*form);
  addLength(*form);
  column->addLayout(form);
  plan_ = makeLabel({.role = "caption", .wraps = true, .selectable = true});
  plan_->setObjectName(QStringLiteral("sweepPlan"));
  complaintText_ = makeLabel({.name = "sweepComplaint", .role = "error", .wraps = true});
  complaintText_->hide();
  column->addWidget(plan_);
  column->addWidget(complaintText_);
  column->addStretch();
  timer_.setSingleShot(true);
  timer_.setInterval(kPauseMs);
  connect(&timer_, &QTimer::timeout, this, &SweepForm::edited);
  filling_ = false;
}

void SweepForm::addHead(QVBoxLayout& column) {
  auto* staleness = new QPushButton(tr("Staleness over workers"));
  staleness->setObjectName(QStringLiteral("sweepStaleness"));
  staleness->setToolTip(
      tr("ParameterServer with 1 to 16 workers, with an unchanged rate and with each update's rate divided by its "
         "staleness, beside Mirrored on as many images"));
  connect(staleness, &QPushButton::clicked, this, [this] { Q_EMIT presetWanted(stalenessSweep()); });
  baseText_ = makeLabel({.role = "caption", .wraps = true, .selectable = true});
  auto* take = new QPushButton(tr("Use the stage's settings"));
  take->setObjectName(QStringLiteral("sweepTakeBase"));
  take->setToolTip(tr("All settings that are not an axis here are then those of the run on the stage."));
  connect(take, &QPushButton::clicked, this, &SweepForm::baseWanted);
  column.addWidget(staleness);
  column.addWidget(baseText_);
  column.addWidget(take);
}

void SweepForm::addAxes(QFormLayout& form) {
  const std::array<QString, 2> captions{tr("Rows"), tr("Columns")},
      values{tr("Values of the rows"), tr("Values of the columns")};
  int number = 0;
  for (Axis* axis : {&rows_, &columns_}) {
    axis->setting = new Still<QComboBox>;
    axis->setting->setObjectName(number == 0 ? QStringLiteral("sweepRows") : QStringLiteral("sweepColumns"));
    axis->setting->setFocusPolicy(Qt::TabFocus);
    axis->setting->setAccessibleName(captions[number]);
    axis->setting->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (const std::string& name : usualAxes()) axis->setting->addItem(axisName(name), QString::fromStdString(name));
    axis->setting->insertSeparator(axis->setting->count());
    for (const ConfigField& field : configFields())
      if (canBeAxis(field)) axis->setting->addItem(settingCaption(field), QString::fromStdString(field.name));
    axis->values = new QLineEdit;
    axis->values->setObjectName(number == 0 ? QStringLiteral("sweepRowValues") : QStringLiteral("sweepColumnValues"));
    axis->values->setAccessibleName(values[number]);
    axis->setting->setToolTip(tr("The setting in which rows or columns differ"));
    auto* label = new QLabel(captions[number]);
    label->setBuddy(axis->setting);
    form.addRow(label, axis->setting);
    form.addRow(axis->values);
    connect(axis->setting, &QComboBox::activated, this, [this, axis] { axisChosen(*axis); });
    connect(axis->values, &QLineEdit::textChanged, this, &SweepForm::changed);
    ++number;
  }
}

void SweepForm::addRules(QFormLayout& form) {
  auto* box = new QWidget;
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  for (std::size_t i = 0; i < kRules.size(); ++i) {
    rules_[i] = new QCheckBox(ruleName(kRules[i]));
    rules_[i]->setObjectName(QStringLiteral("sweepRule-") + QLatin1String(kRules[i]));
    rules_[i]->setToolTip(
        kRules[i] == std::string_view(kStalenessRule)
            ? tr("For parameter servers: each update's learning rate is divided by how many updates its gradient has "
                 "missed")
            : tr("How the learning rate changes when the global batch is not 64"));
    column->addWidget(rules_[i]);
    connect(rules_[i], &QCheckBox::toggled, this, &SweepForm::changed);
  }
  auto* label = new QLabel(tr("Rules"));
  label->setBuddy(rules_[0]);
  form.addRow(label, box);
  warmup_ = makeNumber<QDoubleSpinBox>();
  warmup_->setRange(0.1, 1000);
  warmup_->setDecimals(1);
  warmup_->setValue(1);
  warmup_->setSuffix(tr(" epochs"));
  warmup_->setAccessibleName(tr("Warm-up"));
  warmup_->setToolTip(tr("Number of epochs over which the rate rises to its value"));
  auto* warmupLabel = new QLabel(tr("Warm-up"));
  warmupLabel->setBuddy(warmup_);
  form.addRow(warmupLabel, warmup_);
  connect(warmup_, &QDoubleSpinBox::valueChanged, this, &SweepForm::changed);
}

void SweepForm::addLength(QFormLayout& form) {
  const auto add = [&](const QString& caption, QWidget* field, const char* name) {
    auto* label = new QLabel(caption);
    label->setBuddy(field);
    field->setObjectName(QLatin1String(name));
    field->setAccessibleName(caption);
    form.addRow(label, field);
  };
  seeds_ = makeNumber<QSpinBox>();
  seeds_->setRange(1, 1000);  // as in a file
  seeds_->setToolTip(
      tr("How often each cell is trained, each time with other initial weights and another order of the images; the "
         "spread is due to chance"));
  add(tr("Seeds"), seeds_, "sweepSeeds");
  target_ = makeNumber<QDoubleSpinBox>();
  target_->setRange(0, 100);
  target_->setDecimals(1);
  target_->setSuffix(tr(" %"));
  target_->setSpecialValueText(tr("none"));
  target_->setToolTip(tr("On the test images; steps, examples and time until it is first reached are counted"));
  add(tr("Target accuracy"), target_, "sweepTarget");
  length_ = new Still<QComboBox>;
  length_->setFocusPolicy(Qt::TabFocus);
  length_->addItems(
      {tr("until the target"), tr("a number of steps"), tr("a number of examples"), tr("a number of epochs")});
  length_->setToolTip(
      tr("The same budget of steps lets large batches see more images; the same budget of examples gives "
         "small batches more steps. Which batch looks best depends on it."));
  add(tr("Each run trains"), length_, "sweepLength");
  amount_ = makeNumber<QSpinBox>();
  amount_->setRange(1, 100'000'000);
  amount_->setGroupSeparatorShown(true);
  amount_->setToolTip(tr("Steps, examples or epochs of each run"));
  add(tr("How many"), amount_, "sweepAmount");
  jobs_ = makeNumber<QSpinBox>();
  jobs_->setRange(1, kMostAtOnce);
  jobs_->setToolTip(tr("Never changes a result. Runs on real devices run one at a time."));
  add(tr("Runs at once"), jobs_, "sweepJobs");
  within_ = makeNumber<QSpinBox>();
  within_->setRange(0, static_cast<int>(kMostSeconds));
  within_->setSuffix(tr(" s"));
  within_->setSpecialValueText(tr("as long as it takes"));
  within_->setToolTip(
      tr("The sweep ends by then: coarse cells come first, and cells for which no time is left are not run. “Go on” "
         "runs for as long again."));
  add(tr("Ends within"), within_, "sweepWithin");
  for (QSpinBox* box : {seeds_, amount_, jobs_, within_})
    connect(box, &QSpinBox::valueChanged, this, &SweepForm::changed);
  connect(target_, &QDoubleSpinBox::valueChanged, this, &SweepForm::changed);
  connect(length_, &QComboBox::activated, this, [this](int row) {
    const std::array usual{0, 200, 20'000, 3};
    if (row > 0) amount_->setValue(at(usual, row));
    changed();
  });
}

void SweepForm::changed() {
  showBase();
  amount_->setEnabled(static_cast<Length>(length_->currentIndex()) != Length::Target);
  warmup_->setEnabled(rules_[3]->isChecked());
  const bool ofRule = settingOf(rows_) == kRuleAxis || settingOf(columns_) == kRuleAxis;
  for (const Axis* axis : {&rows_, &columns_}) {
    const bool isRule = settingOf(*axis) == kRuleAxis;
    axis->values->setEnabled(!isRule);
    axis->values->setPlaceholderText(isRule ? tr("those ticked below") : QString());
  }
  rules_[0]->setToolTip(ofRule ? tr("These are the values of the axis") : rules_[1]->toolTip());
  if (!filling_) timer_.start();
}

std::string SweepForm::settingOf(const Axis& axis) const {
  return axis.setting->currentData().toString().toStdString();
}

void SweepForm::axisChosen(Axis& axis) {
  filling_ = true;
  fillValues(axis, usualValues(settingOf(axis), base_));
  filling_ = false;
  changed();
}

void SweepForm::fillValues(const Axis& axis, const std::vector<std::string>& values) {
  const std::string setting = settingOf(axis);
  if (setting == kRuleAxis) return axis.values->clear();
  const ConfigField& field = configField(setting);
  QStringList texts;
  for (const std::string& value : values)
    texts << (field.kind == ConfigField::Kind::Real ? settingText(field, value) : QString::fromStdString(value));
  axis.values->setText(texts.join(commaSeparates(setting) ? QStringLiteral(", ") : QStringLiteral("; ")));
  axis.values->setToolTip(QStringLiteral("%1\n%2").arg(
      settingHelp(field),
      commaSeparates(setting) ? tr("Values, separated by commas") : tr("Values, separated by semicolons")));
}

std::vector<std::string> SweepForm::valuesIn(const Axis& axis) const {
  const std::string setting = settingOf(axis);
  static const QRegularExpression kAll(QStringLiteral("[,;\\s]+")), kNoComma(QStringLiteral(",?[;\\s]+"));
  std::vector<std::string> values;
  for (const QString& text : axis.values->text().split(commaSeparates(setting) ? kAll : kNoComma, Qt::SkipEmptyParts))
    values.push_back(settingValue(configField(setting), text));
  return values;
}

void SweepForm::checkAxes() const {
  const std::string rows = settingOf(rows_), columns = settingOf(columns_);
  const auto isBatch = [](const std::string& axis) { return axis == "batch-per-replica" || axis == "global-batch"; };
  if (rows == columns || (isBatch(rows) && isBatch(columns)))
    throw UserError(say::verbatim,
                    tr("Rows and columns are the same axis. Choose another for one of them.").toStdString());
  for (const Axis* axis : {&rows_, &columns_})
    if (settingOf(*axis) != kRuleAxis && valuesIn(*axis).empty())
      throw UserError(
          say::verbatim,
          tr("%1 has no values. Give some, such as 1, 2, 4.").arg(axisName(settingOf(*axis))).toStdString());
  if (std::ranges::none_of(rules_, &QCheckBox::isChecked))
    throw UserError(say::verbatim, tr("Tick one learning-rate rule or more.").toStdString());
  if (static_cast<Length>(length_->currentIndex()) == Length::Target && target_->value() == 0)
    throw UserError(say::verbatim,
                    tr("Runs that train until the target need a target accuracy: give one.").toStdString());
}

std::optional<SweepRequest> SweepForm::request() {
  SweepRequest request{.rows = settingOf(rows_),
                       .columns = settingOf(columns_),
                       .jobs = jobs_->value(),
                       .withinSeconds = within_->value()};
  SweepPlan& plan = request.plan;
  plan.base = base_;
  try {
    checkAxes();
    std::vector<std::string> rules;
    for (std::size_t i = 0; i < kRules.size(); ++i)
      if (rules_[i]->isChecked()) rules.emplace_back(kRules[i]);
    setValues(plan, kRuleAxis, rules);
    const auto given = [](const QDoubleSpinBox* box, const Exact& exact, double unit) {
      return box->value() == exact.shown ? exact.value : box->value() / unit;
    };
    if (rules_[3]->isChecked()) plan.linearWarmup = given(warmup_, exactWarmup_, 1);
    for (const Axis* axis : {&rows_, &columns_})
      if (settingOf(*axis) != kRuleAxis) setValues(plan, settingOf(*axis), valuesIn(*axis));
    plan.seeds = seeds_->value();
    if (target_->value() > 0) plan.target.accuracy = given(target_, exactTarget_, 100);
    const auto length = static_cast<Length>(length_->currentIndex());
    plan.target.until = length == Length::Target;
    plan.base.steps.reset();
    if (length == Length::Steps) plan.base.steps = amount_->value();
    if (length == Length::Examples) plan.examples = amount_->value();
    if (length == Length::Epochs) plan.base.epochs = amount_->value();
    complain({});
    return request;
  } catch (const UserError& error) {
    complain(coreSentence(error));
    return std::nullopt;
  }
}

void SweepForm::complain(const QString& sentence) {
  const bool fresh = std::exchange(complaint_, sentence) != sentence;
  complaintText_->setText(sentence);
  complaintText_->setVisible(!sentence.isEmpty());
  if (fresh && !sentence.isEmpty()) bringIntoView(*complaintText_);
  if (!sentence.isEmpty()) plan_->clear();
}

void SweepForm::tellEdits() {
  if (!timer_.isActive()) return;
  timer_.stop();
  Q_EMIT edited();
}

void SweepForm::say(const QString& sentence) {
  plan_->setText(sentence);
}

void SweepForm::setBase(const RunSettings& base) {
  base_ = withoutOutputs(base);
  changed();
}

void SweepForm::showBase() {
  const auto isAxis = [this](const char* setting) {
    return settingOf(rows_) == setting || settingOf(columns_) == setting;
  };
  QStringList words;
  const auto add = [&](const char* setting, const QString& form) {
    const ConfigField& field = configField(setting);
    if (!isAxis(setting)) words << form.arg(settingText(field, field.get(base_)));
  };
  if (!isAxis("strategy")) words << coreText(strategyInfo(base_.strategy).name);
  add("devices", tr("devices %1"));
  add("dataset", tr("data %1"));
  add("network", tr("network %1"));
  if (!isAxis("batch-per-replica") && !isAxis("global-batch")) {
    if (base_.globalBatch)
      add("global-batch", tr("global batch %1"));
    else if (base_.batchPerReplica)
      add("batch-per-replica", tr("batch per replica %1"));
  }
  add("optimizer", QStringLiteral("%1"));
  add("learning-rate", tr("learning rate %1"));
  baseText_->setText(tr("Otherwise: %1").arg(words.join(QStringLiteral(", "))));
}

void SweepForm::setRequest(const SweepRequest& request) {
  const SweepPlan& plan = request.plan;
  filling_ = true;
  base_ = withoutOutputs(plan.base);
  for (const auto& [axis, setting] : {std::pair{&rows_, request.rows}, {&columns_, request.columns}}) {
    const QString name = QString::fromStdString(setting);
    if (axis->setting->findData(name) < 0) axis->setting->addItem(axisName(setting), name);
    axis->setting->setCurrentIndex(axis->setting->findData(name));
    fillValues(*axis, setting == kRuleAxis ? std::vector<std::string>() : valuesOf(plan, setting));
  }
  const std::vector<std::string> rules = valuesOf(plan, kRuleAxis);
  for (std::size_t i = 0; i < kRules.size(); ++i)
    rules_[i]->setChecked(std::ranges::find(rules, kRules[i]) != rules.end());
  if (plan.linearWarmup) warmup_->setValue(*plan.linearWarmup);
  exactWarmup_ = {plan.linearWarmup.value_or(warmup_->value()), warmup_->value()};
  seeds_->setValue(static_cast<int>(plan.seeds));
  target_->setValue(plan.target.accuracy.value_or(0) * 100);
  exactTarget_ = {plan.target.accuracy.value_or(0), target_->value()};
  const Length length = plan.target.until ? Length::Target
                        : plan.examples   ? Length::Examples
                        : plan.base.steps ? Length::Steps
                                          : Length::Epochs;
  length_->setCurrentIndex(static_cast<int>(length));
  if (length != Length::Target)
    amount_->setValue(static_cast<int>(std::min<std::int64_t>(plan.examples     ? *plan.examples
                                                              : plan.base.steps ? *plan.base.steps
                                                                                : plan.base.epochs,
                                                              amount_->maximum())));
  jobs_->setValue(request.jobs);
  within_->setValue(static_cast<int>(request.withinSeconds));
  filling_ = false;
  changed();
}

}  // namespace lab
