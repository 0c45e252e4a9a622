// SPDX-License-Identifier: GPL-3.0-or-later
// Keras's own file, NAME.keras: a zip of config.json (keras_json.h), metadata.json and model.weights.h5. This code
// reads the zip; strategylab-hdf5 reads the weights, in HDF5's format: a program that is started for one file and
// killed if it takes too long or too much memory (keras_weights.cpp). Every function throws UserError; no content of a
// file can crash this program.
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

bool isKerasFile(const std::string& path);  // judges by the name

// Refuses Keras's and TensorFlow's other formats, .h5 and SavedModel, which nothing here reads or writes. Judges by the
// content, or by the name if there is no file yet.
void refuseOlderKeras(const std::filesystem::path& path);

// Extracts the parts of a whole file's content; messages call the file `name`.
struct KerasParts {
  std::string config;
  std::vector<std::uint8_t> weights;  // HDF5
};
KerasParts kerasPartsOf(std::span<const std::uint8_t> content, const std::string& name);

// Returns config.json only, whatever the weights are.
std::string readKerasConfig(const std::filesystem::path& path);
// Returns the weights under the names of `network`, paired with its layers as Keras pairs them: by each layer's kind
// and number in Keras's order of the graph (keras_order.h), so the order in which `network` lists its layers has no
// effect. Weights that the network lacks keep the file's name, and tensorsToWeights() refuses them.
TensorFile readKerasWeights(const std::filesystem::path& path, const NeuralNetwork& network);

// The training settings with which Keras continues when it opens the file.
struct KerasTraining {
  OptimizerKind optimizer = OptimizerKind::Adam;
  double learningRate = 0.001, momentum = 0;
};
// `tensors` must have all of the network's variables and statistics. Keras 3 opens the file compiled, with a new
// optimizer; the bytes depend on the arguments alone.
void writeKerasFile(const std::filesystem::path& path, const NeuralNetwork& network, const TensorFile& tensors,
                    const KerasTraining& training);

// Converts model.weights.h5 to tensors named by place, "conv2d/0", and back; `layers` names all layers, including those
// without variables.
TensorFile tensorsOfHdf5(std::span<const std::uint8_t> content, const std::string& name);
std::vector<std::uint8_t> hdf5OfTensors(TensorFile tensors, const std::vector<std::string>& layers);

}  // namespace lab
