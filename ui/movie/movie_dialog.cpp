// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/movie/movie_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

#include "ui/i18n/words.h"
#include "ui/playback/playback.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kSettleMs = 200, kLeastLetters = 10;
constexpr double kSideWidth = 5.4;  // four digits and their arrows, in text sizes

enum class Part { Step, Beat, Chosen, Own };

QComboBox* list(const char* name) {
  auto* made = new QComboBox;
  made->setObjectName(QLatin1String(name));
  // With large letters the longest choice is wider than a screen; the list shows it whole.
  made->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  made->setMinimumContentsLength(kLeastLetters);
  made->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return made;
}

template <typename Box>
Box* box(const char* name, const QString& words) {
  auto* made = new Box;
  made->setObjectName(QLatin1String(name));
  made->setAccessibleName(words);
  made->setToolTip(words);
  return made;
}

}  // namespace

MovieDialog::MovieDialog(const RunController& controller, const Playback& playback, std::optional<Stretch> chosen,
                         const std::function<QString(theme::Kind)>& themeName, QWidget* parent)
    : QDialog(parent), step_(stepOnStage(controller, playback)), chosen_(chosen) {
  setObjectName(QStringLiteral("movieDialog"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Make a movie"));
  if (!step_.story.beats.empty()) {
    const Beat& beat = step_.story.beats[step_.story.beatAt(playback.seconds())];
    beat_ = {beat.beginS, beat.endS};
    beatName_ = beat.name;
  }
  auto* all = new QVBoxLayout(this);
  fill(*addFittingColumn(*all), themeName);
  all->addWidget(words_);  // below the scrolled column, to stay in sight on the smallest screen
  all->addWidget(progress_);
  auto* buttons = new QDialogButtonBox;
  save_ = buttons->addButton(tr("&Save…"), QDialogButtonBox::AcceptRole);
  save_->setObjectName(QStringLiteral("movieSave"));
  cancel_ = buttons->addButton(tr("&Cancel"), QDialogButtonBox::RejectRole);
  cancel_->setObjectName(QStringLiteral("movieCancel"));
  connect(save_, &QPushButton::clicked, this, &MovieDialog::askWhere);
  connect(cancel_, &QPushButton::clicked, this, [this] {
    if (!job_) return close(), void();
    if (!job_->cancel()) return;  // too late: the file will be there in a moment
    job_.reset();
    progress_->hide();
    words_->setText(tr("Cancelled: no file was written."));
    choices_->setEnabled(true);
    save_->setEnabled(true);
  });
  // Escape and the window's own button end it, too.
  connect(this, &QDialog::rejected, this, [this] {
    if (job_ && job_->cancel()) Q_EMIT said(tr("Cancelled: no file was written."), false);
  });
  all->addWidget(buttons);
  settled_.setSingleShot(true);
  settled_.setInterval(kSettleMs);
  connect(&settled_, &QTimer::timeout, this, &MovieDialog::estimate);
  choosePart();
  fitToScreen(*this, {46, 0});  // with its words, which need room
}

MovieDialog::~MovieDialog() = default;

void MovieDialog::fill(QVBoxLayout& column, const std::function<QString(theme::Kind)>& themeName) {
  choices_ = new QWidget;
  fillChoices(themeName);
  auto* form = new QFormLayout(choices_);
  form->setContentsMargins(0, 0, 0, 0);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  const auto pair = [](QWidget* first, const QString& between, QWidget* second) {
    auto* row = new QHBoxLayout;
    row->addWidget(first);
    row->addWidget(new QLabel(between));
    row->addWidget(second);
    row->addStretch(1);
    return row;
  };
  form->addRow(tr("&What"), part_);
  form->addRow(tr("Seconds"), pair(from_, tr("to"), to_));
  form->addRow(tr("&Format"), format_);
  form->addRow(tr("&Picture"), size_);
  form->addRow(tr("Pixels"), pair(width_, tr("by"), height_));
  form->addRow(tr("&Theme"), theme_);
  form->addRow(tr("Pictures a secon&d"), rate_);
  for (QWidget* field : {static_cast<QWidget*>(part_), static_cast<QWidget*>(format_), static_cast<QWidget*>(size_),
                         static_cast<QWidget*>(theme_), static_cast<QWidget*>(rate_)})
    field->setAccessibleName(static_cast<QLabel*>(form->labelForField(field))->text().remove(QLatin1Char('&')));
  column.addWidget(choices_);
  words_ = makeLabel({.name = "movieWords", .wraps = true});
  progress_ = new QProgressBar;
  progress_->setObjectName(QStringLiteral("movieProgress"));
  progress_->setAccessibleName(tr("Progress of the movie"));
  progress_->hide();
  column.addStretch(1);
}

void MovieDialog::fillChoices(const std::function<QString(theme::Kind)>& themeName) {
  part_ = list("moviePart");
  part_->addItem(tr("This step"), static_cast<int>(Part::Step));
  part_->addItem(tr("This beat: %1").arg(beatName_), static_cast<int>(Part::Beat));
  if (chosen_) part_->addItem(tr("What is marked on the scrubber"), static_cast<int>(Part::Chosen));
  part_->addItem(tr("Other seconds"), static_cast<int>(Part::Own));
  part_->setCurrentIndex(chosen_ ? 2 : 1);
  from_ = box<QDoubleSpinBox>("movieFrom", tr("First second of the step's movie"));
  to_ = box<QDoubleSpinBox>("movieTo", tr("Last second of the step's movie"));
  for (QDoubleSpinBox* seconds : {from_, to_}) {
    seconds->setDecimals(2);
    seconds->setSingleStep(0.1);
    seconds->setRange(0, std::max(0.01, step_.story.seconds));
  }
  format_ = list("movieFormat");
  format_->addItem(tr("WebM: small and sharp, for browsers and players"), static_cast<int>(MovieFormat::WebM));
  format_->addItem(tr("GIF: larger, for slides and pages; it repeats"), static_cast<int>(MovieFormat::Gif));
  size_ = list("movieSize");
  for (const QSize size : {QSize(1280, 720), QSize(1920, 1080), QSize(3840, 2160), QSize(1080, 1080), QSize(640, 480)})
    size_->addItem(QStringLiteral("%1 × %2").arg(size.width()).arg(size.height()), size);
  size_->addItem(tr("Other"), QSize());
  width_ = box<QSpinBox>("movieWidth", tr("Width in pixels"));
  height_ = box<QSpinBox>("movieHeight", tr("Height in pixels"));
  for (QSpinBox* side : {width_, height_}) {
    side->setRange(kLeastMovieSide, kMostMovieSide);
    theme::follow(side, [side] { side->setMinimumWidth(theme::em(kSideWidth)); });  // or large letters are cut
  }
  theme_ = list("movieTheme");
  for (const theme::Kind kind : theme::kKinds) theme_->addItem(themeName(kind), static_cast<int>(kind));
  theme_->setCurrentIndex(static_cast<int>(theme::kind()));
  rate_ = list("movieRate");
  for (const int rate : {10, 20, 25, 50}) rate_->addItem(QString::number(rate), rate);
  rate_->setCurrentIndex(2);
  for (QComboBox* one : {part_, size_}) connect(one, &QComboBox::currentIndexChanged, this, &MovieDialog::choosePart);
  for (QComboBox* one : {format_, theme_, rate_})
    connect(one, &QComboBox::currentIndexChanged, this, &MovieDialog::refresh);
  for (QDoubleSpinBox* one : {from_, to_}) connect(one, &QDoubleSpinBox::valueChanged, this, &MovieDialog::refresh);
  for (QSpinBox* one : {width_, height_}) connect(one, &QSpinBox::valueChanged, this, &MovieDialog::refresh);
}

// Shows the stretch of time that the chosen part stands for.
void MovieDialog::choosePart() {
  const auto part = static_cast<Part>(part_->currentData().toInt());
  const Stretch whole{0, step_.story.seconds};
  const Stretch stretch = part == Part::Beat ? beat_ : part == Part::Chosen ? *chosen_ : whole;
  const QSize size = size_->currentData().toSize();
  const QSignalBlocker one(from_), two(to_), three(width_), four(height_);
  if (part != Part::Own) {
    from_->setValue(stretch.beginS);
    to_->setValue(stretch.endS);
  }
  if (!size.isEmpty()) {
    width_->setValue(size.width());
    height_->setValue(size.height());
  }
  for (QWidget* seconds : {static_cast<QWidget*>(from_), static_cast<QWidget*>(to_)})
    seconds->setEnabled(part == Part::Own);
  for (QWidget* side : {width_, height_}) side->setEnabled(size.isEmpty());
  refresh();
}

MovieRequest MovieDialog::request() const {
  MovieRequest request;
  request.step = step_;
  const auto part = static_cast<Part>(part_->currentData().toInt());
  const auto [first, last] = std::minmax({from_->value(), to_->value()});
  request.stretch = part == Part::Beat     ? beat_
                    : part == Part::Chosen ? *chosen_
                    : part == Part::Own    ? Stretch{first, last}
                                           : Stretch{0, step_.story.seconds};
  request.size = {width_->value(), height_->value()};
  request.theme = static_cast<theme::Kind>(theme_->currentData().toInt());
  request.font = font();
  request.framesPerSecond = rate_->currentData().toInt();
  request.format = static_cast<MovieFormat>(format_->currentData().toInt());
  return request;
}

void MovieDialog::refresh() {
  const MovieRequest now = request();
  const QString refusal = refusalOf(now);
  const int frames = now.stretch.frames(now.framesPerSecond);
  setRole(*words_, refusal.isEmpty() ? QString() : QStringLiteral("error"));
  words_->setText(refusal.isEmpty() ? tr("%Ln pictures, %1 s.", nullptr, frames)
                                          .arg(numberText(static_cast<double>(frames) / now.framesPerSecond, 'f', 2))
                                    : refusal);
  save_->setEnabled(refusal.isEmpty());
  estimate_.reset();
  if (refusal.isEmpty() && now.format == MovieFormat::Gif) {
    settled_.start();
  } else {
    settled_.stop();
  }
}

void MovieDialog::estimate() {
  if (job_) return;
  estimate_ = std::make_unique<MovieEstimate>(request());
  connect(estimate_.get(), &MovieEstimate::found, this, [this, words = words_->text()](qint64 bytes, int pictures) {
    words_->setText(words + QLatin1Char(' ') +
                    tr("About %1, an estimate from %Ln pictures.", nullptr, pictures).arg(bytesText(bytes)));
  });
}

void MovieDialog::askWhere() {
  const bool gif = request().format == MovieFormat::Gif;
  const QString name = gif ? QStringLiteral("step-%1.gif") : QStringLiteral("step-%1.webm");
  askForPath(this, this,
             {FileQuestion::Kind::Save, tr("Save the movie"), gif ? tr("Movies (*.gif)") : tr("Movies (*.webm)"),
              name.arg(step_.story.step), "movieFile"},
             [this](const QString& path) { make(path); });
}

void MovieDialog::make(const QString& path) {
  MovieRequest wanted = request();
  if (job_ || !refusalOf(wanted).isEmpty()) return;
  wanted.path = path_ = path;
  settled_.stop();
  estimate_.reset();
  choices_->setEnabled(false);
  save_->setEnabled(false);
  job_ = std::make_unique<MovieJob>(std::move(wanted));
  progress_->setRange(0, job_->frames());
  progress_->setValue(0);
  progress_->show();
  cancel_->setText(tr("&Cancel"));  // after a movie it was Close
  words_->setText(tr("The movie is being made. The window can be used meanwhile."));
  connect(job_.get(), &MovieJob::drawn, progress_, &QProgressBar::setValue);
  connect(job_.get(), &MovieJob::finished, this, &MovieDialog::end, Qt::QueuedConnection);
}

void MovieDialog::end(const QString& failure) {
  job_.reset();
  progress_->hide();
  choices_->setEnabled(true);
  save_->setEnabled(true);
  words_->setText(failure.isEmpty() ? tr("Saved: %1").arg(path_) : failure);
  cancel_->setText(tr("&Close"));
  Q_EMIT said(words_->text(), !failure.isEmpty());
}

}  // namespace lab
