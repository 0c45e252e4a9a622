// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/download.h"

#include <curl/curl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>
#include <system_error>

#include "core/base/ascii.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/messages.h"
#include "core/base/platform.h"
#include "core/data/messages.h"

namespace lab {
namespace {

namespace fs = std::filesystem;

struct CloseCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
};
struct CloseStdio {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

[[noreturn]] void failWriting(const fs::path& part, int error) {
  errno = error;  // restored, because libcurl has changed it since
  throw UserError(UserError::Kind::Run, say::cannotDownloadTo, part, lastSystemError());
}

// One transfer. libcurl calls its static functions, which must not throw: they store an error, which is reported after
// libcurl has returned.
class Transfer {
 public:
  Transfer(const std::string& url, const fs::path& part, const DownloadLimits& limits, const DownloadProgress& progress,
           std::stop_token stop)
      : part_(part), limits_(limits), progress_(progress), stop_(std::move(stop)), curl_(curl_easy_init()) {
    LAB_CHECK(curl_ != nullptr);
    open("ab");
    std::error_code error;
    start_ = size_ = static_cast<std::int64_t>(fs::file_size(part_, error));
    if (error || size_ >= limits_.maxBytes) restart();
    if (writeFailed_) failWriting(part_, writeError_);

    set(CURLOPT_URL, url.c_str());
    set(CURLOPT_USERAGENT, "StrategyLab");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // a stop does not wait for a name server that is lost
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, 5L);
    set(CURLOPT_PROTOCOLS_STR, "http,https,file");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(limits_.connectTimeout.count()));
    set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(limits_.maxBytes));
    set(CURLOPT_ERRORBUFFER, errorText_);
    set(CURLOPT_WRITEFUNCTION, &Transfer::onBytes);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_HEADERFUNCTION, &Transfer::onHeader);
    set(CURLOPT_HEADERDATA, this);
    // This variable, also used by OpenSSL and curl, names certificate authorities that this libcurl would not find.
    if (const char* authorities = std::getenv("SSL_CERT_FILE"); authorities != nullptr && *authorities != '\0')
      set(CURLOPT_CAINFO, authorities);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Transfer::onProgress);
    set(CURLOPT_XFERINFODATA, this);
    // CURLOPT_RESUME_FROM would make it an error if a server ignores ranges; here it is a reason to start over.
    if (start_ > 0) set(CURLOPT_RANGE, (std::to_string(start_) + "-").c_str());
  }

  DownloadResult run() {
    const CURLcode code = curl_easy_perform(curl_.get());
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    if (thrown_) std::rethrow_exception(thrown_);
    if (!writeFailed_ && file_ != nullptr) {
      errno = 0;
      noteWrite(std::fflush(file_.get()) == 0 && flushToDisk(file_.get()));
    }
    if (writeFailed_) failWriting(part_, writeError_);

    DownloadResult result;
    result.resumed = start_ > 0;
    constexpr long kRangeNotSatisfiable = 416;
    if (code == CURLE_OK) {
      if (progress_) progress_(size_, size_);
      result.end = DownloadResult::End::Complete;
    } else if (stop_.stop_requested()) {
      result.end = DownloadResult::End::Stopped;
    } else if (result.resumed && status == kRangeNotSatisfiable) {
      result.end = DownloadResult::End::Complete;  // nothing beyond: complete, or another file's part
    } else if (tooLong_ || code == CURLE_FILESIZE_EXCEEDED) {
      result.reason = {say::downloadTooLarge, Bytes{limits_.maxBytes}};
    } else if (wrongRange_) {
      result.reason = say::otherPart;
    } else if (webPage_) {
      result.reason = say::webPageCame;
    } else if (status >= 400) {
      result.reason = {say::serverAnswered, status};
    } else if (stalled_) {
      result.reason = {say::nothingArrived, limits_.stallTimeout.count()};
    } else {
      result.reason = {say::verbatim, errorText_[0] != '\0' ? errorText_ : curl_easy_strerror(code)};
    }
    return result;
  }

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    LAB_CHECK(curl_easy_setopt(curl_.get(), option, value) == CURLE_OK);
  }

  // Watches the last byte, as libcurl's own low-speed limit averages over five seconds. Called about once a second when
  // nothing happens. Until the request is sent, the connection's own time limit applies.
  bool stalled() {
    const auto now = std::chrono::steady_clock::now();
    curl_off_t requestedUs = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_PRETRANSFER_TIME_T, &requestedUs);
    if (requestedUs == 0) lastByte_ = now;
    return now - lastByte_ > limits_.stallTimeout;
  }

  void open(const char* mode) {
    errno = 0;
    file_.reset(std::fopen(part_.string().c_str(), mode));
    noteWrite(file_ != nullptr);
  }

  void noteWrite(bool done) {
    writeFailed_ = !done;
    writeError_ = errno;
  }

  void restart() {
    file_.reset();
    open("wb");
    start_ = size_ = 0;
  }

  // At the first byte of the answer, decides whether it continues the file or is the whole file again. A network that
  // asks for a login sends its page in place of any file; the part is kept for when the file itself comes.
  bool place(bool isMarkup) {
    long status = 0;
    curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
    constexpr long kPartialContent = 206;
    if (status == kPartialContent) {
      wrongRange_ = rangeStart_ != start_;
      return !wrongRange_;
    }
    webPage_ = isMarkup && status != 0;
    if (webPage_) return false;
    if (start_ > 0 && status != 0) restart();  // 0: a file address, which has no status and does continue
    return !writeFailed_;
  }

  std::size_t take(const char* bytes, std::size_t count) {
    if (!placed_ && !place(std::string_view(bytes, count).starts_with('<'))) return 0;
    placed_ = true;
    if (size_ + static_cast<std::int64_t>(count) > limits_.maxBytes) {
      tooLong_ = true;
      return 0;
    }
    errno = 0;
    if (std::fwrite(bytes, 1, count, file_.get()) != count) {
      noteWrite(false);
      return 0;
    }
    size_ += static_cast<std::int64_t>(count);
    lastByte_ = std::chrono::steady_clock::now();
    return count;
  }

  // Reads "Content-Range: bytes 100-199/200"; each answer in a chain of redirections starts anew.
  void header(std::string_view line) {
    lastByte_ = std::chrono::steady_clock::now();
    static constexpr std::string_view kName = "content-range:";
    if (line.starts_with("HTTP/")) rangeStart_ = 0;
    if (line.size() < kName.size() ||
        !std::equal(kName.begin(), kName.end(), line.begin(), [](char a, char b) { return a == lowerAscii(b); }))
      return;
    const std::size_t digits = std::min(line.find_first_of("0123456789"), line.size());
    std::from_chars(line.data() + digits, line.data() + line.size(), rangeStart_);
  }

  static std::size_t onBytes(char* bytes, std::size_t one, std::size_t count, void* self) {
    return static_cast<Transfer*>(self)->take(bytes, one * count);
  }

  static std::size_t onHeader(char* bytes, std::size_t one, std::size_t count, void* self) {
    static_cast<Transfer*>(self)->header({bytes, one * count});
    return one * count;
  }

  static int onProgress(void* self, curl_off_t total, curl_off_t, curl_off_t, curl_off_t) {
    auto& transfer = *static_cast<Transfer*>(self);
    if (transfer.stop_.stop_requested()) return 1;
    transfer.stalled_ = transfer.stalled();
    if (transfer.stalled_) return 1;
    try {
      if (transfer.placed_ && transfer.progress_)
        transfer.progress_(transfer.size_, total > 0 ? transfer.start_ + total : -1);
      return 0;
    } catch (...) {
      transfer.thrown_ = std::current_exception();
      return 1;
    }
  }

  const fs::path& part_;
  const DownloadLimits& limits_;
  const DownloadProgress& progress_;
  std::stop_token stop_;
  std::unique_ptr<CURL, CloseCurl> curl_;
  std::unique_ptr<std::FILE, CloseStdio> file_;
  std::int64_t start_ = 0, size_ = 0;  // bytes of earlier calls; bytes in the file now
  std::int64_t rangeStart_ = 0;
  int writeError_ = 0;
  bool placed_ = false, wrongRange_ = false, webPage_ = false, tooLong_ = false, writeFailed_ = false, stalled_ = false;
  std::chrono::steady_clock::time_point lastByte_ = std::chrono::steady_clock::now();
  std::exception_ptr thrown_;
  char errorText_[CURL_ERROR_SIZE] = {};
};

}  // namespace

DownloadResult download(const std::string& url, const fs::path& part, const DownloadLimits& limits,
                        const DownloadProgress& progress, std::stop_token stop) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  LAB_CHECK(started == CURLE_OK);
  return Transfer(url, part, limits, progress, std::move(stop)).run();
}

}  // namespace lab
