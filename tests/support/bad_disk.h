// SPDX-License-Identifier: GPL-3.0-or-later
// A folder on a disk that can be full, or read-only, and well again. A full one can be had by anybody, as a limit on
// the size of files; a real one is a file system of its own, for which one must be root.
#pragma once

#include <QString>
#include <QTemporaryDir>

namespace lab::test {

class BadDisk {
 public:
  enum class Kind { SizeLimit, Full, ReadOnly };
  explicit BadDisk(Kind kind);  // well at first
  ~BadDisk();
  BadDisk(const BadDisk&) = delete;
  BadDisk& operator=(const BadDisk&) = delete;

  Kind kind() const { return kind_; }
  const QString& whyNot() const { return why_; }  // why it cannot be had here; "" where it can
  QString path(const char* name) const { return folder_.filePath(QLatin1String(name)); }
  const char* words() const;  // of the system's, for what is wrong with it
  // False where the system does not let it be: no file on it may be open for writing when it becomes read-only.
  [[nodiscard]] bool breakIt();
  void mendIt();

 private:
  Kind kind_;
  QTemporaryDir folder_;
  QString why_;
  bool mounted_ = false;
};

}  // namespace lab::test
