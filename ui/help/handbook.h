// SPDX-License-Identifier: GPL-3.0-or-later
// The handbook (F1): sections that link to each other, a search, and for every part of the window the section that
// explains it. Its text is resources/handbook/*.md, in the window's language.
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
HandbookText handbookIn(const QString& language);  // "de"; everything else is English

// The section about what has the focus: that of the nearest part of the window around it; the first one for nobody.
QString handbookSection(const QWidget* widget);

class Handbook final : public QDialog {
  Q_OBJECT

 public:
  explicit Handbook(QWidget* parent);

  void open(const QString& section);
  QString section() const;  // that is read
  // From where the reader is, then from the beginning. False: it is nowhere.
  bool find(const QString& words, bool back = false);

 private:
  void fill();
  void goTo(int row);
  void follow();

  HandbookText text_;
  bool going_ = false;  // to a section that was asked for
  QLineEdit* search_;
  QLabel* status_;
  QListWidget* contents_;
  QTextBrowser* page_;
};

// Opens it, or brings it to the front.
Handbook& showHandbook(QWidget& window, const QString& section);

}  // namespace lab
