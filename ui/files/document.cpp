// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/document.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <utility>

#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/files/lineage_json.h"
#include "core/options/config_field.h"
#include "ui/files/file_kind.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/messages.h"
#include "ui/setup/experiment.h"
#include "ui/setup/fit.h"

namespace lab {
namespace {

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

// The view does not count.
bool isSame(const ExperimentFile& a, const ExperimentFile& b) {
  return configToJson(a.config) == configToJson(b.config) && othersOf(a) == othersOf(b) && a.locks == b.locks &&
         lineageToJson(a.lineage) == lineageToJson(b.lineage);
}

}  // namespace

QString fileStem(const ResolvedSettings& config, bool isClass) {
  return QStringLiteral("%1-%2").arg(QString::fromStdString(std::string(strategyKey(config.strategy))),
                                     isClass ? QStringLiteral("class") : QString::number(config.replicas));
}

Document::Document(Experiment& experiment, RunLibrary& library, QObject* parent)
    : QObject(parent),
      experiment_(experiment),
      runs_(library),
      reader_([this](FileContent content) { (void)take(std::move(content)); }) {
  saved_.config = withoutOutputs(experiment_.asked());
  connect(&experiment_, &Experiment::changed, this, &Document::changed);
  connect(&runs_, &RunFiles::said, this, &Document::said);
  connect(&reader_, &FileReader::failed, this, &Document::fail);
}

QString Document::title() const {
  return path_.isEmpty() ? tr("Untitled") : QFileInfo(path_).fileName();
}

bool Document::isModified() const {
  return !isSame(present(), saved_);
}

void Document::setLocks(const ControlLocks& locks) {
  if (locks == file_.locks) return;
  file_.locks = locks;
  Q_EMIT changed();
}

ExperimentFile Document::present() const {
  takeLastEdits_();
  ExperimentFile file = file_;
  file.config = withoutOutputs(experiment_.asked());
  file.lineage = experiment_.lineage();
  return file;
}

QByteArray Document::text() const {
  return textWithView(present());
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
  return QByteArray::fromStdString(experimentText(file, QCoreApplication::applicationVersion().toStdString()));
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
  saved_.others[key] = value;
  digest_ = digestOfFile(path_);
  setOther(key, value);
}

void Document::beginWith(ExperimentFile file, const QString& path, bool saved) {
  const bool own = !file.locks.empty();
  experiment_.begin(file.config, own ? Experiment::By::Teacher : Experiment::By::Anyone,
                    file.lineage);  // if refused, nothing changes
  if (!own && locksInForce_) file.locks = locksInForce_();
  file_ = std::move(file);
  path_ = path;
  if (saved) saved_ = file_;
  Q_EMIT changed();
}

bool Document::open(const QString& file, const std::shared_ptr<RunRecord>& read) {
  const QString path = QFileInfo(file).absoluteFilePath();  // the next start may be from another folder
  if (read != nullptr) return take(contentOf(std::move(*read), path));
  if (const auto kind = fileKindAt(path); kind && *kind != FileKind::Experiment) {
    reader_.read(path);
    return true;
  }
  try {
    return take(readContent(path, [](double) {}));
  } catch (const std::exception& error) {
    fail(coreSentence(error), path);
    return false;
  }
}

// Curves and tables are not added to the recent files: they are only shown beside what is there.
bool Document::take(FileContent content) {
  const QString path = content.path;
  try {
    switch (content.kind) {
      case FileKind::Recording:
        runs_.add(std::move(*content.run), content.fault);
        Q_EMIT opened(path);
        break;
      case FileKind::Curves:
        runs_.add(std::move(content.curves), path);
        break;
      case FileKind::Table:
        Q_EMIT tableRead(content.table, path);
        break;
      case FileKind::Experiment:
        openExperiment(content.bytes, path);
        Q_EMIT opened(path);
        break;
    }
    return true;
  } catch (const std::exception& error) {
    fail(coreSentence(error), path);
    return false;
  }
}

void Document::fail(const QString& sentence, const QString& path) {
  Q_EMIT said(sentence, true);
  Q_EMIT openFailed(path);
}

void Document::openExperiment(std::span<const std::uint8_t> bytes, const QString& path) {
  if (std::ssize(bytes) > kMaxExperimentBytes) throw UserError(say::experimentLargerThanAny, File{path.toStdString()});
  ExperimentFile file = parseExperiment(textOf(bytes), path.toStdString());
  const QString unknown = QString::fromStdString(file.unknown());
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

QString Document::link() const {
  return QString::fromStdString(experimentLink(experiment_.asked(), file_.locks));
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
    saved_ = readExperiment(path.toStdString());
  } catch (const UserError&) {
    saved_.config = RunSettings{};  // the file is gone or broken, so this experiment is in no file
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
    return !isSame(kept, saved);
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
    const ExperimentFile now = present();
    const QByteArray content = textWithView(now);
    writeExperiment(path.toStdString(),
                    std::string_view(content.constData(), static_cast<std::size_t>(content.size())));
    path_ = path;
    digest_ = digestOf(content);
    saved_ = now;
    Q_EMIT changed();
    Q_EMIT opened(path);
    Q_EMIT said(tr("Saved: %1").arg(path), false);
    return true;
  } catch (const std::exception& error) {
    Q_EMIT said(coreSentence(error), true);
    return false;
  }
}

}  // namespace lab
