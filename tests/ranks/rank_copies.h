// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/ranks/group.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace binade::test {

/// After which a rank is missing, unless a test says otherwise: long for a busy computer.
inline constexpr std::chrono::seconds kTimeout{60};

/// Runs `body` in copies of this process, each a rank of one group, and returns what each gave, by rank, or `error: `
/// and the message of what it threw. With a single rank there is no group. The copies start before this process has
/// used autograd, which does not survive a copy: call nothing of LibTorch outside of `body`.
using Body = std::function<std::string(ranks::Group* group)>;
std::vector<std::string> onRanks(int count, const Body& body, std::chrono::milliseconds timeout = kTimeout);

/// The same without a group: `body` gets the rank and the port of a store that it may host.
std::vector<std::string> inCopies(int count, const std::function<std::string(int rank, int port)>& body);

}  // namespace binade::test
