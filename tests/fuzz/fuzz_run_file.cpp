// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the bytes, as they stand and as the text inside a gzip file: a run file is refused with a UserError, or all
// that it gives is valid.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/base/error.h"
#include "core/files/run_file.h"

namespace {

std::vector<std::uint8_t> gzipped(const std::uint8_t* data, std::size_t size) {
  z_stream z{};
  if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::vector<std::uint8_t> out(deflateBound(&z, size));
  z.next_in = const_cast<Bytef*>(data);
  z.avail_in = static_cast<uInt>(size);
  z.next_out = out.data();
  z.avail_out = static_cast<uInt>(out.size());
  if (deflate(&z, Z_FINISH) != Z_STREAM_END) std::abort();
  out.resize(out.size() - z.avail_out);
  deflateEnd(&z);
  return out;
}

void read(std::span<const std::uint8_t> bytes) {
  try {
    const lab::RunRecord record = lab::parseRunFile(bytes, "fuzz");
    for (const lab::Span& span : record.spans)
      if (!lab::isValid(span, record.header.legend)) std::abort();
    for (const auto& track : record.header.legend.tracks)
      if (track.endpoint >= static_cast<int>(record.header.legend.endpoints.size())) std::abort();
  } catch (const lab::UserError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read({data, size});
  read(gzipped(data, size));
  return 0;
}
