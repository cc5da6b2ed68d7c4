// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/run_gate.h"
#include "engine/wire/utf8.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace {

using namespace binade;

constexpr int kSites = 4;  // of the samples' model

wire::PolicyApplied fittingPolicy() {
  auto applied = test::samplePolicyApplied(1, 0);
  applied.decisions.resize(kSites);
  return applied;
}

wire::RunStarted fittingRun() {
  auto started = test::sampleStarted();
  started.policy = fittingPolicy();
  started.config.scalers.clear();
  return started;
}

/// A gate with that run, and what it has told.
struct Gate {
  Gate() : gate([this](const wire::Misfit& misfit) { told << QString::fromStdString(misfit.text()); }) {
    auto started = fittingRun();
    if (!gate.admit(started)) qFatal("the sample does not fit: %s", qPrintable(told.join(u';')));
  }
  QStringList told;
  wire::RunGate gate;
};

class RunGates : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatEnginesSendPassesAsItIs();
  void nothingPassesBeforeARun();
  void aRunThatBeganElsewhereIsKnownByItsOpCalls();
  void partsThatDoNotFitAreTakenOut();
  void quantizedOperandsAreCheckedByThemselves();
  void savingsAreTakenWholeOrRefused();
  void stepsComeInOrder();
  void ofABatchTheStepsThatFitRemain();
  void aStepMayComeAgainAfterARewind();
  void itemsThatDoNotFitAreRefused_data();
  void itemsThatDoNotFitAreRefused();
  void ranksAreThoseOfTheRun();
  void aRunWithOddSitesIsRefused();
  void aFlowBetweenOtherOpCallsIsRefused();
  void decisionsStandForEverySite();
  void shapesAreCountable();
  void badTextIsRefusedAndNeverSent();
};

void RunGates::whatEnginesSendPassesAsItIs() {
  Gate at;
  const auto passes = [&](auto value) {
    const auto before = value;
    return at.gate.admit(value) && value == before && at.told.isEmpty();
  };
  QVERIFY(passes(test::sampleStep(0, 6)));
  QVERIFY(passes(test::sampleStep(1, 6)));
  for (int step = 0; step < 9; ++step) QVERIFY(passes(test::sampleEvent(step)));  // each kind of facts
  QVERIFY(passes(test::sampleProfile(1)));
  QVERIFY(passes(test::sampleCasts(1, 0)));
  QVERIFY(passes(test::sampleComparison(1)));
  QVERIFY(passes(test::sampleQuantized(1)));
  QVERIFY(passes(test::sampleWhatIf(1)));
  QVERIFY(passes(test::sampleSavings(1)));
  QVERIFY(passes(test::sampleTrial(1)));
  QVERIFY(passes(fittingPolicy()));
  QVERIFY(passes(wire::Evaluated{5, 0.25, 0.5}));
  QVERIFY(passes(wire::Finished{}));
  QVERIFY(passes(test::sampleModel()));
  auto report = test::sampleSilentReport(9);
  std::erase_if(report.faults, [](const auto& fault) { return fault.site >= kSites; });
  QVERIFY(passes(report));
}

void RunGates::aRunThatBeganElsewhereIsKnownByItsOpCalls() {
  QStringList told;
  wire::RunGate gate([&](const wire::Misfit& misfit) { told << QString::fromStdString(misfit.text()); });
  const auto whole = test::sampleComparison(1);
  auto value = whole;
  QVERIFY(!gate.admit(value));
  gate.open(kSites);
  QVERIFY(gate.is_open() && gate.admit(value));
  QVERIFY(value == whole && told.isEmpty());
  gate.open(1);
  QVERIFY(gate.admit(value));
  QVERIFY(value.sites.size() < whole.sites.size() && !told.isEmpty());
}

