// SPDX-License-Identifier: Apache-2.0
#include "engine/record/run_writer.h"
#include "tests/host/run_engine.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <QFile>

using namespace binade;
using namespace Qt::StringLiterals;

namespace {

/// A recorded run of five steps.
QString recordedSteps() {
  const QString file = test::temporaryFolder() + u"/five.binade"_s;
  record::RunWriter writer(file.toStdString());
  wire::RunStarted started = test::sampleStarted();
  started.policy.decisions.resize(started.model.sites.size());
  writer.add(started);
  for (int step = 0; step < 5; ++step) writer.add(test::sampleStep(step, 0));
  writer.close();
  return file;
}

class ReportCommand : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void thePageIsWrittenOnce() {
    const QString run = recordedSteps();
    const QString page = test::temporaryFolder() + u"/page.html"_s;
    const test::EngineResult made = test::engine({u"report"_s, run, u"--out"_s, page, u"--json"_s});
    QVERIFY2(made.code == 0, qPrintable(made.err));
    QCOMPARE(made.lines().size(), 1);
    const QJsonObject line = made.lines().first();
    QCOMPARE(line[u"event"].toString(), u"report"_s);
    QCOMPARE(line[u"file"].toString(), page);
    QCOMPARE(line[u"steps"].toInt(), 5);
    QCOMPARE(line[u"damaged"].toInt(), 0);
    QCOMPARE(line[u"bytes"].toInteger(), QFile(page).size());

    const test::EngineResult again = test::engine({u"report"_s, run, u"--out"_s, page});
    QCOMPARE(again.code, 2);
    QVERIFY(again.err.contains(u"already exists"_s));
    QCOMPARE(line[u"bytes"].toInteger(), QFile(page).size());
  }

  void aLinkThatLeadsNowhereIsNotReplaced_data() {
    QTest::addColumn<QStringList>("words");
    const QString policy = test::written(u"some.policy.json"_s, R"({"binade_policy": 1, "base": "cpu-amp"})");
    QTest::newRow("report") << QStringList{u"report"_s, recordedSteps()};
    QTest::newRow("export") << QStringList{u"export"_s, u"sample:mlp"_s, u"--policy"_s, policy, u"--to"_s, u"csv"_s};
    QTest::newRow("policy minimise") << QStringList{u"policy"_s, u"minimise"_s, policy, u"sample:mlp"_s};
    QTest::newRow("policy merge") << QStringList{u"policy"_s, u"merge"_s, policy, policy, policy};
  }
  void aLinkThatLeadsNowhereIsNotReplaced() {
    QFETCH(QStringList, words);
    const QString link = test::temporaryFolder() + u"/link"_s;
    QVERIFY(QFile::link(u"/nowhere/page"_s, link));
    const test::EngineResult result = test::engine(words << u"--out"_s << link);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(u"already exists"_s), qPrintable(result.err));
    QCOMPARE(QFile::symLinkTarget(link), u"/nowhere/page"_s);
  }

  void aFileThatIsNoRunLeavesNoPage() {
    const QString page = test::temporaryFolder() + u"/page.html"_s;
    const QString other = test::written(u"notes.binade"_s, "notes");
    const test::EngineResult result = test::engine({u"report"_s, other, u"--out"_s, page});
    QCOMPARE(result.code, 1);
    QVERIFY(result.err.contains(u"is not a run file"_s));
    QVERIFY(!QFile::exists(page));
  }
};
BINADE_SUITE(ReportCommand);

}  // namespace

#include "tst_report_command.moc"
