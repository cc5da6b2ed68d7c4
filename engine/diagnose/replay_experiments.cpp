// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/replay_experiments.h"

#include "engine/graph/failure.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <tuple>

namespace binade::diagnose {

namespace {

constexpr double kLowestScale = 0x1p-24;  // below it, float32 gradients start to underflow
constexpr double kRoom = 16;              ///< a lower scale would soon be below 1
constexpr double kHighestStart = 0x1p16;  ///< GradScaler's default initial scale

/// Whether two attempts are the same change, so that a replay gives the same result.
bool is_same_change(const wire::Attempt& a, const wire::Attempt& b) {
  const auto change = [](const wire::Attempt& each) {
    return std::tie(each.scale, each.rules, each.scaler, each.scales, each.without, each.ahead, each.note);
  };
  return change(a) == change(b);
}

}  // namespace

policy::Policy policy_with(const train::Training& training, const SiteRules& rules) {
  policy::Policy policy = training.config.policy;
  policy.sites.insert(policy.sites.end(), rules.begin(), rules.end());
  return policy;
}

SiteRules everything_in_float32() {
  SiteRules rules(1);
  rules.front().match = "*";
  rules.front().format = formats::kFloat32;
  return rules;
}

std::vector<std::size_t> bad_scalers(const Replay::Result& result) {
  std::vector<std::size_t> bad;
  for (std::size_t i = 0; i < result.bad_scalers.size(); ++i) {
    if (result.bad_scalers[i]) bad.push_back(i);
  }
  return bad;
}

ReplayExperiments::ReplayExperiments(Replay& replay, std::vector<wire::Attempt>& evidence, Start start)
    : replay_(replay), training_(replay.training()), evidence_(evidence), start_(training_.scalers.size(), 1) {
  const train::Scalers& scalers = training_.scalers;
  for (std::size_t i = 0; i < start_.size() && start == Start::kUnfallen; ++i) {
    const wire::ScalerConfig& config = scalers.config(i);
    const bool has_fallen = scalers.scale(i) < kRoom && config.init_scale >= kRoom;
    if (scalers.enabled(i) && !config.fixed && has_fallen) {
      start_[i] = std::min(config.init_scale, kHighestStart) / scalers.scale(i);
    }
  }
  at_start();
}

void ReplayExperiments::at_start() {
  factors_ = start_;
}

bool ReplayExperiments::comes_below(double least) const {
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    if (is_lowered(i) && training_.scalers.scale(i) * start_[i] >= least && scale(i) < least) return true;
  }
  return false;
}

bool ReplayExperiments::below_one() const {
  return comes_below(1);
}

bool ReplayExperiments::leaves_no_room() const {
  return comes_below(kRoom);
}

double ReplayExperiments::scale(std::size_t scaler) const {
  return training_.scalers.scale(scaler) * factors_[scaler];
}

std::optional<std::string> ReplayExperiments::id_of(std::size_t scaler) const {
  return training_.scalers.size() > 1 ? std::optional(training_.scalers.id(scaler)) : std::nullopt;
}

template <class Which>
std::vector<wire::NamedScale> ReplayExperiments::listed(const Which& which) const {
  std::vector<wire::NamedScale> all;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    if (which(i)) all.push_back({id_of(i), scale(i)});
  }
  return all;
}

std::vector<wire::NamedScale> ReplayExperiments::lowered() const {
  return listed([this](std::size_t i) { return is_lowered(i); });
}

std::vector<wire::NamedScale> ReplayExperiments::raised() const {
  return listed([this](std::size_t i) { return factors_[i] > 1; });
}

std::vector<wire::OwnCast> ReplayExperiments::without_casts() const {
  std::vector<wire::OwnCast> all;
  for (const int id : lifted_) {
    const graph::Site& site = *training_.sites[static_cast<std::size_t>(id)];
    all.push_back({site.key.name(), site.source});
  }
  return all;
}

