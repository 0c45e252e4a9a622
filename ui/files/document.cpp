// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/document.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <atomic>
#include <optional>
#include <stop_token>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/files/lineage_json.h"
#include "core/files/metrics_csv.h"
#include "core/options/config_field.h"
#include "ui/charts/chart_export.h"
#include "ui/files/file_kind.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/messages.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"
#include "ui/setup/experiment.h"
#include "ui/setup/fit.h"

namespace lab {
namespace {

std::string versionHere() {
  return QCoreApplication::applicationVersion().toStdString();
}

// The run must have a header.
RunHeader headOf(const KeptRun& run, const QString& name) {
  RunHeader header = *run.header;
  header.config = configToJson(withoutOutputs(run.resolved));
  header.program = run.version.toStdString();
  header.began = run.began.toString(Qt::ISODate).toStdString();
  header.name = name.toStdString();
  header.note = run.note.toStdString();
  return header;
}

nlohmann::json othersOf(const ExperimentFile& file) {
  return file.others.is_object() ? file.others : nlohmann::json::object();
}

QByteArray digestOf(QByteArrayView bytes) {
  return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256);
}

// "" if there is no such file, or it cannot be read.
QByteArray digestOfFile(const QString& path) {
  QFile file(path);
  if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return {};
  QCryptographicHash hash(QCryptographicHash::Sha256);
  return hash.addData(&file) ? hash.result() : QByteArray();
}

constexpr int kProgressMs = 100;

QString unknownIn(const ExperimentFile& file) {
  QStringList names;
  for (const std::string& name : file.unknown()) names << QString::fromStdString(name);
  return names.join(QStringLiteral(", "));
}

void write(const RunHeader& header, const std::vector<Metric>& metrics, const std::vector<std::string>& order,
           const QString& path) {
  RunFileWriter writer(path.toStdString(), header);
  writer.metrics(metrics);
  for (const std::string& line : order) writer.other(line);
  writer.finish(0);
}

}  // namespace

QString fileStem(const ResolvedSettings& config, bool isClass) {
  return QStringLiteral("%1-%2").arg(QString::fromStdString(std::string(strategyKey(config.strategy))),
                                     isClass ? QStringLiteral("class") : QString::number(config.replicas));
}

// Shared by the window and the thread that reads.
struct Document::Reading {
  struct Cancelled {};  // thrown by watch()

  explicit Reading(const QString& itsPath) : path(itsPath) {}
  void watch() const {
    if (stop.stop_requested()) throw Cancelled();
  }
  void read() {
    const std::string name = path.toStdString();
    std::vector<std::uint8_t> all =
        readFile(name, kMaxRunFileBytes, [this](std::span<const std::uint8_t>) { watch(); });
    kind = fileKind(all, path);
    const auto at = [this](double part) {
      watch();
      share = part;
    };
    if (kind == FileKind::Recording) {
      RunRecord record = parseRunFile(all, name, [&](std::int64_t bytesRead) {
        at(static_cast<double>(bytesRead) / static_cast<double>(all.size()));
      });
      fault = record.fault;
      run = RunLibrary::keptFrom(std::move(record), path);
    } else if (kind == FileKind::Curves) {
      curves = parseMetricsCsv(textOf(all), name, at);
    } else if (kind == FileKind::Table) {
      table = std::make_shared<const ValueTable>(parseValueTable(textOf(all), name));
    } else {
      bytes = std::move(all);
    }
  }

  const QString path;
  std::stop_source stop;
  std::atomic<double> share = 0;
  // For the window, once it has been read: one of these, by its kind.
  FileKind kind = FileKind::Experiment;
  std::optional<KeptRun> run;  // of a recording, which may have a fault
  Message fault;
  std::vector<CsvRun> curves;
  std::shared_ptr<const ValueTable> table;
  std::vector<std::uint8_t> bytes;  // of an experiment
};

Document::Document(Experiment& experiment, RunLibrary& library, QObject* parent)
    : QObject(parent), experiment_(experiment), library_(library) {
  saved_ = withoutOutputs(experiment_.asked());
  savedOthers_ = nlohmann::json::object();
  connect(&experiment_, &Experiment::changed, this, &Document::changed);
  connect(&progress_, &QTimer::timeout, this, [this] { Q_EMIT readingAt(reading_->share); });
}

