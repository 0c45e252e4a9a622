// SPDX-License-Identifier: GPL-3.0-or-later
// Helpers for reading a zip with libzip: owners of its handles, and its errors as text.
#pragma once

#include <zip.h>

#include <memory>
#include <string>

namespace lab {

// Owns a zip error and its text.
class ZipError {
 public:
  ZipError() { zip_error_init(&error_); }
  ~ZipError() { zip_error_fini(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  zip_error_t* get() { return &error_; }
  std::string text() { return zip_error_strerror(&error_); }

 private:
  zip_error_t error_;
};

struct DiscardZip {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseZipPart {
  void operator()(zip_file_t* part) const { zip_fclose(part); }
};
using ZipArchive = std::unique_ptr<zip_t, DiscardZip>;
using ZipPart = std::unique_ptr<zip_file_t, CloseZipPart>;  // must be closed before its archive

// Opens a zip for reading; takes over `source`, which may be null. Returns null if it is not a zip; `error` says why.
inline ZipArchive openZip(zip_source_t* source, ZipError& error) {
  if (source == nullptr) return nullptr;
  ZipArchive archive(zip_open_from_source(source, ZIP_RDONLY, error.get()));
  if (archive == nullptr) zip_source_free(source);
  return archive;
}

}  // namespace lab
