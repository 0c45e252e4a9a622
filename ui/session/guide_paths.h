// SPDX-License-Identifier: GPL-3.0-or-later
// What the views of the panel Guide lead to, and what is remembered of them.
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

  void adopt(QWidget* view);  // one of the panel's, when it is made

 private:
  void lead(const Moment& moment);  // there, or says why not

  DeskParts& desk_;
  Presenter* presenter_;
};

}  // namespace lab
