// SPDX-License-Identifier: GPL-3.0-or-later
// Checksums computed by OpenSSL, in lower-case hexadecimal.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lab {

enum class DigestKind {
  Sha256,
  Md5,  // for archives whose publisher offers nothing better; UserError on a system in FIPS mode, which lacks MD5
};

// Takes data piece by piece; hex() finishes the digest.
class Digest {
 public:
  explicit Digest(DigestKind kind);
  ~Digest();
  void add(std::span<const std::uint8_t> bytes);
  std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string hexDigest(DigestKind kind, std::span<const std::uint8_t> bytes);

}  // namespace lab
