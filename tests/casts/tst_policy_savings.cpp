// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/cast_costs.h"
#include "engine/casts/policy_savings.h"
#include "engine/formats/error.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "engine/words/cast_text.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace binade;

namespace {

policy::Policy withRule(const policy::Policy& policy, const std::string& match, const formats::Format& format) {
  policy::Policy edited = policy;
  policy::SiteRule& rule = edited.sites.emplace_back();
  rule.match = match;
  rule.format = format;
  return edited;
}

int siteOf(const train::Training& training, const std::string& op) {
  const auto found = std::find_if(training.sites.begin(), training.sites.end(),
                                  [&](const graph::Site* site) { return site->op == op; });
  return found == training.sites.end() ? -1 : (*found)->id;
}

/// A run whose low format runs natively on every CPU.
wire::RunConfig nativeRun() {
  wire::RunConfig config = test::smallRun(4);
  config.policy.low = formats::kBFloat16;
  config.policy.execution = policy::Execution::kNative;
  return config;
}

}  // namespace

// What a policy would save, before it is applied.
class PolicySavings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anEditSavesWhatTheLedgerOfTheEditedRunSays() {
    const wire::RunConfig config = test::smallRun(4);
    const auto training = train::set_up(config);
    casts::CastCosts costs(*training);
    run::Stepper stepper(*training);
    for (int step = 0; step < 2; ++step) costs.stepped(step, stepper.run(step).record.seconds);
    wire::CastLedger ledger = costs.take();
    costs.measure_savings(ledger, 1000);
    int edits = 0;
    for (const wire::CastLine& line : ledger.lines) {
      if (!line.edit_bytes) continue;
      const wire::Savings savings =
          casts::policy_savings(*training, withRule(config.policy, line.edit_match, *line.edit_format), 2);
      QVERIFY2(savings.after.bytes - savings.before.bytes == *line.edit_bytes, words::cast_edit(line).c_str());
      QVERIFY(!savings.sites.empty());
      ++edits;
    }
    QVERIFY(edits > 1);
  }

  void theTrainingIsUnchanged() {
    std::vector<double> plain, asked;
    for (const bool asks : {false, true}) {
      const wire::RunConfig config = test::smallRun(6);
      const auto training = train::set_up(config);
      run::Stepper stepper(*training);
      for (int step = 0; step < 6; ++step) {
        (asks ? asked : plain).push_back(stepper.run(step).record.loss);
        if (asks)
          casts::policy_savings(*training, withRule(config.policy, "*/aten::linear#0", formats::kFloat32), step + 1);
      }
      QCOMPARE(training->data->cursor(), std::int64_t{6});
    }
    QVERIFY(plain == asked);
  }

  void everyProductNamesItsShapeAndBothFormats() {
    const wire::RunConfig config = nativeRun();
    const auto training = train::set_up(config);
    const int linear = siteOf(*training, "aten::linear");
    QVERIFY(linear >= 0);
    const std::string name = training->sites[static_cast<std::size_t>(linear)]->key.name();
    const wire::Savings savings = casts::policy_savings(*training, withRule(config.policy, name, formats::kFloat32), 0);
    QVERIFY(std::find(savings.sites.begin(), savings.sites.end(), linear) != savings.sites.end());
    const auto product = std::find_if(savings.products.begin(), savings.products.end(),
                                      [&](const auto& each) { return each.site == linear; });
    QVERIFY(product != savings.products.end());
    QVERIFY(product->before == formats::kBFloat16 && product->after == formats::kFloat32);
    QCOMPARE(product->m, std::int64_t{config.batch});
    QVERIFY(product->n > 1 && product->k > 1 && product->calls == 1);
    QVERIFY(savings.estimates.empty());  // of a program that knows GPUs
  }

  void microBatchesCount() {
    wire::RunConfig config = nativeRun();
    const policy::Policy edited = withRule(config.policy, "*/aten::linear#0", formats::kFloat32);
    const wire::Savings one = casts::policy_savings(*train::set_up(config), edited, 0);
    config.accumulate = 3;
    const wire::Savings three = casts::policy_savings(*train::set_up(config), edited, 0);
    QVERIFY(one.before.bytes > 0);
    QCOMPARE(three.before.bytes, 3 * one.before.bytes);
    QCOMPARE(three.before.casts, 3 * one.before.casts);
  }

  // The time of an emulation says nothing about the formats, so none is given; and 0 would be a time.
  void anEmulationHasNoTime() {
    const wire::RunConfig emulated = test::smallRun(4);
    const wire::Savings without = casts::policy_savings(
        *train::set_up(emulated), withRule(emulated.policy, "*/aten::linear#0", formats::kFloat32), 0);
    QVERIFY(without.before.emulated && !without.before.seconds && !without.after.seconds);
    const wire::RunConfig native = nativeRun();
    const wire::Savings timed = casts::policy_savings(
        *train::set_up(native), withRule(native.policy, "*/aten::linear#0", formats::kFloat32), 0);
    QVERIFY(!timed.before.emulated && timed.before.seconds && *timed.before.seconds > 0 && timed.after.seconds);
    // Emulated on one side: neither is comparable.
    const wire::Savings half = casts::policy_savings(
        *train::set_up(native), withRule(native.policy, "*/aten::linear#0", formats::kFloat8E4M3fn), 0);
    QVERIFY(half.after.emulated && !half.before.seconds && !half.after.seconds);
  }

  void thePolicyInForceSavesNothing() {
    const wire::RunConfig config = nativeRun();
    const wire::Savings same = casts::policy_savings(*train::set_up(config), config.policy, 0);
    QVERIFY(same.sites.empty() && same.products.empty());
    QCOMPARE(same.after.bytes, same.before.bytes);
    QVERIFY(same.before.bytes > 0);
  }

  void anotherBaseListIsRefused() {
    const wire::RunConfig config = test::smallRun(4);
    policy::Policy other = config.policy;
    other.base = policy::Base::kApexO2;
    const auto training = train::set_up(config);
    try {
      casts::policy_savings(*training, other, 0);
      QFAIL("it was measured");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kUsage && !error.hint.empty());
    }
  }
};

BINADE_SUITE(PolicySavings);

#include "tst_policy_savings.moc"
