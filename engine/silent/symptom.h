// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/silent_fault.h"

#include <cstdint>
#include <optional>
#include <string>

namespace binade::silent {

/// Evidence of a fault in one step. FaultTracker decides over many steps whether it is a fault.
struct Symptom {
  using Kind = wire::SilentFault::Kind;
  Kind kind = Kind::kUnderflow;
  wire::Direction direction = wire::Direction::kForward;
  int site = -1;
  std::string what;
  formats::Format format = formats::kFloat32;
  double amount = 0;  ///< 0..1; faults are ranked by it
  wire::SilentFault::Unit unit = wire::SilentFault::Unit::kOutputNorm;
  bool bound = false;
  bool proved = false;    ///< a single step is proof
  bool harmless = false;  ///< no consequence so far: ranks behind all others
  std::optional<double> largest{};
  int tensor = -1;  ///< WatchedTensor::id; -1: none
  wire::SilentFacts facts{};
  wire::Fix fix{};
};

/// part ÷ whole; 0 where the whole is empty.
inline double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The fault that a symptom is evidence of, without its steps.
inline wire::SilentFault fault_of(const Symptom& symptom) {
  wire::SilentFault fault;
  fault.kind = symptom.kind;
  fault.direction = symptom.direction;
  fault.site = symptom.site;
  fault.what = symptom.what;
  fault.format = symptom.format;
  fault.amount = symptom.amount;
  fault.largest = symptom.largest;
  fault.unit = symptom.unit;
  fault.bound = symptom.bound;
  fault.facts = symptom.facts;
  fault.fix = symptom.fix;
  return fault;
}

}  // namespace binade::silent
