// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/launching/forwarded_inputs.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/launching/messages.h"
#include "core/model/safetensors.h"
#include "core/options/network_of.h"
#include "core/training/build.h"

namespace lab {
namespace {

constexpr const char* kFirstWord = "files";
constexpr std::int64_t kMostHandedBytes = std::int64_t{3} << 30;

[[noreturn]] void cutOff() {
  throw UserError(UserError::Kind::Run, say::handedCutOff);
}

// Reads a word and a number: "init 1234".
std::pair<std::string, std::size_t> headOf(std::string_view line) {
  const std::size_t space = line.find(' ');
  std::int64_t count = -1;
  if (space != std::string_view::npos) std::from_chars(line.data() + space + 1, line.data() + line.size(), count);
  if (count < 0 || count > kMostHandedBytes) cutOff();
  return {std::string(line.substr(0, space)), static_cast<std::size_t>(count)};
}

}  // namespace

ForwardedInputs inputsToForward(const SettingsBase& resolved) {
  ForwardedInputs files;
  if (!isNetworkName(resolved.network)) files["network"] = layersOfFile(resolved);
  if (!resolved.init.empty() && !resolved.resume) {
    const std::vector<std::uint8_t> bytes = serializeSafetensors(readInit(resolved));
    files["init"].assign(bytes.begin(), bytes.end());
  }
  if (!resolved.catalogue.empty()) {
    const std::vector<std::uint8_t> bytes = readFile(resolved.catalogue, kMostCatalogueBytes);
    files["catalogue"].assign(bytes.begin(), bytes.end());
  }
  return files;
}

std::string packed(const ForwardedInputs& files) {
  std::string text;
  for (const auto& [setting, content] : files) text += setting + " " + std::to_string(content.size()) + "\n" + content;
  return text;
}

ForwardedInputs unpacked(std::string_view text) {
  ForwardedInputs files;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) cutOff();
    const auto [setting, bytes] = headOf(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (bytes > text.size()) cutOff();
    files[setting] = text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return files;
}

std::string forwardedInput(const ForwardedInputs& files) {
  const std::string text = packed(files);
  return kFirstWord + (" " + std::to_string(text.size())) + "\n" + text;
}

ForwardedInputs takeForwardedInput(std::FILE* from) {
  std::array<char, 64> line{};
  if (std::fgets(line.data(), line.size(), from) == nullptr) cutOff();
  const auto [word, bytes] = headOf(line.data());
  if (word != kFirstWord) cutOff();
  std::string text(bytes, '\0');
  if (std::fread(text.data(), 1, bytes, from) != bytes) cutOff();
  return unpacked(text);
}

}  // namespace lab
