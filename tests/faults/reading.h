// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/diagnosis.h"
#include "engine/wire/run_config.h"

#include <cstdint>
#include <string>
#include <vector>

namespace binade::test {

/// One thing that a run tells of what is wrong, as a reader takes it.
struct Answer {
  std::string reason;              ///< one word, as reasonOf() and the kinds of silent faults have it
  std::vector<std::string> sites;  ///< names of op calls, of what came from outside its own name
  wire::Fix fix;
  std::string text;       ///< all sentences of it
  std::int64_t step = 0;  ///< when it was told
};

/// What `train` tells in one run and how it went.
struct Reading {
  std::string refused;          ///< why it could not start; empty: it did
  std::vector<Answer> answers;  ///< events that are not by design, each cause once, in order
  std::vector<Answer> silent;   ///< silent faults at the end, the worst first
  std::string said;             ///< the sentences of all events, and of the end
  std::vector<double> losses;
  std::vector<double> scales;
  std::vector<bool> stepped;
  bool completed = false;
};

/// Runs it on this thread as `train` does without a window: nobody can resume it. With `until_told` it ends some steps
/// behind its first answer.
Reading readRun(const wire::RunConfig& run, bool until_told);

/// A verdict in one word, told apart further where one verdict has several readings: `overflow` of a narrow format,
/// `overflow_wide` of float32, `vanished` where loss and gradients stay finite; `cast`, `lost` where an operation is
/// invalid and float32 in front of it mends it, `invalid` where nothing does; `scale_held`, `gradient`, `data`,
/// `learning_rate`, `parameter`, `buffer`, `outside`, `unknown`. Empty: by design.
std::string reasonOf(const wire::Diagnosis& diagnosis, bool finite_step);

}  // namespace binade::test
