// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace binade::formats {

/// What a character that has a meaning in HTML is written as: `&lt;`. Empty for all others.
std::string_view html_entity(char character);

/// A field of CSV after RFC 4180: in quotes if it contains commas, quotes or line ends.
std::string csv_field(std::string_view text);

}  // namespace binade::formats
