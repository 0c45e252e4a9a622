// SPDX-License-Identifier: GPL-3.0-or-later
// The stage with its bars. Where letters are so large that they have no room for all, it scrolls: nothing stands on
// anything else.
#pragma once

#include <QScrollArea>

namespace lab {

class StagePage final : public QScrollArea {
  Q_OBJECT

 public:
  explicit StagePage(QWidget* content, QWidget* parent = nullptr);  // which has a layout

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;  // all of it, as far as the window has room

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  int least(int width) const;  // height
  void fit();
};

}  // namespace lab
