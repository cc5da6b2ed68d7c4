// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profiler/monitor.h"
#include "tests/bench/gpu_states.h"

#include <functional>
#include <string>

namespace binade::bench::gpu {

// The measurements of gpu_states.h, one function each. They print figures to standard output and write files to
// machine.folder. They throw if the device or CUPTI refuses what was available before.
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

/// Runs one training step of `sample` for ncu, the same step that `sites` records.
void step_for_ncu(const std::string& sample);

/// Throws Error with the sentence of `status` unless measuring works in that state.
void need(const profiler::Status& status);

/// Makes one case of a measurement. If it throws, prints a line with the state `failed`, so that the others still run.
void attempt(const char* bench, const std::string& what, const std::function<void()>& make);

}  // namespace binade::bench::gpu
