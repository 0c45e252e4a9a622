// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/model/messages.h"
#include "core/model/neural_network.h"

namespace lab {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they lie in the file");

constexpr std::size_t kLengthBytes = 8;
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 20;  // the format allows 100 MB
constexpr std::int64_t kMaxFileBytes = std::int64_t{3} << 30;  // a checkpoint of 2,048 workers in flight: 2.8 GB
constexpr std::size_t kMaxRank = 16;
constexpr const char* kMetadata = "__metadata__";

class Reader {
 public:
  Reader(std::span<const std::uint8_t> content, const std::string& name) : content_(content), name_(name) {}

  TensorFile read() {
    const nlohmann::json header = parseJson(headerText(), {say::inHeader, File{name_}}, 4);
    TensorFile file;
    std::vector<Entry> entries;
    for (const auto& [key, value] : header.items()) {
      if (key == kMetadata)
        file.metadata = metadata(value);
      else
        entries.push_back(entry(key, value));
    }
    checkTiling(entries);
    for (const Entry& found : entries) {
      std::vector<float> values((found.end - found.begin) / sizeof(float));
      if (!values.empty()) std::memcpy(values.data(), data_.data() + found.begin, found.end - found.begin);
      file.tensors.emplace(found.name, TensorFile::Tensor{found.shape, std::move(values)});
    }
    return file;
  }

 private:
  struct Entry {
    std::string name;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;  // bytes, relative to the data
  };

  // Returns the JSON header, and sets data_ to the rest.
  std::string_view headerText() {
    if (content_.size() < kLengthBytes) fail(say::tooShortForTensors);
    std::uint64_t length = 0;
    std::memcpy(&length, content_.data(), kLengthBytes);
    if (length > kMaxHeaderBytes) fail({say::tensorHeaderBytes, length});
    if (length > content_.size() - kLengthBytes) fail(say::endsInHeader);
    data_ = content_.subspan(kLengthBytes + length);
    const std::string_view text(reinterpret_cast<const char*>(content_.data()) + kLengthBytes, length);
    if (!text.starts_with('{')) fail(say::headerWithoutBrace);
    return text;
  }

  std::map<std::string, std::string> metadata(const nlohmann::json& object) const {
    if (!object.is_object()) fail(say::metadataNoObject);
    std::map<std::string, std::string> entries;
    for (const auto& [key, value] : object.items()) {
      if (!value.is_string()) fail({say::metadataNoString, key});
      entries.emplace(key, value.get<std::string>());
    }
    return entries;
  }

  Entry entry(const std::string& name, const nlohmann::json& object) const {
    const std::string tensor = name.substr(0, 128);
    if (!object.is_object()) fail({say::tensorNoObject, tensor});
    const auto dtype = object.find("dtype"), shape = object.find("shape"), offsets = object.find("data_offsets");
    if (dtype == object.end() || shape == object.end() || offsets == object.end() || object.size() != 3)
      fail({say::tensorNotDescribed, tensor});
    if (!dtype->is_string()) fail({say::dtypeNoString, tensor});
    if (*dtype != "F32") fail({say::otherDtype, tensor, dtype->get<std::string>().substr(0, 16)});

    Entry entry;
    entry.name = name;
    if (!shape->is_array() || shape->size() > kMaxRank) fail({say::shapeNoList, tensor});
    std::uint64_t bytes = sizeof(float);
    for (const auto& extent : *shape) {
      const auto value = unsignedValue(extent);
      if (!value || *value > static_cast<std::uint64_t>(kMaxFileBytes) ||
          (bytes *= *value) > static_cast<std::uint64_t>(kMaxFileBytes))  // no overflow: neither factor is above 3·2^30
        fail({say::shapeNoNumbers, tensor});
      entry.shape.push_back(static_cast<std::int64_t>(*value));
    }
    const bool pair = offsets->is_array() && offsets->size() == 2;
    const auto begin = pair ? unsignedValue((*offsets)[0]) : std::nullopt;
    const auto end = pair ? unsignedValue((*offsets)[1]) : std::nullopt;
    if (!begin || !end || *begin > *end) fail({say::offsetsNoPair, tensor});
    if (*end - *begin != bytes) fail({say::otherTensorBytes, tensor, bytes, *end - *begin});
    entry.begin = *begin;
    entry.end = *end;
    return entry;
  }

  static std::optional<std::uint64_t> unsignedValue(const nlohmann::json& value) {
    return value.is_number_unsigned() ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
  }

