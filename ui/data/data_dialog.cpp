// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_dialog.h"

#include <QDateTime>
#include <QDir>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QUrl>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/config/run_settings.h"
#include "core/data/data_folders.h"
#include "core/data/dataset.h"
#include "core/data/picture_folder.h"
#include "core/model/neural_network.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"
#include "ui/data/data_preview.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/setup/experiment.h"
#include "ui/theme/file_dialog.h"
#include "ui/theme/fitting.h"
#include "ui/theme/labels.h"
#include "ui/theme/theme.h"

namespace lab {
namespace {

constexpr int kBarSteps = 1000;
constexpr std::int64_t kIdxClasses = 10;

QPushButton* makeButton(const char* name, const QString& text, const QString& tip) {
  auto* button = new QPushButton(text);
  button->setObjectName(QLatin1String(name));
  button->setToolTip(tip);
  button->setWhatsThis(tip);
  button->setAutoDefault(false);
  return button;
}

}  // namespace

QStringList localFiles(const QMimeData& data) {
  QStringList paths;
  for (const QUrl& url : data.urls())
    if (url.isLocalFile()) paths << url.toLocalFile();
  return paths;
}

bool looksLikeData(const QStringList& paths) {
  if (paths.size() != 1) return paths.size() > 1;
  const QFileInfo info(paths.front());
  if (info.isDir()) return true;
  const QString name = info.fileName();
  if (name.contains(QStringLiteral("idx")) || name.contains(QStringLiteral("ubyte"))) return true;
  QFile file(paths.front());
  if (!file.open(QIODevice::ReadOnly)) return false;
  const QByteArray magic = file.read(4);
  return magic == QByteArray("\0\0\x08\x01", 4) || magic == QByteArray("\0\0\x08\x03", 4);
}

std::vector<std::unique_ptr<DataFetch>> DataDialog::published() {
  std::vector<std::unique_ptr<DataFetch>> fetches;
  for (const char* name : {"mnist", "fashion-mnist", "cifar10"})
    fetches.push_back(std::make_unique<DataFetch>(remoteDataset(name), dataFolders(name, {}), customDataFolder(name)));
  return fetches;
}

DataDialog::DataDialog(Experiment& experiment, std::vector<std::unique_ptr<DataFetch>> fetches,
                       std::filesystem::path ownFolder, QWidget* parent)
    : QDialog(parent), experiment_(experiment), ownFolder_(std::move(ownFolder)) {
  setObjectName(QStringLiteral("dataDialog"));
  setWindowTitle(tr("Data"));
  setAcceptDrops(true);
  auto* all = new QVBoxLayout(this);
  QVBoxLayout* column = addFittingColumn(*all);
  column->setSpacing(theme::em(0.8));
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(theme::em(0.8));
  grid->setVerticalSpacing(theme::em(0.3));
  grid->setColumnStretch(0, 1);
  rows_.reserve(fetches.size());  // must not reallocate, as pointers to rows are kept
  for (std::unique_ptr<DataFetch>& fetch : fetches) addRow(*grid, std::move(fetch));
  column->addLayout(grid);

  column->addWidget(makeOwn());
  message_ = makeLabel({.name = "dataMessage", .wraps = true, .selectable = true});
  message_->setContentsMargins(theme::em(0.6), theme::em(0.4), theme::em(0.6), theme::em(0.4));
  message_->hide();
  column->addWidget(message_);
  preview_ = new DataPreview;
  column->addWidget(preview_, 1);
  leftOutTitle_ = makeLabel({.role = "strong"});
  leftOut_ = new QListWidget;
  leftOut_->setObjectName(QStringLiteral("dataLeftOut"));
  leftOut_->setAccessibleName(tr("Files that are left out, and why"));
  leftOut_->setWordWrap(true);
  leftOut_->setMinimumHeight(theme::em(5));
  leftOut_->setMaximumHeight(theme::em(10));
  leftOutTitle_->setBuddy(leftOut_);
  column->addWidget(leftOutTitle_);
  column->addWidget(leftOut_);
  showLeftOut({});
  auto* last = new QHBoxLayout;
  auto* close = makeButton("dataClose", tr("&Close"), tr("Close this window; downloads continue"));
  last->addStretch(1);
  last->addWidget(close);
  all->addLayout(last);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  fitToScreen(*this, {52, 50});
}

QWidget* DataDialog::makeOwn() {
  auto* all = new QWidget;
  auto* own = new QHBoxLayout(all);
  own->setContentsMargins(0, 0, 0, 0);
  own->setSpacing(theme::em(0.8));
  auto* texts = new QVBoxLayout;
  auto* title = makeLabel({.text = tr("Custom images"), .role = "strong"});
  auto* words = makeLabel({.role = "quiet", .wraps = true, .selectable = true});
  words->setText(tr(
      "Drop a folder here in which each class has its own folder of PNG or JPEG pictures: they are scaled to the "
      "network's input, and about a fifth of them is kept for testing. Or drop four IDX files like MNIST's: 28×28 grey "
      "pixels, labels 0 to 9."));
  texts->addWidget(title);
  texts->addWidget(words);
  texts->addStretch(1);
  auto* folder = makeButton("dataChooseFolder", tr("Choose a f&older…"),
                            tr("Choose a folder of pictures, with a folder for each class"));
  auto* files = makeButton("dataChoose", tr("C&hoose files…"), tr("Choose the four IDX files of a custom data set"));
  useOwn_ = makeButton("dataUseOwn", tr("Train with &these"),
                       tr("Start the experiment again with the custom data, whose preview is below"));
  useOwn_->setEnabled(false);
  auto* buttons = new QVBoxLayout;
  for (QPushButton* button : {folder, files, useOwn_}) buttons->addWidget(button);
  buttons->addStretch(1);
  own->addLayout(texts, 1);
  own->addLayout(buttons);
  connect(folder, &QPushButton::clicked, this, &DataDialog::chooseFolder);
  connect(files, &QPushButton::clicked, this, &DataDialog::choose);
  connect(useOwn_, &QPushButton::clicked, this, &DataDialog::useOwn);
  return all;
}

void DataDialog::addRow(QGridLayout& grid, std::unique_ptr<DataFetch> fetch) {
  Row& row = rows_.emplace_back();
  row.fetch = std::move(fetch);
  const QString name = row.fetch->title();
  auto* title = makeLabel({.text = name, .role = "strong"});
  row.words = makeLabel({.role = "quiet", .wraps = true, .selectable = true});
  row.bar = new QProgressBar;
  row.bar->setRange(0, kBarSteps);
  row.bar->setTextVisible(false);
  row.bar->setFixedHeight(theme::em(0.6));
  row.bar->setAccessibleName(tr("How much of %1 has been fetched").arg(name));
  row.bar->setToolTip(row.bar->accessibleName());
  const std::string key = row.fetch->name();
  const auto objectName = [&](const char* what) { return (std::string(what) + "-" + key); };
  row.go = makeButton(objectName("go").c_str(), tr("Fetch"), tr("Fetch %1, or pause and go on").arg(name));
  row.cancel = makeButton(objectName("cancel").c_str(), tr("Cancel"),
                          tr("Stop fetching %1, and delete the incomplete file").arg(name));
  row.use =
      makeButton(objectName("use").c_str(), tr("Train with it"), tr("Start the experiment again with %1").arg(name));
  row.words->setObjectName(QLatin1String(objectName("words").c_str()));
  for (QPushButton* button : {row.go, row.cancel, row.use}) button->setAccessibleName(button->toolTip());
  const int at = grid.rowCount();
  grid.addWidget(title, at, 0);
  grid.addWidget(row.words, at + 1, 0);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(theme::em(0.8));
  for (QPushButton* button : {row.go, row.cancel, row.use}) buttons->addWidget(button);
  grid.addLayout(buttons, at, 1, 2, 1, Qt::AlignTop | Qt::AlignRight);
  grid.addWidget(row.bar, at + 2, 0, 1, 2);
  grid.setRowMinimumHeight(at + 3, theme::em(0.5));
  Row* me = &row;
  connect(row.fetch.get(), &DataFetch::changed, this, [this, me] { refresh(*me); });
  connect(row.fetch.get(), &DataFetch::ended, this, [this, me] {
    const bool here = me->fetch->state() == DataFetch::State::Here;
    if (!isVisible()) Q_EMIT said(QStringLiteral("%1: %2").arg(me->fetch->title(), me->fetch->words()), !here);
    if (here) showSet(me->fetch->name(), me->fetch->folder());
  });
  connect(row.go, &QPushButton::clicked, row.fetch.get(), [me] {
    if (me->fetch->state() == DataFetch::State::Fetching) {
      me->fetch->pause();
    } else {
      me->fetch->fetch();
    }
  });
  connect(row.cancel, &QPushButton::clicked, row.fetch.get(), &DataFetch::cancel);
  connect(row.use, &QPushButton::clicked, this, [this, me] { useFetched(*me); });
  refresh(row);
}

void DataDialog::refresh(Row& row) {
  using State = DataFetch::State;
  const State state = row.fetch->state();
  const bool under = state == State::Fetching || state == State::Ending;
  row.words->setText(row.fetch->words());
  setRole(*row.words, state == State::Failed ? QStringLiteral("error") : QStringLiteral("quiet"));
  row.bar->setVisible(under || state == State::Partial);
  row.bar->setValue(static_cast<int>(row.fetch->share() * kBarSteps));
  row.go->setText(state == State::Fetching  ? tr("Pause")
                  : state == State::Partial ? tr("Go on")
                  : state == State::Failed  ? tr("Try again")
                                            : tr("Fetch"));
  row.go->setVisible(state != State::Here);
  row.go->setEnabled(state != State::Ending && state != State::Unknown);
  row.cancel->setVisible(under || state == State::Partial);
  row.cancel->setEnabled(state != State::Ending);
  row.use->setVisible(state == State::Here);
}

DataFetch* DataDialog::fetchOf(const std::string& name) {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& one) { return one.fetch->name() == name; });
  return row == rows_.end() ? nullptr : row->fetch.get();
}

