// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of the step that is shown: a table that sorts and searches, and the roofline beside it. What is chosen
// in one is chosen in the other, and a layer's operation on the stage. Hidden it does nothing.
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
  void refresh();                        // at once: for a picture

 Q_SIGNALS:
  void said(const QString& text);  // of a file that was written

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
  void choose(int row);  // of the model; from the chart
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
  std::weak_ptr<const StepRecord> record_;  // that the table is of; only compared
  std::optional<DeviceRoofs> measured_;     // of this processor, once asked for
  QTimer timer_;
  Background background_;  // last: it ends first
};

}  // namespace lab
