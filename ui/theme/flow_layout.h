// SPDX-License-Identifier: GPL-3.0-or-later
// A row of widgets that wraps to further rows if there is no room: for bars of controls in narrow docks and with large
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
  // The last widget, or none: it is left out, without a size, if it would begin a row.
  void setOnlyBeside(const QWidget* widget);
  int count() const override { return static_cast<int>(items_.size()); }
  QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override;     // all in one row
  QSize minimumSize() const override;  // of the widest widget
  void setGeometry(const QRect& rect) override;

 private:
  int arrange(const QRect& rect, bool place) const;  // returns the height that the rows take

  QList<QLayoutItem*> items_;
  const QWidget* onlyBeside_ = nullptr;
};

}  // namespace lab
