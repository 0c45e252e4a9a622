// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/checksum.h"

#include <openssl/evp.h>

#include "core/base/error.h"

namespace lab {
namespace {

std::string hexDigest(std::span<const std::uint8_t> bytes, const EVP_MD* algorithm, const char* name) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  // A system in FIPS mode has no MD5.
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &length, algorithm, nullptr) != 1)
    throw UserError(std::string("this system's OpenSSL refuses to compute ") + name +
                        " checksums. Allow it in OpenSSL's configuration, or compare the files by other means.",
                    UserError::Kind::Run);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < length; ++i) {
    text += kDigits[digest[i] >> 4];
    text += kDigits[digest[i] & 15];
  }
  return text;
}

}  // namespace

std::string sha256Hex(std::span<const std::uint8_t> bytes) {
  return hexDigest(bytes, EVP_sha256(), "SHA-256");
}
std::string md5Hex(std::span<const std::uint8_t> bytes) {
  return hexDigest(bytes, EVP_md5(), "MD5");
}

}  // namespace lab
