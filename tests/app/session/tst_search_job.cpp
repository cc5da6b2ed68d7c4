// SPDX-License-Identifier: Apache-2.0
// A search as a process of its own: what it is given, what it reports, and what is kept of one that ends early.
#include "app/session/search_job.h"
#include "tests/app/fake_search.h"
#include "tests/support/suite.h"

#include <QFileInfo>
#include <QTest>

#include <cmath>
#include <limits>
#include <optional>

namespace {

using namespace binade;
using app::SearchJob;
using app::SearchOrder;
using app::SearchResult;
using test::fakePoint;
using test::FakeSearch;

SearchOrder aSearch() {
  SearchOrder order;
  order.run = QStringLiteral("/runs/demo.binade");
  order.base.base = policy::Base::kCpuAmp;
  order.goal = app::SearchGoal::kCasts;
  return order;
}

class SearchJobs : public test::Suite {
  Q_OBJECT

 private:
  /// Runs an order to its end; nullopt: it did not end.
  static std::optional<SearchResult> resultOf(SearchJob& job, const SearchOrder& order) {
    std::optional<SearchResult> result;
    QObject::connect(&job, &SearchJob::finished, &job, [&](const SearchResult& finished) { result = finished; });
    job.start(order);
    if (!QTest::qWaitFor([&] { return result.has_value(); }, 20000)) return std::nullopt;
    return result;
  }

 private Q_SLOTS:
  void theEngineIsGivenTheWholeOrder() {
    const FakeSearch fake(QStringLiteral("cat \"$folder/lines\""));
    fake.write(QStringLiteral("lines"), FakeSearch::front({}, "The tries are used up."));
    SearchJob job(fake.engine());
    SearchOrder order = aSearch();
    order.checkpoint = QStringLiteral("/runs/at-200.safetensors");
    order.minutes = 5;
    order.tries = 40;
    order.steps = 30;
    order.seeds = 2;
    order.fixed = {QStringLiteral("fc1/aten::linear#0"), QStringLiteral("layer4")};
    order.formats = {QStringLiteral("bfloat16"), QStringLiteral("float32")};
    order.evaluation = 0.25;
    const auto result = resultOf(job, order);
    QVERIFY(result && !result->problem);
    QCOMPARE(fake.arguments().mid(0, 4),
             (QStringList{QStringLiteral("search"), order.run, QStringLiteral("--for"), QStringLiteral("casts")}));
    QVERIFY(fake.base() == order.base);
    QCOMPARE(fake.options(QStringLiteral("--budget")),
             (QStringList{QStringLiteral("5min"), QStringLiteral("40tries")}));
    QCOMPARE(fake.option(QStringLiteral("--from")), order.checkpoint);
    QCOMPARE(fake.option(QStringLiteral("--steps")), QStringLiteral("30"));
    QCOMPARE(fake.option(QStringLiteral("--seeds")), QStringLiteral("2"));
    QCOMPARE(fake.options(QStringLiteral("--fixed")), order.fixed);
    QCOMPARE(fake.option(QStringLiteral("--formats")), QStringLiteral("bfloat16,float32"));
    QCOMPARE(fake.option(QStringLiteral("--evaluation")).toDouble(), 0.25);
    QCOMPARE(fake.option(QStringLiteral("--out")), app::searchFolder(order));
  }

  void triesArriveAsTheyEndAndTheFrontLast() {
    const FakeSearch fake(QStringLiteral("cat \"$folder/lines\""));
    app::SearchPoint failing = fakePoint(2, 20, std::numeric_limits<double>::infinity(), false);
    failing.reason = QStringLiteral("no kernel");
    app::SearchPoint good = fakePoint(1, 30, -0.001, true);
    good.base_cost = 42;
    good.cost_noise = 1.5;
    good.evaluation = 0.5;
    fake.write(QStringLiteral("lines"), FakeSearch::searching(1, 2.5, "Trying fc1") + FakeSearch::proven(good) +
                                            FakeSearch::proven(failing) + FakeSearch::front({good}, "Done."));
    SearchJob job(fake.engine());
    QList<app::SearchPoint> proven;
    QStringList said;
    connect(&job, &SearchJob::proven, this, [&](const app::SearchPoint& point) { proven << point; });
    connect(&job, &SearchJob::searching, this, [&](qint64 tries, double seconds, const QString& sentence) {
      said << QStringLiteral("%1 %2 %3").arg(tries).arg(seconds).arg(sentence);
    });
    const auto result = resultOf(job, aSearch());
    QVERIFY(result && !result->problem && !result->nothing_better && !result->cancelled);
    QCOMPARE(said, QStringList{QStringLiteral("1 2.5 Trying fc1")});
    QCOMPARE(proven.size(), 2);
    QCOMPARE(proven[0].changed, good.changed);
    QVERIFY(proven[0].policy == good.policy && proven[0].holds);
    QCOMPARE(proven[0].policy.provenance.evidence, good.policy.provenance.evidence);
    QCOMPARE(proven[0].base_cost, std::optional<double>(42));
    QCOMPARE(proven[0].cost_noise, 1.5);
    QCOMPARE(proven[0].evaluation, std::optional<double>(0.5));
    QVERIFY(proven[1].verdict == wire::TrialVerdict::kDiverged && std::isinf(proven[1].gap));
    QCOMPARE(proven[1].reason, QStringLiteral("no kernel"));
    QCOMPARE(result->front.size(), 1);
    QCOMPARE(result->front.front().attempt, 1);
    QCOMPARE(result->sentence, QStringLiteral("Done."));
  }

