// SPDX-License-Identifier: GPL-3.0-or-later
// Generates what is created in the strategy's scope: the network as in the core, first weights, optimizer and rate.
#include <algorithm>
#include <numeric>
#include <string>

#include "core/base/at.h"
#include "core/codegen/parts.h"
#include "core/codegen/python.h"
#include "core/keras/keras_order.h"
#include "core/options/network_of.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

// Returns "2", or "(2, 3)" if the numbers differ.
std::string pairText(std::int64_t first, std::int64_t second) {
  const std::string text = std::to_string(first);
  return first == second ? text : "(" + text + ", " + std::to_string(second) + ")";
}

// Returns a window's arguments that differ from the default, each after a comma.
std::string walkOf(const NetworkLayer& layer) {
  const bool conv = layer.kind == NetworkLayer::Kind::Conv2D || layer.kind == NetworkLayer::Kind::DepthwiseConv2D;
  const bool usual =
      conv ? layer.strideY == 1 && layer.strideX == 1 : layer.strideY == layer.side && layer.strideX == layer.width;
  return (usual ? "" : ", strides=" + pairText(layer.strideY, layer.strideX)) +
         (layer.same ? ", padding=\"same\"" : "");
}

std::string normText(const NetworkLayer& layer) {
  std::string given;
  const auto add = [&given](const std::string& text) { given += (given.empty() ? "" : ", ") + text; };
  const bool ofBatch = layer.kind == NetworkLayer::Kind::BatchNorm;
  if (ofBatch && layer.momentum != 0.99) add("momentum=" + pythonFloat(layer.momentum));
  if (layer.epsilon != 1e-3) add("epsilon=" + pythonFloat(layer.epsilon));
  if (!layer.centered) add("center=False");
  if (!layer.scaled) add("scale=False");
  if (layer.synchronized) add("synchronized=True");
  return (ofBatch ? "BatchNormalization(" : "LayerNormalization(") + given + ")";
}

std::string poolText(const NetworkLayer& layer, const std::string& kind) {
  const std::string size = layer.side == 2 && layer.width == 2 ? "" : pairText(layer.side, layer.width);
  const std::string walk = walkOf(layer);
  return kind + "(" + size + (size.empty() && !walk.empty() ? walk.substr(2) : walk) + ")";
}

std::string activationText(const NetworkLayer& layer) {
  if (layer.relu) return "ReLU()";
  if (layer.softmax) return "Softmax()";
  if (layer.function == ActivationFunction::Relu6) return "ReLU(max_value=" + pythonFloat(kRelu6Most) + ")";
  if (layer.function == ActivationFunction::LeakyRelu) return "LeakyReLU(" + pythonFloat(layer.slope) + ")";
  return "Activation(\"" + std::string(activationWord(layer.function)) + "\")";
}

std::string layerOf(const NetworkLayer& layer) {
  using Kind = NetworkLayer::Kind;
  const std::string activation = layer.relu ? ", activation=\"relu\"" : layer.softmax ? ", activation=\"softmax\"" : "";
  const std::string bias = layer.bias ? "" : ", use_bias=False";
  switch (layer.kind) {
    case Kind::Conv2D:
      return "Conv2D(" + std::to_string(layer.units) + ", " + pairText(layer.side, layer.width) + walkOf(layer) +
             activation + bias + ")";
    case Kind::MaxPool2D:
      return poolText(layer, "MaxPooling2D");
    case Kind::AveragePool2D:
      return poolText(layer, "AveragePooling2D");
    case Kind::Flatten:
      return "Flatten()";
    case Kind::Dense:
      return "Dense(" + std::to_string(layer.units) + activation + bias + ")";
    case Kind::Dropout:
      return "Dropout(" + pythonFloat(layer.rate) + ")";
    case Kind::BatchNorm:
    case Kind::LayerNorm:
      return normText(layer);
    case Kind::DepthwiseConv2D:
      return "DepthwiseConv2D(" + pairText(layer.side, layer.width) + walkOf(layer) +
             (layer.units == 1 ? "" : ", depth_multiplier=" + std::to_string(layer.units)) + activation + bias + ")";
    case Kind::GlobalAveragePool2D:
      return "GlobalAveragePooling2D()";
    case Kind::GlobalMaxPool2D:
      return "GlobalMaxPooling2D()";
    case Kind::ZeroPadding2D: {
      const auto& [above, below, left, right] = layer.margins;
      return "ZeroPadding2D(((" + std::to_string(above) + ", " + std::to_string(below) + "), (" + std::to_string(left) +
             ", " + std::to_string(right) + ")))";
    }
    case Kind::Add:
      return "Add()";
    case Kind::Concatenate:
      return "Concatenate()";
    case Kind::Activation:
      return activationText(layer);
  }
  return "";
}

