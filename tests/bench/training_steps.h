// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batches/synthetic_data.h"
#include "engine/run/step.h"
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

/// Returns a training of a sample on random batches in float32. It observes, records, evaluates and prefetches nothing,
/// so that only the step is timed. `batch`: number of examples; 0: the sample's own.
wire::RunConfig training_of(const std::string& sample, std::int64_t batch = 0);

/// The same in native mixed precision, under the CPU's or CUDA's stock lists, depending on `device`. float16 uses a
/// loss scale low enough that no step is skipped: skipped steps are shorter.
wire::RunConfig lowered_training_of(const std::string& sample, const formats::Format& low, const std::string& device,
                                    std::int64_t batch = 0);

/// A training step written without Binade, under LibTorch's autocast if the run lowers anything. float16 uses the
/// kernels of PyTorch's GradScaler. tfloat32 uses LibTorch's process-wide switches, which are set while this object
/// lives.
class NativeStep {
 public:
  /// `optimised`: with the graph executor's optimisation; otherwise as verify's reference runs.
  NativeStep(const wire::RunConfig& config, bool optimised);
  ~NativeStep();
  NativeStep(const NativeStep&) = delete;
  NativeStep& operator=(const NativeStep&) = delete;

  void operator()();
  double last_loss() const { return last_loss_; }
  std::vector<at::Tensor> parameters() const;

 private:
  at::Tensor forward_and_loss(batches::Batch& batch);
  /// Unscales the gradients. Returns whether all are finite.
  bool unscale();

  wire::RunConfig config_;
  graph::Model model_;
  c10::Device device_;
  batches::SyntheticData data_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  at::Tensor scale_, tracker_;
  bool optimised_;
  bool tf32_before_[2] = {};
  double last_loss_ = 0;
};

/// The same step through the engine. Throws Error if a step is skipped, because its time would be too short.
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
  run::Stepper& stepper() { return stepper_; }

 private:
  std::unique_ptr<train::Training> training_;
  run::Stepper stepper_;
  std::int64_t step_ = 0;
  double last_loss_ = 0;
};

/// Returns how many parameters differ in any bit after `steps` steps of both, from the same start. Uses deterministic
/// kernels where they exist.
int differing_parameters(const wire::RunConfig& config, int steps);

/// The same for LibTorch's own step beside itself: without determinism there, nothing can be compared.
int native_differs_from_itself(const wire::RunConfig& config, int steps);

}  // namespace binade::bench
