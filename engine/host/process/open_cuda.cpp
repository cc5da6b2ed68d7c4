// SPDX-License-Identifier: Apache-2.0
#include "engine/host/process/open_cuda.h"

#include <dlfcn.h>

namespace binade::host {

std::string open_cuda() {
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr) return "no NVIDIA driver is installed";
  // RTLD_GLOBAL, so that its registrations reach LibTorch's registries. Never closed.
  if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr) return {};
  const char* reason = dlerror();
  return std::string("LibTorch's CUDA library cannot be loaded: ") + (reason != nullptr ? reason : "unknown reason");
}

}  // namespace binade::host
