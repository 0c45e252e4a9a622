// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of TensorBoard's event files: the parts of protocol buffers' wire format that they need, in TFRecords.
// Sources: https://protobuf.dev/programming-guides/encoding/ and, in TensorFlow, tensorflow/core/lib/io/record_writer.h
// (length, masked CRC of the length, data, masked CRC of the data) and tensorflow/core/lib/hash/crc32c.h (the mask).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lab {

// A message under construction. Fields may come in any order; fields with their type's default may be left out.
class ProtoMessage {
 public:
  ProtoMessage& integer(int field, std::uint64_t value);        // int32, int64, bool, enum; never negative here
  ProtoMessage& real(int field, double value);                  // double
  ProtoMessage& real32(int field, float value);                 // float
  ProtoMessage& bytes(int field, std::string_view value);       // string, bytes
  ProtoMessage& message(int field, const ProtoMessage& value);  // messages and map entries
  const std::string& text() const { return text_; }

 private:
  void varint(std::uint64_t value);
  void key(int field, int type);

  std::string text_;
};

std::uint32_t crc32c(std::string_view bytes);  // Castagnoli's polynomial
std::uint32_t maskedCrc32c(std::string_view bytes);
std::string tfRecord(std::string_view data);

}  // namespace lab
