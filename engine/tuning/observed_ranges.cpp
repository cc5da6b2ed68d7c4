// SPDX-License-Identifier: Apache-2.0
#include "engine/tuning/observed_ranges.h"

#include "engine/formats/effect.h"
#include "engine/formats/tensor_stats.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace binade::tuning {

namespace {

constexpr double kNoticeableLoss = 0.001;
constexpr double kNoneLeft = -1;  // for a tensor with no finite value, whose doublings are minus infinity

bool is_gradient(observe::Watched::Kind kind) {
  return kind == observe::Watched::Kind::kOutputGradient || kind == observe::Watched::Kind::kInputGradient;
}

void add_headroom(ObservedRange& range, const formats::TensorStats& stats, const formats::Format& candidate) {
  double left = formats::headroom(stats, candidate);
  if (std::isnan(left) || left == HUGE_VAL) return;
  if (std::isinf(left)) left = kNoneLeft;
  range.doublings_left = std::min(range.doublings_left.value_or(left), left);
}

}  // namespace

std::map<int, ObservedRange> observe_ranges(diagnose::Replay& replay, const formats::Format& candidate) {
  observe::Observer observer;
  observer.watch_inputs(true);
  observer.begin(observe::Level::kWhatIf);
  replay.run({.observer = &observer});
  const std::vector<observe::Seen> all = observer.finish();
  const bool scaled = replay.training().scalers.any_enabled();
  std::map<int, ObservedRange> ranges;
  for (const observe::Seen& seen : all) {
    const observe::Watched& tensor = observer.watched()[static_cast<std::size_t>(seen.tensor)];
    if (tensor.kind == observe::Watched::Kind::kOutput && tensor.site >= 0) ranges.try_emplace(tensor.site);
  }
  for (const observe::Seen& seen : all) {
    const observe::Watched& tensor = observer.watched()[static_cast<std::size_t>(seen.tensor)];
    const auto found = ranges.find(tensor.site);
    if (found == ranges.end()) continue;
    ObservedRange& range = found->second;
    const double lost = formats::effect_of(seen.stats, candidate).zero.norm.low;
    if (lost >= kNoticeableLoss) range.lost = std::max(range.lost, lost);
    if (scaled && is_gradient(tensor.kind)) continue;
    add_headroom(range, seen.stats, candidate);
    range.overflowed = range.overflowed || seen.stats.overflow > 0;
  }
  return ranges;
}

}  // namespace binade::tuning
