// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/setting_field.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFocusEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/experiment.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kLetters = 6, kDigits = 3;  // that a control has room for

// Returns why the setting cannot be changed under the present strategy; "" if it can.
QString whyNot(const QString& name, const SettingsBase& config) {
  const StrategyInfo& info = strategyInfo(config.strategy);
  const QString strategy = coreText(info.name);
  const ConfigField& field = configField(name.toStdString());
  if (field.belongsTo(info)) return {};
  if (field.name == "replicas") return SettingField::tr("%1 has exactly one replica.").arg(strategy);
  if (field.name == "hosts")
    return info.severalMachines ? SettingField::tr("%1 gives every worker and every server its own host.").arg(strategy)
                                : SettingField::tr("%1 works on one machine.").arg(strategy);
  if (field.name == "global-batch")
    return SettingField::tr("Under a parameter server each step belongs to one worker, with its own batch.");
  if (field.name == "reducer") return SettingField::tr("%1 adds nothing over replicas.").arg(strategy);
  if (field.name == "parameter-servers") return SettingField::tr("%1 has no parameter servers.").arg(strategy);
  return SettingField::tr("%1 has no such setting.").arg(strategy);
}

std::vector<std::string> possibleChoices(const ConfigField& field, const SettingsBase& config) {
  if (field.name != "reducer") return field.choices;
  std::vector<std::string> choices{"auto"};
  const bool processes = config.devices == DeviceChoice::Processes;
  const StrategyInfo& info = strategyInfo(config.strategy);
  for (const Reducer reducer : info.reducers)
    if (reducer != Reducer::Nccl || !processes || areOnGpus(config)) choices.emplace_back(toString(reducer));
  if (processes && info.shards.empty()) choices.emplace_back(toString(Reducer::Mpi));
  return choices;
}

}  // namespace

void greyImpossible(QComboBox& list, const ConfigField& field, const ResolvedSettings& config) {
  if (field.name != "devices") return;
  auto* rows = qobject_cast<QStandardItemModel*>(list.model());
  for (int i = 0; i < list.count(); ++i) {
    RunSettings asked;
    field.set(asked, list.itemData(i).toString().toStdString());
    const QString why = coreSentence(whyNotOn(strategyInfo(config.strategy), asked.devices));
    rows->item(i)->setEnabled(why.isEmpty());
    list.setItemData(i, why, Qt::AccessibleDescriptionRole);
    // Rich text, so that long reasons wrap.
    list.setItemData(i, why.isEmpty() ? QString() : QStringLiteral("<qt>%1</qt>").arg(why.toHtmlEscaped()),
                     Qt::ToolTipRole);
  }
}

SettingField::SettingField(Experiment& experiment, const QString& name, const QString& caption, QWidget* parent)
    : QWidget(parent), experiment_(experiment), name_(name) {
  const ConfigField& field = configField(name.toStdString());
  help_ = settingHelp(field);
  setObjectName(name);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  caption_ = new QLabel(caption);
  caption_->setProperty("role", QStringLiteral("caption"));
  column->addWidget(caption_);
  QWidget* editor = nullptr;
  if (field.kind == ConfigField::Kind::Choice) {
    list_ = new QComboBox;
    list_->setFocusPolicy(Qt::TabFocus);
    // The longest choice would make the control twice as wide as most choices need; the opened list is as wide as
    // necessary.
    list_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    list_->setMinimumContentsLength(kLetters);
    list_->view()->setMinimumWidth(theme::em(10));
    connect(list_, &QComboBox::activated, this,
            [this](int index) { experiment_.set(name_, list_->itemData(index).toString()); });
    editor = list_;
  } else {
    number_ = new QSpinBox;
    number_->setRange(static_cast<int>(field.minimum), static_cast<int>(field.maximum));
    number_->setKeyboardTracking(false);
    number_->setGroupSeparatorShown(true);
    number_->setAccelerated(true);
    number_->setFocusPolicy(Qt::StrongFocus);
    number_->installEventFilter(this);
    connect(number_, &QSpinBox::valueChanged, this,
            [this](int value) { experiment_.set(name_, QString::number(value)); });
    editor = number_;
  }
  editor->setAccessibleName(caption);
  editor->setToolTip(help_);
  editor->setAccessibleDescription(help_);
  caption_->setBuddy(editor);
  column->addWidget(editor);
  connect(&experiment_, &Experiment::changed, this, &SettingField::refresh);
  theme::follow(this, [this] { refresh(); });
}

// A click on a number selects it, so that typing replaces it.
bool SettingField::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusIn && static_cast<QFocusEvent*>(event)->reason() == Qt::MouseFocusReason)
    QMetaObject::invokeMethod(number_, &QAbstractSpinBox::selectAll, Qt::QueuedConnection);  // after the press
  return QWidget::eventFilter(watched, event);
}

void SettingField::refresh() {
  if (number_ != nullptr) number_->setProperty(kRefused, experiment_.complaintAbout() == name_);
  // A refused value stays as it was typed, next to the sentence that says why.
  if (experiment_.complaintAbout() == name_) return;
  const ResolvedSettings& config = experiment_.resolved();
  const ConfigField& field = configField(name_.toStdString());
  // A class has as many workers as have joined, each with its own batch.
  const std::int64_t each = field.name == "replicas" ? 1 : field.name == "global-batch" ? config.largestShare() : 0;
  const std::optional<int> workers = each > 0 ? experiment_.classWorkers() : std::nullopt;
  const QString value = workers ? QString::number(each * *workers) : QString::fromStdString(field.get(config));
  const QString reason = workers ? experiment_.busyWords() : whyNot(name_, config);
  // A number that is typed but not entered is dropped: a disabled field loses the focus, which would set the number
  // while the views still learn of the change that disabled it.
  const QSignalBlocker quiet(number_ != nullptr ? static_cast<QWidget*>(number_) : list_);
  setEnabled(reason.isEmpty());
  setToolTip(reason.isEmpty() ? help_ : reason);
  if (number_ != nullptr) {
    // A control is no wider than its numbers: the range itself would require ten digits.
    const int digits = std::max(kDigits, static_cast<int>(settingText(field, value.toStdString()).size()) + 1);
    number_->setFixedWidth(fontMetrics().horizontalAdvance(QLatin1Char('0')) * digits + theme::em(2));
    // A field without a value shows a dash: an extra value below the smallest one.
    const int least = static_cast<int>(field.minimum);
    number_->setMinimum(value.isEmpty() ? least - 1 : std::min(least, workers.value_or(least)));
    number_->setSpecialValueText(value.isEmpty() ? QStringLiteral("–") : QString());
    number_->setValue(value.isEmpty() ? least - 1 : value.toInt());
    return;
  }
  list_->clear();
  for (const std::string& choice : possibleChoices(field, config)) {
    list_->addItem(settingText(field, choice), QString::fromStdString(choice));
  }
  list_->setCurrentIndex(list_->findData(value));
  greyImpossible(*list_, field, config);
}

}  // namespace lab
