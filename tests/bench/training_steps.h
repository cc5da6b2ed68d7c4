// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/step.h"
#include "engine/train/synthetic_data.h"
#include "engine/train/training.h"
#include "engine/wire/run_config.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace torch::optim {
class Optimizer;
}

namespace binade::bench {

/// One training of a sample on drawn batches, in float32. Nothing is observed, recorded or evaluated, and each step
/// makes its own batch: what is left is the step. `batch`: examples; 0: as many as the sample asks for.
wire::RunConfig training_of(const std::string& sample, std::int64_t batch = 0);

/// The same in mixed precision, native, under the stock lists of its device: the CPU's, or CUDA's where `device` is
/// cuda. float16 has a loss scale, low enough that no step is skipped: a skipped one is shorter.
wire::RunConfig lowered_training_of(const std::string& sample, const formats::Format& low, const std::string& device,
                                    std::int64_t batch = 0);

/// A training step as it is written without Binade, under LibTorch's own autocast where the run lowers anything;
/// float16 with the scaling that PyTorch's GradScaler does, tfloat32 by LibTorch's switches for the whole process,
/// which stay set while this lives.
class NativeStep {
 public:
  /// `optimised`: by the graph executor's optimising mode, else as the reference runs.
  NativeStep(const wire::RunConfig& config, bool optimised);
  ~NativeStep();
  NativeStep(const NativeStep&) = delete;
  NativeStep& operator=(const NativeStep&) = delete;

  void operator()();
  double last_loss() const { return last_loss_; }
  std::vector<at::Tensor> parameters() const;

 private:
  at::Tensor forward_and_loss(train::Batch& batch);
  /// Unscales the gradients; whether all are finite.
  bool unscale();

  wire::RunConfig config_;
  graph::Model model_;
  c10::Device device_;
  train::SyntheticData data_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  at::Tensor scale_, tracker_;
  bool optimised_;
  bool tf32_before_[2] = {};
  double last_loss_ = 0;
};

/// The same through the engine. Throws Error where a step was skipped: its time would be too good.
class EngineStep {
 public:
  explicit EngineStep(const wire::RunConfig& config);
  ~EngineStep();
  EngineStep(const EngineStep&) = delete;
  EngineStep& operator=(const EngineStep&) = delete;

  void operator()();
  double last_loss() const { return last_loss_; }
  std::vector<at::Tensor> parameters() const;
  train::Training& training() { return *training_; }
  train::Stepper& stepper() { return stepper_; }

 private:
  std::unique_ptr<train::Training> training_;
  train::Stepper stepper_;
  std::int64_t step_ = 0;
  double last_loss_ = 0;
};

/// How many parameters differ in any bit after `steps` steps of both, begun alike. Deterministic kernels where there
/// are any.
int differing_parameters(const wire::RunConfig& config, int steps);

}  // namespace binade::bench
