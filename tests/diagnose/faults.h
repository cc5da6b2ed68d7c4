// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/training.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace binade::test {

enum class Fault {
  kOverflowLow,         ///< a product beyond float16
  kOverflowBesideMask,  ///< a sum beyond float16 in the places that a mask leaves
  kOverflowWide,        ///< an exponential beyond float32
  kCastOverflow,        ///< a float32 number that float16 does not hold meets a matrix product
  kLogOfZero,
  kLogOfZeroMasked,  ///< the forward is masked, the backward is not finite
  kByZero,
  kByZeroMasked,
  kSlopeOfRoot,
  kMaskedSoftmax,
  kScaleTooHigh,
  kBadInput,
  kBadWeight,
  kBadBuffer,
  // Silent: nothing is infinite. Not among allFaults(), which a replay explains.
  kUnderflowForward,   ///< a product that float16 does not hold, whose inverse follows; gradients pass beside it
  kUnderflowBackward,  ///< the same in backward, with values that are 0
};
const std::vector<Fault>& allFaults();
const char* name(Fault fault);

/// What a diagnosis must say.
struct Expected {
  wire::Verdict verdict;
  std::set<std::string> roots;  ///< names of sites, or of what came from outside
};

/// A training of `sample` whose first step has `fault` at a place drawn by `seed`; nothing where the sample has no
/// place for it (token numbers hold no NaN). `folder`: for the model's file.
struct Case {
  std::unique_ptr<train::Training> training;
  Expected expected;
  std::string place;
  int root = -1;  ///< site of the fault, where it is one
};
std::optional<Case> makeCase(const std::string& sample, Fault fault, std::uint64_t seed, const std::string& folder);

/// A run of a sample that is finite: float16 emulated, a small batch, a modest scale.
wire::RunConfig healthyRun(const std::string& sample);

/// Who a diagnosis says it was, as Expected has it.
std::set<std::string> rootsOf(const wire::Diagnosis& diagnosis, const train::Training& training);

}  // namespace binade::test
