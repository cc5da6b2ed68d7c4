// SPDX-License-Identifier: Apache-2.0
#include "engine/scaler/scale_rule.h"
#include "tests/support/suite.h"

#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>

#include <cmath>
#include <random>

using binade::scaler::after_update;
using binade::scaler::State;

class TestScaleRule : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theHostRuleIsTheKernels();
};

void TestScaleRule::theHostRuleIsTheKernels() {
  std::mt19937 random(3);  // NOLINT: the same numbers every time
  for (int sequence = 0; sequence < 40; ++sequence) {
    State state;
    state.scale = std::ldexp(1.0 + static_cast<double>(random() % 1000) / 1000, static_cast<int>(random() % 250) - 125);
    state.growth_factor = 1 + static_cast<double>(random() % 300) / 100 + 0.01;
    state.backoff_factor = static_cast<double>(random() % 99 + 1) / 100;
    state.growth_interval = static_cast<int>(random() % 4);  // 0: never grows
    at::Tensor scale = at::full({}, state.scale, at::kFloat);
    at::Tensor tracker = at::full({}, 0, at::kInt);
    for (int step = 0; step < 60; ++step) {
      const bool found_inf = random() % 5 == 0;
      at::_amp_update_scale_(scale, tracker, at::full({}, found_inf ? 1.0F : 0.0F), state.growth_factor,
                             state.backoff_factor, state.growth_interval);
      state = after_update(state, found_inf);
      QCOMPARE(state.scale, scale.item<double>());
      QCOMPARE(state.growth_tracker, tracker.item<std::int64_t>());
    }
  }
}

BINADE_SUITE(TestScaleRule);
#include "tst_scale_rule.moc"
