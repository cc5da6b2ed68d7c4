// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/verify.h"

#include <string>
#include <vector>

namespace binade::host {

/// What LibTorch's optimising executor does with the model beside the reference, as a sentence; empty where its first
/// calls agree with it to the bit. Forward and backward, as verify() runs them; nothing of ours takes part.
/// It may end the process: call it in one that may end.
std::string check_executor(const VerifyOptions& options);

/// check_executor() in a process of its own: this program with `arguments`, which print the sentence and nothing else.
/// A process that ends badly is a sentence too.
std::string check_executor_apart(const std::vector<std::string>& arguments);

}  // namespace binade::host
