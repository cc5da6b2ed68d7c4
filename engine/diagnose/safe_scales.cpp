// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/safe_scales.h"

#include "engine/diagnose/trace.h"
#include "engine/formats/scale_band.h"
#include "engine/graph/failure.h"
#include "engine/observe/observer.h"

#include <cmath>
#include <exception>

namespace binade::diagnose {

namespace {

/// Limits a band by the gradients that are finite at the current scale. Infinities of others vanish in a finite step,
/// for example when masked out after a pole.
void end_where_held(wire::ScaleBand& band, const std::vector<formats::ScaledGradient>& gradients,
                    const std::vector<int>& sites) {
  std::optional<std::size_t> lowest;
  std::optional<int> edge;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (formats::headroom(*gradients[i].stats, gradients[i].format) < 0) continue;
    const auto highest = formats::band_of(gradients[i], formats::kLostNorm).highest;
    if (!highest || (edge && *edge <= *highest)) continue;
    edge = highest;
    lowest = i;
  }
  if (!lowest) return;
  band.highest = edge;
  band.highest_site = sites[*lowest];
}

/// Computes the band from the trace, and from `seen` for formats without a dtype, whose gradients are float32 tensors.
/// `finite`: whether the step was.
wire::ScaleBand band_of(std::vector<observe::Seen> seen, const std::vector<observe::Watched>& watched,
                        const Trace& trace, double log2_scale, bool finite) {
  std::vector<formats::ScaledGradient> gradients;
  std::vector<int> sites;
  const auto add = [&](const formats::TensorStats& stats, const formats::Format& format, int site) {
    if (stats.largest == 0 && stats.non_finite() > 0) return;  // at a finite scale these vanish
    gradients.push_back({&stats, format, log2_scale});
    sites.push_back(site);
  };
  for (observe::Seen& each : seen) {
    const observe::Watched& of = watched[static_cast<std::size_t>(each.tensor)];
    const bool scaled =
        of.kind == observe::Watched::Kind::kOutputGradient || of.kind == observe::Watched::Kind::kInputGradient;
    if (!scaled || !of.emulated || of.format == formats::kFloat32 || each.stats.scan) continue;
    each.stats.censored = false;  // incoming gradients were also observed where they left
    add(each.stats, of.format, of.site);
  }
  std::optional<int> all_lost;  // site of a gradient that underflowed entirely
  for (const TracedNode& node : trace.nodes()) {
    const int site = node.call < 0 ? -1 : trace.calls()[static_cast<std::size_t>(node.call)].site->id;
    for (const TracedLowered& lowered : node.lowered) {
      add(lowered.before, lowered.to, site);
      if (lowered.all_lost) all_lost = site;
    }
    if (node.sum) add(*node.sum, node.sum_in, site);
  }
  const formats::SafeBand safe = formats::safe_band(gradients);
  wire::ScaleBand band;
  band.lowest = safe.lowest;
  band.highest = safe.highest;
  if (safe.lowest_from) band.lowest_site = sites[*safe.lowest_from];
  if (safe.highest_from) band.highest_site = sites[*safe.highest_from];
  if (finite && safe.empty()) end_where_held(band, gradients, sites);
  band.bound = safe.bound;
  const int above = static_cast<int>(std::floor(log2_scale)) + 1;
  if (all_lost && (!band.lowest || *band.lowest < above)) {
    band.lowest = above;
    band.lowest_site = *all_lost;
  }
  return band;
}

SafeScales safe_scales_under(Replay& replay, std::size_t scaler, const std::vector<double>& factors,
                             std::shared_ptr<const policy::Resolved> policy, const std::set<int>& lifted) {
  observe::Observer observer;
  observer.begin(observe::Level::kWhatIf);
  Trace trace;
  trace.measure_lowered();
  const Replay::Result result = replay.run({.scale = 1,
                                            .policy = std::move(policy),
                                            .trace = &trace,
                                            .observer = &observer,
                                            .factors = factors,
                                            .only = scaler,
                                            .lifted = lifted});
  SafeScales safe;
  safe.scale = replay.training().scalers.scale(scaler) * factors[scaler];
  safe.band = band_of(observer.finish(), observer.watched(), trace, std::log2(safe.scale), result.finite());
  return safe;
}

}  // namespace

bool SafeScales::survives() const {
  const int exponent = static_cast<int>(std::floor(std::log2(scale)));
  return !band.empty() && (!band.lowest || exponent >= *band.lowest);
}

void end_at(wire::ScaleBand& band, double scale, int site) {
  const int finite = static_cast<int>(std::floor(std::log2(scale)));
  if (band.highest && *band.highest <= finite) return;
  band.highest = finite;
  band.highest_site = site;
}

SafeScales measure_safe_scales(Replay& replay, std::size_t scaler, const std::vector<double>& factors,
                               const SiteRules& rules, const std::set<int>& lifted) {
  const train::Training& training = replay.training();
  const int revision = training.policy->revision;
  const policy::Policy policy = policy_with(training, rules);
  try {
    policy::Policy emulated = policy;
    emulated.execution = policy::Execution::kEmulated;
    return safe_scales_under(replay, scaler, factors, train::resolve(training, emulated, revision), lifted);
  } catch (const std::exception& error) {
    const std::string why = graph::reason_of(error);
    SafeScales safe = safe_scales_under(replay, scaler, factors, train::resolve(training, policy, revision), lifted);
    safe.band.bound = true;
    safe.not_emulated = why;
    return safe;
  }
}

}  // namespace binade::diagnose