Document::~Document() {
  cancelReading();
}

QString Document::title() const {
  return path_.isEmpty() ? tr("Untitled") : QFileInfo(path_).fileName();
}

bool Document::isModified() const {
  takeLastEdits_();
  return configToJson(withoutOutputs(experiment_.asked())) != configToJson(saved_) || othersOf(file_) != savedOthers_ ||
         file_.locks != savedLocks_ || lineageToJson(experiment_.lineage()) != lineageToJson(savedLineage_);
}

void Document::setLocks(const ControlLocks& locks) {
  if (locks == file_.locks) return;
  file_.locks = locks;
  Q_EMIT changed();
}

QByteArray Document::text() const {
  takeLastEdits_();
  ExperimentFile file = file_;
  file.config = experiment_.asked();
  file.lineage = experiment_.lineage();
  return textWithView(std::move(file));
}

QByteArray Document::savedText() const {
  try {
    return textWithView(readExperiment(path_.toStdString()));
  } catch (const UserError&) {
    return text();  // the file is gone or broken
  }
}

QByteArray Document::textWithView(ExperimentFile file) const {
  if (viewOf_) {
    SavedView now = viewOf_();
    if (file.view) now.others = file.view->others;
    file.view = std::move(now);
  }
  return QByteArray::fromStdString(experimentText(file, versionHere()));
}

const nlohmann::json* Document::other(const char* key) const {
  const auto found = file_.others.is_object() ? file_.others.find(key) : file_.others.end();
  return found == file_.others.end() ? nullptr : &*found;
}

void Document::setOther(const char* key, nlohmann::json value) {
  file_.others = othersOf(file_);
  if (value.is_null())
    file_.others.erase(key);
  else
    file_.others[key] = std::move(value);
  Q_EMIT changed();
}

void Document::takeWritten(const char* key, const nlohmann::json& value) {
  savedOthers_[key] = value;
  digest_ = digestOfFile(path_);
  setOther(key, value);
}

void Document::beginWith(ExperimentFile file, const QString& path, bool saved) {
  const RunSettings config = file.config;
  const bool own = !file.locks.empty();
  experiment_.begin(config, own ? Experiment::By::Teacher : Experiment::By::Anyone,
                    file.lineage);  // if refused, nothing changes
  if (!own && locksInForce_) file.locks = locksInForce_();
  file_ = std::move(file);
  path_ = path;
  if (saved) {
    saved_ = config;
    savedLineage_ = file_.lineage;
    savedOthers_ = othersOf(file_);
    savedLocks_ = file_.locks;
  }
  Q_EMIT changed();
}

bool Document::open(const QString& file, const std::shared_ptr<RunRecord>& read) {
  const QString path = QFileInfo(file).absoluteFilePath();  // the next start may be from another folder
  if (read != nullptr) {
    const Message fault = read->fault;
    joinRun(RunLibrary::keptFrom(std::move(*read), path), fault);
    return true;
  }
  if (const auto kind = fileKindAt(path); kind && *kind != FileKind::Experiment) {
    waiting_.push_back(path);
    readNext();
    return true;
  }
  Reading reading(path);
  try {
    reading.read();
  } catch (const std::exception& error) {
    fail(coreSentence(error), path);
    return false;
  }
  return take(reading);
}

// Curves and tables are not added to the recent files: they are only shown beside what is there.
bool Document::take(Reading& reading) {
  try {
    switch (reading.kind) {
      case FileKind::Recording:
        joinRun(std::move(*reading.run), reading.fault);
        break;
      case FileKind::Curves:
        joinCurves(std::move(reading.curves), reading.path);
        break;
      case FileKind::Table:
        Q_EMIT tableRead(reading.table, reading.path);
        break;
      case FileKind::Experiment:
        openExperiment(reading.bytes, reading.path);
        Q_EMIT opened(reading.path);
        break;
    }
    return true;
  } catch (const std::exception& error) {
    fail(coreSentence(error), reading.path);
    return false;
  }
}

