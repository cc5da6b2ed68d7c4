// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/cupti.h"

#include <memory>
#include <string>

namespace binade::bench::gpu {

/// Wraps `cupti` so that raw data is written to `folder`:
/// - activity.bin: the first activity buffer with kernels
/// - activity-names.json: the names its records point to, by offset of the record
/// - counter-image.bin: the first counter image with samples
/// One wrapper at a time. Returns `cupti` itself in a build without CUPTI.
std::shared_ptr<const profiler::CuptiFunctions> dumping(std::shared_ptr<const profiler::CuptiFunctions> cupti,
                                                        const std::string& folder);

}  // namespace binade::bench::gpu
