// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Faults of a run that cause no infinity or NaN. Plain values.

namespace binade::wire {

struct SilentFaultKey;

/// Numbers of a silent fault in the step that shows it worst. Each kind has those that are named there; the others keep
/// their defaults.
struct SilentFacts {
  double share = 0;          ///< the share that is lost, or the relative error, in this step
  std::uint64_t count = 0;   ///< number of values, weights, integers or additions concerned
  std::uint64_t of = 0;      ///< `count` of this many
  std::string output;        ///< kUnderflow: index of a further output: `1`
  bool of_argument = false;  ///< kUnderflow, backward: the gradient is that for the argument `what`
  /// The step of a spike or a low scale; the step that was compared with float32; that of the losses below.
  std::optional<std::int64_t> step{};
  std::optional<double> zeroed{};       ///< kUnderflow by error: share of the norm that became 0
  std::optional<int> lowest_scale{};    ///< kUnderflow: exponent of the lowest loss scale that suffices
  std::optional<int> highest_scale{};   ///< and of the highest at which no gradient overflows
  std::optional<double> largest{};      ///< kLargeLogits, kInexactIntegers: largest value
  std::optional<double> logit_error{};  ///< kLargeLogits: error of such a logit
  std::optional<double> before{};       ///< kLargeLogits: largest logit at `before_step`, if they have grown
  std::int64_t before_step = 0;
  double update_over_weight = 0;       ///< kUpdateLost: ratio of the norms
  std::optional<double> epsilon{};     ///< kLowState: the optimizer's epsilon, if the format makes it 0
  std::optional<double> loss{};        ///< kLossSpike, kVanishedOverflow: the loss
  std::optional<double> usual_loss{};  ///< kLossSpike: mean of the steps before; kVanishedOverflow: the loss without it
  std::optional<std::int64_t> spreads{};   ///< kLossSpike: standard deviations above `usual_loss`
  std::optional<double> gradient_ratio{};  ///< kLossSpike: gradient norm divided by its usual value
  std::optional<double> scale{};           ///< kLowScale: the loss scale
  std::optional<double> wrong{};           ///< kVanishedOverflow: share of values that differ in the call `where`
  bool harmless = false;                   ///< kVanishedOverflow: no consequence so far
  std::string where;                       ///< kVanishedOverflow: the call in which the infinity vanishes
  std::string unmeasured;                  ///< kVanishedOverflow: why its effect could not be measured
  bool in_loop = false;                    ///< kLostSum: op calls of the sum run several times
  bool alive_in_float32 = false;           ///< kDeadSite: float32 gives other values than 0
  int origin = -1;                         ///< kDeadSite: op call whose error leaves nothing of the result
  double origin_added = 0;                 ///< error that `origin` adds
  double origin_becomes = 0;               ///< share of the result that it grows to
  int infinite_site = -1;                  ///< kDeadSite: an op call before it that gives infinities
  // Faults of a quantized operand (kStaleScale, kSaturated, kDeadBlocks, kBiasedRounding, kOutlierBlocks) have these.
  std::string operand{};           ///< product and operand: `grad_weight gradient`
  std::string quantized_format{};  ///< scaled format: `nvfp4+stochastic`
  std::optional<double> snr_db{};  ///< its signal to quantization noise
  std::optional<double> stale{};   ///< kStaleScale: doublings beyond what the scale represents; negative: below
  std::string alternative{};       ///< the format that was measured beside it; empty: none
  std::optional<double> alternative_share{};  ///< kBiasedRounding, kStaleScale: the same figure in `alternative`
  std::optional<double> alternative_snr_db{};
  std::string buffer;        ///< kDeadSite: a buffer that holds NaN or infinity
  std::string buffer_since;  ///< sentences: since when, what made it so, and what to do
  friend bool operator==(const SilentFacts&, const SilentFacts&) = default;
};

/// One silent fault, as all steps so far show it.
struct SilentFault {
  enum class Kind : std::uint8_t {
    kUnderflow,         ///< non-zero values become 0 in their format
    kUpdateLost,        ///< the optimizer's update is too small to change the stored weight
    kDeadSite,          ///< an op call with only zeros, forward or backward
    kLossSpike,         ///< a loss far above its usual range
    kLargeLogits,       ///< the input of a softmax has grown beyond its format's resolution
    kInexactIntegers,   ///< integers (positions, indices) beyond 2^(M+1) in a low format
    kLowState,          ///< the optimizer keeps sums in a 16-bit format that cannot hold them
    kVanishedOverflow,  ///< values overflow, a later call hides the infinity, and the result is wrong
    kLostSum,           ///< the rounding errors of a chain of additions accumulate
    kLowScale,          ///< the loss scale has settled below 1, where it lifts no gradient
    kStaleScale,        ///< a delayed scale is behind its tensor, whose values saturate or become 0
    kSaturated,         ///< values of a quantized operand exceed the largest element after scaling
    kDeadBlocks,        ///< blocks of a quantized operand in which every value became 0
    kBiasedRounding,    ///< rounding to nearest shifts the mean of a quantized gradient
    kOutlierBlocks,     ///< one value decides the scale of a block, and the others lose their digits
  };
  /// What `amount` is a share of.
  enum class Unit : std::uint8_t {
    kOutputNorm,
    kGradientNorm,
    kArgumentNorm,
    kOutputError,  ///< an error in the output
    kGradientError,
    kOutput,
    kGradient,
    kUpdateNorm,
    kWeights,
    kNumbers,       ///< whole numbers that a cast changes
    kStateNumbers,  ///< numbers of an optimizer's sum
    kStateChange,   ///< the change of an optimizer's sum
    kSoftmaxWeight,
    kLoss,  ///< the part of the loss above its usual value
    kSumError,
    kSteps,
    kValues,       ///< values of the op call
    kLaterValues,  ///< values of the call `facts.where`
    kBlocks,       ///< blocks of the operand `facts.operand`
    kMean,         ///< change of the mean, as a share of the values' root mean square
  };
  Kind kind = Kind::kUnderflow;
  Direction direction = Direction::kForward;
  int site = -1;     ///< where it happens; -1: at no op call (a parameter, the loss)
  std::string what;  ///< the tensor: `output`, name of an argument or parameter, `fc1.weight.exp_avg_sq`, `loss`
  formats::Format format = formats::kFloat32;  ///< format that holds it
  std::int64_t first_step = 0;                 ///< first step that showed it
  std::int64_t last_step = 0;
  std::int64_t seen = 0;            ///< number of steps that showed it
  std::int64_t observed_steps = 0;  ///< number of steps since first_step that were examined for it
  /// Rank of the fault: the share that is lost, 0..1, or the relative error that is added, as mean over
  /// `observed_steps`.
  /// For a spike, the share of the loss above its usual value; after a comparison with float32, the value measured
  /// there.
  double amount = 0;
  std::optional<double> largest{};  ///< kVanishedOverflow: largest magnitude there in float32
  Unit unit = Unit::kOutputNorm;
  bool bound = false;  ///< `amount` is an upper bound, because the loss could not be measured
  SilentFacts facts{};
  /// Step that `facts` are from, if `amount` is a mean over several.
  std::optional<std::int64_t> worst_step{};
  Fix fix{};  ///< edit for the next step; for kUnderflow, `fix.scale` is the lowest loss scale that suffices. Only
              ///< kVanishedOverflow has more than a scale and rules
  friend bool operator==(const SilentFault&, const SilentFault&) = default;

