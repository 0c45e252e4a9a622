// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/class_server/tls.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <fstream>

#include "app/class_server/messages.h"
#include "core/base/error.h"

namespace lab::classes {

namespace ssl = boost::asio::ssl;
using boost::beast::error_code;

namespace {

std::shared_ptr<Tls> newTls(Tls::method method) {
  auto tls = std::make_shared<Tls>(method);
  SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION);
  return tls;
}

bool isIp(const std::string& host) {
  error_code error;
  (void)boost::asio::ip::make_address(host, error);
  return !error;
}

bool isFor(X509* certificate, const std::string& host) {
  if (isIp(host)) return X509_check_ip_asc(certificate, host.c_str(), 0) == 1;
  return X509_check_host(certificate, host.c_str(), host.size(), 0, nullptr) == 1;
}

// OpenSSL has no good message for a missing file.
std::string reasonOf(const error_code& error, const std::string& file) {
  return std::ifstream(file) ? error.message() : "it cannot be opened";
}

}  // namespace

std::shared_ptr<Tls> serverTls(const std::string& certificate, const std::string& key, const std::string& host) {
  auto tls = newTls(Tls::tls_server);
  tls->set_options(Tls::default_workarounds | Tls::no_compression | SSL_OP_NO_RENEGOTIATION);
  error_code error;
  // A key that needs a password is refused, because nobody could be asked for it.
  tls->set_password_callback([](std::size_t, Tls::password_purpose) { return std::string(); }, error);
  tls->use_certificate_chain_file(certificate, error);
  if (error)
    throw UserError(say::classCertificateUnreadable, Option{"certificate"}, File{certificate},
                    reasonOf(error, certificate));
  tls->use_private_key_file(key, Tls::pem, error);
  if (error) throw UserError(say::classKeyUnreadable, Option{"key"}, File{key}, reasonOf(error, key));
  if (!isFor(SSL_CTX_get0_certificate(tls->native_handle()), host))
    throw UserError(say::classCertificateOfAnother, Option{"certificate"}, File{certificate}, host);
  return tls;
}

std::shared_ptr<Tls> clientTls(const std::string& authority) {
  auto tls = newTls(Tls::tls_client);
  error_code error;
  tls->set_default_verify_paths(error);  // a machine without authorities trusts nobody
  if (!authority.empty()) {
    tls->load_verify_file(authority, error);
    if (error)
      throw UserError(say::classCertificateUnreadable, Option{"ca"}, File{authority}, reasonOf(error, authority));
  }
  tls->set_verify_mode(ssl::verify_peer);
  return tls;
}

void Wire::expect(const std::string& host) {
  auto* encrypted = std::get_if<Encrypted>(&stream_);
  if (encrypted == nullptr) return;
  SSL* handle = encrypted->native_handle();
  if (isIp(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handle), host.c_str());
  } else {
    SSL_set1_host(handle, host.c_str());
    SSL_set_tlsext_host_name(handle, host.c_str());
  }
}

std::string Wire::whyNotTrusted() {
  auto* encrypted = std::get_if<Encrypted>(&stream_);
  if (encrypted == nullptr) return {};
  const long result = SSL_get_verify_result(encrypted->native_handle());
  return result == X509_V_OK ? std::string() : X509_verify_cert_error_string(result);
}

}  // namespace lab::classes
