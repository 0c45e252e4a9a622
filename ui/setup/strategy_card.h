// SPDX-License-Identifier: GPL-3.0-or-later
// A card for choosing a strategy: its name and its one sentence.
#pragma once

#include <QAbstractButton>

namespace lab {

class StrategyCard final : public QAbstractButton {
  Q_OBJECT

 public:
  StrategyCard(const QString& name, const QString& sentence, int key, QWidget* parent = nullptr);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  QString sentence_;
  int key_;  // the digit key; none after 9
};

}  // namespace lab
