// SPDX-License-Identifier: GPL-3.0-or-later
// Another program's trace as lanes below ours, on a time axis of its own that begins where its first slice does. Its
// head says whose it is; nothing of it is in our breakdown or our totals.
#pragma once

#include <QWidget>

#include "core/files/foreign_trace.h"

class QLabel;

namespace lab {

class TraceView;

class ForeignLanes final : public QWidget {
  Q_OBJECT

 public:
  explicit ForeignLanes(QWidget* parent = nullptr);

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
