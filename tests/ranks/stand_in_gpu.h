// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace binade::test {

/// Gives this process GPUs that compute on the CPU, and whose only stream beside the current one is that of the
/// stand-in for NCCL, with the few operations that a sum of ones needs. LibTorch's CUDA library must not be loaded.
void standInForGpus();

/// Loads the stand-in for NCCL as LibTorch's CUDA library loads NCCL. Needs standInForGpus() to sum.
void standInForNccl();

/// Sums that the stand-in has been given in this process.
std::uint64_t sumsByNccl();
/// Communicators that were aborted in this process.
int abortsOfNccl();

}  // namespace binade::test
