// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::graph {

/// Registers argument checks in front of LibTorch's ops that would otherwise end the process: integer divisions by 0 or
/// with a result that does not fit, numbers that are not a dtype, layout or memory format, and the checks of
/// argument_checks.h. Every way to run such an op (a flat graph, an opaque call, Module::forward, constant folding
/// while a model is read) then throws instead: Error{kBadModel} with the op and its line, or a std::runtime_error if
/// the op does not know its line, which FlatGraph and Model convert. Called once, by prepare_torchscript().
void check_ops();

}  // namespace binade::graph
