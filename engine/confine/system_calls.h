// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/confine/access.h"

namespace binade::confine {

/// Whether the kernel filters system calls (seccomp), and this build has the filter for the processor.
bool can_limit_calls();

/// Refuses this process, for good, every system call that starts programs or processes, uses a network, observes or
/// signals other processes, changes permissions of files, or administers the machine. A refused call fails with EPERM;
/// the first of each kind is reported in one line on standard error. Takes SIGSYS. With `access.gpu` the process may
/// make a socket under a name of its own, as NVIDIA's driver does, but neither connect nor accept, and what the driver
/// tries in vain is not reported. Throws Error{kInternal} if the kernel refuses.
void limit_calls(const Access& access);

}  // namespace binade::confine
