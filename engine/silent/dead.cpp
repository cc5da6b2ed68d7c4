// SPDX-License-Identifier: Apache-2.0
#include "engine/silent/dead.h"

#include "engine/wire/site_text.h"

#include <map>

namespace binade::silent {

namespace {

using Kind = wire::WatchedTensor::Kind;

bool is_of_loss(const wire::SiteInfo& site) {
  return site.key.path == "loss" || site.key.path.starts_with("loss.");
}

/// All zeros, and not because rounding is still to make them so.
bool is_all_zero(const formats::TensorStats& stats) {
  return stats.count > 0 && stats.largest == 0 && stats.non_finite() == 0;
}

struct Looked {
  const wire::WatchedTensor* output = nullptr;
  const wire::WatchedTensor* gradient = nullptr;
  bool zero_output = false;
  bool infinite_output = false;  ///< above 0: those below are masks
  bool zero_gradient = false;
};

Sign sign_of(const wire::SiteInfo& site, const wire::WatchedTensor& tensor, bool backward) {
  Sign sign;
  sign.kind = Sign::Kind::kDeadSite;
  sign.direction = backward ? wire::Direction::kBackward : wire::Direction::kForward;
  sign.site = site.id;
  sign.what = backward ? "gradient" : "output";
  sign.format = tensor.format;
  sign.amount = 1;
  sign.unit = backward ? "of the gradient" : "of the output";
  sign.tensor = tensor.id;
  const std::string place = wire::place_of(site);
  sign.sentence = backward ? "Only zeros arrive as the gradient of " + place : place + " gives only zeros";
  sign.next = backward
                  ? "Look at the op call after it: it saturates, or its result is not used."
                  : "Look at what goes into it: a lower learning rate, another initial bias, or an activation with "
                    "a slope everywhere.";
  return sign;
}

}  // namespace

std::vector<Sign> dead_signs(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                             std::span<const wire::SiteInfo> sites) {
  std::vector<Sign> signs;
  if (!record.stepped) return signs;
  std::map<int, Looked> looked;  // in execution order
  for (const wire::Observation& seen : record.observations) {
    const wire::WatchedTensor& tensor = watched[static_cast<std::size_t>(seen.tensor)];
    if (tensor.kind != Kind::kOutput && tensor.kind != Kind::kOutputGradient) continue;
    if (is_of_loss(sites[static_cast<std::size_t>(tensor.site)])) continue;
    Looked& site = looked[tensor.site];
    if (tensor.kind == Kind::kOutput) {
      site.output = &tensor;
      site.zero_output = is_all_zero(seen.stats);
      site.infinite_output = seen.stats.positive_infinity > 0 || seen.stats.overflow > 0;
    } else {
      site.gradient = &tensor;
      site.zero_gradient = is_all_zero(seen.stats);
    }
  }
  bool before = false;  // the site before gave only zeros
  int last_dead = -1;   // the last whose output is dead
  int infinite = -1;    // the first whose output is infinite: what is divided by it is 0
  for (const auto& [id, site] : looked) {
    if (site.output == nullptr) continue;
    if (site.infinite_output && infinite < 0) infinite = id;
    const bool dead = site.zero_output && site.gradient != nullptr;
    if (dead && !before) {
      signs.push_back(sign_of(sites[static_cast<std::size_t>(id)], *site.output, false));
      if (infinite >= 0) {
        signs.back().next = wire::place_of(sites[static_cast<std::size_t>(infinite)]) +
                            " before it gives infinities, and what is divided by one is 0: that is where to look.";
      }
    }
    if (dead) last_dead = id;
    before = dead;
  }
  // Backward runs the other way: the last site without a gradient is the first that got none.
  before = false;
  for (auto entry = looked.rbegin(); entry != looked.rend(); ++entry) {
    const auto& [id, site] = *entry;
    if (site.gradient == nullptr) continue;
    const bool stopped_ahead = id <= last_dead;
    if (site.zero_gradient && !before && !stopped_ahead) {
      signs.push_back(sign_of(sites[static_cast<std::size_t>(id)], *site.gradient, true));
    }
    before = site.zero_gradient;
  }
  return signs;
}

}  // namespace binade::silent
