// SPDX-License-Identifier: GPL-3.0-or-later
// The handbook (F1): sections that link to each other, a search, and for every part of the window the section that
// explains it. The text is in resources/handbook/*.md, in the window's language.
#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>

#include <utility>
#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace lab {

struct HandbookText {
  struct Section {
    QString key, title;  // "charts", "Charts"
  };
  QString markdown;  // without the keys
  std::vector<Section> sections;
};
HandbookText handbookIn(const QString& language);  // "de"; any other value means English

// The section about the focused widget: that of the nearest enclosing part of the window; the first one for null.
QString handbookSection(const QWidget* widget);

class Handbook final : public QDialog {
  Q_OBJECT

 public:
  explicit Handbook(QWidget* parent);

  void open(const QString& section);
  QString section() const;  // the section being read
  // Searches from the reader's place, then from the beginning. Returns false if nothing is found.
  bool find(const QString& words, bool back = false);

 private:
  void fill();
  void goTo(int row);
  void follow();

  HandbookText text_;
  bool going_ = false;  // while going to a requested section
  QLineEdit* search_;
  QLabel* status_;
  QListWidget* contents_;
  QTextBrowser* page_;
};

// Opens the handbook, or brings it to the front.
Handbook& showHandbook(QWidget& window, const QString& section);

}  // namespace lab
