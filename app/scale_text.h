// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <string>

namespace binade::app {

/// `2¹⁹ (524,288)`, or the number alone where it is no power of two or has no whole value to add.
QString scaleWithValue(double scale);

/// Reads `2^17`, `2**17`, `2¹⁷`, `131072`, `131,072` or `1.5e5`: a positive, finite scale. Nothing for anything else.
std::optional<double> parseScale(const QString& text);

/// A sentence with every `2^24` in it as `2²⁴`.
QString withRaisedPowers(const QString& text);

/// A sentence of the engine with numbers as the window writes them: `2²⁴`, `step 1,051`.
QString sentenceText(const std::string& sentence);

/// `9.6 MB`.
QString sizeText(std::int64_t bytes);

}  // namespace binade::app
