// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/vanished_effect.h"

#include "engine/diagnose/kept_results.h"
#include "engine/graph/failure.h"
#include "engine/train/same_draws.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>

namespace binade::diagnose {

namespace {

/// Relative difference from which a number counts as different, compared with itself and with the usual magnitude.
/// Rounding to bfloat16, the coarsest 16-bit format, changes by 0.004.
constexpr double kOff = 0.1;
constexpr double kOfUsual = 0.03;
/// Comparatively small numbers may be amplified later. They count if a float32 sum of both holds them.
constexpr double kBesideUsual = 0x1p-24;
/// Limits for the loss, and for the norm of all gradients: four times the effect of rounding elsewhere.
constexpr double kLossOff = 0.01;
constexpr double kGradientOff = 0.05;

struct Ran {
  KeptResults kept;
  std::vector<at::Tensor> gradients;
  double loss = 0;
};

/// Which quantity must be notable compared with the usual magnitude: the difference, or the number itself.
enum class Least : std::uint8_t { kDifference, kNumber };

double share_of_others(const at::Tensor& got, const at::Tensor& wanted, Least least) {
  if (got.sizes() != wanted.sizes()) return 1;
  const at::NoGradGuard no_history;
  const at::Tensor finite = wanted.isfinite();
  const at::Tensor b = at::where(finite, wanted, 0.0);
  const double usual = std::sqrt(b.square().mean().item<double>());
  const at::Tensor off = got.sub(wanted).abs();
  const at::Tensor counts =
      least == Least::kDifference ? off.le(kOfUsual * usual).logical_not() : b.abs().gt(kBesideUsual * usual);
  const at::Tensor other = off.le(b.abs().mul(kOff)).logical_not().logical_and(counts).logical_and(finite);
  return other.to(at::kDouble).mean().item<double>();
}

double share_of_others(const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& wanted, Least least) {
  if (got.size() != wanted.size()) return 1;
  double most = 0;
  for (std::size_t i = 0; i < got.size(); ++i) most = std::max(most, share_of_others(got[i], wanted[i], least));
  return most;
}

bool equal(const std::vector<at::Tensor>& a, const std::vector<at::Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const at::Tensor& one, const at::Tensor& other) {
    return one.sizes() == other.sizes() && one.equal(other);
  });
}

double distance(const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& wanted) {
  const at::NoGradGuard no_history;
  double squares = 0;
  double all = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!wanted[i].defined() || !got[i].defined() || wanted[i].is_sparse() || got[i].is_sparse()) continue;
    const at::Tensor b = wanted[i].to(at::kDouble);
    squares += std::pow(at::linalg_vector_norm(got[i].to(at::kDouble).sub(b)).item<double>(), 2);
    all += std::pow(at::linalg_vector_norm(b).item<double>(), 2);
  }
  return all > 0 ? std::sqrt(squares / all) : squares > 0 ? 1 : 0;
}

std::optional<Ran> run(const SiteRules& rules, const std::set<KeptResults::Call>& wanted, Replay& replay,
                       train::SameDraws& draws, std::string& failed) {
  train::Training& training = replay.training();
  Ran ran{KeptResults(wanted), {}, 0};
  try {
    Replay::How how;
    if (!rules.empty()) how.policy = train::resolve(training, policy_with(training, rules), training.policy->revision);
    how.outer = &ran.kept;
    how.draws = &draws;
    how.gradients = &ran.gradients;
    const Replay::Result result = replay.run(how);
    if (!result.finite()) {
      failed =
          rules.empty() ? "the replay of the step was not finite" : "the replay without the overflow was not finite";
      return std::nullopt;
    }
    ran.loss = result.loss;
  } catch (const std::exception& error) {
    failed = graph::reason_of(error);
    return std::nullopt;
  }
  return ran;
}

}  // namespace

double VanishedEffect::loss_off() const {
  const double off = std::abs(loss - mended);
  return off == 0 ? 0 : off / std::max(std::abs(mended), std::numeric_limits<double>::min());
}

std::optional<VanishedEffect> effect_of(const Vanished& vanished, const Trace& trace, const SiteRules& rules,
                                        Replay& replay, std::string& failed) {
  std::set<KeptResults::Call> wanted;
  const auto key = [&trace](const Vanished::Absorber& each) {
    const TracedCall& call = trace.calls()[static_cast<std::size_t>(each.call)];
    return KeptResults::Call{call.site->id, call.index};
  };
  for (const auto& absorber : vanished.absorbers) wanted.insert(key(absorber));
  train::SameDraws draws(replay.training().device);
  const auto now = run({}, wanted, replay, draws, failed);
  draws.repeat();
  const auto mended = now ? run(rules, wanted, replay, draws, failed) : std::nullopt;
  if (!mended) return std::nullopt;
  VanishedEffect effect;
  for (const auto& absorber : vanished.absorbers) {
    const auto& got = now->kept.of(key(absorber));
    const auto& wanted_there = mended->kept.of(key(absorber));
    const double small = share_of_others(got, wanted_there, Least::kNumber);
    const double large = share_of_others(got, wanted_there, Least::kDifference);
    effect.wrong.push_back(std::max(large, small >= VanishedEffect::kLeastShare ? small : 0));
  }
  effect.loss = now->loss;
  effect.mended = mended->loss;
  effect.gradients = distance(now->gradients, mended->gradients);
  const auto& given = now->kept.given_to_losses();
  const auto& given_then = mended->kept.given_to_losses();
  effect.used = now->loss != mended->loss || effect.gradients > 0 || !equal(given, given_then);
  effect.reaches = share_of_others(given, given_then, Least::kDifference) > 0 || effect.loss_off() > kLossOff ||
                   effect.gradients > kGradientOff;
  return effect;
}

}  // namespace binade::diagnose
