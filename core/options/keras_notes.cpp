// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/keras_notes.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/messages.h"
#include "core/keras/keras_file.h"
#include "core/options/messages.h"

namespace lab {
namespace {

using nlohmann::json;

constexpr int kDeepest = 16;  // as keras_json.cpp

const json& within(const json& object, const char* key) {
  static const json nothing;
  return object.is_object() && object.contains(key) ? object.at(key) : nothing;
}

// Returns the class of an optimizer or a loss, given as an object or by its name alone.
std::string classNameOf(const json& value) {
  const json& name = value.is_string() ? value : within(value, "class_name");
  return (name.is_string() ? name.get<std::string>() : value.dump()).substr(0, 64);
}

// Returns whether a value means "off".
bool isOff(const json& value) {
  return value.is_null() || value == false || value == 0;
}

bool isRunsOptimizer(const json& optimizer, const SettingsBase& resolved) {
  const bool adam = resolved.optimizer == OptimizerKind::Adam;
  if (classNameOf(optimizer) != (adam ? "Adam" : "SGD")) return false;
  const json& config = within(optimizer, "config");
  const auto is = [&config](const char* key, double ours) {
    const json& theirs = within(config, key);
    return theirs.is_null() || (theirs.is_number() && std::abs(theirs.get<double>() - ours) <= 1e-6 * std::abs(ours));
  };
  for (const char* key : {"nesterov", "amsgrad", "weight_decay", "clipnorm", "clipvalue", "global_clipnorm", "use_ema",
                          "gradient_accumulation_steps"})
    if (!isOff(within(config, key))) return false;
  return is("learning_rate", resolved.learningRate) &&
         (adam ? is("beta_1", 0.9) && is("beta_2", 0.999) && is("epsilon", 1e-7) : is("momentum", resolved.momentum));
}

bool isRunsLoss(const json& loss) {
  const std::string name = classNameOf(loss);
  return name == "SparseCategoricalCrossentropy" || name == "sparse_categorical_crossentropy";
}

}  // namespace

std::vector<Message> notTakenOfKeras(const SettingsBase& resolved) {
  std::vector<Message> notes;
  const std::string& file = resolved.network;
  std::error_code ignored;
  if (!isKerasFile(file) || !std::filesystem::is_regular_file(file, ignored)) return notes;
  try {
    const json model = parseJson(readKerasConfig(file), {say::inFile, File{file}}, kDeepest);
    const json& compiled = within(model, "compile_config");
    const json &optimizer = within(compiled, "optimizer"), &loss = within(compiled, "loss");
    if (!loss.is_null() && (!isRunsOptimizer(optimizer, resolved) || !isRunsLoss(loss)))
      notes.push_back({say::compiledOtherwise, File{file}, classNameOf(optimizer), classNameOf(loss)});
    const json& layers = within(within(model, "config"), "layers");
    for (const json& layer : layers.is_array() ? layers : json::array())
      if (within(layer, "class_name") == "Rescaling") notes.push_back({say::rescalingLeftOut, File{file}});
  } catch (const UserError&) {  // opening the file reports it
    notes.clear();
  }
  return notes;
}

}  // namespace lab