void Document::fail(const QString& sentence, const QString& path) {
  Q_EMIT said(sentence, true);
  Q_EMIT openFailed(path);
}

void Document::readNext() {
  if (reading_ != nullptr || waiting_.empty()) return;
  reading_ = std::make_shared<Reading>(waiting_.front());
  waiting_.pop_front();
  progress_.start(kProgressMs);
  Q_EMIT readingBegan(reading_->path);
  background_.run(
      [reading = reading_] {
        try {
          reading->read();
        } catch (const Reading::Cancelled&) {
        }
      },
      [this, reading = reading_](const QString& failure) { endReading(reading, failure); });
}

void Document::endReading(const std::shared_ptr<Reading>& reading, const QString& failure) {
  progress_.stop();
  reading_ = nullptr;
  if (!reading->stop.stop_requested()) {
    if (failure.isEmpty())
      take(*reading);
    else
      fail(failure, reading->path);
  }
  Q_EMIT readingEnded();
  readNext();
}

void Document::finishReading() {
  while (isReading()) {
    background_.wait();
    QCoreApplication::sendPostedEvents(&background_);
  }
}

void Document::cancelReading() {
  waiting_.clear();
  if (reading_ != nullptr) reading_->stop.request_stop();
}

void Document::joinRun(KeptRun run, const Message& fault) {
  const QString path = run.source, file = QFileInfo(path).fileName();
  ExperimentFile unknown;
  (void)knownConfig(run.header->config, unknown.otherSettings);
  const int id = library_.add(std::move(run));
  if (library_.isRecordedClass(id)) library_.repeat(id);
  Q_EMIT joined();
  if (fault.empty() && !unknown.unknown().empty())
    Q_EMIT said(tr("The recording %1 is among the runs, without the settings that this version does not know: %2. "
                   "Update StrategyLab before you repeat it.")
                    .arg(file, unknownIn(unknown)),
                true);
  else if (fault.empty())
    Q_EMIT said((library_.presentId() == id
                     ? tr("The recording %1 is of a class. The stage has its steps, trained again in the order in "
                          "which they came.")
                 : library_.find(id)->settingsKnown
                     ? tr("The recording %1 is among the runs. Repeat it to see its steps on the stage.")
                 : library_.find(id)->metrics->order.empty()
                     ? tr("The recording %1 is of a class. Its figures are among the runs; its steps came from workers "
                          "at their own pace, and training alone cannot reproduce them.")
                     : tr("The recording %1 is of a class. Its figures are among the runs; \u201Cstrategylab-cli "
                          "replay\u201D trains its steps again, in the order in which they came."))
                    .arg(file),
                false);
  else
    Q_EMIT said(coreSentence(fault) + QLatin1Char(' ') +
                    tr("%Ln steps before that are whole, and are among the runs.", nullptr,
                       plural(std::ssize(library_.find(id)->metrics->steps))),
                true);
  Q_EMIT opened(path);
}

void Document::openExperiment(std::span<const std::uint8_t> bytes, const QString& path) {
  if (std::ssize(bytes) > kMaxExperimentBytes) throw UserError(say::experimentLargerThanAny, File{path.toStdString()});
  ExperimentFile file = parseExperiment(textOf(bytes), path.toStdString());
  const QString unknown = unknownIn(file);
  try {
    beginWith(std::move(file), path, true);
  } catch (const UserError& error) {
    throw UserError(say::aboutFile, File{path.toStdString()}, error.message());
  }
  digest_ = digestOf(bytes);
  Q_EMIT begun();
  if (!unknown.isEmpty())
    Q_EMIT said(
        tr("Settings that this version does not know, which are kept unchanged: %1. Update StrategyLab to use them.")
            .arg(unknown),
        true);
}

void Document::joinCurves(std::vector<CsvRun> runs, const QString& path) {
  const QString file = QFileInfo(path).completeBaseName();
  for (CsvRun& run : runs) {
    const QString name = runs.size() == 1 ? file : QStringLiteral("%1: %2").arg(file, QString::fromStdString(run.name));
    library_.add(std::move(run.metrics), name, path);
  }
  Q_EMIT joined();
  Q_EMIT said(tr("%Ln curves of %1 are among the runs, to compare with.", nullptr,
                 plural(static_cast<std::int64_t>(runs.size())))
                  .arg(QFileInfo(path).fileName()),
              false);
}

