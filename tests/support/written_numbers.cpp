// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/written_numbers.h"

#include <QTest>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "core/files/experiment_file.h"
#include "core/lesson/blocks.h"
#include "core/options/config_field.h"

namespace lab::test {
namespace {

namespace fs = std::filesystem;

const std::set<std::string, std::less<>> kTexts{"title", "about",   "text", "hint",     "ask",    "why",
                                                "right", "wrong",   "say",  "seen",     "answer", "shows",
                                                "slide", "because", "look", "feedback", "term"};
const std::set<std::string, std::less<>> kPremises{"until", "truth", "faults", "range", "height"};

bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool isLetter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

void removeAll(std::string& text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.replace(at, part.size(), " ");
}

std::string withoutValues(const std::string& text) {
  return std::regex_replace(text, std::regex("\\{[^}]*\\}"), " ");
}

// The word of letters and digits around a number; "" if the number stands by itself.
std::string nameAround(const std::string& text, std::size_t begin, std::size_t end) {
  const auto joins = [](char c) { return isLetter(c) || isDigit(c) || c == '_' || c == ':' || c == '/' || c == '+'; };
  std::size_t from = begin, to = end;
  while (from > 0 && (joins(text[from - 1]) || (text[from - 1] == '-' && from > 1 && isLetter(text[from - 2])))) --from;
  while (to < text.size() && (isLetter(text[to]) || isDigit(text[to]) || text[to] == '_')) ++to;
  const std::string word = text.substr(from, to - from);
  return std::ranges::any_of(word, isLetter) ? word : std::string();
}

// Numbers in words, except "one", which is an article as well.
struct NumberWord {
  const char *english, *german;
  int value;
};
constexpr NumberWord kNumberWords[]{{"two", "zwei", 2},      {"three", "drei", 3},        {"four", "vier", 4},
                                    {"five", "fünf", 5},     {"six", "sechs", 6},         {"seven", "sieben", 7},
                                    {"eight", "acht", 8},    {"nine", "neun", 9},         {"ten", "zehn", 10},
                                    {"twelve", "zwölf", 12}, {"sixteen", "sechzehn", 16}, {"twenty", "zwanzig", 20},
                                    {"forty", "vierzig", 40}};

void addWords(std::string text, bool german, std::vector<WrittenNumber>& numbers) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (std::size_t from = text.find("Ü"); from != std::string::npos; from = text.find("Ü")) text.replace(from, 2, "ü");
  const auto isPart = [](char c) {
    return isLetter(c) || isDigit(c) || static_cast<unsigned char>(c) >= 0x80 || c == '-' || c == '_';
  };
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && isPart(text[end])) ++end;
    std::string_view word = std::string_view(text).substr(begin, end - begin);
    for (const NumberWord& known : kNumberWords) {
      const std::string_view name = german ? known.german : known.english;
      if (!word.starts_with(name)) continue;
      static const std::set<std::string_view> kEnds{"",      "er",     "en",     "e",      "mal", "fach",
                                                    "fache", "facher", "fachen", "fachem", "-mal"};
      const std::string_view rest = word.substr(name.size());
      if (german ? kEnds.contains(rest) : rest.empty())
        numbers.push_back({std::string(word), static_cast<double>(known.value), 0, true, {}, true});
    }
    begin = std::max(end, begin + 1);
  }
}

