// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps a place for a widget that is made when it is first shown: what is not looked at must not delay the first
// picture. Window's thread.
#pragma once

#include <QWidget>

#include <functional>

namespace lab {

class OnDemand final : public QWidget {
  Q_OBJECT

 public:
  // `make` is called once at most, and gives its widget to this one.
  explicit OnDemand(std::function<QWidget*()> make, QWidget* parent = nullptr);

  QWidget& content();  // makes it now where it is not there yet
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
