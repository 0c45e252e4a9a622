// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/movie/webm_file.h"

#include <bit>
#include <cstdint>

namespace lab {
namespace {

// Elements of EBML: an id, a size, then bytes or further elements.
std::string bigEndian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = bytes - 1; i >= 0; --i) out += static_cast<char>((value >> (8 * i)) & 0xff);
  return out;
}

// An id already contains its length. Sizes always take eight bytes, so that an index's size is known before its
// content.
std::string element(std::uint32_t id, const std::string& content) {
  const int bytes = id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1;
  return bigEndian(id, bytes) + '\x01' + bigEndian(content.size(), 7) + content;
}

std::string number(std::uint32_t id, std::uint64_t value) {
  return element(id, bigEndian(value, 8));
}

std::string head() {
  return element(0x1A45DFA3, number(0x4286, 1) + number(0x42F7, 1) + number(0x42F2, 4) + number(0x42F3, 8) +
                                 element(0x4282, "webm") + number(0x4287, 4) + number(0x4285, 2));
}

std::string info(double durationMs) {
  const auto duration = std::bit_cast<std::uint64_t>(durationMs);
  return element(0x1549A966, number(0x2AD7B1, 1'000'000) + element(0x4489, bigEndian(duration, 8)) +
                                 element(0x4D80, "StrategyLab") + element(0x5741, "StrategyLab"));
}

std::string tracks(QSize size, int framesPerSecond) {
  const auto colour = element(0x55B0, number(0x55B1, 1) + number(0x55B9, 1) + number(0x55BA, 1) + number(0x55BB, 1));
  const auto video = element(0xE0, number(0xB0, static_cast<std::uint64_t>(size.width())) +
                                       number(0xBA, static_cast<std::uint64_t>(size.height())) + colour);
  return element(
      0x1654AE6B,
      element(0xAE, number(0xD7, 1) + number(0x73C5, 1) + number(0x83, 1) + number(0x9C, 0) + element(0x86, "V_VP9") +
                        number(0x23E383, 1'000'000'000ULL / static_cast<unsigned>(framesPerSecond)) + video));
}

struct KeyCluster {
  std::uint64_t timeMs = 0, at = 0;
};

std::string cues(const std::vector<KeyCluster>& clusters, std::uint64_t before) {
  std::string points;
  for (const KeyCluster& cluster : clusters)
    points += element(
        0xBB, number(0xB3, cluster.timeMs) + element(0xB7, number(0xF7, 1) + number(0xF1, before + cluster.at)));
  return element(0x1C53BB6B, points);
}

}  // namespace

std::string webmFile(QSize size, int framesPerSecond, const std::vector<WebmPacket>& packets) {
  const auto rate = static_cast<std::uint64_t>(framesPerSecond);
  const auto timeMs = [rate](std::size_t frame) { return (1000 * frame + rate / 2) / rate; };
  std::vector<KeyCluster> clusters;
  std::string body, blocks;
  const auto close = [&] {
    if (!clusters.empty()) body += element(0x1F43B675, number(0xE7, clusters.back().timeMs) + blocks);
    blocks.clear();
  };
  for (std::size_t i = 0; i < packets.size(); ++i) {
    if (packets[i].key) {
      close();
      clusters.push_back({timeMs(i), body.size()});
    }
    const std::uint64_t since = timeMs(i) - clusters.back().timeMs;
    blocks += element(0xA3, '\x81' + bigEndian(since, 2) + (packets[i].key ? '\x80' : '\x00') + packets[i].data);
  }
  close();
  const std::string front =
      info(1000.0 * static_cast<double>(packets.size()) / framesPerSecond) + tracks(size, framesPerSecond);
  const std::uint64_t before = front.size() + cues(clusters, 0).size();
  return head() + element(0x18538067, front + cues(clusters, before) + body);
}

}  // namespace lab
