// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_names.h"

#include <QFileInfo>
#include <QHash>
#include <QStringList>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/options/config_field.h"
#include "core/options/resolve.h"
#include "core/options/surroundings.h"
#include "ui/i18n/core_words.h"
#include "ui/i18n/words.h"
#include "ui/runs/run_library.h"

namespace lab {
namespace {

// The abbreviation before a value; "": the value is clear by itself.
constexpr std::array<std::pair<std::string_view, const char*>, 13> kShort{{{"hosts", "h"},
                                                                           {"parameter-servers", "ps"},
                                                                           {"global-batch", "b"},
                                                                           {"batch-per-replica", "b"},
                                                                           {"learning-rate", "lr"},
                                                                           {"momentum", "m"},
                                                                           {"epochs", "e"},
                                                                           {"seed", "seed"},
                                                                           {"reducer", ""},
                                                                           {"optimizer", ""},
                                                                           {"dataset", ""},
                                                                           {"devices", ""},
                                                                           {"device-model", ""}}};
// These follow from the strategy: only a run that sets one to something else differs in it.
constexpr std::array<std::string_view, 8> kFollow{"hosts", "parameter-servers", "devices", "device-model",
                                                  "link",  "host-link",         "matmul",  "reducer"};

QString headOf(const KeptRun& run) {
  // Its number of workers changed all the time.
  if (run.header && run.header->isClass)
    return tr("%1, a class").arg(strategyShortName(strategyInfo(run.resolved.strategy)));
  return QStringLiteral("%1 ×%2")
      .arg(strategyShortName(strategyInfo(run.resolved.strategy)))
      .arg(run.resolved.replicas);
}

// Recordings state every setting: returns whether this one, if it were not given, would have the same value.
bool isUsual(const KeptRun& run, const ConfigField& field) {
  if (field.get(run.asked) == field.get(RunSettings{})) return true;
  if (field.name == "devices") return false;  // these follow from the machine, too
  RunSettings plain;
  plain.strategy = run.resolved.strategy;
  plain.replicas = run.resolved.replicas;
  plain.devices = run.resolved.devices;
  try {
    return field.get(resolve(plain, Surroundings())) == field.get(run.resolved);
  } catch (const UserError&) {  // the strategy has no such default
    return false;
  }
}

QString partOf(const KeptRun& run, const ConfigField& field) {
  const std::string value = settingOf(run, field);
  if (value.empty()) return {};
  // Another strategy's setting stands at its default here, and says nothing of this run.
  const std::vector<std::string>& theirs = field.strategies;
  if (!theirs.empty() && std::ranges::find(theirs, strategyKey(run.resolved.strategy)) == theirs.end()) return {};
  // A replica's share follows from the global batch, if there is one.
  if (field.name == "batch-per-replica" && run.resolved.globalBatch > 0) return {};
  if (std::ranges::find(kFollow, field.name) != kFollow.end() && isUsual(run, field)) return {};
  // Only the file's own name: its folder is not important for the run, and the table shows it.
  const bool file = field.kind == ConfigField::Kind::File || field.kind == ConfigField::Kind::Folder ||
                    field.name == "network";  // also by name: "mlp"
  const QString shown = settingText(field, value);
  const QString text = file ? QFileInfo(shown).fileName() : shown;
  const auto known = std::ranges::find(kShort, field.name, &decltype(kShort)::value_type::first);
  if (known != kShort.end()) return QLatin1String(known->second) + text;
  if (field.kind == ConfigField::Kind::Flag) return value == "true" ? settingName(field) : QString();
  return QStringLiteral("%1 %2").arg(settingName(field), text);
}

}  // namespace

QString markedRunName(QString name, const Lineage& lineage) {
  for (const auto& [is, mark] : {std::pair{isEdited(lineage), tr(" (edited)")}, {hasFault(lineage), tr(" (fault)")}})
    if (is && !name.contains(mark)) name += mark;
  return name;
}

QString unmarkedRunName(QString name) {
  return name.remove(tr(" (edited)")).remove(tr(" (fault)"));
}

std::map<int, QString> namesByDifference(const std::vector<KeptRun>& runs) {
  const std::vector<const ConfigField*> fields = differingFields(runs);
  const bool heads = std::ranges::any_of(
      fields, [](const ConfigField* field) { return field->name == "strategy" || field->name == "replicas"; });
  std::map<int, QString> names;
  QHash<QString, int> given;
  for (const KeptRun& run : runs) {
    if (!run.name.isEmpty()) {
      ++given[run.name];
      continue;
    }
    QStringList parts;
    if (heads) parts << headOf(run);
    for (const ConfigField* field : fields) {
      if (field->name == "strategy" || field->name == "replicas") continue;
      if (const QString part = partOf(run, *field); !part.isEmpty()) parts << part;
    }
    if (parts.isEmpty()) parts << headOf(run);
    if (!lineageOf(run).empty()) parts << tr("from step %1").arg(countText(lineageOf(run).back().step));
    const QString name = parts.join(QLatin1Char(' '));
    const int before = given[name]++;
    names[run.id] = before == 0 ? name : QStringLiteral("%1 (%2)").arg(name).arg(before + 1);
  }
  return names;
}

}  // namespace lab
