// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"
#include "engine/silent/evidence.h"
#include "engine/wire/diagnosis.h"
#include "engine/wire/records.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace binade::diagnose {

/// Records for each non-finite buffer in which step it became non-finite and which op call wrote it. Checks only the
/// buffers that a step writes, together with the step's single read of the device. A step that makes a buffer
/// non-finite is replayed once to find the cause. Not thread-safe.
class BufferWatch {
 public:
  explicit BufferWatch(train::Training& training);

  /// Starts a step.
  void begin();
  /// Returns the common norm of all buffers that the step's forward wrote, a 0-dim tensor that is finite only if they
  /// are. Undefined if the step wrote none. A single number suffices, since a network with batch norms writes many.
  at::Tensor norm();
  /// Ends a step before the optimizer runs. `suspect`: norm() was not finite. `replay`: the replay of the step; null:
  /// do not replay. Returns whether the step was replayed.
  bool end(const wire::StepRecord& record, bool suspect, const wire::Diagnosis* diagnosis, Replay* replay);

  /// Returns sentences: since when a buffer is not finite, the cause, and what to do. Empty if nothing is known.
  std::string text_of(const std::string& buffer) const;
  /// Returns the buffers that are unintentionally not finite.
  std::vector<silent::BufferSeen> seen() const;

 private:
  struct Found {
    std::int64_t step = -1;         ///< in which it became non-finite; -1: before the first step of the run
    bool skipped = false;           ///< that step was skipped
    bool same_cause = false;        ///< the same cause made the buffer non-finite and the step skipped
    bool asked = false;             ///< its infinities are intended: a mask
    std::vector<wire::Root> roots;  ///< the causes; empty: unknown
    std::string failed;             ///< reason if the replay failed
    int writer = -1;                ///< site of the op call that wrote it; -1: unknown
    std::vector<int> takers;        ///< sites that use its value from before the step
  };
  struct Buffer {
    std::string name;
    at::Tensor tensor;
    std::int64_t version = -1;
    int replays = 0;
    std::optional<Found> found;
  };
  void refresh();
  void ask(Buffer& buffer, const wire::Diagnosis* diagnosis, Replay& replay);
  std::string cause_text(const Buffer& buffer) const;
  std::string advice(const Buffer& buffer) const;

  train::Training& training_;
  std::vector<Buffer> buffers_;
  std::vector<std::size_t> written_;  ///< indices of the buffers that the current step wrote
  bool may_be_replaced_ = false;      ///< forward may replace a buffer by another tensor
};

}  // namespace binade::diagnose
