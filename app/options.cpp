// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options.h"

#include <QRegularExpression>

#include <map>
#include <string>
#include <vector>

#include "app/manual.h"
#include "app/messages.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/suggest.h"
#include "core/run/experiment_file.h"
#include "core/run/run_file.h"
#include "ui/setup/fit.h"
#include "ui/words/language.h"

namespace lab {
namespace {

constexpr int kLargestSide = 16384;  // of a picture, in pixels: 1 GiB at four bytes each

struct OwnOption {
  const char* name;
  const char* value;  // nullptr: takes none
  const char* help;
};
constexpr OwnOption kOwnOptions[] = {
    {"render", "OUT.png", "draw the window into a picture, without a display, and end"},
    {"size", "WIDTHxHEIGHT", "size of the window in pixels (of a picture: 1280x800)"},
    {"after-steps", "N", "the picture shows this step, or the run's last one (default 1)"},
    {"moment", "WHEN", "the picture's moment: seconds into the step's movie, or BEAT or BEAT:PART (aggregate:0.5)"},
    {"theme", "NAME", "light, dark, high-contrast or projector (default: the one chosen, else the system's)"},
    {"lang", "NAME", "language of the window: en or de (default: the one chosen in Preferences, or the system's)"},
    {"layout", "NAME", "teach, explore or profile"},
    {"present", nullptr, "full screen for a projector: larger type, fewer panels (F11 ends it)"},
    {"reset-settings", nullptr, "forget the last session, and everything the window remembers"},
    {"help", nullptr, "print this and end"},
    {"version", nullptr, "print the version and end"},
    {"man", nullptr, "print the manual page (roff) and end"},
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

Moment parseMoment(const QString& text) {
  constexpr double kLongestMovie = 1e6;  // seconds
  Moment moment;
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

Message unknownOption(const std::string& name) {
  std::vector<std::string> names;
  for (const OwnOption& option : kOwnOptions) names.emplace_back(option.name);
  for (const ConfigField& field : configFields()) names.push_back(field.name);
  const std::string nearest = nearestName(name, names);
  if (nearest.empty()) return {say::unknownWindowOption, Option{name}};
  return {say::unknownWindowOptionNear, Option{name}, Option{nearest}};
}

void setOwn(WindowOptions& options, const std::string& name, const QString& value) {
  if (name == "render") options.picture = value;
  if (name == "size") options.size = parseSize(value);
  if (name == "after-steps") options.afterSteps = parseSteps(value);
  if (name == "moment") options.moment = parseMoment(value);
  if (name == "theme") {
    std::vector<std::string> names;
    for (const theme::Kind kind : theme::kKinds) names.emplace_back(theme::keyOf(kind));
    options.theme = theme::kKinds[static_cast<std::size_t>(parseName(name, value, names))];
  }
  if (name == "layout") {
    std::vector<std::string> names;
    for (const LayoutRow& row : kLayouts) names.emplace_back(row.key);
    options.layout = static_cast<WindowLayout>(parseName(name, value, names));
  }
  if (name == "size" || name == "theme" || name == "layout") options.windowAsked = true;
  if (name == "lang") {
    std::vector<std::string> names;
    for (const QString& language : language::names()) names.push_back(language.toStdString());
    for (const char* forTests : {"pseudo", "pseudo-rtl"}) names.emplace_back(forTests);
    (void)parseName(name, value, names);
    options.language = value;
  }
  if (name == "present") options.present = true;
  if (name == "reset-settings") options.resetSettings = true;
  if (name == "help") options.help = true;
  if (name == "version") options.version = true;
  if (name == "man") options.manual = true;
}

// A recording joins the runs of the window later.
void readFileOption(WindowOptions& options) {
  const std::string path = options.file->toStdString();
  const std::vector<std::uint8_t> bytes = readFile(path, kMaxRunFileBytes);
  if (bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b) {
    options.fileFault = parseRunFile(bytes, path).fault;
    if (options.picture) throw UserError(say::recordingToRender, File{path});
  } else {
    options.config = readExperiment(path).config;
    try {
      resolveConfig(options.config);
    } catch (const UserError& error) {
      throw UserError(error.kind(), say::aboutFile, File{path}, error.message());
    }
  }
}

// A setting in a sentence, with its choices and its default.
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
  WindowOptions options;
  for (qsizetype i = 0; i < arguments.size(); ++i) {
    const QString& argument = arguments[i];
    if (!argument.startsWith(QStringLiteral("--")) && argument != QStringLiteral("-h")) {
      if (options.file) {
        throw UserError(say::secondFile, argument.toStdString(), options.file->toStdString());
      }
      options.file = argument;
      continue;
    }
    const QString name =
        argument == QStringLiteral("-h") ? QStringLiteral("help") : argument.mid(2).section(QLatin1Char('='), 0, 0);
    const bool joined = argument.contains(QLatin1Char('='));
    const auto value = [&] {
      if (joined) return argument.section(QLatin1Char('='), 1);
      if (i + 1 >= arguments.size()) {
        throw UserError(say::needsValue, Option{name.toStdString()});
      }
      return arguments[++i];
    };

    const std::string key = name.toStdString();
    const auto* own = std::find_if(std::begin(kOwnOptions), std::end(kOwnOptions),
                                   [&](const OwnOption& option) { return key == option.name; });
    if (own != std::end(kOwnOptions)) {
      if (own->value == nullptr && joined) throw UserError(say::takesNone, Option{key});
      setOwn(options, key, own->value != nullptr ? value() : QString());
      continue;
    }
    const auto& fields = configFields();
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const ConfigField& f) { return f.name == key; });
    if (field == fields.end()) throw UserError(unknownOption(key));
    options.training = true;
    const bool flag = field->kind == ConfigField::Kind::Flag && !joined;
    field->set(options.config, flag ? "true" : value().toStdString());
  }
  if (options.file && options.training) throw UserError(say::fileAndOptions, options.file->toStdString());
  if (!options.training) options.config = teachingConfig();
  if (options.file) {
    try {
      readFileOption(options);
    } catch (const UserError& error) {
      if (options.picture) throw;
      options.config = teachingConfig();
      options.fileTrouble = error;
    }
  }
  if (!options.help && !options.version && !options.manual)
    resolveConfig(options.config);  // the combination, before anything is shown
  return options;
}

QString windowHelp() {
  QString text = QStringLiteral(
      "strategylab: the window of StrategyLab, on a run with the given options\n\n"
      "usage: strategylab [training options]\n"
      "       strategylab FILE\n"
      "       strategylab --render OUT.png [--after-steps N] [--moment WHEN] [training options]\n\n"
      "FILE is an experiment (.slab) or a recording (.run); the window tells of one that cannot be opened.\n"
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

std::string windowManual(const std::string& version) {
  ManualPage page("strategylab", version, "simulator and visualizer of the strategies of tf.distribute");
  page.section("SYNOPSIS");
  page.paragraph("strategylab [FILE | TRAINING OPTIONS] [OPTIONS]");
  page.section("DESCRIPTION");
  page.paragraph(
      "A window that trains a small convolutional network on handwritten digits under the strategies of tf.distribute, "
      "and shows each step as a movie. Devices are NVIDIA GPUs, this computer's processor, or simulated; whatever is "
      "shown says whether its time is measured or modelled.");
  page.paragraph(
      "FILE is an experiment (.slab) or a recording (.run). One that cannot be opened is told of in the window, and on "
      "standard error. Without a file and training options the last session comes back.");
  page.section("OPTIONS");
  for (const OwnOption& option : kOwnOptions)
    page.entry(std::string("--") + option.name + (option.value != nullptr ? std::string(" ") + option.value : ""),
               option.help);
  page.section("TRAINING OPTIONS");
  std::string group;
  for (const ConfigField& field : configFields()) {
    if (field.group != group) page.subsection(group = field.group);
    page.entry("--" + field.name, helpOf(field).toStdString());
  }
  page.section("EXIT STATUS");
  page.entry("0", "The window was closed, or the picture is written.");
  page.entry("1", "The run of the picture failed.");
  page.entry("2", "The request is wrong: a sentence says what is wrong and what to do.");
  page.entry("3", "No display can be opened.");
  page.section("EXAMPLES");
  page.example("strategylab --strategy tpu --epochs 3");
  page.example("strategylab --render window.png --size 1920x1080 --after-steps 50 --moment aggregate:0.5");
  page.finish("strategylab-cli");
  return page.text();
}

}  // namespace lab