// Generates a graph, with each output named after its layer.
std::string graphText(const NeuralNetwork& network) {
  const auto nameOf = [&](int layer) { return layer < 0 ? std::string("inputs") : at(network.layers(), layer).name; };
  std::string text = "\n    inputs = tf.keras.Input(" + shapeText(network.input()) + ")\n";
  for (const NetworkLayer& layer : network.layers()) {
    std::string read;
    for (const int from : layer.inputs) read += (read.empty() ? "" : ", ") + nameOf(from);
    if (layer.inputs.size() > 1) read = "[" + read + "]";
    text += "    " + layer.name + " = tf.keras.layers." + layerOf(layer) + "(" + read + ")\n";
  }
  return text + "    model = tf.keras.Model(inputs, " + network.layers().back().name + ")";
}

void addNetwork(ProgramLines& lines, const NeuralNetwork& network) {
  if (!network.isChain()) return add(lines, {Beat::Variables}, graphText(network));
  std::string text =
      "\n    model = tf.keras.Sequential([\n        tf.keras.Input(" + shapeText(network.input()) + "),\n";
  for (const NetworkLayer& layer : network.layers()) text += "        tf.keras.layers." + layerOf(layer) + ",\n";
  add(lines, {Beat::Variables}, text + "    ])");
}

// Generates the code before the scope that reads the first weights.
void addInit(ProgramLines& lines, const ProgramParts& parts) {
  if (!parts.config.init.ends_with(".safetensors")) return;
  addAside(lines, {Beat::Variables}, R"(

def read_safetensors(name):  # a header in JSON, then the values
    content = open(name, "rb").read()
    size = int.from_bytes(content[:8], "little")
    tensors = {}
    for key, tensor in json.loads(content[8:8 + size]).items():
        if key != "__metadata__":
            begin, end = tensor["data_offsets"]
            tensors[key] = np.frombuffer(content[8 + size + begin:8 + size + end], "<f4").reshape(tensor["shape"])
    return tensors
)");
}

// Returns each of the layers' variables, and its moving statistics after them, as Keras lists them.
std::vector<Variable> variablesOf(const NeuralNetwork& network, const std::vector<std::size_t>& layers,
                                  bool withStatistics) {
  std::vector<Variable> all;
  const auto take = [&all](const Layout& layout, const std::string& layer) {
    for (const Variable& variable : layout.variables())
      if (variable.name.starts_with(layer + "/")) all.push_back(variable);
  };
  for (const std::size_t i : layers) {
    take(network.layout(), network.layers()[i].name);
    if (withStatistics) take(network.statistics(), network.layers()[i].name);
  }
  return all;
}

// The variables in the order in which the program's model has them, and the number that each has among the network's.
// A graph's order may be another one than in its file: the program writes each activation as a layer, which moves the
// one before it further away from the output.
struct ListedVariables {
  std::vector<Variable> variables;
  std::string numbers;  // "2, 3, 0, 1"; empty if the order is the same
};

ListedVariables listedVariables(const NeuralNetwork& network, bool withStatistics) {
  std::vector<std::size_t> own(network.layers().size()), layers(own.size());
  std::iota(own.begin(), own.end(), std::size_t{0});
  const std::vector<std::size_t> places = inKerasOrder(network).places;
  for (const std::size_t i : own) layers[places[i]] = i;
  ListedVariables listed{variablesOf(network, layers, withStatistics), ""};
  const std::vector<Variable> all = variablesOf(network, own, withStatistics);
  if (std::ranges::equal(all, listed.variables, {}, &Variable::name, &Variable::name)) return listed;
  for (const Variable& variable : listed.variables)
    listed.numbers += (listed.numbers.empty() ? "" : ", ") +
                      std::to_string(std::ranges::find(all, variable.name, &Variable::name) - all.begin());
  return listed;
}

// Returns "(3, 3, 1, 32), (32,)".
std::string shapesOf(const std::vector<Variable>& variables) {
  std::string shapes;
  for (const Variable& variable : variables) {
    std::string shape;
    for (const std::int64_t extent : variable.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
    shapes += (shapes.empty() ? "(" : ", (") + shape + (variable.shape.size() == 1 ? ",)" : ")");
  }
  return shapes;
}

// Generates the assignment of `values`, in the order of the variables, as the model's first weights.
void addAssignment(ProgramLines& lines, const ProgramParts& parts, const std::string& values, bool aside) {
  if (parts.config.partitioner == "none") {
    add(lines, {Beat::Variables}, "    model.set_weights([" + values + "])", aside);
    return;
  }
  // set_weights() would need every shard separately; assign() splits a whole variable. This is Keras 2, whose
  // DepthwiseConv2D calls its kernel otherwise.
  add(lines, {Beat::Variables}, "    values = iter([" + values + R"(])
    for layer in model.layers:
        for name in ["kernel", "depthwise_kernel", "bias", "gamma", "beta", "moving_mean", "moving_variance"]:
            if getattr(layer, name, None) is not None:
                getattr(layer, name).assign(next(values)))",
      aside);
}

