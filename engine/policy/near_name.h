// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace binade::policy {

/// The candidate with the fewest edits from `text`, if they are at most a third of its length and at most four; one
/// edit is always allowed. Empty if no candidate is that near. Case is ignored.
std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> candidates);

/// Up to `most` candidates that are as near as nearest_name() wants them, the nearest first.
std::vector<std::string> nearest_names(std::string_view text, std::span<const std::string> candidates,
                                       std::size_t most);

/// `Did you mean "float16"? ` with the nearest candidate, or `Did you mean "float16" or "bfloat16"? ` with up to `most`
/// of them; empty if there is none.
std::string did_you_mean(std::string_view text, std::span<const std::string> candidates, std::size_t most = 1);

}  // namespace binade::policy
