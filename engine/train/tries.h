// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace binade::train {

using SiteRules = std::vector<policy::SiteRule>;

/// Runs a kept step under changes (lower loss scales, rules added to the policy) and notes what came of each. While a
/// Replay::Aside lives.
class Tries {
 public:
  /// The scales at which tries start.
  enum class Start : std::uint8_t {
    kPresent,  ///< those of the step
    /// Those of the step, but for a scaler whose scale has fallen below 16: that starts at its `init_scale`, at most
    /// 2^16. Skipped steps brought it down, whatever the size of its gradients, and a change under which they are
    /// finite only there mends nothing.
    kUnfallen,
  };
  /// `evidence` takes one entry for each run, and outlives this.
  Tries(Replay& replay, std::vector<wire::Attempt>& evidence, Start start);

  /// Runs the step with `rules` at the scales that are set. `scaler`: only its gradients are asked for; nothing: all.
  /// A step that throws counts as one that is not finite.
  Replay::Result run(const SiteRules& rules, std::optional<std::size_t> scaler = {}, observe::Trace* trace = nullptr);
  /// Adds to what the last run is noted as.
  void remark(const std::string& text);
  /// Takes what was tried elsewhere into the evidence.
  void note(const wire::Attempt& attempt) { evidence_.push_back(attempt); }
  /// Whether a scale is set below 1, where gradients are pressed down, that started at 1 or more.
  bool below_one() const;
  /// Whether a scale is set so low that the gradients of other batches, a few times as large, would press it below 1.
  bool leaves_no_room() const;
  /// Some run has thrown: what it was about is not known.
  bool failed() const { return failure_.has_value(); }
  /// The message of the newest exception; empty where no run has thrown.
  std::string failure() const { return failure_.value_or(""); }
  void forget_failure() { failure_.reset(); }

  /// Sets the scale of each scaler in `bad` to the largest power of two times its start, below that, at which its
  /// gradients are finite. False where no scale does that for one of them; then all are as they started.
  bool lower(const std::vector<std::size_t>& bad, const SiteRules& rules);

  /// Factors at which the scales in `bad` are the lowest that lower() tries.
  std::vector<double> lowest(const std::vector<std::size_t>& bad) const;

  /// Every scale as it started.
  void at_start();
  /// Factors of the step's scales, by scaler.
  const std::vector<double>& factors() const { return factors_; }
  void set_factors(std::vector<double> factors) { factors_ = std::move(factors); }
  double scale(std::size_t scaler) const;
  /// Its id, in a run with several.
  std::optional<std::string> id_of(std::size_t scaler) const;
  /// Whether the scale is lower than it started.
  bool is_lowered(std::size_t scaler) const { return factors_[scaler] != start_[scaler]; }
  /// Whether a scale started above the step's.
  bool starts_above() const;
  /// The scales that are lower than they started: `2^14 of the scaler "main" and ...`; empty: none.
  std::string lowered() const;
  /// The scales that are above the step's, as lowered() has them.
  std::string raised() const;

  /// From the next run on the calls of this site, a cast of the model's own, hand their argument on as it is. False
  /// where they did so already.
  bool lift(const graph::Site& site) { return lifted_.insert(site.id).second; }
  const std::set<int>& lifted() const { return lifted_; }
  void set_lifted(std::set<int> sites) { lifted_ = std::move(sites); }
  /// `without the model's own cast aten::to#0 (net.py:7)`; empty: none is lifted.
  std::string without_casts() const;

  Replay& replay() { return replay_; }

 private:
  bool lower_one(std::size_t scaler, const SiteRules& rules);
  bool comes_below(double least) const;
  template <class Which>
  std::string listed(const Which& which) const;
  /// How many halvings lower() tries at most.
  int most_halvings(std::size_t scaler) const;
  std::string words(std::size_t scaler) const;

  Replay& replay_;
  Training& training_;
  std::vector<wire::Attempt>& evidence_;
  std::vector<double> start_;
  std::vector<double> factors_;
  std::set<int> lifted_;
  std::optional<std::string> failure_;
};

/// The training's policy with `rules` behind its own.
policy::Policy policy_with(const Training& training, const SiteRules& rules);

/// Every op call in float32.
SiteRules everything_in_float32();
bool is_everything(const SiteRules& rules);

/// `fc1/aten::linear#0, aten::relu#0 and 2 more in float32`; empty where there are none.
std::string text_of(const SiteRules& rules);

/// The scalers of which a run found gradients that are not finite.
std::vector<std::size_t> bad_scalers(const Replay::Result& result);

}  // namespace binade::train
