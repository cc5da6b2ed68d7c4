// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/policy.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Diagnosis of a step that was not finite, from a fully observed replay. Plain values.

namespace binade::wire {

enum class Direction : std::uint8_t { kForward, kBackward };

/// Magnitudes of one tensor.
struct ValueRange {
  std::string name;     ///< argument of the op: `input`, `weight`; `gradient` for the incoming gradient in backward
  std::string format;   ///< of its storage: `float16`, `int64`
  double smallest = 0;  ///< smallest finite non-zero magnitude; 0 if there is none
  double largest = 0;   ///< largest finite magnitude
  std::int64_t count = 0;
  std::int64_t zeros = 0;
  std::int64_t infinite = 0;
  std::int64_t nan = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// Rows of a batch (its dimension 0) that are not finite.
struct BadRows {
  static constexpr std::size_t kMostNamed = 16;
  std::int64_t batch = 0;              ///< index of the batch, in a step with several
  std::int64_t of = 0;                 ///< number of rows in the batch
  std::int64_t bad = 0;                ///< number of rows that are not finite
  std::vector<std::int64_t> rows;      ///< the first kMostNamed of them, ascending, counted from 0
  std::vector<std::int64_t> examples;  ///< index of each row's example in the data; empty: unknown
  friend bool operator==(const BadRows&, const BadRows&) = default;
};

/// A first cause: one of the earliest calls, on a path to a non-finite loss or gradient, that made a NaN or an
/// unintended infinity (those of masks and fills are intended); or data, a parameter or a buffer that was not finite to
/// begin with.
struct Root {
  enum class Fault : std::uint8_t {
    kOverflow,   ///< a result beyond the format
    kCast,       ///< a finite argument became infinite in its cast
    kInvalid,    ///< a NaN or a pole in any format: log 0, x/0, a fully masked softmax
    kSum,        ///< the sum of several uses' gradients, each finite, is not finite
    kData,       ///< an input or target of the batch
    kParameter,  ///< a weight or another parameter
    kBuffer,     ///< a buffer, or another tensor that the model keeps
    kUnknown,    ///< a tensor that no op call made
    kLost,       ///< a value became 0, 1 or -1 in its format, and a later op has no finite result for that
  };
  Fault fault = Fault::kUnknown;
  Direction direction = Direction::kForward;
  int site = -1;       ///< site that made it, or that first used it; -1: none
  int call = 0;        ///< index of the site's execution in its forward
  std::string what;    ///< the tensor: `output`, or the name of an argument, parameter, buffer or input
  std::string source;  ///< line in the model's source: `model.py:42`
  formats::Format format = formats::kFloat32;  ///< format that holds it
  std::vector<ValueRange> inputs;              ///< the op's arguments
  std::optional<BadRows> rows{};               ///< if the fault is in some rows of the batch only
  /// What the values show: `a division by 0: 3 of 32 are 0`. Empty: unknown.
  std::optional<std::string> why{};
  std::optional<int> rounded_to{};  ///< kLost: the value became 1 or -1 instead of 0
  friend bool operator==(const Root&, const Root&) = default;
};

/// One call on the path from a first cause to the loss or to a parameter.
struct ChainLink {
  int site = 0;
  int call = 0;
  Direction direction = Direction::kForward;
  std::string tensor;  ///< the tensor that is not finite: `output`, `gradient`
  formats::Format format = formats::kFloat32;
  double largest = 0;  ///< its largest finite magnitude
  std::uint64_t non_finite = 0;
  friend bool operator==(const ChainLink&, const ChainLink&) = default;
};

/// A loss scale; `scaler` is its scaler's id in a run with several.
struct NamedScale {
  std::optional<std::string> scaler{};
  double scale = 1;
  friend bool operator==(const NamedScale&, const NamedScale&) = default;
};

/// A cast in the model's own code that a change leaves out.
struct OwnCast {
  std::string call{};    ///< name of the op call
  std::string source{};  ///< line in the model's source; may be empty
  friend bool operator==(const OwnCast&, const OwnCast&) = default;
};

/// Loss scales that every gradient of one step survives, as exponents of 2. At `highest` no gradient overflows, and one
/// doubling more one does. At `lowest` none loses more than 1 % of its norm to underflow, and one halving more one
/// does. Empty: no gradient limits that side.
struct ScaleBand {
  std::optional<int> lowest;
  std::optional<int> highest;
  int lowest_site = -1;  ///< site whose gradient sets the edge
  int highest_site = -1;
  bool bound = false;  ///< some gradients were measured after rounding; values lost before are not in the band
  bool empty() const { return lowest && highest && *lowest > *highest; }
  friend bool operator==(const ScaleBand&, const ScaleBand&) = default;
};

/// A change that was tried on the captured step.
struct Attempt {
  double scale = 1;
  std::vector<policy::SiteRule> rules{};  ///< rules added to the policy
  bool finite = false;  ///< whether the loss and every gradient were finite; with several scalers, this one's
  std::optional<std::string> scaler{};  ///< id of the scaler, in a run with several
  std::vector<NamedScale> scales{};     ///< scales that were changed; empty: none, or only the step's own was used
  std::vector<OwnCast> without{};
  std::optional<std::int64_t> ahead{};  ///< tried on a later batch: 0 is the next one
  std::string overflows{};              ///< op call that overflowed although the step was finite
  std::string note{};                   ///< a change of another kind, in words: `row 3 of the batch replaced by row 2`
  std::string failure{};                ///< message of the exception that ended it
  /// Safe scales of the step with this change; nullopt: not measured. Only runs with a single scaler have them.
  std::optional<ScaleBand> band{};
  friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// A training in float32 at a lower learning rate.
struct RateTrial {
  double rate = 0;  ///< optimizer.learning_rate
  double first_loss = 0;
  double last_loss = 0;
  std::int64_t steps = 0;
  bool learns = false;  ///< the loss falls
  friend bool operator==(const RateTrial&, const RateTrial&) = default;
};

/// The smallest change that kept the step finite in a replay.
struct Fix {
  enum class Outcome : std::uint8_t {
    kNone,        ///< none was looked for, or nothing that was tried helps
    kFinite,      ///< this batch is finite
    kNextToo,     ///< the next batches are finite, too
    kNoOverflow,  ///< nothing overflows in this batch
    kLost,        ///< no fix: finite only at `scales`, where gradients are lost
    kReduced,     ///< no fix: finite only at `scales`, some below 1, which reduce gradients
  };
  double scale = 0;                       ///< loss scale to set, or a lower one; 0: no change of scale
  std::optional<std::string> scaler{};    ///< id of the scaler, in a run with several
  std::vector<policy::SiteRule> rules{};  ///< rules to add to the policy
  std::string text{};                     ///< of a fault that the step's values prove, in words; else empty
  Outcome outcome = Outcome::kNone;
  std::vector<policy::SiteRule> tried{};  ///< rules that are not enough: of kLost and kReduced
  std::vector<NamedScale> scales{};       ///< all scales that it changes
  bool raised = false;                    ///< `scales` are raised again; otherwise they are upper limits
  std::vector<OwnCast> without{};
  std::int64_t changed = 0;         ///< number of op calls that change their format with it
  std::optional<RateTrial> rate{};  ///< a lower learning rate instead
  /// Whether a search had a result, which may be that no fix is known.
  bool known() const { return outcome != Outcome::kNone || rate || !text.empty(); }
  friend bool operator==(const Fix&, const Fix&) = default;
};

enum class Verdict : std::uint8_t {
  kBenign,            ///< finite at a scale inside the safe band: the scaler adapts by itself
  kNoScaleWorks,      ///< finite only below the safe band, or the band is empty
  kOverflowAtSite,    ///< a backward overflow at every scale
  kCastOverflow,      ///< a finite argument became infinite in its cast
  kForwardOverflow,   ///< a result beyond its format
  kInvalidOperation,  ///< log 0, x/0, sqrt' at 0, a fully masked softmax; float32 before it does not help
  kNonFiniteData,
  kNonFiniteParameter,
  kPoisonedBuffer,  ///< a buffer made non-finite by an earlier step, or saved so in the model
  kPropagatedOnly,  ///< the non-finite value came from a tensor that no op call made
  kUndetermined,
  kScaleHeld,  ///< finite at a scale inside the safe band, but the scaler cannot reach it: fixed, or at its floor
  kLostValue,  ///< an invalid operation on a value that float32 holds and the format lost: it became 0 or was rounded
               ///< away
  kLearningRate,  ///< the same steps diverge in float32 too, because of the learning rate
  kHugeData,  ///< rows of the batch have far larger values than all others; with other rows instead, the step is finite
};

struct Diagnosis {
  Verdict verdict = Verdict::kUndetermined;
  Direction direction = Direction::kForward;
  std::vector<Root> roots;       ///< earliest first
  std::vector<ChainLink> chain;  ///< from the first root to `ends`
  std::string ends;              ///< `loss`, or the parameter whose gradient was reached
  std::vector<Attempt> evidence;
  Fix fix;
  std::optional<ScaleBand> band{};      ///< of this step, if the loss scale may be the cause
  std::optional<std::string> scaler{};  ///< id of the scaler whose gradients were not finite, in a run with several
  std::optional<double> scale{};        ///< that scaler's scale in this step
  /// What was found instead of the verdict's usual meaning, in words: why there is no verdict, what lost a value, since
  /// when a buffer is not finite. Empty: nothing.
  std::string message;
  std::vector<std::string> notes;  ///< further findings of the replay, each a sentence: a cure in the model, ...
  std::string bundle;              ///< file from which the step can be replayed; empty: none was kept
  double seconds = 0;              ///< spent on all replays
  friend bool operator==(const Diagnosis&, const Diagnosis&) = default;
};

std::string name(Direction direction);
std::string name(Root::Fault fault);
std::string name(Verdict verdict);

}  // namespace binade::wire
