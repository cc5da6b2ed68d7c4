// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace binade::observe {

/// Returns the fat binary of device_kernel.cu; empty if this program was built without nvcc.
std::span<const unsigned char> device_image();

}  // namespace binade::observe
