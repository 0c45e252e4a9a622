// SPDX-License-Identifier: GPL-3.0-or-later
// Try it: what the network, with the weights of the step on the stage, predicts for a drawn digit or a picture; what
// each replica predicted for its part of the batch; which test images it mistakes; the confusion matrix; and what the
// first layer's units look for. A background thread computes only the visible page, and only when the weights or the
// drawing have changed.
#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/replay/classify.h"
#include "core/trace/step_record.h"
#include "ui/runview/background.h"

class QBoxLayout;
class QButtonGroup;
class QLabel;
class QLayout;
class QStackedWidget;

namespace lab {

class BatchGrid;
class DigitPad;
class Playback;
class RunController;
class ProbabilityBars;
class MistakeGrid;
class ConfusionTable;
class FilterGrid;

class TryOut final : public QWidget {
  Q_OBJECT

 public:
  enum class Page { Draw, Batches, Mistakes, Confusion, Filters };

  TryOut(RunController& controller, Playback& playback, QWidget* parent = nullptr);
  ~TryOut() override;

  void showPage(Page page);
  void tryPicture(const QImage& picture);            // puts it onto the pad
  void openPicture(const QString& path);             // puts it onto the pad; the panel shows errors
  int answer() const;                                // the class predicted for the drawing; -1: none
  std::pair<std::int64_t, double> answered() const;  // the step whose weights were used; the sum of the shown bars
  std::size_t mistakes() const;
  ConfusionCounts confusion() const;
  int filters() const;
  const BatchGrid& batches() const { return *batches_; }
  std::int64_t computations() const { return computations_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addPages(QLayout& tabs);
  QWidget* makeDrawing();
  void followAll();
  void schedule();
  void refresh();
  void followShape();
  void choosePicture();
  void takeWeights(const std::shared_ptr<const StepRecord>& record);
  void showFilters(const StepRecord& record);
  void putOnPad(const Examples& images, std::int64_t image);
  void askAboutDrawing();
  void askAboutTestImages();

  RunController& controller_;
  Playback& playback_;
  QTimer timer_;  // single shot
  QLabel* words_;
  QButtonGroup* tabs_;
  QStackedWidget* pages_;
  QBoxLayout* draw_;  // pad and bars: side by side or, if there is little room, one above the other
  DigitPad* pad_;
  ProbabilityBars* bars_;
  BatchGrid* batches_;
  MistakeGrid* mistakes_;
  std::shared_ptr<const StepRecord> weightsOf_;
  std::shared_ptr<const std::vector<float>> weights_;  // after that step
  QString whose_;                                      // says which weights they are
  ConfusionTable* confusion_;
  FilterGrid* filters_;
  std::shared_ptr<const StepRecord> drawn_, distributed_, tested_;  // the records that the pages show
  bool drawingChanged_ = false;
  std::int64_t computations_ = 0, answeredStep_ = 0;
  std::atomic<bool> stop_{false};
  Background background_;  // declared last, so that it ends first
};

}  // namespace lab
