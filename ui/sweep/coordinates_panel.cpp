// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/coordinates_panel.h"

#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/sweep/sweep_coordinates.h"
#include "ui/sweep/sweep_words.h"
#include "ui/theme/flow_layout.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {

CoordinatesPanel::CoordinatesPanel(const SweepRun& run, QWidget* parent) : QWidget(parent) {
  picture_ = new SweepCoordinates(run);
  group_ = new QComboBox;
  group_->setObjectName(QStringLiteral("sweepGroup"));
  group_->setAccessibleName(tr("Group by"));
  group_->setToolTip(
      tr("Mean and standard deviation of all runs that share a value of this setting, whatever else they differ in"));
  group_->setFocusPolicy(Qt::TabFocus);
  group_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  const auto button = [](const char* name, const QString& text, const QString& tip) {
    auto* made = new QToolButton;
    made->setObjectName(QLatin1String(name));
    made->setText(text);
    made->setToolTip(tip);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
  };
  measures_ = button("sweepMeasures", tr("Measures ▾"), tr("Which measures have an axis"));
  all_ = button("sweepAllRuns", tr("All runs"), tr("Clears all ranges"));
  menu_ = new QMenu(measures_);
  words_ = makeLabel({.name = "sweepRangeWords", .role = "caption", .wraps = true, .selectable = true});
  auto* choices = new QWidget;
  auto* row = new FlowLayout(choices);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(theme::em(0.4));
  for (QWidget* part : std::initializer_list<QWidget*>{group_, measures_, all_}) row->addWidget(part);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(theme::em(0.2));
  column->addWidget(choices);
  column->addWidget(picture_, 1);
  column->addWidget(words_);
  connect(group_, &QComboBox::activated, this,
          [this] { picture_->setGroup(group_->currentData().toString().toStdString()); });
  connect(measures_, &QToolButton::clicked, menu_, [this] {
    fillMeasures();
    menu_->popup(measures_->mapToGlobal(QPoint(0, measures_->height())));
  });
  connect(all_, &QToolButton::clicked, picture_, &SweepCoordinates::clearRanges);
  connect(picture_, &SweepCoordinates::changed, this, &CoordinatesPanel::tell);
  tell();
}

void CoordinatesPanel::setCells(const SweepRequest& request, SweepQuantity inView, std::optional<bool> modelled) {
  request_ = request;
  inView_ = inView;
  modelled_ = modelled;
  std::vector<SweepQuantity> shown = usualMeasures(request.plan);
  std::erase_if(shown, [this](SweepQuantity quantity) { return without_.contains(quantity); });
  for (const SweepQuantity quantity : with_)
    if (std::ranges::find(shown, quantity) == shown.end()) shown.push_back(quantity);
  picture_->setCells(request, shown, inView);
  fillGroups();
}

void CoordinatesPanel::fillGroups() {
  const std::vector<std::string> settings = variedSettings(request_.plan);
  QStringList keys{QString()};
  for (const std::string& setting : settings) keys << QString::fromStdString(setting);
  QStringList present;
  for (int i = 0; i < group_->count(); ++i) present << group_->itemData(i).toString();
  if (present == keys) return;
  group_->clear();
  for (const QString& key : keys)
    group_->addItem(key.isEmpty() ? tr("each run alone") : tr("grouped by: %1").arg(axisName(key.toStdString())), key);
  group_->setCurrentIndex(std::max(0, group_->findData(QString::fromStdString(picture_->group()))));
  picture_->setGroup(group_->currentData().toString().toStdString());
}

// The measure in view is always shown.
void CoordinatesPanel::fillMeasures() {
  menu_->clear();
  const std::vector<std::optional<SweepQuantity>>& shown = picture_->columns().measures;
  for (int i = 0; i < kSweepQuantities; ++i) {
    const auto quantity = static_cast<SweepQuantity>(i);
    QAction* action = menu_->addAction(quantityName(quantity, modelled_));
    action->setCheckable(true);
    action->setChecked(std::ranges::find(shown, std::optional(quantity)) != shown.end());
    action->setEnabled(quantity != inView_);
    connect(action, &QAction::toggled, this, [this, quantity](bool on) { chooseMeasure(quantity, on); });
  }
}

void CoordinatesPanel::chooseMeasure(SweepQuantity quantity, bool shown) {
  (shown ? with_ : without_).insert(quantity);
  (shown ? without_ : with_).erase(quantity);
  setCells(request_, inView_, modelled_);
}

void CoordinatesPanel::tell() {
  words_->setText(picture_->words());
  all_->setEnabled(picture_->columns().table.hasRange());
}

}  // namespace lab
