// SPDX-License-Identifier: Apache-2.0
#pragma once

// LibTorch contains Gloo, but its package lacks Gloo's headers, which ProcessGroupGloo.hpp includes. The files in this
// folder declare the names that it uses. Gloo's own functions are called by LibTorch's library only.

namespace gloo::transport {
class Device;
class UnboundBuffer;
}  // namespace gloo::transport