  // As the reference implementation demands (safetensors/src/tensor.rs, Metadata::validate): sorted by offset, each
  // tensor begins where the one before ends, and the last ends with the file.
  void checkTiling(std::vector<Entry>& entries) const {
    std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
    std::uint64_t at = 0;
    for (const Entry& entry : entries) {
      if (entry.begin != at) fail({say::tensorAtOtherByte, entry.name.substr(0, 128), entry.begin, at});
      at = entry.end;
    }
    if (at != data_.size()) fail({say::otherDataBytes, data_.size(), at});
  }

  [[noreturn]] void fail(const Message& what) const { throw UserError(say::notTensors, name_, what); }

  std::span<const std::uint8_t> content_, data_;
  const std::string& name_;
};

}  // namespace

TensorFile parseSafetensors(std::span<const std::uint8_t> content, const std::string& name) {
  return Reader(content, name).read();
}

std::vector<std::uint8_t> serializeSafetensors(const TensorFile& file) {
  nlohmann::json header = nlohmann::json::object();  // sorts its keys, so the bytes depend on the content alone
  if (!file.metadata.empty()) header[kMetadata] = file.metadata;
  std::size_t dataBytes = 0;
  for (const auto& [name, tensor] : file.tensors) {
    LAB_CHECK(name != kMetadata && tensor.shape.size() <= kMaxRank);
    std::int64_t size = 1;
    for (const std::int64_t extent : tensor.shape) size *= extent;
    LAB_CHECK(size == static_cast<std::int64_t>(tensor.values.size()));
    const std::size_t end = dataBytes + tensor.values.size() * sizeof(float);
    header[name] = {{"dtype", "F32"}, {"shape", tensor.shape}, {"data_offsets", {dataBytes, end}}};
    dataBytes = end;
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');  // so that the data is aligned
  LAB_CHECK(text.size() <= kMaxHeaderBytes && dataBytes + text.size() + kLengthBytes <= kMaxFileBytes);

  const std::uint64_t length = text.size();
  std::vector<std::uint8_t> bytes(kLengthBytes + text.size() + dataBytes);
  std::memcpy(bytes.data(), &length, kLengthBytes);
  std::memcpy(bytes.data() + kLengthBytes, text.data(), text.size());
  std::uint8_t* at = bytes.data() + kLengthBytes + text.size();
  for (const auto& [name, tensor] : file.tensors) {
    if (tensor.values.empty()) continue;
    std::memcpy(at, tensor.values.data(), tensor.values.size() * sizeof(float));
    at += tensor.values.size() * sizeof(float);
  }
  return bytes;
}

TensorFile readSafetensors(const std::filesystem::path& path) {
  return parseSafetensors(readRegularFile(path, kMaxFileBytes), path.string());
}

void writeSafetensors(const std::filesystem::path& path, const TensorFile& file) {
  writeFileAtomically(path, serializeSafetensors(file));
}

TensorFile weightsToTensors(const Layout& layout, std::span<const float> weights) {
  LAB_CHECK(static_cast<std::int64_t>(weights.size()) == layout.size());
  TensorFile file;
  for (const Variable& variable : layout.variables()) {
    const auto values =
        weights.subspan(static_cast<std::size_t>(variable.offset), static_cast<std::size_t>(variable.size));
    file.tensors[variable.name] = {variable.shape, {values.begin(), values.end()}};
  }
  return file;
}

void tensorsToWeights(const TensorFile& file, const Layout& layout, const std::string& name, std::span<float> weights,
                      const Layout& beside) {
  LAB_CHECK(static_cast<std::int64_t>(weights.size()) == layout.size());
  // Checks everything before the first weight is changed.
  for (const Variable& variable : layout.variables()) {
    const auto found = file.tensors.find(variable.name);
    if (found == file.tensors.end()) throw UserError(say::lacksTensor, name, variable.name, shapeText(variable.shape));
    const TensorFile::Tensor& tensor = found->second;
    if (tensor.shape != variable.shape)
      throw UserError(say::otherTensorShape, name, variable.name, shapeText(tensor.shape), shapeText(variable.shape));
    const auto bad = std::ranges::find_if_not(tensor.values, [](float value) { return std::isfinite(value); });
    if (bad != tensor.values.end())
      throw UserError(say::tensorNotFinite, name, variable.name, bad - tensor.values.begin());
  }
  for (const auto& [key, tensor] : file.tensors)
    if (std::ranges::find(layout.variables(), key, &Variable::name) == layout.variables().end() &&
        std::ranges::find(beside.variables(), key, &Variable::name) == beside.variables().end())
      throw UserError(say::strangeTensor, name, key.substr(0, 128));
  for (const Variable& variable : layout.variables())
    std::ranges::copy(file.tensors.at(variable.name).values, weights.begin() + variable.offset);
}

}  // namespace lab
