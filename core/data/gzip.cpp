// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/data/messages.h"

namespace lab {
namespace {}  // namespace

struct GzipReader::Stream {
  z_stream z{};
  std::span<const std::uint8_t> rest;  // not yet given to zlib, whose counters may have only 32 bits
  bool ended = false;
};

bool isGzip(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
}

GzipReader::GzipReader(std::span<const std::uint8_t> bytes, const std::string& name)
    : stream_(std::make_unique<Stream>()), name_(name) {
  stream_->rest = bytes;
  LAB_CHECK(inflateInit2(&stream_->z, 16 + MAX_WBITS) == Z_OK);  // 16: gzip, with its checksum
}

GzipReader::~GzipReader() {
  inflateEnd(&stream_->z);
}

std::size_t GzipReader::read(std::span<std::uint8_t> out) {
  constexpr std::size_t kPiece = std::numeric_limits<uInt>::max() / 2;
  z_stream& z = stream_->z;
  std::size_t done = 0;
  while (done < out.size() && !stream_->ended) {
    if (z.avail_in == 0) {
      const std::size_t piece = std::min(stream_->rest.size(), kPiece);
      z.next_in = const_cast<Bytef*>(stream_->rest.data());
      z.avail_in = static_cast<uInt>(piece);
      stream_->rest = stream_->rest.subspan(piece);
    }
    const std::size_t room = std::min(out.size() - done, kPiece);
    z.next_out = out.data() + done;
    z.avail_out = static_cast<uInt>(room);
    const int result = inflate(&z, Z_NO_FLUSH);
    done += room - z.avail_out;
    if (result == Z_STREAM_END) {
      if (z.avail_in > 0 || !stream_->rest.empty()) throw UserError(say::gzipGoesOn, name_);
      stream_->ended = true;
    } else if (result == Z_BUF_ERROR ||
               (result == Z_OK && z.avail_in == 0 && stream_->rest.empty() && z.avail_out > 0)) {
      throw UserError(say::gzipCutShort, name_);
    } else if (result == Z_MEM_ERROR) {
      throw UserError(UserError::Kind::Run, say::noMemoryToUnpack, name_);
    } else if (result != Z_OK) {
      throw UserError(say::gzipDamaged, name_, (z.msg != nullptr ? z.msg : "unexpected content"));
    }
  }
  return done;
}

std::vector<std::uint8_t> gunzip(std::span<const std::uint8_t> bytes, std::int64_t maxBytes, const std::string& name) {
  GzipReader reader(bytes, name);
  std::vector<std::uint8_t> content;
  std::vector<std::uint8_t> piece(1 << 16);
  while (const std::size_t got = reader.read(piece)) {
    if (static_cast<std::int64_t>(content.size() + got) > maxBytes)
      throw UserError(say::gzipTooLarge, name, Bytes{maxBytes});
    content.insert(content.end(), piece.data(), piece.data() + got);
  }
  return content;
}

}  // namespace lab
