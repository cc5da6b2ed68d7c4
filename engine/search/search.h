// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/search/evidence.h"
#include "engine/wire/trial.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace binade::search {

/// What a policy should need less of; kRepair: the policy that the search starts from fails, and the smallest set of op
/// calls in a higher format with which it trains is sought. If that policy states formats of products and no formats
/// are allowed explicitly, it is the smallest set of op calls, and then of their products, in their ordinary format.
enum class Goal : std::uint8_t { kTime, kMemory, kCasts, kRepair };

struct Limits {
  std::vector<std::string> fixed{};        ///< patterns of op calls whose format must not change, as in SiteRule::match
  std::vector<formats::Format> formats{};  ///< allowed; empty: those of the base list and float32
  std::optional<double> evaluation{};      ///< the largest loss on the test data that a policy may reach
};

/// What a search may use up. It ends at the first limit that is reached.
struct Budget {
  std::optional<std::int64_t> tries{};
  std::optional<double> seconds{};
};

struct Order {
  policy::Policy base;  ///< where the search starts
  Goal goal = Goal::kTime;
  Limits limits{};
  Budget budget{};
  std::uint64_t seed = 1;  ///< decides between candidates that are equally good
};

/// What proving a policy gave.
struct Proof {
  wire::TrialVerdict verdict = wire::TrialVerdict::kUnknown;
  double gap = 0;  ///< mean difference of the loss from the base's
  /// Differences of the loss up to this size, either way, count as equal: the larger of noise and floor. NaN: not
  /// known.
  double gap_noise = std::numeric_limits<double>::quiet_NaN();
  double base_loss = std::numeric_limits<double>::quiet_NaN();  ///< mean loss of the training beside it; NaN: not known
  double cost = 0;  ///< of the goal: seconds a step, bytes or casts; kRepair: number of changed op calls, an op call of
                    ///< which only some products change counted as that share
  /// The base's, measured beside it; nullopt: it is taken from the evidence. Costs are compared as differences from it.
  std::optional<double> base_cost{};
  /// A difference of costs that is no larger is no saving: it may come from measuring alone, or is not worth a rule.
  double cost_noise = 0;
  std::optional<double> evaluation{};       ///< loss on the test data
  std::optional<double> base_evaluation{};  ///< that of the policy that it was trained beside
  std::string reason{};                     ///< why it does not run, or does not respect a limit, for people
};

/// A policy that was proven.
struct Point {
  policy::Policy policy;             ///< with its evidence in the provenance
  std::vector<std::string> changed;  ///< the op calls that differ from the base
  Proof proof;
  std::int64_t attempt = 0;  ///< number of the try that proved it, from 1
  /// It trains like the base or better and respects the limits. kRepair: it trains.
  bool holds = false;
};

/// Why a search ended.
enum class End : std::uint8_t {
  kNone,         ///< it goes on
  kNothingLeft,  ///< everything that it proposes was tried
  kTries,        ///< the budget of tries is used up
  kTime,         ///< the budget of time is used up
  kCancelled,
};

/// What the search does next, and what it has found. A value: it can be stored, and the search goes on from it.
struct Progress {
  std::int64_t tries = 0;
  double seconds = 0;
  std::vector<Point> proven;  ///< every policy that was tried, in order
  bool done = false;          ///< it ended by itself: with its last try, or at its budget
  std::string sentence{};     ///< what it does now, or why it ended and what it found, for people
  End end = End::kNone;       ///< not stored: a search that goes on ends anew
};

/// The low format that a search is about, to which CallEvidence::doublings_left and lost refer: the first of
/// Limits::formats below float32, otherwise the low format of the base.
formats::Format low_format(const Order& order);

/// Trains under a policy beside the base and returns what that showed. Throws Error{kCancelled} to end the search. For
/// kRepair, whose base fails, the verdict states whether the policy trains.
using Prove = std::function<Proof(const policy::Policy&)>;
/// Receives each change of the progress, for example to store it. Returns whether to go on.
using Report = std::function<bool(const Progress&)>;

/// Searches for policies that need less of the goal and still train like the base, or repairs a policy that fails. The
/// order of tries depends on the arguments only, so a search that was ended goes on from `from` as if it had not been,
/// also with a larger budget: answers in `from.proven` are used in place of `prove`. Cancelling keeps what was found.
/// Runs `prove` and `report` on the calling thread; their errors other than kCancelled pass through.
Progress run(const Order& order, const StepEvidence& evidence, const Prove& prove, const Report& report,
             const Progress& from = {});

/// Of the points that hold, those that no other beats in both cost and gap; cheapest first, among those cheaper than
/// `base_cost` by more than the noise of the measurement. A base that fails has infinite cost. Empty: nothing is better
/// than the base.
std::vector<Point> front(const Progress& progress, double base_cost);

}  // namespace binade::search
