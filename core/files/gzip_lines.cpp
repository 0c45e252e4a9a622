// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/gzip_lines.h"

#include <zlib.h>

#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/data/gzip.h"
#include "core/files/messages.h"

namespace lab {
namespace {

constexpr int kGzip = 15 + 16;  // zlib's window bits for its largest window, with gzip's header and trailer
constexpr std::size_t kPieceBytes = std::size_t{1} << 16;
constexpr std::int64_t kHeldBack = std::int64_t{1} << 20;  // more than zlib holds back of its input

}  // namespace

struct GzipLineWriter::Stream {
  Stream(const std::filesystem::path& path, const LineLimits& itsLimits)
      : file(path), limits(itsLimits), out(kPieceBytes) {
    LAB_CHECK(deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~Stream() { deflateEnd(&z); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void compress(std::string_view text, int flush) {
    while (!text.empty() || flush == Z_FINISH) {
      const std::string_view piece = text.substr(0, kPieceBytes);
      text.remove_prefix(piece.size());
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));  // zlib only reads it
      z.avail_in = static_cast<uInt>(piece.size());
      do {
        z.next_out = reinterpret_cast<Bytef*>(out.data());
        z.avail_out = static_cast<uInt>(out.size());
        LAB_CHECK(deflate(&z, flush) != Z_STREAM_ERROR);
        file.write({out.data(), out.size() - z.avail_out});
        fileBytes += static_cast<std::int64_t>(out.size() - z.avail_out);
      } while (z.avail_out == 0);
      if (flush == Z_FINISH) return;
    }
  }

  PartFile file;
  const LineLimits limits;
  std::int64_t textBytes = 0, lines = 0, fileBytes = 0;
  z_stream z{};
  std::vector<char> out;
};

GzipLineWriter::GzipLineWriter(const std::filesystem::path& path, const LineLimits& limits)
    : stream_(std::make_unique<Stream>(path, limits)) {}

GzipLineWriter::~GzipLineWriter() = default;

bool GzipLineWriter::hasRoom(std::int64_t lineBytes, double share) const {
  const Stream& s = *stream_;
  const auto within = [share](std::int64_t used, std::int64_t limit) {
    return static_cast<double>(used) <= share * static_cast<double>(limit);
  };
  // Counts compressed text that is not written yet, and the line as if it did not shrink at all.
  return lineBytes <= s.limits.lineBytes && within(s.textBytes + lineBytes + 1, s.limits.textBytes) &&
         within(s.lines + 1, s.limits.lines) && within(s.fileBytes + kHeldBack + lineBytes, s.limits.fileBytes);
}

void GzipLineWriter::write(std::string_view line) {
  LAB_CHECK(hasRoom(std::ssize(line)));
  stream_->textBytes += std::ssize(line) + 1;
  ++stream_->lines;
  stream_->compress(line, Z_NO_FLUSH);
  stream_->compress("\n", Z_NO_FLUSH);
}

void GzipLineWriter::finish() {
  stream_->compress({}, Z_FINISH);
  stream_->file.finish();
}

void forEachGzipLine(std::span<const std::uint8_t> bytes, const std::string& name, const LineLimits& limits,
                     const std::function<void(std::string_view, std::int64_t)>& line, bool* cutOff,
                     const ReadWatch& watch) {
  const auto fail = [&](const Message& what) { throw UserError(say::linesOf, name, what); };
  const auto failBehindWholeLines = [&](const Message& what) {
    if (cutOff != nullptr) *cutOff = true;
    fail(what);
  };
  if (!isGzip(bytes)) fail(say::linesNotGzip);
  LAB_CHECK(bytes.size() < (std::size_t{1} << 32));

  struct Inflater {
    Inflater() { LAB_CHECK(inflateInit2(&z, kGzip) == Z_OK); }
    ~Inflater() { inflateEnd(&z); }
    z_stream z{};
  } inflater;
  z_stream& z = inflater.z;
  z.next_in = const_cast<Bytef*>(bytes.data());
  z.avail_in = static_cast<uInt>(bytes.size());

  std::vector<char> piece(kPieceBytes);
  std::string pending;  // the unfinished line
  std::int64_t number = 0, total = 0;
  for (int status = Z_OK; status != Z_STREAM_END;) {
    z.next_out = reinterpret_cast<Bytef*>(piece.data());
    z.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&z, Z_NO_FLUSH);
    std::string_view text(piece.data(), piece.size() - z.avail_out);
    const bool endsEarly = status == Z_BUF_ERROR || (status == Z_OK && z.avail_in == 0 && z.avail_out != 0);
    if (!endsEarly && status != Z_OK && status != Z_STREAM_END) fail(say::linesDamaged);
    total += static_cast<std::int64_t>(text.size());
    if (total > limits.textBytes) failBehindWholeLines({say::linesTooLong, Bytes{limits.textBytes}});
    for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
      pending += text.substr(0, end);
      if (++number > limits.lines) failBehindWholeLines({say::tooManyLines, Count{limits.lines}});
      line(pending, number);
      pending.clear();
    }
    pending += text;
    if (static_cast<std::int64_t>(pending.size()) > limits.lineBytes)
      failBehindWholeLines({say::lineTooLong, number + 1, Bytes{limits.lineBytes}});
    if (watch) watch(std::ssize(bytes) - static_cast<std::int64_t>(z.avail_in));
    if (endsEarly) failBehindWholeLines(say::linesEndEarly);  // its whole lines have been passed on
  }
  if (z.avail_in != 0) failBehindWholeLines(say::linesGoOn);
  if (!pending.empty()) failBehindWholeLines(say::endsInsideLine);
}

}  // namespace lab
