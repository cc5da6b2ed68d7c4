// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace binade::policy {

/// The candidate that a person most likely meant by a misspelt `text`: fewest edits, at most a third of its length
/// and never more than four; nothing where none is that near. Case does not count.
std::optional<std::string> nearest_name(std::string_view text, std::span<const std::string> candidates);

/// "Did you mean `float16`? " for the nearest candidate, else empty.
std::string did_you_mean(std::string_view text, std::span<const std::string> candidates);

}  // namespace binade::policy
