// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace binade::wire {

/// Walks over one CBOR value without building anything and holds it to the limits of frame.h, so that the recursive,
/// allocating parser behind it cannot be led to exhaust the stack or memory. Takes what our own encoder writes:
/// definite lengths, text keys, no tags. Throws Error{kUsage} with the position of what is wrong.
void check_cbor(std::string_view bytes);

}  // namespace binade::wire
