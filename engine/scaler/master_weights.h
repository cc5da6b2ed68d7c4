// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace torch::optim {
class Optimizer;
class OptimizerParamGroup;
}  // namespace torch::optim

namespace binade::scaler {

/// float32 copies of an optimizer's float16 parameters. The optimizer steps the copies, so that updates below half a
/// unit of the float16 weight add up instead of being lost; the model computes with the rounded weights.
///
///     MasterWeights masters(optimizer);   // before the first step
///     loss.backward();                    // float16 gradients, on the model's parameters
///     masters.gradients_to_masters();
///     optimizer.step();                   // or GradScaler: the masters' gradients are float32, so it takes them
///     masters.masters_to_model();
///
/// The optimizer must outlive it. One thread at a time.
class MasterWeights {
 public:
  struct Pair {
    at::Tensor model;   ///< float16
    at::Tensor master;  ///< float32, a leaf, in the optimizer's groups in the place of `model`
  };

  /// Puts a master in the place of each float16 parameter that requires a gradient, with what the optimizer keeps of
  /// it already, and drops all gradients. Float parameters stay. Throws c10::TypeError for any other dtype.
  explicit MasterWeights(torch::optim::Optimizer& optimizer);
  /// The model's parameters stay float16; the masters stay in the optimizer.
  ~MasterWeights();
  MasterWeights(MasterWeights&&) noexcept = default;
  MasterWeights& operator=(MasterWeights&&) = delete;

  /// Adds to the group of each float16 parameter its master. Gradients that are there already are kept. Throws as
  /// above.
  void add_param_group(torch::optim::OptimizerParamGroup group);

  /// From now on each backward adds the model's gradients to the masters' by itself, in float32, and leaves none on the
  /// model: gradients_to_masters() is not needed.
  void follow_backward();

  /// While it lives, backward leaves gradients on the model's parameters all the same, and masters as they are: for
  /// backwards that no step follows. May be nested. The masters outlive it; null: nothing to pause.
  class Pause {
   public:
    explicit Pause(MasterWeights* masters);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    MasterWeights* masters_;
  };

  /// Copies each model gradient into its master's, as float32; one that is missing becomes missing.
  void gradients_to_masters();
  /// Rounds each master into its float16 parameter: after the optimizer's step.
  void masters_to_model();
  /// Sets each master to what its float16 parameter holds: after weights were loaded into the model.
  void model_to_masters();
  /// Drops the gradients of masters and model.
  void zero_grad();

  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Parameters that were float32 from the start (batch norms) and require a gradient.
  const std::vector<at::Tensor>& float32_parameters() const { return float32_; }

 private:
  at::Tensor adopt(const at::Tensor& parameter);
  static void hand_over_in_backward(const Pair& pair);
  static void leave_in_backward(const Pair& pair);

  torch::optim::Optimizer* optimizer_;
  std::vector<Pair> pairs_;
  std::vector<at::Tensor> float32_;
  bool follows_ = false;
  int pauses_ = 0;
};

}  // namespace binade::scaler