bool Document::openLink(const QString& text) {
  try {
    ExperimentFile file;
    file.config = parseExperimentLink(text.toStdString(), &file.locks);
    beginWith(std::move(file), QString(), false);
    Q_EMIT begun();
    return true;
  } catch (const std::exception& error) {
    Q_EMIT said(coreSentence(error), true);
    return false;
  }
}

void Document::begin() {
  try {
    ExperimentFile file;
    file.config = teachingConfig();
    beginWith(std::move(file), QString(), true);
    Q_EMIT begun();
  } catch (const UserError& error) {  // a setting is locked
    Q_EMIT said(coreSentence(error), true);
  }
}

void Document::restore(const QByteArray& text, const QString& path) {
  beginWith(parseExperiment(text.toStdString(), tr("the last session").toStdString()), path, path.isEmpty());
  if (path.isEmpty()) return;
  digest_ = digestOfFile(path);
  try {
    const ExperimentFile file = readExperiment(path.toStdString());
    saved_ = file.config;
    savedLineage_ = file.lineage;
    savedOthers_ = othersOf(file);
    savedLocks_ = file.locks;
  } catch (const UserError&) {
    saved_ = RunSettings{};  // the file is gone or broken, so this experiment is in no file
  }
  Q_EMIT changed();
}

bool Document::isUnsaved(const QByteArray& text, const QString& path) {
  try {
    const ExperimentFile kept = parseExperiment(text.toStdString(), tr("the last session").toStdString());
    ExperimentFile saved;
    if (path.isEmpty())
      saved.config = kept.config;
    else
      saved = readExperiment(path.toStdString());
    return configToJson(kept.config) != configToJson(saved.config) || othersOf(kept) != othersOf(saved) ||
           kept.locks != saved.locks || lineageToJson(kept.lineage) != lineageToJson(saved.lineage);
  } catch (const UserError&) {
    return true;  // the file is gone or broken
  }
}

bool Document::isChangedElsewhere() const {
  const QByteArray now = digestOfFile(path_);
  return !now.isEmpty() && now != digest_;
}

bool Document::save() {
  if (!isChangedElsewhere()) return saveAs(path_);
  Q_EMIT said(
      tr("%1 is not saved: another window or program has changed the file since it was opened or saved here. Save "
         "under another name, or replace the file.")
          .arg(title()),
      true);
  return false;
}

bool Document::saveAs(const QString& file) {
  const QString path = QFileInfo(file).absoluteFilePath();
  try {
    const QByteArray content = text();
    writeExperiment(path.toStdString(),
                    std::string_view(content.constData(), static_cast<std::size_t>(content.size())));
    path_ = path;
    digest_ = digestOf(content);
    saved_ = withoutOutputs(experiment_.asked());
    savedLineage_ = experiment_.lineage();
    savedOthers_ = othersOf(file_);
    savedLocks_ = file_.locks;
    Q_EMIT changed();
    Q_EMIT opened(path);
    Q_EMIT said(tr("Saved: %1").arg(path), false);
    return true;
  } catch (const std::exception& error) {
    Q_EMIT said(coreSentence(error), true);
    return false;
  }
}

void Document::writeRecording(const KeptRun& run, const QString& name, const QString& path) {
  write(headOf(run, name), metricsOf(run), run.metrics->order, path);
}

void Document::saveRecording(int id, const QString& path) {
  const KeptRun* run = library_.find(id);
  if (run == nullptr || !run->header) return;
  background_.run([header = headOf(*run, library_.nameOf(*run)), metrics = metricsOf(*run), order = run->metrics->order,
                   path] { write(header, metrics, order, path); },
                  [this, path](const QString& failure) {
                    Q_EMIT said(failure.isEmpty() ? tr("Saved: %1").arg(path) : failure, !failure.isEmpty());
                  });
}

}  // namespace lab
