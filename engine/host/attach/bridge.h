// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::host {

/// Copies bytes between a socket and two other descriptors until the socket's other end closes, or nobody reads
/// `output`. The end of `input` ends what is sent and nothing else: what the socket still says is passed on. All three
/// become non-blocking; the caller keeps them. SIGPIPE must be ignored.
void bridge(int socket, int input, int output);

}  // namespace binade::host
