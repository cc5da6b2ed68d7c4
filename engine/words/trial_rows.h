// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/trial.h"

#include <string>
#include <vector>

namespace binade::words {

/// One figure of a Try in its three trainings. Empty: not known.
struct TrialRow {
  std::string what;  ///< `skipped steps`
  std::string before;
  std::string after;
  std::string noise;  ///< of the policy before, with every parameter moved by one unit in the last place
};

/// The figures of a Try as a table: losses, times and sizes as means over its seeds, counts as sums, scales as a
/// range. The difference of the losses, by which the verdict goes, has a row of its own: its interval under `after`,
/// and under `noise` the size up to which it counts as equal. All rest on the steps and seeds that the verdict rests on
/// (trial_basis.h); `3 in 10` is a count in 10 steps, where the trainings made different numbers of them. A row that no
/// training knows is left out. Times of an emulated policy have the word `emulated`.
std::vector<TrialRow> trial_rows(const wire::Trial& trial);

}  // namespace binade::words
