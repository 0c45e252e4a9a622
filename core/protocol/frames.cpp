// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/frames.h"

#include <bit>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "core/base/error.h"

namespace lab::serving {

static_assert(std::endian::native == std::endian::little, "frames are written as they lie in memory");

bool isShowable(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto at = [&](std::size_t k) { return static_cast<std::uint8_t>(text[k]); };
    const std::uint8_t lead = at(i);
    const std::size_t length = lead < 0x80   ? 1
                               : lead < 0xC2 ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || i + length > text.size() || (length == 1 && (lead < 0x20 || lead == 0x7F))) return false;
    std::uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      if ((at(i + k) & 0xC0) != 0x80) return false;
      code = (code << 6) | (at(i + k) & 0x3F);
    }
    constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) || (code >= 0x80 && code < 0xA0))
      return false;
    if ((code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)) return false;
    i += length;
  }
  return true;
}

namespace {

// A path's name is shown in a tool tip, which takes what looks like HTML for HTML.
bool isPath(std::string_view text) {
  for (const char c : text)
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_') return false;
  return true;
}

bool isNetwork(std::string_view text) {
  for (const char c : text)
    if (c != '\n' && (c < 0x20 || c > 0x7E)) return false;
  return true;
}

class Writer {
 public:
  static constexpr bool kReads = false;

  explicit Writer(FrameBytes& bytes) : bytes_(bytes) {}

  template <typename Number>
  void number(const Number& value) {
    static_assert(std::is_trivially_copyable_v<Number>);
    append(&value, sizeof value);
  }
  void text(const std::string& text, std::size_t most, bool (*isAllowed)(std::string_view)) {
    LAB_CHECK(text.size() <= most && isAllowed(text));
    number(static_cast<std::uint16_t>(text.size()));
    append(text.data(), text.size());
  }
  template <typename Value>
  void values(const std::vector<Value>& values, std::size_t count, std::size_t most) {
    LAB_CHECK(values.size() == count && count <= most);
    append(values.data(), values.size() * sizeof(Value));
  }
  void check(bool holds) { LAB_CHECK(holds); }

 private:
  void append(const void* from, std::size_t size) {
    const auto* first = static_cast<const std::uint8_t*>(from);
    bytes_.insert(bytes_.end(), first, first + size);
  }

  FrameBytes& bytes_;
};

// Reads fields; fails permanently at the first impossible one.
class Reader {
 public:
  static constexpr bool kReads = true;

  explicit Reader(std::span<const std::uint8_t> left) : left_(left) {}

  template <typename Number>
  void number(Number& value) {
    take(&value, sizeof value);
  }
  void text(std::string& text, std::size_t most, bool (*isAllowed)(std::string_view)) {
    std::uint16_t size = 0;
    number(size);
    check(size <= most && size <= left_.size());
    if (!ok_) return;
    text.resize(size);
    take(text.data(), size);
    check(isAllowed(text));
  }
  template <typename Value>
  void values(std::vector<Value>& values, std::size_t count, std::size_t most) {
    check(count <= most && count * sizeof(Value) <= left_.size());
    if (!ok_) return;
    values.resize(count);
    take(values.data(), count * sizeof(Value));
  }
  void check(bool holds) { ok_ = ok_ && holds; }
  bool isWhole() const { return ok_ && left_.empty(); }

 private:
  void take(void* to, std::size_t size) {
    check(size <= left_.size());
    if (!ok_ || size == 0) return;
    std::memcpy(to, left_.data(), size);
    left_ = left_.subspan(size);
  }

