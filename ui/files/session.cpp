// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/session.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/files/lineage_json.h"
#include "core/options/config_field.h"
#include "ui/files/document.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/messages.h"
#include "ui/i18n/words.h"
#include "ui/setup/experiment.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kSessionVersion = 1, kSessionDepth = 64, kMostWindows = 9;
constexpr std::int64_t kSessionBytes = std::int64_t{16} << 20;
constexpr const char* kFile = "session.json";
constexpr const char* kLock = "lock";
constexpr const char* kHolder = "/holder";
constexpr const char* kRefusedSettings = "refused.slab";
constexpr const char* kJournals = "run-*.jsonl";

std::filesystem::path inFolder(const QString& folder, const std::string& file) {
  return std::filesystem::path(folder.toStdString()) / file;
}

void writeSession(const std::filesystem::path& path, const std::string& text) {
  if (std::ssize(text) > kSessionBytes)
    throw UserError(UserError::Kind::Run, say::sessionTooLarge, Bytes{kSessionBytes});
  writeFileAtomically(path, text);
}

}  // namespace

Session::Session(const QString& folder, Document& document, Experiment& experiment, RunLibrary& library,
                 QObject* parent)
    : QObject(parent), document_(document), experiment_(experiment), library_(library) {
  // The first folder that no other window holds. The system frees the lock of a window that was killed, also one on
  // another computer with the same home folder.
  for (int i = 1; i <= kMostWindows; ++i) {
    folder_ = folder + QStringLiteral("/session-%1").arg(i);
    if (!QDir().mkpath(folder_))
      throw UserError(UserError::Kind::Run, say::sessionWithoutFolder, File{folder_.toStdString()});
    lock_ = FileLock(pathOf(kLock));
    if (!lock_.isTaken()) break;
    others_ << folder_;
  }
  if (lock_.isTaken()) throw UserError(say::tooManyWindows);
  // Other windows see by this file that we are here. It cannot be written if the disk is full or read-only.
  QFile holder(folder_ + QLatin1String(kHolder));
  if (!holder.open(QIODevice::WriteOnly | QIODevice::Unbuffered) ||
      holder.write(QSysInfo::machineHostName().toUtf8() + '\n') <= 0)
    throw UserError(UserError::Kind::Run, say::sessionWithoutFolder, File{holder.fileName().toStdString()});
  timer_.setSingleShot(true);
  timer_.setInterval(kAutosaveMs);
  connect(&timer_, &QTimer::timeout, this, &Session::save);
  if (!others_.isEmpty()) watcher_.addPath(others_.front());
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this](const QString& other) {
    if (!QFile::exists(other + QLatin1String(kHolder))) Q_EMIT otherEnded();
  });
  connect(&document_, &Document::changed, this, &Session::schedule);
  connect(&library_, &RunLibrary::grew, this, &Session::schedule);
  for (auto signal : {&RunLibrary::added, &RunLibrary::removed, &RunLibrary::changed})
    connect(&library_, signal, this, &Session::schedule);
}

Session::~Session() {
  QFile::remove(folder_ + QLatin1String(kHolder));
}

void Session::forget(const QString& folder) {
  for (const QFileInfo& entry : QDir(folder).entryInfoList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot)) {
    const QString path = entry.filePath();
    if (!entry.isDir() || entry.isSymLink()) {
      QFile::remove(path);
    } else if (const FileLock lock(inFolder(path, kLock)); !lock.isTaken()) {
      QDir(path).removeRecursively();
    }
  }
}

std::filesystem::path Session::pathOf(const std::string& file) const {
  return inFolder(folder_, file);
}

void Session::schedule() {
  if (!timer_.isActive()) timer_.start();
}

// Returns whether an earlier session's run has the settings of a run that this start began, and all of its steps.
bool Session::isBegunAgain(const KeptRun& run) const {
  if (run.id > begun_ || !run.header || !run.name.isEmpty() || !run.note.isEmpty()) return false;
  return std::ranges::any_of(library_.runs(), [&](const KeptRun& other) {
    return other.id > begun_ && other.settingsKnown && other.header && other.version == run.version &&
           other.header->dataset == run.header->dataset && other.metrics->steps.size() >= run.metrics->steps.size() &&
           other.metrics->evaluations.size() >= run.metrics->evaluations.size() &&
           configToJson(other.asked) == configToJson(run.asked) &&
           lineageToJson(lineageOf(other)) == lineageToJson(lineageOf(run));
  });
}

// Returns whether nothing is lost without the run. If such runs were stored, each start would add one.
bool Session::isSpare(const KeptRun& run) const {
  return run.settingsKnown && run.id != library_.baselineId() && (isUntouched(run) || isBegunAgain(run));
}

