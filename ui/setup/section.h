// SPDX-License-Identifier: GPL-3.0-or-later
// A group of settings with a heading that folds it away.
#pragma once

#include <QWidget>

class QToolButton;

namespace lab {

class Section final : public QWidget {
  Q_OBJECT

 public:
  Section(const QString& title, QWidget* body, bool open, QWidget* parent = nullptr);

 private:
  void setOpen(bool open);

  QToolButton* heading_;
  QWidget* body_;
};

}  // namespace lab
