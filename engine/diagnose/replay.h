// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/random_state.h"
#include "engine/train/training.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace binade::diagnose {
class Trace;
}  // namespace binade::diagnose

namespace binade::observe {
class Observer;
}  // namespace binade::observe

namespace binade::train {
class SameDraws;
}  // namespace binade::train

namespace binade::diagnose {

/// The inputs of a step, so that it can be run again: batches (by reference), random state, data cursor, and the
/// buffers of Training::buffers. Parameters are the training's own, which an undecided step has not changed. Not
/// thread-safe.
class Replay {
 public:
  explicit Replay(train::Training& training);
  ~Replay();

  /// Starts a step. Costs a copy of the generators' state, a few kilobytes.
  void begin(std::int64_t cursor, train::RandomState random);
  /// Adds a micro-batch, as returned by the data.
  void add(const batches::Batch& batch);

  /// Result of a run. Gradients are not unscaled.
  struct Result {
    double loss = 0;  ///< the weighted sum; may be NaN or infinite
    bool finite_loss = true;
    std::vector<std::string> bad_parameters;  ///< those with a non-finite gradient
    std::vector<bool> bad_scalers;            ///< by scaler: a gradient of its losses was not finite
    bool finite() const { return finite_loss && bad_parameters.empty(); }
  };
  /// Rows of one micro-batch that are replaced by another of its rows, in all inputs and targets.
  struct Replaced {
    std::size_t batch = 0;
    std::vector<std::int64_t> rows{};  ///< empty: none
    std::int64_t by = 0;
  };
  struct How {
    double scale = 1;                                     ///< multiplies each scaler's own scale
    std::shared_ptr<const policy::Resolved> policy = {};  ///< null: the training's
    Trace* trace = nullptr;                               ///< records the run; may be null
    observe::Observer* observer = nullptr;                ///< started observer, which observes the run like a step; may
                                                          ///< be null
    std::vector<double> factors = {};                     ///< per scaler, in addition to `scale`; empty: 1
    std::optional<std::size_t> only = {};                 ///< run backward for one scaler's losses only
    Replaced replaced = {};
    std::set<int> lifted = {};          ///< sites of the model's own casts that return their argument unchanged
    graph::SiteHook* outer = nullptr;   ///< outermost hook; may be null
    train::SameDraws* draws = nullptr;  ///< innermost hook, for two runs to be compared; may be null
    std::vector<at::Tensor>* gradients = nullptr;  ///< receives them by parameter, summed over scalers; may be null
  };

  /// Runs the kept step again, forward and backward; may be repeated. Requires a train::TrainingStateGuard. Throws what
  /// the step throws.
  Result run(const How& how);

  /// Restores buffers, attributes and random state as at the start of the kept step. Call it while a guard exists, or
  /// if the step is abandoned.
  void rewind();
  /// Restores buffers and attributes only.
  void rewind_model();
  std::int64_t cursor() const { return cursor_; }
  train::Training& training() { return training_; }
  /// The step's micro-batches, as returned by the data; models that write their inputs may have changed them.
  const std::vector<batches::Batch>& batches() const { return batches_; }

 private:
  batches::Batch batch(std::size_t i);
  void name_tensors(Trace& trace) const;
  void forward_backward(const batches::Batch& batch, const How& how, Result& result);
  void swap_gradients(std::vector<at::Tensor>& with);
  /// Adds the model's gradients to `to` in float32, like master weights, and clears them on the model.
  void add_gradients(std::vector<at::Tensor>& to);
  void check_gradients(std::vector<std::vector<at::Tensor>>& gradients, Result& result) const;

  train::Training& training_;
  autocast::Autocast autocast_;     ///< separate, since the training's own keeps its plans and its cache
  train::NamedTensors parameters_;  ///< the model's, with gradients
  train::KeptAttributes::Values attributes_;
  std::int64_t cursor_ = 0;
  std::optional<train::RandomState> random_;
  std::vector<batches::Batch> batches_;
  std::vector<std::vector<std::pair<at::Tensor, std::int64_t>>> versions_;  ///< of each batch's tensors
  std::vector<std::vector<at::Tensor>> gradients_;                          ///< by scaler, then by parameter
};

}  // namespace binade::diagnose
