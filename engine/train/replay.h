// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/random_state.h"
#include "engine/train/training.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace binade::observe {
class Observer;
class Trace;
}  // namespace binade::observe

namespace binade::train {

class SameDraws;

/// What a step was made of, so that it can be run again: batches by reference, random state, the data's cursor, and the
/// buffers that Training::buffers keeps. Parameters are the training's own: a step that is still to be decided on has
/// not changed them. One thread.
class Replay {
 public:
  explicit Replay(Training& training);
  ~Replay();

  /// A step begins. Costs a copy of the generators' state, a few kilobytes.
  void begin(std::int64_t cursor, RandomState random);
  /// A micro-batch of it, as the data gave it.
  void add(const Batch& batch);

  /// What a run of the kept step gave. Gradients are not unscaled.
  struct Result {
    double loss = 0;  ///< the weighted sum; NaN and infinite as they are
    bool finite_loss = true;
    std::vector<std::string> bad_parameters;  ///< whose gradient was not finite
    std::vector<bool> bad_scalers;            ///< by scaler: a gradient of its losses was not finite
    bool finite() const { return finite_loss && bad_parameters.empty(); }
  };
  /// Rows of one micro-batch, in all its inputs and targets, that another of its rows takes the place of.
  struct Replaced {
    std::size_t batch = 0;
    std::vector<std::int64_t> rows{};  ///< empty: none
    std::int64_t by = 0;
  };
  struct How {
    double scale = 1;                                     ///< times each scaler's own
    std::shared_ptr<const policy::Resolved> policy = {};  ///< null: the training's
    observe::Trace* trace = nullptr;                      ///< to look at everything; may be null
    observe::Observer* observer = nullptr;                ///< that has begun, to look as at a step; may be null
    std::vector<double> factors = {};                     ///< of each scaler, beside `scale`; empty: 1
    std::optional<std::size_t> only = {};                 ///< backward of one scaler's losses alone
    Replaced replaced = {};
    std::set<int> lifted = {};         ///< sites, casts of the model's own, that hand their argument on as it is
    graph::SiteHook* outer = nullptr;  ///< outside of all others; may be null
    SameDraws* draws = nullptr;        ///< of two runs that are compared: the innermost hook; may be null
    std::vector<at::Tensor>* gradients = nullptr;  ///< takes them, by parameter; sums over scalers; may be null
  };

  /// Puts gradients, buffers, attributes and random state back as they were when it was made, at its end: training goes
  /// on as if no replay had been.
  class Aside {
   public:
    explicit Aside(Replay& replay);
    ~Aside();
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

   private:
    struct State;
    std::unique_ptr<State> state_;
  };

  /// Runs the kept step again, forward and backward, as often as one likes; only while an Aside lives. Throws what the
  /// step throws.
  Result run(const How& how);

  /// Buffers, attributes and random state as they were when the kept step began: while an Aside lives, or where the
  /// step is given up.
  void rewind();
  /// Buffers and attributes only.
  void rewind_model();
  std::int64_t cursor() const { return cursor_; }
  Training& training() { return training_; }
  /// The step's micro-batches, as the data gave them; models that write their inputs may have changed those.
  const std::vector<Batch>& batches() const { return batches_; }

 private:
  friend class Aside;
  Batch batch(std::size_t i);
  void name_tensors(observe::Trace& trace) const;
  void forward_backward(const Batch& batch, const How& how, Result& result);
  void swap_gradients(std::vector<at::Tensor>& with);
  /// The model's gradients of a batch in float32, as master weights add them up; the model has none then.
  void add_gradients(std::vector<at::Tensor>& to);
  void check_gradients(std::vector<std::vector<at::Tensor>>& gradients, Result& result) const;

  Training& training_;
  autocast::Autocast autocast_;  ///< the training's own keeps its plans and its cache
  NamedTensors parameters_;      ///< the model's, that get gradients
  KeptAttributes::Values attributes_;
  std::int64_t cursor_ = 0;
  std::optional<RandomState> random_;
  std::vector<Batch> batches_;
  std::vector<std::vector<std::pair<at::Tensor, std::int64_t>>> versions_;  ///< of each batch's tensors
  std::vector<std::vector<at::Tensor>> gradients_;                          ///< of each scaler, by parameter
};

}  // namespace binade::train
