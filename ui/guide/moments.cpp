// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/moments.h"

#include <algorithm>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/options/network_of.h"
#include "ui/guide/messages.h"
#include "ui/i18n/core_words.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMomentsVersion = 1;
constexpr const char* kLayers = "network-layers";  // of a network that was edited or read from a file

// The moment's keys as core/lesson writes them, with steps and parts as numbers.
json jsonOf(const NamedMoment& moment) {
  json out = moment.raw.is_object() ? moment.raw : json::object();
  out["title"] = moment.title.toStdString();
  if (!moment.note.isEmpty()) out["note"] = moment.note.toStdString();
  if (!moment.problem.isEmpty()) return out;
  std::vector<LineProblem> problems;
  // Remove all known keys, so that those it no longer has are gone.
  for (const char* key : {"settings", "step", "beat", "part", "faults", "object", "workspace", "theme", "mode",
                          "losses", "tab", "compare", "question", kLayers})
    out.erase(key);
  if (const auto& settings = moment.moment.settings; settings && !layersOfFile(*settings).empty())
    out[kLayers] = layersOfFile(*settings);
  for (const Block& block : parseBlocks("[moment]\n" + momentText(moment.moment), problems))
    for (const Block::Entry& entry : block.entries)
      out[entry.key] = entry.key == "step" || entry.key == "part" ? json::parse(entry.value) : json(entry.value);
  return out;
}

NamedMoment momentOf(const json& value) {
  NamedMoment named{.title = {}, .moment = {}, .problem = {}, .raw = value};
  if (!value.is_object()) return named;
  Block block{.kind = "moment", .name = {}, .line = 0, .entries = {}};
  for (const auto& item : value.items()) {
    if (item.value().is_string() && item.key() == "title")
      named.title = QString::fromStdString(item.value().get<std::string>()).simplified().left(Moments::kLongestTitle);
    else if (item.value().is_string() && item.key() == "note")
      named.note = QString::fromStdString(item.value().get<std::string>()).left(Moments::kLongestNote);
    else if (item.value().is_string() || item.value().is_number())
      block.entries.push_back(
          {.key = item.key(),
           .language = {},
           .value = item.value().is_string() ? item.value().get<std::string>() : item.value().dump(),
           .line = 0});
  }
  std::vector<LineProblem> problems;
  named.moment = readMoment(block, problems);
  const auto layers = value.find(kLayers);
  if (auto& settings = named.moment.settings; settings && layers != value.end() && layers->is_string())
    settings->networkFile = {settings->network, layers->get<std::string>()};
  if (!problems.empty()) named.problem = coreSentence(problems.front().what);
  return named;
}

}  // namespace

void Moments::read(const json& value) {
  all_.clear();
  removed_.reset();
  refusal_.clear();
  present_ = -1;
  others_ = value;
  if (value.is_object()) {
    const auto version = value.find("version");
    const auto list = value.find("list");
    const bool known = version != value.end() && version->is_number_unsigned() &&
                       version->get<std::uint64_t>() == kMomentsVersion && list != value.end() && list->is_array();
    if (known) {
      for (const json& each : *list)
        if (all_.size() < kMost) all_.push_back(momentOf(each));
    }
    if (!known || list->size() > kMost) refusal_ = coreSentence(Message(say::guideMomentsNewer));
  } else if (!value.is_null()) {
    refusal_ = coreSentence(Message(say::guideMomentsNewer));
  }
  Q_EMIT changed();
}

void Moments::take(std::vector<NamedMoment> list) {
  all_ = std::move(list);
  removed_.reset();
  refusal_.clear();
  present_ = -1;
  others_ = nullptr;
  Q_EMIT changed();
}

json Moments::toJson() const {
  if (!refusal_.isEmpty()) return others_;
  nlohmann::json out = others_.is_object() ? others_ : nlohmann::json::object();
  out["version"] = kMomentsVersion;
  out["list"] = nlohmann::json::array();
  for (const NamedMoment& each : all_) out["list"].push_back(jsonOf(each));
  return all_.empty() && out.size() == 2 ? nlohmann::json() : out;
}

void Moments::add(const QString& title, const Moment& moment) {
  if (!refusal_.isEmpty() || all_.size() >= kMost) return;
  const int at = has(present_) ? present_ + 1 : static_cast<int>(all_.size());
  all_.insert(all_.begin() + at, {.title = title, .moment = moment});
  present_ = at;
  Q_EMIT changed();
}

void Moments::rename(int index, const QString& title) {
  const QString name = title.simplified().left(kLongestTitle);
  if (!refusal_.isEmpty() || !has(index) || name.isEmpty() || at(all_, index).title == name) return;
  at(all_, index).title = name;
  Q_EMIT changed();
}

void Moments::update(int index, const Moment& moment) {
  if (!refusal_.isEmpty() || !has(index)) return;
  NamedMoment& named = at(all_, index);
  named.moment = moment;
  named.problem.clear();
  present_ = index;
  Q_EMIT changed();
}

void Moments::reorder(const std::vector<std::size_t>& order) {
  if (!refusal_.isEmpty() || order.size() != all_.size() || std::ranges::is_sorted(order)) return;
  std::vector<NamedMoment> moved;
  int present = -1;
  for (const std::size_t each : order) {
    if (static_cast<int>(each) == present_) present = static_cast<int>(moved.size());
    moved.push_back(all_[each]);
  }
  all_ = std::move(moved);
  present_ = present;
  Q_EMIT changed();
}

void Moments::remove(int index) {
  if (!refusal_.isEmpty() || !has(index)) return;
  removed_ = {index, at(all_, index)};
  all_.erase(all_.begin() + index);
  if (present_ >= index) --present_;
  Q_EMIT changed();
}

void Moments::bringBack() {
  if (!removed_ || !refusal_.isEmpty()) return;
  const auto& [index, moment] = *removed_;
  const int at = std::min(index, static_cast<int>(all_.size()));
  all_.insert(all_.begin() + at, moment);
  present_ = at;
  removed_.reset();
  Q_EMIT changed();
}

void Moments::setPresent(int index) {
  if (!has(index)) return;
  present_ = index;
  Q_EMIT turned();
}

}  // namespace lab
