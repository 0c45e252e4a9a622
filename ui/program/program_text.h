// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a listing as text: coloured, numbered, selectable, never wrapped. Marks beside a row differ in shape, not
// only in colour. It knows nothing about runs; copying yields only lines of the program.
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
    IsCalling,  // the row lets other rows do it
  };
  struct Mark {
    Now now = Now::Rests;
    bool isPointedAt = false;  // an object of the stage is hovered

    bool operator==(const Mark&) const = default;
  };

  const Listing& listing() const { return listing_; }
  void setListing(Listing listing);        // keeps selection and scroll position if the rows stay
  void setMarks(std::vector<Mark> marks);  // one per row
  const std::vector<Mark>& marks() const { return marks_; }
  void setWords(std::function<QString(int row)> wordsOf, std::function<void(QMenu&)> fill);
  QString copied() const;  // the selected text, only lines of the program; without a selection, the whole program
  int caretRow() const { return textCursor().blockNumber(); }
  // If none of the rows is visible, scrolls to the first, unless the user is reading.
  void bringIntoView(const std::vector<int>& rows);

 Q_SIGNALS:
  void pointedAt(int row);  // -1: no row
  void wanted(int row);     // clicked, or chosen with Enter

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
