// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/setup/batch_kept_field.h"

#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/setup/experiment.h"
#include "ui/theme/theme.h"

namespace lab {

BatchKeptField::BatchKeptField(Experiment& experiment, QWidget* parent) : QWidget(parent), experiment_(experiment) {
  setObjectName(QStringLiteral("batchKept"));
  auto* caption = new QLabel(tr("Keep batch"));
  caption->setProperty("role", QStringLiteral("caption"));
  list_ = new QComboBox;
  list_->setFocusPolicy(Qt::TabFocus);
  list_->setAccessibleName(caption->text());
  // In the order of BatchKept.
  list_->addItems({tr("global"), tr("replica", "each replica's batch")});
  // As wide as its longer word, because the toolbar is full.
  theme::follow(list_, [this] {
    const QFontMetrics metrics = list_->fontMetrics();
    list_->setFixedWidth(
        std::max(metrics.horizontalAdvance(list_->itemText(0)), metrics.horizontalAdvance(list_->itemText(1))) +
        theme::em(2.6));
  });
  caption->setBuddy(list_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  column->addWidget(caption);
  column->addWidget(list_);
  connect(list_, &QComboBox::activated, this, [this](int row) { experiment_.keepBatch(static_cast<BatchKept>(row)); });
  connect(&experiment_, &Experiment::changed, this, &BatchKeptField::refresh);
  refresh();
}

void BatchKeptField::refresh() {
  list_->setCurrentIndex(static_cast<int>(experiment_.keepsBatch()));
  setEnabled(experiment_.hasGlobalBatch());
  const QString tip = isEnabled()
                          ? tr("What stays when the number of replicas changes, here and in What if: the global "
                               "batch, which the replicas share, or the batch of each replica")
                          : tr("Under a parameter server each step belongs to one worker, with its own batch: the "
                               "number of workers does not change that batch");
  setToolTip(tip);
  list_->setToolTip(tip);
  list_->setAccessibleDescription(tip);
}

}  // namespace lab
