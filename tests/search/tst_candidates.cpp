// SPDX-License-Identifier: Apache-2.0
#include "engine/search/candidates.h"
#include "tests/search/simulated_training.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>

using namespace binade;
using search::Candidate;
using search::Chance;

/// What op calls could become, and in which order a repair suspects them.
class SearchCandidates : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void fixedOpCallsDoNotChange_data();
  void fixedOpCallsDoNotChange();
  void onlyAllowedFormatsAreProposed();
  void theLowFormatIsTheFirstThatIsAllowed();
  void aHigherFormatIsProposedWhereItRemovesCasts();
  void evidenceDecidesTheChance();
  void aWiderRangeThanTheEvidencesIsNoOverflow();
  void suspectsAreRanked();
  void aGapOfErrorsSetsSuspectsApart();
  void aRefusedOpCallIsTheFirstSuspect();
  void whatComputesInFloat32IsNoSuspect();
  void aPolicyHasOneRuleForEachChange();
  void unmeasuredEvidenceIsNoEvidence();

 private:
  static search::Order order(search::Goal goal);
};

search::Order SearchCandidates::order(search::Goal goal) {
  search::Order order;
  order.base.low = formats::kBFloat16;
  order.goal = goal;
  return order;
}

void SearchCandidates::fixedOpCallsDoNotChange_data() {
  QTest::addColumn<QString>("pattern");
  QTest::addColumn<int>("candidates");
  QTest::newRow("none") << QString() << 12;
  QTest::newRow("subtree") << QStringLiteral("encoder") << 6;
  QTest::newRow("layer") << QStringLiteral("encoder.layer1") << 11;
  QTest::newRow("op") << QStringLiteral("*/aten::linear#*") << 8;
  QTest::newRow("name") << QStringLiteral("decoder.layer7/aten::relu#0") << 11;
  QTest::newRow("other") << QStringLiteral("head") << 12;
}

void SearchCandidates::fixedOpCallsDoNotChange() {
  QFETCH(QString, pattern);
  QFETCH(int, candidates);
  search::Order wanted = order(search::Goal::kTime);
  if (!pattern.isEmpty()) wanted.limits.fixed = {pattern.toStdString()};
  QCOMPARE(search::saving_candidates(wanted, test::some_calls(12, formats::kFloat32)).size(),
           static_cast<std::size_t>(candidates));
  wanted.goal = search::Goal::kRepair;
  QCOMPARE(search::repair_candidates(wanted, test::some_calls(12, formats::kBFloat16)).size(),
           static_cast<std::size_t>(candidates));
}

void SearchCandidates::onlyAllowedFormatsAreProposed() {
  search::Order wanted = order(search::Goal::kTime);
  const auto evidence = test::some_calls(4, formats::kFloat32);
  for (const Candidate& each : search::saving_candidates(wanted, evidence)) {
    QCOMPARE(formats::name(each.format), std::string("bfloat16"));
  }
  wanted.limits.formats = {formats::kFloat16, formats::kFloat8E4M3fn};
  const auto candidates = search::saving_candidates(wanted, evidence);
  QCOMPARE(candidates.size(), std::size_t{8});
  QCOMPARE(formats::name(candidates[0].format), std::string("float16"));
  QCOMPARE(formats::name(candidates[1].format), std::string("float8_e4m3fn"));
  QVERIFY(candidates[1].saving > candidates[0].saving);
  wanted.limits.formats = {formats::kFloat32};
  QVERIFY(search::saving_candidates(wanted, evidence).empty());
}

void SearchCandidates::theLowFormatIsTheFirstThatIsAllowed() {
  search::Order wanted = order(search::Goal::kTime);
  QCOMPARE(formats::name(search::low_format(wanted)), std::string("bfloat16"));
  wanted.limits.formats = {formats::kFloat32, formats::kFloat16, formats::kBFloat16};
  QCOMPARE(formats::name(search::low_format(wanted)), std::string("float16"));
}

