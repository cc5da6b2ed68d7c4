// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"

#include <string>

namespace binade::words {

/// What requires a cast's format: `runs in float16: site rule fc*`. `op`: that of the line's site.
std::string cast_cause(const wire::CastLine& line, const std::string& op);

/// The edit that removes the cast: `fc2/aten::linear#0 in float32`. Empty if no edit of one op call does.
std::string cast_edit(const wire::CastLine& line);

}  // namespace binade::words
