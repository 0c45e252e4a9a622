// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiments/event_records.h"

#include <array>
#include <bit>

namespace lab {
namespace {

constexpr int kVarint = 0, kFixed64 = 1, kLengthDelimited = 2, kFixed32 = 5;

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  constexpr std::uint32_t kReflectedPolynomial = 0x82f63b78;
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ ((rest & 1) != 0 ? kReflectedPolynomial : 0);
    table[byte] = rest;
  }
  return table;
}();

template <typename Bits>
void appendLittleEndian(std::string& text, Bits bits) {
  for (std::size_t i = 0; i < sizeof bits; ++i, bits >>= 8) text += static_cast<char>(bits & 0xff);
}

}  // namespace

void ProtoMessage::varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7f) | 0x80);
  text_ += static_cast<char>(value);
}

void ProtoMessage::key(int field, int type) {
  varint(static_cast<std::uint64_t>(field) << 3 | static_cast<std::uint64_t>(type));
}

ProtoMessage& ProtoMessage::integer(int field, std::uint64_t value) {
  key(field, kVarint);
  varint(value);
  return *this;
}

ProtoMessage& ProtoMessage::real(int field, double value) {
  key(field, kFixed64);
  appendLittleEndian(text_, std::bit_cast<std::uint64_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::real32(int field, float value) {
  key(field, kFixed32);
  appendLittleEndian(text_, std::bit_cast<std::uint32_t>(value));
  return *this;
}

ProtoMessage& ProtoMessage::bytes(int field, std::string_view value) {
  key(field, kLengthDelimited);
  varint(value.size());
  text_ += value;
  return *this;
}

ProtoMessage& ProtoMessage::message(int field, const ProtoMessage& value) {
  return bytes(field, value.text_);
}

std::uint32_t crc32c(std::string_view bytes) {
  std::uint32_t rest = ~0U;
  for (const char c : bytes) rest = kCrcTable[(rest ^ static_cast<unsigned char>(c)) & 0xff] ^ rest >> 8;
  return ~rest;
}

std::uint32_t maskedCrc32c(std::string_view bytes) {
  return std::rotr(crc32c(bytes), 15) + 0xa282ead8U;
}

std::string tfRecord(std::string_view data) {
  std::string record;
  appendLittleEndian(record, static_cast<std::uint64_t>(data.size()));
  appendLittleEndian(record, maskedCrc32c(record));
  record += data;
  appendLittleEndian(record, maskedCrc32c(data));
  return record;
}

}  // namespace lab
