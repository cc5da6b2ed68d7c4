// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace binade::policy {

/// The candidate with the fewest edits from `text`, if they are at most a third of its length and at most four; one
/// edit is always allowed. Empty if no candidate is that near. Case is ignored.
std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> candidates);

/// `Did you mean "float16"? ` with the nearest candidate; empty if there is none.
std::string did_you_mean(std::string_view text, std::span<const std::string> candidates);

}  // namespace binade::policy
