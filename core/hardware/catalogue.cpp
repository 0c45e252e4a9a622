// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <span>
#include <sstream>

#include "core/base/at.h"
#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/base/suggest.h"
#include "core/hardware/messages.h"
#include "resources/resources.h"

namespace lab {
namespace {

// Far outside anything built, yet small enough that every computed time fits into int64 nanoseconds.
constexpr double kSmallestFigure = 1e-6;
constexpr double kLargestFigure = 1e9;
constexpr std::int64_t kLargestDomain = 1'000'000'000;
// Far more hardware than anybody measures, yet few enough for the lists of the window.
constexpr std::int64_t kMostCatalogueRows = 2000;

constexpr const char* kDeviceColumns[] = {"fp32_peak_tflops",      "fp32_source",
                                          "matrix_peak_tflops",    "matrix_precision",
                                          "matrix_source",         "mem_gb",
                                          "mem_gb_per_s",          "mem_source",
                                          "launch_overhead_us",    "launch_source",
                                          "cnn_train_eff_of_peak", "eff_source",
                                          "device_links",          "device_links_source",
                                          "matrix_formats",        "matrix_formats_source"};
constexpr const char* kLinkColumns[] = {"link_gb_per_s_per_dir", "link_bw_source",    "link_effective_gb_per_s",
                                        "link_eff_source",       "link_latency_us",   "latency_source",
                                        "link_domain",           "link_domain_source"};
// Catalogues of earlier versions lack these columns.
constexpr const char* kYoungColumns[] = {"device_links",       "device_links_source", "link_domain",
                                         "link_domain_source", "matrix_formats",      "matrix_formats_source"};

constexpr std::array<std::string_view, 11> kDeviceFamilies{
    "cpu", "kepler", "maxwell", "pascal", "volta", "turing", "ampere", "ada", "hopper", "blackwell", "tpu"};
constexpr std::array<std::string_view, 3> kMatrixFormats{"tf32", "fp16", "bf16"};
constexpr std::array<std::string_view, 13> kLinkFamilies{"pcie",       "socket",    "nvlink-mesh", "nvlink", "ethernet",
                                                         "infiniband", "omni-path", "efa",         "ici",    "memory",
                                                         "loopback",   "wifi",      "other"};

// One row, with its cells accessed by the header's names.
class RowView {
 public:
  RowView(const CsvRow& header, const CsvRow& row, const std::string& name) : header_(header), row_(row), name_(name) {}

  bool has(std::string_view column) const { return std::ranges::find(header_.cells, column) != header_.cells.end(); }

  const std::string& text(std::string_view column) const {
    static const std::string kNone;
    const auto found = std::ranges::find(header_.cells, column);
    if (found == header_.cells.end()) {
      if (std::ranges::find(kYoungColumns, column) != std::end(kYoungColumns)) return kNone;
      throw UserError(say::noColumn, name_, column);
    }
    return at(row_.cells, found - header_.cells.begin());
  }

  const std::string& required(std::string_view column) const {
    const std::string& value = text(column);
    if (value.empty()) fail(column, say::cellEmpty);
    return value;
  }

  double figure(std::string_view column) const {
    const std::string& cell = required(column);
    const std::optional<double> value = parseNumber<double>(cell);
    // The comparison is false for NaN too.
    if (!value || !(*value >= kSmallestFigure && *value <= kLargestFigure)) fail(column, {say::cellNoFigure, cell});
    return *value;
  }

  // Returns 0 for an empty cell.
  std::int64_t countOrNone(std::string_view column) const {
    const std::string& cell = text(column);
    if (cell.empty()) return 0;
    const std::optional<std::int64_t> value = parseNumber<std::int64_t>(cell);
    if (!value || *value < 1 || *value > kLargestDomain) fail(column, {say::cellNoCount, cell, Count{kLargestDomain}});
    return *value;
  }

  // Returns the words of a cell, separated by spaces.
  std::vector<std::string> list(std::string_view column) const {
    std::istringstream words(text(column));
    return {std::istream_iterator<std::string>(words), {}};
  }

  double figureOr(std::string_view column, double fallback) const {
    return text(column).empty() ? fallback : figure(column);
  }

