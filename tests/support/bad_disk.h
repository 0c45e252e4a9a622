// SPDX-License-Identifier: GPL-3.0-or-later
// A folder on a disk that can become full or read-only, and recover. A limit on the size of files acts as a full disk
// and needs no rights; a disk that is really full or read-only is a file system of its own, which only root can mount.
#pragma once

#include <QString>
#include <QTemporaryDir>

namespace lab::test {

class BadDisk {
 public:
  enum class Kind { SizeLimit, Full, ReadOnly };
  explicit BadDisk(Kind kind);  // the disk works at first
  ~BadDisk();
  BadDisk(const BadDisk&) = delete;
  BadDisk& operator=(const BadDisk&) = delete;

  Kind kind() const { return kind_; }
  const QString& whyNot() const { return why_; }  // why this kind is not available here; "" if it is
  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  const char* words() const;  // the operating system's words for this fault
  // Returns false if the system does not allow it: no file may be open for writing when the disk becomes read-only.
  [[nodiscard]] bool breakIt();
  void mendIt();

 private:
  Kind kind_;
  QTemporaryDir folder_;
  QString why_;
  bool mounted_ = false;
};

}  // namespace lab::test
