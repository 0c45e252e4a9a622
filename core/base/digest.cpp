// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"

#include <openssl/evp.h>

#include <array>

#include "core/base/error.h"
#include "core/base/messages.h"

namespace lab {

struct Digest::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Digest::Digest(DigestKind kind) : state_(std::make_unique<State>()) {
  LAB_CHECK(state_->context != nullptr);
  const bool sha = kind == DigestKind::Sha256;
  if (EVP_DigestInit_ex(state_->context, sha ? EVP_sha256() : EVP_md5(), nullptr) != 1)
    throw UserError(UserError::Kind::Run, say::checksumRefused, (sha ? "SHA-256" : "MD5"));
}

Digest::~Digest() = default;

void Digest::add(std::span<const std::uint8_t> bytes) {
  LAB_CHECK(EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) == 1);
}

std::string Digest::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
  unsigned length = 0;
  LAB_CHECK(EVP_DigestFinal_ex(state_->context, value.data(), &length) == 1);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (unsigned i = 0; i < length; ++i) {
    text += kDigits[value[i] >> 4];
    text += kDigits[value[i] & 15];
  }
  return text;
}

std::string hexDigest(DigestKind kind, std::span<const std::uint8_t> bytes) {
  Digest digest(kind);
  digest.add(bytes);
  return digest.hex();
}

}  // namespace lab
