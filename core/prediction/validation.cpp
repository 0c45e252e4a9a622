// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/prediction/validation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/parse_number.h"
#include "core/base/units.h"
#include "core/hardware/messages.h"
#include "core/model/model_presets.h"
#include "core/timing/messages.h"
#include "core/timing/nccl_model.h"
#include "core/timing/step_model.h"

namespace lab {
namespace {

// Why a point cannot be predicted; the validation lists it.
struct MissingCell {
  Message reason;
};

class ValidationRow {
 public:
  ValidationRow(const CsvRow& header, const CsvRow& row, const std::string& name);

  const std::string& text(const std::string& column) const;       // UserError if there is no such column
  std::optional<double> number(const std::string& column) const;  // nothing if empty; UserError if not a number
  double needed(const std::string& column) const;                 // throws MissingCell if empty
  int line() const { return line_; }
  bool has(const std::string& column) const { return cells_.contains(column); }

 private:
  std::map<std::string, std::string> cells_;
  std::string name_;
  int line_ = 0;
};

ValidationRow::ValidationRow(const CsvRow& header, const CsvRow& row, const std::string& name)
    : name_(name), line_(row.line) {
  for (std::size_t i = 0; i < header.cells.size(); ++i)
    if (!cells_.emplace(header.cells[i], row.cells[i]).second) throw UserError(say::columnTwice, name, header.cells[i]);
}

const std::string& ValidationRow::text(const std::string& column) const {
  const auto found = cells_.find(column);
  if (found == cells_.end()) throw UserError(say::noColumn, name_, column);
  return found->second;
}

std::optional<double> ValidationRow::number(const std::string& column) const {
  const std::string& cell = text(column);
  if (cell.empty()) return std::nullopt;
  const std::optional<double> value = parseNumber<double>(cell);
  constexpr double kLargest = 1e15;
  // The comparison is false for NaN too.
  if (!value || !(*value >= 0 && *value <= kLargest)) throw UserError(say::badCell, name_, line_, column, cell);
  return value;
}

double ValidationRow::needed(const std::string& column) const {
  const std::optional<double> value = number(column);
  if (!value || *value <= 0) throw MissingCell{{say::cellNotKnown, column}};
  return *value;
}

Reducer methodOf(const std::string& name) {
  static const std::map<std::string, Reducer> kMethods{
      {"all-reduce-auto", Reducer::Nccl},        {"all-reduce-ring", Reducer::Nccl},
      {"all-reduce-tree", Reducer::Tree},        {"all-reduce-torus", Reducer::Torus},
      {"all-reduce-cpu", Reducer::CpuAllReduce}, {"reduce-broadcast", Reducer::ReduceBroadcast},
      {"ps-cpu-local", Reducer::CentralHost},    {"ps-gpu-local", Reducer::CentralDevice},
      {"ps-sync", Reducer::ServersSync},         {"ps-async", Reducer::ServersAsync}};
  const auto found = kMethods.find(name);
  if (found == kMethods.end()) throw MissingCell{{say::methodNotModelled, name}};
  return found->second;
}

// One point of a scaling row, made ready for the model.
struct Point {
  StepRequest request;
  std::unique_ptr<Network> network;
  ModelProfile model;
  double measured = 0;
};

ModelProfile modelOf(const ValidationRow& row) {
  const double gflop = row.needed("training_gflop_per_image");
  const double parameters = row.needed("gradient_mb") * 1e6 / kBytesPerElement;
  if (const ModelProfile* preset = findModelPreset(row.text("model"))) return scaledTo(*preset, gflop, parameters);
  const double largest = std::min(parameters, row.needed("largest_tensor_mb") * 1e6 / kBytesPerElement);
  return profileFromTotals(row.text("model"), gflop, static_cast<std::int64_t>(parameters),
                           static_cast<std::int64_t>(largest), static_cast<int>(row.needed("gradient_tensors")));
}

Point makePoint(const ValidationRow& row, const Catalogue& catalogue, const TimingConstants& constants) {
  Point point;
  point.measured = row.needed("measured");
  const auto devices = static_cast<std::int64_t>(row.needed("devices"));
  const auto hosts = static_cast<std::int64_t>(row.needed("hosts"));
  // A rate alone does not tell a step's time; what synchronous training sends does not depend on the batch.
  point.request.batchPerReplica = std::llround(row.needed("batch_per_device"));
  point.model = modelOf(row);
  const std::string& transport = row.text("transport");
  std::string hostLink = row.text("host_link");
  // Any network of a data centre is faster than what gRPC and TCP servers reach, so its speed need not be known.
  if (hostLink.empty() && hosts > 1 && (transport == "grpc" || transport == "tcp")) hostLink = "eth_10g";
  if (hostLink.empty() && hosts > 1) throw MissingCell{{say::cellNotKnown, "host_link"}};
  if (devices % hosts != 0) throw MissingCell{say::devicesNoMultiple};
  ClusterSpec cluster = uniformCluster(devices, hosts, row.text("device"), row.text("link"), hostLink,
                                       std::llround(row.number("host_links").value_or(1)));
  cluster.transport = findTransport(transport).value_or(NetTransport::Auto);
  cluster.hosts.front().peerToPeer = transport != "pcie-no-p2p";
  point.network = std::make_unique<Network>(cluster, catalogue, constants);

  StepRequest& request = point.request;
  request.constants = &constants;
  request.replicas = static_cast<int>(devices);
  request.method = methodOf(row.text("method"));
  const std::string& precision = row.text("precision");
  request.precision = precision == "bf16"                          ? Precision::Bfloat16
                      : precision == "amp" || precision == "mixed" ? Precision::Mixed
                                                                   : Precision::Float32;
  request.packBytes = row.number("bucket_mb").value_or(constants["pack.unknown_mb"]) * 1e6;
  request.overlap = row.text("overlap") != "no";
  const DeviceModel& device = catalogue.device(row.text("device"));
  const bool processor = device.isProcessor();
  // The processor both trains and sends, so they cannot overlap.
  if (processor) request.overlap = false;
  request.workerIsHost = row.text("worker_is_host") == "yes";
  request.servers = static_cast<int>(row.number("servers").value_or(static_cast<double>(hosts)));
  // Key-value stores over plain TCP cut large arrays over all servers; TensorFlow's gRPC programs place whole variables
  // by size.
  request.placement = transport == "tcp" ? StepRequest::Placement::Sliced : StepRequest::Placement::Balanced;
  if (request.method == Reducer::ServersSync && hosts == 1) request.method = Reducer::ReduceBroadcast;
  request.oneLaunchPerStep = device.standsInTorus();
  request.stragglers.expected = true;
  request.stragglers.sigma = constants[processor ? "straggler.cpu_sigma" : "straggler.gpu_sigma"];
  return point;
}

// How a row's own hardware and software differ from the catalogue's, found from its first point.
struct RowScales {
  double compute = 1;
  double communication = 1;
  double launch = 1;  // used if launches alone would take longer than measured
};

StepTiming timingOf(Point& point, const RowScales& calibration) {
  point.request.network = point.network.get();
  point.request.model = &point.model;
  point.request.computeScale = calibration.compute;
  point.request.commScale = calibration.communication;
  return simulateStep(point.request);
}

double rateOf(Point& point, const RowScales& calibration) {
  return timingOf(point, calibration).imagesPerSecond / calibration.launch;
}

// Finds the device's speed at which the first point comes out as measured. No device is far slower than its catalogue
// row; if it had to be, communication is taken to be slower than in the catalogue instead.
RowScales scalesOf(Point& point, const TimingConstants& constants) {
  constexpr double kLowest = 1e-4, kHighest = 1e4;
  RowScales calibration{.compute = kLowest};
  const auto bisect = [&](double& factor, double low, double high) {
    constexpr int kHalvings = 50;
    for (int i = 0; i < kHalvings; ++i) {
      factor = std::sqrt(low * high);
      (rateOf(point, calibration) > point.measured ? low : high) = factor;
    }
  };
  const bool sends = point.request.replicas > 1;
  if (const double fastest = rateOf(point, calibration); fastest < point.measured) {
    // Sending alone takes longer than the whole measured step, so communication must be faster than in the catalogue.
    calibration.compute = 1;
    calibration.communication = kLowest;
    if (sends && rateOf(point, calibration) > point.measured) {
      bisect(calibration.communication, kLowest, 1);
    } else {
      calibration = {.compute = kLowest};
      calibration.launch = rateOf(point, calibration) / point.measured;
    }
    return calibration;
  }
  calibration.compute = sends ? constants["calibration.slowest_device"] : kHighest;
  if (rateOf(point, calibration) > point.measured)
    bisect(calibration.communication, 1, kHighest);
  else
    bisect(calibration.compute, kLowest, calibration.compute);
  return calibration;
}

void predictRow(const std::vector<ValidationRow>& rows, const Catalogue& catalogue, const TimingConstants& constants,
                Validation& validation) {
  std::optional<RowScales> calibration;
  Message whyNot;
  double firstRate = 0, firstDevices = 1;
  std::map<int, int> sizes;
  for (const ValidationRow& row : rows)
    if (row.text("calibrate") != "1") ++sizes[static_cast<int>(row.number("devices").value_or(0))];
  const bool sweep = sizes.size() == 1 && sizes.begin()->second > 1;
  for (const ValidationRow& row : rows) {
    const auto number = static_cast<int>(row.number("point").value_or(0));
    const bool calibrating = row.text("calibrate") == "1";
    try {
      if (!calibrating && !calibration) throw MissingCell{{say::noCalibratingPoint, whyNot}};
      Point point = makePoint(row, catalogue, constants);
      const std::string& unit = row.text("unit");
      if (unit != "images/s") throw MissingCell{{say::unitOfNoStep, unit}};
      if (calibrating) {
        calibration = scalesOf(point, constants);
        firstRate = point.measured;
        firstDevices = point.request.replicas;
      }
      ValidationPoint result;
      result.id = row.text("id");
      result.point = number;
      result.calibrating = calibrating;
      result.quality = row.text("quality");
      result.method = row.text("method");
      result.devices = point.request.replicas;
      for (const char* column : {"device", "devices", "hosts", "model", "precision", "batch_per_device"})
        result.setting += row.text(column) + ",";
      result.batchSweep = sweep;
      result.measured = point.measured;
      result.unit = unit;
      const StepTiming timing = timingOf(point, *calibration);
      result.predicted = timing.imagesPerSecond / calibration->launch;
      result.bound = boundBy(timing, point.request.method, point.network->hosts() > 1);
      result.linear = firstRate * point.request.replicas / firstDevices;
      validation.points.push_back(result);
    } catch (const MissingCell& missing) {
      if (calibrating) whyNot = missing.reason;
      validation.skipped.push_back({row.text("id"), number, missing.reason});
    } catch (const UserError& error) {
      if (calibrating) whyNot = error.message();
      validation.skipped.push_back({row.text("id"), number, error.message()});
    }
  }
}

void predictCollective(const ValidationRow& row, int number, const Catalogue& catalogue,
                       const TimingConstants& constants, Validation& validation) {
  try {
    const auto ranks = static_cast<std::int64_t>(row.needed("ranks"));
    const auto hosts = static_cast<std::int64_t>(row.needed("hosts"));
    const double bytes = row.needed("bytes"), measured = row.needed("measured");
    ClusterSpec cluster = uniformCluster(ranks, hosts, row.text("device"), row.text("link"), row.text("host_link"), 1);
    cluster.transport = findTransport(row.text("transport")).value_or(NetTransport::Auto);
    const Network network(cluster, catalogue, constants);
    StepRequest request;
    request.network = &network;
    request.constants = &constants;
    request.replicas = static_cast<int>(ranks);
    request.method = methodOf(row.text("method"));
    const double ns = static_cast<double>(collectiveNs(request, bytes));
    const std::string& unit = row.text("unit");
    ValidationPoint result;
    result.id = row.text("id");
    result.point = number;
    result.method = row.text("method");
    result.devices = static_cast<int>(ranks);
    result.measured = measured;
    result.unit = unit;
    if (unit == "us")
      result.predicted = ns / 1e3;
    else if (unit == "ms")
      result.predicted = ns / 1e6;
    else if (unit == "calls_per_s")
      result.predicted = 1e9 / ns;
    else if (unit == "busbw_gb_per_s")
      result.predicted = 2.0 * static_cast<double>(ranks - 1) / static_cast<double>(ranks) * bytes / ns;
    else
      throw MissingCell{{say::unitNotKnown, unit}};
    validation.points.push_back(result);
  } catch (const MissingCell& missing) {
    validation.skipped.push_back({row.text("id"), number, missing.reason});
  } catch (const UserError& error) {
    validation.skipped.push_back({row.text("id"), number, error.message()});
  }
}

// Pairs rows that differ only in method, at points that are equal in everything else that decides a step.
std::vector<OrderCheck> compareMethods(const std::vector<ValidationPoint>& points, double repeatShare) {
  std::vector<OrderCheck> orders;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const ValidationPoint &a = points[i], &b = points[j];
      if (a.id == b.id || a.method == b.method || a.setting != b.setting || a.quality != "A" || b.quality != "A")
        continue;
      if (a.calibrating || b.calibrating) continue;
      const double ratio = a.measured / b.measured;
      const bool tie = std::max(ratio, 1 / ratio) <= 1 + repeatShare;
      orders.push_back({a.id, b.id, a.devices, ratio, a.predicted / b.predicted, tie});
    }
  return orders;
}

}  // namespace

