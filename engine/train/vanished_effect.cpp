// SPDX-License-Identifier: Apache-2.0
#include "engine/train/vanished_effect.h"

#include "engine/train/kept_results.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace binade::train {

namespace {

/// A number is another one where it is off by this share of itself, and of what numbers are like there. A rounding to
/// bfloat16, the coarsest format of 16 bits, is off by 0.004.
constexpr double kOff = 0.1;
constexpr double kOfUsual = 0.03;
/// Of the loss, and of the norm of all gradients: four times what rounding elsewhere does to them.
constexpr double kLossOff = 0.01;
constexpr double kGradientOff = 0.05;

struct Ran {
  KeptResults kept;
  std::vector<at::Tensor> gradients;
  double loss = 0;
};

double share_of_others(const at::Tensor& got, const at::Tensor& wanted) {
  if (got.sizes() != wanted.sizes()) return 1;
  const at::NoGradGuard no_history;
  const at::Tensor finite = wanted.isfinite();
  const at::Tensor b = at::where(finite, wanted, 0.0);
  const double usual = std::sqrt(b.square().mean().item<double>());
  const at::Tensor off = got.sub(wanted).abs();
  const at::Tensor other = off.gt(b.abs().mul(kOff)).logical_and(off.gt(kOfUsual * usual)).logical_and(finite);
  return other.to(at::kDouble).mean().item<double>();
}

double share_of_others(const std::vector<at::Tensor>& got, const std::vector<at::Tensor>& wanted) {
  if (got.size() != wanted.size()) return 1;
  double most = 0;
  for (std::size_t i = 0; i < got.size(); ++i) most = std::max(most, share_of_others(got[i], wanted[i]));
  return most;
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

std::optional<Ran> run(const SiteRules& rules, const std::set<KeptResults::Call>& wanted, Replay& replay) {
  Training& training = replay.training();
  Ran ran{KeptResults(wanted), {}, 0};
  try {
    Replay::How how;
    if (!rules.empty()) how.policy = resolve(training, policy_with(training, rules), training.policy->revision);
    how.outer = &ran.kept;
    how.gradients = &ran.gradients;
    const Replay::Result result = replay.run(how);
    if (!result.finite()) return std::nullopt;
    ran.loss = result.loss;
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return ran;
}

}  // namespace

std::optional<VanishedEffect> effect_of(const observe::Vanished& vanished, const observe::Trace& trace,
                                        const SiteRules& rules, Replay& replay) {
  std::set<KeptResults::Call> wanted;
  const auto key = [&trace](const observe::Vanished::Absorber& each) {
    const observe::TracedCall& call = trace.calls()[static_cast<std::size_t>(each.call)];
    return KeptResults::Call{call.site->id, call.index};
  };
  for (const auto& absorber : vanished.absorbers) wanted.insert(key(absorber));
  const auto now = run({}, wanted, replay);
  const auto mended = now ? run(rules, wanted, replay) : std::nullopt;
  if (!mended) return std::nullopt;
  VanishedEffect effect;
  for (const auto& absorber : vanished.absorbers) {
    effect.wrong.push_back(share_of_others(now->kept.of(key(absorber)), mended->kept.of(key(absorber))));
  }
  effect.loss = now->loss;
  effect.mended = mended->loss;
  effect.reaches = share_of_others(now->kept.given_to_losses(), mended->kept.given_to_losses()) > 0 ||
                   std::abs(now->loss - mended->loss) > kLossOff * std::abs(mended->loss) ||
                   distance(now->gradients, mended->gradients) > kGradientOff;
  return effect;
}

}  // namespace binade::train
