// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/experiment_file.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/files/lineage_json.h"
#include "core/files/messages.h"
#include "core/options/config_field.h"
#include "core/options/network_of.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kExperimentVersion = 1;
constexpr int kExperimentDepth = 32;
constexpr std::size_t kMaxLink = 8192;
constexpr const char *kHide = "hide", *kLock = "lock";  // not settings, but also in a link
constexpr std::array kKnown{"format", "version", "program", "name", "note", "config", "view", "branches", "locks"};
constexpr std::int64_t kLargestStep = std::int64_t{1} << 53;
constexpr std::size_t kLongestName = 40;  // for a beat, a layout, a theme, a mode

[[noreturn]] void fail(const std::string& name, const Message& what) {
  throw UserError(say::aboutFile, name, what);
}

std::string textAt(const json& object, const char* key, const std::string& name) {
  const auto found = object.find(key);
  if (found == object.end()) return "";
  if (!found->is_string()) fail(name, {say::keyNoText, key});
  return found->get<std::string>();
}

// Returns one of the window's names: letters, digits and '-'.
std::string nameAt(const json& view, const char* key, const std::string& file) {
  const std::string text = textAt(view, key, file);
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
  });
  if (!plain || text.size() > kLongestName) fail(file, {say::viewNoName, key});
  return text;
}

SavedView viewFrom(const json& view, const std::string& file) {
  if (!view.is_object()) fail(file, say::viewNoObject);
  SavedView saved;
  saved.others = json::object();
  for (const auto& item : view.items()) {
    const std::string& key = item.key();
    const json& value = item.value();
    if (key == "step") {
      const std::optional<std::int64_t> step = integerWithin(value, 0, kLargestStep);
      if (!step) fail(file, say::viewStep);
      saved.step = *step;
    } else if (key == "part") {
      if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= 1)) fail(file, say::viewPart);
      saved.part = value.get<double>();
    } else if (key == "beat") {
      saved.beat = nameAt(view, "beat", file);
    } else if (key == "layout") {
      saved.layout = nameAt(view, "layout", file);
    } else if (key == "theme") {
      saved.theme = nameAt(view, "theme", file);
    } else if (key == "mode") {
      saved.mode = nameAt(view, "mode", file);
    } else if (key == "wrongLosses" && value.is_boolean()) {
      saved.wrongLosses = value.get<bool>();
    } else {
      saved.others[key] = value;
    }
  }
  return saved;
}

nlohmann::ordered_json jsonOf(const SavedView& view) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  if (view.step > 0) out["step"] = view.step;
  if (!view.beat.empty()) out["beat"] = view.beat;
  if (view.part > 0) out["part"] = view.part;
  for (const auto& [key, text] : {std::pair{"layout", view.layout}, {"theme", view.theme}, {"mode", view.mode}})
    if (!text.empty()) out[key] = text;
  if (view.wrongLosses) out["wrongLosses"] = true;
  if (view.others.is_object())
    for (const auto& item : view.others.items()) out[item.key()] = item.value();
  return out;
}

bool isPlain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.' || c == ':' || c == ',' || c == '/';
}

