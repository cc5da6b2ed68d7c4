// SPDX-License-Identifier: Apache-2.0
#include "engine/files/csv.h"
#include "engine/graph/dtype_name.h"
#include "tests/files/arrays.h"
#include "tests/support/suite.h"

#include <cmath>
#include <cstdint>
#include <limits>

using binade::Error;
using binade::ErrorCode;
using binade::files::open_csv;
using binade::graph::shape_name;
using binade::test::all_rows;
using binade::test::arrayFile;
using binade::test::fileOf;
using binade::test::refusal;
using binade::test::says;

namespace {

/// All rows of a column of the table `text`.
at::Tensor column(const std::string& text, const std::string& name) {
  return all_rows(open_csv(fileOf(text, "table.csv"))->read({name}).at(name));
}

QString shapeOf(const std::string& text, const std::string& name) {
  return QString::fromStdString(shape_name(column(text, name)));
}

}  // namespace

class TestCsv : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aTableReadsByColumn();
  void wholeNumbersStayWhole();
  void quotesSeparatorsAndLineEnds_data();
  void quotesSeparatorsAndLineEnds();
  void columnsThatNobodyAskedForMayHoldText();
  void rowsKnowTheirLines();
  void damagedTablesAreNamedWithLineAndColumn_data();
  void damagedTablesAreNamedWithLineAndColumn();
};

void TestCsv::aTableReadsByColumn() {
  const auto table = open_csv(arrayFile("table.csv"));
  QCOMPARE(table->names(), (std::vector<std::string>{"age", "height", "name", "label"}));
  const auto columns = table->read({"label", "age", "height"});
  const at::Tensor age = all_rows(columns.at("age"));
  QCOMPARE(QString::fromStdString(shape_name(age)), QStringLiteral("int64[10]"));
  QCOMPARE(age[9].item<std::int64_t>(), 29);
  const at::Tensor height = all_rows(columns.at("height"));
  QCOMPARE(QString::fromStdString(shape_name(height)), QStringLiteral("float64[10]"));
  QCOMPARE(height[3].item<double>(), 1.6875);
  QCOMPARE(all_rows(columns.at("label"))[5].item<std::int64_t>(), 2);
}

void TestCsv::wholeNumbersStayWhole() {
  QCOMPARE(column("x\n9007199254740993\n-1\n+2\n", "x")[0].item<std::int64_t>(), std::int64_t{9007199254740993});
  QCOMPARE(shapeOf("x\n1\n2.5\n3\n", "x"), QStringLiteral("float64[3]"));
  QCOMPARE(column("x\n1\n2.5\n3\n", "x")[2].item<double>(), 3.0);
  QCOMPARE(shapeOf("x\ntrue\nFalse\n", "x"), QStringLiteral("int64[2]"));
  QCOMPARE(column("x\n1e-3\n", "x")[0].item<double>(), 1e-3);
  QVERIFY(std::isnan(column("x\nnan\n", "x")[0].item<double>()));
  // Decoded by digits or otherwise, they are the same.
  const auto odd = column(
      "x\n-0\n+7\n 8 \n\"9\"\n007\n-999999999999999999\n1000000000000000000\n9223372036854775807\n"
      "-9223372036854775808\ntrue\n",
      "x");
  QVERIFY(odd.equal(
      at::tensor({std::int64_t{0}, std::int64_t{7}, std::int64_t{8}, std::int64_t{9}, std::int64_t{7},
                  std::int64_t{-999999999999999999}, std::int64_t{1000000000000000000},
                  std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min(), std::int64_t{1}},
                 at::kLong)));
}

void TestCsv::quotesSeparatorsAndLineEnds_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("unix") << QByteArray("a,b\n1,2\n3,4\n");
  QTest::newRow("windows") << QByteArray("a,b\r\n1,2\r\n3,4\r\n");
  QTest::newRow("no last line end") << QByteArray("a,b\n1,2\n3,4");
  QTest::newRow("empty lines") << QByteArray("a,b\n\n1,2\n\n3,4\n\n");
  QTest::newRow("semicolons") << QByteArray("a;b\n1;2\n3;4\n");
  QTest::newRow("tabs") << QByteArray("a\tb\n1\t2\n3\t4\n");
  QTest::newRow("spaces") << QByteArray("a , b\n 1, 2\n3 ,4 \n");
  QTest::newRow("quoted") << QByteArray("\"a\",\"b\"\n\"1\",2\n3,\"4\"\n");
  QTest::newRow("byte order mark") << QByteArray(
      "\xEF\xBB\xBF"
      "a,b\n1,2\n3,4\n");
}

