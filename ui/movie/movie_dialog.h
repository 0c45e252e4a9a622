// SPDX-License-Identifier: GPL-3.0-or-later
// What of the step is filmed, and how: stretch, size, theme, pictures a second, format; then the progress, which can be
// cancelled. It stays open beside the window, which goes on.
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
  // `chosen`: the stretch that was marked on the scrubber; `themeName`: as the window's menu has it.
  MovieDialog(const RunController& controller, const Playback& playback, std::optional<Stretch> chosen,
              const std::function<QString(theme::Kind)>& themeName, QWidget* parent);
  ~MovieDialog() override;

  MovieRequest request() const;  // as it is chosen now
  void make(const QString& path);
  bool isMaking() const { return job_ != nullptr; }

 Q_SIGNALS:
  void said(const QString& text, bool failure);

 private:
  void fill(QVBoxLayout& column, const std::function<QString(theme::Kind)>& themeName);
  void fillChoices(const std::function<QString(theme::Kind)>& themeName);
  void choosePart();
  void refresh();
  void estimate();  // how large a GIF will be
  void askWhere();
  void end(const QString& failure);

  MovieStep step_;
  std::optional<Stretch> chosen_;
  Stretch beat_;
  QString beatName_;
  std::unique_ptr<MovieJob> job_;
  std::unique_ptr<MovieEstimate> estimate_;
  QTimer settled_;  // nothing has been chosen for a moment
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
