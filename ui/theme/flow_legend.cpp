// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/flow_legend.h"

#include <QHBoxLayout>
#include <QLabel>

#include "ui/theme/flow_layout.h"
#include "ui/theme/theme.h"

namespace lab {

FlowLegend::FlowLegend(QWidget* parent) : QWidget(parent) {
  auto* flow = new FlowLayout(this);
  flow->setContentsMargins(0, 0, 0, 0);
  theme::follow(this, [flow] { flow->setSpacing(theme::em(0.8)); });
}

void FlowLegend::setEntries(const std::vector<Entry>& entries) {
  while (parts_.size() < entries.size()) {
    const Part part{new QWidget, new QLabel, new QLabel};
    auto* row = new QHBoxLayout(part.whole);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(theme::em(0.3));
    row->addWidget(part.mark);
    row->addWidget(part.words);
    layout()->addWidget(part.whole);
    parts_.push_back(part);
  }
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const auto& [whole, mark, words] = parts_[i];
    whole->setVisible(i < entries.size());
    if (i >= entries.size()) continue;
    mark->setPixmap(entries[i].mark);
    mark->setVisible(!entries[i].mark.isNull());
    words->setText(entries[i].words);
  }
}

}  // namespace lab
