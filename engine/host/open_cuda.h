// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::host {

/// Opens libtorch_cuda where an NVIDIA driver is installed. Must be the first act of main(): as soon as anything asks
/// LibTorch for CUDA, it caches the answer for ever. Returns why CUDA is not there, or nothing where it is.
std::string open_cuda();

}  // namespace binade::host