  // Refuses a percentage: 45 would be a device 45 times as fast as its peak.
  double shareOr(std::string_view column, double fallback) const {
    const double share = figureOr(column, fallback);
    if (share > 1) fail(column, {say::cellNoShare, text(column)});
    return share;
  }

  // Reads the family from a column that a catalogue may lack altogether.
  template <typename Family, std::size_t N>
  std::optional<Family> family(const std::array<std::string_view, N>& names) const {
    if (!has("family")) return std::nullopt;
    const std::string& cell = text("family");
    const auto found = std::ranges::find(names, cell);
    if (found != names.end()) return static_cast<Family>(found - names.begin());
    std::string all;
    for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
    if (cell.empty()) fail("family", {say::noFamily, all});
    fail("family", {say::unknownFamily, cell, all});
  }

  // Reads the matrix unit's formats from a column that a catalogue may lack altogether.
  std::optional<std::vector<MatrixFormat>> formats(bool hasUnit) const {
    constexpr const char* kColumn = "matrix_formats";
    if (!has(kColumn)) return std::nullopt;
    if (hasUnit) (void)required(kColumn);
    std::vector<MatrixFormat> formats;
    for (const std::string& word : list(kColumn)) {
      if (!hasUnit) fail("matrix_peak_tflops", say::peakMissing);
      const auto found = std::ranges::find(kMatrixFormats, word);
      if (found == kMatrixFormats.end()) fail(kColumn, {say::unknownFamily, word, "tf32, fp16, bf16"});
      formats.push_back(static_cast<MatrixFormat>(found - kMatrixFormats.begin()));
    }
    return formats;
  }

  void expectEmpty(std::span<const char* const> columns) const {
    for (const char* column : columns)
      if (!text(column).empty()) fail(column, {say::cellElsewhere, text("kind")});
  }

  // Returns "peak: …; memory: …" with the sources that are given.
  std::string sources(std::initializer_list<std::pair<const char*, const char*>> parts) const {
    std::string all;
    for (const auto& [what, column] : parts)
      if (!text(column).empty()) all += (all.empty() ? "" : "; ") + (what + (": " + text(column)));
    return all;
  }

  [[noreturn]] void fail(std::string_view column, const Message& what) const {
    const auto id = std::ranges::find(header_.cells, "id");
    const std::string row = id == header_.cells.end() ? "" : at(row_.cells, id - header_.cells.begin());
    throw UserError(say::catalogueCell, name_, row_.line, row, column, what);
  }

