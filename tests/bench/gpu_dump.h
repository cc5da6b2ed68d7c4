// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/cupti.h"

#include <memory>
#include <string>

namespace binade::bench::gpu {

/// `cupti` with an eye on it: the first activity buffer with kernels goes to `folder`/activity.bin, the names that its
/// records point to into activity-names.json by the offset of the record, and the first counter image with samples to
/// counter-image.bin. One at a time. What was passed where this build knows no CUPTI.
std::shared_ptr<const profiler::CuptiFunctions> dumping(std::shared_ptr<const profiler::CuptiFunctions> cupti,
                                                        const std::string& folder);

}  // namespace binade::bench::gpu
