// SPDX-License-Identifier: GPL-3.0-or-later
// The tab Lessons: the list with what has been done, and the chosen lesson's page. A page is ticked when its condition
// holds in the program, no matter who brought it about or how; the user can always leave.
#pragma once

#include <QMap>
#include <QStackedWidget>
#include <QStringList>
#include <QTimer>

#include <set>
#include <string>
#include <vector>

#include "core/base/at.h"
#include "core/lesson/lesson.h"
#include "ui/guide/lesson_facts.h"

class QHBoxLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QScrollArea;
class QSettings;
class QVBoxLayout;

namespace lab {

class QuestionView;
class RunLibrary;
class SetupForm;
class Spotlight;
class Stage;

class LessonView final : public QStackedWidget {
  Q_OBJECT

 public:
  LessonView(const LessonWorld& world, Stage& stage, QWidget& window, QWidget* parent = nullptr);

  void begin(const Lesson& lesson);      // at the page where the user left it
  bool beginNamed(const QString& name);  // for built-in lessons; false if there is none of this name
  void keepIn(QSettings& settings);      // stores progress there from now on
  void look();                           // the window has changed in some way
  const Lesson* lesson() const { return open_ ? &lesson_ : nullptr; }
  int page() const { return page_; }
  bool isDone(int page) const;

 Q_SIGNALS:
  void visitWanted(const lab::Moment& moment);
  void ticked(int page);
  void controlPointedAt(const QString& name);  // emitted before the control is lit, as it may be hidden

 protected:
  void hideEvent(QHideEvent* event) override;

 private:
  QWidget* makeList();
  QWidget* makePage();
  QPushButton* addButton(class FlowLayout& row, const char* name, const QString& text, void (LessonView::*act)());
  void fillList();
  void showList();
  void turn(int page);
  void next();
  void previous();
  void startAgain();
  void showHint();
  void doIt();
  void pointOut();  // when the page begins
  void light();
  void sayWhere();  // when the user asks
  void beginInStory();
  void arm();
  void check();
  bool awaitsProgram() const;  // whether the page has a prediction that is not answered yet
  void tick();
  void refresh();
  void keep();
  QVector<QRect> places() const;
  QVector<QRect> labelsAt(const QRect& place) const;
  QStringList fields() const;
  void addFields();
  void addQuestion();
  std::int64_t goal() const;
  bool isOfClass() const;
  bool isTicked(int page) const;  // even before the lesson is open
  void stopAt(std::int64_t step);
  void emphasize();
  void showWhole(QWidget& part);
  RunLibrary& library();
  const LessonPage& now() const { return at(lesson_.pages, page_); }

  LessonFacts facts_;
  Stage& stage_;
  QWidget& window_;
  QSettings* settings_ = nullptr;
  Spotlight* spotlight_;
  Lesson lesson_;
  bool open_ = false, armed_ = false;
  bool toPoint_ = false;  // waits for the target to appear
  int page_ = 0, hints_ = 0;
  std::set<std::string> predicted_, answered_;
  QMap<QString, QStringList> done_;  // finished pages with their revisions, by lesson
  QTimer hintTimer_;
  QListWidget* list_;
  QLabel *title_, *where_, *text_, *tick_, *changed_, *place_, *hint_;
  QuestionView* question_ = nullptr;
  SetupForm* fields_ = nullptr;
  QVBoxLayout* column_;
  QHBoxLayout* commitRow_;
  QScrollArea* scroll_;
  QPushButton *hintButton_, *doButton_, *pointButton_, *previous_, *next_, *again_, *all_;
};

// Returns whether a page of a lesson is open in `window`.
bool isInLesson(const QWidget& window);

}  // namespace lab
