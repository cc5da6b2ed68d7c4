// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::diagnose {

class BufferWatch;

/// How much may be spent on one step.
enum class Effort : std::uint8_t {
  kCause,  ///< one replay: first causes and chain
  kFix,    ///< also a verdict and a fix, with 3 to 25 replays at other scales and with other formats
};

/// The fix found by a run's explanations under one policy. A fix that helped before is tried first on the next step,
/// and extended if it does not help. In the end the run has one fix, which was tried on every explained step.
struct RunFix {
  int revision = -1;  ///< of the policy
  std::vector<policy::SiteRule> rules;
  std::set<int> lifted;  ///< sites, casts of the model's own, that were left out with them
  /// Sites and arguments whose gradients were not finite at any scale, nor in float32: nothing overflows there.
  std::set<std::pair<int, std::string>> poles;
  std::string cure;  ///< what to change in the model itself about the step explained last; empty: not known
};

struct Explaining {
  Effort effort = Effort::kFix;
  observe::Observer* observer = nullptr;  ///< a started observer, which observes the first replay like the step
  const BufferWatch* buffers = nullptr;   ///< knows since when a buffer is not finite; may be null
  RunFix* run = nullptr;                  ///< the run's fix, which the explanation may extend; may be null
};

/// Explains why the step kept by `replay` was not finite: replays it with a full trace, then with changes until it is
/// finite. The training's state is restored bit for bit. `before_end` is called while the state is that at the start of
/// the step, and returns the name of a saved bundle.
wire::Diagnosis explain(Replay& replay, std::int64_t step, const Explaining& how,
                        const std::function<std::string()>& before_end = {});

}  // namespace binade::diagnose
