// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::host {

/// Loads libtorch_cuda if an NVIDIA driver is installed. Must be called before anything asks LibTorch for CUDA, because
/// LibTorch caches that answer for good. Returns why CUDA is unavailable, or an empty string.
std::string open_cuda();

}  // namespace binade::host
