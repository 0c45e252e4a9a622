// SPDX-License-Identifier: GPL-3.0-or-later
// The button in Compare that writes a report of the lanes into a file.
#pragma once

#include <QToolButton>

namespace lab {

class LaneTable;
class Lanes;

class ReportButton final : public QToolButton {
  Q_OBJECT

 public:
  ReportButton(const Lanes& lanes, LaneTable& table);

  void ask();  // for the file's name
  void write(const QString& path);

 Q_SIGNALS:
  void said(const QString& text);  // how it ended, in a sentence

 private:
  const Lanes& lanes_;
  LaneTable& table_;
};

}  // namespace lab
