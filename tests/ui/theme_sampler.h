// SPDX-License-Identifier: GPL-3.0-or-later
// One of each control, as `ui/theme/README.md` shows them.
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QTabBar>
#include <QTableWidget>

#include <utility>

#include "ui/theme/theme.h"

namespace lab::test {

class ThemeSampler final : public QWidget {
 public:
  ThemeSampler() : grid_(new QGridLayout(this)) {
    grid_->setSpacing(theme::em(0.6));
    addWords();
    auto* combo = new QComboBox;
    combo->addItems({QStringLiteral("global"), QStringLiteral("replica")});
    auto* primary = new QPushButton(QStringLiteral("Compare"));
    primary->setDefault(true);
    auto* check = new QCheckBox(QStringLiteral("log x"));
    auto* radio = new QRadioButton(QStringLiteral("step"));
    for (QAbstractButton* button : {static_cast<QAbstractButton*>(check), static_cast<QAbstractButton*>(radio)})
      button->setChecked(true);
    auto* tabs = new QTabBar;
    for (const char* name : {"Teach", "Explore", "Compare"}) tabs->addTab(QLatin1String(name));
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setValue(40);
    auto* bar = new QProgressBar;
    bar->setValue(60);
    auto* scroll = new QScrollBar(Qt::Horizontal);
    auto* spin = new QSpinBox;
    spin->setRange(0, 9);
    spin->setValue(4);
    framed_ = {named(combo, "combo"), named(spin, "spin"), named(new QLineEdit(QStringLiteral("1, 2, 4")), "line"),
               named(new QPushButton(QStringLiteral("Cancel")), "button")};
    filled_ = {named(primary, "primary")};
    int row = 1;
    for (const auto& [left, right] : {std::pair<QWidget*, QWidget*>{framed_[0], framed_[1]},
                                      {framed_[2], tabs},
                                      {framed_[3], primary},
                                      {check, radio},
                                      {slider, bar},
                                      {scroll, nullptr}}) {
      grid_->addWidget(left, row, 0);
      if (right != nullptr) grid_->addWidget(right, row, 1);
      ++row;
    }
    auto* table = new QTableWidget(2, 2);
    table->setHorizontalHeaderLabels({QStringLiteral("Lane"), QStringLiteral("Loss")});
    table->setFixedHeight(theme::em(8));
    grid_->addWidget(table, row, 0, 1, 2);
  }

  const QList<QWidget*>& framed() const { return framed_; }  // widgets with an edge
  const QList<QWidget*>& filled() const { return filled_; }  // widgets filled with the accent colour

 private:
  static QWidget* named(QWidget* widget, const char* name) {
    widget->setObjectName(QLatin1String(name));
    return widget;
  }
  void addWords() {
    auto* words = new QVBoxLayout;
    for (const char* role : {"title", "text", "caption"}) {
      auto* label = new QLabel(QLatin1String(role));
      label->setProperty("role", QLatin1String(role));
      words->addWidget(label);
    }
    grid_->addLayout(words, 0, 0, 1, 2);
  }

  QGridLayout* grid_;
  QList<QWidget*> framed_, filled_;
};

}  // namespace lab::test
