// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::graph {

/// Puts a check of the arguments before those ops of LibTorch's that believe them and would end the process: integers
/// that are divided by 0, or whose result does not fit, numbers that are no dtype, layout or memory format, and what
/// argument_checks.h says of single ops.
/// Whatever runs such an op (a flat graph, a call that cannot be flattened, Module::forward, the folding of constants
/// while a model is read) throws instead: Error{kBadModel} with the op and its line, or, where the
/// op does not know its line, a std::runtime_error that FlatGraph and Model turn into one. All else is LibTorch's own.
/// Called once, by prepare_torchscript().
void check_ops();

}  // namespace binade::graph
