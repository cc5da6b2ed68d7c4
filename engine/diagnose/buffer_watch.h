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

/// Knows of each buffer that is not finite since which step of the run, and which op call wrote it so. Only buffers
/// that a step writes are looked at, with the step's own read of the device; a step that leaves one not finite is
/// replayed once. One thread.
class BufferWatch {
 public:
  explicit BufferWatch(train::Training& training);

  /// A step begins.
  void begin();
  /// Returns the norm of all buffers that a step's forward wrote, a 0-dim tensor that is finite only if they are.
  /// Undefined if the step wrote none. One number for all, since most steps of a network with batch norms write many.
  at::Tensor norm();
  /// Ends a step before the optimizer runs. `suspect`: norm() was not finite. `replay`: the step's; null: the step is
  /// not replayed. Returns whether it was.
  bool end(const wire::StepRecord& record, bool suspect, const wire::Diagnosis* diagnosis, Replay* replay);

  /// Since when a buffer is not finite, what made it so, and what to do; empty where nothing is known of it.
  std::string text_of(const std::string& buffer) const;
  /// Those that are not finite, and not by design.
  std::vector<silent::BufferSeen> seen() const;

 private:
  struct Found {
    std::int64_t step = -1;         ///< that left it so; -1: it was so before the run's first one
    bool skipped = false;           ///< the step was
    bool same_cause = false;        ///< it was skipped for what made the buffer so
    bool asked = false;             ///< its infinities were asked for: a mask
    std::vector<wire::Root> roots;  ///< what made it so; empty: not known
    std::string failed;             ///< why the replay failed; empty: it did not
    int writer = -1;                ///< site of the op call that wrote it; -1: not known
    std::vector<int> takers;        ///< sites that take it as it stands when a step begins
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
  std::vector<std::size_t> written_;  ///< by the present step
  bool may_be_replaced_ = false;      ///< forward may put another tensor in a buffer's place
};

}  // namespace binade::diagnose
