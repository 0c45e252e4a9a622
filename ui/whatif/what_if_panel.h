// SPDX-License-Identifier: GPL-3.0-or-later
// The recorded step on other hardware: a cluster to compose and sliders to drag on the left, its picture and its
// scaling curve, and the trace of the recorded step above that of the modelled one, on one scale of time. Whatever is
// changed is modelled at once, on a thread of its own, where the newest question wins; until it is answered, what was
// asked before is shown as such. Nothing is trained. Hidden it does nothing.
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
class QComboBox;
class QLabel;
class QSplitter;
class QVBoxLayout;

namespace lab {

class BreakdownTable;
class ClusterEditor;
class ClusterPicture;
class Experiment;
class FactorSlider;
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

  void refresh();  // at once: for a picture
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
  void follow();  // the playback's record
  void takeUp();  // another run: its settings
  void reset();   // as recorded
  void showNetwork();
  void ask();  // what the controls say, soon
  void readControls();
  void answer();  // what is asked now; later, while something else is being predicted
  WhatIfQuestion question() const;
  void predict(WhatIfQuestion question);
  void show(const WhatIfPrediction& prediction);
  void showAsOld(bool isOld);
  void showImpossible(const QString& why);
  void showTimeline(const WhatIfPrediction& prediction);
  void drawCurves(const WhatIfPrediction& prediction);
  void chooseStrategy();
  void compose();  // the cluster or the batch is a person's own from now on
  std::vector<std::int64_t> sharesAsked() const;
  void spreadDevices();
  bool keepsGlobal() const;        // when devices change, as the toolbar has it
  bool hasTooFewExamples() const;  // a kept global batch, for so many devices
  void keepBatch();                // they have
  void showKept();
  void showDevices();  // how many the editor's cluster has
  void showStrategyNotes();
  QString otherStrategy() const;                                // than the recorded one, or with another reducer
  QString howFarOff(const WhatIfPrediction& prediction) const;  // or why that is not known
  void showFigures(const WhatIfPrediction& prediction);

  RunController& controller_;
  Playback& playback_;
  Experiment& experiment_;
  std::shared_ptr<const WhatIfModel> model_;
  std::shared_ptr<const RunInfo> info_;     // that the settings were taken from
  std::weak_ptr<const StepRecord> record_;  // only compared
  std::shared_ptr<const Timeline> recorded_;
  RecordedStep step_;
  Anchor anchor_;
  WhatIf base_, asked_;
  WhatIf home_;  // that a chosen strategy is applied to: as recorded, or as a person has composed it since
  bool composed_ = false;
  std::vector<std::int64_t> shards_;                    // of the recorded step under another strategy
  std::int64_t globalBatch_ = 0, batchPerReplica_ = 0;  // of what is asked; the kept one decides
  QTimer recordTimer_, askTimer_;
  bool isTouched_ = false;  // a person has changed something since the last question

  StrategyChoice* strategy_;
  ClusterEditor* editor_;
  ClusterPicture* picture_;
  QComboBox* network_;
  FactorSlider *devices_, *batch_, *pack_, *speed_, *linkBandwidth_, *hostBandwidth_, *latency_, *jitter_, *decode_,
      *threads_;
  QCheckBox* prefetch_;
  ScalingView* scaling_;
  QSplitter* split_;
  QBoxLayout *head_, *pictures_, *traces_;
  QLabel *kept_, *recordedTitle_, *modelledTitle_, *drawn_, *waiting_, *band_;
  TraceView *recordedView_, *modelledView_;
  BreakdownTable* breakdown_;

  std::unique_ptr<WhatIfQuestion> next_;  // asked while another is being predicted
  QTimer oldTimer_;                       // how long the answer before is shown as if it were this one's
  std::atomic<bool> stop_ = false;
  Background background_;  // last: it ends first
};

}  // namespace lab
