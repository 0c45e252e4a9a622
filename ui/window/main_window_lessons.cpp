// SPDX-License-Identifier: GPL-3.0-or-later
// What lessons can ask of the window itself, and the tab that shows lessons.
#include <algorithm>

#include "ui/compare/compare_view.h"
#include "ui/guide/lesson_view.h"
#include "ui/serving/served_class.h"
#include "ui/sweep/sweep_view.h"
#include "ui/window/main_window.h"
#include "ui/window/panel.h"

namespace lab {

QWidget* MainWindow::makeLessons() {
  const auto window = [this](const FactCall& call) -> Fact {
    const std::string name = call.name->name;
    if (name == "workspace") return std::string(keyOf(layout_));
    if (name == "lanes") return compare_ == nullptr ? 1.0 : static_cast<double>(compare_->lanes().count());
    if (name == "sweep.done") {
      const auto* sweep = findChild<SweepView*>();
      return sweep != nullptr && sweep->run().ended() > 0 && sweep->run().ended() == sweep->run().runnable();
    }
    if (name == "class.workers") return static_cast<double>(class_->isOpen() ? class_->totals().workers : 0);
    if (name == "class.slowed" || name == "class.left") {
      const bool left = name == "class.left";
      return static_cast<double>(!class_->isOpen() ? 0 : std::ranges::count_if(class_->members(), [left](auto& each) {
        return left ? !isThere(each) : isThere(each) && each.slowdown > 1;
      }));
    }
    const QString tab = QString::fromStdString(call.argument);
    const Panel* panel = panelOf(tab);
    return panel != nullptr && panel->shows(tab);
  };
  auto* lessons = new LessonView({controller_, playback_, selection_, experiment_, library_, window}, *stage_, *this);
  connect(this, &MainWindow::arranged, lessons, &LessonView::look);
  connect(class_, &ServedClass::changed, lessons, &LessonView::look);
  connect(lessons, &LessonView::controlPointedAt, this, &MainWindow::reveal);
  return lessons;
}

bool MainWindow::followsLesson() const {
  const auto* lessons = findChild<LessonView*>();
  return lessons != nullptr && lessons->lesson() != nullptr &&
         panelAt(PanelPlace::Guide).chosen() == QStringLiteral("lessonsTab");
}

// "Show me" may open something in the quiz's place: a message leads back.
bool MainWindow::keepsGuide() const {
  const bool asks = panelAt(PanelPlace::Guide).chosen() == QStringLiteral("quizTab");
  return followsLesson() || (asks && (!guest_ || inspects_));
}

}  // namespace lab
