// SPDX-License-Identifier: GPL-3.0-or-later
// Drags runs and charts out of the window, to a folder, a mail or a slide: a run as its .run file and as text, a chart
// as picture and as CSV. Files are written only when the target takes them, into a folder that is deleted with the
// program.
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
  void follow(QAbstractItemView& view);  // for the view of a RunTable: dragging a row drags its run
  // The data to drag; null if there is no such run, or it has no step yet.
  std::unique_ptr<QMimeData> dataOf(int run);
  std::unique_ptr<QMimeData> dataOf(MetricChart& chart);

 Q_SIGNALS:
  void failed(const QString& text);  // a file could not be written

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void drag(QWidget& from, std::unique_ptr<QMimeData> data, const QPixmap& picture);
  QString placeOf(const QString& name, const QString& ending, const QString& within = {});  // `within`: a folder

  RunLibrary& library_;
  QTemporaryDir folder_;
  QPoint pressed_;  // in the view's viewport
  int run_ = 0;     // the run where the button went down; 0: none
};

}  // namespace lab
