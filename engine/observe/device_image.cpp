// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/device_image.h"

#ifdef BINADE_CUDA_KERNELS
#include "engine/observe/device_image_bytes.h"  // generated: binade_measure_image
#endif

namespace binade::observe {

std::span<const unsigned char> device_image() {
#ifdef BINADE_CUDA_KERNELS
  return {reinterpret_cast<const unsigned char*>(binade_measure_image), sizeof binade_measure_image};
#else
  return {};
#endif
}

}  // namespace binade::observe
