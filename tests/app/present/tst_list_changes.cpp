// SPDX-License-Identifier: Apache-2.0
// What a policy changes against its base list: which op calls, from which format to which, and back again.
#include "app/present/list_changes.h"
#include "app/present/policy_change.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QLocale>
#include <QTest>

namespace {

using namespace binade;
using app::ListChange;

policy::SiteRule rule(const std::string& match, const formats::Format& format, const std::string& why = {}) {
  policy::SiteRule made;
  made.match = match;
  made.format = format;
  made.why = why;
  return made;
}

policy::Policy tuned() {
  policy::Policy policy;
  policy.low = formats::kBFloat16;
  policy.ops.emplace("aten::relu", formats::kFloat32);
  policy.sites = {rule("fc1", formats::kBFloat16), rule("fc1/aten::linear#0", formats::kFloat32, "overflows"),
                  rule("nowhere", formats::kFloat32)};
  return policy;
}

class ListChangesOfPolicies : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aListWithoutChangesHasNone() {
    QVERIFY(app::listChanges({}, test::FakeRun::model()).isEmpty());
    const QString text = app::listChangesText({}, {}, {});
    QVERIFY2(text.contains(QStringLiteral("cuda-amp")) && text.contains(QStringLiteral("no changes")),
             qPrintable(text));
  }

  void manyChangesAreCountedAsTheLocaleGroupsThem() {
    policy::Policy many;
    for (int i = 0; i < 1234; ++i) many.sites.push_back(rule("layer" + std::to_string(i), formats::kFloat32));
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    const QString english = app::policyStart(many).title;
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    const QString german = app::policyStart(many).title;
    QLocale::setDefault(before);
    QVERIFY2(english.contains(QStringLiteral("1,234 changes")), qPrintable(english));
    QVERIFY2(german.contains(QStringLiteral("1.234 changes")), qPrintable(german));
  }

  void eachChangeNamesItsOpCallsAndBothFormats() {
    const wire::ModelInfo model = test::FakeRun::model();
    const QList<ListChange> changes = app::listChanges(tuned(), model);
    QCOMPARE(changes.size(), 5);
    QVERIFY(changes[0].kind == ListChange::Kind::kLow);
    QCOMPARE(changes[0].before, QStringLiteral("float16"));
    QCOMPARE(changes[0].after, QStringLiteral("bfloat16"));
    QVERIFY(changes[1].kind == ListChange::Kind::kOp);
    QVERIFY(!changes[1].calls.empty());
    for (const int call : changes[1].calls) {
      QCOMPARE(model.sites[static_cast<std::size_t>(call)].key.op, std::string("aten::relu"));
    }
    // The later rule decides for the call that both match.
    QVERIFY(changes[2].kind == ListChange::Kind::kRule);
    for (const int call : changes[2].calls) QVERIFY(call != test::kFc1);
    QCOMPARE(changes[3].calls, std::vector<int>{test::kFc1});
    QCOMPARE(changes[3].before, QStringLiteral("float16"));
    QCOMPARE(changes[3].after, QStringLiteral("float32"));
    QCOMPARE(changes[3].why, QStringLiteral("overflows"));
    QVERIFY(changes[4].calls.empty() && !changes[4].why.isEmpty());
  }

  void everyChangeCanBeRemovedUntilOnlyTheListIsLeft() {
    policy::Policy policy = tuned();
    policy.execution = policy::Execution::kNative;
    policy.behaviour = policy::Behaviour::kPyTorch211;
    policy.provenance.evidence = {"trained"};
    const wire::ModelInfo model = test::FakeRun::model();
    qsizetype left = 7;
    while (left > 0) {
      const QList<ListChange> changes = app::listChanges(policy, model);
      QCOMPARE(changes.size(), left);
      policy = app::withoutChange(policy, changes[left / 2]);
      QVERIFY(policy.provenance == policy::Provenance{});
      --left;
    }
    QVERIFY(policy == policy::Policy());
  }

  void theLowFormatOfAnotherListIsNoChange() {
    policy::Policy policy;
    policy.base = policy::Base::kCpuAmp;
    policy.low = formats::kBFloat16;
    QVERIFY(app::listChanges(policy, {}).isEmpty());
    policy.low = formats::kFloat16;
    QCOMPARE(app::listChanges(policy, {}).size(), 1);
    QVERIFY(app::withoutChange(policy, app::listChanges(policy, {}).front()).low == formats::kBFloat16);
  }

  void withoutAModelTheChangesAreStillListed() {
    const QList<ListChange> changes = app::listChanges(tuned(), {});
    QCOMPARE(changes.size(), 5);
    const QList<app::CellRow> rows = app::listChangeRows(changes, {});
    QCOMPARE(rows.size(), 5);
    QCOMPARE(rows.back().cells[1].value(Qt::DisplayRole).toString(), QStringLiteral("–"));
  }

  void theTextHasALineForEach() {
    const wire::ModelInfo model = test::FakeRun::model();
    const QStringList lines =
        app::listChangesText(tuned(), app::listChanges(tuned(), model), model).trimmed().split(u'\n');
    QCOMPARE(lines.size(), 6);
    QVERIFY2(lines[4].contains(QStringLiteral("fc1/aten::linear#0: float16 → float32")) &&
                 lines[4].contains(QStringLiteral("overflows")),
             qPrintable(lines[4]));
  }
};

BINADE_SUITE(ListChangesOfPolicies);

}  // namespace

#include "tst_list_changes.moc"
