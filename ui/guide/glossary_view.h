// SPDX-License-Identifier: GPL-3.0-or-later
// The glossary: the words of the course, found by typing; each with what it means, other words, and a moment that shows
// it.
#pragma once

#include <QWidget>

#include "ui/guide/glossary.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace lab {

class GlossaryView final : public QWidget {
  Q_OBJECT

 public:
  explicit GlossaryView(const std::vector<GlossaryTerm>& terms, QWidget* parent = nullptr);

  void open(const std::string& name);  // unknown: stays
  const GlossaryTerm* shown() const;   // null: none fits what was typed

 Q_SIGNALS:
  void wanted(const lab::Moment& moment);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void find(const QString& words);
  void show(int row);
  void fillSee(const GlossaryTerm* term);

  const std::vector<GlossaryTerm>& terms_;
  std::vector<int> order_;  // of the list: by their words
  QLineEdit* search_;
  QListWidget* list_;
  QWidget* see_;
  QLabel *term_, *tensorflow_, *text_, *seeAlso_;
  QPushButton* show_;
};

}  // namespace lab
