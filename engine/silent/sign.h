// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/silent_fault.h"

#include <optional>
#include <string>

namespace binade::silent {

/// Evidence of a fault in one step. The Book decides over many steps whether it is a fault.
struct Sign {
  using Kind = wire::SilentFault::Kind;
  Kind kind = Kind::kUnderflow;
  wire::Direction direction = wire::Direction::kForward;
  int site = -1;
  std::string what;
  formats::Format format = formats::kFloat32;
  double amount = 0;  ///< 0..1; faults are ranked by it
  std::string unit;   ///< what `amount` is a share of
  bool bound = false;
  bool proved = false;    ///< a single step is proof
  bool harmless = false;  ///< no consequence so far: ranks behind all others
  std::optional<double> largest{};
  int tensor = -1;       ///< WatchedTensor::id; -1: none
  std::string sentence;  ///< about this step, without a full stop
  std::string next;      ///< a sentence; may be empty if the fix says it
  wire::Fix fix;
};

}  // namespace binade::silent
