// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/diagnosis.h"

#include <string>

namespace binade::words {

/// What was tried: `scale 2^14`, `fc1/aten::linear#0 in float32 on the next batch`.
std::string change_of(const wire::Attempt& attempt);

/// What a search for a fix found, as a sentence; empty if there was none, or nothing that was tried helps.
std::string fix_of(const wire::Fix& fix);

}  // namespace binade::words
