// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/bad_disk.h"

#include <QFile>

#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace lab::test {
namespace {

constexpr rlim_t kSmallest = 32;  // bytes: less than anything worth writing
constexpr const char* kSize = "size=1m";
constexpr const char* kFiller = "filler";

void limitFiles(rlim_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace

BadDisk::BadDisk(Kind kind) : kind_(kind) {
  if (kind_ == Kind::SizeLimit) {
    std::signal(SIGXFSZ, SIG_IGN);  // without the signal, writing fails with EFBIG
    return;
  }
  if (geteuid() != 0) {
    why_ = QStringLiteral("only root can mount a file system");
  } else if (mount("tmpfs", folder_.path().toLocal8Bit().constData(), "tmpfs", 0, kSize) != 0) {
    why_ = QStringLiteral("a file system cannot be mounted here: ") + QString::fromLocal8Bit(std::strerror(errno));
  } else {
    mounted_ = true;
  }
}

BadDisk::~BadDisk() {
  if (kind_ == Kind::SizeLimit) mendIt();
  if (mounted_) umount2(folder_.path().toLocal8Bit().constData(), MNT_DETACH);
}

const char* BadDisk::words() const {
  return kind_ == Kind::SizeLimit ? "File too large"
         : kind_ == Kind::Full    ? "No space left on device"
                                  : "Read-only file system";
}

bool BadDisk::breakIt() {
  if (kind_ == Kind::SizeLimit) {
    limitFiles(kSmallest);
    return true;
  }
  if (kind_ == Kind::ReadOnly)
    return mount("tmpfs", folder_.path().toLocal8Bit().constData(), "tmpfs", MS_REMOUNT | MS_RDONLY, kSize) == 0;
  QFile filler(path(kFiller));
  if (!filler.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) return false;
  const QByteArray piece(4096, 'x');
  while (filler.write(piece) == piece.size()) {
  }
  return true;
}

void BadDisk::mendIt() {
  const QByteArray folder = folder_.path().toLocal8Bit();
  if (kind_ == Kind::SizeLimit) limitFiles(RLIM_INFINITY);
  if (kind_ == Kind::ReadOnly) mount("tmpfs", folder.constData(), "tmpfs", MS_REMOUNT, kSize);
  if (kind_ == Kind::Full) QFile::remove(path(kFiller));
}

}  // namespace lab::test
