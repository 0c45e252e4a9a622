// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of the shown step: a table that sorts and searches, with the roofline beside it. They share their
// selection with each other, and a layer's operation with the stage. Does nothing while hidden.
#pragma once

#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

#include "core/prediction/roofline.h"
#include "ui/runview/background.h"

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QSplitter;
class QTableView;
class QToolButton;

namespace lab {

class OperationModel;
class Playback;
class RooflineChart;
class RunController;
class Selection;
struct StepRecord;

class OperationsPanel final : public QWidget {
  Q_OBJECT

 public:
  OperationsPanel(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);

  const OperationModel& model() const { return *model_; }
  RooflineChart& chart() { return *chart_; }
  void exportFile(const QString& path);  // as CSV
  void refresh();                        // at once: for a screenshot

 Q_SIGNALS:
  void said(const QString& text);  // about a file that was written

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeTable();
  QWidget* makeHead();
  void followAll();
  void schedule();
  void follow();
  void showRoofs(const QString& lacking);
  std::optional<DeviceRoofs> roofsOf(const RunInfo& info, QString& lacking);
  void measure();
  void choose(int row);  // a row of the model; from the chart
  void chosen();         // in the table
  void askForFile();
  void complain(const QString& sentence);
  int chosenRow() const;

  RunController& controller_;
  Playback& playback_;
  Selection& selection_;
  OperationModel* model_;
  QSortFilterProxyModel* order_;
  QTableView* table_;
  RooflineChart* chart_;
  QSplitter* split_;
  QLineEdit* search_;
  QToolButton *export_, *measure_;
  QLabel *title_, *roofWords_, *words_, *first_, *complaint_;
  std::weak_ptr<const StepRecord> record_;  // the table's record; only for comparison
  std::optional<DeviceRoofs> measured_;     // for this processor, after the user has asked for it
  QTimer timer_;
  Background background_;  // last member: it ends first
};

}  // namespace lab
