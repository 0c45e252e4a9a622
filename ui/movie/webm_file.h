// SPDX-License-Identifier: GPL-3.0-or-later
// The container of a WebM movie with one VP9 track, as https://www.webmproject.org/docs/container/ defines it: header,
// duration, index of the key frames, clusters that begin with one. Written by hand, because Debian 12's libwebm lacks
// the header files of its writer.
#pragma once

#include <QSize>

#include <string>
#include <vector>

namespace lab {

struct WebmPacket {
  std::string data;
  bool key = false;  // can be shown without the previous packets
};

std::string webmFile(QSize size, int framesPerSecond, const std::vector<WebmPacket>& packets);

}  // namespace lab
