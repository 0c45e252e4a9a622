// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/on_demand.h"

#include <QVBoxLayout>

#include <utility>

#include "ui/help/actions.h"

namespace lab {

OnDemand::OnDemand(std::function<QWidget*()> make, QWidget* parent) : QWidget(parent), make_(std::move(make)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
}

QWidget& OnDemand::content() {
  if (content_ == nullptr) {
    content_ = std::exchange(make_, nullptr)();
    layout()->addWidget(content_);
    content_->show();  // now, and in place: Qt would do both after the first picture
    layout()->activate();
    explainWidgets(*content_);
    setFocusProxy(content_);
    Q_EMIT made(content_);
  }
  return *content_;
}

void OnDemand::showEvent(QShowEvent* event) {
  content();
  QWidget::showEvent(event);
  Q_EMIT seen(true);
}

void OnDemand::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  Q_EMIT seen(false);
}

}  // namespace lab
