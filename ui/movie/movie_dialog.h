// SPDX-License-Identifier: GPL-3.0-or-later
// Asks what part of the step to film, and how: range, size, theme, frames per second, format; then shows the progress,
// which can be cancelled. Not modal: the window remains usable.
#pragma once

#include <QDialog>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

#include "ui/movie/movie_estimate.h"
#include "ui/movie/movie_job.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace lab {

class MovieDialog final : public QDialog {
  Q_OBJECT

 public:
  // `chosen`: the range marked on the scrubber; `themeName`: a theme's name in the window's menu.
  MovieDialog(const RunController& controller, const Playback& playback, std::optional<Stretch> chosen,
              const std::function<QString(theme::Kind)>& themeName, QWidget* parent);
  ~MovieDialog() override;

  MovieRequest request() const;  // as currently chosen
  void make(const QString& path);
  bool isMaking() const { return job_ != nullptr; }

 Q_SIGNALS:
  void said(const QString& text, bool failure);

 private:
  void fill(QVBoxLayout& column, const std::function<QString(theme::Kind)>& themeName);
  void fillChoices(const std::function<QString(theme::Kind)>& themeName);
  void choosePart();
  void refresh();
  void estimate();  // the size of a GIF
  void askWhere();
  void end(const QString& failure);

  MovieStep step_;
  std::optional<Stretch> chosen_;
  Stretch beat_;
  QString beatName_;
  std::unique_ptr<MovieJob> job_;
  std::unique_ptr<MovieEstimate> estimate_;
  QTimer settled_;  // runs out when no choice has changed for a moment
  QString path_;
  QWidget* choices_;
  QComboBox *part_, *format_, *size_, *theme_, *rate_;
  QDoubleSpinBox *from_, *to_;
  QSpinBox *width_, *height_;
  QLabel* words_;
  QProgressBar* progress_;
  QPushButton *save_, *cancel_;
};

}  // namespace lab
