// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"
#include "engine/wire/model_info.h"

#include <cstddef>

namespace binade::app {

/// The op calls of a run's model and the meaning of a policy for them, as the engine's command `export` makes them of
/// the model's file: without the op calls of the loss, which belong to the run, and for a device that has every format.
/// So both write the same bytes. Holds copies and never changes: any thread may read it.
class AssignedRun {
 public:
  /// `model` and `config` are those of a run. Its loss scaler is passed on if there is exactly one, because a target
  /// has one.
  AssignedRun(const wire::ModelInfo& model, const wire::RunConfig& config, policy::Policy policy);

  const targets::Assignment& assignment() const { return assignment_; }
  /// The number of the run's loss scalers.
  std::size_t scalers() const { return scalers_; }

  AssignedRun(const AssignedRun&) = delete;
  AssignedRun& operator=(const AssignedRun&) = delete;

 private:
  wire::SitePlaces places_;  ///< the assignment points into it
  std::size_t scalers_;
  targets::Assignment assignment_;
};

}  // namespace binade::app