// Its figures are shown beside each other, so a wrong one is not left out.
void RunGates::quantizedOperandsAreCheckedByThemselves() {
  const auto left = [](const std::function<void(wire::QuantizedOperand&)>& spoil) {
    Gate at;
    wire::QuantizedStep quantized = test::sampleQuantized(1);
    spoil(quantized.operands[0]);
    const bool admitted = at.gate.admit(quantized);
    return admitted && at.told.size() == 1 ? quantized.operands.size() : std::size_t{0};
  };
  const std::function<void(wire::QuantizedOperand&)> spoilers[] = {
      [](auto& operand) { operand.site = kSites; },
      [](auto& operand) { operand.format = "mxfp9"; },
      [](auto& operand) { operand.executions = 0; },
      [](auto& operand) { operand.stats.to_zero = operand.stats.non_zero + 1; },
      [](auto& operand) { operand.stats.non_finite = operand.stats.values; },
      [](auto& operand) { operand.stats.dead_blocks = operand.stats.blocks + 1; },
      [](auto& operand) { operand.stats.scales[3] = 1000; },
      [](auto& operand) { operand.stats.noise = -1; },
      [](auto& operand) { operand.stats.signal = std::numeric_limits<double>::infinity(); },
      [](auto& operand) { operand.stats.error = std::nan(""); },
      [](auto& operand) { operand.stale = std::nan(""); },
  };
  for (const auto& spoil : spoilers) QCOMPARE(left(spoil), std::size_t{2});
  Gate at;
  wire::WhatIf answer = test::sampleWhatIf(1);
  answer.effects[0].format = "mxfp9";
  answer.blocks[1].quantized.pop_back();
  QVERIFY(at.gate.admit(answer));
  QVERIFY(answer.effects.size() == 1 && answer.blocks.size() == 1 && at.told.size() == 2);
  const std::function<void(wire::QuantizedBlock&)> odd_blocks[] = {
      [](auto& block) { block.rows = 0; },
      [](auto& block) { block.row = std::numeric_limits<std::int64_t>::max(); },
      [](auto& block) { block.column = -1; },
      [](auto& block) { block.scale = 0; },
      [](auto& block) { block.values = block.quantized = std::vector<float>(wire::WhatIf::kMostValues + 1); },
  };
  for (const auto& spoil : odd_blocks) {
    answer = test::sampleWhatIf(1);
    spoil(answer.blocks[0]);
    QVERIFY(at.gate.admit(answer));
    QCOMPARE(answer.blocks.size(), std::size_t{1});
  }
  const std::function<void(wire::WhatIf&)> odd_answers[] = {
      [](auto& odd) { odd.site = kSites; },
      [](auto& odd) { odd.format = "mxfp9"; },
      [](auto& odd) { odd.present = "mxfp9"; },
      [](auto& odd) { odd.blocks.resize(wire::WhatIf::kMostBlocks + 1, odd.blocks[0]); },
  };
  for (const auto& spoil : odd_answers) {
    answer = test::sampleWhatIf(1);
    spoil(answer);
    QVERIFY(!at.gate.admit(answer));
  }
}

void RunGates::savingsAreTakenWholeOrRefused() {
  Gate at;
  const auto refuses = [&](const std::function<void(wire::Savings&)>& spoil, const QString& told) {
    wire::Savings savings = test::sampleSavings(1);
    spoil(savings);
    at.told.clear();
    return !at.gate.admit(savings) && at.told.size() == 1 && at.told.front().startsWith(told);
  };
  QVERIFY(refuses([](wire::Savings& savings) { savings.sites.push_back(kSites); }, QStringLiteral("sites has 4")));
  QVERIFY(refuses([](wire::Savings& savings) { savings.sites.push_back(-1); }, QStringLiteral("sites has -1")));
  QVERIFY(refuses([](wire::Savings& savings) { savings.step = -1; }, QStringLiteral("step")));
  QVERIFY(refuses([](wire::Savings& savings) { savings.before.bytes = -1; }, QStringLiteral("before")));
  QVERIFY(refuses([](wire::Savings& savings) { savings.after.seconds = std::numeric_limits<double>::quiet_NaN(); },
                  QStringLiteral("after")));
  QVERIFY(
      refuses([](wire::Savings& savings) { savings.products[0].site = kSites; }, QStringLiteral("products[0].site")));
  QVERIFY(refuses([](wire::Savings& savings) { savings.products[0].m = 0; }, QStringLiteral("products[0]")));
  QVERIFY(refuses([](wire::Savings& savings) { savings.estimates[0].after = -1; }, QStringLiteral("estimates[0]")));
  wire::Savings unmeasured = test::sampleSavings(1);
  unmeasured.before.seconds.reset();
  at.told.clear();
  QVERIFY(at.gate.admit(unmeasured) && at.told.isEmpty());
  wire::RunGate closed([](const wire::Misfit&) {});
  QVERIFY(!closed.admit(unmeasured));
}

