// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::host {

/// Answers an explorer on standard input and output until the input ends; returns the exit code. The pipe moves to
/// private descriptors first, and standard output becomes standard error: what a model prints never reaches the wire.
/// SIGINT is ignored: a Ctrl-C in the explorer's terminal is the explorer's to deal with. Once the explorer has gone
/// the process ends within two seconds, whatever a model does: by _exit in the middle of a call that takes longer.
int serve();

/// The same on any two descriptors (the same one twice: a socket), which stay the caller's. SIGPIPE is ignored from
/// then on. At the end of input, or when the peer has gone, a run is stopped and its file closed, and this returns 0.
int serve(int input, int output);

}  // namespace binade::host
