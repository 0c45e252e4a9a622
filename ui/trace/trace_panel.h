// SPDX-License-Identifier: GPL-3.0-or-later
// The trace of the shown step, or of an opened file: tracks, the breakdown of where the time went, and the totals of a
// range measured by dragging. The selection is shared with all views, in both directions. Does nothing while hidden.
#pragma once

#include <QString>
#include <QTimer>
#include <QWidget>

#include <memory>

#include "core/timeline/timeline.h"
#include "ui/runview/background.h"
#include "ui/step/object.h"

class QLabel;
class QLayout;
class QSplitter;
class QToolButton;

namespace lab {

class BreakdownStrip;
class BreakdownTable;
class CounterTracks;
class ForeignTracks;
class Playback;
class RunController;
class Selection;
class TraceSearch;
class TraceView;
struct StepRecord;

class TracePanel final : public QWidget {
  Q_OBJECT

 public:
  TracePanel(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);

  // Opens a Chrome trace: ours replaces the run's, another program's appears as tracks below. Read on a separate
  // thread; the panel shows errors.
  void openFile(const QString& path);
  void exportFile(const QString& path);  // saves what is shown as a Chrome trace
  void closeFile();                      // back to the run
  bool isFileShown() const { return !file_.isEmpty(); }
  bool isSeen() const;
  void refresh();  // at once: for a screenshot

  TraceView& view() { return *view_; }
  ForeignTracks& foreign() { return *foreign_; }

 Q_SIGNALS:
  void said(const QString& text);  // about a file that was written

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeBars();
  QLayout* makeHead();
  void followAll();
  void fitParts();
  void fitHead();
  void followFolds();
  void followCounters();
  void follow();  // follows the playback
  void show(std::shared_ptr<const Timeline> timeline);
  void showFile(const QString& path, std::shared_ptr<const Timeline> timeline);
  void schedule();  // updates breakdown and totals, which may lag behind
  void summarise();
  void askForFile(bool open);
  void complain(const QString& sentence);
  void mark();
  Object objectOf(std::int64_t bar) const;
  bool isPartOf(const Object& object, std::size_t bar) const;
  bool isOfRun() const { return file_.isEmpty() && timeline_ != nullptr; }

  RunController& controller_;
  Playback& playback_;
  Selection& selection_;
  TraceView* view_;
  CounterTracks* counterTracks_;
  ForeignTracks* foreign_;
  TraceSearch* search_;
  BreakdownTable* breakdown_;
  BreakdownStrip* strip_;  // replaces breakdown_ if that would have to scroll
  QLayout* head_;
  QSplitter *split_, *bars_;
  QLabel *title_, *totals_, *complaint_;
  QStringList totalsOf_{QString()};  // the longest first
  QToolButton *export_, *back_, *apart_, *table_, *arrows_, *counters_;
  std::shared_ptr<const Timeline> timeline_;
  std::weak_ptr<const StepRecord> record_;  // timeline_ was made from this record; only for comparison
  QString file_;
  QTimer timer_;
  Background background_;  // last member: it ends first
};

}  // namespace lab
