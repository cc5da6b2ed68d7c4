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
  bool stepped = true;     ///< false: the optimizer's step was skipped
  bool found_inf = false;  ///< a gradient held an infinity or a NaN
  /// The optimizer scales itself and decided on the device. `stepped` is then true unless `beside` was passed, and
  /// found_inf is set only if `beside` was passed. GradScaler::found_inf() has the device's answer.
  bool on_device = false;
  std::vector<OverflowedGroup> overflowed;  ///< after a skip: the groups and parameters with non-finite gradients
  at::Tensor returned;                      ///< return value of the optimizer's step
  std::vector<double> beside;               ///< values of the `beside` tensors, see GradScaler::step
};

/// Containers that GradScaler::scale accepts: ranges and tuples of tensors, IValues or such containers.
template <class T>
concept Outputs = !std::same_as<T, at::Tensor> && !std::same_as<T, c10::IValue> &&
                  (std::ranges::range<T> || requires { std::tuple_size<T>::value; });

/// torch.amp.GradScaler for C++. Multiplies the loss so that small gradients do not underflow in a narrow format, and
/// skips the optimizer's step if a gradient overflowed. Uses LibTorch's own fused kernels. Results, stages and error
/// messages match PyTorch 2.11 bit for bit.
///
///     scaler.scale(loss).backward();
///     scaler.unscale_(optimizer);   // optional: only to inspect or clip the gradients
///     scaler.step(optimizer);
///     scaler.update();
///
/// A wrong order of calls throws c10::Error, float16 gradients throw c10::ValueError. Not thread-safe. Optimizers are
/// identified by address: an optimizer must outlive the update() that follows its step().
class GradScaler {
 public:
  /// String keys and number values, like PyTorch's state_dict(). Python can read it after torch::pickle_save.
  using StateDict = c10::impl::GenericDict;
  using LossClosure = std::function<at::Tensor()>;
  using Listener = std::function<void(const ScaleChange&)>;

  /// Throws c10::Error if a factor or limit is out of range. A disabled scaler checks nothing.
  explicit GradScaler(const Options& options = {});

  GradScaler(GradScaler&&) noexcept = default;
  GradScaler& operator=(GradScaler&&) noexcept = default;
  GradScaler(const GradScaler&) = delete;
  GradScaler& operator=(const GradScaler&) = delete;

  /// Returns a scaler with the same settings, scale and growth tracker, which shares no tensor with this one and has no
  /// listener; PyTorch's deep copy does the same. Throws c10::Error between an iteration's first unscale_() or step()
  /// and its update().
  GradScaler copy() const;

  /// Returns `outputs` times the scale. The first scaled tensor determines the device of the scale. Dtypes promote as
  /// in a product with a 0-dim float32: a 0-dim half loss becomes float32, one with dimensions stays half.
  at::Tensor scale(const at::Tensor& outputs);
  /// Scales a tensor, or nested lists, tuples and dicts of tensors. The result has the same types. Throws
  /// c10::ValueError for any other type in them.
  c10::IValue scale(const c10::IValue& outputs);
  /// Scales nested vectors, arrays, lists, pairs, tuples and values of maps.
  template <Outputs T>
  T scale(const T& outputs) {
    Copies copies;
    return options_.enabled ? scale_each(outputs, copies) : outputs;
  }

  /// Divides the gradients of `optimizer` by the scale, in place, and records whether one is not finite. Does not
  /// synchronise with the host. May be called once per optimizer between updates.
  void unscale_(torch::optim::Optimizer& optimizer);

  /// Calls `optimizer.step()` unless a gradient is not finite. Unscales first if unscale_() was not called.
  /// Synchronises with the device once, and once more after a skip, to find the parameters that overflowed. `beside`
  /// (one-element tensors on the gradients' device) is copied to the host in the first transfer. An optimizer that
  /// derives from ScalesItself is always stepped; it synchronises only if `beside` is not empty.
  StepResult step(torch::optim::Optimizer& optimizer, const std::vector<at::Tensor>& beside = {});
  /// Throws c10::Error if a closure is passed to an enabled scaler, since it would run backward again. With
  /// Behaviour::kPytorch211 the closure is passed on, as PyTorch does with a positional one.
  StepResult step(torch::optim::Optimizer& optimizer, LossClosure closure);

