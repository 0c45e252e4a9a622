// SPDX-License-Identifier: GPL-3.0-or-later
// The translation files follow the present sources; German is complete and careful, and English has its plurals. The
// core's texts, which have a context of their own, match the core's tables.
#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QMap>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/messages.h"
#include "core/config/run_settings.h"
#include "core/data/dataset.h"
#include "core/data/idx.h"
#include "core/data/npz.h"
#include "core/data/split.h"
#include "core/data/verify.h"
#include "core/device/cuda/gpu_errors.h"
#include "core/files/experiment_file.h"
#include "core/files/messages.h"
#include "core/files/run_file.h"
#include "core/hardware/cluster_spec.h"
#include "core/hardware/timing_constants.h"
#include "core/model/safetensors.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/replicas/labels.h"
#include "core/strategy/strategy.h"
#include "core/timeline/chrome_trace.h"
#include "core/trace/messages.h"
#include "tests/support/patience.h"
#include "tests/support/pseudo_language.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/language.h"
#include "ui/i18n/strategy_words.h"
#include "ui/i18n/words.h"
#include "ui/setup/catalogue_picker.h"

using namespace lab;

namespace {

struct Entry {
  QString context, source, note;
  bool plural = false, finished = true;
  QStringList forms;
  QString key() const { return context + QLatin1Char('|') + source + QLatin1Char('|') + note; }
};

QString folder() {
  return QStringLiteral(STRATEGYLAB_SOURCE_DIR "/resources/translations");
}

QList<Entry> read(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QXmlStreamReader xml(&file);
  QList<Entry> messages;
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    if (xml.name() == QStringLiteral("name")) context = xml.readElementText();
    if (xml.name() == QStringLiteral("message")) {
      messages.push_back({context, {}, {}, false, true, {}});
      messages.back().plural = xml.attributes().value(QStringLiteral("numerus")) == QStringLiteral("yes");
    }
    if (xml.name() == QStringLiteral("source")) messages.back().source = xml.readElementText();
    if (xml.name() == QStringLiteral("comment")) messages.back().note = xml.readElementText();
    if (xml.name() == QStringLiteral("translation")) {
      messages.back().finished = !xml.attributes().hasAttribute(QStringLiteral("type"));
      if (!messages.back().plural) messages.back().forms = {xml.readElementText()};
    }
    if (xml.name() == QStringLiteral("numerusform")) messages.back().forms << xml.readElementText();
  }
  return messages;
}

QStringList matches(const QString& text, const QRegularExpression& form) {
  QStringList found;
  for (auto it = form.globalMatch(text); it.hasNext();) found << it.next().captured();
  found.sort();
  found.removeDuplicates();
  return found;
}

// Returns what a translation fails to share with its source, or "" if nothing is wrong.
QString drift(const QString& source, const QString& translation) {
  static const QRegularExpression places(QStringLiteral("%L?[0-9n]")), tags(QStringLiteral("</?[a-z]+>")),
      patterns(QStringLiteral("\\(\\*[^)]*\\)")), keys(QStringLiteral("&(?=\\S)")), end(QStringLiteral("[.:?!…,]$")),
      options(QStringLiteral("--[a-z-]+"));
  for (const QRegularExpression* form : {&places, &tags, &patterns, &end, &options})
    if (matches(source, *form) != matches(translation, *form))
      return QStringLiteral("'%1' are not the same").arg(form->pattern());
  if (source.count(keys) != translation.count(keys)) return QStringLiteral("the letter with & is missing or too many");
  if (source.count(QLatin1Char('\n')) != translation.count(QLatin1Char('\n'))) return QStringLiteral("other lines");
  const auto edge = [](const QString& text) {
    return std::pair(text.size() - QStringView(text).trimmed().size(), text.startsWith(QLatin1Char(' ')));
  };
  if (edge(source) != edge(translation)) return QStringLiteral("other spaces at the ends");
  if (translation.contains(QStringLiteral("..."))) return QStringLiteral("... instead of …");
  if (translation.contains(QLatin1Char('"')) && !source.contains(QStringLiteral("{\"")))  // JSON, which the user copies
    return QStringLiteral("straight quotation marks");
  if (translation.simplified().size() < source.simplified().size() / 3) return QStringLiteral("far too short");
  static const QRegularExpression lower(QStringLiteral("\\b[a-z]{3,}\\b"));
  const bool words = matches(source, lower).size() >= 3;
  if (words && source == translation) return QStringLiteral("not translated");
  return {};
}

