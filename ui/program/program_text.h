// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a listing as text: coloured, numbered, selectable, never wrapped. Marks beside a row differ in shape, not
// in colour alone. It knows nothing of runs; what is copied is the program and nothing but it.
#pragma once

#include <QPlainTextEdit>

#include <functional>
#include <vector>

#include "ui/program/program_listing.h"

class QMenu;

namespace lab {

class PythonColours;

class ProgramText final : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ProgramText(QWidget* parent = nullptr);
  ~ProgramText() override;

  enum class Now {
    Rests,
    IsDone,     // the row does it
    IsCalling,  // it has it done, by other rows
  };
  struct Mark {
    Now now = Now::Rests;
    bool isPointedAt = false;  // by an object of the stage

    bool operator==(const Mark&) const = default;
  };

  const Listing& listing() const { return listing_; }
  void setListing(Listing listing);        // selection and place stay where rows stay
  void setMarks(std::vector<Mark> marks);  // one a row
  const std::vector<Mark>& marks() const { return marks_; }
  void setWords(std::function<QString(int row)> wordsOf, std::function<void(QMenu&)> fill);
  QString copied() const;  // the selected text, without what is no line of the program; without a selection all of it
  int caretRow() const { return textCursor().blockNumber(); }
  // Where none of them is seen, the first, unless somebody is reading.
  void bringIntoView(const std::vector<int>& rows);

 Q_SIGNALS:
  void pointedAt(int row);  // -1: at none
  void wanted(int row);     // clicked, or Enter on it

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  QMimeData* createMimeDataFromSelection() const override;

 private:
  friend class ProgramGutter;
  int rowAt(const QPoint& place) const;  // in the viewport; -1: none
  void point(int row);
  int gutterWidth() const;
  void fitText();
  void tint();
  void paintGutter(QPainter& painter, const QRect& part) const;
  void paintMarks(QPainter& painter, const ListingRow& row, const Mark& mark, const QRectF& line) const;

  Listing listing_;
  std::vector<Mark> marks_;
  std::function<QString(int)> wordsOf_;
  std::function<void(QMenu&)> fill_;
  PythonColours* colours_;
  QWidget* gutter_;
  int pointed_ = -1;
  QPoint pressed_;
};

}  // namespace lab
