// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/scaler/grad_scaler.h"
#include "engine/scaler/scale_watch.h"
#include "engine/wire/run_config.h"

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace binade::train {

/// The scalers of a run, one for each id, and the gradients of the losses that each scales: gradients under different
/// scales must not meet before they are unscaled. With one scaler nothing is set aside. One thread.
class Scalers {
 public:
  explicit Scalers(const std::vector<wire::ScalerConfig>& configs);

  std::size_t size() const { return all_.size(); }
  /// Of this id; the first where it is empty.
  std::size_t index_of(const std::string& id) const;
  const std::string& id(std::size_t i) const { return all_[i].config.id; }
  scaler::GradScaler& operator[](std::size_t i) { return all_[i].scaler; }
  const wire::ScalerConfig& config(std::size_t i) const { return all_[i].config; }
  bool enabled(std::size_t i) const { return all_[i].config.enabled; }
  bool any_enabled() const;

  /// What the device holds, known without asking it; scale 1 where disabled.
  const scaler::State& state(std::size_t i) const { return all_[i].state; }
  double scale(std::size_t i) const { return all_[i].state.scale; }

  /// Why scaler `i` cannot back off from the scale it has, for a sentence that begins "it is"; empty: it can.
  std::string held_by(std::size_t i) const;

  void set_scale(std::size_t i, double scale);
  /// Everything but the scale, from the next update on.
  void tune(const wire::ScalerConfig& config);
  void load(std::size_t i, const scaler::State& state);

  /// Begins a step: no gradient is kept of the one before.
  void begin(const std::vector<at::Tensor>& parameters);
  /// Runs backward from `loss`, scaled by scaler `i`; its gradients add up to those of the same scaler.
  void backward(std::size_t i, const at::Tensor& loss, bool keep_graph);
  /// Unscales the gradients of every scaler and adds them up: parameters have their true gradients, of the step as a
  /// whole. One 0-dim tensor for each scaler and device: not 0 where one was not finite.
  std::vector<at::Tensor> unscale(torch::optim::Optimizer& optimizer);
  /// After the step, or after it was left out: `found_inf` for each scaler.
  void update(const std::vector<bool>& found_inf);
  /// Drops gradients and checks of a step that ended half-way.
  void abandon();

  /// What the watch over scaler `i` says of a step.
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