// Returns the sentence that the window shows, in the present language, if the core refuses `act`.
template <typename Act>
QString refusal(Act act) {
  try {
    act();
  } catch (const UserError& error) {
    return coreText(error.message());
  }
  return QStringLiteral("nothing was refused");
}

// Words that made readers stop, each with the reason. A text that contains `unless` may use them.
struct Stumble {
  Stumble(const char* form, const char* reason, const char* excuse = "")
      : words(QString::fromUtf8(form)), why(QString::fromUtf8(reason)), unless(QString::fromUtf8(excuse)) {}
  QRegularExpression words;
  QString why, unless;
};

const QList<Stumble>& englishStumbles() {
  static const QList<Stumble> all{
      {"Nothing has come of|cannot be (had|gone back into)|something that cannot be", "say what is so, and what to do"},
      {"[Hh]eld against|set against", "an idiom: the baseline, or compared with"},
      {"\\b[Ii]n step by\\b", "an idiom: lanes are aligned by step, images or time"},
      {"reading what is kept|[Ww]hat is kept|[Ww]hat has ended is kept", "name what is stored: cells, runs, steps"},
      {"back as it was before|end as it should", "name the state that is restored"},
      {"(?<!global )batch kept|[Rr]ate kept|As it is:", "one word for it: unchanged, or fixed"},
      {"trong scaling", "say what is fixed", "global batch"},
      {"eak scaling", "say what is fixed", "batch per replica"},
      {"^so many |first so many|for so long", "name the number"},
      {"[Bb]reak it|Take it along|Show it so|again to leave", "a pronoun without its noun"},
      {"[Ww]hat did it|[Ii]t is searched|has it done|have them done",
       "a pronoun without its noun: name the cause, the call"},
      {"go(es)? on behind|as far\\.|of long ago|left its course|[Ll]et go of what", "an idiom: say it plainly"},
      {"not heard of any more|which will have it no more|with nothing else to do", "an idiom: say it plainly"},
      {"Apart from %1 by", "reads as “except”: differs from"},
      {"larger than what is read|the most that is read|more than they may", "name the limit"},
      {"among (real )?processes", "a run is on real processes"},
      {"[Yy]our own (data|images|pictures)|own pictures|of one's own", "custom data, custom images"},
      {"\\b[Ww]hoever\\b|\\b[Ww]hichever\\b", "name who: the next free worker"},
      {"\\b[Mm]end(s|ed)?\\b", "archaic: correct"},
      {"\\b(deal(s|t)?|shel(f|ves)|bills?|prices?|part(y|ies)|wires?|habits?)\\b",
       "the field's words: distribute, variable shard, breakdown, cost, rank, link, preferences", "--price-only"},
      {"[Pp]ass(es)? over the (training )?examples", "an epoch"},
  };
  return all;
}

const QList<Stumble>& germanStumbles() {
  static const QList<Stumble> all{
      {"Kaputt", "child's talk: einen Wert ändern"},
      {"[Gg]ehalten gegen|[Gg]leichauf|wortlos|aus dem Ruder|noch nichts ergeben",
       "word for word from English, or an idiom"},
      {"Aufbewahrtes|was immer es war|dem, was es war", "name it: gespeicherte Zellen, die Ursache"},
      {"tarke[rn]? Skalierung", "say what is fixed", "globale"},
      {"chwache[rn]? Skalierung|bei \\*schwacher\\*", "say what is fixed", "je Replikat"},
      {"\\b[Ss]ichern\\b|\\b[Gg]esichert\\b", "one word for Save: speichern; a backup is a Sicherung"},
      {"\\bRepliken?\\b|\\bReplicas\\b", "das Replikat"},
      {"Abschnitt (auf der Bühne|war)|(einen|letzte) Abschnitt|Abschnitt für Abschnitt", "a beat is a Takt"},
      {"Aktualisierung", "an update is an Update"},
      {"[Vv]ollste Verbindung|eigene Verbindungen|diese Verbindung", "a link is a Link"},
      {"Rückwärtslauf|Vorwärtslauf", "a Lauf is a run: Rückwärtsdurchlauf"},
      {"(?<![Jj]eder )(?<![Jj]eden )Augenblick", "a moment is a Moment"},
      {"\\b[Ww]arm-[Uu]p\\b", "Aufwärmen, as the field is called"},
      {"\\bPartitioner\\b", "Partitionierer, as the field is called"},
      {"Verlustskala|Lernratenskala", "Verlustreduktion, Lernratenregel"},
      {"\\b([Ee]in|[Ee]igener|[Ww]elcher|dem|den|des) Tasks?\\b", "die Task"},
      {"Projektor", "Beamer, as the menu has it"},
      {"Eingabepipeline|Parameter-Server|Batchs\\b", "one spelling: Eingabe-Pipeline, Parameterserver, Batches"},
      {"'\\{?%\\d", "German quotation marks: „…“"},
      {"\\bMaschinen?\\b|\\bComputers?\\b|Eingabetaste|Legacy", "one word: Rechner, Enter, ältere Regel"},
      {"\\S…$", "an ellipsis in place of words has a space before it"},
  };
  return all;
}

