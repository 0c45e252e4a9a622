// SPDX-License-Identifier: GPL-3.0-or-later
// The stage with its bars. If letters are so large that not everything fits, the page scrolls, so that nothing
// overlaps.
#pragma once

#include <QScrollArea>

namespace lab {

class StagePage final : public QScrollArea {
  Q_OBJECT

 public:
  explicit StagePage(QWidget* content, QWidget* parent = nullptr);  // `content` must have a layout

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;  // all of the content, as far as the window has room

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  int least(int width) const;  // height
  void fit();
};

}  // namespace lab
