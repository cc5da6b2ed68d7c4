// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"

namespace binade::diagnose {

/// Where the zeros come from that an invalid operation was given: walks back from `invalid`, a root of find_causes(),
/// to the calls in which values that are not 0 became 0 in their format, or became 1 where 1 - p made the zero. With
/// the calls from the first of them to the operation. The trace has looked for lost values. Nothing where the zeros are
/// true ones.
struct LostValues {
  std::vector<Cause> causes;
  std::vector<CauseLink> path;
};
LostValues find_lost(const Trace& trace, const Cause& invalid);

}  // namespace binade::diagnose
