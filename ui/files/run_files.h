// SPDX-License-Identifier: GPL-3.0-or-later
// The kept runs and their files: a recording or curves that were read join them, and their numbers are written as a
// recording.
#pragma once

#include <QObject>
#include <QString>

#include <vector>

#include "core/base/message.h"
#include "ui/runview/background.h"

namespace lab {

class RunLibrary;
struct CsvRun;
struct KeptRun;

class RunFiles final : public QObject {
  Q_OBJECT

 public:
  explicit RunFiles(RunLibrary& library, QObject* parent = nullptr);

  void add(KeptRun run, const Message& fault);                // of a recording
  void add(std::vector<CsvRun> curves, const QString& path);  // of a table
  // Writes the numbers of a kept run as a run file, in the background.
  void save(int run, const QString& path);
  // The same at once. Throws UserError on failure.
  static void write(const KeptRun& run, const QString& name, const QString& path);

 Q_SIGNALS:
  void joined();  // by either add()
  void said(const QString& text, bool failure);

 private:
  RunLibrary& library_;
  Background background_;  // the last member: it ends first
};

}  // namespace lab
