// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/silent_fault.h"

#include <optional>
#include <string>

namespace binade::silent {

/// What one step showed of a fault. Whether it is one, the Book decides over many steps.
struct Sign {
  using Kind = wire::SilentFault::Kind;
  Kind kind = Kind::kUnderflow;
  wire::Direction direction = wire::Direction::kForward;
  int site = -1;
  std::string what;
  formats::Format format = formats::kFloat32;
  double amount = 0;  ///< 0..1, what faults are ranked by
  std::string unit;   ///< of what it is a share
  bool bound = false;
  bool proved = false;    ///< a single step is enough
  bool harmless = false;  ///< nothing has come of it so far: it stands behind all others
  std::optional<double> largest{};
  int tensor = -1;       ///< WatchedTensor::id; -1: none
  std::string sentence;  ///< of this step, without a full stop
  std::string next;      ///< a sentence; may be empty where the fix says it
  wire::Fix fix;
};

}  // namespace binade::silent
