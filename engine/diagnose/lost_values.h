// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"

namespace binade::diagnose {

/// Finds where the zeros come from that an invalid operation received. Walks back from `invalid`, a root of
/// find_causes(), to the calls in which non-zero values underflowed to 0. `path` leads from the first of them to the
/// operation. The trace must have been made with look_for_lost(). Empty if the zeros are true ones.
struct LostValues {
  std::vector<Cause> causes;
  std::vector<CauseLink> path;
};
LostValues find_lost(const Trace& trace, const Cause& invalid);

}  // namespace binade::diagnose
