// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/words/event_text.h"

#include <string>

namespace binade::interchange {

/// Full name of an op call, as policies name it; its number if the run does not name it.
std::string op_call_name(int site, const words::Names& names);

/// Unique name of a gradient: `fc1.weight` for a parameter's; `fc1/aten::linear#0 output` for one that arrives at a
/// result, `output 1` at a further one; `fc1/aten::linear#0 weight` for one that leaves for an argument.
std::string gradient_name(const wire::WatchedTensor& tensor, const words::Names& names);

}  // namespace binade::interchange
