// SPDX-License-Identifier: GPL-3.0-or-later
// What the settings name: the network that is trained, the catalogue of hardware.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/config/run_settings.h"
#include "core/timing/catalogue.h"

namespace lab {

class NeuralNetwork;

// The built-in catalogue with the rows of the settings' own file. UserError naming the row that is wrong.
Catalogue catalogueOf(const SettingsBase& config);
inline constexpr std::int64_t kMostCatalogueBytes = std::int64_t{4} << 20;  // of that file

// The network that is trained; UserError where it is none that is known here, or a file that cannot be read.
std::shared_ptr<const NeuralNetwork> networkOf(const SettingsBase& config);
// Puts what a file held into the settings, so that they need it no more: `network`, or nothing where they name no file.
// A .keras file brings the first weights, too.
void takeNetwork(SettingsBase& config, const std::shared_ptr<const NeuralNetwork>& network);
void readNetworkFile(SettingsBase& config);                   // the same with the file that they name
const std::string& layersOfFile(const SettingsBase& config);  // what the network's file held; "": not read, or none
const std::vector<std::string>& networkNames();               // that can be chosen, without files
bool isNetworkName(const std::string& network);               // one of them, and no file
// What `network` is where it was changed by hand (core/model/network_edit.h): its layers stand in networkFile alone.
inline constexpr const char* kEditedNetwork = "my-network";

}  // namespace lab
