// SPDX-License-Identifier: GPL-3.0-or-later
// The way into the class for the whole room: QR code and link as large as the room allows, and who has joined.
#pragma once

#include <QWidget>

class QLabel;

namespace lab {

class LinkLines;
class QrView;
class ServedClass;

class Invitation final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kFew = 3;  // in projector mode the invitation is shown until more workers than this have joined

  explicit Invitation(ServedClass& served, QWidget* parent = nullptr);
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void refresh();

  ServedClass& served_;
  QrView* code_;
  QWidget* words_;
  LinkLines* link_;
  QLabel *title_, *joined_;
};

}  // namespace lab
