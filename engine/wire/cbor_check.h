// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace binade::wire {

/// Checks one CBOR value against the limits of frame.h without building anything. The recursive, allocating parser that
/// follows can then not exhaust stack or memory. Accepts what Binade's encoder writes: definite lengths, text keys, no
/// tags. Throws Error{kUsage} with the byte position.
void check_cbor(std::string_view bytes);

}  // namespace binade::wire
