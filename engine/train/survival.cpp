// SPDX-License-Identifier: Apache-2.0
#include "engine/train/survival.h"

#include "engine/formats/scale_band.h"
#include "engine/observe/observer.h"
#include "engine/observe/trace.h"

#include <cmath>
#include <exception>

namespace binade::train {

namespace {

wire::ScaleBand band_of(const std::vector<observe::Seen>& seen, const std::vector<observe::Watched>& watched,
                        const observe::Trace& trace, double log2_scale) {
  std::vector<formats::ScaledGradient> gradients;
  std::vector<int> sites;
  for (const observe::Seen& each : seen) {
    const observe::Watched& of = watched[static_cast<std::size_t>(each.tensor)];
    const bool scaled =
        of.kind == observe::Watched::Kind::kOutputGradient || of.kind == observe::Watched::Kind::kInputGradient;
    if (!scaled || of.format == formats::kFloat32 || each.stats.scan) continue;
    gradients.push_back({&each.stats, of.format, log2_scale});
    sites.push_back(of.site);
  }
  for (const observe::TracedNode& node : trace.nodes()) {
    const int site = node.call < 0 ? -1 : trace.calls()[static_cast<std::size_t>(node.call)].site->id;
    const auto add = [&](const std::optional<formats::TensorStats>& stats, const formats::Format& format) {
      if (!stats) return;
      gradients.push_back({&*stats, format, log2_scale});
      sites.push_back(site);
    };
    add(node.cast, node.cast_to);
    add(node.sum, node.sum_in);
  }
  const formats::SafeBand safe = formats::safe_band(gradients);
  wire::ScaleBand band;
  band.lowest = safe.lowest;
  band.highest = safe.highest;
  if (safe.lowest_from) band.lowest_site = sites[*safe.lowest_from];
  if (safe.highest_from) band.highest_site = sites[*safe.highest_from];
  band.bound = safe.bound;
  return band;
}

Survival survival_under(Replay& replay, std::size_t scaler, const std::vector<double>& factors,
                        std::shared_ptr<const policy::Resolved> policy) {
  observe::Observer observer;
  observer.begin(observe::Level::kWhatIf);
  observe::Trace trace;
  trace.measure_casts();
  replay.run({.scale = 1,
              .policy = std::move(policy),
              .trace = &trace,
              .observer = &observer,
              .factors = factors,
              .only = scaler});
  Survival survival;
  survival.scale = replay.training().scalers.scale(scaler) * factors[scaler];
  survival.band = band_of(observer.finish(), observer.watched(), trace, std::log2(survival.scale));
  return survival;
}

}  // namespace

bool Survival::survives() const {
  const int exponent = static_cast<int>(std::floor(std::log2(scale)));
  return !band.empty() && (!band.lowest || exponent >= *band.lowest);
}

Survival survival_at(Replay& replay, std::size_t scaler, const std::vector<double>& factors, const SiteRules& rules) {
  const Training& training = replay.training();
  const int revision = training.policy->revision;
  const policy::Policy policy = policy_with(training, rules);
  try {
    policy::Policy emulated = policy;
    emulated.execution = policy::Execution::kEmulated;
    return survival_under(replay, scaler, factors, resolve(training, emulated, revision));
  } catch (const std::exception&) {
    return survival_under(replay, scaler, factors, resolve(training, policy, revision));  // it has just run so
  }
}

}  // namespace binade::train