Session::Parts Session::takeParts() {
  Parts parts;
  std::erase_if(kept_, [this](const auto& kept) { return library_.find(kept.first) == nullptr; });
  for (const KeptRun& run : library_.runs()) {
    if (run.settingsKnown && (!run.header || run.metrics->steps.empty())) continue;  // nothing is trained yet
    if (isSpare(run)) continue;
    Kept& kept = kept_[run.id];
    const RunMetrics& recorded = *run.metrics;
    if (kept.full) continue;
    if (kept.headed && kept.steps == recorded.steps.size() && kept.evaluations == recorded.evaluations.size() &&
        kept.order == recorded.order.size() && kept.ended == recorded.end.has_value())
      continue;
    const Kept before = kept;
    JournalPart part;
    if (kept.file.empty())
      kept.file = "run-" +
                  QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-hhmmss-zzz")).toStdString() + "-" +
                  std::to_string(run.id) + ".jsonl";
    part.path = pathOf(kept.file);
    if (!kept.headed) part.head = journalHead(run);
    part.metrics.insert(part.metrics.end(), recorded.steps.begin() + static_cast<std::ptrdiff_t>(kept.steps),
                        recorded.steps.end());
    part.metrics.insert(part.metrics.end(),
                        recorded.evaluations.begin() + static_cast<std::ptrdiff_t>(kept.evaluations),
                        recorded.evaluations.end());
    if (recorded.end && !kept.ended) part.metrics.emplace_back(*recorded.end);
    part.order.assign(recorded.order.begin() + static_cast<std::ptrdiff_t>(kept.order), recorded.order.end());
    kept.headed = true;
    kept.steps = recorded.steps.size();
    kept.evaluations = recorded.evaluations.size();
    kept.order = recorded.order.size();
    kept.ended = recorded.end.has_value();
    parts.push_back({.journal = std::move(part), .run = run.id, .before = before});
  }
  return parts;
}

// One run that is too long must not keep the others from being stored.
void Session::write(Parts& parts, std::size_t& written) {
  for (; written < parts.size(); ++written) {
    try {
      append(parts[written].journal);
    } catch (const UserError& error) {
      if (!error.message().is(say::journalTooLarge)) throw;
      parts[written].tooLarge = error.message();
    }
  }
}

// Journals that are too large stay as they are from now on. Returns a message about one of them, or an empty one.
Message Session::closeFull(const Parts& parts) {
  Message why;
  for (const Part& part : parts) {
    if (part.tooLarge.empty()) continue;
    why = part.tooLarge;
    kept_[part.run] = part.before;
    kept_[part.run].full = true;
  }
  return why;
}

void Session::putBack(const Parts& parts, std::size_t written) {
  for (std::size_t i = written; i < parts.size(); ++i) kept_[parts[i].run] = parts[i].before;
}

std::string Session::sessionText(bool clean, bool discards) const {
  json runs = passedOn_;
  for (const KeptRun& run : library_.runs()) {
    const auto kept = kept_.find(run.id);
    if (kept == kept_.end() || !kept->second.headed || isSpare(run)) continue;
    runs.push_back({{"file", kept->second.file},
                    {"name", run.name.toStdString()},
                    {"note", run.note.toStdString()},
                    {"source", run.source.toStdString()},
                    {"shown", run.shown},
                    {"colour", run.colour},
                    {"baseline", run.id == library_.baselineId()}});
  }
  const json text{{"session", kSessionVersion},
                  {"clean", clean},
                  {"saved", QDateTime::currentDateTime().toString(Qt::ISODate).toStdString()},
                  {"experiment", (discards ? document_.savedText() : document_.text()).toStdString()},
                  {"path", document_.path().toStdString()},
                  {"runs", runs}};
  return text.dump(1, ' ', false, json::error_handler_t::replace);
}

void Session::save() {
  if (loading_ || background_.busy()) return schedule();
  struct Work {
    Parts parts;
    std::size_t written = 0;
  };
  auto work = std::make_shared<Work>();
  work->parts = takeParts();
  background_.run(
      [work, text = sessionText(false), path = pathOf(kFile)] {
        write(work->parts, work->written);
        writeSession(path, text);
      },
      [this, work](const QString& failure) {
        if (const Message full = closeFull(work->parts); !full.empty()) {
          schedule();  // a run of which nothing could be stored is listed no longer
          Q_EMIT said(coreSentence(full), true);
        }
        if (failure.isEmpty()) {
          reported_ = false;
          Q_EMIT saved();
          return;
        }
        putBack(work->parts, work->written);
        schedule();  // there may be room by then
        if (!std::exchange(reported_, true)) Q_EMIT said(failure, true);
      });
}

