// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/scale_rule.h"
#include "engine/scaler/scale_rule.h"
#include "tests/support/suite.h"

#include <cmath>
#include <random>

// The scaler that lessons simulate, which may not use LibTorch, against the engine's.
class TestLessonScaler : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theSimulatedRuleIsTheEngines();
};

void TestLessonScaler::theSimulatedRuleIsTheEngines() {
  std::mt19937 random(5);  // NOLINT: the same numbers every time
  for (int sequence = 0; sequence < 40; ++sequence) {
    binade::scaler::State state;
    state.scale = std::ldexp(1.0, static_cast<int>(random() % 250) - 125);
    state.growth_factor = 1.01 + static_cast<double>(random() % 300) / 100;
    state.backoff_factor = static_cast<double>(random() % 99 + 1) / 100;
    state.growth_interval = 1 + static_cast<int>(random() % 4);
    binade::lessons::DynamicScale simulated{.scale = state.scale,
                                            .growth = state.growth_factor,
                                            .backoff = state.backoff_factor,
                                            .interval = static_cast<int>(state.growth_interval)};
    for (int step = 0; step < 60; ++step) {
      const bool overflowed = random() % 5 == 0;
      state = binade::scaler::after_update(state, overflowed);
      simulated = binade::lessons::after_step(simulated, overflowed);
      QCOMPARE(simulated.scale, state.scale);
      QCOMPARE(static_cast<std::int64_t>(simulated.tracker), state.growth_tracker);
    }
  }
}

BINADE_SUITE(TestLessonScaler);
#include "tst_lesson_scaler.moc"
