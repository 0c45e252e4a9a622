// SPDX-License-Identifier: GPL-3.0-or-later
// Describes what the pointer is over or what was clicked, live while the movie moves. describe() decides the contents;
// the inspector lays them out.
#pragma once

#include <QTimer>
#include <QWidget>

#include <memory>
#include <utility>
#include <vector>

#include "ui/inspect/describe.h"
#include "ui/runview/known_steady.h"

class QComboBox;
class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QVBoxLayout;

namespace lab {

class HeatMap;
class MemoryArea;
class Playback;
class RunController;
class Selection;

class Inspector final : public QWidget {
  Q_OBJECT

 public:
  Inspector(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);

  void refresh();
  void setLeisurely(bool leisurely);  // updates once per second
  const Description& shown() const { return text_; }

 Q_SIGNALS:
  void slowdownWanted(int replica, double factor);

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void createContent(QVBoxLayout& column);
  void createChoices();
  void createSpeed();
  void showSpeed();
  void follow();
  void schedule();
  Description describeNow();
  Description describeRun();
  void showBand();  // when nothing is selected
  void showParts();
  void showRows();

  RunController& controller_;
  Playback& playback_;
  Selection& selection_;
  KnownSteady steady_;
  QTimer timer_;  // single shot: faster changes could not be read
  QString caption_;
  std::unique_ptr<StepIndex> index_;
  Description text_;
  QLabel *title_, *subtitle_, *digit_, *sumsTitle_, *sums_, *code_, *note_;
  QComboBox *part_, *scope_;
  QWidget *choices_, *speed_;
  QDoubleSpinBox* slowdown_;
  int slowed_ = -1;  // the replica that slowdown_ is about; stays the same while the user types
  HeatMap* heat_;
  MemoryArea* memory_;
  QGridLayout* grid_;
  bool stacked_ = false;  // each value stands below its name
  bool isRefreshing_ = false;
  std::vector<std::pair<QLabel*, QLabel*>> rows_;
};

}  // namespace lab
