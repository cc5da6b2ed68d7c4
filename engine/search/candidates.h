// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/search/search.h"

#include <cstddef>
#include <string>
#include <vector>

namespace binade::search {

/// What the evidence says about a change of one op call.
enum class Chance : std::uint8_t {
  kSafe,      ///< nothing speaks against it
  kDoubtful,  ///< the error or the share of lost values is high, or little range is left
  kUnlikely,  ///< values overflow, or most of them are lost
};

/// A set of products of an op call; bit i stands for policy::Product i.
using ProductSet = unsigned;

/// A change of one op call that a search may make.
struct Candidate {
  std::size_t call = 0;                        ///< index in StepEvidence::calls
  formats::Format format = formats::kFloat32;  ///< that the call would compute in
  bool raises = false;                         ///< the format is wider than the present one
  double saving = 0;  ///< estimate in the unit of the goal; below 0: it would cost more. kRepair: not used
  double risk = 0;    ///< estimate of the harm to the loss; 0: none
  Chance chance = Chance::kSafe;
  policy::Products products{};  ///< formats that its products have; empty: that of the call
  ProductSet taken_out = 0;     ///< products that leave a scaled format; 0: the candidate is not about products
  std::string why;              ///< the evidence as a sentence, for the rule and the provenance
};

/// Whether no pattern of Limits::fixed matches the op call.
bool may_change(const Order& order, const CallEvidence& call);

/// What each op call could become to need less of the goal, in execution order: a lower format that is allowed, and a
/// higher one where that removes casts. Without the op calls that must not change.
std::vector<Candidate> saving_candidates(const Order& order, const StepEvidence& evidence);

/// The op calls that a repair may raise to the widest format that is allowed, ranked by suspicion: values that are not
/// finite, first in execution order; values beyond the low format; lost values; error.
std::vector<Candidate> repair_candidates(const Order& order, const StepEvidence& evidence);

/// How many of the first candidates of a repair the evidence sets clearly apart from the rest: those whose values are
/// not finite or beyond the low format, otherwise those before the widest gap of the errors; 0: none.
std::size_t set_apart(const std::vector<Candidate>& ranked);

/// The base with candidates applied: one rule for each, after those of the base. Replaces the base's rules for exactly
/// these op calls, which could no longer apply.
policy::Policy with_changes(const Order& order, const StepEvidence& evidence,
                            const std::vector<const Candidate*>& changes);

/// Number of bits that a value of the format takes in memory: 16 for float16; 32 for float32 and tfloat32.
int stored_bits(const formats::Format& format);

/// What each op call computes in, in execution order. Op calls that follow their arguments are taken to compute in the
/// format of the op call before them.
std::vector<formats::Format> present_formats(const StepEvidence& evidence);

/// Number that decides between candidates that are equally good: differs by seed and op call, equal on all machines.
std::uint64_t tie_break(std::uint64_t seed, std::size_t call);

}  // namespace binade::search
