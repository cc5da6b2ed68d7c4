// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

// Numbers in the form used in sentences.

namespace binade::words {

/// A share as a percentage: `4.3 %`, `0.02 %`, `100 %`. Only all is 100 %, and only nothing is 0 %: `> 99 %`,
/// `< 0.001 %`.
std::string percent(double share);
/// A count with thousands separators: `1,048,576`.
std::string grouped(std::uint64_t count);
/// Four significant digits, and all digits before the point of a number below a million: `0.0134`, `65504`,
/// `3.403e+38`.
std::string figure(double value);
/// A duration in the unit that suits it: `1.25 s`, `12.5 ms`, `340 µs`, `52.74 ns`. NaN is `nan ns`.
std::string duration(double seconds);
/// A size in the decimal unit that suits it: `13.4 MB`, of 1,000,000 bytes. Everything that Binade prints or shows uses
/// these.
std::string bytes(double bytes);

}  // namespace binade::words
