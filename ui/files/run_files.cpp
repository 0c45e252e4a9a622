// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/run_files.h"

#include <QFileInfo>

#include <utility>

#include "core/files/experiment_file.h"
#include "core/files/metrics_csv.h"
#include "core/options/config_field.h"
#include "ui/charts/chart_export.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"

namespace lab {
namespace {

// The run must have a header.
RunHeader headOf(const KeptRun& run, const QString& name) {
  RunHeader header = *run.header;
  header.config = configToJson(withoutOutputs(run.resolved));
  header.program = run.version.toStdString();
  header.began = run.began.toString(Qt::ISODate).toStdString();
  header.name = name.toStdString();
  header.note = run.note.toStdString();
  return header;
}

void writeRun(const RunHeader& header, const std::vector<Metric>& metrics, const std::vector<std::string>& order,
              const QString& path) {
  RunFileWriter writer(path.toStdString(), header);
  writer.metrics(metrics);
  for (const std::string& line : order) writer.other(line);
  writer.finish(0);
}

}  // namespace

RunFiles::RunFiles(RunLibrary& library, QObject* parent) : QObject(parent), library_(library) {}

void RunFiles::add(KeptRun run, const Message& fault) {
  const QString file = QFileInfo(run.source).fileName();
  ExperimentFile known;
  (void)knownConfig(run.header->config, known.otherSettings);
  const QString unknown = QString::fromStdString(known.unknown());
  const int id = library_.add(std::move(run));
  if (library_.isRecordedClass(id)) library_.repeat(id);
  Q_EMIT joined();
  if (fault.empty() && !unknown.isEmpty())
    Q_EMIT said(tr("The recording %1 is among the runs, without the settings that this version does not know: %2. "
                   "Update StrategyLab before you repeat it.")
                    .arg(file, unknown),
                true);
  else if (fault.empty())
    Q_EMIT said((library_.presentId() == id
                     ? tr("The recording %1 is of a class. The stage has its steps, trained again in the order in "
                          "which they came.")
                 : library_.find(id)->settingsKnown
                     ? tr("The recording %1 is among the runs. Repeat it to see its steps on the stage.")
                 : library_.find(id)->metrics->order.empty()
                     ? tr("The recording %1 is of a class. Its figures are among the runs; its steps came from workers "
                          "at their own pace, and training alone cannot reproduce them.")
                     : tr("The recording %1 is of a class. Its figures are among the runs; \u201Cstrategylab-cli "
                          "replay\u201D trains its steps again, in the order in which they came."))
                    .arg(file),
                false);
  else
    Q_EMIT said(coreSentence(fault) + QLatin1Char(' ') +
                    tr("%Ln steps before that are whole, and are among the runs.", nullptr,
                       plural(std::ssize(library_.find(id)->metrics->steps))),
                true);
}

void RunFiles::add(std::vector<CsvRun> curves, const QString& path) {
  const QString file = QFileInfo(path).completeBaseName();
  for (CsvRun& run : curves) {
    const QString name =
        curves.size() == 1 ? file : QStringLiteral("%1: %2").arg(file, QString::fromStdString(run.name));
    library_.add(std::move(run.metrics), name, path);
  }
  Q_EMIT joined();
  Q_EMIT said(tr("%Ln curves of %1 are among the runs, to compare with.", nullptr,
                 plural(static_cast<std::int64_t>(curves.size())))
                  .arg(QFileInfo(path).fileName()),
              false);
}

void RunFiles::write(const KeptRun& run, const QString& name, const QString& path) {
  writeRun(headOf(run, name), metricsOf(run), run.metrics->order, path);
}

void RunFiles::save(int id, const QString& path) {
  const KeptRun* run = library_.find(id);
  if (run == nullptr || !run->header) return;
  background_.run([header = headOf(*run, library_.nameOf(*run)), metrics = metricsOf(*run), order = run->metrics->order,
                   path] { writeRun(header, metrics, order, path); },
                  [this, path](const QString& failure) {
                    Q_EMIT said(failure.isEmpty() ? tr("Saved: %1").arg(path) : failure, !failure.isEmpty());
                  });
}

}  // namespace lab
