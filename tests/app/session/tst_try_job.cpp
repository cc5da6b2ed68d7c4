// SPDX-License-Identifier: Apache-2.0
// A Try as a process of its own: what it is given, what it reports, and what is kept of one that ends early.
#include "app/session/try_job.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_try.h"
#include "tests/support/suite.h"

#include <QSignalSpy>
#include <QTest>

#include <optional>

namespace {

using namespace binade;
using app::TryJob;
using app::TryOrder;
using app::TryResult;
using test::FakeTry;

TryOrder anOrder() {
  TryOrder order{QStringLiteral("/runs/demo.binade"), {}, {}, test::fakeTrial().after};
  order.name = QStringLiteral("fc2 in float32");
  order.steps = 40;
  order.record = QStringLiteral("/runs/demo.binade");
  return order;
}

class TryJobs : public test::Suite {
  Q_OBJECT

 private:
  /// Runs an order to its end; nullopt: it did not end.
  static std::optional<TryResult> resultOf(TryJob& job, const TryOrder& order) {
    std::optional<TryResult> result;
    QObject::connect(&job, &TryJob::finished, &job, [&](const TryResult& finished) { result = finished; });
    job.start(order);
    if (!QTest::qWaitFor([&] { return result.has_value(); }, 20000)) return std::nullopt;
    return result;
  }

 private Q_SLOTS:
  void theEngineIsGivenBothPoliciesAndTheRunFile() {
    const FakeTry fake(QStringLiteral("cat \"$folder/tried\""));
    TryJob job(fake.engine());
    TryOrder order = anOrder();
    order.before.base = policy::Base::kCpuAmp;
    order.from = QStringLiteral("/runs/at-200.safetensors");
    order.seeds = 3;
    const auto result = resultOf(job, order);
    QVERIFY(result && result->trial && !result->problem);
    QVERIFY(!job.isRunning());
    QCOMPARE(fake.arguments().mid(0, 2), QStringList({QStringLiteral("try"), order.run}));
    QVERIFY(fake.before() == order.before);
    QVERIFY(fake.after() == order.after);
    QCOMPARE(fake.option(QStringLiteral("--from")), order.from);
    QCOMPARE(fake.option(QStringLiteral("--steps")), QStringLiteral("40"));
    QCOMPARE(fake.option(QStringLiteral("--seeds")), QStringLiteral("3"));
    QCOMPARE(fake.option(QStringLiteral("--name")), order.name);
    QCOMPARE(fake.option(QStringLiteral("--record")), order.record);
    QVERIFY(fake.arguments().contains(QStringLiteral("--json")));
    QCOMPARE(fake.arguments().last(), QStringLiteral("--confined"));
  }

  void withoutARunFileNothingIsRecorded() {
    const FakeTry fake(QStringLiteral("cat \"$folder/tried\""));
    TryJob job(fake.engine());
    TryOrder order = anOrder();
    order.record.clear();
    QVERIFY(resultOf(job, order));
    QVERIFY(fake.arguments().contains(QStringLiteral("--no-record")));
    QVERIFY(!fake.arguments().contains(QStringLiteral("--record")));
  }

  void stepsAndSeedsAreReportedInTheirOrder() {
    const FakeTry fake(
        QStringLiteral("echo '{\"event\":\"trying\",\"done\":40,\"of\":120}'\n"
                       "echo 'no JSON'\n"
                       "cat \"$folder/learnt\" \"$folder/tried\""));
    TryJob job(fake.engine());
    const QSignalSpy progress(&job, &TryJob::progress);
    const QSignalSpy learnt(&job, &TryJob::learnt);
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->trial);
    QVERIFY(*result->trial == test::fakeTrial());
    QCOMPARE(progress.count(), 1);
    QCOMPARE(progress.front(), (QList<QVariant>{qint64{40}, qint64{120}}));
    QCOMPARE(learnt.count(), 1);
  }

