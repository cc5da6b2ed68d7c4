// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/grad_scaler.h"
#include "engine/scaler/scale_watch.h"
#include "engine/wire/run_config.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace binade::train {

/// The scalers of a run by id, and the gradients of each scaler's losses: gradients with different scales must not be
/// summed before they are unscaled. With one scaler, gradients are not set aside. Not thread-safe.
class Scalers {
 public:
  explicit Scalers(const std::vector<wire::ScalerConfig>& configs);

  std::size_t size() const { return all_.size(); }
  /// Returns the index of the scaler with this id, or the first if `id` is empty. Throws Error{kUsage} for an unknown
  /// id.
  std::size_t index_of(const std::string& id) const;
  const std::string& id(std::size_t i) const { return all_[i].config.id; }
  scaler::GradScaler& operator[](std::size_t i) { return all_[i].scaler; }
  const wire::ScalerConfig& config(std::size_t i) const { return all_[i].config; }
  bool enabled(std::size_t i) const { return all_[i].config.enabled; }
  bool any_enabled() const;

  /// The device's state, known without synchronising; scale 1 if disabled.
  const scaler::State& state(std::size_t i) const { return all_[i].state; }
  double scale(std::size_t i) const { return all_[i].state.scale; }

  /// Returns why scaler `i` cannot reduce its scale, as the rest of a sentence "it is ..."; empty: it can.
  std::string held_by(std::size_t i) const;

  void set_scale(std::size_t i, double scale);
  /// Changes all settings except the scale, from the next update on.
  void tune(const wire::ScalerConfig& config);
  void load(std::size_t i, const scaler::State& state);

  /// Starts a step without gradients of the previous one.
  void begin(const std::vector<at::Tensor>& parameters);
  /// Runs backward from `loss`, scaled by scaler `i`. Gradients are added to those of the same scaler.
  void backward(std::size_t i, const at::Tensor& loss, bool keep_graph);
  /// Calls `action` once for each scaler, while the parameters have its gradients, in their order.
  void with_gradients(const std::function<void()>& action);
  /// Unscales every scaler's gradients and sums them: parameters then have the true gradients of the step. Returns one
  /// 0-dim tensor per scaler, non-zero if a gradient was not finite; undefined if it has no gradients.
  std::vector<at::Tensor> unscale(torch::optim::Optimizer& optimizer);
  /// Call after the step, or after it was skipped, with one flag per scaler.
  void update(const std::vector<bool>& found_inf);
  /// Drops gradients and checks of a step that failed.
  void abandon();

  /// Passes a step to scaler `i`'s watch and returns its warning.
  std::optional<scaler::ScaleWarning> watch(std::size_t i, const scaler::WatchedStep& step);

 private:
  struct One {
    wire::ScalerConfig config;
    scaler::GradScaler scaler;
    scaler::State state;
    scaler::ScaleWatch watch;
    std::vector<at::Tensor> gradients;  ///< set aside, by parameter; empty with one scaler
    bool checked = false;               ///< in this step: its losses gave gradients
  };
  void swap_gradients(One& one);

  std::vector<One> all_;
  std::vector<at::Tensor> parameters_;
};

}  // namespace binade::train
