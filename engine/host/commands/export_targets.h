// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/commands/commands.h"
#include "engine/targets/target.h"

namespace binade::host {

// The two ways of `export MODEL`, one file each. Both refuse an existing output file before anything else.

/// A TorchScript file with the policy's casts, compared with the engine to the bit.
int export_torchscript(const ExportOptions& options);

/// The policy as text for another program, read back and compared op call by op call.
int export_text(const ExportOptions& options, const targets::Target& target);

/// The target that `option` (`--to`) names. Throws Error{kUsage} for an unknown name, with the nearest one and all.
const targets::Target& text_target(const std::string& name, const std::string& option);

}  // namespace binade::host
