// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"

namespace binade::diagnose {

/// The origin of the zeros that made an operation invalid, such as a division by 0.
struct LostValues {
  std::vector<Cause> causes;    ///< calls whose format turned values that are not 0 into 0, or values near 1 into 1
                                ///< before 1 - p
  std::vector<CauseLink> path;  ///< from the first of them to the operation
};
/// Searches backwards from `invalid`, a root of find_causes(). The trace must have looked for lost values
/// (Trace::look_for_lost). Returns no causes if the zeros are exact.
LostValues find_lost(const Trace& trace, const Cause& invalid);

}  // namespace binade::diagnose
