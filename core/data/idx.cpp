// SPDX-License-Identifier: GPL-3.0-or-later
// The format: http://yann.lecun.com/exdb/mnist/. Big-endian 32-bit magic number, count and, for images, rows and
// columns; then the bytes.
#include "core/data/idx.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/platform.h"
#include "core/data/gzip.h"
#include "core/data/messages.h"

namespace lab {
namespace {

constexpr std::uint32_t kImagesMagic = 0x803;  // unsigned bytes, three dimensions
constexpr std::uint32_t kLabelsMagic = 0x801;  // unsigned bytes, one dimension
constexpr std::int64_t kImagesAtOnce = 1000;   // read between two checks for cancellation
constexpr std::int64_t kMaxDeflateRatio =
    1032;  // deflate packs at most 258 bytes into two bits (zlib, "Technical Details")

const Text& kindName(IdxKind kind) {
  return kind == IdxKind::Images ? say::images : say::labels;
}

[[noreturn]] void refuse(const std::string& name, IdxKind kind, const Message& what) {
  throw UserError(say::notIdx, name, kindName(kind), what);
}

// Reads bytes in order, from memory or out of a gzip stream.
class Source {
 public:
  Source(std::span<const std::uint8_t> bytes, const std::string& name) : bytes_(bytes) {
    if (isGzip(bytes)) gzip_ = std::make_unique<GzipReader>(bytes, name);
  }

  std::size_t read(std::span<std::uint8_t> out) {
    if (gzip_) return gzip_->read(out);
    const std::size_t count = std::min(out.size(), bytes_.size() - at_);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(at_), count, out.begin());
    at_ += count;
    return count;
  }

  // Returns the most that read() can still return, before anything is unpacked.
  std::int64_t mostBytes() const {
    const auto size = static_cast<std::int64_t>(bytes_.size());
    return gzip_ ? size * kMaxDeflateRatio : size;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::unique_ptr<GzipReader> gzip_;
};

std::uint32_t bigEndian(std::span<const std::uint8_t> bytes, std::size_t word) {
  const std::uint8_t* b = bytes.data() + word * 4;
  return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | std::uint32_t{b[3]};
}

// Uses huge pages if the system has them: touching 47 MB in small pages takes as long as a tenth of the unpacking.
std::vector<std::uint8_t> zeros(std::size_t count) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(count);
  adviseHugePages(bytes.data(), count);
  bytes.resize(count);
  return bytes;
}

// Returns the bytes of images whose file begins with `begin`; 0 if not packed. Damage is reported when the whole file
// is read.
std::int64_t unpackedBytes(std::span<const std::uint8_t> begin) {
  std::array<std::uint8_t, 8> header{};
  try {
    if (!isGzip(begin) || GzipReader(begin, {}).read(header) != header.size()) return 0;
  } catch (const UserError&) {
    return 0;
  }
  return std::min<std::int64_t>(bigEndian(header, 1), kMaxExamples) * kPixelsPerImage;
}

}  // namespace

std::int64_t idxHeaderBytes(IdxKind kind) {
  return kind == IdxKind::Images ? 16 : 8;
}

std::int64_t idxFileBytes(IdxKind kind, std::int64_t count) {
  return idxHeaderBytes(kind) + count * (kind == IdxKind::Images ? kPixelsPerImage : 1);
}

std::vector<std::uint8_t> parseIdx(std::span<const std::uint8_t> bytes, IdxKind kind, const std::string& name,
                                   ReadCount* progress) {
  Source source(bytes, name);
  std::vector<std::uint8_t> header(static_cast<std::size_t>(idxHeaderBytes(kind)));
  if (source.read(header) != header.size()) refuse(name, kind, say::idxShorterThanHeader);

  const std::uint32_t magic = bigEndian(header, 0);
  const std::uint32_t wanted = kind == IdxKind::Images ? kImagesMagic : kLabelsMagic;
  if (magic != wanted) {
    const bool other = magic == (kind == IdxKind::Images ? kLabelsMagic : kImagesMagic);
    refuse(name, kind,
           other ? Message(kind == IdxKind::Images ? say::holdsLabels : say::holdsImages)
                 : Message(say::otherMagic, magic, wanted));
  }
  const std::int64_t count = bigEndian(header, 1);
  if (count == 0) refuse(name, kind, say::noExamplesInFile);
  if (count > kMaxExamples) refuse(name, kind, {say::tooManyExamples, Count{count}, Count{kMaxExamples}});
  if (kind == IdxKind::Images && (bigEndian(header, 2) != 28 || bigEndian(header, 3) != 28))
    refuse(name, kind, {say::otherImageSize, bigEndian(header, 2), bigEndian(header, 3)});

  const std::int64_t expected = idxFileBytes(kind, count) - idxHeaderBytes(kind);
  const auto tooShort = [&](std::int64_t most) {
    refuse(name, kind,
           {say::fewerBytesThanExamples, Count{count}, Count{std::max<std::int64_t>(0, most) / (expected / count)}});
  };
  if (source.mostBytes() < idxFileBytes(kind, count)) tooShort(source.mostBytes() - idxHeaderBytes(kind));
  std::vector<std::uint8_t> content = zeros(static_cast<std::size_t>(expected));
  std::size_t got = 0;
  if (progress != nullptr && kind == IdxKind::Images && isGzip(bytes)) {
    for (std::int64_t image = 0; image < count; image += kImagesAtOnce) {
      const std::int64_t images = std::min(kImagesAtOnce, count - image);
      got += source.read(std::span(content).subspan(static_cast<std::size_t>(image * kPixelsPerImage),
                                                    static_cast<std::size_t>(images * kPixelsPerImage)));
      progress->read(images * kPixelsPerImage);
    }
  } else {
    got = source.read(content);
  }
  if (got != content.size()) tooShort(static_cast<std::int64_t>(got));
  // This read also makes zlib reach the stream's end, where the checksum is.
  std::uint8_t beyond = 0;
  if (source.read({&beyond, 1}) != 0) refuse(name, kind, {say::bytesFollow, Count{count}});

  if (kind == IdxKind::Labels) {
    const auto bad = std::find_if(content.begin(), content.end(), [](std::uint8_t label) { return label > 9; });
    if (bad != content.end()) refuse(name, kind, {say::badLabel, Count{bad - content.begin()}, *bad});
  }
  return content;
}

std::vector<std::uint8_t> readIdx(const std::filesystem::path& path, IdxKind kind, ReadCount* progress) {
  std::int64_t reported = 0;
  const auto watch = [&](std::span<const std::uint8_t> soFar) {
    if (progress == nullptr) return;
    if (kind == IdxKind::Labels) return progress->read(0);
    if (std::error_code error; reported == 0) {
      const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(path, error));
      if (!error) progress->expect(bytes + unpackedBytes(soFar));
    }
    progress->read(std::ssize(soFar) - reported);
    reported = std::ssize(soFar);
  };
  return parseIdx(readFile(path, idxFileBytes(IdxKind::Images, kMaxExamples), watch), kind, path.string(), progress);
}

Examples joinExamples(std::vector<std::uint8_t> pixels, std::vector<std::uint8_t> labels, const std::string& imagesName,
                      const std::string& labelsName) {
  Examples examples;
  examples.count = static_cast<std::int64_t>(labels.size());
  const auto images = static_cast<std::int64_t>(pixels.size()) / kPixelsPerImage;
  if (images != examples.count)
    throw UserError(say::unequalCounts, imagesName, Count{images}, labelsName, Count{examples.count});
  examples.pixels = std::move(pixels);
  examples.labels = std::move(labels);
  return examples;
}

}  // namespace lab