std::string encoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (isPlain(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
    const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
    if (low >= 0) {
      out += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string ExperimentFile::unknown() const {
  std::string names;
  if (otherSettings.is_object())
    for (const auto& item : otherSettings.items()) names += (names.empty() ? "" : ", ") + item.key();
  return names;
}

RunSettings knownConfig(const json& config, json& unknown) {
  if (!config.is_object()) return configFromJson(config);  // which refuses it
  json known = json::object();
  unknown = json::object();
  for (const auto& item : config.items()) {
    // The content of a network's file is stored beside the settings (configFromJson).
    const bool is = item.key() == "network-layers" ||
                    std::any_of(configFields().begin(), configFields().end(),
                                [&](const ConfigField& field) { return field.name == item.key(); });
    (is ? known : unknown)[item.key()] = item.value();
  }
  return configFromJson(known);
}

RunSettings knownConfig(const json& config) {
  json unknown;
  return knownConfig(config, unknown);
}

ExperimentFile parseExperiment(std::string_view text, const std::string& name) {
  if (text.starts_with(R"({"event":)")) fail(name, say::figuresForScripts);  // valid JSON only line by line
  const json document = parseJson(text, {say::inFile, File{name}}, kExperimentDepth);
  if (!document.is_object() || document.value("format", json()) != kExperimentFormat) fail(name, say::notExperiment);
  const auto version = document.find("version");
  if (version == document.end() || !version->is_number_unsigned() || version->get<std::uint64_t>() < 1)
    fail(name, say::badVersion);
  if (version->get<std::uint64_t>() > kExperimentVersion)
    fail(name, {say::newerExperiment, version->dump(), kExperimentVersion});
  const auto config = document.find("config");
  if (config == document.end() || !config->is_object()) fail(name, say::noConfig);

  ExperimentFile file;
  file.program = textAt(document, "program", name);
  file.name = textAt(document, "name", name);
  file.note = textAt(document, "note", name);
  try {
    file.config = withoutOutputs(knownConfig(*config, file.otherSettings));
  } catch (const UserError& error) {
    fail(name, error.message());
  }
  try {
    if (const auto branches = document.find("branches"); branches != document.end())
      file.lineage = lineageFromJson(*branches);
  } catch (const UserError& error) {
    fail(name, error.message());
  }
  try {
    if (const auto locks = document.find("locks"); locks != document.end()) file.locks = locksFromJson(*locks);
  } catch (const UserError& error) {
    fail(name, error.message());
  }
  if (const auto view = document.find("view"); view != document.end()) file.view = viewFrom(*view, name);
  file.others = json::object();
  for (const auto& item : document.items())
    if (std::find(kKnown.begin(), kKnown.end(), item.key()) == kKnown.end()) file.others[item.key()] = item.value();
  return file;
}

ExperimentFile readExperiment(const std::filesystem::path& path) {
  const std::vector<std::uint8_t> bytes = readFile(path, kMaxExperimentBytes);
  return parseExperiment({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string());
}

std::string experimentText(const ExperimentFile& experiment, const std::string& program) {
  nlohmann::ordered_json document{{"format", kExperimentFormat}, {"version", kExperimentVersion}, {"program", program}};
  if (!experiment.name.empty()) document["name"] = experiment.name;
  if (!experiment.note.empty()) document["note"] = experiment.note;
  json config = configToJson(withoutOutputs(experiment.config));
  if (experiment.otherSettings.is_object())
    for (const auto& item : experiment.otherSettings.items()) config[item.key()] = item.value();
  document["config"] = config;
  if (!experiment.lineage.empty()) document["branches"] = lineageToJson(experiment.lineage);
  if (experiment.view) document["view"] = jsonOf(*experiment.view);
  if (const auto locks = locksToJson(experiment.locks); !locks.empty()) document["locks"] = locks;
  if (experiment.others.is_object())
    for (const auto& item : experiment.others.items()) document[item.key()] = item.value();
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void writeExperiment(const std::filesystem::path& path, std::string_view text) {
  if (std::ssize(text) > kMaxExperimentBytes)
    throw UserError(say::experimentTooLarge, path, Bytes{kMaxExperimentBytes});
  writeFileAtomically(path, text);
}

std::string experimentLink(const RunSettings& config, const ControlLocks& locks) {
  const RunSettings asked = withoutOutputs(config), usual;
  if (asked.network == kEditedNetwork && !layersOfFile(asked).empty()) throw UserError(say::linkNoOwnNetwork);
  std::string link(kLinkScheme);
  const auto add = [&link](const std::string& name, const std::string& value) {
    if (link.size() > kLinkScheme.size()) link += '&';
    link += name + "=" + encoded(value);
  };
  for (const ConfigField& field : configFields()) {
    const std::string value = field.get(asked);
    if (value != field.get(usual)) add(field.name, value);
  }
  if (!locks.hidden.empty()) add(kHide, textOfNames(locks.hidden));
  if (!locks.locked.empty()) add(kLock, textOfNames(locks.locked));
  if (link.size() - kLinkScheme.size() > kMaxLink) throw UserError(say::linkTooLong);
  return link;
}

RunSettings parseExperimentLink(std::string_view text, ControlLocks* locks) {
  const std::size_t at = text.find(kLinkScheme);
  if (at == std::string_view::npos) throw UserError(say::noLink, kLinkScheme);
  text.remove_prefix(at + kLinkScheme.size());
  text = text.substr(0, std::min(text.find_first_of(" \t\r\n\"'<>"), text.size()));
  if (text.size() > kMaxLink) throw UserError(say::linkLongerThanAny);
  RunSettings config;
  ControlLocks found;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), part.size() + 1));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) throw UserError(say::linkPartWithoutValue, part);
    const std::string_view name = part.substr(0, equals);
    const std::string value = decoded(part.substr(equals + 1));
    if (name == kHide) {
      found.hidden = namesFromText(value, name);
    } else if (name == kLock) {
      found.locked = namesFromText(value, name);
    } else {
      configField(name).set(config, value);
    }
  }
  if (locks != nullptr) *locks = inOrder(std::move(found));
  return withoutOutputs(config);
}

}  // namespace lab
