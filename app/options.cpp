// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/messages.h"
#include "core/base/at.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/parse_number.h"
#include "core/base/suggest.h"
#include "core/files/experiment_file.h"
#include "core/files/metrics_csv.h"
#include "core/lesson/lesson.h"
#include "core/options/config_field.h"
#include "core/options/messages.h"
#include "core/options/output_files.h"
#include "core/options/resolve.h"
#include "core/training/branches.h"
#include "ui/i18n/language.h"
#include "ui/setup/fit.h"

namespace lab {
namespace {

constexpr std::array kPages{PosterPage::A3, PosterPage::Wide};
constexpr int kLargestSide = 16384;  // of a picture, in pixels: 1 GiB at four bytes each

struct OwnOption {
  const char* name;
  const char* value;  // nullptr: the option takes none
  const char* help;
};
constexpr OwnOption kOwnOptions[] = {
    {"render", "OUT.png|OUT.pdf|OUT.svg",
     "without a display: draw the window into a picture (.png), or a step as a poster (.pdf, .svg), and exit"},
    {"page", "NAME", "the poster's page: a3 or wide (16:9) (default a3)"},
    {"size", "WIDTHxHEIGHT", "size of the window in pixels (of a picture: 1280x800)"},
    {"after-steps", "N", "the picture or poster shows this step, or the run's last one (default 1)"},
    {"moment", "WHEN", "the picture's moment: seconds into the step's movie, or BEAT or BEAT:PART (aggregate:0.5)"},
    {"zoom", "REPLICA", "the picture looks inside this replica, 0 for the first"},
    {"theme", "NAME", "light, dark, high-contrast or projector (default: the one chosen, else the system's)"},
    {"lang", "NAME", "language of the window: en or de (default: the one chosen in Preferences, or the system's)"},
    {"layout", "NAME", "teach, explore, compare, sweep or profile"},
    {"compare", "A,B,...",
     "strategies side by side in Compare, two to four; with --strategy or a file: beside that run"},
    {"lesson", "NAME|FILE", "begin a lesson: one of `strategylab-cli lessons`, or a file (.lesson)"},
    {"present", nullptr, "full screen for a projector: larger type, fewer panels (F11 ends it)"},
    {"reset-settings", nullptr, "forget the last session, and everything the window remembers"},
    {"help", nullptr, "print this help and exit"},
    {"version", nullptr, "print the version and exit"},
};

QSize parseSize(const QString& text) {
  static const QRegularExpression form(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
  const QRegularExpressionMatch match = form.match(text);
  const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
  if (!match.hasMatch() || size.width() < 320 || size.height() < 240 || size.width() > kLargestSide ||
      size.height() > kLargestSide) {
    throw UserError(say::badSize, Option{"size"}, text.toStdString());
  }
  return size;
}

int parseSteps(const QString& text) {
  bool ok = false;
  const int steps = text.toInt(&ok);
  if (!ok || steps < 0 || steps > 1'000'000) {
    throw UserError(say::badSteps, Option{"after-steps"}, text.toStdString());
  }
  return steps;
}

double parsePart(const QString& text, double largest, bool& ok) {
  const double value = text.toDouble(&ok);
  ok = ok && value >= 0 && value <= largest;
  return value;
}

PictureMoment parseMoment(const QString& text) {
  constexpr double kLongestMovie = 1e6;  // seconds
  PictureMoment moment;
  bool ok = false;
  moment.seconds = parsePart(text, kLongestMovie, ok);
  if (ok) return moment;
  moment.seconds = 0;
  moment.beat = text.section(QLatin1Char(':'), 0, 0);
  ok = !moment.beat.isEmpty() && moment.beat.front().isLetter();
  if (ok && text.contains(QLatin1Char(':'))) moment.part = parsePart(text.section(QLatin1Char(':'), 1), 1, ok);
  if (!ok) {
    throw UserError(say::badMoment, Option{"moment"}, text.toStdString());
  }
  return moment;
}

// The position of `text` among `names`.
int parseName(const std::string& option, const QString& text, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text.toStdString());
  if (found == names.end())
    throw UserError(say::aboutOption, Option{option}, unknownName({say::verbatim, option}, text.toStdString(), names));
  return static_cast<int>(found - names.begin());
}

std::vector<const StrategyInfo*> parseCompared(const QString& text) {
  std::vector<const StrategyInfo*> compared;
  for (const QString& key : text.split(QLatin1Char(','))) {
    RunSettings named;
    try {
      configField("strategy").set(named, key.trimmed().toStdString());
    } catch (const UserError& error) {
      throw UserError(say::aboutOption, Option{"compare"}, error.message());
    }
    const StrategyInfo* info = &strategyInfo(named.strategy);
    if (std::ranges::find(compared, info) != compared.end())
      throw UserError(say::comparedTwice, Option{"compare"}, key.trimmed().toStdString());
    compared.push_back(info);
  }
  return compared;
}

// The first one is the window's run, unless that run has a strategy already.
void settleCompared(WindowOptions& options, bool strategyGiven) {
  if (options.compared.empty()) return;
  if (options.layoutAsked && options.layout != WindowLayout::Compare) throw UserError(say::comparedElsewhere);
  options.layout = WindowLayout::Compare;
  options.windowAsked = true;
  options.training = options.training || !options.file;  // replaces the last session's run
  if (!strategyGiven && !options.file) {
    options.config.strategy = options.compared.front()->kind;
    options.config = fitted(options.config, "strategy");
  }
  std::erase_if(options.compared, [&](const StrategyInfo* info) { return info->kind == options.config.strategy; });
  const std::size_t lanes = options.compared.size() + 1;
  if (lanes < 2 || lanes > Lanes::kMost) throw UserError(say::comparedTooMany, Option{"compare"}, lanes, Lanes::kMost);
  options.comparing = {};
  for (const StrategyInfo* info : options.compared) options.comparing.wishes.push_back({info});
}

// Returns a message about what the parser could not understand, which says what to do.
UserError complaint(const QCommandLineParser& parser, const QStringList& arguments) {
  if (parser.unknownOptionNames().isEmpty()) {
    const QString option = parser.errorText().section(QLatin1Char('\''), 1, 1);  // Qt quotes it, with its dashes
    const bool isLast = option == arguments.last();                              // so that no value can follow
    return UserError(isLast ? say::needsValue : say::takesNone, Option{option.mid(2).toStdString()});
  }
  const std::string name = parser.unknownOptionNames().constFirst().toStdString();
  std::vector<std::string> names;
  for (const OwnOption& option : kOwnOptions) names.emplace_back(option.name);
  for (const ConfigField& field : configFields()) names.push_back(field.name);
  const std::string nearest = nearestName(name, names);
  if (nearest.empty()) return UserError(say::unknownWindowOption, Option{name});
  return UserError(say::unknownWindowOptionNear, Option{name}, Option{nearest});
}

// Checks options that only a picture of the window, or only a poster, can have.
void checkPoster(const QCommandLineParser& parser, const WindowOptions& options) {
  if (!options.poster) {
    if (parser.isSet(QStringLiteral("page"))) throw UserError(say::pageWithoutPoster);
    return;
  }
  for (const char* other : {"size", "moment", "zoom", "theme", "layout", "compare", "present"})
    if (parser.isSet(QLatin1String(other))) throw UserError(say::notOfPoster, Option{other});
  if (!options.lesson.isEmpty()) throw UserError(say::notOfPoster, Option{"lesson"});
  if (options.table) throw UserError(say::tableAsPoster, options.file->toStdString());
}

void setOwn(WindowOptions& options, const std::string& name, const QString& value) {
  if (name == "render") {
    constexpr const char* kEndings = ".png .pdf .svg";
    checkEnding({name}, value.toStdString(), say::pictureWritten, kEndings);
    // The ending says what is drawn; only a device or a pipe has none, and gets a picture.
    const QFileInfo file(value);
    const bool device = value.startsWith(QStringLiteral("/dev/")) || (file.exists() && !file.isFile());
    if (file.suffix().isEmpty() && !device)
      throw UserError(say::wrongEnding, Option{name}, value.toStdString(), say::pictureWritten, kEndings);
    options.picture = value;
    options.poster = isPosterFile(value);
  }
  if (name == "page") options.page = at(kPages, parseName(name, value, {"a3", "wide"}));
  if (name == "size") options.size = parseSize(value);
  if (name == "after-steps") options.afterSteps = parseSteps(value);
  if (name == "moment") options.moment = parseMoment(value);
  if (name == "zoom") {
    const auto replica = parseNumber<int>(value.toStdString());
    if (!replica || *replica < 0) throw UserError(say::badReplica, Option{"zoom"}, value.toStdString());
    options.zoom = *replica;
  }
  if (name == "theme") {
    std::vector<std::string> names;
    for (const theme::Kind kind : theme::kKinds) names.emplace_back(theme::keyOf(kind));
    options.theme = at(theme::kKinds, parseName(name, value, names));
  }
  if (name == "layout") {
    std::vector<std::string> names;
    for (const LayoutRow& row : kLayouts) names.emplace_back(row.key);
    options.layout = static_cast<WindowLayout>(parseName(name, value, names));
    options.layoutAsked = true;
  }
  if (name == "compare") options.compared = parseCompared(value);
  if (name == "after-steps" || name == "moment" || name == "zoom") options.momentAsked = true;
  if (name == "size" || name == "theme" || name == "layout") options.windowAsked = true;
  if (name == "lang") {
    std::vector<std::string> names;
    for (const QString& language : language::names()) names.push_back(language.toStdString());
    (void)parseName(name, value, names);
    options.language = value;
  }
  if (name == "lesson") options.lesson = value;
  if (name == "present") options.present = true;
  if (name == "reset-settings") options.resetSettings = true;
  if (name == "help") options.help = true;
  if (name == "version") options.version = true;
}

void takeExperiment(WindowOptions& options, const ExperimentFile& file) {
  options.config = file.config;
  options.lineage = file.lineage;
  checkLineage(file.lineage, resolve(options.config));
  if (const auto kept = file.others.find("comparison"); kept != file.others.end())
    options.comparing = comparingFromJson(*kept);
  else if (const auto parent = parentWish(file.lineage))
    options.comparing.wishes.push_back(*parent);
}

// A recording and curves join the window's runs later; a picture of a recording has its run on the stage. A large
// recording or table would keep the window from appearing for seconds, so the window reads it, and says what is wrong
// with it.
void readFileOption(WindowOptions& options) {
  constexpr qint64 kMostBytes = 8 << 20;  // within a second
  const std::string path = options.file->toStdString();
  if (!options.picture && QFileInfo(*options.file).size() > kMostBytes) {
    options.fileKind = fileKindAt(*options.file).value_or(FileKind::Experiment);
    if (options.fileKind != FileKind::Experiment) return;
  }
  const std::vector<std::uint8_t> bytes = readFile(path, kMaxRunFileBytes);
  options.fileKind = fileKind(bytes, *options.file);
  if (options.fileKind == FileKind::Curves) {
    (void)parseMetricsCsv(textOf(bytes), path);
  } else if (options.fileKind == FileKind::Table) {
    options.table = parseValueTable(textOf(bytes), path);
  } else if (options.fileKind == FileKind::Recording) {
    options.recording = std::make_shared<RunRecord>(parseRunFile(bytes, path));
    const RunRecord& record = *options.recording;
    options.fileFault = record.fault;
    if (!options.picture) return;
    ExperimentFile file;
    try {
      file.config = withoutOutputs(configFromJson(record.header.config));
      file.lineage = record.header.lineage;
      takeExperiment(options, file);
    } catch (const UserError& error) {
      throw UserError(error.kind(), say::aboutFile, File{path}, error.message());
    }
  } else {
    const ExperimentFile file = readExperiment(path);
    try {
      takeExperiment(options, file);
    } catch (const UserError& error) {
      throw UserError(error.kind(), say::aboutFile, File{path}, error.message());
    }
  }
}

// Returns the help for a setting in a sentence, with its choices and its default.
QString helpOf(const ConfigField& field) {
  QString help = QString::fromStdString(field.help);
  if (!field.choices.empty()) {
    QStringList choices;
    for (const std::string& choice : field.choices) choices << QString::fromStdString(choice);
    help += QStringLiteral(" (") + choices.join(QStringLiteral(", ")) + QLatin1Char(')');
  }
  if (!field.defaultText.empty())
    help += QStringLiteral(" [") + QString::fromStdString(field.defaultText) + QLatin1Char(']');
  return help;
}

}  // namespace

WindowOptions parseWindowOptions(const QStringList& arguments) {
  QCommandLineParser parser;
  const QString help = QStringLiteral("help");
  for (const OwnOption& option : kOwnOptions)
    parser.addOption({option.name == help ? QStringList{help, QStringLiteral("h")} : QStringList(option.name),
                      QString(), QLatin1String(option.value)});
  for (const ConfigField& field : configFields())
    parser.addOption({QString::fromStdString(field.name), QString(),
                      field.kind == ConfigField::Kind::Flag ? QString() : QStringLiteral("VALUE")});
  if (!parser.parse(QStringList(QStringLiteral("strategylab")) + arguments)) throw complaint(parser, arguments);

  WindowOptions options;
  for (const OwnOption& option : kOwnOptions)
    if (parser.isSet(option.name)) setOwn(options, option.name, option.value ? parser.value(option.name) : QString());
  const auto isGiven = [&parser](const ConfigField& field) { return parser.isSet(QString::fromStdString(field.name)); };
  if (isGiven(configField("epochs")) && isGiven(configField("steps")))
    throw UserError(say::epochsAndSteps, Option{"epochs"});
  // Options that only say where the examples are, or which, do not count as training options.
  if (std::ranges::all_of(configFields(), [&](const ConfigField& field) {
        return !isGiven(field) || field.name == "dataset" || field.name == "data-dir";
      }))
    options.config = teachingConfig();
  for (const ConfigField& field : configFields()) {
    const QString name = QString::fromStdString(field.name);
    if (!isGiven(field)) continue;
    options.training = true;
    if (field.kind == ConfigField::Kind::Flag) field.set(options.config, "true");
    for (const QString& value : parser.values(name)) field.set(options.config, value.toStdString());
  }
  const QStringList files = parser.positionalArguments();
  if (files.size() > 1) throw UserError(say::secondFile, files[1].toStdString(), files[0].toStdString());
  if (!files.isEmpty() && files[0].endsWith(QLatin1String(".lesson")))
    options.lesson = files[0];
  else if (!files.isEmpty())
    options.file = files[0];
  if (options.file && options.training) throw UserError(say::fileAndOptions, options.file->toStdString());
  if (options.file) {
    try {
      readFileOption(options);
    } catch (const UserError& error) {
      if (options.picture) throw;
      options.config = teachingConfig();
      options.fileTrouble = error;
    }
  }
  checkPoster(parser, options);
  // The window reports this itself; a picture cannot.
  if (options.picture && !options.lesson.isEmpty() &&
      std::ranges::find(builtInLessons(), options.lesson.toStdString(), &Lesson::name) == builtInLessons().end())
    (void)openLesson(options.lesson.toStdString());
  settleCompared(options, parser.isSet(QStringLiteral("strategy")));
  if (!options.help && !options.version) resolve(options.config);  // checks the combination before anything is shown
  return options;
}

QString windowHelp() {
  QString text = QStringLiteral(
      "strategylab: the window of StrategyLab, on a run with the given options\n\n"
      "Usage: strategylab [training options]\n"
      "  or:  strategylab FILE\n"
      "  or:  strategylab --render OUT.png [--after-steps N] [--moment WHEN] [--compare A,B,...] [FILE | training "
      "options]\n"
      "  or:  strategylab --render POSTER.pdf [--page a3|wide] [--after-steps N] [FILE | training options]\n\n"
      "FILE is an experiment (.slab), a recording (.run), a lesson (.lesson) or a table of numbers (.csv, whose\n"
      "first line names the columns); the window reports one that cannot be opened. With --render a recording's run\n"
      "is on the stage, and a table that StrategyLab did not write is plotted alone.\n"
      "Without a file and training options the last session comes back; the first time that is\n"
      "MirroredStrategy with two replicas and eight digits a step.\n\n");
  const auto row = [&](const QString& left, const QString& help) {
    text += QStringLiteral("  ") + left.leftJustified(34) + QStringLiteral(" ") + help + QLatin1Char('\n');
  };
  for (const OwnOption& option : kOwnOptions) {
    row(QStringLiteral("--") + QLatin1String(option.name) +
            (option.value != nullptr ? QStringLiteral(" ") + QLatin1String(option.value) : QString()),
        QString::fromUtf8(option.help));
  }
  std::string group;
  for (const ConfigField& field : configFields()) {
    if (field.group != group) text += QLatin1Char('\n') + QString::fromStdString(field.group) + QStringLiteral(":\n");
    group = field.group;
    row(QStringLiteral("--") + QString::fromStdString(field.name), helpOf(field));
  }
  return text;
}

}  // namespace lab