  /// Checks the gradients of `optimizer`, including float16 ones, without changing them. Returns one found_inf per
  /// device, which update() takes into account.
  std::vector<at::Tensor> check_inf(torch::optim::Optimizer& optimizer);

  /// Reduces the scale if any optimizer found a non-finite gradient, else counts towards growth. Ends the iteration for
  /// all optimizers. Throws c10::Error if no gradients were checked since the last update().
  void update();
  /// Ends the iteration and sets the scale to `new_scale`. The growth tracker is unchanged.
  void update(const at::Scalar& new_scale);
  /// As above, from a one-element tensor that requires no gradient. Its value is copied.
  void update(const at::Tensor& new_scale);

  /// Sets the scale at any time, even before the first scale(). Growth tracker and stages are unchanged.
  void set_scale(double scale);

  bool is_enabled() const { return options_.enabled; }
  const Options& options() const { return options_; }
  /// Returns the current scale, or 1 for a disabled scaler. Synchronises with the device.
  double get_scale() const;
  /// Returns the number of clean updates since the last growth or overflow. Synchronises with the device.
  std::int64_t get_growth_tracker() const;
  double get_growth_factor() const { return options_.growth_factor; }
  double get_backoff_factor() const { return options_.backoff_factor; }
  std::int64_t get_growth_interval() const { return options_.growth_interval; }
  void set_growth_factor(double factor);
  void set_backoff_factor(double factor);
  void set_growth_interval(std::int64_t interval);
  template <std::floating_point T>
  void set_growth_interval(T) = delete;  // must be an integer
  /// Sets the limits of the scale, the hysteresis and whether the scale is dynamic, from the next update() on. Throws
  /// c10::Error for limits that contradict each other.
  void set_limits(double minimum, double maximum, std::int64_t hysteresis, bool dynamic);

  /// Sets the function that is called for every change of the scale, within the call that changed it. With a listener,
  /// update() synchronises with the device after optimizers that scale themselves, unless `beside` was read. Empty:
  /// removes it.
  void on_change(Listener listener) { listener_ = std::move(listener); }

  /// Returns nullopt for a disabled scaler (PyTorch: an empty dict).
  std::optional<State> state() const;
  /// Does nothing for a disabled scaler. Throws c10::Error for nullopt, the state of a disabled scaler.
  void load_state(const std::optional<State>& state);
  /// The state in PyTorch's own form. Loading throws c10::Error for a missing entry and ignores unknown ones.
  StateDict state_dict() const;
  void load_state_dict(const StateDict& state);

  /// Returns the state without synchronising, derived from the checks that the host has read. nullopt if an optimizer
  /// decided on the device.
  const std::optional<State>& known_state() const { return known_; }

  /// The scale as a 0-dim float32. All updates are in place, so captured graphs and fused optimizers may keep it. Must
  /// not be written to. Undefined before the first scale().
  const at::Tensor& scale_tensor() const { return scale_; }
  const at::Tensor& growth_tracker_tensor() const { return growth_tracker_; }
  /// Creates scale and growth tracker on `device` before the first scale(), as needed for graph capture.
  void make_tensors(c10::Device device);

  /// Returns the stage of `optimizer`, or nullopt if it was not used since the last update().
  std::optional<Stage> stage(const torch::optim::Optimizer& optimizer) const;
  /// Returns one 0-dim float32 per device that holds gradients of `optimizer`; non-zero if a gradient is not finite.
  std::vector<at::Tensor> found_inf(const torch::optim::Optimizer& optimizer) const;

 private:
  struct PerOptimizer {
    Stage stage = Stage::kReady;
    std::vector<std::pair<c10::Device, at::Tensor>> found_inf;
    std::optional<bool> known;  ///< found_inf as read by the host
  };
  /// Copies of the scale on each device that one call of scale() needs.
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
  void notify(double from, Cause cause);
  double scale_for_listener() const;

  Options options_;
  std::int64_t init_growth_tracker_ = 0;
  std::int64_t init_overflows_ = 0;
  at::Tensor scale_;               ///< 0-dim float32
  at::Tensor growth_tracker_;      ///< 0-dim int32
  at::Tensor overflows_;           ///< 0-dim float32: overflows in a row, for the hysteresis
  bool tracker_may_pass_ = false;  ///< the growth interval was set, so the tracker may exceed it
  std::optional<State> known_;     ///< host copy of the device state
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
