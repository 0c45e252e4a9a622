// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of numbers from any source: what is read, what is plotted first, and what is refused with which message.
#include <QTest>

#include <cmath>

#include "core/base/error.h"
#include "core/files/value_table.h"

using namespace lab;

class TestValueTable : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void columnsWithNumbersAreKept() {
    const ValueTable table =
        parseValueTable("epoch,note,loss,\n0,first,0.5,1\r\n1,,nan, 2.5 \n2,\"a,b\",1e-3,\n", "log.csv");
    QCOMPARE(table.rows, std::size_t{3});
    QCOMPARE(table.columns.size(), std::size_t{3});
    QCOMPARE(table.columns[1].name, std::string("loss"));
    QCOMPARE(table.columns[1].values[2], 0.001);
    QVERIFY(std::isnan(table.columns[1].values[1]));
    QCOMPARE(table.columns[1].gaps, std::int64_t{1});
    QCOMPARE(table.columns[2].name, std::string("#4"));  // it has no name
    QCOMPARE(table.columns[2].values[1], 2.5);
  }

  void spreadsheetsOfOtherLanguagesAreRead() {
    for (const char* text :
         {"Zeit;Wert\n1;0,5\n2;1,25\n", "Zeit\tWert\n1\t0,5\n2\t1,25\n", "\xEF\xBB\xBFZeit,Wert\n1,0.5\n2,1.25\n"}) {
      const ValueTable table = parseValueTable(text, "a.csv");
      QCOMPARE(table.columns.size(), std::size_t{2});
      QCOMPARE(table.columns[0].name, std::string("Zeit"));
      QCOMPARE(table.columns[1].values, (std::vector<double>{0.5, 1.25}));
    }
  }

  // "1,234" is then a gap, not a number of another size.
  void aCommaBetweenThousandsIsNotDecimal() {
    for (const char* text : {"step\tloss\n1,234\t0.5\n2,468\t0.25\n", "step\tloss\n1,234\t5\n1,234,567\t4\n"}) {
      const ValueTable table = parseValueTable(text, "a.csv");
      QCOMPARE(table.columns.size(), std::size_t{1});
      QCOMPARE(table.columns[0].name, std::string("loss"));
    }
    // A date is no number with a point.
    const ValueTable dated = parseValueTable("Tag;Wert\n01.02.2024;0,5\n02.02.2024;1,25\n", "a.csv");
    QCOMPARE(dated.columns.back().values, (std::vector<double>{0.5, 1.25}));
  }

  void whatRisesIsAlongX() {
    const auto axes = [](const char* text) { return usualAxes(parseValueTable(text, "a.csv")); };
    QCOMPARE(axes("loss,epoch\n3,0\n2,1\n").x, std::size_t{1});
    QCOMPARE(axes("loss,epoch\n3,0\n2,1\n").y, std::size_t{0});
    QCOMPARE(axes("step,loss\n1,3\n2,2\n").y, std::size_t{1});
    QVERIFY(axes("loss,accuracy\n3,0.5\n4,0.25\n2,0.75\n").x == TableAxes::kRowNumber);
    QVERIFY(axes("loss\n3\n4\n").x == TableAxes::kRowNumber);
    QVERIFY(axes("a,b\n1,2\n").x == TableAxes::kRowNumber);  // one row does not rise
  }

  void whatIsNoTableIsRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << QByteArray("") << "'a.csv' is empty";
    QTest::newRow("line breaks") << QByteArray("\n\n") << "'a.csv' is empty";
    QTest::newRow("no header") << QByteArray("1,2\n3,4\n") << "line 1: it holds only numbers";
    QTest::newRow("no rows") << QByteArray("a,b\n") << "no values follow";
    QTest::newRow("no numbers") << QByteArray("a,b\nx,y\n") << "no column has numbers";
    QTest::newRow("ragged") << QByteArray("a,b\n1,2\n3\n")
                            << "line 3: the row does not have as many cells as the header: 1 and not 2.";
    QTest::newRow("bytes") << QByteArray(
                                  "\x7f"
                                  "ELF\0\0",
                                  6)
                           << "is not text";
    QTest::newRow("large") << QByteArray(17 << 20, 'a') << "16 MiB";
  }
  void whatIsNoTableIsRefused() {
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    try {
      (void)parseValueTable({text.constData(), static_cast<std::size_t>(text.size())}, "a.csv");
      QFAIL("it was read");
    } catch (const UserError& error) {
      QVERIFY2(QString::fromUtf8(error.what()).contains(words), error.what());
    }
  }
};

QTEST_APPLESS_MAIN(TestValueTable)
#include "tst_value_table.moc"
