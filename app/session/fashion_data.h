// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace binade::app {

/// Mean and deviation of the pixels in Fashion-MNIST's training set, for pixels in 0..1.
inline constexpr double kFashionMean = 0.2860;
inline constexpr double kFashionDeviation = 0.3530;

/// Folder of Debian's package dataset-fashion-mnist, or else of the data that a self-contained package brings; empty if
/// there is neither.
std::string fashionFolder();

}  // namespace binade::app