  void aCancelledSearchKeepsItsFront() {
    // `exec sleep` would not run the trap.
    const FakeSearch fake(
        QStringLiteral("trap 'cat \"$folder/front\"; exit 130' TERM\n"
                       "cat \"$folder/first\"\nwhile :; do sleep 0.05; done"));
    fake.write(QStringLiteral("first"), FakeSearch::searching(1, 1, "Trying fc1"));
    fake.write(QStringLiteral("front"), FakeSearch::front({fakePoint(1, 30, 0, true)}, "Cancelled."));
    SearchJob job(fake.engine());
    connect(&job, &SearchJob::searching, &job, &SearchJob::cancel);
    const auto result = resultOf(job, aSearch());
    QVERIFY(result && result->cancelled && !result->problem);
    QCOMPARE(result->front.size(), 1);
  }

  // The engine reports the end of a search that it was preparing as an error.
  void aSearchCancelledInItsPreparationIsNoProblem() {
    const FakeSearch fake(
        QStringLiteral("echo '{\"event\":\"error\",\"message\":\"no\",\"hint\":\"\",\"cancelled\":true}'; exit 130"));
    SearchJob job(fake.engine());
    const auto result = resultOf(job, aSearch());
    QVERIFY(result && result->cancelled && !result->problem);
    QVERIFY(!result->sentence.isEmpty());
  }

  void aKilledSearchIsAProblemThatSaysThatItGoesOn() {
    const FakeSearch fake(QStringLiteral("cat \"$folder/first\"; echo 'out of memory' >&2; kill -9 $$"));
    fake.write(QStringLiteral("first"), FakeSearch::proven(fakePoint(1, 30, 0, true)));
    SearchJob job(fake.engine());
    int proven = 0;
    connect(&job, &SearchJob::proven, this, [&] { ++proven; });
    const auto result = resultOf(job, aSearch());
    QVERIFY(result && result->problem);
    QVERIFY(result->problem->message.contains(QStringLiteral("start it again")));
    QCOMPARE(result->problem->hint, QStringLiteral("out of memory"));
    QCOMPARE(proven, 1);
  }

  void theEnginesErrorIsTheProblem() {
    const FakeSearch fake(
        QStringLiteral("echo '{\"event\":\"error\",\"message\":\"no\",\"hint\":\"do\",\"field\":\"f\"}'; exit 1"));
    SearchJob job(fake.engine());
    const auto result = resultOf(job, aSearch());
    QVERIFY(result && result->problem);
    QVERIFY((*result->problem == app::Problem{QStringLiteral("no"), QStringLiteral("do"), QStringLiteral("f")}));
  }

  void anEngineThatDoesNotStartIsAProblem() {
    SearchJob job({QStringLiteral("/nowhere/binade-engine"), {QStringLiteral("serve")}});
    const auto result = resultOf(job, aSearch());
    QVERIFY(result && result->problem && !result->problem->hint.isEmpty());
  }

  void equalOrdersShareAFolderAndAnyOtherHasItsOwn() {
    const SearchOrder order = aSearch();
    const QString folder = app::searchFolder(order);
    QCOMPARE(QFileInfo(folder).path(), QStringLiteral("/runs"));
    QVERIFY(QFileInfo(folder).fileName().startsWith(QStringLiteral("demo.search-casts-")));
    SearchOrder larger = order;
    larger.minutes = 600;
    larger.tries = 7;
    QCOMPARE(app::searchFolder(larger), folder);
    SearchOrder other = order;
    other.goal = app::SearchGoal::kRepair;
    QVERIFY(app::searchFolder(other) != folder);
    other = order;
    other.base.base = policy::Base::kCudaAmp;
    QVERIFY(app::searchFolder(other) != folder);
    other = order;
    other.fixed = {QStringLiteral("float32")};
    const QString fixed = app::searchFolder(other);
    other.fixed.clear();
    other.formats = {QStringLiteral("float32")};
    QVERIFY(fixed != folder && app::searchFolder(other) != folder && app::searchFolder(other) != fixed);
  }

  void anEngineElsewhereDoesNotSearch() {
    QVERIFY(app::whyNoSearch({QStringLiteral("/usr/bin/binade-engine"), {QStringLiteral("serve")}}).isEmpty());
    QVERIFY(!app::whyNoSearch({QStringLiteral("ssh"), {QStringLiteral("gpu"), QStringLiteral("serve")}}).isEmpty());
  }
};

BINADE_SUITE(SearchJobs);

}  // namespace

#include "tst_search_job.moc"
