// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/wire/trial.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace binade::wire {

/// Asks what another policy would save in a step, before it is applied.
struct AskSavings {
  policy::Policy policy;  ///< with the same base list as the one in force
  friend bool operator==(const AskSavings&, const AskSavings&) = default;
};

/// Casts and time of a step's forwards under a policy.
struct SavingsSide {
  double casts = 0;                 ///< copies made
  double bytes = 0;                 ///< written by them
  std::optional<double> seconds{};  ///< of the forwards with their losses; nullopt: an emulation's time, or a GPU's
  bool emulated = false;            ///< some format is emulated
  friend bool operator==(const SavingsSide&, const SavingsSide&) = default;
};

/// A matrix product that would run in another format.
struct SavingsProduct {
  int site = 0;
  std::int64_t m = 0, n = 0, k = 0, batches = 1;  ///< of the first call, as in SiteProduct
  double calls = 1;                               ///< in a step
  formats::Format before;
  formats::Format after;
  friend bool operator==(const SavingsProduct&, const SavingsProduct&) = default;
};

/// What another policy would save in a step, measured in forwards on a copy of the next batch. The training is
/// unchanged.
struct Savings {
  int policy_revision = 0;  ///< in force
  std::int64_t step = 0;    ///< the next one
  std::vector<int> sites;   ///< op calls that the other policy treats differently, ascending
  SavingsSide before;
  SavingsSide after;
  std::vector<SavingsProduct> products;    ///< of those op calls
  std::vector<TrialEstimate> estimates{};  ///< of these products and of the casts; empty: a format has no quoted peak
  friend bool operator==(const Savings&, const Savings&) = default;
};

}  // namespace binade::wire
