// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/dead.h"

#include "engine/silent/underflow.h"
#include "engine/silent/underflow_fix.h"
#include "engine/wire/comparison_rank.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace binade::silent {

namespace {

using TensorKind = wire::WatchedTensor::Kind;

bool is_of_loss(const wire::SiteInfo& site) {
  return site.key.path == "loss" || site.key.path.starts_with("loss.");
}

/// Whether all values are 0 already, and not only after a later rounding.
bool is_all_zero(const formats::TensorStats& stats) {
  return stats.count > 0 && stats.largest == 0 && stats.non_finite() == 0;
}

/// Observations of a site; with several outputs, zero means that all are.
struct ObservedSite {
  const wire::WatchedTensor* output = nullptr;
  const wire::WatchedTensor* gradient = nullptr;
  bool zero_output = false;
  bool infinite_output = false;  ///< positive infinities only: negative ones are masks
  bool zero_gradient = false;
};

Symptom symptom_of(const wire::SiteInfo& site, const wire::WatchedTensor& tensor, bool backward) {
  Symptom symptom;
  symptom.kind = Symptom::Kind::kDeadSite;
  symptom.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
  symptom.site = site.id;
  symptom.what = backward ? "gradient" : "output";
  symptom.format = tensor.format;
  symptom.amount = 1;
  symptom.unit = backward ? wire::SilentFault::Unit::kGradient : wire::SilentFault::Unit::kOutput;
  symptom.tensor = tensor.id;
  return symptom;
}

/// The buffer that one of these op calls takes; null: none.
const BufferSeen* taken_by(std::span<const int> calls, std::span<const BufferSeen> buffers) {
  for (const BufferSeen& buffer : buffers) {
    for (const int site : buffer.sites) {
      if (std::find(calls.begin(), calls.end(), site) != calls.end()) return &buffer;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<Symptom> dead_symptoms(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const wire::SiteInfo> sites, std::span<const int> by_design,
                                   std::span<const BufferSeen> buffers) {
  std::vector<Symptom> symptoms;
  if (!record.stepped) return symptoms;
  std::map<int, ObservedSite> observed;  // in execution order
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    if (tensor.kind != TensorKind::kOutput && tensor.kind != TensorKind::kOutputGradient) continue;
    if (is_of_loss(sites[static_cast<std::size_t>(tensor.site)])) continue;
    ObservedSite& site = observed[tensor.site];
    const bool zero = is_all_zero(seen.stats);
    if (tensor.kind == TensorKind::kOutput) {
      site.zero_output = zero && (site.output == nullptr || site.zero_output);
      if (site.output == nullptr) site.output = &tensor;
      site.infinite_output = site.infinite_output || seen.stats.positive_infinity > 0 || seen.stats.overflow > 0;
    } else {
      site.zero_gradient = zero && (site.gradient == nullptr || site.zero_gradient);
      if (site.gradient == nullptr) site.gradient = &tensor;
    }
  }
  const auto is_meant = [&](int id) { return std::find(by_design.begin(), by_design.end(), id) != by_design.end(); };
  bool before = false;  // the site before gave only zeros
  int last_dead = -1;   // the last whose output is dead
  // Those whose output is infinite: what is divided by one is 0.
  std::vector<int> infinite;
  for (const auto& [id, site] : observed) {
    if (site.output == nullptr) continue;
    if (site.infinite_output) infinite.push_back(id);
    const bool dead = site.zero_output && site.gradient != nullptr;
    const bool meant = is_meant(id);
    if (dead && !before && !meant) {
      symptoms.push_back(symptom_of(sites[static_cast<std::size_t>(id)], *site.output, false));
      std::vector<int> calls = infinite;
      calls.push_back(id);
      if (const BufferSeen* const buffer = taken_by(calls, buffers)) {
        symptoms.back().facts.buffer = buffer->name;
        symptoms.back().facts.buffer_since = buffer->since;
      } else if (!infinite.empty()) {
        symptoms.back().facts.infinite_site = infinite.front();
      }
    }
    if (dead && !meant) last_dead = id;
    before = dead;
  }
  // Backward runs in the opposite order: the last site without a gradient is the first to receive none.
  before = false;
  for (auto entry = observed.rbegin(); entry != observed.rend(); ++entry) {
    const auto& [id, site] = *entry;
    if (is_meant(id)) {
      before = true;  // no gradient flows on from there
      continue;
    }
    if (site.gradient == nullptr) continue;
    const bool stopped_ahead = id <= last_dead;
    if (site.zero_gradient && !before && !stopped_ahead) {
      symptoms.push_back(symptom_of(sites[static_cast<std::size_t>(id)], *site.gradient, true));
    }
    before = site.zero_gradient;
  }
  return symptoms;
}

Symptom explained(Symptom dead, const wire::Float32Comparison& compared, std::span<const wire::SiteInfo> sites,
                  const std::optional<wire::ScaleBand>& band) {
  const auto found = std::find_if(compared.sites.begin(), compared.sites.end(),
                                  [&](const wire::SiteDifference& site) { return site.site == dead.site; });
  if (found == compared.sites.end()) return dead;
  const bool backward = dead.direction == wire::Direction::kBackward;
  const double error = backward ? found->gradient.value_or(0) : found->forward;
  constexpr double kAll = 1 - 1e-6;  // 0 instead of a value is an error of exactly 1
  if (!(error >= kAll) || std::isinf(error)) return dead;
  dead.facts.alive_in_float32 = true;
  if (backward) {
    if (const auto scale = scale_fix(band, compared.scale, 1)) set_fix(dead, *scale);
    return dead;
  }
  const wire::SiteInfo& site = sites[static_cast<std::size_t>(dead.site)];
  const wire::SiteDifference* origin = wire::origin_of(compared.sites, dead.site);
  if (origin != nullptr && origin->becomes < kNotableLoss) origin = nullptr;
  if (origin == nullptr && found->added < kAll) return dead;
  dead.fix = wider_fix(site);
  dead.fix.rules.front().why = "its result is lost to rounding";
  if (origin != nullptr && origin->site != dead.site) {
    dead.facts.origin = origin->site;
    dead.facts.origin_added = origin->added;
    dead.facts.origin_becomes = std::min(1.0, origin->becomes);
    const wire::SiteInfo& from = sites[static_cast<std::size_t>(origin->site)];
    if (from.view) {  // one of the model's own casts, which no rule changes
      dead.fix = {};
      return dead;
    }
    policy::SiteRule rule = dead.fix.rules.front();
    rule.match = from.key.name();
    dead.fix.rules.insert(dead.fix.rules.begin(), rule);
  }
  return dead;
}

}  // namespace binade::silent