void RunGates::nothingPassesBeforeARun() {
  wire::RunGate gate([](const wire::Misfit&) {});
  auto step = test::sampleStep(0);
  auto event = test::sampleEvent(0);
  QVERIFY(!gate.admit(step));
  QVERIFY(!gate.admit(event));
  auto started = fittingRun();
  QVERIFY(gate.admit(started));
  QVERIFY(gate.admit(step));
  gate.close();
  QVERIFY(!gate.admit(event));
}

void RunGates::partsThatDoNotFitAreTakenOut() {
  Gate at;
  auto step = test::sampleStep(0, 3);
  step.new_tensors[1].site = 1'000'000'000;
  step.new_tensors[2].id = -1;
  QVERIFY(at.gate.admit(step));
  QCOMPARE(step.new_tensors.size(), std::size_t{1});
  QCOMPARE(at.told, QStringList({QStringLiteral("new_tensors[1].site is 1000000000, and the run has 4 op calls"),
                                 QStringLiteral("new_tensors[2].id is -1, but the minimum is 0")}));

  auto casts = test::sampleCasts(1, 0);
  casts.lines[0].seconds = std::numeric_limits<double>::infinity();
  QVERIFY(at.gate.admit(casts));
  QCOMPARE(casts.lines.size(), std::size_t{1});

  auto comparison = test::sampleComparison(1);
  const std::size_t notes = comparison.reference.size();
  comparison.reference[0].site = kSites;
  comparison.reference[1].site = -1;
  QVERIFY(at.gate.admit(comparison));
  QCOMPARE(comparison.reference.size(), notes - 2);
  QVERIFY(comparison.reference[0].kind == wire::ReferenceNote::Kind::kParameter);
  QCOMPARE(at.told.at(at.told.size() - 2), QStringLiteral("reference[0].site is 4, and the run has 4 op calls"));
  QVERIFY2(at.told.last().startsWith(QLatin1String("reference[1].site is -1")), qPrintable(at.told.last()));

  auto event = test::sampleEvent(3);
  event.diagnosis->chain[1].site = 4;
  QVERIFY(at.gate.admit(event));
  QVERIFY(!event.diagnosis);
  QCOMPARE(at.told.last(), QStringLiteral("diagnosis.chain[1].site is 4, and the run has 4 op calls"));
  wire::SilentFaultFound found{test::sampleSilentReport(9).faults[2]};
  event.kind = wire::Event::Kind::kSilent;
  event.facts = found;
  QVERIFY(at.gate.admit(event));
  found.fault.site = 4;
  event.facts = found;
  QVERIFY(!at.gate.admit(event));

  auto profile = test::sampleProfile(1);
  profile.sites[1].site = profile.sites[0].site;
  profile.bins[0].seconds = std::nan("");
  QVERIFY(at.gate.admit(profile));
  QCOMPARE(profile.sites.size(), std::size_t{2});
  QCOMPARE(profile.bins.size(), std::size_t{2});
}