Replay::Result ReplayExperiments::run(const SiteRules& rules, std::optional<std::size_t> scaler, Trace* trace) {
  const bool several = training_.scalers.size() > 1;
  Replay::Result result;
  wire::Attempt tried;
  try {
    const auto policy = rules.empty()
                            ? training_.policy
                            : train::resolve(training_, policy_with(training_, rules), training_.policy->revision);
    result = replay_.run({.scale = 1,
                          .policy = policy,
                          .trace = trace,
                          .observer = nullptr,
                          .factors = factors_,
                          .only = several ? scaler : std::nullopt,
                          .lifted = lifted_});
  } catch (const std::exception& error) {
    // Other numbers may change the model's control flow: an assertion fails, a list is empty.
    result.finite_loss = false;
    failure_ = graph::reason_of(error);
    tried.failure = error.what();
  }
  const std::size_t whose = scaler.value_or(0);
  tried.without = without_casts();
  tried.scales = scaler ? std::vector<wire::NamedScale>{{id_of(whose), scale(whose)}}
                        : listed([this](std::size_t i) { return factors_[i] != 1; });
  const bool only_scale = rules.empty() && tried.without.empty();
  if (only_scale) tried.scales = {{id_of(whose), scale(whose)}};
  tried.scale = scale(whose);
  tried.scaler = scaler ? id_of(whose) : std::nullopt;
  tried.rules = rules;
  tried.finite = result.finite();
  // Two searches may begin with the same change. It is listed once.
  const auto before = std::find_if(evidence_.begin(), evidence_.end(),
                                   [&tried](const wire::Attempt& each) { return is_same_change(each, tried); });
  last_ = static_cast<std::size_t>(before - evidence_.begin());
  if (before == evidence_.end()) evidence_.push_back(std::move(tried));
  return result;
}

void ReplayExperiments::leave_unanswered(const std::string& question, const std::exception& error) {
  std::string sentence = question + " is not known, because a replay failed: " + graph::reason_of(error) + ".";
  if (std::find(unanswered_.begin(), unanswered_.end(), sentence) == unanswered_.end()) {
    unanswered_.push_back(std::move(sentence));
  }
}

int ReplayExperiments::most_halvings(std::size_t scaler) const {
  return std::max(
      1, static_cast<int>(std::floor(std::log2(training_.scalers.scale(scaler) * start_[scaler] / kLowestScale))));
}

std::vector<double> ReplayExperiments::lowest(const std::vector<std::size_t>& bad) const {
  std::vector<double> factors = start_;
  for (const std::size_t scaler : bad) {
    if (training_.scalers.enabled(scaler)) factors[scaler] = std::ldexp(start_[scaler], -most_halvings(scaler));
  }
  return factors;
}

bool ReplayExperiments::lower_one(std::size_t scaler, const SiteRules& rules) {
  if (!training_.scalers.enabled(scaler)) return false;
  const int most = most_halvings(scaler);
  const auto is_finite_at = [&](int k) {
    factors_[scaler] = std::ldexp(start_[scaler], -k);
    return run(rules, scaler).finite();
  };
  int bad = 0;
  int good = -1;
  for (int k = 1; good < 0; k = std::min(2 * k, most)) {
    if (is_finite_at(k)) {
      good = k;
    } else if (k == most) {
      return false;
    } else {
      bad = k;
    }
  }
  while (good - bad > 1) {
    const int middle = (good + bad) / 2;
    (is_finite_at(middle) ? good : bad) = middle;
  }
  factors_[scaler] = std::ldexp(start_[scaler], -good);
  return true;
}

bool ReplayExperiments::lower(const std::vector<std::size_t>& bad, const SiteRules& rules) {
  const bool all =
      !bad.empty() && std::all_of(bad.begin(), bad.end(), [&](std::size_t i) { return lower_one(i, rules); });
  if (!all) at_start();
  return all;
}

}  // namespace binade::diagnose
