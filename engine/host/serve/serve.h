// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::host {

enum class Confinement { kRequired, kIfPossible, kNone };

/// Serves an explorer on standard input and output until the input ends. Returns the exit code. The pipe moves to
/// private descriptors, and standard output becomes standard error, so that a model's prints never reach the pipe.
/// SIGINT is ignored: a Ctrl-C in the explorer's terminal is handled by the explorer. After the explorer has gone the
/// process ends within two seconds, if need be by _exit inside a long call. Throws Error{kUsage} on a terminal.
///
/// `confinement`: whether each model is opened in a confined copy of this process (see Front). kRequired throws
/// Error{kUnsafe} where the kernel cannot do all of it.
int serve(Confinement confinement);

/// Serves on any two descriptors, which the caller keeps; both may be one socket. SIGPIPE is ignored from then on. At
/// the end of input, or when the peer has closed, the run is stopped and its file closed. Returns 0.
int serve(int input, int output);

}  // namespace binade::host
