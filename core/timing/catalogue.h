// SPDX-License-Identifier: GPL-3.0-or-later
// The hardware catalogue: devices and links with the figures the cost model needs, each with its source.
// It ships inside the program (resources/hardware-catalog.csv).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct DeviceModel {
  std::string id;               // "v100"
  std::string name;             // "NVIDIA V100 SXM2"
  double fp32Tflops = 0;        // peak
  double matrixTflops = 0;      // peak of the matrix unit, 0 where there is none
  std::string matrixPrecision;  // "bf16 MXU", "tf32 tensor …"
  double memoryGb = 0;
  double memoryGbPerSec = 0;
  double launchOverheadUs = 0;
  double cnnEfficiency = 0;  // share of the peak that training a CNN reaches
  std::string sources;       // of all the figures, for the tooltip and `catalogue`
  std::string notes;
};

struct LinkModel {
  std::string id;  // "nvlink2"
  std::string name;
  double gbPerSec = 0;           // per direction, nominal
  double effectiveGbPerSec = 0;  // what large messages reach
  double latencyUs = 0;          // alpha, per message
  std::string sources;
  std::string notes;
};

class Catalogue {
 public:
  // Parses the CSV. `name` is what messages call it. UserError naming the row and the cell that is wrong.
  static Catalogue parse(std::string_view csv, const std::string& name);
  static const Catalogue& builtIn();

  const std::vector<DeviceModel>& devices() const { return devices_; }
  const std::vector<LinkModel>& links() const { return links_; }
  const DeviceModel& device(std::string_view id) const;  // UserError with the nearest id
  const LinkModel& link(std::string_view id) const;

 private:
  std::vector<DeviceModel> devices_;
  std::vector<LinkModel> links_;
};

}  // namespace lab
