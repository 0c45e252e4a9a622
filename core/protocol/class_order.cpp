// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/class_order.h"

#include <bit>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/files/gzip_lines.h"
#include "core/files/run_file.h"
#include "core/protocol/messages.h"

namespace lab::serving {
namespace {

using nlohmann::json;
using Part = ClassOrder::Part;

constexpr int kOrderDepth = 4;

}  // namespace

std::string orderLine(const std::vector<Part>& parts) {
  json all = json::array();
  for (const Part& part : parts)
    all.push_back({part.closure, part.worker, part.version, part.examples, std::bit_cast<std::uint32_t>(part.scale),
                   part.used, part.path});
  return json{{"class", all}}.dump();
}

std::string timesLine(const ClassTimes& times) {
  json all = json::array();
  for (const ClassTimes::Part& part : times.parts)
    all.push_back({part.givenNs, part.pushBeganNs, part.pushedNs, part.computeNs});
  return json{{"times", all}, {"applied", times.appliedNs}}.dump();
}

ClassTimes timesFrom(const json& line) {
  ClassTimes times{.appliedNs = integerOf<std::int64_t>(line.at("applied"))};
  for (const json& each : line.at("times"))
    times.parts.push_back({integerOf<std::int64_t>(each.at(0)), integerOf<std::int64_t>(each.at(1)),
                           integerOf<std::int64_t>(each.at(2)), integerOf<std::int64_t>(each.at(3))});
  return times;
}

std::string falsePushLine(int worker, std::uint64_t closure) {
  return json{{"falsePush", {worker, closure}}}.dump();
}

ClassOrder::FalsePush falsePushFrom(const json& line) try {
  const json& found = line.at("falsePush");
  return {integerOf<int>(found.at(0)), integerOf<std::uint64_t>(found.at(1))};
} catch (const json::exception&) {
  throw UserError(say::classOrderWrong);
}

std::string joinedLine(int worker, const std::string& name, const std::string& path) {
  return json{{"joined", {{"worker", worker}, {"name", name}, {"path", path}}}}.dump();
}

std::string leftLine(int worker) {
  return json{{"left", worker}}.dump();
}

std::vector<Part> partsFrom(const json& line) try {
  std::vector<Part> parts;
  for (const json& each : line.at("class"))
    parts.push_back({integerOf<std::uint64_t>(each.at(0)), integerOf<int>(each.at(1)),
                     integerOf<std::int64_t>(each.at(2)), integerOf<std::int64_t>(each.at(3)),
                     std::bit_cast<float>(integerOf<std::uint32_t>(each.at(4))), each.at(5).get<bool>(),
                     each.at(6).get<std::string>()});
  return parts;
} catch (const json::exception&) {
  throw UserError(say::classOrderWrong);
}

ClassOrder readClassOrder(const std::filesystem::path& runFile) {
  ClassOrder order;
  const std::vector<std::uint8_t> bytes = readFile(runFile, kMaxRunFileBytes);
  forEachGzipLine(bytes, runFile.string(), kRunFileLimits, [&](std::string_view text, std::int64_t number) {
    const bool isFalse = text.starts_with("{\"falsePush\"");
    if (!isFalse && !text.starts_with("{\"class\"")) return;
    const json line = parseJson(text, {say::inLine, File{runFile}, number}, kOrderDepth);
    if (isFalse)
      order.falsePushes.push_back(falsePushFrom(line));
    else
      order.updates.push_back(partsFrom(line));
  });
  if (order.updates.empty()) throw UserError(say::classOrderMissing, File{runFile});
  return order;
}

}  // namespace lab::serving
