// SPDX-License-Identifier: GPL-3.0-or-later
// ▶, the only coloured control, large and round. Until it is first used, a ring surrounds it, which widens a few times
// at the start to show where to begin.
#pragma once

#include <QToolButton>
#include <QVariantAnimation>

namespace lab {

class PlayButton final : public QToolButton {
  Q_OBJECT

 public:
  explicit PlayButton(QAction* action, QWidget* parent = nullptr);

  void setPlace(bool compact, int most);  // compact: for a low bar; most: largest side in pixels, for large letters
  void stopInviting();
  bool invites() const { return invites_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QVariantAnimation pulse_;  // 0 to 1
  bool invites_ = true, shown_ = false, compact_ = false;
  int most_ = QWIDGETSIZE_MAX;
};

}  // namespace lab
