// SPDX-License-Identifier: GPL-3.0-or-later
// A row of widgets that goes on below where it has no more room: bars of controls in narrow docks and with large
// letters.
#pragma once

#include <QLayout>
#include <QList>

namespace lab {

class FlowLayout final : public QLayout {
  Q_OBJECT

 public:
  explicit FlowLayout(QWidget* parent = nullptr) : QLayout(parent) {}
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { items_.append(item); }
  // Left out, without a size, where it would begin a row: the last widget, or none.
  void setOnlyBeside(const QWidget* widget);
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override;     // all in one row
  QSize minimumSize() const override;  // of the widest
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool place) const;  // the height that it takes

  QList<QLayoutItem*> items_;
  const QWidget* onlyBeside_ = nullptr;
};

}  // namespace lab
