// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/catalogue.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>
#include <system_error>

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "resources/resources.h"

namespace lab {
namespace {

// Far outside anything built, and near enough that no price computed from it leaves the range of int64 nanoseconds.
constexpr double kSmallestFigure = 1e-6;
constexpr double kLargestFigure = 1e9;

constexpr const char* kDeviceColumns[] = {
    "fp32_peak_tflops", "fp32_source", "matrix_peak_tflops", "matrix_precision", "matrix_source",         "mem_gb",
    "mem_gb_per_s",     "mem_source",  "launch_overhead_us", "launch_source",    "cnn_train_eff_of_peak", "eff_source"};
constexpr const char* kLinkColumns[] = {"link_gb_per_s_per_dir", "link_bw_source",  "link_effective_gb_per_s",
                                        "link_eff_source",       "link_latency_us", "latency_source"};

// One row seen through the header's names.
class RowView {
 public:
  RowView(const CsvRow& header, const CsvRow& row, const std::string& name) : header_(header), row_(row), name_(name) {}

  const std::string& text(std::string_view column) const {
    const auto found = std::ranges::find(header_.cells, column);
    if (found == header_.cells.end())
      throw UserError("'" + name_ + "' has no column '" + std::string(column) + "'. Add it to the first line.");
    return row_.cells[static_cast<std::size_t>(found - header_.cells.begin())];
  }

  const std::string& required(std::string_view column) const {
    const std::string& value = text(column);
    if (value.empty()) fail(column, "is empty. Fill it in.");
    return value;
  }

  double figure(std::string_view column) const {
    const std::string& cell = required(column);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    // The comparison is false for NaN too.
    if (error != std::errc() || end != cell.data() + cell.size() ||
        !(value >= kSmallestFigure && value <= kLargestFigure))
      fail(column, "is '" + cell + "', not a number from 1e-6 to 1e9. Correct it.");
    return value;
  }

  double figureOr(std::string_view column, double fallback) const {
    return text(column).empty() ? fallback : figure(column);
  }

  void expectEmpty(std::span<const char* const> columns) const {
    for (const char* column : columns)
      if (!text(column).empty()) fail(column, "does not belong to a " + text("kind") + ". Leave it empty.");
  }

  // "peak: …; memory: …", those that are there.
  std::string sources(std::initializer_list<std::pair<const char*, const char*>> parts) const {
    std::string all;
    for (const auto& [what, column] : parts)
      if (!text(column).empty()) all += (all.empty() ? "" : "; ") + (what + (": " + text(column)));
    return all;
  }

  [[noreturn]] void fail(std::string_view column, const std::string& what) const {
    const auto id = std::ranges::find(header_.cells, "id");
    const std::string row =
        id == header_.cells.end() ? "" : row_.cells[static_cast<std::size_t>(id - header_.cells.begin())];
    throw UserError("'" + name_ + "', line " + std::to_string(row_.line) + " ('" + row + "'): the cell '" +
                    std::string(column) + "' " + what);
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
  if (device.matrixTflops == 0 && !device.matrixPrecision.empty())
    row.fail("matrix_peak_tflops", "is empty though a precision is given. Fill in both or neither.");
  device.memoryGb = row.figure("mem_gb");
  device.memoryGbPerSec = row.figure("mem_gb_per_s");
  device.launchOverheadUs = row.figure("launch_overhead_us");
  device.efficiencyIsDefault = row.text("cnn_train_eff_of_peak").empty();
  device.cnnEfficiency =
      row.figureOr("cnn_train_eff_of_peak", device.float32OnMatrixUnit() ? kDefaultTf32Efficiency : kDefaultEfficiency);
  device.sources = row.sources({{"float32 peak", "fp32_source"},
                                {"matrix peak", "matrix_source"},
                                {"memory", "mem_source"},
                                {"launch overhead", "launch_source"},
                                {"efficiency", "eff_source"}});
  device.notes = row.text("notes");
  return device;
}

LinkModel linkFrom(const RowView& row) {
  row.expectEmpty(kDeviceColumns);
  LinkModel link;
  link.id = row.required("id");
  link.name = row.required("name");
  link.gbPerSec = row.figure("link_gb_per_s_per_dir");
  link.effectiveGbPerSec = row.figure("link_effective_gb_per_s");
  link.latencyUs = row.figure("link_latency_us");
  link.sources = row.sources(
      {{"bandwidth", "link_bw_source"}, {"effective bandwidth", "link_eff_source"}, {"latency", "latency_source"}});
  link.notes = row.text("notes");
  return link;
}

template <typename Model>
const Model& findModel(const std::vector<Model>& models, const char* what, std::string_view id) {
  const auto found = std::ranges::find(models, id, &Model::id);
  if (found != models.end()) return *found;
  std::vector<std::string> ids;
  for (const Model& model : models) ids.push_back(model.id);
  throw UserError(unknownNameMessage(what, id, ids));
}

}  // namespace

Catalogue Catalogue::parse(std::string_view csv, const std::string& name) {
  const std::vector<CsvRow> rows = parseCsv(csv, name);
  if (rows.size() < 2) throw UserError("'" + name + "' holds no devices and no links. Give it a header and rows.");
  Catalogue catalogue;
  std::set<std::string> ids;
  for (const CsvRow& cells : std::span(rows).subspan(1)) {
    const RowView row(rows.front(), cells, name);
    const std::string& kind = row.required("kind");
    if (kind == "device")
      catalogue.devices_.push_back(deviceFrom(row));
    else if (kind == "link")
      catalogue.links_.push_back(linkFrom(row));
    else
      row.fail("kind", "is '" + kind + "'. Write device or link.");
    if (!ids.insert(row.text("id")).second) row.fail("id", "is used by an earlier row. Give each row its own.");
  }
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

template <typename Model>
void replaceOrAdd(std::vector<Model>& models, const std::vector<Model>& others) {
  for (const Model& other : others) {
    const auto found = std::ranges::find(models, other.id, &Model::id);
    if (found != models.end())
      *found = other;
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
  return findModel(devices_, "device model", id);
}

const LinkModel& Catalogue::link(std::string_view id) const {
  return findModel(links_, "link", id);
}

}  // namespace lab