// Appends to `faults` a line for each of `stumbles` that `text` contains.
void findStumbles(const QList<Stumble>& stumbles, const QString& text, const QString& place, QStringList& faults) {
  const QString line = text.simplified();
  for (const Stumble& stumble : stumbles) {
    const QRegularExpressionMatch found = stumble.words.match(line);
    if (!found.hasMatch() || (!stumble.unless.isEmpty() && line.contains(stumble.unless))) continue;
    faults << QStringLiteral("%1: “%2” (%3): %4").arg(place, found.captured(), stumble.why, line.left(300));
  }
}

}  // namespace

class TestTranslations : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { test::useLanguage(QStringLiteral("en")); }

  void filesFollowTheSources() {
    QTemporaryDir copy;
    for (const QString& name : {QStringLiteral("strategylab_de.ts"), QStringLiteral("strategylab_en.ts")})
      QVERIFY(QFile::copy(folder() + QLatin1Char('/') + name, copy.filePath(name)));
    QProcess update;
    update.start(folder() + QStringLiteral("/update.sh"), {copy.path()});
    QVERIFY2(update.waitForFinished(kPatienceMs) && update.exitCode() == 0, update.readAllStandardError().constData());
    for (const QString& name : {QStringLiteral("strategylab_de.ts"), QStringLiteral("strategylab_en.ts")}) {
      std::set<QString> before, after;
      for (const Entry& message : read(folder() + QLatin1Char('/') + name)) before.insert(message.key());
      for (const Entry& message : read(copy.filePath(name))) {
        after.insert(message.key());
        QVERIFY2(before.count(message.key()) == 1,
                 qPrintable(QStringLiteral("new, so run resources/translations/update.sh: ") + message.key()));
      }
      for (const QString& key : before)
        QVERIFY2(after.count(key) == 1, qPrintable(QStringLiteral("gone from the sources: ") + key));
    }
  }

  void germanIsComplete() {
    const QList<Entry> messages = read(folder() + QStringLiteral("/strategylab_de.ts"));
    QVERIFY(messages.size() > 900);
    QStringList faults;
    for (const Entry& message : messages) {
      const auto fault = [&](const QString& what) { faults << what + QStringLiteral(": ") + message.key(); };
      if (!message.finished) fault(QStringLiteral("unfinished"));
      if (message.forms.size() != (message.plural ? 2 : 1)) fault(QStringLiteral("other plural forms"));
      for (const QString& form : message.forms) {
        if (form.trimmed().isEmpty() && !message.source.trimmed().isEmpty()) fault(QStringLiteral("empty"));
        const QString why = drift(message.source, form);
        if (!why.isEmpty()) fault(why);
      }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
  }

  // Texts about a single strategy have their own file, and the strategy's row names their messages.
  void strategiesWordsAreInEveryLanguage() {
    std::set<std::string> named;
    for (const StrategyInfo& info : strategies())
      for (const auto& [moment, id] : info.words) {
        const std::string ofReducer = "note.aggregate.";
        const bool isAsked = moment.starts_with(ofReducer)
                                 ? std::ranges::any_of(info.reducers,
                                                       [&](Reducer reducer) {
                                                         const std::string name =
                                                             ofReducer + std::string(toString(reducer));
                                                         return moment == name || moment == name + ".simulated";
                                                       })
                                 : isStrategyMoment(moment);
        QVERIFY2(isAsked, (info.key + ": nobody asks for " + moment).c_str());
        QVERIFY2(strategyMessages().contains(id), id.c_str());
        QVERIFY2(id.starts_with(info.key + "."), id.c_str());
        named.insert(id);
      }
    // Who waits for whom is no text for all asynchronous strategies.
    for (const StrategyInfo& info : strategies())
      for (const std::string_view moment : kStrategyMoments)
        if (moment.starts_with("worker."))
          QVERIFY2(info.words.contains(std::string(moment)) != info.synchronous, info.key.c_str());
    // Nor is what happens to copies that differ.
    for (const StrategyInfo& info : strategies()) {
      if (info.own != StrategyInfo::Own::Weights) continue;
      for (const char* moment : {"aggregate", "update", "copies"})
        QVERIFY2(info.words.contains(moment), (info.key + ": " + moment).c_str());
      QVERIFY2(info.words.contains("check") || info.words.contains("check.apart"), info.key.c_str());
    }
    for (const auto& [id, texts] : strategyMessages()) {
      QCOMPARE(texts.size(), std::size_t{2});
      const QString why = drift(QString::fromStdString(texts.at("en")), QString::fromStdString(texts.at("de")));
      QVERIFY2(why.isEmpty(), (id + ": " + why.toStdString()).c_str());
      QVERIFY2(named.contains(id) || id.find(".text.") != std::string::npos, id.c_str());
    }
  }

  // The core's messages about GPU failures have German texts.
  void gpuFailuresAreTranslated() {
    const std::string gpu = "GPU 0 (NVIDIA A100)";
    test::useLanguage(QStringLiteral("de"));
    for (const UserError& error : {gpu::outOfMemory(gpu, 2'000'000, 1'000'000), gpu::imagesDoNotFit(gpu, 2, 1),
                                   gpu::memoryUsedUp(gpu, "cudaMalloc"), gpu::gpuIsTaken(gpu, "busy"),
                                   gpu::pinnedMemoryUsedUp(1'000'000), gpu::lostGpu(gpu, "Xid 79")}) {
      const QString said = coreText(error.message());
      QVERIFY2(said != QString::fromUtf8(error.what()), error.what());
      const bool names = QString::fromUtf8(error.what()).contains(QString::fromStdString(gpu));
      QVERIFY2(!names || said.contains(QString::fromStdString(gpu)), qPrintable(said));
    }
  }

  void errorsThatStandAloneBeginWithACapital() {
    const UserError lost = gpu::lostGpu("GPU 0 (NVIDIA A100)", "Xid 79");
    const Message file(say::notRunFile, Message(say::verbatim, "a.run"));
    QVERIFY(coreSentence(lost).startsWith(QStringLiteral("The run lost GPU 0 (NVIDIA A100) (Xid 79)")));
    for (const Message& asItIs : {file, Message(say::fileIsFolder, "a"), Message(say::verbatim, "iPhone"), Message()})
      QCOMPARE(coreSentence(asItIs), QString::fromStdString(format(asItIs)));
    QCOMPARE(coreSentence(std::runtime_error("iPhone")), QStringLiteral("iPhone"));
    QVERIFY(coreSentence({say::nameOneOfThese, Message(say::unknownName, "x", "y", "z")}).startsWith("Unknown"));
    test::useLanguage(QStringLiteral("de"));
    QVERIFY(coreSentence(lost).front().isUpper());
    QVERIFY(coreSentence(file).startsWith(QStringLiteral("a.run")));
    QVERIFY(coreSentence(file) != QString::fromStdString(format(file)));
  }

  // Every message id has English words, German words and a place in the code that uses it.
  void everyMessageHasItsWords() {
    static const QRegularExpression row(
        QStringLiteral("LAB_TEXT\\(\\s*(\\w+),\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)\\)"));
    static const QRegularExpression seam(QStringLiteral("\"\\s*\"")), said(QStringLiteral("\\bsay::(\\w+)"));
    std::set<QString> german, used;
    for (const Entry& message : read(folder() + QStringLiteral("/strategylab_de.ts")))
      if (message.context == QStringLiteral("core") && message.finished) german.insert(message.source);
    QMap<QString, QString> texts;  // English text by id
    QStringList faults;
    for (const char* top : {"core", "ui", "app"}) {
      QDirIterator files(QStringLiteral(STRATEGYLAB_SOURCE_DIR "/") + QLatin1String(top),
                         {QStringLiteral("*.h"), QStringLiteral("*.cpp"), QStringLiteral("*.cu")}, QDir::Files,
                         QDirIterator::Subdirectories);
      while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString source = QString::fromUtf8(file.readAll());
        for (auto it = said.globalMatch(source); it.hasNext();) used.insert(it.next().captured(1));
        if (files.fileName() != QStringLiteral("messages.h")) continue;
        qsizetype rows = 0;
        for (auto it = row.globalMatch(source); it.hasNext(); ++rows) {
          const QRegularExpressionMatch match = it.next();
          const QString id = match.captured(1);
          QString english = match.captured(2).trimmed().replace(seam, QString());
          english = english.mid(1, english.size() - 2)
                        .replace(QStringLiteral("\\n"), QStringLiteral("\n"))
                        .replace(QStringLiteral("\\\""), QStringLiteral("\""));
          if (texts.contains(id)) faults << QStringLiteral("two texts are named ") + id;
          texts.insert(id, english);
          const QStringList places = matches(english, QRegularExpression(QStringLiteral("%[1-9]")));
          if (english.isEmpty() || (!places.isEmpty() && places.back().mid(1).toInt() != places.size()))
            faults << QStringLiteral("no words, or a value is not in them: ") + id;
          // Messages of the command line alone are not shown in the window and need no German.
          if (qstrcmp(top, "app") != 0 && german.count(english) == 0) faults << QStringLiteral("no German: ") + id;
        }
        QCOMPARE(rows, source.count(QStringLiteral("LAB_TEXT(")));
      }
    }
    QVERIFY(texts.size() > 300);
    for (auto it = texts.keyBegin(); it != texts.keyEnd(); ++it)
      if (used.count(*it) == 0) faults << QStringLiteral("nobody says ") + *it;
    for (const QString& id : used)
      if (!texts.contains(id)) faults << QStringLiteral("no words: ") + id;
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
  }

  // Searches the window, the handbook, the lessons, the guide, the strategies and the command line's own texts.
  void noTextMakesPeopleStop() {
    QStringList faults;
    for (const Entry& message : read(folder() + QStringLiteral("/strategylab_de.ts"))) {
      findStumbles(englishStumbles(), message.source, QStringLiteral("English"), faults);
      for (const QString& form : message.forms) findStumbles(germanStumbles(), form, QStringLiteral("German"), faults);
    }
    const QString resources = QStringLiteral(STRATEGYLAB_SOURCE_DIR "/resources");
    int texts = 0;
    for (const char* top : {"lessons", "guide", "strategies", "handbook"}) {
      QDirIterator files(resources + QLatin1Char('/') + QLatin1String(top), QDir::Files);
      while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString name = QFileInfo(file).fileName(), all = QString::fromUtf8(file.readAll());
        const bool prose = name.endsWith(QStringLiteral(".md"));
        for (const QString& text : all.split(prose ? QStringLiteral("\n\n") : QStringLiteral("\n"))) {
          if (text.startsWith(QLatin1Char('#')) || text.startsWith(QStringLiteral("beat:"))) continue;
          ++texts;
          const bool german = prose
                                  ? name == QStringLiteral("de.md")
                                  : text.contains(QStringLiteral("[de]:")) || text.contains(QStringLiteral("\"de\":"));
          if (german)
            findStumbles(germanStumbles(), text, name, faults);
          else
            findStumbles(englishStumbles(), text, name, faults);
        }
      }
    }
    QVERIFY(texts > 2000);
    for (const char* path : {"app/messages.h", "app/options.cpp", "app/cli"}) {
      const QFileInfo info(QStringLiteral(STRATEGYLAB_SOURCE_DIR "/") + QLatin1String(path));
      QStringList names{info.filePath()};
      if (info.isDir()) {
        names.clear();
        for (const QFileInfo& entry :
             QDir(info.filePath()).entryInfoList({QStringLiteral("*.cpp"), QStringLiteral("*.h")}))
          names << entry.filePath();
      }
      static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\\n]|\\\\.)*)\"")),
          seam(QStringLiteral("(?<!\\\\)\"\\s*\n\\s*\"")), comment(QStringLiteral("//[^\n]*"));
      for (const QString& name : names) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString source = QString::fromUtf8(file.readAll()).remove(comment).remove(seam);
        for (auto it = literal.globalMatch(source); it.hasNext();) {
          const QString text = it.next().captured(1);
          // A setting's name alone is not prose.
          if (std::ranges::find(configFields(), text.toStdString(), &ConfigField::name) == configFields().end())
            findStumbles(englishStumbles(), text, QFileInfo(name).fileName(), faults);
        }
      }
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
  }

  void stumblesAreFound() {
    QStringList faults;
    findStumbles(englishStumbles(), QStringLiteral("Strong scaling: global batch fixed"), QString(), faults);
    findStumbles(germanStumbles(), QStringLiteral("Fügen Sie der Task einen Worker hinzu"), QString(), faults);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
    findStumbles(englishStumbles(), QStringLiteral("Strong scaling"), QString(), faults);
    findStumbles(englishStumbles(), QStringLiteral("reading what is kept"), QString(), faults);
    findStumbles(germanStumbles(), QStringLiteral("Kaputt machen …"), QString(), faults);
    QCOMPARE(faults.size(), 3);
  }

  void driftIsFound() {
    QVERIFY(drift("Step %1", "Schritt %1").isEmpty());
    for (const auto& [source, translation] : {std::pair{"Step %1", "Schritt"},
                                              {"%Ln images", "%n Bilder"},
                                              {"&File", "Datei"},
                                              {"Open…", "Öffnen"},
                                              {" (mean)", "(Mittel)"},
                                              {"<b>%1</b>", "%1"},
                                              {"Use --split file", "--teilen"},
                                              {"Pictures (*.png)", "Bilder (*.jpg)"},
                                              {"Nobody waits for anybody else", "Nobody waits for anybody else"}})
      QVERIFY2(!drift(QString::fromUtf8(source), QString::fromUtf8(translation)).isEmpty(), translation);
  }

  void englishHasItsPlurals() {
    for (const Entry& message : read(folder() + QStringLiteral("/strategylab_en.ts"))) {
      QVERIFY2(message.plural && message.finished && message.forms.size() == 2, qPrintable(message.key()));
      QCOMPARE(message.forms[1], message.source);
      QVERIFY2(message.forms[0] != message.source, qPrintable(message.key()));
    }
    test::useLanguage(QStringLiteral("en"));
    QCOMPARE(lab::tr("%Ln replicas", nullptr, 1), QStringLiteral("1 replica"));
    QCOMPARE(lab::tr("%Ln replicas", nullptr, 1024), QStringLiteral("1,024 replicas"));
    test::useLanguage(QStringLiteral("de"));
    QCOMPARE(lab::tr("%Ln replicas", nullptr, 1), QStringLiteral("1 Replikat"));
    QCOMPARE(lab::tr("%Ln replicas", nullptr, 1024), QStringLiteral("1.024 Replikate"));
  }

  // A number that rounds to nothing or to all is not written as if it were it.
  void onlyNothingReadsZeroAndOnlyAllReadsAHundred() {
    test::useLanguage(QStringLiteral("en"));
    QCOMPARE(percentText(0), QStringLiteral("0.0 %"));
    QCOMPARE(percentText(1), QStringLiteral("100.0 %"));
    QCOMPARE(percentText(1 - 1e-16), QStringLiteral("100.0 %"));  // a sum of shares that are all
    QCOMPARE(percentText(0.931), QStringLiteral("93.1 %"));
    QCOMPARE(percentText(0.9995), QStringLiteral("99.95 %"));
    QCOMPARE(percentText(4999.0 / 5000), QStringLiteral("99.98 %"));
    QCOMPARE(percentText(59'999.0 / 60'000), QStringLiteral("> 99.9 %"));
    QCOMPARE(percentText(1.0 / 5000), QStringLiteral("0.02 %"));
    QCOMPARE(percentText(1.0 / 60'000), QStringLiteral("< 0.1 %"));
    QCOMPARE(percentNumber(0.997, 0), QStringLiteral("99.7"));
    QCOMPARE(percentNumber(0.9997, 0), QStringLiteral("> 99.9"));
    QCOMPARE(percentNumber(0.97, 0), QStringLiteral("97"));
    QCOMPARE(lossText(0, 4), QStringLiteral("0.0000"));
    QCOMPARE(lossText(0.000'03, 4), QStringLiteral("3E-05"));
    QCOMPARE(lossText(0.000'3, 4), QStringLiteral("0.0003"));
    QCOMPARE(lossText(0.000'83), QStringLiteral("0.00083"));
    QCOMPARE(lossText(0.008'34), QStringLiteral("0.0083"));
    QCOMPARE(lossText(0.012'34), QStringLiteral("0.012"));
  }

  void numbersAreTheLocales() {
    test::useLanguage(QStringLiteral("de"));
    QCOMPARE(countText(347'146), QStringLiteral("347.146"));
    QCOMPARE(bytesText(1'388'584), QStringLiteral("1,39 MB"));
    QCOMPARE(durationText(2'310'000), QStringLiteral("2,31 ms"));
    QCOMPARE(numberText(0.5, 'f', 2), QStringLiteral("0,50"));
    QCOMPARE(percentText(0.9998), QStringLiteral("99,98 %"));
    QCOMPARE(percentText(0.000'01), QStringLiteral("< 0,1 %"));
    QCOMPARE(lossText(999'999.4, 1), QStringLiteral("999.999,4"));
    QCOMPARE(lossText(580'374'366'720.0), QStringLiteral("5,804E+11"));
    QCOMPARE(roughText(0.0583), QStringLiteral("0,0583"));
    QCOMPARE(roughText(999.7), QStringLiteral("1.000"));  // and not 1E+03
    QCOMPARE(roughText(-1010.2), QStringLiteral("-1.010"));
    QCOMPARE(roughText(1.23e7), QStringLiteral("1,23E+07"));
    const ConfigField& rate = configField("learning-rate");
    QCOMPARE(settingText(rate, "0.001"), QStringLiteral("0,001"));
    QCOMPARE(settingValue(rate, QStringLiteral("0,001")), std::string("0.001"));
    QCOMPARE(settingText(configField("partitioner"), "fixed:2"), QStringLiteral("fixed:2"));
    // Counts are shown and read with the language's separators; text that is no count stays as typed, to be refused.
    const ConfigField& buffer = configField("shuffle-buffer");
    QCOMPARE(settingText(buffer, "10000"), QStringLiteral("10.000"));
    QCOMPARE(settingValue(buffer, QStringLiteral("10.000")), std::string("10000"));
    QCOMPARE(settingValue(buffer, QStringLiteral("10000")), std::string("10000"));
    QCOMPARE(settingValue(buffer, QStringLiteral("1.5")), std::string("1.5"));
    QCOMPARE(settingText(buffer, ""), QString());
    QCOMPARE(settingText(configField("seed"), "12345"), QStringLiteral("12345"));
    LinkModel link;
    link.latencyUs = 3.4;
    link.gbPerSec = 150;
    link.effectiveGbPerSec = 120;
    QVERIFY(figuresOf(link).contains(QStringLiteral("3,4 µs")));
    QVERIFY(figuresOf(link).contains(QStringLiteral("nominal 150 GB/s je Richtung, effektiv 120")));
    test::useLanguage(QStringLiteral("en"));
    QCOMPARE(countText(347'146), QStringLiteral("347,146"));
    QCOMPARE(durationText(2'310'000), QStringLiteral("2.31 ms"));
    QCOMPARE(settingText(rate, "0.001"), QStringLiteral("0.001"));
    QCOMPARE(settingText(rate, "5e-04"), QStringLiteral("0.0005"));  // the core writes the shortest form
    QCOMPARE(settingText(rate, "1e-09"), QStringLiteral("1e-09"));
  }

  void systemsLanguageIsTaken() {
    test::useLanguage(QString());
    QVERIFY(language::names().contains(language::used()));
    test::useLanguage(QStringLiteral("xx"));
    QVERIFY(language::names().contains(language::used()));
  }

  void pseudoKeepsWhatIsNotForPeople() {
    const QString text = test::stretched(QStringLiteral("&Save %1 of %Ln <b>x</b>"));
    for (const char* kept : {"⟦", "⟧", "&S", "%1", "%Ln", "<b>", "</b>"})
      QVERIFY2(text.contains(QString::fromUtf8(kept)), kept);
    QVERIFY(text.size() >= 1.4 * 16);
    QVERIFY(test::stretched(QStringLiteral("Pictures (*.png);;All files (*)")).endsWith(QStringLiteral("⟧ (*)")));
  }

  // The window translates all texts of the core's tables; the texts that it leaves alone are names of things.
  void coreTextsAreTheCores() {
    test::useLanguage(QStringLiteral("pseudo"));
    const auto shown = [](const QString& text) { return text.startsWith(QChar(u'⟦')); };
    static const QRegularExpression code(QStringLiteral("^([a-z0-9_-]*[0-9_][a-z0-9_ (:;,.)-]*|)$"));
    const QStringList names{"cpu",
                            "cuda",
                            "nccl",
                            "mpi",
                            "mnist",
                            "fashion-mnist",
                            "adam",
                            "sgd",
                            "fit",
                            "loop",
                            "v100 (tpu: tpu_v3_core)"};
    for (const ConfigField& field : configFields()) {
      const auto tell = [&](const QString& text) {
        return qPrintable(QString::fromStdString(field.name) + ": " + text);
      };
      QVERIFY2(shown(settingCaption(field)), tell(settingCaption(field)));
      QVERIFY2(shown(settingHelp(field)), tell(settingHelp(field)));
      QVERIFY2(shown(coreText(field.group)), tell(coreText(field.group)));
      if (field.name == "strategy") continue;  // keys of tf.distribute
      QStringList values;
      for (const std::string& choice : field.choices) values << QString::fromStdString(choice);
      values << QString::fromStdString(field.defaultText);
      for (const QString& value : values)
        QVERIFY2(shown(coreText(value.toStdString())) || names.contains(value) || code.match(value).hasMatch(),
                 tell(value));
    }
    for (const StrategyInfo& info : strategies()) QVERIFY2(shown(coreText(info.sentence)), info.key.c_str());
    for (const Message& label : labelNames(courseNetwork())) QVERIFY2(shown(coreText(label)), format(label).c_str());
    const Message replica(say::replicaEndpoint, 0);
    QVERIFY(coreText({say::linkTrack, replica, replica, "NVLink 2.0"}).contains(QStringLiteral("NVLink 2.0")));
    QVERIFY(!coreText({say::linkTrack, replica, replica, "NVLink 2.0"}).contains(QStringLiteral("replica")));
  }

  void refusalsAreTranslated_data() {
    QTest::addColumn<QString>("option");
    QTest::addColumn<QString>("value");
    for (const auto& [option, value] : {std::pair{"replicas", "x"},
                                        {"replicas", "0"},
                                        {"learning-rate", "-1"},
                                        {"reducer", "rinng"},
                                        {"reducer", "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq"},
                                        {"slow", "1"},
                                        {"slow", "9:2"},
                                        {"hosts", "2"},
                                        {"partitioner", "fixed:2"},
                                        {"parameter-servers", "2"},
                                        {"momentum", "0.9"},
                                        {"files", "3"},
                                        {"resume", "true"},
                                        {"checkpoint-every", "3"},
                                        {"data-dir", ""},
                                        {"catalogue", "/nowhere/at-all.csv"},
                                        {"catalogue", "/"},
                                        {"no-such-setting", "1"},
                                        {"batch-per-replica", "1000000000"}})
      QTest::addRow("--%s %s", option, value) << QString::fromUtf8(option) << QString::fromUtf8(value);
  }
  void refusalsAreTranslated() {
    QFETCH(const QString, option);
    QFETCH(const QString, value);
    const auto act = [&] {
      RunSettings config;
      configField(option.toStdString()).set(config, value.toStdString());
      (void)resolve(config);
    };
    test::useLanguage(QStringLiteral("pseudo"));
    const QString pseudo = refusal(act);
    QVERIFY2(pseudo.startsWith(QChar(u'⟦')) && pseudo.endsWith(QChar(u'⟧')), qPrintable(pseudo));
    test::useLanguage(QStringLiteral("de"));
    const QString german = refusal(act);
    QVERIFY2(!german.contains(QRegularExpression(QStringLiteral("%[0-9]"))), qPrintable(german));
    if (!value.isEmpty() && value.size() < 10 && option != QStringLiteral("momentum") && !option.startsWith("no-"))
      QVERIFY2(german.contains(settingCaption(configField(option.toStdString()))) || german.contains(option) ||
                   german.contains(value),
               qPrintable(german));
  }

  void refusedFilesAreTranslated() {
    test::useLanguage(QStringLiteral("pseudo"));
    for (const char* text : {"{", "{\"format\":\"x\"}", "[]"}) {
      const QString said = refusal([&] { (void)parseExperiment(text, "a.slab"); });
      QVERIFY2(said.startsWith(QChar(u'⟦')), qPrintable(said));
    }
    QVERIFY(refusal([] { (void)parseExperimentLink("no link"); }).startsWith(QChar(u'⟦')));
    const std::vector<std::uint8_t> bytes(4, 7);
    const std::function<void()> acts[] = {[] { (void)parseChromeTrace("{}", "t.json"); },
                                          [] { (void)parseCluster("{}", "c.json", Catalogue::builtIn()); },
                                          [] { (void)Catalogue::parse("id,kind\n", "c.csv"); },
                                          [] { (void)TimingConstants::parse("a,b\n", "c.csv"); },
                                          [] { (void)parseCsv("a,b\n1\n", "c.csv"); },
                                          [&] { (void)parseSafetensors(bytes, "w"); },
                                          [&] { (void)parseRunFile(bytes, "r.run"); },
                                          [&] { (void)parseNpz(bytes, "mnist.npz"); },
                                          [&] { (void)parseIdx(bytes, IdxKind::Images, "i"); },
                                          [] { (void)verifyFolder("/nowhere/at-all"); },
                                          [] { (void)loadDataset("mnits", ""); },
                                          [] { (void)resolveSplit({.globalBatch = 0}); }};
    for (const auto& act : acts) {
      test::useLanguage(QStringLiteral("pseudo"));
      const QString pseudo = refusal(act);
      QVERIFY2(pseudo.startsWith(QChar(u'⟦')) && pseudo.endsWith(QChar(u'⟧')), qPrintable(pseudo));
      test::useLanguage(QStringLiteral("en"));
      const QString english = refusal(act);
      test::useLanguage(QStringLiteral("de"));
      QVERIFY2(refusal(act) != english && !refusal(act).contains(QStringLiteral(" the ")), qPrintable(refusal(act)));
    }
  }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
