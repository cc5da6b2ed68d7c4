// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/next_safe_scales.h"

#include "engine/diagnose/replay.h"
#include "engine/diagnose/safe_scales.h"
#include "engine/train/training_state_guard.h"

#include <cmath>

namespace binade::diagnose {

namespace {

constexpr int kHighest = 24;  // as a power of two; PyTorch's scaler starts at 16

}  // namespace

std::optional<wire::ScaleBand> band_of_next_step(train::Training& training) {
  if (training.scalers.size() != 1) return std::nullopt;
  Replay replay(training);
  training.buffers.keep();
  replay.begin(training.data->cursor(), train::RandomState::of(training.device));
  for (std::int64_t i = 0; i < training.config.accumulate; ++i) replay.add(training.data->peek(i));
  const train::TrainingStateGuard guard(training);
  const auto factors = [](int doublings) { return std::vector<double>{std::ldexp(1.0, doublings)}; };
  const auto finite = [&](int doublings) {
    return replay.run({.scale = 1, .policy = {}, .trace = nullptr, .observer = nullptr, .factors = factors(doublings)})
        .finite();
  };
  if (!finite(0)) return std::nullopt;
  const int most = kHighest - static_cast<int>(std::floor(std::log2(training.scalers.scale(0))));
  int doublings = 0;
  for (int more = 32; more > 0; more /= 2) {
    if (doublings + more <= most && finite(doublings + more)) doublings += more;
  }
  SafeScales safe = measure_safe_scales(replay, 0, factors(doublings), {});
  if (doublings < most) end_at(safe.band, safe.scale, -1);
  return safe.band;
}

}  // namespace binade::diagnose
