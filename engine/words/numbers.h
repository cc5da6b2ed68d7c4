// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// Numbers in the form used in sentences.

namespace binade::words {

/// A share as a percentage: `4.3 %`, `0.02 %`, `100 %`.
std::string percent(double share);
/// A count with thousands separators: `1,048,576`.
std::string grouped(std::uint64_t count);
/// Four significant digits: `0.0134`, `6.55e+04`.
std::string figure(double value);

}  // namespace binade::words