 private:
  const CsvRow& header_;
  const CsvRow& row_;
  const std::string& name_;
};

DeviceModel deviceFrom(const RowView& row) {
  row.expectEmpty(kLinkColumns);
  DeviceModel device;
  device.id = row.required("id");
  device.name = row.required("name");
  device.fp32Tflops = row.figure("fp32_peak_tflops");
  device.matrixTflops = row.figureOr("matrix_peak_tflops", 0);
  device.matrixPrecision = device.matrixTflops > 0 ? row.required("matrix_precision") : row.text("matrix_precision");
  if (device.matrixTflops == 0 && !device.matrixPrecision.empty()) row.fail("matrix_peak_tflops", say::peakMissing);
  device.matrixFormats = row.formats(device.matrixTflops > 0);
  device.memoryGb = row.figure("mem_gb");
  device.memoryGbPerSec = row.figure("mem_gb_per_s");
  device.launchOverheadUs = row.figure("launch_overhead_us");
  device.efficiencyIsDefault = row.text("cnn_train_eff_of_peak").empty();
  device.cnnEfficiency =
      row.shareOr("cnn_train_eff_of_peak", device.float32OnMatrixUnit() ? kDefaultTf32Efficiency : kDefaultEfficiency);
  device.sources = row.sources({{"float32 peak", "fp32_source"},
                                {"matrix peak", "matrix_source"},
                                {"matrix formats", "matrix_formats_source"},
                                {"memory", "mem_source"},
                                {"launch overhead", "launch_source"},
                                {"efficiency", "eff_source"},
                                {"links", "device_links_source"}});
  device.notes = row.text("notes");
  device.family = row.family<DeviceFamily>(kDeviceFamilies);
  device.links = row.list("device_links");
  return device;
}

// Refuses a device with a link that is neither in its own catalogue nor built in. The built-in one names only its own.
void checkLinks(const RowView& row, const DeviceModel& device, const std::vector<LinkModel>& own) {
  for (const std::string& id : device.links) {
    const auto has = [&id](const std::vector<LinkModel>& links) {
      return std::ranges::find(links, id, &LinkModel::id) != links.end();
    };
    if (!has(own) && !has(Catalogue::builtIn().links())) row.fail("device_links", {say::noSuchLink, id});
  }
}

LinkModel linkFrom(const RowView& row) {
  row.expectEmpty(kDeviceColumns);
  LinkModel link;
  link.id = row.required("id");
  link.name = row.required("name");
  link.gbPerSec = row.figure("link_gb_per_s_per_dir");
  link.effectiveGbPerSec = row.figure("link_effective_gb_per_s");
  if (link.effectiveGbPerSec > link.gbPerSec)
    row.fail("link_effective_gb_per_s", {say::cellAboveRate, row.text("link_effective_gb_per_s")});
  link.latencyUs = row.figure("link_latency_us");
  link.sources = row.sources({{"bandwidth", "link_bw_source"},
                              {"effective bandwidth", "link_eff_source"},
                              {"latency", "latency_source"},
                              {"largest domain", "link_domain_source"}});
  link.notes = row.text("notes");
  const std::optional<LinkFamily> family = row.family<LinkFamily>(kLinkFamilies);
  link.familyIsKnown = family.has_value();
  link.family = family.value_or(LinkFamily::Other);
  link.largestDomain = row.countOrNone("link_domain");
  return link;
}

template <typename Model>
const Model& findModel(const std::vector<Model>& models, const Text& what, std::string_view id) {
  const auto found = std::ranges::find(models, id, &Model::id);
  if (found != models.end()) return *found;
  std::vector<std::string> ids;
  for (const Model& model : models) ids.push_back(model.id);
  throw UserError(unknownName(what, id, ids));
}

}  // namespace

std::string_view toString(DeviceFamily family) {
  return at(kDeviceFamilies, family);
}

std::string_view toString(LinkFamily family) {
  return at(kLinkFamilies, family);
}

std::string_view toString(MatrixFormat format) {
  return at(kMatrixFormats, format);
}

bool DeviceModel::multiplies(MatrixFormat format) const {
  if (matrixTflops <= 0) return false;
  if (matrixFormats) return std::ranges::find(*matrixFormats, format) != matrixFormats->end();
  const bool fromAmpereOn = family && *family >= DeviceFamily::Ampere && *family <= DeviceFamily::Blackwell;
  return fromAmpereOn || float32OnMatrixUnit() || matrixPrecision.find(toString(format)) != std::string::npos;
}

Message familyNote(const DeviceModel& device) {
  if (!device.family || device.familyFrom.empty() || device.familyFrom == device.id) return {};
  return {say::familyTaken, device.id, toString(*device.family), device.familyFrom};
}

Catalogue Catalogue::parse(std::string_view csv, const std::string& name) {
  const std::vector<CsvRow> rows = parseCsv(csv, name);
  if (rows.size() < 2) throw UserError(say::catalogueEmpty, name);
  if (std::ssize(rows) - 1 > kMostCatalogueRows)
    throw UserError(say::catalogueTooLong, name, std::ssize(rows) - 1, kMostCatalogueRows);
  Catalogue catalogue;
  std::vector<RowView> ofDevices;
  std::set<std::string> ids;
  for (const CsvRow& cells : std::span(rows).subspan(1)) {
    const RowView row(rows.front(), cells, name);
    const std::string& kind = row.required("kind");
    if (kind == "device") {
      catalogue.devices_.push_back(deviceFrom(row));
      ofDevices.push_back(row);
    } else if (kind == "link") {
      catalogue.links_.push_back(linkFrom(row));
    } else {
      row.fail("kind", {say::unknownKind, kind});
    }
    if (!ids.insert(row.text("id")).second) row.fail("id", say::idTwice);
  }
  for (std::size_t i = 0; i < ofDevices.size(); ++i) checkLinks(ofDevices[i], catalogue.devices_[i], catalogue.links_);
  return catalogue;
}

Catalogue Catalogue::of(std::vector<DeviceModel> devices, std::vector<LinkModel> links) {
  Catalogue catalogue;
  catalogue.devices_ = std::move(devices);
  catalogue.links_ = std::move(links);
  return catalogue;
}

const Catalogue& Catalogue::builtIn() {
  static const Catalogue catalogue =
      parse({reinterpret_cast<const char*>(resources::hardwareCatalog), resources::hardwareCatalogSize},
            "hardware-catalog.csv");
  return catalogue;
}

namespace {

// Returns how far two devices are apart, over the figures that grow from generation to generation.
double distance(const DeviceModel& a, const DeviceModel& b) {
  const auto apart = [](double x, double y) { return std::pow(std::log(x / y), 2); };
  return apart(a.fp32Tflops, b.fp32Tflops) + apart(a.memoryGbPerSec, b.memoryGbPerSec) +
         apart(std::max(a.matrixTflops, a.fp32Tflops), std::max(b.matrixTflops, b.fp32Tflops));
}

// Completes what a user's catalogue leaves out, from the row that the device replaces or from a similar one.
void complete(DeviceModel& device, const std::vector<DeviceModel>& known) {
  if (const auto same = std::ranges::find(known, device.id, &DeviceModel::id); same != known.end()) {
    if (device.links.empty()) device.links = same->links;
    if (!device.matrixFormats) device.matrixFormats = same->matrixFormats;
  }
  if (device.family) return;
  auto from = std::ranges::find(known, device.id, &DeviceModel::id);
  if (from == known.end())
    from = std::ranges::min_element(known, {}, [&](const DeviceModel& other) {
      return other.family ? distance(device, other) : std::numeric_limits<double>::infinity();
    });
  if (from == known.end()) return;
  device.family = from->family;
  device.familyFrom = from->id;
}

void complete(LinkModel& link, const std::vector<LinkModel>& known) {
  const auto from = std::ranges::find(known, link.id, &LinkModel::id);
  if (from == known.end()) return;
  if (!link.familyIsKnown) link.family = from->family;
  if (link.largestDomain == 0) link.largestDomain = from->largestDomain;
}

template <typename Model>
void replaceOrAdd(std::vector<Model>& models, const std::vector<Model>& others) {
  // Only these complete another, not what the others add: neither the time nor a row depends on the others' order.
  const std::vector<Model> known = models;
  for (Model other : others) {
    complete(other, known);
    const auto found = std::ranges::find(known, other.id, &Model::id);
    if (found != known.end())
      at(models, found - known.begin()) = other;
    else
      models.push_back(other);
  }
}

}  // namespace

Catalogue Catalogue::mergedWith(const Catalogue& other) const {
  Catalogue merged = *this;
  replaceOrAdd(merged.devices_, other.devices_);
  replaceOrAdd(merged.links_, other.links_);
  return merged;
}

const DeviceModel& Catalogue::device(std::string_view id) const {
  return findModel(devices_, say::deviceWord, id);
}

const LinkModel& Catalogue::link(std::string_view id) const {
  return findModel(links_, say::linkWord, id);
}

bool staysInHost(const LinkModel& link) {
  constexpr std::int64_t kLargestHost = 16;  // devices; a rack of NVLink 5 has 72
  const bool nvlink = link.family == LinkFamily::Nvlink || link.family == LinkFamily::NvlinkMesh;
  return link.family == LinkFamily::Pcie || (nvlink && link.largestDomain > 0 && link.largestDomain <= kLargestHost);
}

bool Catalogue::canHave(const DeviceModel& device, const LinkModel& link) const {
  const bool ofOneGeneration =
      link.family == LinkFamily::Nvlink || link.family == LinkFamily::NvlinkMesh || link.family == LinkFamily::Ici;
  const auto has = [&](const DeviceModel& one) { return std::ranges::find(one.links, link.id) != one.links.end(); };
  return !ofOneGeneration || device.links.empty() || has(device) || std::ranges::none_of(devices_, has);
}

const std::string& Catalogue::linkOf(const std::string& device, const std::string& usual) const {
  const auto model = std::ranges::find(devices_, device, &DeviceModel::id);
  const auto link = std::ranges::find(links_, usual, &LinkModel::id);
  const bool known = model != devices_.end() && link != links_.end();
  return !known || canHave(*model, *link) ? usual : model->links.front();
}

}  // namespace lab
