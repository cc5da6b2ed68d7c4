// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::scaler {

/// PyTorch's own defaults.
struct Options {
  double init_scale = 65536;
  double growth_factor = 2;     ///< must be above 1
  double backoff_factor = 0.5;  ///< must be below 1
  std::int64_t growth_interval = 2000;
  bool enabled = true;
};

/// What `state_dict()` holds upstream, field by field.
struct State {
  double scale = 65536;
  double growth_factor = 2;
  double backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;
  std::int64_t growth_tracker = 0;
  friend bool operator==(const State&, const State&) = default;
};

/// Where an optimizer stands since the last update().
enum class Stage : std::uint8_t { kReady, kUnscaled, kStepped };

struct StepResult {
  bool stepped = true;         ///< false: the optimizer was skipped
  bool found_inf = false;      ///< a gradient held an infinity or a NaN
  std::vector<double> beside;  ///< the values that came home with found_inf, see GradScaler::step
};

/// torch.amp.GradScaler for C++: multiplies the loss so that small gradients do not become 0 in a narrow format, and
/// skips the optimizer where a gradient overflowed instead. Works on LibTorch's own fused kernels; its results, stages
/// and error texts are PyTorch 2.11's, bit for bit.
///
///     scaler.scale(loss).backward();
///     scaler.unscale_(optimizer);   // only to look at the gradients, or to clip them
///     scaler.step(optimizer);
///     scaler.update();
///
/// A wrong order of calls throws c10::Error, float16 gradients c10::ValueError. One thread at a time. Optimizers are
/// told apart by address: one must outlive the update() that follows its step().
class GradScaler {
 public:
  /// Throws c10::Error where a factor is out of range; a disabled scaler checks nothing.
  explicit GradScaler(const Options& options = {});

  GradScaler(GradScaler&&) noexcept = default;
  GradScaler& operator=(GradScaler&&) noexcept = default;
  GradScaler(const GradScaler&) = delete;
  GradScaler& operator=(const GradScaler&) = delete;

  /// A scaler with the same settings, scale and tracker that shares no tensor with this one: what a deep copy gives
  /// upstream. Throws c10::Error between the first unscale_() or step() of an iteration and its update().
  GradScaler copy() const;

  /// `outputs` times the scale. The first tensor ever scaled decides on which device the scale lives. Dtypes promote
  /// as in any product with a 0-dim float32: a 0-dim half loss becomes float32, one with dimensions stays half.
  at::Tensor scale(const at::Tensor& outputs);
  std::vector<at::Tensor> scale(const std::vector<at::Tensor>& outputs);

  /// Divides the gradients of `optimizer` by the scale, in place, and notes whether one is not finite. Reads nothing
  /// back to the host. At most once for an optimizer between updates.
  void unscale_(torch::optim::Optimizer& optimizer);

  /// Runs `optimizer.step()` unless a gradient is not finite; unscales first where that was not done. Waits for the
  /// device once. `beside` (one-element tensors on the device of the gradients) comes home in the same read.
  StepResult step(torch::optim::Optimizer& optimizer, const std::vector<at::Tensor>& beside = {});

  /// Backs the scale off where any optimizer found a non-finite gradient, else counts towards growth. Ends the
  /// iteration of all optimizers.
  void update();
  /// Ends the iteration with this scale instead; the growth tracker stays.
  void update(double new_scale);
  void update(const at::Tensor& new_scale);

  /// Sets the scale at any time, also before the first scale(); tracker and stages stay.
  void set_scale(double scale);

  bool is_enabled() const { return options_.enabled; }
  /// The present scale; 1 for a disabled scaler. Waits for the device.
  double get_scale() const;
  std::int64_t get_growth_tracker() const;
  double get_growth_factor() const { return options_.growth_factor; }
  double get_backoff_factor() const { return options_.backoff_factor; }
  std::int64_t get_growth_interval() const { return options_.growth_interval; }
  void set_growth_factor(double factor) { options_.growth_factor = factor; }
  void set_backoff_factor(double factor) { options_.backoff_factor = factor; }
  void set_growth_interval(std::int64_t interval) { options_.growth_interval = interval; }

  /// Nothing for a disabled scaler (upstream: an empty dict).
  std::optional<State> state() const;
  /// Ignored by a disabled scaler; c10::Error for the empty state of a disabled one.
  void load_state(const std::optional<State>& state);

  /// The 0-dim float32 that graphs and fused optimizers may hold on to: all updates are in place. Undefined before the
  /// first scale().
  const at::Tensor& scale_tensor() const { return scale_; }

  /// Where `optimizer` stands; nothing where it was not met since the last update().
  std::optional<Stage> stage(const torch::optim::Optimizer& optimizer) const;
  /// One 0-dim float32 for each device that holds gradients of `optimizer`; not 0 where one is not finite.
  std::vector<at::Tensor> found_inf(const torch::optim::Optimizer& optimizer) const;

 private:
  struct PerOptimizer {
    Stage stage = Stage::kReady;
    std::vector<std::pair<c10::Device, at::Tensor>> found_inf;
  };

  void make_tensors(c10::Device device);
  void require_scale(const char* method) const;
  void unscale_gradients(torch::optim::Optimizer& optimizer, PerOptimizer& entry) const;

  Options options_;
  std::int64_t init_growth_tracker_ = 0;
  at::Tensor scale_;           ///< 0-dim float32
  at::Tensor growth_tracker_;  ///< 0-dim int32
  std::unordered_map<const torch::optim::Optimizer*, PerOptimizer> optimizers_;
};

}  // namespace binade::scaler
