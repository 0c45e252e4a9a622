// SPDX-License-Identifier: GPL-3.0-or-later
// What a test's reader would be told: the sentence of the UserError that something throws.
#pragma once

#include <QString>

#include "core/base/error.h"

namespace lab::test {

// "" where nothing is refused.
template <typename Body>
QString refusal(const Body& body) {
  try {
    body();
  } catch (const UserError& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

}  // namespace lab::test
