// SPDX-License-Identifier: GPL-3.0-or-later
// The hardware catalogue: devices and links with the figures the cost model needs, each with its source.
// It ships inside the program (resources/hardware-catalog.csv).
// Two peaks (README.md, Device): a device's efficiency is a share of the peak that its measurement ran on. Where the
// matrix unit's precision is tf32, frameworks run float32 products on it by default and that is the peak meant;
// elsewhere float32 means the plain peak. Which formats the unit knows besides is in the catalogue too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/message.h"

namespace lab {

// What a device is, where formulas differ by it: which generation's constants NCCL takes, whether operations are
// launched on it, whether its links form a torus.
enum class DeviceFamily { Cpu, Kepler, Maxwell, Pascal, Volta, Turing, Ampere, Ada, Hopper, Blackwell, Tpu };
std::string_view toString(DeviceFamily family);  // "volta"

// Number formats that a matrix unit multiplies.
enum class MatrixFormat { Tf32, Fp16, Bf16 };
std::string_view toString(MatrixFormat format);  // "bf16"

struct DeviceModel {
  std::string id;               // "v100"
  std::string name;             // "NVIDIA V100 SXM2"
  double fp32Tflops = 0;        // peak
  double matrixTflops = 0;      // peak of the matrix unit, 0 where there is none
  std::string matrixPrecision;  // "bf16 MXU", "tf32 tensor …"
  // What the matrix unit multiplies. Nothing where a catalogue lacks the column: see multiplies().
  std::optional<std::vector<MatrixFormat>> matrixFormats;
  double memoryGb = 0;
  double memoryGbPerSec = 0;
  double launchOverheadUs = 0;
  double cnnEfficiency =
      0;  // share of the peak that training a CNN reaches; may exceed 1 (Winograd, README.md, Device)
  bool efficiencyIsDefault = false;  // the catalogue has none: see kDefaultEfficiency
  std::string sources;               // of all the figures, for the tooltip and `catalogue`
  std::string notes;
  // Nothing where a catalogue lacks it; mergedWith() then takes one from a similar device.
  std::optional<DeviceFamily> family;
  std::string familyFrom;  // the id of the device that it was taken from; "" where the catalogue says it
  // Keys of the links that it has ports for, the fastest first. Empty where a catalogue does not say.
  std::vector<std::string> links;

  bool isProcessor() const { return family == DeviceFamily::Cpu; }
  bool standsInTorus() const { return family == DeviceFamily::Tpu; }
  // Whether float32 products run on the matrix unit (as tf32).
  bool float32OnMatrixUnit() const { return matrixPrecision.starts_with("tf32"); }
  // Of fp16 and bf16: tf32 devices run them at twice the peak that the catalogue names.
  double halfTflops() const { return matrixTflops * (float32OnMatrixUnit() ? 2 : 1); }
  // Where the catalogue does not say it: the formats that matrixPrecision names; all three from Ampere on.
  bool multiplies(MatrixFormat format) const;
};

// For devices whose efficiency was not measured: the median of the catalogue's eight figures for plain float32 (0.275
// to 0.60), and the middle of its two for tf32 (A100 0.166, H100 0.094).
inline constexpr double kDefaultEfficiency = 0.41;
inline constexpr double kDefaultTf32Efficiency = 0.13;

// NvlinkMesh: links between pairs of GPUs, not enough for all of them to send at once. Other: a path of its own.
enum class LinkFamily {
  Pcie,
  Socket,
  NvlinkMesh,
  Nvlink,
  Ethernet,
  Infiniband,
  OmniPath,
  Efa,
  Ici,
  Memory,
  Loopback,
  Wifi,  // one medium, which all hosts and both directions share
  Other
};
std::string_view toString(LinkFamily family);  // "nvlink-mesh"

struct LinkModel {
  std::string id;  // "nvlink2"
  std::string name;
  double gbPerSec = 0;           // per direction, nominal
  double effectiveGbPerSec = 0;  // what large messages reach
  double latencyUs = 0;          // alpha, per message
  std::string sources;
  std::string notes;
  LinkFamily family = LinkFamily::Other;
  bool familyIsKnown = true;  // false: the catalogue does not say, see mergedWith()
  // The most devices that it joins in one host, or one pod; 0 where a catalogue does not say.
  std::int64_t largestDomain = 0;
};

// Whether it joins devices of one host alone, as PCIe and the NVLinks do whose domain is a host.
bool staysInHost(const LinkModel& link);

// A note for catalogues without families: which family was taken, and from which device. "" where the catalogue says
// it.
Message familyNote(const DeviceModel& device);

class Catalogue {
 public:
  // Parses the CSV. `name` is what messages call it. UserError naming the row and the cell that is wrong.
  static Catalogue parse(std::string_view csv, const std::string& name);
  static const Catalogue& builtIn();
  static Catalogue of(std::vector<DeviceModel> devices, std::vector<LinkModel> links);  // their figures must be right
  // With the rows of another one added; a row with the id of one of these takes its place. Where the other one has no
  // column `family`: a row that takes another's place is of its family; another device is of the family of the device
  // here whose peaks and memory bandwidth are nearest to its own, and says so; another link is a path of its own. Where
  // it has no column `device_links` or `link_domain`, a row that takes another's place has that one's.
  Catalogue mergedWith(const Catalogue& other) const;

  const std::vector<DeviceModel>& devices() const { return devices_; }
  const std::vector<LinkModel>& links() const { return links_; }
  const DeviceModel& device(std::string_view id) const;  // UserError with the nearest id
  const LinkModel& link(std::string_view id) const;
  // Whether a device has ports for a link. A card goes into any PCIe slot; NVLink and TPU cores' links are of one
  // generation each. What nobody has said may be: a device without `links`, a link that is none of any device's.
  bool canHave(const DeviceModel& device, const LinkModel& link) const;
  // What joins such devices where nobody says it: `usual` where they can have it, else the fastest that they have.
  // Of keys that are not here: `usual`.
  const std::string& linkOf(const std::string& device, const std::string& usual) const;

 private:
  std::vector<DeviceModel> devices_;
  std::vector<LinkModel> links_;
};

}  // namespace lab