void Session::finish(bool discards) {
  background_.wait();
  // Runs its notification: adds the last session's runs if they were still being read, or else they would be lost; puts
  // back what could not be written.
  QCoreApplication::sendPostedEvents(&background_);
  timer_.stop();
  Parts parts = takeParts();
  std::size_t written = 0;
  Message full;
  try {
    write(parts, written);
    full = closeFull(parts);
    writeSession(pathOf(kFile), sessionText(true, discards));
  } catch (...) {
    putBack(parts, written);
    throw;
  }
  if (!full.empty()) throw UserError(full, UserError::Kind::Run);
}

bool Session::restore() {
  return begin(folder_, Restore::All);
}

void Session::restoreRuns() {
  (void)begin(folder_, Restore::Runs);
}

void Session::passOn() {
  (void)begin(folder_, Restore::Nothing);
}

bool Session::copyOther() {
  QStringList folders = others_;
  const auto kept = [](const QString& other) {
    return QFileInfo(other + QLatin1Char('/') + QLatin1String(kFile)).lastModified();
  };
  // The session stored last is most likely the wanted one.
  std::stable_sort(folders.begin(), folders.end(),
                   [&](const QString& a, const QString& b) { return kept(a) > kept(b); });
  return std::any_of(folders.begin(), folders.end(),
                     [this](const QString& folder) { return begin(folder, Restore::Copy); });
}

// A run listed in a session: its journal's file, and what the user has set for it.
struct Session::Wanted {
  std::string file;
  KeptRun words;
  bool baseline = false;
};

std::vector<Session::Wanted> Session::wantedRuns(const nlohmann::json& runs) {
  std::vector<Wanted> wanted;
  for (const json& run : runs) {
    Wanted one;
    one.file = std::filesystem::path(run.at("file").get<std::string>()).filename().string();
    one.words.name = QString::fromStdString(run.at("name").get<std::string>());
    one.words.note = QString::fromStdString(run.at("note").get<std::string>());
    one.words.source = QString::fromStdString(run.at("source").get<std::string>());
    one.words.shown = run.at("shown").get<bool>();
    one.words.colour = run.value("colour", KeptRun{}.colour);  // older sessions have none
    one.baseline = run.at("baseline").get<bool>();
    wanted.push_back(std::move(one));
  }
  return wanted;
}

// The listed ones of a session's runs. This session has a baseline of its own.
nlohmann::json Session::listedOf(const nlohmann::json& runs, const std::vector<std::string>& listed) {
  json found = json::array();
  for (json run : runs) {
    if (std::ranges::find(listed, run.at("file").get<std::string>()) == listed.end()) continue;
    run["baseline"] = false;
    found.push_back(std::move(run));
  }
  return found;
}

// Adds the runs to the library as they were; returns their faults, one sentence each.
QStringList Session::adopt(const std::vector<Wanted>& wanted, std::vector<std::optional<Journal>>& runs, bool copy) {
  QStringList faults;
  for (const KeptRun& run : library_.runs()) begun_ = std::max(begun_, run.id);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const Wanted& one = wanted[i];
    if (!runs[i]) {
      faults << tr("%1 cannot be read.").arg(QString::fromStdString(one.file));
      continue;
    }
    KeptRun* const run = &runs[i]->run;
    if (const Message& fault = runs[i]->fault; !fault.empty())
      faults << coreSentence(fault) + QLatin1Char(' ') +
                    tr("%Ln steps before that are stored.", nullptr, plural(std::ssize(run->metrics->steps)));
    const RunMetrics& read = *run->metrics;
    Kept kept{one.file, read.steps.size(), read.evaluations.size(), read.order.size(), true, read.end.has_value()};
    run->name = one.words.name;
    run->note = one.words.note;
    run->source = one.words.source;
    run->shown = one.words.shown;
    run->colour = one.words.colour;
    // An incomplete or bad line must not precede appended lines: such a journal is written from scratch.
    if (!kept.ended || copy || !runs[i]->fault.empty()) kept = Kept{};
    const int id = library_.add(std::move(*run));
    kept_[id] = kept;
    if (one.baseline) library_.setBaseline(id);
  }
  return faults;
}

// Returns "", or a sentence about settings that cannot be used here, such as those of a GPU. They go to a file of their
// own, because this session will be stored with others.
QString Session::beginSettings(const nlohmann::json& session, bool copy) {
  const auto text = session.at("experiment").get<std::string>();
  try {
    document_.restore(QByteArray::fromStdString(text),
                      copy ? QString() : QString::fromStdString(session.at("path").get<std::string>()));
    return {};
  } catch (const UserError& error) {
    const std::filesystem::path file = pathOf(kRefusedSettings);
    writeFileAtomically(file, text);
    return tr("The last session's settings cannot be used here: %1 They are stored in '%2': open that file once "
              "the cause is gone. Its runs are restored.")
        .arg(coreSentence(error), QString::fromStdString(file.string()));
  }
}

