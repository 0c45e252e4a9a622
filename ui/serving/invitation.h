// SPDX-License-Identifier: GPL-3.0-or-later
// The way into the class for the whole room: QR code and link as large as there is room, and who has joined.
#pragma once

#include <QWidget>

class QBoxLayout;
class QLabel;

namespace lab {

class LinkLines;
class QrView;
class ServedClass;

class Invitation final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kFew = 3;  // workers: in projector mode it is shown until more have joined

  explicit Invitation(ServedClass& served, QWidget* parent = nullptr);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();

  ServedClass& served_;
  QBoxLayout* box_;
  QrView* code_;
  LinkLines* link_;
  QLabel *title_, *joined_;
};

}  // namespace lab
