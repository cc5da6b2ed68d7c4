// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/host/process/own_process.h"
#include "engine/host/verify/verify.h"

#include <string>
#include <vector>

namespace binade::host {

/// Returns a sentence on how LibTorch's optimising executor differs from the reference, or an empty string if its first
/// calls agree to the bit. Runs forward and backward as verify() does, without Binade's graph. The executor can crash:
/// call this in a process that may end.
std::string check_executor(const VerifyOptions& options);

/// Runs check_executor() in a child process: this program with `arguments`, which must print the sentence alone. A
/// crash of the child is returned as a sentence too.
std::string check_executor_apart(const std::vector<std::string>& arguments);

/// The sentence of such a process.
std::string executor_report(const OwnProcess& process);

}  // namespace binade::host
