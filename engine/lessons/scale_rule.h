// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::lessons {

/// State and settings of a dynamic loss scaler. The presets are PyTorch's.
struct DynamicScale {
  double scale = 65536;
  double growth = 2;
  double backoff = 0.5;
  int interval = 2000;
  int tracker = 0;  ///< clean steps in a row since the last change
};

/// The state after one step, by the rule of torch.amp.GradScaler.update(): an overflow multiplies the scale by
/// `backoff` and restarts the count; `interval` clean steps in a row multiply it by `growth`, unless that overflows
/// float32. The scale is a float32.
DynamicScale after_step(DynamicScale state, bool overflowed);

}  // namespace binade::lessons
