// SPDX-License-Identifier: GPL-3.0-or-later
// The names of beats, in files and for readers.
#include "ui/i18n/words.h"
#include "ui/playback/captions.h"

namespace lab {

const char* beatKey(BeatKind kind) {
  switch (kind) {
    case BeatKind::Startup:
      return QT_TRANSLATE_NOOP("lab", "start-up");
    case BeatKind::Input:
      return QT_TRANSLATE_NOOP("lab", "input");
    case BeatKind::Batch:
      return QT_TRANSLATE_NOOP("lab", "batch");
    case BeatKind::Distribute:
      return "deal";  // only in files and options
    case BeatKind::Pull:
      return QT_TRANSLATE_NOOP("lab", "pull");
    case BeatKind::Gather:
      return QT_TRANSLATE_NOOP("lab", "gather");
    case BeatKind::Forward:
      return QT_TRANSLATE_NOOP("lab", "forward");
    case BeatKind::Backward:
      return QT_TRANSLATE_NOOP("lab", "backward");
    case BeatKind::Aggregate:
      return QT_TRANSLATE_NOOP("lab", "aggregate");
    case BeatKind::Update:
      return QT_TRANSLATE_NOOP("lab", "update");
    case BeatKind::Losses:
      return QT_TRANSLATE_NOOP("lab", "losses");
    case BeatKind::Epoch:
      return "epoch-mean";  // the key, without a space
    case BeatKind::Evaluate:
      return QT_TRANSLATE_NOOP("lab", "evaluate");
    case BeatKind::Check:
      return QT_TRANSLATE_NOOP("lab", "check");
    case BeatKind::Flow:
      return QT_TRANSLATE_NOOP("lab", "workers");
    case BeatKind::Apply:
      return QT_TRANSLATE_NOOP("lab", "apply");
    case BeatKind::Aborted:
      return QT_TRANSLATE_NOOP("lab", "aborted");
  }
  return "";
}

QString beatName(BeatKind kind) {
  if (kind == BeatKind::Distribute) return tr("distribute");
  return kind == BeatKind::Epoch ? tr("epoch mean") : tr(beatKey(kind));
}

QString beatNamed(const std::string& key) {
  for (int kind = 0; kind <= static_cast<int>(BeatKind::Aborted); ++kind)
    if (key == beatKey(static_cast<BeatKind>(kind))) return beatName(static_cast<BeatKind>(kind));
  return {};
}

}  // namespace lab
