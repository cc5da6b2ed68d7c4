// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace binade::diagnose {

using SiteRules = std::vector<policy::SiteRule>;

/// Runs a kept step with changes (lower loss scales, rules added to the policy) and records the results. Requires a
/// train::TrainingStateGuard.
class ReplayExperiments {
 public:
  /// The scales at which experiments start.
  enum class Start : std::uint8_t {
    kPresent,  ///< those of the step
    /// Those of the step, except that a scale which has fallen below 16 starts at its `init_scale`, at most 2^16.
    /// Skipped steps reduced it regardless of the gradients' size, and a change that is finite only there is no fix.
    kUnfallen,
  };
  /// `evidence` receives one entry per run, and must outlive this.
  ReplayExperiments(Replay& replay, std::vector<wire::Attempt>& evidence, Start start);

  /// Runs the step with `rules` at the current scales. `scaler`: checks only its gradients; nullopt: all. An exception
  /// of the step counts as not finite. Records the attempt, unless the same change was recorded before.
  Replay::Result run(const SiteRules& rules, std::optional<std::size_t> scaler = {}, Trace* trace = nullptr);
  /// The attempt of the newest run().
  wire::Attempt& last() { return evidence_[last_]; }
  /// All attempts so far.
  std::vector<wire::Attempt>& evidence() { return evidence_; }
  /// Adds an attempt made elsewhere to the evidence.
  void note(const wire::Attempt& attempt) { evidence_.push_back(attempt); }
  /// Returns whether a scale that started at 1 or more is set below 1, where it reduces gradients.
  bool below_one() const;
  /// Returns whether a scale is so low that other batches, with gradients a few times larger, would need one below 1.
  bool leaves_no_room() const;
  /// A run has thrown, so its question is unanswered.
  bool failed() const { return failure_.has_value(); }
  /// Message of the newest exception; empty if no run has thrown.
  std::string failure() const { return failure_.value_or(""); }
  void forget_failure() { failure_.reset(); }
  /// Notes that `question` has no answer, because a replay made for it threw.
  void leave_unanswered(const std::string& question, const std::exception& error);
  /// A sentence for each question without an answer.
  const std::vector<std::string>& unanswered() const { return unanswered_; }

  /// Sets the scale of each scaler in `bad` to the largest power of two times its start, below the start, at which its
  /// gradients are finite. Returns false if there is none for one of them; all scales are then back at their start.
  bool lower(const std::vector<std::size_t>& bad, const SiteRules& rules);

  /// Returns the factors with the scales in `bad` at the lowest value that lower() tries.
  std::vector<double> lowest(const std::vector<std::size_t>& bad) const;

  /// Resets every scale to its start.
  void at_start();
  /// Factors of the step's scales, by scaler.
  const std::vector<double>& factors() const { return factors_; }
  void set_factors(std::vector<double> factors) { factors_ = std::move(factors); }
  double scale(std::size_t scaler) const;
  /// The scaler's id in a run with several; else nullopt.
  std::optional<std::string> id_of(std::size_t scaler) const;
  /// Returns whether the scale differs from its start.
  bool is_lowered(std::size_t scaler) const { return factors_[scaler] != start_[scaler]; }
  /// The scales that differ from their start.
  std::vector<wire::NamedScale> lowered() const;
  /// The scales above the step's.
  std::vector<wire::NamedScale> raised() const;

  /// From the next run on the calls of this site, a cast of the model's own, return their argument unchanged. Returns
  /// false if they already did.
  bool lift(const graph::Site& site) { return lifted_.insert(site.id).second; }
  const std::set<int>& lifted() const { return lifted_; }
  void set_lifted(std::set<int> sites) { lifted_ = std::move(sites); }
  /// The casts that are left out.
  std::vector<wire::OwnCast> without_casts() const;

  Replay& replay() { return replay_; }

 private:
  bool lower_one(std::size_t scaler, const SiteRules& rules);
  bool comes_below(double least) const;
  template <class Which>
  std::vector<wire::NamedScale> listed(const Which& which) const;
  /// Most halvings that lower() tries.
  int most_halvings(std::size_t scaler) const;

  Replay& replay_;
  train::Training& training_;
  std::vector<wire::Attempt>& evidence_;
  std::size_t last_ = 0;  ///< index of the newest run's attempt in it
  std::vector<double> start_;
  std::vector<double> factors_;
  std::set<int> lifted_;
  std::optional<std::string> failure_;
  std::vector<std::string> unanswered_;
};

/// Returns the training's policy with `rules` appended.
policy::Policy policy_with(const train::Training& training, const SiteRules& rules);

/// Returns the rule for every op call in float32.
SiteRules everything_in_float32();

/// Returns the scalers for which a run found non-finite gradients.
std::vector<std::size_t> bad_scalers(const Replay::Result& result);

}  // namespace binade::diagnose
