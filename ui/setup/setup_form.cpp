// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/setup_form.h"
#include "ui/setup/setting_field.h"

#include <QAbstractItemView>
#include <QAction>
#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/error.h"
#include "core/config/run_settings.h"
#include "core/data/picture_folder.h"
#include "core/device/cuda/gpu_module.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "core/prediction/hardware.h"
#include "core/strategy/strategy.h"
#include "ui/i18n/core_words.h"
#include "ui/setup/catalogue_picker.h"
#include "ui/setup/experiment.h"
#include "ui/setup/network_picker.h"
#include "ui/setup/section.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr double kLabel = 8.7;   // a name's width, in text sizes, for which there must be room beside the fields
constexpr double kEditor = 6.5;  // the least width of a list beside the name
constexpr double kGap = 0.6;     // between a name and its field
constexpr double kLineGap = 0.35;
constexpr double kMargin = 0.4, kGroupMargin = 0.8;  // of a group, and of all
constexpr double kLongList = 14;  // of the strategies: beside its name only where "MultiWorkerMirrored" is whole
constexpr double kHardware = 14;  // long names: below their captions in a narrow panel
constexpr double kBeside = 4;     // margins, a scroll bar

}  // namespace

SetupForm::SetupForm(Experiment& experiment, QWidget* parent) : SetupForm(experiment, QStringList(), parent) {
  summary_ = makeLabel({.role = "quiet", .wraps = true});
  auto* groups = new QWidget;
  groups->setProperty("role", QStringLiteral("panel"));
  auto* column = new QVBoxLayout(groups);
  column->setContentsMargins(theme::em(kGroupMargin), theme::em(0.4), theme::em(kGroupMargin), theme::em(kGroupMargin));
  column->setSpacing(theme::em(0.3));
  column->addWidget(summary_);
  std::string group;
  for (const ConfigField& field : configFields()) {
    if (field.group != group) {
      group = field.group;
      auto* body = new QWidget;
      groups_.push_back(new QVBoxLayout(body));
      column->addWidget(new Section(coreText(group), body, group != "Output"));
    }
    addRow(*groups_.back(), field);
  }
  column->addStretch();

  scroll_ = new QScrollArea;
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setWidget(groups);
  static_cast<QVBoxLayout*>(layout())->addWidget(scroll_, 1);
  refresh();
}

SetupForm::SetupForm(Experiment& experiment, const QStringList& only, QWidget* parent)
    : QWidget(parent), experiment_(experiment), few_(!only.isEmpty()) {
  setProperty("role", QStringLiteral("panel"));
  complaint_ = makeLabel({.name = "complaint", .role = "error", .wraps = true, .selectable = true});
  complaint_->hide();
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->setSpacing(0);
  all->addWidget(complaint_);
  if (!only.isEmpty()) all->addLayout(groups_.emplace_back(new QVBoxLayout));
  for (const QString& name : only) addRow(*groups_.back(), configField(name.toStdString()));
  connect(&experiment_, &Experiment::changed, this, &SetupForm::refresh);
  theme::follow(this, [this] { fitRows(); });
  refresh();
}

// A row is a widget of its own: where a row of a QFormLayout (Qt 6.4) is hidden and another's name wraps, it writes
// beyond its own memory.
void SetupForm::addRow(QVBoxLayout& group, const ConfigField& field) {
  QWidget* editor = makeEditor(field);
  editor->setAccessibleName(settingCaption(field));
  if (auto* list = qobject_cast<QComboBox*>(editor); list != nullptr && list->lineEdit() != nullptr)
    list->lineEdit()->setAccessibleName(settingCaption(field));
  QString help = settingHelp(field);
  if (field.name == "devices")  // the window says why GPUs are not used, or which GPUs there are
    help += QStringLiteral(".\n") + (whyNoGpu().empty() ? tr("GPUs here: %1").arg(QString::fromStdString(gpuList()))
                                                        : tr("No GPU is used: %1.").arg(coreText(whyNoGpu())));
  editor->setToolTip(help);
  auto* label = new QLabel(settingCaption(field));
  label->setToolTip(editor->toolTip());
  label->setBuddy(editor);
  Line& line = lines_.back();
  line.row = new QWidget;
  line.layout = new QBoxLayout(QBoxLayout::LeftToRight, line.row);
  line.layout->setContentsMargins(0, 0, 0, 0);
  line.layout->addWidget(line.label = label);
  line.layout->addWidget(line.editor = editor, 1);
  group.addWidget(line.row);
}

