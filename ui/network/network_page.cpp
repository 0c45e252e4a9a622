// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/network/network_page.h"

#include <QAction>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/data/picture_folder.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/keras_notes.h"
#include "ui/accessibility/announcer.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/network/network_editor.h"
#include "ui/setup/experiment.h"
#include "ui/setup/network_picker.h"
#include "ui/setup/setting_field.h"
#include "ui/step/selection.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

enum Column { kName, kWhat, kShape, kParameters, kOutput, kForward, kBackward, kColumns };

const char* const kSettings[]{"network", "dataset", "data-dir"};

constexpr double kWide = 58;  // in text sizes: from this width on, the table has room

}  // namespace

NetworkPage::NetworkPage(Experiment& experiment, Selection& selection, QWidget* parent)
    : QWidget(parent), experiment_(experiment), selection_(selection) {
  setProperty("role", QStringLiteral("panel"));
  setAttribute(Qt::WA_StyledBackground);
  const auto makeLine = [](const char* name, const char* role) {
    return makeLabel({.name = name, .role = role, .wraps = true, .selectable = true});
  };
  complaint_ = makeLine("networkComplaint", "error");
  summary_ = makeLine("networkSummary", "");
  time_ = makeLine("networkTime", "quiet");
  makeTable();
  makeEditor();
  auto* column = new QVBoxLayout(this);
  const int margin = theme::em(0.5);
  column->setContentsMargins(margin, theme::em(0.3), margin, 0);
  column->setSpacing(theme::em(0.2));
  column->addWidget(makeChoices());
  column->addWidget(editor_);
  column->addWidget(complaint_);
  column->addWidget(summary_);
  column->addWidget(time_);
  column->addWidget(table_, 1);
  connect(&experiment_, &Experiment::changed, this, &NetworkPage::refresh);
  theme::follow(this, [this] { refresh(); });
}

QWidget* NetworkPage::makeChoices() {
  auto* choices = new QWidget;
  auto* row = new FlowLayout(choices);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.6));
  auto* network = new QWidget;
  auto* named = new QVBoxLayout(network);
  named->setContentsMargins(0, 0, 0, 0);
  named->setSpacing(1);
  auto* caption = makeLabel({.text = settingCaption(configField("network")), .role = "caption"});
  auto* picker = new NetworkPicker(experiment_);
  picker->setObjectName(QStringLiteral("networkPicker"));
  picker->setMinimumContentsLength(18);
  theme::follow(picker, [picker] { picker->setMinimumWidth(theme::em(6)); });  // large letters fit a narrow panel
  caption->setBuddy(picker);
  named->addWidget(caption);
  named->addWidget(picker);
  row->addWidget(network);
  row->addWidget(new SettingField(experiment_, QStringLiteral("dataset"), settingCaption(configField("dataset"))));
  auto* folder = new QPushButton(tr("Folder of the data…"));
  folder->setObjectName(QStringLiteral("networkFolder"));
  folder->setToolTip(settingHelp(configField("data-dir")));
  folder->setFocusPolicy(Qt::TabFocus);
  connect(folder, &QPushButton::clicked, this, &NetworkPage::askForFolder);
  row->addWidget(folder);
  return choices;
}

QString NetworkPage::statisticsText() const {
  const QString count = countText(facts_.statistics);
  switch (facts_.variables) {
    case StrategyInfo::VariablesOn::Servers:
      return tr("%1 moving statistics, which are on the servers.").arg(count);
    case StrategyInfo::VariablesOn::Host:
      return tr("%1 moving statistics, one copy for all replicas.").arg(count);
    case StrategyInfo::VariablesOn::Replicas:
      break;
  }
  return tr("%1 moving statistics, which each replica has for itself.").arg(count);
}

