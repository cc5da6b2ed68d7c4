// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace binade::scaler {

struct ApexScalerOptions {
  std::optional<double> static_scale = {};  ///< fixed scale that never skips; nullopt: dynamic
  std::optional<double> min_scale = {};     ///< lower limit of back-off; nullopt or 0: none
  double max_scale = 16777216;              ///< upper limit of the initial scale and of growth
};

/// NVIDIA Apex's loss scaler. A dynamic one starts at 65,536, halves after an overflow and doubles after 2,000 clean
/// updates in a row. A static one never skips. It counts updates (backward passes), not iterations. Not thread-safe.
class ApexScaler {
 public:
  /// The state that apex.amp saves for each loss scaler.
  struct State {
    double loss_scale = 0;
    std::int64_t unskipped = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  explicit ApexScaler(const ApexScalerOptions& options = {});

  double loss_scale() const { return state_.loss_scale; }
  std::int64_t unskipped() const { return state_.unskipped; }
  bool is_dynamic() const { return !options_.static_scale; }

  /// Starts a backward pass: resets the overflow flags.
  void clear_overflow() { found_inf_.clear(); }
  /// Writes `from[i] / scale` to `to[i]`, computed in float32 and rounded once to the dtype of `to[i]`. Records whether
  /// `from` holds a non-finite value. `from[i]` and `to[i]` may be the same tensor. Does not synchronise with the
  /// device.
  void unscale(std::span<const at::Tensor> from, std::span<const at::Tensor> to);
  /// Writes `from[i] / scale + stash[i]` to `to[i]`. Only `from` is checked: a non-finite value in `stash` comes from
  /// an earlier backward pass.
  void unscale_onto(std::span<const at::Tensor> from, std::span<const at::Tensor> stash,
                    std::span<const at::Tensor> to);
  /// Ends a backward pass: reduces the scale or counts a clean update. Returns true if the optimizers have to skip.
  /// Synchronises once with each device that holds gradients.
  bool update();

  State state() const { return state_; }
  void load_state(const State& state) { state_ = state; }

 private:
  void note(const at::Tensor& values);

  ApexScalerOptions options_;
  State state_;
  std::vector<std::pair<c10::Device, at::Tensor>> found_inf_;  ///< one 0-dim bool per device
};

}  // namespace binade::scaler
