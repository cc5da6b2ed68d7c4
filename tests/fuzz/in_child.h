// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace binade::fuzz {

/// Limits of reading one file.
constexpr int kMostSeconds = 10;   ///< of processor time, so that a busy machine is no fault
constexpr int kMostWaiting = 120;  ///< seconds of real time, for a reader that waits for something

struct Counts {
  std::uint32_t accepted = 0;
  std::uint32_t refused = 0;
};

/// The check that failed.
struct Failed {
  std::uint32_t number = 0;
  std::string why;
};

/// Runs check(number) for each number from `first` to below `end`, in a forked process, so that a crash or a hang ends
/// that process only. `check` returns whether the file was accepted, and throws for a fault. Returns the first failure.
/// Adds to `counts`. A process that grows beyond 2 GiB fails too (not under the sanitizers, whose own data is large).
std::optional<Failed> in_child(const std::function<bool(std::uint32_t)>& check, std::uint32_t first, std::uint32_t end,
                               Counts& counts);

}  // namespace binade::fuzz
