// SPDX-License-Identifier: GPL-3.0-or-later
// The .npy format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "core/data/npz.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/zip.h"
#include "core/data/idx.h"
#include "core/data/messages.h"

namespace lab {
namespace {

constexpr std::int64_t kMaxArchiveBytes = 2 * (kPixelsPerImage + 8) * kMaxExamples;
constexpr std::size_t kMaxHeaderBytes = 1 << 14;  // NumPy's own headers are below 200 bytes
constexpr std::size_t kPieceBytes = 1 << 20;

[[noreturn]] void refuse(const std::string& name, const Message& what) {
  throw UserError(say::notNpz, name, what);
}

struct NpyHeader {
  std::string type, fortranOrder;   // "|u1", "False"
  std::vector<std::int64_t> shape;  // (count, 28, 28) or (count)
};

// Reads an .npy header, {'descr': '|u1', 'fortran_order': False, 'shape': (60000, 28, 28), }, and nothing else that
// Python would allow. Every function returns false if the text does not fit.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : rest_(text) {}

  bool parse(NpyHeader& header) {
    if (!take('{')) return false;
    while (!take('}')) {
      if (!entry(header)) return false;
      if (!take(',') && (rest_.empty() || rest_.front() != '}')) return false;
    }
    skipSpace();
    return rest_.empty() && !header.type.empty() && !header.fortranOrder.empty() && !header.shape.empty();
  }

 private:
  void skipSpace() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size())); }

  bool take(char wanted) {
    skipSpace();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  bool word(std::string& text) {
    skipSpace();
    const std::size_t length = std::min(rest_.find_first_of(" ,:}\n"), rest_.size());
    text = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return length > 0;
  }

  bool quoted(std::string& text) {
    if (!take('\'')) return false;
    const std::size_t end = rest_.find('\'');
    if (end == std::string_view::npos) return false;
    text = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return true;
  }

  bool shape(std::vector<std::int64_t>& sizes) {
    if (!take('(')) return false;
    while (!take(')')) {
      skipSpace();
      std::int64_t size = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (error != std::errc() || size < 0 || sizes.size() == 8) return false;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      sizes.push_back(size);
      if (!take(',') && (rest_.empty() || rest_.front() != ')')) return false;
    }
    return true;
  }

  // Reads an entry; a key may only occur once.
  bool entry(NpyHeader& header) {
    std::string key;
    if (!quoted(key) || !take(':')) return false;
    if (key == "descr") return header.type.empty() && quoted(header.type);
    if (key == "fortran_order") return header.fortranOrder.empty() && word(header.fortranOrder);
    if (key == "shape") return header.shape.empty() && shape(header.shape);
    return false;
  }

  std::string_view rest_;
};

class Archive {
 public:
  Archive(std::span<const std::uint8_t> bytes, const std::string& name) : name_(name) {
    ZipError error;
    archive_ = openZip(zip_source_buffer_create(bytes.data(), bytes.size(), 0, error.get()), error);
    if (archive_ == nullptr) refuse(name, {say::notZip, error.text()});
  }

  // Returns 0 if the array is missing.
  std::int64_t bytesOf(const std::string& array) {
    zip_stat_t entry;
    zip_stat_init(&entry);
    if (zip_stat(archive_.get(), (array + ".npy").c_str(), 0, &entry) != 0 || (entry.valid & ZIP_STAT_SIZE) == 0)
      return 0;
    return std::min(static_cast<std::int64_t>(entry.size), kPixelsPerImage * kMaxExamples);
  }

