// SPDX-License-Identifier: GPL-3.0-or-later
// A stack of pages, one of which is visible. Only that one asks for room: Qt's own stack is as large as its largest
// page.
#pragma once

#include <QStackedWidget>

namespace lab {

class PageStack final : public QStackedWidget {
  Q_OBJECT

 public:
  using QStackedWidget::QStackedWidget;

  void turnTo(int page) {
    for (int i = 0; i < count(); ++i) {
      const auto policy = i == page ? QSizePolicy::Preferred : QSizePolicy::Ignored;
      widget(i)->setSizePolicy(policy, policy);
    }
    setCurrentIndex(page);
  }
};

}  // namespace lab