void SetupForm::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitRows();
}

// In a group, fields begin as far right as the longest name that has its field beside it; what does not fit there has
// its field below. With large letters all have, because the form never scrolls sideways.
void SetupForm::fitRows() {
  const bool narrow = width() < theme::em(kLabel + kEditor + kBeside);
  for (CataloguePicker* picker : hardware_) picker->setMinimumWidth(theme::em(narrow ? kEditor : kHardware));
  const int bar = few_ ? 0 : style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  const int room = width() - bar - theme::em(few_ ? kMargin : kMargin + 2 * kGroupMargin);
  const auto isBeside = [&](const Line& line, int name) {
    const int least = line.name == QStringLiteral("strategy")
                          ? theme::em(kLongList)
                          : std::max(line.editor->minimumWidth(), line.editor->minimumSizeHint().width());
    return !narrow && name + theme::em(kGap) + least <= room;
  };
  std::map<const QWidget*, int> longest;  // by group
  for (const Line& line : lines_) {
    line.label->setWordWrap(narrow);
    const int name = line.label->sizeHint().width();
    if (int& most = longest[line.row->parentWidget()]; isBeside(line, name) && !line.row->isHidden())
      most = std::max(most, name);
  }
  for (const Line& line : lines_) {
    const int most = longest[line.row->parentWidget()];
    const bool beside = isBeside(line, std::max(most, line.label->sizeHint().width()));
    line.layout->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    line.layout->setSpacing(theme::em(beside ? kGap : kLineGap));
    line.label->setMinimumWidth(beside ? most : 0);
  }
  for (QVBoxLayout* group : groups_) {
    group->setContentsMargins(theme::em(kMargin), 0, 0, theme::em(0.6));
    group->setSpacing(theme::em(kLineGap));
  }
}

QWidget* SetupForm::makeEditor(const ConfigField& field) {
  const bool hardware = field.name == "device-model" || field.name == "link" || field.name == "host-link";
  QWidget* editor = hardware                                  ? makeHardware(field)
                    : field.name == "network"                 ? makeNetwork(field)
                    : field.kind == ConfigField::Kind::Choice ? makeList(field)
                    : field.kind == ConfigField::Kind::Flag   ? makeCheck(field)
                                                              : makeText(field);
  editor->setObjectName(QStringLiteral("setting-") + lines_.back().name);
  return editor;
}

QWidget* SetupForm::makeList(const ConfigField& field) {
  auto* list = new QComboBox;
  list->setFocusPolicy(Qt::TabFocus);
  list->setMinimumContentsLength(6);
  list->setMinimumWidth(theme::em(kEditor));
  list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  list->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  for (const std::string& choice : field.choices)
    list->addItem(settingText(field, choice), QString::fromStdString(choice));
  const QString name = QString::fromStdString(field.name), usual = QString::fromStdString(field.defaultText);
  connect(list, &QComboBox::activated, this,
          [this, list, name](int row) { experiment_.set(name, list->itemData(row).toString()); });
  lines_.push_back({name, [this, list, usual, &field](const QString& value, const QString&) {
                      const QSignalBlocker quiet(list);
                      list->setCurrentIndex(list->findData(value.isEmpty() ? usual : value));
                      greyImpossible(*list, field, experiment_.resolved());
                    }});
  return list;
}

