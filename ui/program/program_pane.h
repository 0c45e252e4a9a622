// SPDX-License-Identifier: GPL-3.0-or-later
// The TensorFlow program of the shown run, connected with the stage: the lines of the present beat are marked, a
// hovered line marks its objects on the stage and vice versa, and a click goes to the line's moment. After a change of
// settings it shows how many lines are new.
#pragma once

#include <QPointer>
#include <QWidget>

#include <optional>
#include <vector>

#include "core/codegen/program.h"
#include "core/config/run_settings.h"
#include "ui/program/program_listing.h"

class QAbstractButton;
class QLabel;
class QLayout;
class QMenu;
class QToolButton;

namespace lab {

class Playback;
class ProgramText;
class RunController;
class Selection;

class ProgramPane final : public QWidget {
  Q_OBJECT

 public:
  ProgramPane(RunController& controller, Playback& playback, Selection& selection, QWidget* parent = nullptr);
  ~ProgramPane() override;

  // Follows this run from now on. `leader` moves the movie if `playback` follows another.
  void follow(RunController& controller, Playback& playback, Selection& selection, Playback& leader);
  void setLoop(bool loop);  // a custom loop instead of Keras's fit

  ProgramText& text() { return *text_; }
  const Program& program() const { return program_; }
  const ProgramChange& change() const { return change_; }
  QString wordsOf(int row) const;  // what the row does, and where a click leads
  bool goTo(int row);              // false if no moment shows the row
  void copy();
  void askForFile(bool notebook);
  void write(const QString& path);  // writes a notebook if the name says so
  void refresh();

 Q_SIGNALS:
  void loopChosen(bool loop);
  void said(const QString& text, bool failure);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeBar(QLayout& bar);
  QToolButton* addButton(QLayout& bar, const char* name, const QString& text, const QString& tip);
  void connectText();
  void fillMenu(QMenu& menu);
  void takeRun();    // takes the shown run, which may be another one
  void makeLines();  // makes the program, and finds what has changed
  void showWay();    // updates the buttons for fit or a loop
  void makeListing();
  void mark();  // marks the present moment, and what is hovered
  bool showsChange();
  std::vector<int> changedRows() const;
  void point(int row);
  void say();  // describes the current row, or the marks, in the line below
  int rowAtHand() const;
  QString changeWords() const;
  QString nameOf(bool notebook) const;
  QString momentWords(const ListingRow& row) const;

  QPointer<RunController> controller_;
  QPointer<Playback> playback_, leader_;
  QPointer<Selection> selection_;
  ProgramText* text_;
  QAbstractButton *fit_, *custom_;
  QLabel *note_, *changes_, *words_;
  bool loop_ = false;
  std::optional<ResolvedSettings> config_, before_;  // of the present program, and of the previous one
  bool toChange_ = false;                            // scroll to the changed lines
  bool atStart_ = false;                             // the movie has been at its start since then
  bool stale_ = true;                                // the settings differ from those of the program
  Program program_;
  ProgramChange change_;
  std::int64_t listedStep_ = -1;
  std::size_t listedBeat_ = 0;
  int pointed_ = -1;
};

}  // namespace lab
