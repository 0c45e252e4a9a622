// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded step on other hardware: a cluster to compose and sliders on the left, its picture and scaling curve, and
// the trace of the recorded step above that of the modelled one, on one time scale. Every change is modelled at once on
// a separate thread, and the newest question wins; until the answer comes, the previous answer is marked as old.
// Nothing is trained. Does nothing while hidden.
#pragma once

#include <QTimer>
#include <QWidget>

#include <atomic>
#include <memory>
#include <optional>

#include "core/prediction/what_if.h"
#include "ui/runview/background.h"

class QBoxLayout;
class QCheckBox;
class QLabel;
class QSplitter;
class QVBoxLayout;

namespace lab {

class BreakdownTable;
class ClusterEditor;
class ClusterPicture;
class Experiment;
class FactorSlider;
class NetworkChoice;
class Playback;
class RunController;
class ScalingView;
class StrategyChoice;
class TraceView;
struct WhatIfPrediction;
struct WhatIfQuestion;

class WhatIfPanel final : public QWidget {
  Q_OBJECT

 public:
  WhatIfPanel(RunController& controller, Playback& playback, Experiment& experiment, QWidget* parent = nullptr);
  ~WhatIfPanel() override;

  void refresh();  // at once: for a screenshot
  bool isSeen() const;
  bool isPredicting() const { return background_.busy(); }
  const WhatIf& asked() const { return asked_; }

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* createHead();
  QWidget* createControls();
  void addSliders(QVBoxLayout& column);
  void addCluster(QVBoxLayout& column);
  QWidget* createPictures();
  QWidget* createTraces();
  void arrange();
  void setSizes();
  void fitBreakdown();
  void fitHeight();
  void follow();  // follows the playback's record
  void takeUp();  // takes the settings of another run
  void reset();   // back to the recorded settings
  void ask();     // asks what the controls say, soon
  void readControls();
  void answer();  // answers the present question; waits while another prediction runs
  WhatIfQuestion question() const;
  void predict(WhatIfQuestion question);
  void show(const WhatIfPrediction& prediction);
  void showAsOld(bool isOld);
  void showImpossible(const QString& why);
  void showTimeline(const WhatIfPrediction& prediction);
  void drawCurves(const WhatIfPrediction& prediction);
  void chooseStrategy();
  void compose();  // from now on the cluster or the batch is the user's own
  std::vector<std::int64_t> sharesAsked() const;
  void spreadDevices();
  bool keepsGlobal() const;        // when devices change, as chosen in the toolbar
  bool hasTooFewExamples() const;  // a kept global batch is too small for so many devices
  void keepBatch();                // after devices have changed
  void showKept();
  void showDevices();  // the number of devices in the editor's cluster
  void showStrategyNotes();
  QString otherStrategy() const;                                // if it differs from the recorded strategy or reducer
  QString howFarOff(const WhatIfPrediction& prediction) const;  // or why that is not known
  void showFigures(const WhatIfPrediction& prediction);

  RunController& controller_;
  Playback& playback_;
  Experiment& experiment_;
  std::shared_ptr<const WhatIfModel> model_;
  std::shared_ptr<const RunInfo> info_;     // the settings were taken from this run
  std::weak_ptr<const StepRecord> record_;  // only for comparison
  std::shared_ptr<const Timeline> recorded_;
  RecordedStep step_;
  Anchor anchor_;
  WhatIf base_, asked_;
  WhatIf home_;  // a chosen strategy is applied to this: as recorded, or as the user has composed it since
  bool composed_ = false;
  std::vector<std::int64_t> shards_;                      // of the asked batch, if it is not shared evenly
  std::int64_t globalBatch_ = 0, examplesPerDevice_ = 0;  // the asked batch; the kept one decides
  QTimer recordTimer_, askTimer_;
  bool isTouched_ = false;  // the user has changed something since the last question

  StrategyChoice* strategy_;
  ClusterEditor* editor_;
  ClusterPicture* picture_;
  NetworkChoice* network_;
  FactorSlider *devices_, *batch_, *pack_, *speed_, *linkBandwidth_, *hostBandwidth_, *latency_, *jitter_, *decode_,
      *threads_;
  QCheckBox* prefetch_;
  ScalingView* scaling_;
  QSplitter* split_;
  QBoxLayout *head_, *pictures_, *traces_;
  QLabel *kept_, *recordedTitle_, *modelledTitle_, *drawn_, *waiting_, *band_;
  TraceView *recordedView_, *modelledView_;
  BreakdownTable* breakdown_;

  std::unique_ptr<WhatIfQuestion> next_;  // asked while another prediction runs
  QTimer oldTimer_;                       // how long the previous answer may be shown unmarked
  std::atomic<bool> stop_ = false;
  Background background_;  // last member: it ends first
};

}  // namespace lab