  // Reads the array's bytes, checked against the header's shape and the zip's checksum.
  std::vector<std::uint8_t> read(const std::string& array, IdxKind kind, ReadCount* progress) {
    const std::string label = array + ".npy";
    const zip_int64_t index = zip_name_locate(archive_.get(), label.c_str(), 0);
    if (index < 0) refuse(name_, {say::noArray, array});
    file_.reset(zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
    if (!file_) refuse(name_, {say::arrayUnreadable, array, zip_strerror(archive_.get())});

    const NpyHeader header = readHeader(array);
    const bool images = kind == IdxKind::Images;
    const bool wide = !images && header.type == "<i8";
    if (header.type != "|u1" && !wide)
      refuse(name_, {say::arrayType, array, header.type, (images ? "'|u1'." : "'|u1' or '<i8'.")});
    if (header.fortranOrder != "False") refuse(name_, {say::arrayOrder, array});
    const std::vector<std::int64_t>& shape = header.shape;
    if (images ? shape.size() != 3 || shape[1] != 28 || shape[2] != 28 : shape.size() != 1)
      refuse(name_, {say::arrayShape, array, (images ? "(count, 28, 28)." : "(count).")});
    const std::int64_t count = shape[0];
    if (count < 1 || count > kMaxExamples)
      refuse(name_, {say::arrayExamples, array, Count{count}, Count{kMaxExamples}});

    std::vector<std::uint8_t> content = readContent(array,
                                                    count * (images ? kPixelsPerImage
                                                             : wide ? 8
                                                                    : 1),
                                                    images ? progress : nullptr);
    return images ? content : toLabels(content, wide, array);
  }

 private:
  std::size_t readSome(std::span<std::uint8_t> out, const std::string& array) {
    std::size_t done = 0;
    while (done < out.size()) {
      const zip_int64_t got = zip_fread(file_.get(), out.data() + done, out.size() - done);
      if (got < 0) refuse(name_, {say::arrayDamaged, array, zip_file_strerror(file_.get())});
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }

  NpyHeader readHeader(const std::string& array) {
    const auto readAll = [&](std::span<std::uint8_t> out) {
      if (readSome(out, array) != out.size()) refuse(name_, {say::arrayShorterThanHeader, array});
    };
    std::uint8_t start[8];
    readAll(start);
    constexpr std::uint8_t kMagic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    const int version = start[6];
    if (!std::equal(std::begin(kMagic), std::end(kMagic), start) || version < 1 || version > 3)
      refuse(name_, {say::notNpy, array});
    std::uint8_t lengthBytes[4] = {};  // little-endian, two bytes in version 1
    readAll(std::span(lengthBytes).first(version == 1 ? 2 : 4));
    std::size_t length = 0;
    for (int i = 3; i >= 0; --i) length = length << 8 | lengthBytes[i];
    if (length > kMaxHeaderBytes)
      refuse(name_, {say::arrayHeaderBytes, array, Count{static_cast<std::int64_t>(length)}});
    std::vector<std::uint8_t> text(length);
    readAll(text);
    NpyHeader header;
    if (!HeaderText({reinterpret_cast<const char*>(text.data()), text.size()}).parse(header))
      refuse(name_, {say::arrayHeaderUnreadable, array});
    return header;
  }

  // Memory grows with the bytes that the archive really contains, and exceeds them by at most one piece.
  std::vector<std::uint8_t> readContent(const std::string& array, std::int64_t wanted, ReadCount* progress) {
    const auto total = static_cast<std::size_t>(wanted);
    std::vector<std::uint8_t> content;
    while (content.size() < total) {
      const std::size_t before = content.size();
      const std::size_t piece = std::min(kPieceBytes, total - before);
      content.resize(before + piece);
      if (readSome(std::span(content).subspan(before), array) != piece)
        refuse(name_, {say::arrayShorterThanShape, array});
      if (progress != nullptr) progress->read(static_cast<std::int64_t>(piece));
    }
    std::uint8_t beyond = 0;  // reading to the end also makes libzip compare the checksum
    if (readSome({&beyond, 1}, array) != 0) refuse(name_, {say::arrayLongerThanShape, array});
    return content;
  }

  std::vector<std::uint8_t> toLabels(const std::vector<std::uint8_t>& content, bool wide, const std::string& array) {
    const std::size_t step = wide ? 8 : 1;
    std::vector<std::uint8_t> labels(content.size() / step);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      const auto number = content.begin() + static_cast<std::ptrdiff_t>(i * step);
      labels[i] = *number;
      const bool highBytesClear = std::all_of(number + 1, number + static_cast<std::ptrdiff_t>(step),
                                              [](std::uint8_t byte) { return byte == 0; });
      if (labels[i] > 9 || !highBytesClear)
        refuse(name_, {say::arrayLabel, array, Count{static_cast<std::int64_t>(i)}});
    }
    return labels;
  }

  std::string name_;
  ZipArchive archive_;
  ZipPart file_;
};

}  // namespace

TrainAndTest parseNpz(std::span<const std::uint8_t> bytes, const std::string& name, ReadCount* progress) {
  Archive archive(bytes, name);
  if (progress != nullptr)
    for (const char* images : {"x_train", "x_test"}) progress->expect(archive.bytesOf(images));
  const auto pair = [&](const std::string& which) {
    auto pixels = archive.read("x_" + which, IdxKind::Images, progress);
    auto labels = archive.read("y_" + which, IdxKind::Labels, nullptr);
    return joinExamples(std::move(pixels), std::move(labels), name + ": x_" + which, name + ": y_" + which);
  };
  TrainAndTest both;
  both.train = pair("train");
  both.test = pair("test");
  return both;
}

TrainAndTest readNpz(const std::filesystem::path& path, ReadCount* progress) {
  const auto watch = [progress](std::span<const std::uint8_t>) {
    if (progress != nullptr) progress->read(0);
  };
  return parseNpz(readFile(path, kMaxArchiveBytes, watch), path.string(), progress);
}

}  // namespace lab
