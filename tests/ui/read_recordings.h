// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings are read in the background: tests wait here until that has ended.
#pragma once

#include <QSignalSpy>

#include "tests/support/patience.h"
#include "ui/files/document.h"

namespace lab::test {

// Waits until nothing is being read, whether it has joined the runs, failed or was cancelled.
inline bool hasRead(Document& document) {
  QSignalSpy ended(&document.reader(), &FileReader::ended);
  while (document.reader().isReading())
    if (!ended.wait(kPatienceMs)) return false;
  return true;
}

}  // namespace lab::test
