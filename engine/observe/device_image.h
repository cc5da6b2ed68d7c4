// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace binade::observe {

/// The fat binary of device_kernel.cu; empty where this program was built without NVIDIA's compiler.
std::span<const unsigned char> device_image();

}  // namespace binade::observe
