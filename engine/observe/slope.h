// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/cause.h"

namespace binade::observe {

/// Why the backward of a call, of whose gradients `cause` says that they went wrong, has no finite one for the values
/// of its forward; of no known kind where these do not show it.
Why why_of_slope(const Trace& trace, const Cause& cause);

}  // namespace binade::observe
