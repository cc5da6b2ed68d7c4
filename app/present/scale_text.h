// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace binade::app {

/// `2¹⁹ (524,288)`, or the number alone if it is no power of two or has no integer value.
QString scaleWithValue(double scale);

/// Parses `2^17`, `2**17`, `2¹⁷`, `131072`, `131,072` or `1.5e5` as a positive, finite scale; else nullopt.
std::optional<double> parseScale(const QString& text);

}  // namespace binade::app
