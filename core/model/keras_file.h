// SPDX-License-Identifier: GPL-3.0-or-later
// Keras's own file, NAME.keras: a zip of config.json (keras_json.h), metadata.json and model.weights.h5. The zip is
// read here; the weights, in HDF5's format, by strategylab-hdf5, a program that is started for one file and ended when
// it takes too long or too much (keras_weights.cpp). Every function throws UserError; what a file holds never ends
// this program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/model/neural_network.h"
#include "core/model/optimizer.h"
#include "core/model/safetensors.h"

namespace lab {

bool isKerasFile(const std::string& path);  // by its name

// Refuses what else Keras and TensorFlow have written, .h5 and SavedModel, by its content, or its name where there is
// no file yet: nothing here reads or writes it.
void refuseOlderKeras(const std::filesystem::path& path);

// Of a whole file's content; `name` is what messages call it.
struct KerasParts {
  std::string config;
  std::vector<std::uint8_t> weights;  // HDF5
};
KerasParts kerasPartsOf(std::span<const std::uint8_t> content, const std::string& name);

// config.json alone, whatever the weights are.
std::string readKerasConfig(const std::filesystem::path& path);
// The weights under the names and in the order of `network`; what it does not have keeps the name of the file, and
// tensorsToWeights() refuses it.
TensorFile readKerasWeights(const std::filesystem::path& path, const NeuralNetwork& network);

// What Keras goes on with when it opens the file.
struct KerasTraining {
  OptimizerKind optimizer = OptimizerKind::Adam;
  double learningRate = 0.001, momentum = 0;
};
// `tensors` has all of the network's variables and statistics. Keras 3 opens it compiled, with a new optimizer; the
// bytes depend on the arguments alone.
void writeKerasFile(const std::filesystem::path& path, const NeuralNetwork& network, const TensorFile& tensors,
                    const KerasTraining& training);

// model.weights.h5 as tensors named by place, "conv2d/0", and back; `layers` are all, also those without variables.
TensorFile tensorsOfHdf5(std::span<const std::uint8_t> content, const std::string& name);
std::vector<std::uint8_t> hdf5OfTensors(TensorFile tensors, const std::vector<std::string>& layers);

}  // namespace lab
