// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/keras/keras_file.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/zip.h"
#include "core/keras/keras_json.h"
#include "core/keras/keras_order.h"
#include "core/model/messages.h"

namespace lab {
namespace {

constexpr const char *kConfig = "config.json", *kMetadataPart = "metadata.json", *kWeights = "model.weights.h5";
constexpr std::int64_t kMostConfigBytes = std::int64_t{4} << 20;
constexpr std::int64_t kMostWeightsBytes = std::int64_t{3} << 30;  // includes an optimizer's variables
constexpr std::string_view kHdf5Begins = "\x89HDF\r\n\x1a\n";

[[noreturn]] void refuseKeras(const std::string& name, const Message& what) {
  throw UserError(say::notKerasFile, File{name}, what);
}

class KerasZip {
 public:
  KerasZip(zip_source_t* source, std::string name, ZipError& error) : name_(std::move(name)) {
    archive_ = openZip(source, error);
    if (archive_ == nullptr) refuseKeras(name_, {say::kerasNotZip, error.text()});
  }

  // Memory grows with the bytes that the archive really contains, whatever it claims: a few megabytes may unpack to
  // gigabytes, so `most` should be no more than a right file needs.
  std::vector<std::uint8_t> part(const char* part, std::int64_t most,
                                 const Text& tooLarge = say::kerasPartTooLarge) const {
    const zip_int64_t index = zip_name_locate(archive_.get(), part, 0);
    if (index < 0) refuseKeras(name_, {say::kerasLacksPart, part});
    const ZipPart file(zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
    if (file == nullptr) refuseKeras(name_, {say::kerasPartUnreadable, part, zip_strerror(archive_.get())});
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    std::vector<std::uint8_t> bytes;
    while (true) {
      const std::size_t before = bytes.size();
      bytes.resize(before + kPiece);
      const zip_int64_t got = zip_fread(file.get(), bytes.data() + before, kPiece);
      if (got < 0) refuseKeras(name_, {say::kerasPartUnreadable, part, zip_file_strerror(file.get())});
      bytes.resize(before + static_cast<std::size_t>(got));
      if (std::ssize(bytes) > most) refuseKeras(name_, {tooLarge, part, Bytes{most}});
      if (got == 0) return bytes;
    }
  }

  // Returns the weights, of the size that `network` can have.
  std::vector<std::uint8_t> weightsOf(const NeuralNetwork& network) const {
    // 16 numbers for each value: it, an optimizer's and averages of it, in either precision; and the file's own tables.
    constexpr std::int64_t kEachBytes = 16 * 4, kTableBytes = std::int64_t{64} << 20;
    const std::int64_t values = network.layout().size() + network.statistics().size();
    std::vector<std::uint8_t> bytes =
        part(kWeights, std::min(kMostWeightsBytes, kEachBytes * values + kTableBytes), say::kerasWeightsTooLarge);
    // Nothing else is given to HDF5's library, which takes several times as much memory.
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(kHdf5Begins)) refuseKeras(name_, say::weightsNoHdf5);
    return bytes;
  }

