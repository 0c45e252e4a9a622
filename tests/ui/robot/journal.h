// SPDX-License-Identifier: GPL-3.0-or-later
// What the robot is about to do, a line an event with its number and
// the second, written before it is done; and what went wrong. Qt's warnings are
// faults, but for those that are explained in journal.cpp.
#pragma once

#include <QElapsedTimer>
#include <QString>

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>

namespace lab::robot {

class Journal {
 public:
  // "": none is written. From now on it hears Qt's messages. `stops`: the first fault ends the program, with its stack.
  Journal(const QString& path, bool stops);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void next() { ++events_; }
  std::int64_t events() const { return events_; }
  void note(const QString& what);   // of this event
  void fault(const QString& what);  // said once for each text, counted each time. Any thread
  void say(const QString& line);    // to whoever watches, and into the file
  int faults() const { return faults_; }

 private:
  void write(const QString& line);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  QElapsedTimer since_;
  std::mutex mutex_;
  std::int64_t events_ = 0;
  int faults_ = 0;
  const bool stops_;
  std::map<QString, int> said_;
};

}  // namespace lab::robot