void TestCsv::quotesSeparatorsAndLineEnds() {
  QFETCH(const QByteArray, text);
  const auto table = open_csv(fileOf(text.toStdString(), "table.csv"));
  QCOMPARE(table->names(), (std::vector<std::string>{"a", "b"}));
  const auto columns = table->read({"a", "b"});
  QCOMPARE(columns.at("a").rows(), 2);
  QCOMPARE(all_rows(columns.at("a"))[1].item<std::int64_t>(), 3);
  QCOMPARE(all_rows(columns.at("b"))[1].item<std::int64_t>(), 4);
}

void TestCsv::columnsThatNobodyAskedForMayHoldText() {
  QCOMPARE(column("note,x\n\"two\nlines, \"\"quoted\"\"\",5\n,6\n", "x")[1].item<std::int64_t>(), 6);
}

void TestCsv::rowsKnowTheirLines() {
  const auto arrays = open_csv(fileOf("y,x\n0,1\n\n\"a\nb\",2\n0,3\n", "table.csv"))->read({"x"});
  const binade::files::Array& array = arrays.at("x");
  QCOMPARE(array.reader->line_of(0).value_or(0), std::int64_t{2});
  QCOMPARE(array.reader->line_of(1).value_or(0), std::int64_t{4});
  QCOMPARE(array.reader->line_of(2).value_or(0), std::int64_t{6});
  QVERIFY(!array.reader->line_of(3));
}

void TestCsv::damagedTablesAreNamedWithLineAndColumn_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::addColumn<QString>("why");
  const auto row = [](const char* name, const char* text, const char* why) {
    QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(why);
  };
  row("empty", "", "is empty");
  row("names only", "x,y\n", "has a line of column names, but no line of numbers");
  row("only numbers", "1,2\n3,4\n", "has no column names");
  row("a name twice", "x,x\n1,2\n", "has two columns named \"x\"");
  row("a missing field", "y,x\n1,2\n\n3\n", "has 1 fields in line 4, but 2 columns");
  row("a field too much", "y,x\n1,2,3\n", "has 3 fields in line 2, but 2 columns");
  row("an empty field", "y,x\n1,2\n3,\n", "has no value in line 3, column \"x\"");
  row("a word", "y,x\n1,setosa\n", "holds \"setosa\" in line 2, column \"x\", which is not a number");
  row("a number and more", "y,x\n1,2kg\n", "holds \"2kg\" in line 2");
  row("an open quote", "y,x\n1,\"2\n3,4\n", "ends inside quotes that open in line 2");
  row("text behind a quote", "y,x\n1,\"2\"3,4\n", "has text after the closing quote of a field in line 2");
  row("old Macintosh lines", "y,x\r1,2\r3,oops\r", "holds \"oops\" in line 3");
  row("a field missing where another is bad", "x,y\noops\n", "has 1 fields in line 2");
  row("an open quote in the names", "y,\"x\n1,2\n", "has invalid column names");
  row("a letter where a message would cut",
      "y,x\n1,a\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96"
      "\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\xD0\x96\n",
      "\" in line 2, column \"x\", which is not a number");
  row("after quoted lines", "y,x\n\"a\nb\nc\",1\n2,oops\n", "holds \"oops\" in line 5");
}

void TestCsv::damagedTablesAreNamedWithLineAndColumn() {
  QFETCH(const QByteArray, text);
  QFETCH(const QString, why);
  const Error error = refusal([&] { column(text.toStdString(), "x"); });
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, why), error.what());
  const std::string message = error.what();
  QCOMPARE(QString::fromStdString(message).toStdString(), message);  // whole letters
}

BINADE_SUITE(TestCsv);
#include "tst_csv.moc"
