// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/gradients.h"
#include "engine/scaler/scaler_options.h"

#include <ATen/core/Dict.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::scaler {

struct StepResult {
  bool stepped = true;     ///< false: the optimizer was skipped
  bool found_inf = false;  ///< a gradient held an infinity or a NaN
  /// The optimizer scales itself and decided on the device: `stepped` says only that it was called, and found_inf is
  /// known only where `beside` was asked for. GradScaler::found_inf holds the answer.
  bool on_device = false;
  std::vector<OverflowedGroup> overflowed;  ///< after a skip: which groups, and which parameters of each
  at::Tensor returned;                      ///< what the optimizer's step returned
  std::vector<double> beside;               ///< the values that came home with found_inf, see GradScaler::step
};

/// Containers that GradScaler::scale takes: of tensors, IValues or such containers.
template <class T>
concept Outputs = !std::same_as<T, at::Tensor> && !std::same_as<T, c10::IValue> &&
                  (std::ranges::range<T> || requires { std::tuple_size<T>::value; });

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
  /// Text to number: what PyTorch's state_dict() is. Python reads it after torch::pickle_save.
  using StateDict = c10::impl::GenericDict;
  using LossClosure = std::function<at::Tensor()>;
  using Listener = std::function<void(const ScaleChange&)>;

  /// Throws c10::Error where a factor is out of range; a disabled scaler checks nothing.
  explicit GradScaler(const Options& options = {});

  GradScaler(GradScaler&&) noexcept = default;
  GradScaler& operator=(GradScaler&&) noexcept = default;
  GradScaler(const GradScaler&) = delete;
  GradScaler& operator=(const GradScaler&) = delete;

  /// A scaler with the same settings, scale and tracker that shares no tensor with this one, and no listener: what a
  /// deep copy gives upstream. Throws c10::Error between the first unscale_() or step() of an iteration and its
  /// update().
  GradScaler copy() const;

  /// `outputs` times the scale. The first tensor ever scaled decides on which device the scale lives. Dtypes promote
  /// as in any product with a 0-dim float32: a 0-dim half loss becomes float32, one with dimensions stays half.
  at::Tensor scale(const at::Tensor& outputs);
  /// A tensor, or lists, tuples and dicts of them, nested as they like; the result has the same types. Throws
  /// c10::ValueError where anything else is in them.
  c10::IValue scale(const c10::IValue& outputs);
  /// Vectors, arrays, lists, pairs, tuples and the values of maps, nested as they like.
  template <Outputs T>
  T scale(const T& outputs) {
    Copies copies;
    return options_.enabled ? scale_each(outputs, copies) : outputs;
  }

  /// Divides the gradients of `optimizer` by the scale, in place, and notes whether one is not finite. Reads nothing
  /// back to the host. At most once for an optimizer between updates.
  void unscale_(torch::optim::Optimizer& optimizer);

  /// Runs `optimizer.step()` unless a gradient is not finite; unscales first where that was not done. Waits for the
  /// device once, and after a skip once more, to say which parameters overflowed. `beside` (one-element tensors on the
  /// device of the gradients) comes home in the first read. An optimizer that ScalesItself is always stepped, without
  /// waiting.
  StepResult step(torch::optim::Optimizer& optimizer, const std::vector<at::Tensor>& beside = {});
  /// Closures cannot be combined with scaling, since they would run backward again: throws c10::Error unless the scaler
  /// is disabled. (Behaviour::kPytorch211 passes the closure on, as PyTorch does with a positional one.)
  StepResult step(torch::optim::Optimizer& optimizer, LossClosure closure);

  /// Checks the gradients of `optimizer`, float16 ones too, and changes none. update() counts the result.
  std::vector<at::Tensor> check_inf(torch::optim::Optimizer& optimizer);

  /// Backs the scale off where any optimizer found a non-finite gradient, else counts towards growth. Ends the
  /// iteration of all optimizers.
  void update();
  /// Ends the iteration with this scale instead; the growth tracker stays.
  void update(const at::Scalar& new_scale);
  /// The same from a tensor with one element and no gradient, which is copied.
  void update(const at::Tensor& new_scale);

  /// Sets the scale at any time, also before the first scale(); tracker and stages stay.
  void set_scale(double scale);

  bool is_enabled() const { return options_.enabled; }
  const Options& options() const { return options_; }
  /// The present scale; 1 for a disabled scaler. Waits for the device.
  double get_scale() const;
  /// Clean updates since the scale last changed. Waits for the device.
  std::int64_t get_growth_tracker() const;
  double get_growth_factor() const { return options_.growth_factor; }
  double get_backoff_factor() const { return options_.backoff_factor; }
  std::int64_t get_growth_interval() const { return options_.growth_interval; }
  void set_growth_factor(double factor);
  void set_backoff_factor(double factor);
  void set_growth_interval(std::int64_t interval);
  template <std::floating_point T>
  void set_growth_interval(T) = delete;  // a count
  /// Floor, ceiling, hysteresis and static scale, from the next update() on. Throws c10::Error for limits that exclude
  /// each other.
  void set_limits(double minimum, double maximum, std::int64_t hysteresis, bool dynamic);

  /// Called with every change of the scale, from the call that made it. update() then waits for the device where only
  /// the device knows the new scale: after optimizers that scale themselves. Empty: none.
  void on_change(Listener listener) { listener_ = std::move(listener); }

  /// Nothing for a disabled scaler (upstream: an empty dict).
  std::optional<State> state() const;
  /// Ignored by a disabled scaler; c10::Error for the empty state of a disabled one.
  void load_state(const std::optional<State>& state);
  /// The same in PyTorch's own form. Loading throws c10::Error where an entry is missing and ignores those it does not
  /// know.
  StateDict state_dict() const;
  void load_state_dict(const StateDict& state);

  /// The state without waiting for the device: what the host can tell from the checks it has read. Nothing where an
  /// optimizer decided on the device.
  const std::optional<State>& known_state() const { return known_; }

  /// The 0-dim float32 that graphs and fused optimizers may hold on to: all updates are in place. To be read only.
  /// Undefined before the first scale().
  const at::Tensor& scale_tensor() const { return scale_; }
  const at::Tensor& growth_tracker_tensor() const { return growth_tracker_; }
  /// Makes both tensors on `device` before the first scale(), for those who capture a graph.
  void make_tensors(c10::Device device);

  /// Where `optimizer` stands; nothing where it was not met since the last update().
  std::optional<Stage> stage(const torch::optim::Optimizer& optimizer) const;
  /// One 0-dim float32 for each device that holds gradients of `optimizer`; not 0 where one is not finite.
  std::vector<at::Tensor> found_inf(const torch::optim::Optimizer& optimizer) const;

 private:
  struct PerOptimizer {
    Stage stage = Stage::kReady;
    std::vector<std::pair<c10::Device, at::Tensor>> found_inf;
    std::optional<bool> known;  ///< what the host has read of found_inf
  };
  /// The scale on each device that one call of scale() meets, copied once.
  using Copies = std::vector<std::pair<c10::Device, at::Tensor>>;

  template <class T>
  T scale_each(const T& outputs, Copies& copies);
  at::Tensor scale_tensor(const at::Tensor& output, Copies& copies);
  c10::IValue scale_value(const c10::IValue& outputs, Copies& copies);

  bool fixed() const { return options_.behaviour == Behaviour::kFixed; }
  void require_scale(const char* method) const;
  bool must_look_again() const;
  StepResult step_itself(torch::optim::Optimizer& optimizer, class ScalesItself& itself, PerOptimizer& entry,
                         const LossClosure& closure, const std::vector<at::Tensor>& beside);
  StepResult step_any(torch::optim::Optimizer& optimizer, const LossClosure& closure,
                      const std::vector<at::Tensor>& beside);
  void apply_rule(const at::Tensor& found_inf);
  void end_iteration(const at::Tensor& new_scale);
  void tell(double from, Cause cause);
  double scale_for_listener() const;

  Options options_;
  std::int64_t init_growth_tracker_ = 0;
  std::int64_t init_overflows_ = 0;
  at::Tensor scale_;               ///< 0-dim float32
  at::Tensor growth_tracker_;      ///< 0-dim int32
  at::Tensor overflows_;           ///< 0-dim float32: overflows in a row, for the hysteresis
  bool tracker_may_pass_ = false;  ///< the interval or the tracker was set, the one below the other maybe
  std::optional<State> known_;     ///< a mirror of the tensors
  std::unordered_map<const torch::optim::Optimizer*, PerOptimizer> optimizers_;
  Listener listener_;
};

template <class T>
T GradScaler::scale_each(const T& outputs, Copies& copies) {
  if constexpr (std::same_as<T, at::Tensor>) {
    return scale_tensor(outputs, copies);
  } else if constexpr (std::same_as<T, c10::IValue>) {
    return scale_value(outputs, copies);
  } else {
    static_assert(Outputs<T>, "outputs must be a Tensor or an iterable of Tensors");
    T scaled = outputs;
    if constexpr (requires { typename T::mapped_type; }) {
      for (auto& [key, output] : scaled) output = scale_each(output, copies);
    } else if constexpr (std::ranges::range<T>) {
      for (auto& output : scaled) output = scale_each(output, copies);
    } else {
      std::apply([&](auto&... output) { ((output = scale_each(output, copies)), ...); }, scaled);
    }
    return scaled;
  }
}

}  // namespace binade::scaler
