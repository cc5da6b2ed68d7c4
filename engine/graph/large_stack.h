// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace binade::graph {

/// Runs `work` on a thread of its own with a gigabyte of stack, waits for it, and throws what it throws. TorchScript's
/// parser and compiler call themselves for each level of a model's code. Memory is taken as it is used.
void with_large_stack(const std::function<void()>& work);

}  // namespace binade::graph
