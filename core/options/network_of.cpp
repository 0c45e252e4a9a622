// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/network_of.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/suggest.h"
#include "core/config/run_settings.h"
#include "core/data/dataset.h"
#include "core/keras/keras_file.h"
#include "core/keras/keras_json.h"
#include "core/model/known_networks.h"
#include "core/options/forwarded_files.h"
#include "core/options/messages.h"

namespace lab {
namespace {

// For a network that lives as long as the program.
std::shared_ptr<const NeuralNetwork> shared(const NeuralNetwork& network) {
  return {std::shared_ptr<const NeuralNetwork>(), &network};
}

// Caches the last text, because a run asks for its network many times.
std::shared_ptr<const NeuralNetwork> parsed(const std::string& text, const std::string& name,
                                            FirstWeights weights = FirstWeights::Drawn) {
  static std::mutex mutex;
  static std::string lastText, lastName;
  static std::shared_ptr<const NeuralNetwork> last;
  const std::lock_guard lock(mutex);
  if (last == nullptr || text != lastText || name != lastName) {
    last = std::make_shared<const NeuralNetwork>(parseKerasJson(text, name, name, weights));
    lastText = text;
    lastName = name;
  }
  return last;
}

}  // namespace

const std::vector<std::string>& networkNames() {
  static const std::vector<std::string> names{"auto", "course", "cifar10", "mlp", "resnet20"};
  return names;
}

bool isNetworkName(const std::string& network) {
  return std::ranges::find(networkNames(), network) != networkNames().end();
}

const std::string& layersOfFile(const SettingsBase& config) {
  static const std::string none;
  return config.networkFile.name == config.network ? config.networkFile.layers : none;
}

std::shared_ptr<const NeuralNetwork> networkOf(const SettingsBase& config) {
  const std::string& name = config.network;
  if (const std::string& layers = layersOfFile(config); !layers.empty())
    return parsed(layers, name == "auto" ? cifar10Network().key() : name);
  if (name == "auto") return shared(imageShapeOf(config.dataset)[2] == 3 ? cifar10Network() : courseNetwork());
  if (name == "course") return shared(courseNetwork());
  if (name == "cifar10") return shared(cifar10Network());
  if (name == "mlp") return shared(mlpNetwork());
  if (name == "resnet20") return shared(resnet20Network());
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    throw UserError(say::aboutOption, Option{"network"},
                    Message(say::noSuchNetwork, unknownName(say::networkWord, name, networkNames())));
  // The weights come from this file, another file or a checkpoint: none are drawn.
  if (isKerasFile(name)) return parsed(readKerasConfig(name), name, FirstWeights::Given);
  refuseOlderKeras(name);
  constexpr std::int64_t kMostBytes = std::int64_t{4} << 20;
  const std::vector<std::uint8_t> bytes = readRegularFile(name, kMostBytes);
  return parsed({bytes.begin(), bytes.end()}, name);
}

void takeNetwork(SettingsBase& config, const std::shared_ptr<const NeuralNetwork>& network) {
  if (layersOfFile(config).empty()) {
    if (!config.networkFile.name.empty() && config.init == config.networkFile.name) config.init.clear();
    if (isKerasFile(config.network) && config.init.empty() && !config.resume) config.init = config.network;
  }
  // A resumed run has its own weights.
  if (config.resume && isKerasFile(config.network) && config.init == config.network) config.init.clear();
  if (network != nullptr) config.networkFile = {config.network, kerasJson(*network)};
}

void readNetworkFile(SettingsBase& config) {
  takeNetwork(config, isNetworkName(config.network) ? nullptr : networkOf(config));
}

Catalogue catalogueOf(const SettingsBase& config) {
  if (config.catalogue.empty()) return Catalogue::builtIn();
  if (const std::string* content = forwarded("catalogue"))
    return Catalogue::builtIn().mergedWith(Catalogue::parse(*content, config.catalogue));
  const std::vector<std::uint8_t> bytes = readRegularFile(config.catalogue, kMostCatalogueBytes);
  return Catalogue::builtIn().mergedWith(
      Catalogue::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, config.catalogue));
}

}  // namespace lab