  std::string config() const {
    const std::vector<std::uint8_t> bytes = part(kConfig, kMostConfigBytes);
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::string name_;
  ZipArchive archive_;
};

// Opens the file on the disk, so that only the requested parts are read.
KerasZip openKerasZip(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    // A pipe is refused, as reading it could wait for ever. readFile() reports other kinds of failure.
    if (std::filesystem::is_other(path, ignored)) refuseKeras(path.string(), {say::kerasNotZip, "not a regular file"});
    (void)readFile(path, 0);
  }
  ZipError error;
  return {zip_source_file_create(path.c_str(), 0, -1, error.get()), path.string(), error};
}

// Returns the names of a layer's variables, in Keras's order.
std::vector<std::string> variablesOfLayer(const NeuralNetwork& network, const NetworkLayer& layer) {
  std::vector<std::string> names;
  for (const Layout* layout : {&network.layout(), &network.statistics()})
    for (const Variable& variable : layout->variables())
      if (variable.name.starts_with(layer.name + "/")) names.push_back(variable.name);
  return names;
}

// Returns each layer's name in a file that Keras saves of the network.
std::vector<std::string> namesInKeras(const NeuralNetwork& network) {
  const KerasOrder order = inKerasOrder(network);
  std::vector<std::string> names;
  for (const std::size_t place : order.places) names.push_back(order.network.layers()[place].name);
  return names;
}

// Returns the names in the file's weights by those of namesInKeras(). They differ where Keras computes an activation
// within a layer: it is a layer here, which changes the order. They are the same, so nothing is returned, where the
// config has a layer that cannot be computed here.
std::map<std::string, std::string> namesInFile(const std::string& config, const std::string& name) try {
  const NeuralNetwork network = parseKerasJson(config, "file", name, FirstWeights::Given);
  const std::vector<std::string> names = namesInKeras(network);
  std::map<std::string, std::string> all;
  for (std::size_t layer = 0; layer < names.size(); ++layer) all[names[layer]] = network.layers()[layer].name;
  return all;
} catch (const UserError&) {
  return {};
}

std::string placeName(const std::string& layer, std::size_t place) {
  return layer + "/" + std::to_string(place);
}

nlohmann::json compileConfig(const NeuralNetwork& network, const KerasTraining& training) {
  using nlohmann::json;
  const bool adam = training.optimizer == OptimizerKind::Adam;
  json settings{{"name", adam ? "adam" : "sgd"}, {"learning_rate", training.learningRate}};
  if (!adam) settings["momentum"] = training.momentum;
  const auto object = [](const char* module, const char* kind, const json& config) {
    return json{{"module", module}, {"class_name", kind}, {"config", config}, {"registered_name", nullptr}};
  };
  const bool logits = !network.layers().back().softmax;
  return {{"optimizer", object("keras.optimizers", adam ? "Adam" : "SGD", settings)},
          {"loss", object("keras.losses", "SparseCategoricalCrossentropy",
                          {{"name", "sparse_categorical_crossentropy"},
                           {"reduction", "sum_over_batch_size"},
                           {"from_logits", logits}})},
          {"loss_weights", nullptr},
          {"metrics", {"accuracy"}},
          {"weighted_metrics", nullptr},
          {"run_eagerly", false},
          {"steps_per_execution", 1},
          {"jit_compile", false}};
}

// Writes a zip in memory; like Keras's, its parts are not compressed and have no time.
class ZipWriter {
 public:
  ZipWriter() : source_(zip_source_buffer_create(nullptr, 0, 0, error_.get())) {
    LAB_CHECK(source_ != nullptr);
    archive_ = zip_open_from_source(source_, ZIP_TRUNCATE, error_.get());
    LAB_CHECK(archive_ != nullptr);
    zip_source_keep(source_);
  }
  ~ZipWriter() {
    if (archive_ != nullptr) zip_discard(archive_);
    zip_source_free(source_);
  }
  ZipWriter(const ZipWriter&) = delete;
  ZipWriter& operator=(const ZipWriter&) = delete;

  // `bytes` must outlive the writer.
  void add(const char* name, std::span<const std::uint8_t> bytes) {
    zip_source_t* part = zip_source_buffer(archive_, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive_, name, part, ZIP_FL_ENC_UTF_8);
    LAB_CHECK(index >= 0);
    const auto at = static_cast<zip_uint64_t>(index);
    constexpr zip_uint16_t kDate = 0x21, kTime = 0;  // 1 January 1980
    LAB_CHECK(zip_set_file_compression(archive_, at, ZIP_CM_STORE, 0) == 0 &&
              zip_file_set_dostime(archive_, at, kTime, kDate, 0) == 0);
  }

