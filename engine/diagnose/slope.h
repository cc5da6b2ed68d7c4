// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/cause.h"

namespace binade::diagnose {

/// Returns why the backward of a call has no finite gradient for its forward values, where `cause` is a fault of that
/// backward. Unknown if the values do not show it.
InvalidOperation find_invalid_backward(const Trace& trace, const Cause& cause);

}  // namespace binade::diagnose