void DataDialog::fetchWhenKnown(const std::string& name) {
  const auto row = std::ranges::find_if(rows_, [&](const Row& one) { return one.fetch->name() == name; });
  if (row == rows_.end()) return;
  DataFetch* fetch = row->fetch.get();
  if (fetch->state() != DataFetch::State::Unknown && !fetch->busy()) return fetch->fetch();
  disconnect(row->whenKnown);  // a second click asks for nothing more
  row->whenKnown = connect(
      fetch, &DataFetch::changed, fetch,
      [fetch] {
        if (fetch->state() == DataFetch::State::Absent || fetch->state() == DataFetch::State::Partial) fetch->fetch();
      },
      Qt::SingleShotConnection);
}

void DataDialog::showEvent(QShowEvent* event) {
  QDialog::showEvent(event);
  for (Row& row : rows_)
    if (row.fetch->state() == DataFetch::State::Unknown || row.fetch->state() == DataFetch::State::Absent)
      row.fetch->look();
}

void DataDialog::say(const QString& text, bool failure) {
  message_->setText(text);
  setRole(*message_, failure ? QStringLiteral("error") : QStringLiteral("quiet"));
  message_->setVisible(!text.isEmpty());
}

void DataDialog::choose() {
  const QFileDialog& dialog = askForPath(this, this,
                                         {FileQuestion::Kind::OpenSeveral,
                                          tr("The four IDX files"),
                                          tr("IDX files (*idx* *.gz);;All files (*)"),
                                          {},
                                          "dataFiles"},
                                         {});
  connect(&dialog, &QFileDialog::filesSelected, this, &DataDialog::openOwn);
}