void SearchCandidates::aHigherFormatIsProposedWhereItRemovesCasts() {
  auto evidence = test::some_calls(5, formats::kFloat32);
  // A small op call in bfloat16 between op calls in float32, all of which cast.
  evidence.calls[2].now.format = formats::kBFloat16;
  evidence.calls[2].seconds = 1e-6;
  evidence.calls[2].casts = 2;
  evidence.calls[2].cast_bytes = 8192;
  evidence.calls[3].casts = 1;
  evidence.calls[3].cast_bytes = 4096;
  for (const search::Goal goal : {search::Goal::kTime, search::Goal::kCasts}) {
    const auto candidates = search::saving_candidates(order(goal), evidence);
    const auto raised =
        std::find_if(candidates.begin(), candidates.end(), [](const auto& each) { return each.raises; });
    QVERIFY(raised != candidates.end());
    QCOMPARE(raised->call, std::size_t{2});
    QVERIFY(raised->saving > 0);
    QCOMPARE(raised->chance, Chance::kSafe);
  }
  evidence.calls[2].seconds = 1;  // a large one saves more than its casts cost
  for (const Candidate& each : search::saving_candidates(order(search::Goal::kTime), evidence)) QVERIFY(!each.raises);
}

void SearchCandidates::evidenceDecidesTheChance() {
  auto evidence = test::some_calls(6, formats::kFloat32);
  evidence.calls[1].doublings_left = -2;
  evidence.calls[2].lost = 0.9;
  evidence.calls[3].doublings_left = 0.5;
  evidence.calls[4].error = 0.2;
  evidence.calls[5].amplifies = 100;
  const auto candidates = search::saving_candidates(order(search::Goal::kTime), evidence);
  QCOMPARE(candidates.size(), std::size_t{6});
  const std::vector<Chance> expected{Chance::kSafe,     Chance::kUnlikely, Chance::kUnlikely,
                                     Chance::kDoubtful, Chance::kDoubtful, Chance::kDoubtful};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    QCOMPARE(candidates[i].chance, expected[i]);
    if (i > 0) QVERIFY(candidates[i].risk > candidates[0].risk);
    QVERIFY(!candidates[i].why.empty());
  }
}

void SearchCandidates::aWiderRangeThanTheEvidencesIsNoOverflow() {
  search::Order wanted = order(search::Goal::kTime);
  wanted.limits.formats = {formats::kFloat16, formats::kBFloat16};
  auto evidence = test::some_calls(1, formats::kFloat32);
  evidence.calls[0].doublings_left = -3;  // in float16
  evidence.calls[0].lost = 0.6;
  const auto candidates = search::saving_candidates(wanted, evidence);
  QCOMPARE(candidates.size(), std::size_t{2});
  QCOMPARE(candidates[0].chance, Chance::kUnlikely);
  QCOMPARE(candidates[1].chance, Chance::kSafe);
}

void SearchCandidates::suspectsAreRanked() {
  auto evidence = test::some_calls(10, formats::kFloat16);
  evidence.calls[0].error = 0.5;
  evidence.calls[1].error = 0.01;
  evidence.calls[1].amplifies = 100;
  evidence.calls[2].lost = 0.2;
  evidence.calls[3].lost = 0.7;
  evidence.calls[4].doublings_left = -1;
  evidence.calls[4].error = 0.001;
  evidence.calls[5].doublings_left = -4;
  evidence.calls[5].error = 0.001;
  evidence.calls[6].overflowed = true;
  evidence.calls[7].overflowed = true;
  evidence.calls[8].error = std::numeric_limits<double>::infinity();
  evidence.calls[9].doublings_left = -20;  // what it was given
  const auto candidates = search::repair_candidates(order(search::Goal::kRepair), evidence);
  std::vector<std::size_t> ranking;
  for (const Candidate& each : candidates) ranking.push_back(each.call);
  QCOMPARE(ranking, (std::vector<std::size_t>{8, 6, 7, 5, 4, 9, 3, 2, 1, 0}));
  QCOMPARE(search::set_apart(candidates), std::size_t{3});
}

