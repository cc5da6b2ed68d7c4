// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace binade::graph {

/// Runs `work` on a separate thread with a stack of a gigabyte, waits for it, and rethrows its exception. TorchScript's
/// parser and compiler recurse for each level of a model's code. Stack memory is committed only as it is used.
void with_large_stack(const std::function<void()>& work);

}  // namespace binade::graph
