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
  std::optional<double> static_scale = {};  ///< nothing: dynamic
  std::optional<double> min_scale = {};     ///< floor of the back-off; nothing or 0: none
  double max_scale = 16777216;              ///< ceiling of the growth and of the first scale
};

/// Apex's loss scaler: dynamic from 65,536, halved at an overflow, doubled after 2,000 clean updates in a row; or
/// static, which never skips. It counts updates (backward passes), not iterations. One thread at a time.
class ApexScaler {
 public:
  /// What apex.amp saves of a scaler.
  struct State {
    double loss_scale = 0;
    std::int64_t unskipped = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  explicit ApexScaler(const ApexScalerOptions& options = {});

  double loss_scale() const { return state_.loss_scale; }
  std::int64_t unskipped() const { return state_.unskipped; }
  bool is_dynamic() const { return !options_.static_scale; }

  /// Begins a backward pass: no overflow seen yet.
  void clear_overflow() { found_inf_.clear(); }
  /// Writes `from[i] / scale` to `to[i]`, in float32 and rounded once to the dtype of `to`; notes whether a value of
  /// `from` is not finite. The two may be the same tensors. Waits for no device.
  void unscale(std::span<const at::Tensor> from, std::span<const at::Tensor> to);
  /// Writes `from[i] / scale + stash[i]` to `to[i]`. Only `from` is looked at: a bad value in a gradient of an earlier
  /// pass is not this scaler's fault.
  void unscale_onto(std::span<const at::Tensor> from, std::span<const at::Tensor> stash,
                    std::span<const at::Tensor> to);
  /// Ends a backward pass: backs off or counts. True where the optimizers have to skip. Waits for the device once.
  bool update();

  State state() const { return state_; }
  void load_state(const State& state) { state_ = state; }

 private:
  void note(const at::Tensor& values);

  ApexScalerOptions options_;
  State state_;
  std::vector<std::pair<c10::Device, at::Tensor>> found_inf_;  ///< a 0-dim bool for each device
};

}  // namespace binade::scaler
