// SPDX-License-Identifier: GPL-3.0-or-later
// What C++ sources define in unnamed namespaces. A unity build compiles the sources of a folder as one, so two files of
// a folder must not define the same name. Understands code that clang-format has written, not all of C++.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace lab::test {

struct UnnamedName {
  QString name;
  // If `again`, the same name may be defined twice with equal texts: `using Kind = NetworkLayer::Kind;`. If
  // `overloads`, with different texts: functions with other parameter types.
  QString text;
  bool again = false, overloads = false;
};

std::vector<UnnamedName> unnamedNames(const QString& source);

// Whether both can stand in one translation unit.
bool clash(const UnnamedName& a, const UnnamedName& b);

}  // namespace lab::test