struct Found {
  std::size_t begin = 0, end = 0;
};
std::vector<Found> digitRuns(const std::string& text) {
  std::vector<Found> found;
  for (std::size_t i = 0; i < text.size();) {
    if (!isDigit(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (isDigit(text[end]) || ((text[end] == '.' || text[end] == ',') &&
                                                        end + 1 < text.size() && isDigit(text[end + 1]))))
      ++end;
    found.push_back({i, end});
    i = end;
  }
  return found;
}

WrittenNumber parsed(const std::string& text, bool german) {
  const char decimal = german ? ',' : '.', group = german ? '.' : ',';
  WrittenNumber number;
  number.text = text;
  const std::string english = "^(\\d{1,3}(,\\d{3})+|\\d{1,3})(\\.\\d+)?$",
                    other = "^(\\d{1,3}(\\.\\d{3})+|\\d{1,3})(,\\d+)?$";
  number.wellFormed = std::regex_match(text, std::regex(german ? other : english));
  std::string plain;
  for (const char c : text) {
    if (c == group) continue;
    plain += c == decimal ? '.' : c;
  }
  const std::size_t point = plain.find('.');
  number.decimals = point == std::string::npos ? 0 : static_cast<int>(plain.size() - point - 1);
  number.value = std::stod(plain);
  return number;
}

std::string unitBehind(std::string_view rest) {
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  for (const auto& [word, unit] :
       {std::pair{"µs", "µs"}, {"microseconds", "µs"}, {"Mikrosekunden", "µs"}, {"ms", "ms"}, {"%", "%"}, {"MB", "MB"}})
    if (rest.starts_with(word)) return unit;
  return {};
}

std::string fileText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void readFile(const fs::path& path, WrittenTexts& into) {
  std::vector<LineProblem> problems;
  std::vector<Block> blocks = parseBlocks(fileText(path), problems);
  if (!problems.empty()) qFatal("%s does not read", path.c_str());
  std::string group = path.stem().string();
  std::optional<RunSettings> before;
  for (Block& block : blocks) {
    const bool lesson = block.kind == "lesson" || block.kind == "page";
    if (block.kind == "lesson") group = block.name;
    WrittenSite site;
    site.name = block.kind == "lesson" ? group : group + "/" + block.name;
    for (const Block::Entry& entry : block.entries) {
      if (kTexts.contains(entry.key))
        into.texts.push_back(
            {site.name, entry.key, entry.language.empty() ? "en" : entry.language, entry.value, entry.line});
      if (kPremises.contains(entry.key))
        for (const WrittenNumber& number : numbersIn(entry.value, "en", {})) site.premises.push_back(number.value);
    }
    const Moment moment = readMoment(block, problems);
    site.settings = moment.settings || !lesson ? moment.settings : before;
    before = site.settings;
    site.step = std::max<std::int64_t>(1, moment.view.step);
    into.order[group].push_back(block.name);
    into.sites[site.name] = std::move(site);
  }
}

std::vector<double> numbersOfFields(const RunSettings& config) {
  std::vector<double> numbers;
  for (const ConfigField& field : configFields()) {
    const std::string value = field.get(config);
    if (value.empty() || value == field.get(RunSettings{})) continue;
    for (const WrittenNumber& number : numbersIn(value, "en", {})) numbers.push_back(number.value);
  }
  return numbers;
}

}  // namespace

bool WrittenNumber::tells(double exact) const {
  const double half = 0.5 * std::pow(10.0, -decimals);
  return std::abs(exact - value) <= (text.find('/') == std::string::npos ? half : 0) + 1e-9;
}

std::vector<WrittenNumber> numbersIn(std::string text, std::string_view language,
                                     const std::vector<std::string>& names) {
  text = withoutValues(text);
  for (const std::string& name : names) removeAll(text, name);
  const bool german = language == "de";
  std::vector<WrittenNumber> numbers;
  const std::vector<Found> runs = digitRuns(text);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [begin, end] = runs[i];
    if (!nameAround(text, begin, end).empty()) continue;
    WrittenNumber number = parsed(text.substr(begin, end - begin), german);
    if (i + 1 < runs.size() && text[end] == '/' && runs[i + 1].begin == end + 1) {
      const auto [next, last] = runs[++i];
      const WrittenNumber below = parsed(text.substr(next, last - next), german);
      number = {number.text + "/" + below.text,
                number.value / below.value,
                0,
                number.wellFormed && below.wellFormed,
                {},
                false};
    }
    number.unit = unitBehind(std::string_view(text).substr(end));
    numbers.push_back(number);
  }
  addWords(text, german, numbers);
  return numbers;
}

