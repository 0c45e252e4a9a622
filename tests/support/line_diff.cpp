// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/line_diff.h"

#include <QList>
#include <QRegularExpression>
#include <QString>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace lab::test {
namespace {

using Lines = QList<QByteArray>;

// Lengths of the longest common subsequences of the texts after line i of one and line j of the other.
class CommonAfter {
 public:
  CommonAfter(const Lines& a, const Lines& b)
      : width_(b.size() + 1), lengths_(static_cast<std::size_t>((a.size() + 1) * width_)) {
    for (qsizetype i = a.size() - 1; i >= 0; --i)
      for (qsizetype j = b.size() - 1; j >= 0; --j)
        lengths_[place(i, j)] = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  int at(qsizetype i, qsizetype j) const { return lengths_[place(i, j)]; }

 private:
  std::size_t place(qsizetype i, qsizetype j) const { return static_cast<std::size_t>(i * width_ + j); }

  qsizetype width_;
  std::vector<int> lengths_;
};

// Writes a range as diff does: a range without lines has the number of the line before it.
QByteArray range(qsizetype first, qsizetype count) {
  return QByteArray::number(count == 0 ? first : first + 1) + "," + QByteArray::number(count);
}

}  // namespace

QByteArray lineDiff(const QByteArray& base, const QByteArray& text) {
  const Lines a = base.split('\n'), b = text.split('\n');
  const CommonAfter common(a, b);
  QByteArray diff;
  qsizetype i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i, ++j;
      continue;
    }
    const qsizetype from = i, to = j;
    QByteArray removed, added;
    while ((i < a.size() || j < b.size()) && !(i < a.size() && j < b.size() && a[i] == b[j])) {
      if (j == b.size() || (i < a.size() && common.at(i + 1, j) >= common.at(i, j + 1)))
        removed += "-" + a[i++] + "\n";
      else
        added += "+" + b[j++] + "\n";
    }
    diff += "@@ -" + range(from, i - from) + " +" + range(to, j - to) + " @@\n" + removed + added;
  }
  return diff;
}

int differingLines(const QByteArray& diff) {
  const Lines lines = diff.split('\n');
  return static_cast<int>(std::ranges::count_if(
      lines, [](const QByteArray& line) { return line.startsWith('-') || line.startsWith('+'); }));
}

std::optional<QByteArray> patched(const QByteArray& base, const QByteArray& diff) {
  static const QRegularExpression hunk(QStringLiteral(R"(^@@ -(\d+),(\d+) \+\d+,\d+ @@$)"));
  const Lines a = base.split('\n');
  Lines text;
  qsizetype next = 0, removable = 0;  // of the base: the line that comes next, how many this hunk still removes
  for (const QByteArray& line : diff.split('\n')) {
    if (line.isEmpty()) continue;  // after the last
    if (const auto match = hunk.match(QString::fromUtf8(line)); match.hasMatch()) {
      const qsizetype count = match.captured(2).toInt(), begin = match.captured(1).toInt() - (count == 0 ? 0 : 1);
      if (removable != 0 || begin < next || begin + count > a.size()) return std::nullopt;
      while (next < begin) text << a[next++];
      removable = count;
    } else if (line.startsWith('+')) {
      text << line.mid(1);
    } else if (line.startsWith('-') && removable > 0 && line.mid(1) == a[next]) {
      ++next;
      --removable;
    } else {
      return std::nullopt;
    }
  }
  if (removable != 0) return std::nullopt;
  while (next < a.size()) text << a[next++];
  return text.join('\n');
}

}  // namespace lab::test
