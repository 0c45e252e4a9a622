// SPDX-License-Identifier: GPL-3.0-or-later
// ▶, the one coloured control. Until it is first used a ring widens around it once: here is where to begin.
#pragma once

#include <QToolButton>
#include <QVariantAnimation>

namespace lab {

class PlayButton final : public QToolButton {
  Q_OBJECT

 public:
  explicit PlayButton(QAction* action, QWidget* parent = nullptr);

  void stopPulsing();
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  QVariantAnimation pulse_;  // 0 to 1, once
  bool invited_ = false;
};

}  // namespace lab
