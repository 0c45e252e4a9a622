// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace lab::test {

std::vector<std::string> goldenCaseNames() {
  return {"adam-b64",           "momentum-b128",       "sgd-b256",
          "adam-partial",       "adam-3-replicas-fit", "adam-3-replicas-loop",
          "sgd-4-replicas-file"};
}

GoldenCase readGoldenCase(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot open " + path.string());
  const nlohmann::json set = nlohmann::json::parse(file);
  GoldenCase result;
  result.name = path.stem().string();
  set.at("optimizer").get_to(result.optimizer);
  set.at("split").get_to(result.split);
  set.at("loss_scaling").get_to(result.lossReduction);
  set.at("learning_rate").get_to(result.learningRate);
  set.at("momentum").get_to(result.momentum);
  set.at("global_batch").get_to(result.globalBatch);
  set.at("examples").get_to(result.examples);
  set.at("steps").get_to(result.steps);
  set.at("replicas").get_to(result.replicas);
  set.at("shards").get_to(result.shards);
  set.at("batch_sizes").get_to(result.batchSizes);
  set.at("losses").get_to(result.losses);
  set.at("accuracy_first_10000_train").get_to(result.accuracy);
  for (const auto& [name, values] : set.at("final").items()) {
    result.finals[name] = {values.at("l2"), values.at("sum"), values.at("sample")};
  }
  return result;
}

NamedTensors readInitialWeights(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  std::uint64_t headerBytes = 0;
  if (content.size() < sizeof headerBytes) throw std::runtime_error("cannot read " + path.string());
  std::memcpy(&headerBytes, content.data(), sizeof headerBytes);  // little-endian, as every machine these tests run on
  const nlohmann::json header = nlohmann::json::parse(content.substr(8, headerBytes));
  NamedTensors result;
  for (const auto& [name, tensor] : header.items()) {
    if (name == "__metadata__") continue;
    const std::uint64_t begin = tensor.at("data_offsets").at(0), end = tensor.at("data_offsets").at(1);
    const std::string bytes = content.substr(8 + headerBytes + begin, end - begin);
    std::vector<float>& values = result[name];
    values.resize(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(float));
  }
  return result;
}

}  // namespace lab::test
