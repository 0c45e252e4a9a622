// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a place for a widget that is made when it is first shown: hidden widgets must not delay the first picture.
// Window's thread.
#pragma once

#include <QWidget>

#include <functional>

namespace lab {

class OnDemand final : public QWidget {
  Q_OBJECT

 public:
  // `make` is called at most once; this object becomes the parent of its widget.
  explicit OnDemand(std::function<QWidget*()> make, QWidget* parent = nullptr);

  QWidget& content();  // makes the widget now if necessary
  bool isMade() const { return content_ != nullptr; }

 Q_SIGNALS:
  void made(QWidget* content);
  void seen(bool shown);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  std::function<QWidget*()> make_;
  QWidget* content_ = nullptr;
};

}  // namespace lab
