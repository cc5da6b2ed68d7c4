// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/run/step.h"
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "tests/diagnose/planted.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <cstdio>

using namespace binade;

namespace {

struct PlantedScore {
  int cases = 0;
  int right = 0;          ///< op call, fault and reason
  int false_reasons = 0;  ///< a reason that is not the planted one
};

void tryOne(std::size_t kind, std::uint64_t seed, const std::string& folder, PlantedScore& score) {
  test::Planted planted = test::plant(kind, seed, folder);
  run::Stepper stepper(*planted.training);
  wire::Diagnosis found;
  for (std::int64_t step = 0; step < planted.steps && found.roots.empty(); ++step) {
    found = stepper.run(step).diagnosis.value_or(wire::Diagnosis{});
  }
  ++score.cases;
  const wire::Root root = found.roots.empty() ? wire::Root{} : found.roots.front();
  const bool outside = root.fault == wire::Root::Fault::kData || root.fault == wire::Root::Fault::kParameter ||
                       root.fault == wire::Root::Fault::kBuffer || root.site < 0;
  const std::string name =
      outside ? root.what : planted.training->sites[static_cast<std::size_t>(root.site)]->key.name();
  const bool told = root.why.has_value() && root.fault != wire::Root::Fault::kOverflow;
  const bool true_reason = std::any_of(planted.why.begin(), planted.why.end(), [&](const std::string& words) {
    return root.why && root.why->find(words) != std::string::npos;
  });
  const bool has_fix = found.fix.known();
  const bool contradicts = found.verdict == wire::Verdict::kInvalidOperation && has_fix && !found.fix.rules.empty();
  if ((told && !true_reason) || contradicts) ++score.false_reasons;
  const bool right = name == planted.root && root.fault == planted.fault && root.direction == planted.direction &&
                     (planted.why.empty() || true_reason) && !contradicts;
  if (right) {
    ++score.right;
    return;
  }
  std::printf("miss: %s, seed %llu: %s, %s at %s (%s), expected %s at %s; %s\n", planted.kind.c_str(),
              static_cast<unsigned long long>(seed), wire::name(found.verdict).c_str(), wire::name(root.fault).c_str(),
              name.c_str(), root.why.value_or("").c_str(), wire::name(planted.fault).c_str(), planted.root.c_str(),
              words::explanation_of(found, {}).c_str());
  std::fflush(stdout);
}

/// Each kind `seeds` times, from seed `first` on.
PlantedScore sweep(std::uint64_t first, std::uint64_t seeds) {
  const std::string folder = test::temporaryFolder().toStdString();
  PlantedScore score;
  for (std::size_t kind = 0; kind < test::plantedKinds(); ++kind) {
    for (std::uint64_t seed = first; seed < first + seeds; ++seed) tryOne(kind, 1000 * kind + seed, folder, score);
  }
  std::printf("%d cases, %d right, %d false reasons\n", score.cases, score.right, score.false_reasons);
  std::fflush(stdout);
  return score;
}

}  // namespace

/// Small random models with one fault each: a twelfth of the sweep.
class PlantedFaults : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void areNamedWithTheirReasons() {
    const PlantedScore score = sweep(1, 1);
    QVERIFY(score.cases >= 45);
    QVERIFY(score.right >= 0.98 * score.cases);
    QCOMPARE(score.false_reasons, 0);
  }
};

class PlantedFaultsAll : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void sixHundredAreNamedWithTheirReasons() {
    const PlantedScore score = sweep(1, 12);
    QVERIFY(score.cases >= 500);
    QVERIFY(score.right >= 0.98 * score.cases);
    QCOMPARE(score.false_reasons, 0);
  }
};

BINADE_SUITE(PlantedFaults);
BINADE_SUITE(PlantedFaultsAll);
#include "tst_planted_faults.moc"
