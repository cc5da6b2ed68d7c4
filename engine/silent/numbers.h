// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// Numbers as sentences have them.

namespace binade::silent {

/// `4.3 %`, `0.02 %`, `100 %`.
std::string percent(double share);
/// `1,048,576`.
std::string grouped(std::uint64_t count);
/// Four digits: `0.0134`, `65504`.
std::string figure(double value);

}  // namespace binade::silent
