// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QProcess>

using namespace Qt::StringLiterals;

namespace binade::test {

/// Tests check_results.py, which decides whether ./dev test passes.
class CheckResults : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void saysWhatRan_data();
  void saysWhatRan();
  void aNamedTestMustHaveRunAndPassed_data();
  void aNamedTestMustHaveRunAndPassed();
};

namespace {

QString testcase(const QString& name, const QString& status, const QString& output) {
  return u"<testcase name=\"%1\" status=\"%2\"><system-out>%3</system-out></testcase>"_s.arg(name, status, output);
}

const QString kFrame = u"PASS   : Rounding::initTestCase()\nPASS   : Rounding::cleanupTestCase()\n"_s;
const QString kPass = u"PASS   : binade::Rounding::tiesToEven(a (b))\nPASS   : Rounding::tiesToEven(c)\n"_s;
const QString kFail = u"FAIL!  : Rounding::tiesToEven(a) 'x' returned FALSE. ()\nPASS   : Rounding::tiesToEven(c)\n"_s;
const QString kSkip = u"SKIP   : Rounding::tiesToEven() no GPU here\n"_s;

struct Outcome {
  int code = -1;
  QStringList lines;
};

void write(const QString& file, const QString& text) {
  QFile out(file);
  QVERIFY(out.open(QIODevice::WriteOnly));
  out.write(text.toUtf8());
}

/// Runs the script on these test cases and, if `test` is given, on a feature list with one row that names it.
Outcome check(const QString& cases, const QString& test = {}) {
  const QString folder = temporaryFolder();
  write(folder + u"/tests.xml"_s, u"<?xml version=\"1.0\"?><testsuite>"_s + cases + u"</testsuite>"_s);
  QStringList arguments = {QStringLiteral(BINADE_SOURCE_DIR "/tests/tree/check_results.py"), u"--junit"_s,
                           folder + u"/tests.xml"_s};
  if (!test.isEmpty()) {
    write(folder + u"/features.csv"_s, u"id,feature,test\nF-1,\"rounds, to even\","_s + test + u"\nF-2,later,open\n"_s);
    arguments << u"--features"_s << folder + u"/features.csv"_s;
  }
  QProcess python;
  python.start(u"python3"_s, arguments);
  if (!python.waitForFinished()) return {};
  return {python.exitCode(), QString::fromUtf8(python.readAllStandardOutput()).split(u'\n', Qt::SkipEmptyParts)};
}

}  // namespace

void CheckResults::saysWhatRan_data() {
  QTest::addColumn<QString>("status");
  QTest::addColumn<QString>("output");
  QTest::addColumn<QString>("closing");
  QTest::addColumn<int>("code");
  QTest::newRow("passes") << u"run"_s << kFrame + kPass << u"2 passed, 0 failed, 0 skipped"_s << 0;
  QTest::newRow("a function fails") << u"fail"_s << kFrame + kFail << u"1 passed, 1 failed, 0 skipped"_s << 1;
  QTest::newRow("a function is skipped") << u"run"_s << kPass + kSkip << u"2 passed, 0 failed, 1 skipped"_s << 0;
  QTest::newRow("crashes half way") << u"fail"_s << kPass << u"2 passed, 1 failed, 0 skipped"_s << 1;
  QTest::newRow("does not start") << u"notrun"_s << QString() << u"0 passed, 1 failed, 0 skipped"_s << 1;
  QTest::newRow("is no Qt test") << u"run"_s << u"fine"_s << u"1 passed, 0 failed, 0 skipped"_s << 0;
  QTest::newRow("nothing ran") << u"disabled"_s << QString() << u"0 passed, 0 failed, 1 skipped"_s << 1;
}

void CheckResults::saysWhatRan() {
  QFETCH(QString, status);
  QFETCH(QString, output);
  QFETCH(QString, closing);
  QFETCH(int, code);
  const Outcome outcome = check(testcase(u"formats.Rounding"_s, status, output));
  QCOMPARE(outcome.lines.last(), closing);
  QCOMPARE(outcome.code, code);
}

void CheckResults::aNamedTestMustHaveRunAndPassed_data() {
  QTest::addColumn<QString>("cases");
  QTest::addColumn<QString>("test");
  QTest::addColumn<QString>("why");
  const QString name = u"formats.Rounding::tiesToEven"_s;
  const auto of = [](const QString& output, const QString& status = u"run"_s) {
    return testcase(u"formats.Rounding"_s, status, output);
  };
  QTest::newRow("ran and passed") << of(kFrame + kPass) << name << QString();
  QTest::newRow("still open") << of(kPass) << u"open"_s << QString();
  QTest::newRow("a statement") << of(kPass) << u"statement docs/guide/loss-scaling.md#further-reading"_s << QString();
  QTest::newRow("was renamed") << of(kPass) << u"formats.Rounding::halfToEven"_s << u"did not run"_s;
  QTest::newRow("in another suite") << of(kPass) << u"formats.Encoding::tiesToEven"_s << u"did not run"_s;
  QTest::newRow("left out of the build") << testcase(u"a.B"_s, u"run"_s, u"ok"_s) << name << u"did not run"_s;
  QTest::newRow("one row of it failed") << of(kFail, u"fail"_s) << name << u"failed"_s;
  QTest::newRow("its suite crashed") << of(kPass, u"fail"_s) << name << u"failed"_s;
  QTest::newRow("was skipped") << of(kFrame + kSkip) << name << u"was skipped"_s;
}

void CheckResults::aNamedTestMustHaveRunAndPassed() {
  QFETCH(QString, cases);
  QFETCH(QString, test);
  QFETCH(QString, why);
  const Outcome outcome = check(cases, test);
  if (why.isEmpty()) {
    QCOMPARE(outcome.code, 0);
  } else {
    QCOMPARE(outcome.code, 1);
    QVERIFY(outcome.lines.contains(u"F-1 (rounds, to even): "_s + test + u' ' + why));
  }
}

BINADE_SUITE(CheckResults);

}  // namespace binade::test

#include "check_results.moc"