  std::span<const std::uint8_t> left_;
  bool ok_ = true;
};

// Each frame's fields, in order; the same lines write and read them.
template <typename Io>
void sign(Io& io, bool& value) {
  auto byte = static_cast<std::uint8_t>(value ? 1 : 0);
  io.number(byte);
  io.check(byte <= 1);
  value = byte == 1;
}
template <typename Io, typename Choice>
void choice(Io& io, Choice& value, int choices, Choice otherwise) {
  auto byte = static_cast<std::uint8_t>(value);
  io.number(byte);
  io.check(byte < choices);
  if constexpr (Io::kReads) value = byte < choices ? static_cast<Choice>(byte) : otherwise;
}
template <typename Io>
void reason(Io& io, Reason& value) {
  choice(io, value, kReasons, Reason::BadFrame);
}
template <typename Io, typename Value>
std::uint16_t count(Io& io, const std::vector<Value>& values) {
  auto size = static_cast<std::uint16_t>(values.size());
  io.number(size);
  return size;
}

template <typename Io>
void fields(Io& io, Hello& m) {
  io.number(m.protocol);
  io.number(m.token);
  io.text(m.path, kMostPathBytes, isPath);
  io.text(m.name, kMostNameBytes, isShowable);
}
template <typename Io>
void fields(Io&, Pull&) {}
template <typename Io>
void fields(Io& io, Push& m) {
  io.number(m.closure);
  io.number(m.version);
  io.number(m.lossSum);
  io.number(m.correct);
  io.number(m.floats);
  io.number(m.computeNs);
}
template <typename Io>
void fields(Io& io, Asleep& m) {
  sign(io, m.asleep);
}
template <typename Io>
void fields(Io&, Leave&) {}
template <typename Io>
void fields(Io& io, Welcome& m) {
  io.number(m.worker);
  io.text(m.name, kMostNameBytes, isShowable);
  io.text(m.strategy, kMostNameBytes, isShowable);
  io.text(m.network, kMostNetworkBytes, isNetwork);
  io.number(m.seed);
  io.number(m.steps);
  io.number(m.mostExamples);
  sign(io, m.digits);
  io.number(m.weights);
  io.number(m.statistics);
  choice(io, m.wire, kWires, Wire::Float32);
}
template <typename Io>
void fields(Io& io, Pictures& m) {
  io.number(m.pictureBytes);
  io.check(m.pictureBytes > 0 && m.pictureBytes <= kMostPictureBytes);
  const std::size_t pictures = count(io, m.indices);
  io.check(pictures > 0);
  io.values(m.indices, pictures, kMostClosureExamples);
  io.values(m.labels, pictures, kMostClosureExamples);
  io.values(m.pixels, pictures * m.pictureBytes, kMostFrameBytes);
}
template <typename Io>
void fields(Io& io, Closure& m) {
  io.number(m.number);
  io.number(m.step);
  io.number(m.globalOffset);
  io.number(m.scale);
  const std::size_t examples = count(io, m.examples);
  io.check(examples > 0);
  io.values(m.examples, examples, kMostClosureExamples);
}
template <typename Io>
void fields(Io& io, Variables& m) {
  io.number(m.closure);
  io.number(m.version);
  io.number(m.floats);
}
template <typename Io>
void fields(Io& io, Applied& m) {
  io.number(m.closure);
  io.number(m.version);
  io.number(m.staleness);
  io.number(m.loss);
}
template <typename Io>
void fields(Io& io, Refused& m) {
  io.number(m.closure);
  reason(io, m.reason);
}
template <typename Io>
void fields(Io& io, Pause& m) {
  sign(io, m.paused);
}
template <typename Io>
void fields(Io& io, Progress& m) {
  io.number(m.updates);
  io.number(m.workers);
  io.number(m.loss);
}
template <typename Io>
void fields(Io& io, End& m) {
  io.number(m.steps);
}
template <typename Io>
void fields(Io& io, Dropped& m) {
  reason(io, m.reason);
}
template <typename Io>
void fields(Io& io, Chunk& m) {
  io.number(m.first);
  const std::size_t values = count(io, m.values);
  io.check(values > 0);
  io.values(m.values, values, kMostFloatsPerChunk);
}
template <typename Io>
void fields(Io& io, ShortChunk& m) {
  io.number(m.first);
  const std::size_t values = count(io, m.values);
  io.check(values > 0);
  io.values(m.values, values, kMostShortsPerChunk);
}

template <std::size_t kind = 0>
std::optional<Frame> decodeAs(std::uint8_t wanted, std::span<const std::uint8_t> bytes) {
  if constexpr (kind < std::variant_size_v<Frame>) {
    if (wanted != kind) return decodeAs<kind + 1>(wanted, bytes);
    Reader reader(bytes);
    std::variant_alternative_t<kind, Frame> message;
    fields(reader, message);
    if (!reader.isWhole()) return std::nullopt;
    return Frame(std::move(message));
  } else {
    return std::nullopt;
  }
}

constexpr std::uint8_t kChunkKind = 15, kShortChunkKind = 16;
static_assert(std::is_same_v<std::variant_alternative_t<kChunkKind, Frame>, Chunk>);
static_assert(std::is_same_v<std::variant_alternative_t<kShortChunkKind, Frame>, ShortChunk>);
constexpr std::size_t mostPerChunk(Wire wire) {
  return wire == Wire::Bfloat16 ? kMostShortsPerChunk : kMostFloatsPerChunk;
}
constexpr std::size_t kChunkHead = sizeof(std::uint8_t) + sizeof(std::uint32_t) + sizeof(std::uint16_t);

}  // namespace

