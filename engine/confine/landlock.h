// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"

namespace binade::confine {

/// The version of Landlock's interface that the kernel offers; 0: none.
int landlock_version();

/// Limits this thread, and threads and processes that it starts later, to the files of `access`, the program's
/// libraries and what the C library needs. Folders and files that are open already stay usable. Nothing can lift this.
/// Call it while the process has one thread. Throws Error{kInternal} if the kernel refuses.
void limit_files(const Access& access);

}  // namespace binade::confine
