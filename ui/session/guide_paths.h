// SPDX-License-Identifier: GPL-3.0-or-later
// Where the views of the panel Guide lead to, and what is remembered about them.
#pragma once

#include <QObject>

class QWidget;

namespace lab {

class DeskParts;
class Presenter;
struct Moment;

class GuidePaths final : public QObject {
  Q_OBJECT

 public:
  explicit GuidePaths(DeskParts& desk);

  void adopt(QWidget* view);  // called for each view of the panel when it is made

 private:
  void lead(const Moment& moment);  // goes there, or reports why it cannot
  // Offers a way back to a tab whose view made way for the moment.
  void offerBack(QWidget& view, const QString& tab, const QString& text, const QString& remedy);

  DeskParts& desk_;
  Presenter* presenter_;
};

}  // namespace lab