void DataDialog::forgetOwn() {
  own_.reset();
  pictures_.clear();
  useOwn_->setEnabled(false);
  preview_->clear();
  showLeftOut({});
  say(tr("Reading…"), false);
}

void DataDialog::openOwn(const QStringList& paths) {
  if (paths.isEmpty() || background_.busy()) return;
  if (paths.size() == 1 && looksLikePictures(paths.front().toStdString())) return openPictures(paths.front());
  forgetOwn();
  if (std::ranges::any_of(paths, [](const QString& path) { return looksLikePicture(path.toStdString()); }))
    return say(tr("Pictures alone have no classes. Give the folder in which each class has its own folder of them."),
               true);
  std::vector<std::filesystem::path> given;
  for (const QString& path : paths) given.emplace_back(path.toStdString());
  struct Answer {
    std::shared_ptr<const CustomFiles> files;
    DataSummary summary;
  };
  auto answer = std::make_shared<Answer>();
  background_.run(
      [answer, given = std::move(given)] {
        auto files = std::make_shared<CustomFiles>(readCustomFiles(given));
        answer->summary = summaryOf(files->train, files->test, kIdxClasses);
        files->train = files->test = Examples{};  // may be large; a run reads the files again
        answer->files = std::move(files);
      },
      [this, answer](const QString& failure) {
        if (!failure.isEmpty()) return say(failure, true);
        own_ = answer->files;
        preview_->show(std::move(answer->summary));
        useOwn_->setEnabled(true);
        useOwn_->setFocus();
        const auto name = [&](std::size_t i) { return QString::fromStdString(own_->paths[i].filename().string()); };
        say(tr("Checked. For training: %1 and %2; for testing: %3 and %4.").arg(name(0), name(1), name(2), name(3)),
            false);
      });
}

void DataDialog::showSet(const std::string& name, const std::filesystem::path& folder) {
  if (background_.busy() || own_ || !pictures_.empty()) return;  // does not replace what the user is looking at
  auto summary = std::make_shared<DataSummary>();
  background_.run(
      [summary, name, folder] {
        const std::shared_ptr<const Dataset> set = loadDataset(name, folder);
        *summary = summaryOf(set->train, set->test, set->classes(), set->classNames);
      },
      [this, summary](const QString& failure) {
        if (failure.isEmpty() && !own_ && pictures_.empty()) preview_->show(std::move(*summary));
      });
}

