// SPDX-License-Identifier: GPL-3.0-or-later
// What C++ sources define in unnamed namespaces. A unity build compiles the sources of a folder as one, so there two
// files must not define the same thing. Reads what clang-format wrote, not all of C++.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace lab::test {

struct UnnamedName {
  QString name;
  // Equal texts of one name are allowed where `again`: `using Kind = NetworkLayer::Kind;`. Unequal ones where
  // `overloads`: functions of other parameter types.
  QString text;
  bool again = false, overloads = false;
};

std::vector<UnnamedName> unnamedNames(const QString& source);

// Whether both can stand in one translation unit.
bool clash(const UnnamedName& a, const UnnamedName& b);

}  // namespace lab::test
