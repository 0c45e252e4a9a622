// SPDX-License-Identifier: GPL-3.0-or-later
// What is created in the strategy's scope: the network as the core has it, its first weights, optimizer and rate.
#include "core/program/parts.h"
#include "core/program/python.h"

namespace lab {
namespace {

using Beat = ProgramBeat;

std::string layerOf(const NetworkLayer& layer) {
  using Kind = NetworkLayer::Kind;
  const std::string activation = layer.relu ? ", activation=\"relu\"" : "";
  switch (layer.kind) {
    case Kind::Conv2D:
      return "Conv2D(" + std::to_string(layer.units) + ", " + std::to_string(layer.side) + activation + ")";
    case Kind::MaxPool2D:
      return layer.side == 2 ? "MaxPooling2D()" : "MaxPooling2D(" + std::to_string(layer.side) + ")";
    case Kind::Flatten:
      return "Flatten()";
    case Kind::Dense:
      return "Dense(" + std::to_string(layer.units) + activation + ")";
  }
  return "";
}

void addNetwork(ProgramLines& lines, const NeuralNetwork& network) {
  std::string text = R"(
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
)";
  for (const NetworkLayer& layer : network.layers()) text += "        tf.keras.layers." + layerOf(layer) + ",\n";
  add(lines, {Beat::Variables}, text + "    ])");
}

// Before the scope: what reads the first weights.
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

// "(3, 3, 1, 32), (32,)"
std::string shapesOf(const NeuralNetwork& network) {
  std::string shapes;
  for (const Variable& variable : network.layout().variables()) {
    std::string shape;
    for (const std::int64_t extent : variable.shape) shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
    shapes += (shapes.empty() ? "(" : ", (") + shape + (variable.shape.size() == 1 ? ",)" : ")");
  }
  return shapes;
}

// `values`, in the order of the variables, as the model's first weights.
void addAssignment(ProgramLines& lines, const ProgramParts& parts, const std::string& values, bool aside) {
  if (parts.config.partitioner == "none") {
    add(lines, {Beat::Variables}, "    model.set_weights([" + values + "])", aside);
    return;
  }
  // set_weights() would want every shard by itself; assign() cuts a whole variable.
  add(lines, {Beat::Variables}, "    values = iter([" + values + R"(])
    for layer in [layer for layer in model.layers if layer.weights]:
        layer.kernel.assign(next(values))
        layer.bias.assign(next(values)))",
      aside);
}

void addWeights(ProgramLines& lines, const ProgramParts& parts, const NeuralNetwork& network) {
  if (parts.ownWeights()) {
    addAside(lines, {Beat::Variables}, "    shapes = [" + shapesOf(network) + "]");
    addAssignment(lines, parts, "initial_weights(i, shape) for i, shape in enumerate(shapes)", true);
  }
  if (parts.config.init.empty()) return;
  if (!parts.config.init.ends_with(".safetensors")) {
    add(lines, {Beat::Variables}, "    model.load_weights(INIT)");
    return;
  }
  std::string names;
  for (const Variable& variable : network.layout().variables())
    names += (names.empty() ? "\"" : ", \"") + variable.name + "\"";
  add(lines, {Beat::Variables}, "    tensors = read_safetensors(INIT)\n    names = [" + names + "]");
  addAssignment(lines, parts, "tensors[name] for name in names", false);
}

// The rate by its rule; a schedule where it is warmed up.
void addRate(ProgramLines& lines, const ProgramParts& parts) {
  const RunConfig& config = parts.config;
  std::string rate = pythonNumber(config.learningRate);
  if (config.lrScaling == LearningRateScaling::Linear) rate += " * GLOBAL_BATCH_SIZE / 64  # scaled linearly";
  if (config.lrScaling == LearningRateScaling::Sqrt) rate += " * (GLOBAL_BATCH_SIZE / 64) ** 0.5  # scaled by the root";
  add(lines, {}, "");
  add(lines, {Beat::Variables}, "LEARNING_RATE = " + rate);
  if (!parts.warmsUp()) return;
  const std::string unscaled = pythonNumber(config.learningRate);
  add(lines, {Beat::Variables},
      "WARMUP_STEPS = " + pythonNumber(config.warmupEpochs) +
          " * STEPS_PER_EPOCH  # the rate rises linearly: a polynomial of degree 1\n"
          "LEARNING_RATE = tf.keras.optimizers.schedules.PolynomialDecay(\n    " +
          unscaled + " if LEARNING_RATE > " + unscaled + " else 0.0, WARMUP_STEPS, LEARNING_RATE)");
}

std::string optimizerOf(const RunConfig& config) {
  if (config.optimizer == OptimizerKind::Adam) return "tf.keras.optimizers.Adam(LEARNING_RATE)";
  if (config.momentum == 0) return "tf.keras.optimizers.SGD(LEARNING_RATE)";
  return "tf.keras.optimizers.SGD(LEARNING_RATE, momentum=" + pythonNumber(config.momentum) + ")";
}

}  // namespace

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
      "SparseCategoricalCrossentropy(from_logits=True";
  if (parts.config.lossReduction == LossReduction::Loop)
    compiled +=
        ", reduction=\"sum\"), loss_weights=[1 / GLOBAL_BATCH_SIZE],  # --loss-scaling loop\n        metrics=["
        "\"accuracy\", tf.keras.metrics.SparseCategoricalCrossentropy(from_logits=True, name=\"mean_loss\")]";
  else
    compiled += "),\n        metrics=[\"accuracy\"]";
  add(lines, {Beat::Variables},
      compiled + (parts.check() && !parts.info.simulatedOnly ? ",\n        jit_compile=False)" : ")"));
}

}  // namespace lab