// Generates the first weights as the core draws them.
void addOwnWeights(ProgramLines& lines, const ProgramParts& parts, const NeuralNetwork& network) {
  const auto& [variables, numbers] = listedVariables(network, false);
  addAside(lines, {Beat::Variables}, "    shapes = [" + shapesOf(variables) + "]");
  std::string ones;
  const std::vector<Variable>& drawn = network.layout().variables();
  for (std::size_t i = 0; i < drawn.size(); ++i)
    if (drawn[i].name.ends_with("/gamma")) ones += (ones.empty() ? "" : ", ") + std::to_string(i);
  const std::string each = ones.empty()
                               ? "initial_weights(i, shape)"
                               : "np.ones(shape, np.float32) if i in [" + ones + "] else initial_weights(i, shape)";
  const std::string among = numbers.empty() ? "enumerate(shapes)" : "zip([" + numbers + "], shapes)";
  addAssignment(lines, parts, each + " for i, shape in " + among, true);
}

void addWeights(ProgramLines& lines, const ProgramParts& parts, const NeuralNetwork& network) {
  if (parts.ownWeights()) addOwnWeights(lines, parts, network);
  if (parts.config.init.empty()) return;
  const auto& [variables, numbers] = listedVariables(network, true);
  if (!parts.config.init.ends_with(".safetensors")) {
    if (numbers.empty()) return add(lines, {Beat::Variables}, "    model.load_weights(INIT)");
    add(lines, {Beat::Variables},
        "    given = tf.keras.models.load_model(INIT, compile=False).get_weights()  # in the file's order of layers");
    return addAssignment(lines, parts, "given[i] for i in [" + numbers + "]", false);
  }
  std::string names;
  for (const Variable& variable : variables) names += (names.empty() ? "\"" : ", \"") + variable.name + "\"";
  add(lines, {Beat::Variables}, "    tensors = read_safetensors(INIT)\n    names = [" + names + "]");
  addAssignment(lines, parts, "tensors[name] for name in names", false);
}

// Generates the rate by its rule; a schedule if there is a warm-up.
void addRate(ProgramLines& lines, const ProgramParts& parts) {
  const ResolvedSettings& config = parts.config;
  std::string rate = pythonFloat(config.learningRate);
  if (config.lrScaling == LearningRateScaling::Linear) rate += " * GLOBAL_BATCH_SIZE / 64  # scaled linearly";
  if (config.lrScaling == LearningRateScaling::Sqrt) rate += " * (GLOBAL_BATCH_SIZE / 64) ** 0.5  # scaled by the root";
  add(lines, {}, "");
  add(lines, {Beat::Variables}, "LEARNING_RATE = " + rate);
  if (!parts.warmsUp()) return;
  const std::string unscaled = pythonFloat(config.learningRate);
  add(lines, {Beat::Variables},
      "WARMUP_STEPS = " + pythonNumber(config.warmupEpochs) +
          " * STEPS_PER_EPOCH  # the rate rises linearly: a polynomial of degree 1\n"
          "LEARNING_RATE = tf.keras.optimizers.schedules.PolynomialDecay(\n    " +
          unscaled + " if LEARNING_RATE > " + unscaled + " else 0.0, WARMUP_STEPS, LEARNING_RATE)");
}

std::string optimizerOf(const ResolvedSettings& config) {
  if (config.optimizer == OptimizerKind::Adam) return "tf.keras.optimizers.Adam(LEARNING_RATE)";
  if (config.momentum == 0) return "tf.keras.optimizers.SGD(LEARNING_RATE)";
  return "tf.keras.optimizers.SGD(LEARNING_RATE, momentum=" + pythonFloat(config.momentum) + ")";
}

}  // namespace

std::string fromLogits(const NeuralNetwork& network) {
  return network.layers().back().softmax ? "from_logits=False" : "from_logits=True";
}

void addModel(ProgramLines& lines, const ProgramParts& parts) {
  const std::shared_ptr<const NeuralNetwork> network = networkOf(parts.config);
  addInit(lines, parts);
  addRate(lines, parts);
  add(lines, {}, "");
  add(lines, {Beat::Variables}, "with strategy.scope():  # what is created here is the strategy's");
  addNetwork(lines, *network);
  addWeights(lines, parts, *network);
  add(lines, {Beat::Variables}, "    optimizer = " + optimizerOf(parts.config));
  if (parts.options.loop) {
    add(lines, {Beat::Variables}, "    optimizer.build(model.trainable_variables)");
    return;
  }
  std::string compiled =
      "    model.compile(\n        optimizer=optimizer,\n        loss=tf.keras.losses."
      "SparseCategoricalCrossentropy(" +
      fromLogits(*network);
  if (parts.config.lossReduction == LossReduction::Loop)
    compiled +=
        ", reduction=\"sum\"), loss_weights=[1 / GLOBAL_BATCH_SIZE],  # --loss-scaling loop\n        metrics=["
        "\"accuracy\", tf.keras.metrics.SparseCategoricalCrossentropy(" +
        fromLogits(*network) + ", name=\"mean_loss\")]";
  else
    compiled += "),\n        metrics=[\"accuracy\"]";
  add(lines, {Beat::Variables},
      compiled + (parts.check() && !parts.info.simulatedOnly ? ",\n        jit_compile=False)" : ")"));
}

}  // namespace lab
