// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/wire/diagnosis.h"
#include "engine/wire/silent_fault.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// What a step showed beside its record, where silent faults are looked for. Plain values; measured in engine/observe
// and engine/train.

namespace binade::silent {

/// A tensor that was cast, or converted, on its way into an op call or by it.
struct ArgumentSeen {
  int site = 0;
  std::string argument;         ///< `weight`; `output` of an op that converts
  formats::Format format;       ///< that it was cast to
  std::uint64_t occupied = 0;   ///< finite values that were not 0 before
  std::uint64_t vanished = 0;   ///< of them, 0 afterwards
  double vanished_norm = 0;     ///< the share of the norm that these had, 0..1
  std::uint64_t whole = 0;      ///< numbers, where all of them were whole and some beyond 2^(M+1); else 0
  std::uint64_t changed = 0;    ///< of these, another number afterwards
  double largest = 0;           ///< largest finite magnitude before
  bool cast_by_policy = false;  ///< Autocast did it; else the op itself
  bool learnt = false;          ///< a weight, or what a gradient is taken for: neither positions nor indices
};

/// What went into a softmax.
struct LogitsSeen {
  int site = 0;
  formats::Format format;  ///< that held it, before any cast
  double largest = 0;      ///< largest finite value; masks, which are far below 0, do not count
  /// A fused kernel keeps it to itself: `largest` is the most it can be, from the norms of query and key.
  bool bound = false;
};

/// What the optimizer's step did to one parameter.
struct UpdateSeen {
  std::string parameter;
  formats::Format format;                        ///< that stores it
  std::uint64_t moved = 0;                       ///< elements whose update is not 0
  std::uint64_t lost = 0;                        ///< of them, those with round(w + u) = w
  double lost_norm = 0;                          ///< the share of the update's norm that these had, 0..1
  double update_over_weight = 0;                 ///< norms
  double gradient = 0;                           ///< root mean square of the gradient's elements
  formats::Format computed = formats::kFloat32;  ///< the narrowest format that gradients go through
  std::uint64_t elements = 0;                    ///< of the parameter
  std::uint64_t broken = 0;                      ///< of them, not finite afterwards though they are in float64
  double epsilon = 0;                            ///< the optimizer's; 0: it has none
};

/// What the optimizer's step did to a sum that it keeps in a 16-bit format.
struct StateSeen {
  std::string tensor;  ///< `fc1.weight.exp_avg_sq`
  formats::Format format;
  std::uint64_t moved = 0;     ///< elements that ought to have changed
  std::uint64_t lost = 0;      ///< of them, those that stayed as they were
  double lost_norm = 0;        ///< the share of the change's norm that these had, 0..1
  std::uint64_t counted = 0;   ///< elements that are not 0 in float32 arithmetic
  std::uint64_t vanished = 0;  ///< of them, those that are 0 here
};

/// A sum that a chain of additions made, beside the same additions in float32.
struct SumSeen {
  int site = 0;                ///< of the last addition
  formats::Format format;      ///< that holds the sum
  std::int64_t additions = 0;  ///< one behind the other
  double error = 0;            ///< relative, of the sum
  std::vector<int> sites;      ///< of all of them, ascending
  bool in_place = false;       ///< some write an argument, and take no format
  bool loop = false;           ///< some were executed several times
  bool cut = false;            ///< there are more sites than `sites` holds
};

/// An overflow that leaves loss and gradients finite, as a replay found it once; of a step that shows it again.
struct VanishedSeen {
  int site = 0;
  formats::Format format;
  double infinite = 0;  ///< share of its values that are not finite in this step
  std::string where;    ///< the call in which it vanishes, as sentences name it; empty: not known
  /// The share of that call's numbers that are others without the overflow, measured at step `measured`, with the
  /// losses; nothing where that could not be measured.
  std::optional<double> wrong;
  std::string unmeasured;  ///< why not, where the measurement failed
  std::int64_t measured = 0;
  double loss = 0;
  double mended = 0;
  bool harmless = false;          ///< neither the loss nor the gradients are off by more than rounding explains
  std::optional<double> largest;  ///< magnitude that a wider format holds there
  wire::Fix fix;
};

/// A buffer of the model that is not finite, since a step that was.
struct BufferSeen {
  std::string name;
  std::string since;       ///< sentences: since when, what made it so, and what to do
  std::vector<int> sites;  ///< op calls that take it as it stood when a step began, and the one that wrote it so
};

/// What should have been looked at and was not. Nothing is said of it: it is neither a fault nor healthy.
struct Unmeasured {
  wire::SilentFault::Kind kind = wire::SilentFault::Kind::kUnderflow;
  int site = -1;     ///< -1: nothing of the kind was looked at in this step
  std::string what;  ///< a clause, without the site: `whether the weights take up their updates`
  std::string why;   ///< what was thrown, in one line
};

struct Evidence {
  bool scanned = false;  ///< outputs were looked at, however little: of `vanished` nothing is missing
  bool looked = false;   ///< closely; else everything below but `vanished` is empty
  std::vector<ArgumentSeen> arguments;
  std::vector<LogitsSeen> logits;
  std::vector<UpdateSeen> updates;
  std::vector<StateSeen> states;
  /// Sites that can give nothing but zeros: products with the constant 0, sums over nothing.
  std::vector<int> zero_by_design;
  std::vector<SumSeen> sums;
  std::vector<VanishedSeen> vanished;
  std::vector<BufferSeen> buffers;
  std::vector<Unmeasured> unmeasured;
};

}  // namespace binade::silent