void RunGates::stepsComeInOrder() {
  Gate at;
  auto step = test::sampleStep(7);
  QVERIFY(at.gate.admit(step));  // a run that was resumed
  for (const std::int64_t odd : {std::int64_t{7}, std::int64_t{3}, std::int64_t{-1}, std::int64_t{100'000'000},
                                 std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
    step.step = odd;
    QVERIFY(!at.gate.admit(step));
  }
  step.step = 8;
  QVERIFY(at.gate.admit(step));
  QCOMPARE(at.told.size(), 6);
}

void RunGates::ofABatchTheStepsThatFitRemain() {
  Gate at;
  wire::StepBatch batch{{test::sampleStep(1), test::sampleStep(0), test::sampleStep(2)}};
  QVERIFY(at.gate.admit(batch));
  QCOMPARE(batch.steps.size(), std::size_t{2});
  QVERIFY(batch.steps[0] == test::sampleStep(1) && batch.steps[1] == test::sampleStep(2));
  QCOMPARE(at.told.size(), 1);
  QVERIFY(!at.gate.admit(batch));  // they have come already
  QVERIFY(batch.steps.empty());
}

void RunGates::aStepMayComeAgainAfterARewind() {
  Gate at;
  for (std::int64_t n = 0; n < 5; ++n) {
    auto step = test::sampleStep(n);
    QVERIFY(at.gate.admit(step));
  }
  wire::Rewound back{2, "a"};
  QVERIFY(at.gate.admit(back));
  auto step = test::sampleStep(2);
  QVERIFY(at.gate.admit(step));
  QVERIFY(at.told.isEmpty());
}

void RunGates::itemsThatDoNotFitAreRefused_data() {
  using Try = std::function<bool(wire::RunGate&)>;
  QTest::addColumn<Try>("admitted");
  QTest::addColumn<QString>("told");
  const auto row = [](const char* told, auto value, auto spoil) {
    QTest::newRow(told) << Try([value, spoil](wire::RunGate& gate) mutable {
      spoil(value);
      return gate.admit(value);
    }) << QString::fromLatin1(told);
  };
  const double nan = std::nan("");
  row("scale is not a loss scale", test::sampleStep(0), [=](auto& v) { v.scale = nan; });
  row("next_scale is not a loss scale", test::sampleStep(0), [](auto& v) { v.next_scale = -1; });
  row("seconds is not a duration", test::sampleStep(0), [=](auto& v) { v.seconds = nan; });
  row("scalers are 3, and the run has 0", test::sampleStep(0), [](auto& v) { v.scalers.resize(3); });
  row("step is -4, which is not a step", test::sampleEvent(0), [](auto& v) { v.step = -4; });
  row("facts are not those of the kind diverged", test::sampleEvent(1),
      [](auto& v) { v.kind = wire::Event::Kind::kDiverged; });
  row("facts are not those of the kind non_finite_loss", test::sampleEvent(2),
      [](auto& v) { v.kind = wire::Event::Kind::kNonFiniteLoss; });
  row("fix_failed.to is not a loss scale", test::sampleEvent(7),
      [=](auto& v) { std::get<wire::FixFailed>(v.facts).to = nan; });
  row("last_step is 1, before first_step", test::sampleCasts(1, 9), [](auto& v) { v.last_step = 1; });
  row("step_seconds is not a duration", test::sampleProfile(1), [=](auto& v) { v.step_seconds = nan; });
  row("saved is -1, which is not a time", wire::CheckpointInfo{}, [](auto& v) { v.saved = -1; });
  row("scaler.growth_interval is 0, but the minimum is 1", wire::ScalerChanged{},
      [](auto& v) { v.scaler.growth_interval = 0; });
  row("revision is -2, but the minimum is 0", fittingPolicy(), [](auto& v) { v.revision = -2; });
  row("examples is -5, but the minimum is 0", wire::DataPreview{}, [](auto& v) { v.examples = -5; });
}

void RunGates::itemsThatDoNotFitAreRefused() {
  QFETCH(std::function<bool(wire::RunGate&)>, admitted);
  QFETCH(QString, told);
  Gate at;
  QVERIFY(!admitted(at.gate));
  QCOMPARE(at.told, QStringList(told));
}

void RunGates::ranksAreThoseOfTheRun() {
  Gate at;
  auto started = test::sampleStartedOnRanks();
  QVERIFY(at.gate.admit(started));
  QCOMPARE(started.ranks.size(), std::size_t{2});
  at.told.clear();
  auto step = test::sampleStepOfRanks(0);
  step.ranks[1].rank = 2;
  QVERIFY(at.gate.admit(step));
  QCOMPARE(step.ranks.size(), std::size_t{1});
  step = test::sampleStepOfRanks(1);
  step.ranks[0].seconds = -1;
  QVERIFY(at.gate.admit(step));
  QCOMPARE(step.ranks.size(), std::size_t{1});
  QCOMPARE(at.told, QStringList({QStringLiteral("ranks[1].rank is not a rank of the run"),
                                 QStringLiteral("ranks[0].seconds is not a duration")}));
  auto event = test::sampleEvent(1);
  event.rank = 1;
  QVERIFY(at.gate.admit(event) && event.rank == 1);
  event.rank = 2;
  QVERIFY(at.gate.admit(event) && !event.rank);
  QCOMPARE(at.told.last(), QStringLiteral("rank is 2, which is not a rank of the run"));
  started.ranks[1].rank = 0;
  QVERIFY(at.gate.admit(started) && started.ranks.empty());
}

void RunGates::aRunWithOddSitesIsRefused() {
  Gate at;
  auto started = fittingRun();
  started.model.sites[2].id = 2'000'000'000;
  QVERIFY(!at.gate.admit(started));
  QVERIFY(!at.gate.is_open());
  QCOMPARE(at.told, QStringList(QStringLiteral("sites[2].id is 2000000000 instead of 2")));
}

void RunGates::aFlowBetweenOtherOpCallsIsRefused() {
  for (const auto& [change, told] : std::vector<std::pair<std::function<void(wire::FlowInfo&)>, const char*>>{
           {[](auto& flow) { flow.edges[1].to = 4; }, "flow.edges[1].to is 4, and the model has 4 op calls"},
           {[](auto& flow) { flow.edges[2].from = -2; }, "flow.edges[2].from is -2, and the model has 4 op calls"},
           {[](auto& flow) { flow.edges[0].shape[0] = -9; }, "flow.edges[0].shape contains -9"},
           {[](auto& flow) { flow.blocks[1].count = 3; }, "flow.blocks[1].count is 3, and the model has 4 op calls"},
           {[](auto& flow) { flow.blocks[0].count = 0; }, "flow.blocks[0].count is 0, and the model has 4 op calls"}}) {
    Gate at;
    auto started = fittingRun();
    change(*started.model.flow);
    QVERIFY(!at.gate.admit(started));
    QCOMPARE(at.told, QStringList(QLatin1String(told)));
  }
}

void RunGates::decisionsStandForEverySite() {
  Gate at;
  auto applied = fittingPolicy();
  applied.decisions.resize(2);
  applied.decisions[0].rule = 99;
  applied.findings[0].rule = -9;
  QVERIFY(at.gate.admit(applied));
  QCOMPARE(applied.decisions.size(), std::size_t{kSites});
  QCOMPARE(applied.decisions[0].rule, policy::kFromBase);
  QCOMPARE(applied.findings.size(), std::size_t{1});
  QCOMPARE(at.told.size(), 3);
}

void RunGates::shapesAreCountable() {
  Gate at;
  auto model = test::sampleModel();
  model.parameters[0].shape = {1 << 30, 1 << 30, 1 << 30};
  QVERIFY(!at.gate.admit(model));
  model = test::sampleModel();
  model.buffers[0].shape = {4, -1};
  QVERIFY(!at.gate.admit(model));
  model = test::sampleModel();
  model.parameters[0].shape = {0, 1 << 30, 1 << 30};
  QVERIFY(at.gate.admit(model));
}

void RunGates::badTextIsRefusedAndNeverSent() {
  for (const char* good :
       {"", "plain", "gr\xC3\xB6\xC3\x9F", "2\xE2\x81\xB4", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    QVERIFY(wire::is_utf8(good));
    QCOMPARE(wire::valid_utf8(good), std::string(good));
  }
  for (const char* bad : {"\xFF", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\x80",
                          "\xE2\x81", "\xF0\x80\x80\x80"}) {
    QVERIFY(!wire::is_utf8(bad));
    QVERIFY(wire::is_utf8(wire::valid_utf8(bad)));
  }
  QCOMPARE(wire::valid_utf8("a\xFF"
                            "b"),
           std::string("a\xEF\xBF\xBD"
                       "b"));
  auto json = wire::encode(wire::LogLine{"info", "text\xFF"});
  QVERIFY(wire::is_utf8(json["text"].get<std::string>()));
  json["text"] = "\xFF";
  try {
    wire::decode<wire::LogLine>(json);
    QFAIL("taken");
  } catch (const Error& error) {
    QCOMPARE(QString::fromUtf8(error.what()), QStringLiteral("text is not UTF-8"));
  }
}

BINADE_SUITE(RunGates);

}  // namespace

#include "tst_run_gate.moc"
