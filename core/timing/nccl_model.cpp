// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timing/nccl_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/at.h"
#include "core/base/error.h"
#include "core/timing/messages.h"
#include "core/timing/whole_ns.h"

namespace lab {
namespace {

constexpr std::array kProtocols{"ll", "ll128", "simple"};
constexpr std::array kProtocolNames{"LL", "LL128", "Simple"};
constexpr std::array kGenerations{"volta", "ampere", "hopper", "blackwell"};
// Correction of Simple trees for sizes 64 B · 2^i (tuning.cc treeCorrectionFactor).
constexpr std::array kTreeCorrection{.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
                                     .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9};

// NCCL has constants for four generations; older devices count as Volta, and so do devices that are not GPUs.
NcclGeneration generationOf(const DeviceModel& device) {
  if (!device.family) throw UserError(say::deviceWithoutFamily, device.id);
  switch (*device.family) {
    case DeviceFamily::Blackwell:
      return NcclGeneration::Blackwell;
    case DeviceFamily::Hopper:
    case DeviceFamily::Ada:
      return NcclGeneration::Hopper;
    case DeviceFamily::Ampere:
      return NcclGeneration::Ampere;
    case DeviceFamily::Cpu:
    case DeviceFamily::Kepler:
    case DeviceFamily::Maxwell:
    case DeviceFamily::Pascal:
    case DeviceFamily::Volta:
    case DeviceFamily::Turing:
    case DeviceFamily::Tpu:
      return NcclGeneration::Volta;
  }
  throwBrokenInvariant("known family", __FILE__, __LINE__);
}

// Returns whether no host sends over PCIe inside. Hosts of one rank send nothing inside: they count where all are such.
bool hasNvlink(const Network& network, int ranks) {
  const int hosts = network.hostsOf(ranks);
  bool single = true, singlePci = false;
  for (int host = 0; host < hosts; ++host) {
    const bool sends = network.ranksOn(host, ranks) > 1;
    if (sends && network.pciInside(host)) return false;
    single = single && !sends;
    singlePci = singlePci || network.pciInside(host);
  }
  return !(single && singlePci);
}

double treeCorrection(double bytes) {
  const double at = std::log2(std::max(64.0, bytes) / 64);
  return kTreeCorrection[std::min(kTreeCorrection.size() - 1, static_cast<std::size_t>(at))];
}

// Returns how many channels fill what carries the bytes. A rank alone on its node has as many as its NICs fill, for
// nothing inside the node limits it.
double channelsOf(const NcclShape& shape, double channelCap) {
  const bool onePerNode = shape.nodes > 1 && shape.ranks == shape.nodes;
  return std::max(1.0, std::ceil((onePerNode ? shape.interGbPerSec : shape.intraGbPerSec) / channelCap));
}

std::string insideOf(const NcclShape& shape) {
  return std::string("nccl.hw.") + (shape.nvlink ? "nvlink" : "pci");
}

// Returns how long a step of a ring inside a node takes. On several nodes it is no shorter than the post of a message
// to the network.
double ringStepUs(const NcclShape& shape, std::size_t protocol, const TimingConstants& constants) {
  const double post = shape.nodes > 1 ? (protocol == 2 ? 3 : 1) * constants["nccl.hw.net_post"] : 0;
  return std::max(post, constants[insideOf(shape) + ".ring." + at(kProtocols, protocol)]);
}

}  // namespace

NcclShape ncclShape(const Network& network, int ranks, const TimingConstants& constants) {
  LAB_CHECK(ranks >= 1 && ranks <= network.devices());
  NcclShape shape;
  shape.ranks = ranks;
  shape.nodes = network.hostsOf(ranks);
  shape.nvlink = hasNvlink(network, ranks);
  shape.generation = NcclGeneration::Blackwell;
  for (int rank = 0; rank < ranks; ++rank)
    shape.generation = std::min(shape.generation, generationOf(network.device(rank)));
  shape.intraGbPerSec = 1e9;
  if (shape.nodes > 1) {
    shape.interGbPerSec = network.ringBandwidth(shape.nodes);
    // NCCL's latency of a step between nodes is the same on every network; what a slow one adds is its own.
    shape.extraNetUs = std::max(0.0, network.nicLatencyNs() / 1e3 - constants["nccl.hw.net_latency"]);
  }
  for (int host = 0; host < shape.nodes; ++host) {
    const int here = network.ranksOn(host, ranks);
    double bus = network.linkInside(host).effectiveGbPerSec;
    if (network.pciInside(host)) {
      // A ring crosses each switch's uplink once, with the root port's surcharge.
      if (here > network.devicesPerSwitch(host)) bus /= constants["pcie.root_port_factor"];
      // Without peer-to-peer, every byte of every rank is written to and read from host memory.
      if (!network.group(host).peerToPeer && here > 1)
        bus = std::min(bus / constants["pcie.root_port_factor"], constants["memory.host_gb_per_s"] / (2 * here));
    } else if (network.linkInside(host).family == LinkFamily::NvlinkMesh) {
      bus *= constants["nccl.mesh_share"];
    }
    if (here > 1) shape.intraGbPerSec = std::min(shape.intraGbPerSec, bus);
  }
  shape.nvls = shape.nodes == 1 && shape.nvlink && ranks > 2 && shape.generation >= NcclGeneration::Hopper;
  return shape;
}

NcclCost ncclAllReduce(const NcclShape& shape, double bytes, const TimingConstants& constants) {
  NcclCost best;
  if (shape.ranks <= 1) return best;
  const std::string generation = at(kGenerations, shape.generation);
  const bool many = shape.nodes > 1;
  const bool onePerNode = many && shape.ranks == shape.nodes;
  const double p = shape.ranks, m = shape.nodes;
  // Applies inside a node; the transport's bandwidth between nodes includes it already.
  const double reached = constants["nccl.reached_share"];
  const double intra = reached * shape.intraGbPerSec;
  const double bus = many ? std::min(intra, shape.interGbPerSec) : intra;
  const double channelCap = constants["nccl.channel." + generation];
  const double channels = channelsOf(shape, channelCap);
  const double llMax = (many ? 1 : reached) * constants[(many ? "nccl.llmax.net." : "nccl.llmax.") + generation];
  const double steps = 2 * (p - 1), inter = many ? 2 * (m - 1) : 0;
  const double treeCap = constants["nccl.treecap." + generation];

  double bestUs = 0;
  const auto offer = [&](double latencyUs, double gbPerSec, const char* algorithm, const char* protocol) {
    const double us = latencyUs + bytes / (1e3 * gbPerSec);
    if (best.algorithm.empty() || us < bestUs) {
      bestUs = us;
      best.algorithm = algorithm;
      best.protocol = protocol;
    }
  };
  for (std::size_t i = 0; i < kProtocols.size(); ++i) {
    const std::string protocol = std::string(".") + kProtocols[i];
    if (protocol == ".ll128" && !shape.nvlink) continue;  // NCCL enables LL128 on NVLink only
    // Ring.
    double ringBus = bus;
    if (i == 0) ringBus = std::min(llMax, bus / 2);
    if (i == 1) ringBus = std::min(constants["nccl.ll128_share"] * bus, channels * channelCap);
    const double netStep = constants["nccl.hw.net." + std::string(onePerNode ? "tree" : "ring") + protocol];
    double ringUs =
        constants["nccl.base.ring" + protocol] + (steps - inter) * ringStepUs(shape, i, constants) + inter * netStep;
    if (i == 2 && many && bytes / (channels * p) >= 64) ringUs *= constants["nccl.many_nodes_simple_factor"];
    offer(ringUs + inter * shape.extraNetUs, ringBus * p / steps, "ring", kProtocolNames[i]);
    // Tree.
    double treeBus = std::min(constants["nccl.ll128_share"] * bus, channels * treeCap);
    if (i == 0) treeBus = std::min(bus / 3.8, llMax);
    if (i == 1) treeBus *= many ? 120.0 / 128 : 7.0 / 9;
    if (i == 2) treeBus *= treeCorrection(bytes);
    const double treeUs = constants["nccl.base.tree" + protocol] +
                          2 * ((p / m - 1) * constants[insideOf(shape) + ".tree" + protocol] +
                               (many ? std::log2(m) * constants["nccl.hw.net.tree" + protocol] : 0));
    offer(treeUs + 2 * std::log2(m) * shape.extraNetUs, treeBus * 0.5, "tree", kProtocolNames[i]);
  }
  if (shape.nvls) {
    // Data are copied into the switch's window, reduced there and copied out; only data beyond the window overlap.
    const double gbPerSec = constants["nccl.nvls." + generation] * shape.intraGbPerSec * (p - 1) / p;
    const double window = constants["nccl.nvls_window_mib"] * 1024 * 1024;
    offer(constants["nccl.hw.nvls.simple"] + 2 * std::min(bytes, window) / (1e3 * gbPerSec), gbPerSec, "nvls",
          "Simple");
  }
  best.ns = wholeNs(1e3 * (bestUs + constants["nccl.call_us"]));
  return best;
}

}  // namespace lab
