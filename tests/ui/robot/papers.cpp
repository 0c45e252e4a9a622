// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/robot/papers.h"

#include <QFile>
#include <QStringList>

namespace lab::robot {
namespace {

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(bytes);
}

}  // namespace

Papers::Papers(const QString& folder, Chance& chance) : folder_(folder), chance_(chance) {
  folder_.mkpath(QStringLiteral("pictures/0"));
  QByteArray noise;
  for (int i = 0; i < 5000; ++i) noise += static_cast<char>(chance_.below(256));
  write(folder_.filePath(QStringLiteral("empty.slab")), {});
  for (const char* name : {"noise.slab", "noise.run", "noise.json", "noise.csv", "noise.png", "noise.keras"})
    write(folder_.filePath(QLatin1String(name)), noise);
  write(folder_.filePath(QStringLiteral("words.slab")), "no experiment\n");
  write(folder_.filePath(QStringLiteral("deep.slab")), QByteArray(20'000, '['));
}

QString Papers::toSave() {
  if (chance_.oneIn(12)) {
    const QStringList odd{QStringLiteral("no/such/folder/a"), QStringLiteral("pictures"), QString(),
                          QStringLiteral("Größe 1 %1 \u65e5\u672c.slab"), QStringLiteral("empty.slab")};
    const QString& name = chance_.of(odd);
    return name.isEmpty() ? name : folder_.filePath(name);
  }
  return folder_.filePath(QString(QChar(u'a' + chance_.below(4))));  // the dialog adds its ending
}

QString Papers::toOpen() {
  const QStringList there = folder_.entryList(QDir::Files, QDir::Name);
  if (chance_.oneIn(10) || there.isEmpty()) {
    const QStringList odd{QStringLiteral("not there.slab"), QStringLiteral("pictures"), QStringLiteral("no/such")};
    return folder_.filePath(chance_.of(odd));
  }
  return folder_.filePath(chance_.of(there));
}

QString Papers::toEnter() {
  return chance_.oneIn(3) ? folder_.filePath(QStringLiteral("no folder"))
                          : folder_.filePath(QStringLiteral("pictures"));
}

QString Papers::anyWords() {
  static const QStringList words{QStringLiteral("0"),
                                 QStringLiteral("1"),
                                 QStringLiteral("2"),
                                 QStringLiteral("3"),
                                 QStringLiteral("4"),
                                 QStringLiteral("8"),
                                 QStringLiteral("10"),
                                 QStringLiteral("0.1"),
                                 QStringLiteral("1,5"),
                                 QStringLiteral("-1"),
                                 QStringLiteral("-0.5"),
                                 QStringLiteral("1e-320"),
                                 QStringLiteral("1e9"),
                                 QStringLiteral("nan"),
                                 QStringLiteral("inf"),
                                 QStringLiteral("64"),
                                 QStringLiteral("99999999999999999999"),
                                 QStringLiteral("0x10"),
                                 QStringLiteral(" 4 "),
                                 QString(),
                                 QStringLiteral("%1%2%n"),
                                 QStringLiteral("a=b;c,d"),
                                 QStringLiteral("1:2"),
                                 QStringLiteral("1:2,0:0.5"),
                                 QStringLiteral("Größe \u65e5\u672c \U0001f600"),
                                 QStringLiteral("<b>&amp;</b>"),
                                 QStringLiteral("replicas 3"),
                                 QString(300, u'x'),
                                 QStringLiteral("accuracy"),
                                 QStringLiteral("loss < 0.1")};
  return chance_.of(words);
}

}  // namespace lab::robot
