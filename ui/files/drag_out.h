// SPDX-License-Identifier: GPL-3.0-or-later
// Runs and charts dragged out of the window, to a folder, a mail or a slide: a run as its .run file and as text, a
// chart as picture and as CSV. Files are written when somebody takes them, into a folder that goes with the program.
#pragma once

#include <QMimeData>
#include <QObject>
#include <QPoint>
#include <QTemporaryDir>

#include <memory>

class QAbstractItemView;

namespace lab {

class ChartPanel;
class MetricChart;
class RunLibrary;

class DragOut final : public QObject {
  Q_OBJECT

 public:
  explicit DragOut(RunLibrary& library, QObject* parent = nullptr);

  void follow(ChartPanel& charts);
  void follow(QAbstractItemView& view);  // of a RunTable: a row that is dragged is its run
  // What is given away; null: there is no such run, or no step of it yet.
  std::unique_ptr<QMimeData> dataOf(int run);
  std::unique_ptr<QMimeData> dataOf(MetricChart& chart);

 Q_SIGNALS:
  void failed(const QString& text);  // a file could not be written

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void drag(QWidget& from, std::unique_ptr<QMimeData> data, const QPixmap& picture);
  QString placeOf(const QString& name, const QString& ending);

  RunLibrary& library_;
  QTemporaryDir folder_;
  QPoint pressed_;  // in the view's viewport
  int run_ = 0;     // pressed on; 0: none
};

}  // namespace lab