void DataDialog::useFetched(const Row& row) {
  // Stores no folder if the program finds the set without it, so that the experiment opens on other machines too.
  std::string dataset = row.fetch->name();
  const auto places = dataFolders(dataset, {});
  const bool usual = std::find(places.begin(), places.end(), row.fetch->folder()) != places.end();
  useFolder(dataset, usual ? std::filesystem::path() : row.fetch->folder());
}

void DataDialog::useOwn() {
  if (background_.busy()) return;
  if (!pictures_.empty()) return useFolder("colour", pictures_);
  if (!own_) return;
  if (!own_->folder.empty()) return useFolder("mnist", own_->folder);
  if (ownFolder_.empty())
    return say(tr("No home folder is set on this machine, so there is no place to keep data."), true);
  const std::filesystem::path folder =
      ownFolder_ / QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-hhmmss-zzz")).toStdString();
  background_.run([files = own_, folder] { keepCustomFiles(*files, folder); },
                  [this, folder](const QString& failure) {
                    if (!failure.isEmpty()) return say(failure, true);
                    useFolder("mnist", folder);
                  });
}

// Resets the numbers of examples to their defaults, because the new set may have fewer.
void DataDialog::useFolder(const std::string& dataset, const std::filesystem::path& folder) {
  RunSettings config = withoutOutputs(experiment_.asked());
  const RunSettings fresh;
  config.dataset = dataset;
  config.dataDir = folder.string();
  config.trainExamples = fresh.trainExamples;
  config.testExamples = fresh.testExamples;
  try {
    experiment_.begin(config);
    say(tr("The experiment has started again with the new data."), false);
  } catch (const UserError& error) {
    say(coreSentence(error), true);
  }
}

void DataDialog::dragEnterEvent(QDragEnterEvent* event) {
  if (!localFiles(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void DataDialog::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  openOwn(localFiles(*event->mimeData()));
}

// The user's own pictures in the Data dialog: a folder is read as a run would read it, and shown; afterwards only its
// name is kept.

void DataDialog::chooseFolder() {
  askForPath(this, this, {FileQuestion::Kind::Folder, tr("A folder of pictures"), {}, {}, "dataFolder"},
             [this](const QString& folder) { openPictures(folder); });
}

// Reads the pictures as a run with the present network would. Only the preview is kept.
void DataDialog::openPictures(const QString& folder) {
  if (background_.busy()) return;
  forgetOwn();
  RunSettings config = withoutOutputs(experiment_.asked());
  config.dataset = "colour";
  config.dataDir = folder.toStdString();
  struct Answer {
    DataSummary summary;
    QStringList leftOut;
    std::size_t classes = 0;
  };
  auto answer = std::make_shared<Answer>();
  background_.run(
      [answer, config] {
        std::array<std::int64_t, 3> shape{32, 32, 3};
        if (const std::vector<std::int64_t> input = networkOf(config)->input(); input.size() == shape.size())
          std::ranges::copy(input, shape.begin());
        const PictureFolder read = readPictureFolder(config.dataDir, shape);
        std::vector<std::string> names;
        for (const PictureClass& each : read.classes) names.push_back(each.name);
        answer->classes = names.size();
        answer->summary = summaryOf(read.train, read.test, std::ssize(read.classes), std::move(names));
        for (const LeftOutFile& file : read.leftOut)
          answer->leftOut << QStringLiteral("%1: %2").arg(QString::fromStdString(file.path), coreText(file.why));
      },
      [this, answer, folder](const QString& failure) {
        if (!failure.isEmpty()) return say(failure, true);
        pictures_ = folder.toStdString();
        const std::int64_t pictures = answer->summary.train + answer->summary.test;
        preview_->show(std::move(answer->summary));
        showLeftOut(answer->leftOut);
        useOwn_->setEnabled(true);
        useOwn_->setFocus();
        QString words = tr("Checked: %1 pictures of %2 classes in %3.")
                            .arg(countText(pictures), countText(static_cast<std::int64_t>(answer->classes)),
                                 QDir::toNativeSeparators(folder));
        if (!answer->leftOut.isEmpty()) words += QLatin1Char(' ') + tr("Below the preview: what is left out, and why.");
        say(words, false);
      });
}

void DataDialog::showLeftOut(const QStringList& files) {
  constexpr int kMost = 1000;
  leftOut_->clear();
  leftOut_->addItems(files.mid(0, kMost));
  if (files.size() > kMost) leftOut_->addItem(tr("and %1 more").arg(countText(files.size() - kMost)));
  leftOutTitle_->setText(tr("%Ln files are left out:", nullptr, plural(files.size())));
  leftOutTitle_->setVisible(!files.isEmpty());
  leftOut_->setVisible(!files.isEmpty());
}

}  // namespace lab
