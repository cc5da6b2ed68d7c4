// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/policy.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Why a step went beyond its formats: what a fully observed replay of it found. Plain values.

namespace binade::wire {

enum class Direction : std::uint8_t { kForward, kBackward };

/// The magnitudes of one tensor.
struct ValueRange {
  std::string name;     ///< an argument of the op: `input`, `weight`; `gradient` for what came in backward
  std::string format;   ///< as it was stored: `float16`, `int64`
  double smallest = 0;  ///< smallest finite non-zero magnitude; 0 where there is none
  double largest = 0;   ///< largest finite magnitude
  std::int64_t count = 0;
  std::int64_t zeros = 0;
  std::int64_t infinite = 0;
  std::int64_t nan = 0;
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

/// Which rows of a batch, its dimension 0, are not finite.
struct BadRows {
  static constexpr std::size_t kMostNamed = 16;
  std::int64_t batch = 0;              ///< which of the step's batches, where it takes several
  std::int64_t of = 0;                 ///< rows of the batch
  std::int64_t bad = 0;                ///< of them not finite
  std::vector<std::int64_t> rows;      ///< the first of these, ascending from 0
  std::vector<std::int64_t> examples;  ///< which example of the data each is, from 0; empty: not known
  friend bool operator==(const BadRows&, const BadRows&) = default;
};

/// A first cause: one of the earliest calls, on a path to a non-finite loss or gradient, that made a NaN or an infinity
/// its op was not asked for; or data, a parameter or a buffer that came in so.
struct Root {
  enum class Fault : std::uint8_t {
    kOverflow,   ///< a result beyond the format
    kCast,       ///< a finite argument became infinite on its way into the op
    kInvalid,    ///< a NaN or a pole whatever the format: log 0, x/0, a softmax over masks only
    kSum,        ///< gradients of several uses, each finite, whose sum is not
    kData,       ///< an input or target of the batch
    kParameter,  ///< a weight
    kBuffer,     ///< a buffer, or another tensor that the model keeps
    kUnknown,    ///< a tensor from outside every op call
    kLost,       ///< a value that is not 0 became 0 in its format, and an op behind it has no finite result for 0
  };
  Fault fault = Fault::kUnknown;
  Direction direction = Direction::kForward;
  int site = -1;       ///< that made it, or that took it first; -1: none
  int call = 0;        ///< which execution of the site in its forward
  std::string what;    ///< the tensor: `output`, an argument's name, or a parameter's, buffer's or input's
  std::string source;  ///< the model's line: `model.py:42`
  formats::Format format = formats::kFloat32;  ///< that holds it
  std::vector<ValueRange> inputs;              ///< what the op was given
  std::optional<BadRows> rows{};               ///< where the fault lies in some rows of the batch and not in others
  /// What its values show: `a division by 0: 3 of 32 are 0`. Nothing: not known.
  std::optional<std::string> why{};
  friend bool operator==(const Root&, const Root&) = default;
};

/// One call on the way from a first cause to the loss or to a parameter.
struct ChainLink {
  int site = 0;
  int call = 0;
  Direction direction = Direction::kForward;
  std::string tensor;  ///< what is not finite there: `output`, `gradient`
  formats::Format format = formats::kFloat32;
  double largest = 0;  ///< largest finite magnitude in it
  std::uint64_t non_finite = 0;
  friend bool operator==(const ChainLink&, const ChainLink&) = default;
};

/// One change that was tried on the captured step.
struct Attempt {
  std::string change;  ///< `scale 2^14`, `fc1/aten::linear#0 in float32`
  double scale = 1;
  std::vector<policy::SiteRule> rules;  ///< added to the policy
  bool finite = false;                  ///< loss and every gradient; of several scalers, this one's
  std::optional<std::string> scaler{};  ///< whose scale it is, in a run with several
  friend bool operator==(const Attempt&, const Attempt&) = default;
};

/// What would have kept the step finite: the smallest change that did in a replay.
struct Fix {
  double scale = 0;                     ///< the loss scale to set, or a lower one; 0: it may stay
  std::optional<std::string> scaler{};  ///< whose scale that is, in a run with several
  std::vector<policy::SiteRule> rules;  ///< to add to the policy
  std::string text;                     ///< a sentence; empty: nothing that was tried helps
  friend bool operator==(const Fix&, const Fix&) = default;
};

/// The loss scales at which every gradient of one step survives, as powers of two: at `highest` none overflows and one
/// doubling further one does; at `lowest` none loses more than a hundredth of its norm to underflow and one halving
/// further one does. Nothing: no gradient sets that edge.
struct ScaleBand {
  std::optional<int> lowest;
  std::optional<int> highest;
  int lowest_site = -1;  ///< whose gradient sets the edge
  int highest_site = -1;
  bool bound = false;  ///< some gradients were seen after rounding: what they had lost before is not in it
  bool empty() const { return lowest && highest && *lowest > *highest; }
  friend bool operator==(const ScaleBand&, const ScaleBand&) = default;
};

enum class Verdict : std::uint8_t {
  kBenign,            ///< finite at a scale inside the safe band: the scaler handles it
  kNoScaleWorks,      ///< finite only below the safe band, or the band is empty
  kOverflowAtSite,    ///< backward, never finite whatever the scale
  kCastOverflow,      ///< a finite argument became infinite on the way in
  kForwardOverflow,   ///< a result beyond its format
  kInvalidOperation,  ///< log 0, x/0, sqrt' at 0, a fully masked softmax; float32 before it does not help
  kNonFiniteData,
  kNonFiniteParameter,
  kPoisonedBuffer,  ///< a buffer that an earlier step left non-finite, or that came so with the model
  kPropagatedOnly,  ///< what is not finite came in from outside every op call
  kUndetermined,
  kScaleHeld,     ///< finite at a scale inside the safe band, but the scaler cannot go there: static, or at its floor
  kLostValue,     ///< an invalid operation on what float32 holds and the format lost: it became 0, or was rounded away
  kLearningRate,  ///< the same steps diverge in float32 too: the learning rate
  kHugeData,      ///< rows of the batch hold values far beyond all others: with other rows in their place the step is
                  ///< finite
};

struct Diagnosis {
  Verdict verdict = Verdict::kUndetermined;
  Direction direction = Direction::kForward;
  std::vector<Root> roots;       ///< earliest first
  std::vector<ChainLink> chain;  ///< from the first root to where it ends
  std::string ends;              ///< `loss`, or the parameter whose gradient it reached
  std::vector<Attempt> evidence;
  Fix fix;
  std::optional<ScaleBand> band{};      ///< of this step, where the loss scale was in question
  std::optional<std::string> scaler{};  ///< whose gradients were not finite, in a run with several scalers
  std::optional<double> scale{};        ///< its scale in this step
  std::string explanation;              ///< the verdict in words, with what was found
  std::string bundle;                   ///< file from which the step can be replayed; empty: none was kept
  double seconds = 0;                   ///< spent on all replays
  friend bool operator==(const Diagnosis&, const Diagnosis&) = default;
};

std::string name(Direction direction);
std::string name(Root::Fault fault);
std::string name(Verdict verdict);

}  // namespace binade::wire
