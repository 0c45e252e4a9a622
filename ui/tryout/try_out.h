// SPDX-License-Identifier: GPL-3.0-or-later
// Try it: what the network with the weights of the step on the stage says to a drawn digit or a picture; what each
// replica said to its part of the batch; which test images are taken for others; the confusion matrix; and what the
// first layer's units look for. It is
// computed on a thread of its own, only of the page that is seen, and only when the weights or the drawing have
// changed.
#pragma once

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
  void tryPicture(const QImage& picture);            // onto the pad
  void openPicture(const QString& path);             // likewise; what is wrong with it is said in the panel
  int answer() const;                                // of the drawing; -1: none
  std::pair<std::int64_t, double> answered() const;  // with the weights after which step; the sum of what is shown
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
  QBoxLayout* draw_;  // pad and bars: beside one another or, where it is narrow, above
  DigitPad* pad_;
  ProbabilityBars* bars_;
  BatchGrid* batches_;
  MistakeGrid* mistakes_;
  ConfusionTable* confusion_;
  FilterGrid* filters_;
  std::shared_ptr<const StepRecord> drawn_, distributed_, tested_;  // what each page stands for
  bool drawingChanged_ = false;
  std::int64_t computations_ = 0, answeredStep_ = 0;
  std::atomic<bool> stop_{false};
  Background background_;  // last: it ends first
};

}  // namespace lab