void SearchCandidates::aGapOfErrorsSetsSuspectsApart() {
  auto evidence = test::some_calls(12, formats::kFloat16);
  for (std::size_t i = 0; i < 12; ++i) evidence.calls[i].error = i == 3 || i == 8 ? 0.2 : 0.01;
  QCOMPARE(search::set_apart(search::repair_candidates(order(search::Goal::kRepair), evidence)), std::size_t{2});
  evidence.calls[3].error = evidence.calls[8].error = 0.02;
  QCOMPARE(search::set_apart(search::repair_candidates(order(search::Goal::kRepair), evidence)), std::size_t{0});
}

void SearchCandidates::aRefusedOpCallIsTheFirstSuspect() {
  auto evidence = test::some_calls(3, formats::kFloat16);
  evidence.calls[0].error = 0.5;
  evidence.calls[2].now.kind = policy::Decision::Kind::kBanned;
  QCOMPARE(search::repair_candidates(order(search::Goal::kRepair), evidence).at(0).call, std::size_t{2});
}

void SearchCandidates::whatComputesInFloat32IsNoSuspect() {
  auto evidence = test::some_calls(4, formats::kFloat16);
  evidence.calls[0].now.format = formats::kFloat32;
  evidence.calls[1].now.kind = policy::Decision::Kind::kSetDtype;
  evidence.calls[2].now.kind = policy::Decision::Kind::kFollow;
  const auto candidates = search::repair_candidates(order(search::Goal::kRepair), evidence);
  std::set<std::size_t> calls;
  for (const Candidate& each : candidates) calls.insert(each.call);
  QCOMPARE(calls, (std::set<std::size_t>{2, 3}));
}

void SearchCandidates::aPolicyHasOneRuleForEachChange() {
  search::Order wanted = order(search::Goal::kTime);
  wanted.base.name = "mine";
  const auto evidence = test::some_calls(4, formats::kFloat32);
  policy::SiteRule own;
  own.match = evidence.calls[1].call;
  policy::SiteRule other;
  other.match = "decoder";
  wanted.base.sites = {own, other};
  const auto candidates = search::saving_candidates(wanted, evidence);
  const policy::Policy made = search::with_changes(wanted, evidence, {&candidates[0], &candidates[1]});
  QCOMPARE(made.sites.size(), std::size_t{3});
  QCOMPARE(made.sites[0].match, std::string("decoder"));
  QCOMPARE(made.sites[1].match, evidence.calls[0].call);
  QCOMPARE(made.sites[2].match, evidence.calls[1].call);
  QCOMPARE(formats::name(made.sites[2].format), std::string("bfloat16"));
  QVERIFY(!made.sites[2].why.empty());
  QCOMPARE(made.provenance.from, std::vector<std::string>{"mine"});
  QVERIFY(policy::parse_policy(policy::to_json(made), "made") == made);
}

void SearchCandidates::unmeasuredEvidenceIsNoEvidence() {
  auto evidence = test::some_calls(4, formats::kFloat32);
  for (auto& call : evidence.calls) {
    call.error = call.gradient_error = call.amplifies = call.lost = wire::kNotMeasured;
    call.doublings_left = wire::kNotMeasured;
    call.casts = call.cast_bytes = call.seconds = call.output_bytes = wire::kNotMeasured;
  }
  const auto candidates = search::saving_candidates(order(search::Goal::kTime), evidence);
  QCOMPARE(candidates.size(), std::size_t{4});
  for (const Candidate& each : candidates) {
    QCOMPARE(each.chance, Chance::kSafe);
    QVERIFY(std::isfinite(each.saving) && std::isfinite(each.risk));
  }
  for (auto& call : evidence.calls) call.now.format = formats::kFloat16;
  for (const Candidate& each : search::repair_candidates(order(search::Goal::kRepair), evidence)) {
    QCOMPARE(each.risk, 0.0);
  }
}

BINADE_SUITE(SearchCandidates);
#include "tst_candidates.moc"
