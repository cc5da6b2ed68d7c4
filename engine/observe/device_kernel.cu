// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/device_block.h"

namespace device = binade::observe::device;

namespace {

template <unsigned Formats>
__device__ void run(const device::Launch& launch) {
  __shared__ device::Shared shared;
  device::clear(shared, threadIdx.x);
  __syncthreads();
  device::look<Formats>(launch, blockIdx.x, shared, threadIdx.x);
  __syncthreads();
  device::hand_in(launch, blockIdx.x, shared, threadIdx.x);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(device::kThreads)
    binade_measure(const __grid_constant__ device::Launch launch) {
  run<1>(launch);
}

extern "C" __global__ void __launch_bounds__(device::kThreads)
    binade_measure_formats(const __grid_constant__ device::Launch launch) {
  run<device::kFormats>(launch);
}

extern "C" __global__ void __launch_bounds__(device::kThreads)
    binade_measure_fine(const __grid_constant__ device::Launch launch) {
  device::look_closely(launch, blockIdx.x, threadIdx.x);
}