  void cancellingKeepsWhatWasLearnt() {
    const FakeTry fake(
        QStringLiteral("trap 'cat \"$folder/cut\"; exit 7' TERM\n"
                       "cat \"$folder/learnt\"\n"
                       "while :; do sleep 0.05; done"));
    TryJob job(fake.engine());
    QObject::connect(&job, &TryJob::learnt, &job, [&job] { job.cancel(); });
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->trial && result->problem);
    QVERIFY(!result->trial->complete);
    QCOMPARE(result->trial->seeds.size(), std::size_t{1});
    QVERIFY2(result->problem->message.contains(QStringLiteral("kept")), qPrintable(result->problem->message));
  }

  void aSecondCancelDoesNotWait() {
    const FakeTry fake(
        QStringLiteral("trap '' TERM\n"
                       "cat \"$folder/learnt\"\n"
                       "while :; do sleep 0.05; done"));
    TryJob job(fake.engine());
    QObject::connect(&job, &TryJob::learnt, &job, [&job] {
      job.cancel();
      job.cancel();
    });
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->trial);
    QVERIFY(!result->trial->complete);
  }

  void anEngineThatDiesLeavesWhatItHadReported() {
    const FakeTry fake(
        QStringLiteral("cat \"$folder/learnt\"\n"
                       "echo 'out of memory' >&2\n"
                       "kill -9 $$"));
    TryJob job(fake.engine());
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->trial && result->problem);
    QVERIFY(!result->trial->complete);
    QCOMPARE(result->problem->hint, QStringLiteral("out of memory"));
  }

  void anEngineThatDiesInTheFirstSeedLeavesItsSteps() {
    const FakeTry fake(
        QStringLiteral("cat \"$folder/partial\"\n"
                       "kill -9 $$"));
    TryJob job(fake.engine());
    const QSignalSpy learnt(&job, &TryJob::learnt);
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->trial && result->problem);
    QVERIFY(!result->trial->complete);
    QCOMPARE(result->trial->seeds.front().after.losses.size(), std::size_t{20});
    QVERIFY(result->trial->seeds.front().noise.losses.empty());
    QCOMPARE(learnt.count(), 0);  // there is nothing to show before the seed has ended
    QVERIFY2(result->problem->message.contains(QStringLiteral("kept")), qPrintable(result->problem->message));
  }

  void anErrorOfTheEngineIsTheProblem() {
    const FakeTry fake(
        QStringLiteral("echo '{\"event\":\"error\",\"message\":\"the data has changed\",\"hint\":\"Restore it.\"}'\n"
                       "exit 3"));
    TryJob job(fake.engine());
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->problem && !result->trial);
    QCOMPARE(*result->problem, (app::Problem{QStringLiteral("the data has changed"), QStringLiteral("Restore it.")}));
  }

  void aResultThatCannotBeReadIsAProblem() {
    const FakeTry fake(QStringLiteral("echo '{\"event\":\"tried\",\"trial\":{\"name\":3}}'"));
    TryJob job(fake.engine());
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->problem && !result->trial);
    QVERIFY(!result->problem->hint.isEmpty());
  }

  void anEngineThatDoesNotStartIsAProblem() {
    TryJob job({QStringLiteral("/no/such/engine"), {QStringLiteral("serve")}});
    const auto result = resultOf(job, anOrder());
    QVERIFY(result && result->problem && !result->trial);
  }

  void anEngineElsewhereCannotTry() {
    QVERIFY(app::whyNoTry(FakeTry(QString()).engine()).isEmpty());
    QVERIFY(app::whyNoTry({QStringLiteral("ssh"), {QStringLiteral("host"), QStringLiteral("serve")}})
                .contains(QStringLiteral("another machine")));
    QVERIFY(!app::whyNoTry(test::fakeEngine()).isEmpty());  // does not end with `serve`: its other commands are unknown
  }
};

BINADE_SUITE(TryJobs);

}  // namespace

#include "tst_try_job.moc"