  std::vector<std::uint8_t> finish() {
    LAB_CHECK(zip_close(archive_) == 0);
    archive_ = nullptr;
    LAB_CHECK(zip_source_open(source_) == 0 && zip_source_seek(source_, 0, SEEK_END) == 0);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(zip_source_tell(source_)));
    LAB_CHECK(zip_source_seek(source_, 0, SEEK_SET) == 0 &&
              zip_source_read(source_, bytes.data(), bytes.size()) == std::ssize(bytes));
    zip_source_close(source_);
    return bytes;
  }

 private:
  ZipError error_;
  zip_source_t* source_;
  zip_t* archive_ = nullptr;
};

}  // namespace

bool isKerasFile(const std::string& path) {
  return path.ends_with(".keras");
}

void refuseOlderKeras(const std::filesystem::path& path) {
  std::error_code ignored;
  if (path.extension() == ".pb" || std::filesystem::exists(path / "saved_model.pb", ignored))
    throw UserError(say::olderKeras, File{path}, say::savedModelForm);
  if (!std::filesystem::is_regular_file(path, ignored)) {
    if (path.extension() == ".h5" || path.extension() == ".hdf5")
      throw UserError(say::olderKeras, File{path}, say::hdf5Form);
    return;
  }
  std::string begin(kHdf5Begins.size(), '\0');
  std::ifstream(path, std::ios::binary).read(begin.data(), std::ssize(begin));
  if (begin == kHdf5Begins) throw UserError(say::olderKeras, File{path}, say::hdf5Form);
}

KerasParts kerasPartsOf(std::span<const std::uint8_t> content, const std::string& name) {
  ZipError error;
  const KerasZip zip(zip_source_buffer_create(content.data(), content.size(), 0, error.get()), name, error);
  return {zip.config(), zip.part(kWeights, kMostWeightsBytes)};
}

std::string readKerasConfig(const std::filesystem::path& path) {
  return openKerasZip(path).config();
}

TensorFile readKerasWeights(const std::filesystem::path& path, const NeuralNetwork& network) {
  const KerasZip zip = openKerasZip(path);
  TensorFile file = tensorsOfHdf5(zip.weightsOf(network), path.string());
  const std::map<std::string, std::string> inFile = namesInFile(zip.config(), path.string());
  const std::vector<std::string> inKeras = namesInKeras(network);
  for (std::size_t layer = 0; layer < inKeras.size(); ++layer) {
    const std::vector<std::string> names = variablesOfLayer(network, network.layers()[layer]);
    const auto found = inFile.find(inKeras[layer]);
    const std::string& given = found == inFile.end() ? inKeras[layer] : found->second;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (auto node = file.tensors.extract(placeName(given, i)); !node.empty()) {
        node.key() = names[i];
        file.tensors.insert(std::move(node));
      }
  }
  return file;
}

void writeKerasFile(const std::filesystem::path& path, const NeuralNetwork& network, const TensorFile& tensors,
                    const KerasTraining& training) {
  const KerasOrder order = inKerasOrder(network);
  TensorFile byPlace;
  std::vector<std::string> layers;
  for (const NetworkLayer& layer : order.network.layers()) layers.push_back(layer.name);
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const std::vector<std::string> names = variablesOfLayer(network, network.layers()[layer]);
    for (std::size_t i = 0; i < names.size(); ++i)
      byPlace.tensors[placeName(layers[order.places[layer]], i)] = tensors.tensors.at(names[i]);
  }
  nlohmann::json model = nlohmann::json::parse(kerasJson(order.network));
  model["compile_config"] = compileConfig(network, training);
  const std::string config = model.dump(), metadata = R"({"keras_version": "3.0.0", "date_saved": ""})";
  const std::vector<std::uint8_t> weights = hdf5OfTensors(std::move(byPlace), layers);
  const auto bytesOf = [](const std::string& text) {
    return std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  ZipWriter zip;
  zip.add(kMetadataPart, bytesOf(metadata));
  zip.add(kConfig, bytesOf(config));
  zip.add(kWeights, weights);
  writeFileAtomically(path, zip.finish());
}

}  // namespace lab