QWidget* SetupForm::makeNetwork(const ConfigField& field) {
  auto* picker = new NetworkPicker(experiment_);
  picker->setMinimumWidth(theme::em(kEditor));
  picker->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  lines_.push_back({QString::fromStdString(field.name), [](const QString&, const QString&) {}});  // updates itself
  return picker;
}

// A device or a link by its name, from the built-in catalogue and the user's own.
QWidget* SetupForm::makeHardware(const ConfigField& field) {
  const auto what = field.name == "device-model" ? CataloguePicker::What::Device : CataloguePicker::What::Link;
  auto* picker = new CataloguePicker(what, Catalogue::builtIn());
  picker->letType();
  picker->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  picker->view()->setMinimumWidth(theme::em(18));
  hardware_.push_back(picker);
  const QString name = QString::fromStdString(field.name);
  connect(picker, &CataloguePicker::chosen, this, [this, picker, name] { experiment_.set(name, picker->id()); });
  connect(picker, &CataloguePicker::typed, this, [this, name](const QString& text) { experiment_.set(name, text); });
  lines_.push_back({name, [picker](const QString& value, const QString& now) {
                      // Without a value the strategy decides; with a value, the strategy's choice is not known.
                      picker->setUsual(value.isEmpty() ? now : QString());
                      picker->setId(value);
                    }});
  return picker;
}

// Reads only another file than before; it was checked when the setting was made.
void SetupForm::readCatalogue() {
  const ResolvedSettings& config = experiment_.resolved();
  if (std::exchange(catalogueFile_, config.catalogue) == config.catalogue) return;
  try {
    const Catalogue catalogue = catalogueOf(config);
    for (CataloguePicker* picker : hardware_) picker->setCatalogue(catalogue);
  } catch (const UserError&) {
    catalogueFile_.clear();  // the file has vanished: the lists stay as they are
  }
}

// Greys devices that the strategy does not run on, with the reason.
void SetupForm::offerDevices() {
  const ResolvedSettings& config = experiment_.resolved();
  const StrategyInfo& info = strategyInfo(config.strategy);
  try {
    const Catalogue catalogue = catalogueOf(config);
    hardware_.front()->refuse([&](const QString& id) {
      if (id.isEmpty()) return QString();
      const DeviceModel& device = catalogue.device(id.toStdString());
      if (runsOn(info, device, config.replicas)) return QString();
      return (device.standsInTorus() ? tr("%1 does not run on several TPU cores.") : tr("%1 runs only on TPU cores."))
          .arg(coreText(info.name));
    });
  } catch (const UserError&) {  // the user's catalogue file has vanished
  }
}

QWidget* SetupForm::makeCheck(const ConfigField& field) {
  auto* box = new QCheckBox;
  box->setFocusPolicy(Qt::TabFocus);
  const QString name = QString::fromStdString(field.name);
  connect(box, &QCheckBox::clicked, this,
          [this, name](bool on) { experiment_.set(name, on ? QStringLiteral("true") : QStringLiteral("false")); });
  lines_.push_back(
      {name, [box](const QString& value, const QString&) { box->setChecked(value == QStringLiteral("true")); }});
  return box;
}

// A folder of pictures that is already set is read again without inspection.
void SetupForm::setText(const QString& name, const QString& value) {
  const bool folder = name == QStringLiteral("data-dir") && value.toStdString() != experiment_.asked().dataDir;
  if (!folder || !experiment_.refusal(name).isEmpty() || !looksLikePictures(value.toStdString()))
    return experiment_.set(name, value);
  Q_EMIT picturesChosen(value);
  refresh();
}

