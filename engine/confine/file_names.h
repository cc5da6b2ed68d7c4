// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace binade::confine {

/// Whether this is the ending `.PID-NUMBER.part` of an unfinished file of files::AtomicFile.
bool is_part_ending(std::string_view ending);

/// Whether this is the name of one of Binade's checkpoints, which other programs do not use: `step-N.safetensors`,
/// `edit-N-rM.safetensors` or `try-N-rM.safetensors`, also unfinished.
bool is_checkpoint_name(std::string_view name);

}  // namespace binade::confine
