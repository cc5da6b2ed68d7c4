// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::confine {

/// Whether the kernel filters system calls (seccomp), and this build has the filter for the processor.
bool can_limit_calls();

/// Refuses this process, for good, every system call that starts programs or processes, uses a network, observes or
/// signals other processes, changes permissions of files, or administers the machine. A refused call fails with EPERM;
/// the first of each kind is reported in one line on standard error. Takes SIGSYS. Throws Error{kInternal} if the
/// kernel refuses.
void limit_calls();

}  // namespace binade::confine
