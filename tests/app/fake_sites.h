// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::test {

// The ids of op calls of FakeRun's made-up network.
inline constexpr int kConv1 = 0;
inline constexpr int kBn1 = 1;
inline constexpr int kDropout = 8;
inline constexpr int kFc1 = 10;
inline constexpr int kFc2 = 11;
inline constexpr int kLoss = 12;

}  // namespace binade::test