FrameBytes encode(const Frame& frame) {
  FrameBytes bytes{static_cast<std::uint8_t>(frame.index())};
  Writer writer(bytes);
  // fields() takes a frame that may be written to; the writer only reads it, so a copy is passed.
  std::visit([&writer](auto message) { fields(writer, message); }, frame);
  LAB_CHECK(bytes.size() <= kMostFrameBytes);
  return bytes;
}

FrameBytes encodeChunk(std::uint32_t first, std::span<const float> values, Wire wire) {
  LAB_CHECK(!values.empty() && values.size() <= mostPerChunk(wire));
  FrameBytes bytes{wire == Wire::Bfloat16 ? kShortChunkKind : kChunkKind};
  bytes.reserve(kChunkHead + values.size() * static_cast<std::size_t>(bytesOnWire(wire)));
  Writer writer(bytes);
  writer.number(first);
  writer.number(static_cast<std::uint16_t>(values.size()));
  if (wire == Wire::Bfloat16) {
    bytes.resize(bytes.capacity());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto upper = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(values[i]) >> 16);
      std::memcpy(bytes.data() + kChunkHead + sizeof upper * i, &upper, sizeof upper);
    }
    return bytes;
  }
  const auto raw = std::as_bytes(values);
  const auto* begin = reinterpret_cast<const std::uint8_t*>(raw.data());
  bytes.insert(bytes.end(), begin, begin + raw.size());
  return bytes;
}

std::optional<ChunkView> viewChunk(std::span<const std::uint8_t> bytes) {
  if (bytes.size() <= kChunkHead || (bytes[0] != kChunkKind && bytes[0] != kShortChunkKind)) return std::nullopt;
  ChunkView view{.wire = bytes[0] == kChunkKind ? Wire::Float32 : Wire::Bfloat16, .bytes = bytes.subspan(kChunkHead)};
  std::uint16_t values = 0;
  std::memcpy(&view.first, bytes.data() + 1, sizeof view.first);
  std::memcpy(&values, bytes.data() + 1 + sizeof view.first, sizeof values);
  const std::size_t size = values * static_cast<std::size_t>(bytesOnWire(view.wire));
  if (values > mostPerChunk(view.wire) || size != view.bytes.size()) return std::nullopt;
  return view;
}

void ChunkView::copyTo(float* values) const {
  if (wire == Wire::Float32) {
    std::memcpy(values, bytes.data(), bytes.size());
    return;
  }
  for (std::size_t i = 0; i < count(); ++i) {
    std::uint16_t upper = 0;
    std::memcpy(&upper, bytes.data() + sizeof upper * i, sizeof upper);
    values[i] = std::bit_cast<float>(std::uint32_t{upper} << 16);
  }
}

std::optional<Frame> decode(std::span<const std::uint8_t> bytes) {
  if (bytes.empty() || bytes.size() > kMostFrameBytes) return std::nullopt;
  return decodeAs(bytes.front(), bytes.subspan(1));
}

bool equalInConstantTime(const Token& a, const Token& b) {
  volatile std::uint8_t difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = static_cast<std::uint8_t>(difference | (a[i] ^ b[i]));
  return difference == 0;
}

std::string textOf(const Token& token) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : token) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<Token> tokenFrom(std::string_view text) {
  if (text.size() != 2 * kTokenBytes) return std::nullopt;
  Token token{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return std::nullopt;
    token[i / 2] = static_cast<std::uint8_t>(token[i / 2] << 4 | digit);
  }
  return token;
}

}  // namespace lab::serving