std::vector<std::string> namesIn(std::string text) {
  text = withoutValues(text);
  std::vector<std::string> names;
  for (const auto& [begin, end] : digitRuns(text))
    if (const std::string name = nameAround(text, begin, end); !name.empty()) names.push_back(name);
  return names;
}

WrittenTexts readWrittenTexts() {
  const fs::path resources = fs::path(STRATEGYLAB_SOURCE_DIR) / "resources";
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(resources / "lessons")) files.push_back(entry.path());
  for (const char* name : {"classes.txt", "quiz.txt", "gallery.txt", "glossary.txt"})
    files.push_back(resources / "guide" / name);
  std::ranges::sort(files);
  WrittenTexts texts;
  for (const fs::path& file : files) readFile(file, texts);
  return texts;
}

const Runs::Run& Runs::of(RunSettings config, std::int64_t steps) {
  if (steps > 0) {
    config.epochs = RunSettings{}.epochs;
    config.steps = steps;
  }
  config.dataset = "digits";
  config.devices = DeviceChoice::Simulated;
  config.threads = 2;
  Run& run = runs_[configToJson(config).dump()];
  if (run.steps.empty()) {
    Outcome outcome = train(config, embeddedDigits());
    run = {std::move(outcome.info), std::move(outcome.steps), std::move(outcome.evaluations)};
  }
  return run;
}

const Runs::Run& Runs::of(const std::string& settings, std::int64_t steps) {
  return of(parseExperimentLink("strategylab:?dataset=digits&devices=simulated&eval-every=0&" + settings), steps);
}

bool tells(const WrittenNumber& number, const std::vector<Fact>& facts) {
  return std::ranges::any_of(facts,
                             [&](const Fact& fact) { return fact.unit == number.unit && number.tells(fact.value); });
}

std::vector<Fact> settingsOf(const WrittenSite& site) {
  std::vector<Fact> facts{{static_cast<double>(site.step)}};
  for (const double number : site.premises) facts.push_back({number});
  if (site.settings)
    for (const double number : numbersOfFields(*site.settings)) facts.push_back({number});
  return facts;
}

std::vector<Fact> outcomeOf(const WrittenSite& site, Runs& runs) {
  if (!site.settings) return {};
  const Runs::Run& run = runs.of(*site.settings, site.step);
  const StepMetric& step = run.steps.back();
  const double replicas = run.info.replicas, examples = static_cast<double>(step.examples);
  const auto all = static_cast<double>(step.stepNs), parameters = static_cast<double>(run.info.parameters);
  std::vector<Fact> facts{{replicas},
                          {replicas - 1},
                          {static_cast<double>(run.info.parameterDevices)},
                          {examples},
                          {examples / replicas},
                          {1 / replicas},
                          {1 / examples},
                          {step.loss},
                          {step.learningRate},
                          {parameters},
                          {4e-6 * parameters, "MB"},
                          {static_cast<double>(step.bytesSent) / 1e6, "MB"}};
  for (const std::int64_t shard : step.shards) {
    const auto share = static_cast<double>(shard);
    facts.push_back({share});
    if (shard == 0) continue;
    facts.push_back({1 / share});
    facts.push_back({1 / replicas / share});
  }
  for (const std::int64_t ns : {step.stepNs, step.computeNs, step.communicationNs, step.stragglerNs, step.launchNs}) {
    facts.push_back({static_cast<double>(ns) / 1e3, "µs"});
    facts.push_back({static_cast<double>(ns) / 1e6, "ms"});
    facts.push_back({100 * static_cast<double>(ns) / all, "%"});
  }
  if (step.staleness) facts.push_back({static_cast<double>(*step.staleness)});
  return facts;
}

}  // namespace lab::test
