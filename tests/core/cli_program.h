// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the built strategylab-cli as a user would, where no MNIST can be found, and returns what the program printed.
#pragma once

#include <QByteArray>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include "tests/support/patience.h"

namespace lab::test {

struct Ran {
  int code = -1;  // -1: the program did not end by itself
  QByteArray out, err;
};

// An environment in which every place to look for a data set is an empty folder.
inline QProcessEnvironment emptyHome() {
  static const QTemporaryDir home;
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* name : {"HOME", "XDG_DATA_HOME", "KERAS_HOME"}) environment.insert(name, home.path());
  environment.remove("STRATEGYLAB_DATA");
  return environment;
}

inline void prepareCli(QProcess& process) {
  static const QTemporaryDir folder;  // ./data is one of the places where data sets are looked for
  process.setProgram(QStringLiteral(STRATEGYLAB_CLI));
  process.setProcessEnvironment(emptyHome());
  process.setWorkingDirectory(folder.path());
}

// `stdoutFile`: where standard output goes instead of into Ran::out.
inline Ran runCli(const QStringList& arguments, const QString& stdoutFile = {}) {
  QProcess process;
  prepareCli(process);
  process.setArguments(arguments);
  if (!stdoutFile.isEmpty()) process.setStandardOutputFile(stdoutFile);
  process.start();
  Ran ran;
  const bool ended = process.waitForFinished(280'000);
  ran.out = process.readAllStandardOutput();
  ran.err = process.readAllStandardError();
  if (ended && process.exitStatus() == QProcess::NormalExit) ran.code = process.exitCode();
  return ran;
}

// Parses one JSON object per line; returns an empty list if a line is anything else.
inline QList<QJsonObject> jsonLines(const QByteArray& text) {
  QList<QJsonObject> objects;
  for (const QByteArray& line : text.split('\n')) {
    if (line.isEmpty()) continue;
    const QJsonDocument document = QJsonDocument::fromJson(line);
    if (!document.isObject()) return {};
    objects.push_back(document.object());
  }
  return objects;
}

inline QJsonObject jsonDocument(const QByteArray& text) {
  return QJsonDocument::fromJson(text).object();
}

// Returns the processes of a launch and its mpirun, which have the checkpoint folder `mark` in their command lines.
inline QList<qint64> workersWith(const QString& mark) {
  QProcess list;
  list.start(QStringLiteral("pgrep"), {QStringLiteral("-f"), QStringLiteral("strategylab-cli train .*") + mark});
  list.waitForFinished(kPatienceMs);
  QList<qint64> pids;
  for (const QByteArray& line : list.readAllStandardOutput().split('\n'))
    if (!line.isEmpty()) pids.push_back(line.toLongLong());
  return pids;
}

// Returns this worker's process; 0 if there is none. Process numbers need not rise with the workers' numbers.
inline qint64 workerWith(const QString& mark, int worker) {
  const QByteArray rank = "OMPI_COMM_WORLD_RANK=" + QByteArray::number(worker);
  for (const qint64 pid : workersWith(mark)) {
    QFile environment(QStringLiteral("/proc/%1/environ").arg(pid));
    if (environment.open(QIODevice::ReadOnly) && environment.readAll().split('\0').contains(rank)) return pid;
  }
  return 0;
}

}  // namespace lab::test
