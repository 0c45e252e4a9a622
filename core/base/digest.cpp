// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/digest.h"

#include <openssl/evp.h>

#include <array>

#include "core/base/error.h"

namespace lab {

struct Digest::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Digest::Digest(DigestKind kind) : state_(std::make_unique<State>()) {
  const EVP_MD* algorithm = kind == DigestKind::Sha256 ? EVP_sha256() : EVP_md5();
  LAB_CHECK(state_->context != nullptr && EVP_DigestInit_ex(state_->context, algorithm, nullptr) == 1);
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

std::string sha256(std::span<const std::uint8_t> bytes) {
  Digest digest(DigestKind::Sha256);
  digest.add(bytes);
  return digest.hex();
}

}  // namespace lab
