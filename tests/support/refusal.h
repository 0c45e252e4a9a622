// SPDX-License-Identifier: GPL-3.0-or-later
// The message of the UserError with which something is refused, as its reader would see it.
#pragma once

#include <QString>

#include "core/base/error.h"
#include "core/base/message.h"

namespace lab::test {

// Returns "" if nothing is refused.
template <typename Body>
QString refusal(const Body& body) {
  try {
    body();
  } catch (const UserError& error) {
    return QString::fromUtf8(error.what());
  }
  return {};
}

// Whether `body` is refused with this sentence, whatever values are filled in.
template <typename Body>
bool isRefused(const Body& body, const Text& with) {
  try {
    body();
  } catch (const UserError& error) {
    return error.message().is(with);
  }
  return false;
}

}  // namespace lab::test