  SilentFaultKey key() const;
};

/// Identifies a fault across the reports of a run: these do not change while it persists.
struct SilentFaultKey {
  SilentFault::Kind kind = SilentFault::Kind::kUnderflow;
  Direction direction = Direction::kForward;
  int site = -1;
  std::string what;
  friend bool operator==(const SilentFaultKey&, const SilentFaultKey&) = default;
};

inline SilentFaultKey SilentFault::key() const {
  return {kind, direction, site, what};
}

/// Effect of the optimizer's step on one parameter, in the newest step that was examined.
struct ParameterUpdate {
  std::string parameter;
  formats::Format format = formats::kFloat32;  ///< format that stores it
  std::int64_t step = 0;
  std::uint64_t elements = 0;
  std::uint64_t moved = 0;        ///< elements whose update u is not 0
  std::uint64_t lost = 0;         ///< of `moved`, elements that do not change: round(w + u) = w
  double lost_norm = 0;           ///< share of the update's norm in the lost elements, 0..1
  double update_over_weight = 0;  ///< ratio of the norms; infinite for a parameter that is 0
  friend bool operator==(const ParameterUpdate&, const ParameterUpdate&) = default;
};

/// Something that a report does not know, and why. Plain values; members that a reason does not name have their
/// defaults.
struct SilentGap {
  enum class Reason : std::uint8_t {
    kFusedLogits,     ///< `site` has its softmax inside one kernel; `largest` bounds its logits, if that is known
    kRoundedTensors,  ///< what `count` tensors lost in rounding: no comparison with float32, for the reason `why`
    kBounds,          ///< what is lost where an amount is a bound: no comparison, for the reason `why`
    kDeadSites,       ///< whether `count` dead sites give zeros in float32 too: no comparison, for the reason `why`
    kNoOpCalls,       ///< no site is observed
    kSuspected,       ///< whether `fault` is one: it counts from `count` steps on
    kMoreSuspected,   ///< the same of `count` more
    kUnmeasured,      ///< `what`, at `site` if it is at one: the measurement failed, for the reason `why`
    kMoreUnmeasured,  ///< `count` more
    kCutSum,          ///< which sites belong to the sum at `site`, beyond the first `count`
  };
  Reason reason = Reason::kNoOpCalls;
  int site = -1;
  std::uint64_t count = 0;
  std::optional<double> largest{};
  std::optional<SilentFault> fault{};
  std::string what{};  ///< a clause: `whether the weights take up their updates`
  std::string why{};   ///< message of the failure; may be empty
  friend bool operator==(const SilentGap&, const SilentGap&) = default;
};

/// All silent faults of a run under one policy, the worst first. A later report replaces an earlier one.
struct SilentReport {
  /// With fewer examined steps, the absence of faults means nothing: a dead call needs this many in a row, most other
  /// kinds fewer.
  static constexpr std::int64_t kFewestObservedSteps = 5;
  int policy_revision = 0;
  std::int64_t first_step = 0;  ///< first step under this policy
  std::int64_t last_step = 0;
  std::int64_t observed_steps = 0;  ///< number of these steps that were examined; at level `finite`, the steps whose
                                    ///< outputs were scanned
  std::vector<SilentFault> faults;
  std::vector<SilentGap> hidden;         ///< what could not be measured
  std::vector<ParameterUpdate> updates;  ///< one per parameter that the optimizer steps, in its order
  friend bool operator==(const SilentReport&, const SilentReport&) = default;

  std::int64_t steps() const { return last_step + 1 - first_step; }
};

enum class SilentVerdict : std::uint8_t {
  kFaults,
  kNone,         ///< enough steps were examined
  kNotKnownYet,  ///< too few steps were examined
};
/// kFaults if there are any; otherwise kNone once kFewestObservedSteps were examined.
SilentVerdict verdict_of(const SilentReport& report);
/// `none`, `faults` or `not_known_yet`.
std::string name(SilentVerdict verdict);

/// What is needed to examine enough steps: a number of further steps if those are examined whose number is a multiple
/// of `every`, and an interval at which the report's steps would have been enough (0: too few at any interval).
struct MoreObservedSteps {
  std::int64_t steps = 0;
  std::int64_t every = 0;
};
MoreObservedSteps more_observed_steps(const SilentReport& report, std::int64_t every);

std::string name(SilentFault::Kind kind);

}  // namespace binade::wire
