// SPDX-License-Identifier: GPL-3.0-or-later
// The objects that settings name: the trained network, and the hardware catalogue.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/hardware/catalogue.h"

namespace lab {

class NeuralNetwork;

// Returns the built-in catalogue with the rows of the settings' own file. Throws a UserError naming a row that is
// wrong.
Catalogue catalogueOf(const SettingsBase& config);
inline constexpr std::int64_t kMostCatalogueBytes = std::int64_t{4} << 20;  // of that file

// Returns the trained network; throws a UserError for an unknown name, or a file that cannot be read.
std::shared_ptr<const NeuralNetwork> networkOf(const SettingsBase& config);
// Puts a file's content into the settings, so that they no longer need the file: `network`, or nothing if they name no
// file. A .keras file also brings the first weights.
void takeNetwork(SettingsBase& config, const std::shared_ptr<const NeuralNetwork>& network);
void readNetworkFile(SettingsBase& config);                   // the same with the file that the settings name
const std::string& layersOfFile(const SettingsBase& config);  // content of the network's file; "": not read, or no file
const std::vector<std::string>& networkNames();               // names that can be chosen, without files
bool isNetworkName(const std::string& network);               // one of these names, not a file
// The name of a network that was changed by hand (core/keras/network_edit.h): only networkFile has its layers.
inline constexpr const char* kEditedNetwork = "my-network";

}  // namespace lab
