// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/trace.h"
#include "engine/wire/diagnosis.h"

#include <string>
#include <vector>

namespace binade::diagnose {

/// A first cause: what produced an unrequested NaN or infinity that no earlier cause explains.
struct Cause {
  using Fault = wire::Root::Fault;

  Fault fault = Fault::kOverflow;
  bool backward = false;
  int call = -1;             ///< index in Trace::calls() of the producer, or of the first user of an outside value; -1:
                             ///< none
  int value = -1;            ///< index in Trace::values(), for a value from outside
  int node = -1;             ///< index in Trace::nodes(), for a fault in backward
  std::size_t argument = 0;  ///< the cast argument (kCast), or in backward the one whose gradient is affected
  bool inside = false;       ///< kCast inside a composite op; see TracedCall::inner_cast
  std::string what;          ///< `output`, or the name of an argument, parameter, buffer or input
  InvalidOperation why;      ///< the reason, for kInvalid; in backward, for any fault that has one
  Lost lost;                 ///< for kLost
};

/// One call between a cause and where its effect ends.
struct CauseLink {
  int call = 0;
  bool backward = false;
  int value = -1;  ///< forward: index in Trace::values() of the result
  int node = -1;   ///< backward: index in Trace::nodes()
};

/// The first causes of a traced step whose loss or gradients were not finite, in order of occurrence: all of them on a
/// path to the loss, or if the loss is finite, to a parameter's gradient. Requested infinities (masks, fills,
/// constants) propagate without being a cause; a NaN computed from one is a cause.
struct Causes {
  bool loss_finite = true;
  bool gradients_finite = true;
  std::vector<Cause> roots;
  std::vector<CauseLink> chain;  ///< starting at the first root
  std::string ends;              ///< `loss` or a parameter's name; empty: neither was reached
};

Causes find_causes(const Trace& trace);

/// Returns the first causes of one value of the step's forward, with the calls from the first cause to it. There are no
/// roots if the value is finite or its infinities were requested.
Causes find_causes_of(const Trace& trace, int value);

/// Returns the first causes of a step whose loss is finite, and whose gradients are finite at a lower loss scale.
/// Infinities in float32 values do not depend on the scale, so they vanish before the loss and are no causes.
/// Infinities that a cast to a lower format added are.
Causes find_causes_of_scale(const Trace& trace);

}  // namespace binade::diagnose
