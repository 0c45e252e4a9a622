// SPDX-License-Identifier: GPL-3.0-or-later
// The menu Export: pictures of the window, a step as a poster, a beat as a movie, the table of runs.
#pragma once

#include <QObject>

#include <functional>

class QMenu;

namespace lab {

class DeskParts;

class Exports final : public QObject {
  Q_OBJECT

 public:
  explicit Exports(DeskParts& desk);
  void fillMenu(QMenu& file);

 private:
  using Write = std::function<void(const QString& path, const QString& filter)>;
  // Asks for a file and writes it, or reports why it cannot.
  void ask(const QString& title, const QString& name, const QString& filter, const Write& write);
  void askForPoster();
  void askForRuns();
  void showMovie();

  DeskParts& desk_;
};

}  // namespace lab
