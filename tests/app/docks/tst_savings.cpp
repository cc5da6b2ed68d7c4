// SPDX-License-Identifier: Apache-2.0
// What would this save?: figures of an edit that was not made.
#include "app/docks/savings_view.h"
#include "app/docks/sites_dock.h"
#include "app/present/savings_facts.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using test::Explorer;

/// The value of the fact with this name; empty: there is none.
QString factOf(const QList<app::SavingsFact>& facts, const QString& name) {
  for (const app::SavingsFact& fact : facts) {
    if (fact.name == name) return fact.value;
  }
  return {};
}

class Savings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatWasMeasuredIsShownWithItsChange() {
    app::RunModel run;
    test::feedRun(run, 5);
    const wire::Savings measured = test::savings(5);
    const auto facts = app::savingsFacts(run, {test::kFc1}, QStringLiteral("float32"), &measured);
    QCOMPARE(factOf(facts, QStringLiteral("casts in a step's forwards")), QStringLiteral("12 → 9 (−3)"));
    QVERIFY(factOf(facts, QStringLiteral("bytes that they write")).contains(QStringLiteral("−")));
    QVERIFY(factOf(facts, QStringLiteral("time of the forwards")).contains(QStringLiteral("ms")));
    QVERIFY(factOf(facts, QStringLiteral("estimate for A100")).contains(QStringLiteral("≥")));
  }

  // Where nothing was measured there is a reason, and no zero.
  void whatWasNotMeasuredHasAReason() {
    app::RunModel run;
    test::feedRun(run, 5);
    wire::Savings measured = test::savings(5);
    measured.before.seconds.reset();
    measured.after.seconds.reset();
    measured.after.emulated = true;
    measured.products.clear();
    measured.estimates.clear();
    auto facts = app::savingsFacts(run, {test::kFc1}, QStringLiteral("float16"), &measured);
    QVERIFY(factOf(facts, QStringLiteral("time of the forwards")).contains(QStringLiteral("emulated")));
    QCOMPARE(factOf(facts, QStringLiteral("matrix products")), QStringLiteral("none changes its format"));
    QVERIFY(factOf(facts, QStringLiteral("their time now")).contains(QStringLiteral("not profiled")));
    facts = app::savingsFacts(run, {test::kFc1}, QStringLiteral("float16"), nullptr);
    QCOMPARE(facts.size(), 1);
    run.addProfile(test::cpuProfile(0, 4));
    const QString time = factOf(app::savingsFacts(run, {test::kFc2}, {}, nullptr), QStringLiteral("their time now"));
    QVERIFY2(time.contains(QStringLiteral("of a step")) && time.contains(QStringLiteral("emulated")), qPrintable(time));
  }

  void anEndedRunWithoutACheckpointSaysWhatIsNeeded() {
    app::RunModel run;
    test::FakeRun fake;
    app::SavingsView view(&run);
    const QSignalSpy requests(&view, &app::SavingsView::measureRequested);
    run.begin(fake.started(), app::RunModel::Source::kFile);
    run.addSteps({fake.next()});
    run.addCasts(test::casts(0, 0));
    run.finish({wire::Outcome::kCompleted, 1, "", ""});
    view.ask({}, {test::kFc2}, QStringLiteral("float32"));
    QCOMPARE(requests.count(), 0);
    QVERIFY2(view.text().contains(QStringLiteral("kept no checkpoint")), qPrintable(view.text()));
    run.addCheckpoint({"/gone", 1, "end", 0, "sample:cnn", 1});
    view.ask({}, {test::kFc2}, QStringLiteral("float32"));
    QCOMPARE(requests.count(), 1);
  }

  void inTheWindowItIsAskedOfTheEngineAndNothingIsEdited() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(20));
    app::Session& session = explorer.session();
    app::SitesDock* dock = explorer.window().docks()->sites;
    session.selection().setSites({test::kFc1});
    QVERIFY(dock->savings()->isHidden());
    dock->askSavings(QStringLiteral("float32"));
    QVERIFY(!dock->savings()->isHidden());
    QTRY_COMPARE(explorer.requests(QStringLiteral("policy.savings")).size(), 1);
    QTRY_VERIFY2(dock->savings()->text().contains(QStringLiteral("12 → 9")), qPrintable(dock->savings()->text()));
    QVERIFY(dock->savings()->text().startsWith(QStringLiteral("float32 for fc1/aten::linear#0 would change:")));
    QVERIFY(!session.document().isModified() && explorer.requests(QStringLiteral("policy.set")).isEmpty());
    Explorer::picture(&explorer.window(), QStringLiteral("savings"));
    // Under another policy the figures would be wrong.
    dock->setSelectedFormat(QStringLiteral("float32"));
    QTRY_VERIFY(dock->savings()->isHidden());
  }
};

BINADE_SUITE(Savings);

}  // namespace

#include "tst_savings.moc"
