// SPDX-License-Identifier: GPL-3.0-or-later
// What the robot is about to do, one line per event with its number and the second, written before the event; and what
// went wrong. Qt's warnings are faults, except those that journal.cpp explains.
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
  // `path`: "" writes no file. From now on the journal receives Qt's messages. `stops`: the first fault ends the
  // program.
  Journal(const QString& path, bool stops);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void next() { ++events_; }
  std::int64_t events() const { return events_; }
  void note(const QString& what);   // belongs to this event
  void fault(const QString& what);  // printed once for each text, counted each time. Any thread
  void say(const QString& line);    // prints to the terminal and into the file
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
