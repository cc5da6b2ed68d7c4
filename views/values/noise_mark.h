// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::views {

/// A difference of two measurements, beside the band around 0 in which noise alone moves it.
struct NoiseMark {
  double difference = 0;  ///< may be NaN or infinite
  double low = 0;         ///< its confidence interval; equal to `difference`: none is known
  double high = 0;
  double noise = 0;  ///< half the width of the band; 0: the measurement is exact, or has none
  friend bool operator==(const NoiseMark&, const NoiseMark&) = default;
};

}  // namespace binade::views