// For a start with another experiment, which this session will store in its place. Returns "", or a sentence that says
// where the last session's experiment is now.
QString Session::keepUnsaved(const nlohmann::json& session) const {
  const auto text = session.at("experiment").get<std::string>();
  if (!Document::isUnsaved(QByteArray::fromStdString(text),
                           QString::fromStdString(session.at("path").get<std::string>())))
    return {};
  const QString file = QDateTime::currentDateTimeUtc().toString(QStringLiteral("'unsaved-'yyyyMMdd-hhmmss-zzz'.slab'"));
  const std::filesystem::path path = pathOf(file.toStdString());
  writeFileAtomically(path, text);
  return tr("The last session's experiment was not saved, and this start begins another one. It is stored in '%1': "
            "open "
            "that file to go on with it.")
      .arg(QString::fromStdString(path.string()));
}

bool Session::begin(const QString& folder, Restore restore) {
  const bool copy = restore == Restore::Copy;
  json session;
  try {
    const std::vector<std::uint8_t> bytes = readFile(inFolder(folder, kFile), kSessionBytes);
    session = parseJson({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, {say::inFile, File{kFile}},
                        kSessionDepth);
    if (!session.is_object() || session.value("session", json()) != kSessionVersion) {
      setAside(folder);
      return false;
    }
    const bool begins = restore == Restore::All || copy;
    const QString refusal = begins ? beginSettings(session, copy) : keepUnsaved(session);
    const auto wanted = std::make_shared<const std::vector<Wanted>>(wantedRuns(session.at("runs")));
    const bool clean = session.at("clean").get<bool>();
    const QString when = QString::fromStdString(session.at("saved").get<std::string>());
    loading_ = !copy;
    std::vector<std::string> listed;
    for (const Wanted& one : *wanted) listed.push_back(one.file);
    if (!copy) prune(listed);
    if (restore == Restore::Nothing) {
      passedOn_ = listedOf(session.at("runs"), listed);
      if (!refusal.isEmpty()) Q_EMIT said(refusal, false);
      loading_ = false;
      return false;
    }
    auto runs = std::make_shared<std::vector<std::optional<Journal>>>();
    background_.run(
        [wanted, runs, folder] {
          for (const Wanted& one : *wanted) runs->push_back(readJournal(inFolder(folder, one.file)));
        },
        [this, wanted, runs, restore, copy, clean, when, refusal](const QString&) {
          const QStringList faults = adopt(*wanted, *runs, copy);
          loading_ = false;
          if (!refusal.isEmpty())
            Q_EMIT said(refusal, false);
          else if (!clean && !copy)
            Q_EMIT said((restore == Restore::Runs
                             ? tr("StrategyLab ended unexpectedly. Its runs are restored as they were at %1.")
                             : tr("StrategyLab ended unexpectedly. Settings and runs are restored as they were at %1."))
                            .arg(QDateTime::fromString(when, Qt::ISODate).toString(QStringLiteral("hh:mm:ss"))),
                        false);
          if (!faults.isEmpty())
            Q_EMIT said(tr("Runs of the last session are damaged: %1").arg(faults.join(QLatin1Char(' '))), true);
          Q_EMIT restored();
        });
    return copy || refusal.isEmpty();
  } catch (const std::exception&) {
    loading_ = false;
    setAside(folder);
    return false;  // there is none, or it is unusable: start as if for the first time
  }
}

// Moves this window's unusable session and its runs to where they are neither overwritten nor pruned.
void Session::setAside(const QString& folder) {
  QDir from(folder);
  QString place = from.filePath(QDateTime::currentDateTimeUtc().toString(QStringLiteral("'kept-'yyyyMMdd-hhmmss-zzz")));
  while (QFileInfo::exists(place)) place += QLatin1Char('+');
  const QDir to(place);
  if (folder != folder_ || !from.exists(QLatin1String(kFile)) || !from.mkpath(to.path())) return;
  for (const QString& file : from.entryList({QLatin1String(kFile), QLatin1String(kJournals)}, QDir::Files))
    if (!from.rename(file, to.filePath(file))) return;
  Q_EMIT said(
      tr("The last session cannot be read: it is damaged, or a newer StrategyLab stored it. Its files are now in "
         "'%1': move them back to use them with that version, or delete them.")
          .arg(to.path()),
      false);
}

// Removes journals of runs that are no longer listed.
void Session::prune(const std::vector<std::string>& listed) const {
  const std::set<std::string> wanted(listed.begin(), listed.end());
  QDir folder(folder_);
  for (const QString& file : folder.entryList({QLatin1String(kJournals)}, QDir::Files))
    if (wanted.count(file.toStdString()) == 0) folder.remove(file);
}

}  // namespace lab