QWidget* SetupForm::makeText(const ConfigField& field) {
  auto* line = new QLineEdit;
  line->setClearButtonEnabled(true);
  const QString name = QString::fromStdString(field.name);
  connect(line, &QLineEdit::editingFinished, this, [this, line, name, &field] {
    if (!line->isModified()) return;
    line->setModified(false);
    setText(name, QString::fromStdString(settingValue(field, line->text().trimmed())));
  });
  // The line's clear button counts as a finished edit.
  if (auto* clear = line->findChild<QAction*>(QStringLiteral("_q_qlineeditclearaction")))
    connect(clear, &QAction::triggered, this, [this, name] { experiment_.set(name, {}); });
  const QString usual = QString::fromStdString(field.defaultText);
  lines_.push_back(
      {name, [line, usual, &field](const QString& value, const QString& now) {
         const bool isDefault = now.isEmpty() || (now == usual && field.kind != ConfigField::Kind::Integer);
         line->setPlaceholderText(isDefault ? coreText(usual.toStdString()) : settingText(field, now.toStdString()));
         line->setText(settingText(field, value.toStdString()));
         line->setModified(false);
       }});
  if (field.kind != ConfigField::Kind::File && field.kind != ConfigField::Kind::Folder) return line;

  const bool folder = field.kind == ConfigField::Kind::Folder, read = field.name == "init" || field.name == "catalogue";
  QAction* browse = line->addAction(style()->standardIcon(folder ? QStyle::SP_DirOpenIcon : QStyle::SP_FileIcon),
                                    QLineEdit::TrailingPosition);
  browse->setToolTip(folder ? tr("Choose a folder") : tr("Choose a file"));
  connect(browse, &QAction::triggered, this, [this, line, name, folder, read] {
    // The dialog's question whether to replace a file runs an event loop: the dialog is the window's, because a lesson
    // that turns its page deletes the form at once.
    using Kind = FileQuestion::Kind;
    const QString present = line->text().isEmpty() ? QString() : QFileInfo(line->text()).absoluteFilePath();
    askForPath(window(), this,
               {folder ? Kind::Folder
                : read ? Kind::Open
                       : Kind::Save,
                settingCaption(configField(name.toStdString())),
                {},
                present},
               [this, name](const QString& path) { setText(name, path); });
  });
  return line;
}

// The fields stay where they are on the screen, below a sentence that comes, grows or goes: somebody is editing one.
void SetupForm::showComplaint() {
  if (complaint_->text() == experiment_.complaint()) return;
  QScrollBar* bar = scroll_ == nullptr ? nullptr : scroll_->verticalScrollBar();
  const int before = bar == nullptr ? 0 : bar->value() - scroll_->y();
  complaint_->setText(experiment_.complaint());
  complaint_->setVisible(!experiment_.complaint().isEmpty());
  if (bar == nullptr) return;
  layout()->activate();
  bar->setValue(before + scroll_->y());
  for (const Line& line : lines_)  // unless the sentence would cover the field
    if (line.name == experiment_.complaintAbout()) scroll_->ensureWidgetVisible(line.row, 0, theme::em(kLineGap));
}

void SetupForm::refresh() {
  const StrategyInfo& info = strategyInfo(experiment_.resolved().strategy);
  if (summary_ != nullptr) summary_->setText(coreText(info.sentence));
  readCatalogue();
  for (const Line& line : lines_) {
    const ConfigField& field = configField(line.name.toStdString());
    const bool refused = line.name == experiment_.complaintAbout();
    line.editor->setProperty(kRefused, refused);
    const bool has = field.belongsTo(info) && (field.name != "bytes-per-pack" || info.packsGradients());
    line.row->setVisible(few_ || refused || has || !field.isDefault(experiment_.asked()));
    // A refused value stays as it was typed, below the sentence that says why.
    if (refused) continue;
    const std::string value = field.get(experiment_.asked());
    line.show(value == field.get(RunSettings{}) ? QString() : QString::fromStdString(value),
              QString::fromStdString(field.get(experiment_.resolved())));
  }
  if (!hardware_.empty()) offerDevices();
  fitRows();
  showComplaint();
}

}  // namespace lab
