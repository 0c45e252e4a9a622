// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that the user puts in order by dragging, or with Alt+Up and Alt+Down. As high as its lines, or scrolled.
#pragma once

#include <QListWidget>

#include <vector>

namespace lab {

class OrderList final : public QListWidget {
  Q_OBJECT

 public:
  explicit OrderList(QWidget* parent = nullptr);

  void setLines(const QStringList& lines, const std::vector<std::size_t>& order);
  std::vector<std::size_t> order() const;                     // numbers of the lines, from the top
  void setScrolls();                                          // takes the available room
  bool isEditing() const { return state() == EditingState; }  // a line's text

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void moved();
  void removeWanted();  // Delete was pressed, if lines can be removed

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fit();

  int high_ = 0;
  bool scrolls_ = false;
};

}  // namespace lab
