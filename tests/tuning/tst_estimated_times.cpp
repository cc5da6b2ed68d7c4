// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/base_policy.h"
#include "engine/trial/trials.h"
#include "engine/tuning/estimated_times.h"
#include "engine/tuning/measure_evidence.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <cmath>

using namespace binade;

namespace {

search::StepEvidence estimated(trial::Trials& trials, const policy::Policy& policy) {
  search::StepEvidence evidence = tuning::measure(trials.training(), policy, trials.first_step(), formats::kFloat16);
  tuning::estimate_times(trials.training(), policy, evidence);
  return evidence;
}

}  // namespace

class EstimatedTimes : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aStepTakesWhatATryEstimates() {
    const wire::RunConfig run = test::smallRun(100);
    for (const policy::Policy& policy : {run.policy, policy::float32_throughout()}) {
      trial::Trials trials(run, {});
      const search::StepEvidence evidence = estimated(trials, policy);
      const wire::Trial trial = trials.run({.before = policy, .after = policy, .steps = 3, .seeds = 1});
      QVERIFY(!trial.estimates.empty() && trial.estimates.front().before > 0);
      QVERIFY(std::abs(evidence.step_seconds - trial.estimates.front().before) < 1e-9 * evidence.step_seconds);
    }
  }

  void onlyProductsTakeTimeAndTheyTakeTheSameEachTime() {
    const wire::RunConfig run = test::smallRun(100);
    trial::Trials first(run, {}), second(run, {});
    const search::StepEvidence one = estimated(first, run.policy), other = estimated(second, run.policy);
    QCOMPARE(one.calls.size(), other.calls.size());
    bool any = false;
    for (std::size_t i = 0; i < one.calls.size(); ++i) {
      QCOMPARE(one.calls[i].seconds, other.calls[i].seconds);
      QCOMPARE(one.calls[i].seconds > 0, one.calls[i].operations > 0);
      any = any || one.calls[i].seconds > 0;
    }
    QVERIFY(any);
    QCOMPARE(one.step_seconds, other.step_seconds);
  }
};

BINADE_SUITE(EstimatedTimes);
#include "tst_estimated_times.moc"
