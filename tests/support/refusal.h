// SPDX-License-Identifier: GPL-3.0-or-later
// What something is refused with: the UserError that it throws, as its reader would be told.
#pragma once

#include <QString>

#include "core/base/error.h"
#include "core/base/message.h"

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

// Whether it is refused with this sentence, whatever stands in it.
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
