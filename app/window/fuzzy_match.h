// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace binade::app {

/// How well a text fits what a person typed; the larger, the better. The letters must occur in the text in their order,
/// in either case; spaces in what was typed separate parts that may occur anywhere. Letters at the beginning of words
/// and letters in a row count more. nullopt: it does not fit. Every text fits an empty input, with 0.
std::optional<int> fuzzyScore(const QString& typed, const QString& text);

}  // namespace binade::app