QString NetworkPage::memoryText() const {
  QStringList memory{tr("weights %1").arg(bytesText(facts_.weightBytes)),
                     tr("gradients %1").arg(bytesText(facts_.gradientBytes))};
  if (facts_.slotBytes > 0) memory << tr("optimizer %1").arg(bytesText(facts_.slotBytes));
  memory << tr("activations of %Ln images %1", nullptr, plural(facts_.batch)).arg(bytesText(facts_.activationBytes));
  const QString holds = tr("A replica holds: %1.").arg(memory.join(QStringLiteral(", "))) + QLatin1Char(' ');
  if (facts_.shardStage >= StrategyInfo::kWholeNowhere)
    return holds + tr("That is its part of the weights, gradients and optimizer's slots: during a pass it also has all "
                      "weights, and all gradients until they are summed.");
  if (facts_.shardStage == 2)
    return holds + tr("That is its part of the gradients and optimizer's slots: during a pass it also has all "
                      "gradients, until they are summed.");
  if (facts_.shardStage == 1) return holds + tr("For the optimizer's slots, that is only its part.");
  if (facts_.variables == StrategyInfo::VariablesOn::Servers)
    return holds + tr("Its weights are a copy of the servers' variables, which it reads for each step.");
  if (facts_.variables == StrategyInfo::VariablesOn::Host)
    return holds + tr("Its weights are a copy of the host's variables, which it reads for each step.");
  return holds.trimmed();
}

void NetworkPage::makeTable() {
  table_ = new QTableWidget(0, kColumns);
  table_->setObjectName(QStringLiteral("networkTable"));
  table_->setAccessibleName(tr("Layers of the network"));
  table_->setWhatsThis(
      tr("The network's layers in the order of a step: the shape of what each gives for one example, its parameters, "
         "how much memory that takes for a replica's batch, and how long it computes forwards and backwards, by the "
         "timing model. Pooling, Dropout and Flatten are done with the layer before them. A click on a row selects the "
         "layer on the stage, and the controls above change it."));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setShowGrid(false);
  table_->setWordWrap(false);
  table_->setTabKeyNavigation(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setHighlightSections(false);
  connect(table_, &QTableWidget::itemSelectionChanged, this, [this] {
    const int row = table_->selectedItems().isEmpty() ? -1 : table_->currentRow();
    choose(row - 1);
    pin(row);
  });
}

void NetworkPage::pin(int row) {
  if (row < 0 || row >= static_cast<int>(facts_.rows.size())) return;
  const int operation = at(facts_.rows, row).operation;
  if (operation >= 0) selection_.pin({Object::Kind::Layer, 0, operation});
}

void NetworkPage::makeEditor() {
  editor_ = new NetworkEditor(experiment_);
  // Notes the chosen layer now, because the run that begins next refills the table.
  connect(editor_, &NetworkEditor::chosen, this, [this](int layer) {
    layer_ = layer;
    edited_ = true;
  });
  connect(editor_, &NetworkEditor::refused, this, [this](const QString& why) {
    complaint_->setText(why);
    complaint_->show();
    announce(*this, why);
  });
  auto* remove = new QAction(this);
  remove->setShortcut(QKeySequence::Delete);
  remove->setShortcutContext(Qt::WidgetShortcut);
  connect(remove, &QAction::triggered, editor_, &NetworkEditor::removeLayer);
  table_->addAction(remove);
}

void NetworkPage::choose(int layer) {
  layer_ = layer;
  editor_->show(facts_.network, layer_);
}

void NetworkPage::askForFolder() {
  askForPath(this, this,
             {FileQuestion::Kind::Folder,
              settingCaption(configField("data-dir")),
              {},
              QString::fromStdString(experiment_.asked().dataDir)},
             [this](const QString& path) {
               if (looksLikePictures(path.toStdString())) return Q_EMIT picturesChosen(path);
               experiment_.set(QStringLiteral("data-dir"), path);
             });
}

void NetworkPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void NetworkPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (isVisible() && (table_->columnCount() == 1) != isNarrow()) showFacts();
}

void NetworkPage::refresh() {
  if (!isVisible()) return;
  const QString about = experiment_.complaintAbout();
  const bool here = std::ranges::any_of(kSettings, [&](const char* name) { return about == QLatin1String(name); });
  failure_ = here ? experiment_.complaint() : QString();
  try {
    facts_ = networkFacts(experiment_.resolved());
  } catch (const UserError& error) {
    facts_ = {};
    failure_ = coreSentence(error);
  }
  complaint_->setText(failure_);
  complaint_->setVisible(!failure_.isEmpty());
  showFacts();
}

