// SPDX-License-Identifier: GPL-3.0-or-later
// Workers of a class on this machine. Each is a process of its own that runs strategylab-class, started as
// `strategylab-cli join` does.
#pragma once

#include <QProcess>
#include <QString>

#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/patience.h"

namespace lab::test {

class ClassWorkers {
 public:
  // `silenceMs`: a worker that hears nothing from the class for this long tries to join again.
  explicit ClassWorkers(QString program, int silenceMs = 15'000)
      : program_(std::move(program)), silenceMs_(silenceMs) {}
  ~ClassWorkers() {
    for (const auto& each : workers_) {
      each->kill();
      each->waitForFinished(kPatienceMs);
    }
  }
  ClassWorkers(const ClassWorkers&) = delete;
  ClassWorkers& operator=(const ClassWorkers&) = delete;

  void join(const std::string& link, const std::string& nickname = "") {
    auto worker = std::make_unique<QProcess>();
    worker->setStandardOutputFile(QProcess::nullDevice());
    worker->setStandardErrorFile(QProcess::nullDevice());
    worker->start(program_, {QStringLiteral("join")});
    worker->write(QByteArray::fromStdString(
        "{\"link\":\"" + link + "\",\"name\":\"" + nickname +
        "\",\"threads\":1,\"patienceMs\":30000,\"silenceMs\":" + std::to_string(silenceMs_) + "}\n"));
    worker->waitForBytesWritten(kPatienceMs);
    workers_.push_back(std::move(worker));
  }

  void kill(std::size_t worker) { workers_.at(worker)->kill(); }

 private:
  const QString program_;
  const int silenceMs_;
  std::vector<std::unique_ptr<QProcess>> workers_;
};

}  // namespace lab::test