bool ValidationPoint::hard() const {
  return linear > 0 && std::abs(linear / measured - 1) > 0.10;
}

double quantile(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(sorted.size() - 1, below + 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

ValidationSummary summarize(std::vector<double> errors) {
  ValidationSummary summary;
  if (errors.empty()) return summary;
  for (double& error : errors) error = std::abs(error);
  std::ranges::sort(errors);
  summary.points = static_cast<int>(errors.size());
  for (const double error : errors) summary.mean += error / static_cast<double>(errors.size());
  summary.median = quantile(errors, 0.5);
  summary.p75 = quantile(errors, 0.75);
  summary.p90 = quantile(errors, 0.9);
  return summary;
}

Validation validateRows(std::string_view csv, const std::string& name, const Catalogue& catalogue,
                        const TimingConstants& constants) {
  const std::vector<CsvRow> cells = parseCsv(csv, name);
  if (cells.size() < 2) throw UserError(say::noRows, name);
  std::vector<ValidationRow> rows;
  for (const CsvRow& row : std::span(cells).subspan(1)) rows.emplace_back(cells.front(), row, name);
  // A cell that is no number is a mistake in the file, not an unknown figure.
  for (const ValidationRow& row : rows)
    for (const char* column :
         {"point", "devices", "hosts", "host_links", "training_gflop_per_image", "gradient_mb", "largest_tensor_mb",
          "gradient_tensors", "servers", "bucket_mb", "batch_per_device", "ranks", "bytes", "measured"})
      if (row.has(column)) (void)row.number(column);
  Validation validation;
  validation.collective = rows.front().has("ranks") && rows.front().has("bytes");
  std::vector<std::string> order;
  std::map<std::string, std::vector<ValidationRow>> byId;
  for (const ValidationRow& row : rows) {
    std::vector<ValidationRow>& group = byId[row.text("id")];
    if (group.empty()) order.push_back(row.text("id"));
    group.push_back(row);
  }
  for (const std::string& id : order) {
    if (!validation.collective) {
      predictRow(byId[id], catalogue, constants, validation);
      continue;
    }
    int number = 0;
    for (const ValidationRow& row : byId[id]) predictCollective(row, ++number, catalogue, constants, validation);
  }
  if (!validation.collective)
    validation.orders = compareMethods(validation.points, constants["validation.repeat_share"]);
  std::vector<double> all, scored, hard;
  for (const ValidationPoint& point : validation.points) {
    if (point.calibrating) continue;
    all.push_back(point.error());
    if (point.quality != "A" || point.batchSweep) continue;
    scored.push_back(point.error());
    if (point.hard()) hard.push_back(point.error());
  }
  validation.all = summarize(all);
  validation.scored = summarize(scored);
  validation.hard = summarize(hard);
  return validation;
}

}  // namespace lab