void NetworkPage::showFacts() {
  const QSignalBlocker quiet(table_);
  table_->clearSelection();
  const bool narrow = isNarrow();
  table_->setColumnCount(narrow ? 1 : kColumns);
  table_->horizontalHeader()->setVisible(!narrow);
  if (!narrow)
    table_->setHorizontalHeaderLabels({tr("Layer"), tr("What it is"), tr("Output shape"), tr("Parameters"),
                                       tr("Output of a batch"), tr("Forward, modelled"), tr("Backward, modelled")});
  table_->horizontalHeader()->setSectionResizeMode(narrow ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
  table_->setWordWrap(narrow);
  table_->setShowGrid(narrow);
  table_->setRowCount(static_cast<int>(facts_.rows.size()));
  for (std::size_t i = 0; i < facts_.rows.size(); ++i) fillRow(static_cast<int>(i), facts_.rows[i]);
  if (layer_ >= 0 && layer_ + 1 < table_->rowCount()) table_->selectRow(layer_ + 1);
  choose(layer_);
  if (std::exchange(edited_, false)) pin(layer_ + 1);
  summary_->setVisible(facts_.network != nullptr);
  time_->setVisible(facts_.network != nullptr);
  if (facts_.network == nullptr) return;
  QString words = tr("%1 parameters.").arg(countText(facts_.parameters));
  if (facts_.statistics > 0) words += QLatin1Char(' ') + statisticsText();
  words += QLatin1Char(' ') + memoryText();
  if (isCourseNetwork(*facts_.network))  // explains why the sum differs from the layers' total
    words += QLatin1Char(' ') + tr("The convolution's output is pooled at once and not stored.");
  else if (facts_.mapsBeforePooling)
    words += QLatin1Char(' ') + tr("The activations include room for each convolution's output, even if it is pooled "
                                   "at once and never written.");
  for (const Message& note : notTakenOfKeras(experiment_.resolved())) words += QLatin1Char(' ') + coreText(note);
  summary_->setText(words);
  QString time = tr("A step takes %1 by the model, on %2: %3 images/s, steady.")
                     .arg(durationText(facts_.stepNs), facts_.device, countText(std::llround(facts_.imagesPerSecond)));
  if (facts_.measured)
    time += QLatin1Char(' ') +
            tr("This run is on real devices: the times of its steps are measured and differ from this modelled time.");
  time_->setText(time);
}

bool NetworkPage::isNarrow() const {
  return width() < theme::em(kWide);
}

QStringList NetworkPage::wordsOf(std::size_t at) const {
  const NetworkFacts::Row& row = facts_.rows[at];
  const auto time = [](std::int64_t ns) { return ns >= 0 ? durationText(ns) : QStringLiteral("–"); };
  QString parameters = row.parameters > 0 ? countText(row.parameters) : QStringLiteral("–");
  if (row.statistics > 0) parameters = tr("%1 + %2 moving").arg(parameters, countText(row.statistics));
  return {at == 0 ? tr("input") : row.name,
          at == 0 ? tr("an example, as the network gets it") : row.what,
          row.shape,
          parameters,
          bytesText(row.outputBytes),
          time(row.forwardNs),
          time(row.backwardNs)};
}

void NetworkPage::fillRow(int at, const NetworkFacts::Row& row) {
  const QStringList words = wordsOf(static_cast<std::size_t>(at));
  if (isNarrow()) {
    QStringList lines{at == 0 ? words[kName] : words[kWhat]};
    QStringList facts{words[kShape]};
    if (row.parameters > 0) facts << tr("%1 parameters").arg(words[kParameters]);
    facts << words[kOutput];
    lines << facts.join(QStringLiteral(" · "));
    if (row.forwardNs >= 0) lines << tr("modelled: %1, backward %2").arg(words[kForward], words[kBackward]);
    auto* item = new QTableWidgetItem(lines.join(QLatin1Char('\n')));
    item->setToolTip(at == 0 ? words[kWhat] : words[kName]);
    return table_->setItem(at, 0, item);
  }
  for (int column = 0; column < kColumns; ++column) {
    auto* item = new QTableWidgetItem(words[column]);
    item->setTextAlignment((column >= kParameters ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    table_->setItem(at, column, item);
  }
}

}  // namespace lab
