// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/resolve.h"
#include "engine/wire/diagnosis.h"
#include "engine/wire/quantized.h"
#include "engine/wire/silent_fault.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Measurements of a step, besides its record, that silent faults are derived from. Plain values; measured in
// engine/observe, engine/evidence and engine/diagnose.

namespace binade::silent {

/// A tensor that was cast for an op call's argument, or converted by the op itself.
struct ArgumentSeen {
  int site = 0;
  std::string argument;         ///< `weight`; `output` of an op that converts
  formats::Format format;       ///< target of the cast
  std::uint64_t occupied = 0;   ///< finite values that were not 0 before
  std::uint64_t vanished = 0;   ///< of `occupied`, values that are 0 afterwards
  double vanished_norm = 0;     ///< share of the norm in the vanished values, 0..1
  std::uint64_t whole = 0;      ///< number of values, if all were integers and some beyond 2^(M+1); else 0
  std::uint64_t changed = 0;    ///< of `whole`, values that differ afterwards
  double largest = 0;           ///< largest finite magnitude before
  bool cast_by_policy = false;  ///< Autocast did it; else the op itself
  bool learnt = false;          ///< a weight, or what a gradient is taken for: neither positions nor indices
};

/// Input of a softmax.
struct LogitsSeen {
  int site = 0;
  formats::Format format;  ///< format that held it, before any cast
  double largest = 0;      ///< largest finite value; masks, far below 0, do not matter
  /// The softmax is inside a fused kernel: `largest` is an upper bound from the norms of query and key, NaN if unknown.
  bool bound = false;
};

/// Effect of the optimizer's step on one parameter.
struct UpdateSeen {
  std::string parameter;
  formats::Format format;                        ///< format that stores it
  std::uint64_t moved = 0;                       ///< elements whose update is not 0
  std::uint64_t lost = 0;                        ///< of `moved`, elements with round(w + u) = w
  double lost_norm = 0;                          ///< share of the update's norm in the lost elements, 0..1
  double update_over_weight = 0;                 ///< ratio of the norms
  double gradient = 0;                           ///< root mean square of the gradient's elements
  formats::Format computed = formats::kFloat32;  ///< narrowest format that gradients pass through
  std::uint64_t elements = 0;                    ///< of the parameter
  std::uint64_t broken = 0;  ///< of `elements`, values not finite afterwards, though finite in float64
  double epsilon = 0;        ///< the optimizer's epsilon; 0: it has none
};

/// Effect of the optimizer's step on a sum that it keeps in a 16-bit format.
struct StateSeen {
  std::string tensor;  ///< `fc1.weight.exp_avg_sq`
  formats::Format format;
  std::uint64_t moved = 0;     ///< elements that should have changed
  std::uint64_t lost = 0;      ///< of `moved`, elements that did not change
  double lost_norm = 0;        ///< share of the change's norm in the lost elements, 0..1
  std::uint64_t counted = 0;   ///< elements that are not 0 in float32 arithmetic
  std::uint64_t vanished = 0;  ///< of `counted`, elements that are 0 here
};

/// The sum of a chain of additions, compared with the same additions in float32.
struct SumSeen {
  int site = 0;                ///< site of the last addition
  formats::Format format;      ///< format that holds the sum
  std::int64_t additions = 0;  ///< length of the chain
  double error = 0;            ///< relative error of the sum
  std::vector<int> sites;      ///< sites of all additions, ascending
  bool in_place = false;       ///< some additions write an argument, and so take no format
  bool loop = false;           ///< some sites were executed several times
  bool cut = false;            ///< the chain has more sites than `sites` holds
};

/// An overflow that leaves loss and gradients finite. One replay has explained it; the step shows it again.
struct VanishedSeen {
  int site = 0;
  formats::Format format;
  double infinite = 0;  ///< share of its values that are not finite in this step
  std::string where;    ///< call in which it vanishes, for sentences; empty: unknown
  /// Share of that call's values that differ without the overflow, measured at step `measured` together with the
  /// losses. Empty if it could not be measured.
  std::optional<double> wrong;
  std::string unmeasured;  ///< reason if the measurement failed
  std::int64_t measured = 0;
  double loss = 0;
  /// Loss of step `measured` with the overflow, and without it.
  double mended = 0;
  bool harmless = false;          ///< neither loss nor gradients differ by more than rounding explains
  std::optional<double> largest;  ///< largest magnitude there in a wider format
  wire::Fix fix;
};

/// A buffer of the model that has become non-finite during the run.
struct BufferSeen {
  std::string name;
  std::string since;       ///< sentences: since when, what made it so, and what to do
  std::vector<int> sites;  ///< op calls that use its value from before a step, and the one that wrote it
};

/// A quantized operand of a product; of several executions, all together.
struct QuantizedSeen {
  wire::QuantizedOperand operand;
  /// The same values with stochastic rounding, after a random Hadamard transform, or by a scale of the tensor itself
  /// instead of a delayed one. Empty: not measured, because the operand has it already, cannot have it, or shows no
  /// bias, no outliers or no scale far above its values in its first execution.
  std::optional<scaled::BlockStats> stochastic;
  std::optional<scaled::BlockStats> transformed;
  std::optional<scaled::BlockStats> current;
  policy::Decision decided{};  ///< of the op call under the policy of the step, from which fixes are derived
};

/// A measurement that failed. Its result is unknown: neither a fault nor healthy.
struct Unmeasured {
  wire::SilentFault::Kind kind = wire::SilentFault::Kind::kUnderflow;
  int site = -1;     ///< -1: the kind was not measured at any site in this step
  std::string what;  ///< a clause without the site: `whether the weights take up their updates`
  std::string why;   ///< the exception's message, in one line
};

struct Evidence {
  bool scanned = false;   ///< outputs were at least scanned, so `vanished` is complete
  bool observed = false;  ///< the step was examined; if false, everything below except `vanished` is empty
  std::vector<ArgumentSeen> arguments;
  std::vector<LogitsSeen> logits;
  std::vector<UpdateSeen> updates;
  std::vector<StateSeen> states;
  /// Sites that can only give zeros: products with the constant 0, sums over nothing.
  std::vector<int> zero_by_design;
  std::vector<SumSeen> sums;
  std::vector<VanishedSeen> vanished;
  std::vector<BufferSeen> buffers;
  std::vector<QuantizedSeen> quantized;
  std::vector<Unmeasured> unmeasured;
};

}  // namespace binade::silent
