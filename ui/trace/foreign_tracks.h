// SPDX-License-Identifier: GPL-3.0-or-later
// Another program's trace as tracks below ours, on its own time axis, which begins at its first slice. Its head names
// the program; our breakdown and totals ignore it.
#pragma once

#include <QWidget>

#include "core/timeline/foreign_trace.h"

class QLabel;

namespace lab {

class TraceView;

class ForeignTracks final : public QWidget {
  Q_OBJECT

 public:
  explicit ForeignTracks(QWidget* parent = nullptr);

  void open(const QString& path, ForeignTrace trace);
  void close();
  TraceView& view() { return *view_; }

 Q_SIGNALS:
  void shownChanged();

 private:
  TraceView* view_;
  QLabel *file_, *about_;
};

}  // namespace lab
