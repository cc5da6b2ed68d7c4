// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

namespace torch::optim {
class Optimizer;
class OptimizerParamGroup;
}  // namespace torch::optim

namespace binade::scaler {

/// float32 copies of an optimizer's float16 parameters. The optimizer steps the copies, so updates below half a unit of
/// the float16 weight accumulate instead of being lost. The model computes with the rounded weights.
///
///     MasterWeights masters(optimizer);   // before the first step
///     loss.backward();                    // float16 gradients, on the model's parameters
///     masters.gradients_to_masters();
///     optimizer.step();                   // or GradScaler: it accepts the masters' float32 gradients
///     masters.masters_to_model();
///
/// The optimizer must outlive it. Not thread-safe.
class MasterWeights {
 public:
  struct Pair {
    at::Tensor model;   ///< float16
    at::Tensor master;  ///< float32 leaf that replaces `model` in the optimizer's groups
  };

  /// Replaces each float16 parameter that requires a gradient by a master, moves its optimizer state to the master, and
  /// drops all gradients. float32 parameters stay. Throws c10::TypeError for any other dtype.
  explicit MasterWeights(torch::optim::Optimizer& optimizer);
  /// Detaches from backward. The model's parameters stay float16; the masters stay in the optimizer.
  ~MasterWeights();
  MasterWeights(MasterWeights&&) noexcept = default;
  MasterWeights& operator=(MasterWeights&&) = delete;

  /// Adds `group` to the optimizer, with masters in place of its float16 parameters. Existing gradients are kept.
  /// Throws c10::TypeError like the constructor.
  void add_param_group(torch::optim::OptimizerParamGroup group);

  /// From now on each backward adds the model's gradients to the masters' gradients in float32 and clears them on the
  /// model. gradients_to_masters() is then not needed.
  void follow_backward();

  /// Suspends follow_backward() during its lifetime: backward leaves gradients on the model's parameters, and masters
  /// unchanged. For backward passes that no step follows. May be nested. `masters` must outlive it and may be null.
  class Pause {
   public:
    explicit Pause(MasterWeights* masters);
    ~Pause();
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    MasterWeights* masters_;
  };

  /// Copies each model gradient to its master, as float32. A missing gradient becomes missing on the master too.
  void gradients_to_masters();
  /// Rounds each master into its float16 parameter. Call it after the optimizer's step.
  void masters_to_model();
  /// Copies each float16 parameter to its master. Call it after weights were loaded into the model.
  void model_to_masters();
  /// Drops the gradients of masters, float16 and float32 parameters.
  void zero_grad();

  const std::vector<Pair>& pairs() const { return pairs_; }
  /// Returns the parameters that were float32 from the start (such as batch norms) and require a gradient.
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
