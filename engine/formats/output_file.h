// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade {

/// Throws Error{kUsage} if there is anything of this name, also a symbolic link that leads nowhere: writing would
/// replace it. `option` is the argument that named it, such as `--out`; empty if none did.
void refuse_existing(const std::string& file, const std::string& option = {});

}  // namespace binade
