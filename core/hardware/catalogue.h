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

// A device's family, by which formulas differ: which generation's constants NCCL uses, whether operations are launched
// on the device, and whether its links form a torus.
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
  // The formats that the matrix unit multiplies; nothing if the catalogue lacks the column, see multiplies().
  std::optional<std::vector<MatrixFormat>> matrixFormats;
  double memoryGb = 0;
  double memoryGbPerSec = 0;
  double launchOverheadUs = 0;
  double cnnEfficiency =
      0;  // share of the peak that training a CNN reaches; may exceed 1 (Winograd, README.md, Device)
  bool efficiencyIsDefault = false;  // true if the catalogue has none: see kDefaultEfficiency
  std::string sources;               // of all the figures, for the tooltip and `catalogue`
  std::string notes;
  // Nothing if the catalogue lacks it; mergedWith() then takes the family of a similar device.
  std::optional<DeviceFamily> family;
  std::string familyFrom;  // the id of the device that the family was taken from; "" if the catalogue names the family
  // Keys of the links that the device has ports for, the fastest first. Empty if the catalogue does not say.
  std::vector<std::string> links;

  bool isProcessor() const { return family == DeviceFamily::Cpu; }
  bool standsInTorus() const { return family == DeviceFamily::Tpu; }
  // Returns whether float32 products run on the matrix unit (as tf32).
  bool float32OnMatrixUnit() const { return matrixPrecision.starts_with("tf32"); }
  // Returns the peak for fp16 and bf16: tf32 devices run them at twice the peak that the catalogue names.
  double halfTflops() const { return matrixTflops * (float32OnMatrixUnit() ? 2 : 1); }
  // If the catalogue does not list formats: those that matrixPrecision names count; from Ampere on, all three.
  bool multiplies(MatrixFormat format) const;
};

// For devices whose efficiency was not measured: the median of the catalogue's eight figures for plain float32 (0.275
// to 0.60), and the middle of its two for tf32 (A100 0.166, H100 0.094).
inline constexpr double kDefaultEfficiency = 0.41;
inline constexpr double kDefaultTf32Efficiency = 0.13;

// NvlinkMesh: links between pairs of GPUs, too few for all GPUs to send at once. Other: a separate path.
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
  bool familyIsKnown = true;  // false: the catalogue does not name the family, see mergedWith()
  // The most devices that the link joins in one host, or one pod; 0 if the catalogue does not say.
  std::int64_t largestDomain = 0;
};

// Returns whether the link only joins devices of one host: PCIe, and NVLink versions whose domain is a host.
bool staysInHost(const LinkModel& link);

// Returns a note for catalogues without families: which family was taken, and from which device. "" if the catalogue
// names the family.
Message familyNote(const DeviceModel& device);

class Catalogue {
 public:
  // Parses the CSV; messages call the file `name`. Throws a UserError naming the row and the cell that is wrong.
  static Catalogue parse(std::string_view csv, const std::string& name);
  static const Catalogue& builtIn();
  static Catalogue of(std::vector<DeviceModel> devices, std::vector<LinkModel> links);  // the figures must be valid
  // Returns this catalogue with the rows of `other` added; a row with a known id replaces the row here. If `other` has
  // no column `family`, a replacing row keeps the replaced row's family; a new device gets the family of the device
  // here with the nearest peaks and memory bandwidth, and says so; a new link counts as a separate path. If `other` has
  // no column `device_links` or `link_domain`, a replacing row keeps the replaced row's value.
  Catalogue mergedWith(const Catalogue& other) const;

  const std::vector<DeviceModel>& devices() const { return devices_; }
  const std::vector<LinkModel>& links() const { return links_; }
  const DeviceModel& device(std::string_view id) const;  // UserError with the nearest id
  const LinkModel& link(std::string_view id) const;
  // Returns whether a device has ports for a link. A card goes into any PCIe slot; NVLink and TPU cores' links belong
  // to one generation each. Unknown combinations are allowed: a device without `links`, or a link that no device lists.
  bool canHave(const DeviceModel& device, const LinkModel& link) const;
  // Returns the link that joins such devices by default: `usual` if they can have it, otherwise the fastest that they
  // have. For unknown keys: `usual`.
  const std::string& linkOf(const std::string& device, const std::string& usual) const;

 private:
  std::vector<DeviceModel> devices_;
  std::vector<LinkModel> links_;
};

}  // namespace lab
