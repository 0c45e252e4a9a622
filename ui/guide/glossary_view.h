// SPDX-License-Identifier: GPL-3.0-or-later
// The glossary: the terms of the course, found by typing; each with its meaning, related terms, and a moment that shows
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

  void open(const std::string& name);  // does nothing for an unknown name
  const GlossaryTerm* shown() const;   // null if nothing matches the typed text

 Q_SIGNALS:
  void wanted(const lab::Moment& moment);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void find(const QString& words);
  void show(int row);
  void fillSee(const GlossaryTerm* term);

  const std::vector<GlossaryTerm>& terms_;
  std::vector<int> order_;  // the list's order: alphabetical by term
  QLineEdit* search_;
  QListWidget* list_;
  QWidget* see_;
  QLabel *term_, *tensorflow_, *text_, *seeAlso_;
  QPushButton* show_;
};

}  // namespace lab
