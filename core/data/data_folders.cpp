// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/data_folders.h"

#include <cstdlib>
#include <system_error>

namespace lab {
namespace {

namespace fs = std::filesystem;

fs::path folderFromEnvironment(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? fs::path() : fs::path(value);
}

fs::path home() {
  const fs::path path = folderFromEnvironment("HOME");
  return path.empty() ? folderFromEnvironment("USERPROFILE") : path;
}

const char* torchvisionName(const std::string& dataset) {
  return dataset == "fashion-mnist" ? "FashionMNIST" : "MNIST";
}

}  // namespace

fs::path customDataFolder(const std::string& dataset) {
  // The XDG base directory specification says that a relative path in the variable must be ignored.
  fs::path data = folderFromEnvironment("XDG_DATA_HOME");
  if (!data.is_absolute()) data = home().empty() ? fs::path() : home() / ".local" / "share";
  return data.empty() ? data : data / "strategylab" / dataset;
}

std::vector<fs::path> dataFolders(const std::string& dataset, const fs::path& dataDir) {
  // For CIFAR-10, torchvision keeps the archive's folder directly in its root.
  const bool cifar = dataset == "cifar10";
  const fs::path torchvision = cifar ? fs::path() : fs::path(torchvisionName(dataset)) / "raw";
  if (!dataDir.empty()) {
    if (cifar) return {dataDir, dataDir / dataset};
    return {dataDir, dataDir / dataset, dataDir / torchvision};
  }

  std::vector<fs::path> places;
  if (const fs::path lab = folderFromEnvironment("STRATEGYLAB_DATA"); !lab.empty()) {
    places.push_back(lab / dataset);
    if (!cifar) places.push_back(lab / torchvision);
    places.push_back(lab);
  }
  if (const fs::path own = customDataFolder(dataset); !own.empty()) places.push_back(own);

  fs::path keras = folderFromEnvironment("KERAS_HOME");
  if (keras.empty() && !home().empty()) keras = home() / ".keras";
  if (!keras.empty()) {
    places.push_back(keras / "datasets" / dataset);
    if (dataset == "mnist" || cifar) places.push_back(keras / "datasets");  // mnist.npz; cifar-10-batches-py
  }
  places.push_back(fs::path("data") / torchvision);
  if (!home().empty()) places.push_back(home() / "data" / torchvision);
  return places;
}

std::string idxName(const IdxFileName& file) {
  return std::string(file.stem) + (file.kind == IdxKind::Images ? "-idx3-ubyte" : "-idx1-ubyte");
}

fs::path findIdxFile(const fs::path& folder, const IdxFileName& file) {
  const std::string ending = idxName(file).substr(std::string(file.stem).size() + 1);
  for (const char* separator : {"-", "."}) {
    for (const char* compression : {"", ".gz"}) {
      const fs::path path = folder / (file.stem + (separator + ending) + compression);
      std::error_code error;
      if (fs::exists(path, error)) return path;
    }
  }
  return {};
}

}  // namespace lab
