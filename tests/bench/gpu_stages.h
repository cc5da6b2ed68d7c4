// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/monitor.h"
#include "tests/bench/gpu_states.h"

#include <functional>
#include <string>

namespace binade::bench::gpu {

// The measurements of gpu_states.h, one function each. Figures go to standard output, files to machine.folder. They
// throw where the device or CUPTI refuses what was there a moment ago.
void together(const Machine& machine);
void order(const Machine& machine);
void agree(const Machine& machine);
void overhead(const Machine& machine);
void intervals(const Machine& machine);
void sites(const Machine& machine);
void libtorch(const Machine& machine);
void gpm(const Machine& machine);
void record(const Machine& machine);
void autocast(const Machine& machine);
void observe(const Machine& machine);

/// One training step of `sample` for ncu to look at: the same as `sites` has recorded.
void step_for_ncu(const std::string& sample);

/// Throws Error with the state's words unless `status` is one in which figures come.
void need(const profiler::Status& status);

/// Makes one case of a measurement. One that throws is a line with the state `failed`, and the others are made still.
void attempt(const char* bench, const std::string& what, const std::function<void()>& make);

}  // namespace binade::bench::gpu
