// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/base_policy.h"
#include "engine/trial/trials.h"
#include "engine/tuning/prove.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade;

namespace {

constexpr std::int64_t kSteps = 12;

tuning::Proving proving(search::Goal goal, const policy::Policy& base) {
  return {.goal = goal, .base = base, .steps = kSteps, .seeds = 1};
}

/// A product overflows in float16, and a rule for it mends the run.
wire::RunConfig failing() {
  return test::lineRun(
      "    y = torch.linear(x, self.weight, self.bias)\n"
      "    big = y * 1.0e8\n"
      "    return big * 1.0e-8\n",
      100);
}

policy::Policy withRule(policy::Policy policy, const std::string& match, const formats::Format& format) {
  policy::SiteRule& rule = policy.sites.emplace_back();
  rule.match = match;
  rule.format = format;
  return policy;
}

bool trains(const search::Proof& proof) {
  return proof.verdict == wire::TrialVerdict::kInsideNoise || proof.verdict == wire::TrialVerdict::kBetter;
}

}  // namespace

class ProvenPolicies : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theSamePolicyHoldsAtTheSameCost() {
    const wire::RunConfig run = test::smallRun(100);
    trial::Trials trials(run, {});
    for (const search::Goal goal : {search::Goal::kCasts, search::Goal::kMemory}) {
      tuning::Prover prover(trials, proving(goal, run.policy));
      const search::Proof proof = prover(run.policy);
      QCOMPARE(proof.verdict, wire::TrialVerdict::kInsideNoise);
      QCOMPARE(proof.gap, 0.0);
      QVERIFY(proof.base_loss > 0);
      QVERIFY(proof.gap_noise >= 0.0009 * proof.base_loss);  // the floor at least
      QVERIFY(proof.base_cost && proof.cost > 0);
      QCOMPARE(proof.cost, *proof.base_cost);
    }
  }

  void theCostIsThatOfTheGoal() {
    const wire::RunConfig run = test::smallRun(100);
    trial::Trials trials(run, {});
    const policy::Policy float32 = policy::float32_throughout();
    const search::Proof casts = tuning::Prover(trials, proving(search::Goal::kCasts, run.policy))(float32);
    QCOMPARE(casts.cost, 0.0);
    QVERIFY(*casts.base_cost > 0);
    const search::Proof time = tuning::Prover(trials, proving(search::Goal::kTime, run.policy))(float32);
    QVERIFY(time.cost > 0 && std::isfinite(time.cost));
    QVERIFY(time.base_cost && *time.base_cost > 0 && std::isfinite(*time.base_cost));
    QVERIFY(time.cost_noise > 0);  // times are never exact; casts are
    QCOMPARE(casts.cost_noise, 0.0);
    // Saved bytes are exact too, but some are too few for a rule.
    const search::Proof memory = tuning::Prover(trials, proving(search::Goal::kMemory, run.policy))(float32);
    QCOMPARE(memory.cost_noise, 0.001 * *memory.base_cost);
  }

  void nothingIsProvenBesideAPolicyThatFails() {
    const wire::RunConfig run = failing();
    trial::Trials trials(run, {});
    try {
      tuning::Prover(trials, proving(search::Goal::kCasts, run.policy))(policy::float32_throughout());
      QFAIL("was proven");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kBadRun);
      QVERIFY2(error.hint.find("--for repair") != std::string::npos, error.hint.c_str());
    }
  }

  void aBaseThatDoesNotRunSaysSo() {
    const wire::RunConfig run = test::smallRun(100);
    trial::Trials trials(run, {});
    policy::Policy banned = run.policy;
    banned.ops["aten::linear"] = policy::Treatment::kBanned;
    try {
      tuning::Prover(trials, proving(search::Goal::kCasts, banned))(banned);
      QFAIL("was proven");
    } catch (const Error& error) {
      const std::string what = error.what();
      QVERIFY2(what.starts_with("The policy that the search starts from does not run: "), what.c_str());
      QVERIFY2(error.hint.find("--for repair") != std::string::npos, error.hint.c_str());
    }
  }

  void estimatesCountWhereFormatsAreEmulated() {
    const wire::RunConfig run = test::smallRun(100);
    trial::Trials trials(run, {});
    QVERIFY(tuning::times_are_of_emulation(trials.training(), run.policy, formats::kFloat16));
    QVERIFY(!tuning::times_are_of_emulation(trials.training(), policy::float32_throughout(), formats::kFloat32));
    tuning::Proving how = proving(search::Goal::kTime, run.policy);
    how.estimates_time = true;
    const search::Proof proof = tuning::Prover(trials, how)(policy::float32_throughout());
    QVERIFY(proof.cost > 0 && *proof.base_cost > 0);
    QVERIFY2(proof.cost < 1e-3, "a GPU multiplies so few numbers in microseconds");
  }

  void aRepairIsProvenBesideFloat32() {
    const wire::RunConfig run = failing();
    trial::Trials trials(run, {});
    tuning::Prover prover(trials, proving(search::Goal::kRepair, policy::float32_throughout()));
    QVERIFY(!trains(prover(run.policy)));
    QVERIFY(!trains(prover(withRule(run.policy, "aten::linear#0", formats::kFloat16))));
    QVERIFY(trains(prover(withRule(run.policy, "aten::mul#0", formats::kFloat32))));
  }

  void aPolicyThatDoesNotRunHasAReason() {
    const wire::RunConfig run = test::smallRun(100);
    trial::Trials trials(run, {});
    policy::Policy banned = run.policy;
    banned.ops["aten::linear"] = policy::Treatment::kBanned;
    const search::Proof proof = tuning::Prover(trials, proving(search::Goal::kCasts, run.policy))(banned);
    QCOMPARE(proof.verdict, wire::TrialVerdict::kDoesNotRun);
    QVERIFY(!proof.reason.empty());
  }

  void cancellingEndsTheTry() {
    const wire::RunConfig run = test::smallRun(100);
    trial::Trials trials(run, {});
    tuning::Proving how = proving(search::Goal::kCasts, run.policy);
    how.progress = [](std::int64_t done, std::int64_t) { return done < 3; };
    try {
      tuning::Prover(trials, how)(policy::float32_throughout());
      QFAIL("was proven");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kCancelled);
    }
  }
};

BINADE_SUITE(ProvenPolicies);
#include "tst_prove.moc"
