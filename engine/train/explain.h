// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/train/replay.h"
#include "engine/wire/diagnosis.h"

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace binade::train {

class BufferWatch;

/// How much may be spent on one step.
enum class Effort : std::uint8_t {
  kCause,  ///< one replay: first causes and chain
  kFix,    ///< and a verdict and a fix, by replays at other scales and with other formats: 3 to 25 of them
};

/// What the explanations of a run have found under one policy. What mended a step is tried first on the next one, and
/// extended where it does not mend that: at its end the run has one fix, tried on every step that was explained.
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
  observe::Observer* observer = nullptr;  ///< that has begun: sees the first replay as it would have seen the step
  const BufferWatch* buffers = nullptr;   ///< of the run: since when a buffer is not finite; may be null
  RunFix* run = nullptr;  ///< of the run that the step is of, which the explanation extends; may be null
};

/// Why the step that `replay` keeps was not finite: replays it with everything looked at, then under changes until it
/// is finite. Training's state is as before afterwards, to the bit. `before_end` runs while the state is as it was when
/// the step began: to keep a bundle.
wire::Diagnosis explain(Replay& replay, std::int64_t step, const Explaining& how,
                        const std::function<std::string()>& before_end = {});

}  // namespace binade::train
