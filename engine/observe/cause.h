// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/trace.h"

#include <string>
#include <vector>

namespace binade::observe {

/// What made a NaN or an infinity that its op was not asked for, and has no such cause before it.
struct Cause {
  enum class Fault : std::uint8_t {
    kOverflow,  ///< a result beyond the format, or a gradient
    kCast,      ///< a finite argument became infinite on its way into the op
    kInvalid,   ///< no format holds the result
    kSum,       ///< a sum of gradients, each finite
    kData,
    kParameter,
    kBuffer,
    kOutside,  ///< came from no op call
    kLost,     ///< a value that is not 0 became 0, and an op behind it has no finite result for that
  };
  Fault fault = Fault::kOverflow;
  bool backward = false;
  int call = -1;             ///< Trace::calls(): that made it, or took it first; -1: none
  int value = -1;            ///< Trace::values(), of one that came from outside
  int node = -1;             ///< Trace::nodes(), of backward
  std::size_t argument = 0;  ///< kCast, and of backward the one whose gradient it is
  bool inside = false;       ///< kCast: of an op inside the call, a composite; TracedCall::inner_cast has it
  std::string what;          ///< `output`, an argument's name, the name of a parameter, buffer or input
  Why why;                   ///< kInvalid, and of backward what would be its reason
  Lost lost;                 ///< kLost
};

/// One call between a cause and where it ends.
struct CauseLink {
  int call = 0;
  bool backward = false;
  int value = -1;  ///< of forward: Trace::values(), what the call made
  int node = -1;   ///< of backward: Trace::nodes()
};

/// The first causes of a traced step whose loss or gradients were not finite: every earliest one on a path to the loss,
/// else to a parameter's gradient, in the order in which they happened. Infinities that an op was asked for (masks,
/// fills, constants) are inherited and no cause; a NaN that is made of one is.
struct Causes {
  bool loss_finite = true;
  bool gradients_finite = true;
  std::vector<Cause> roots;
  std::vector<CauseLink> chain;  ///< from the first root on
  std::string ends;              ///< `loss`, or a parameter; empty: neither was reached
};

Causes find_causes(const Trace& trace);

/// The first causes of one value of the step's forward, with the calls from the first to it. No roots: it is finite, or
/// its infinities were asked for.
Causes find_causes_of(const Trace& trace, int value);

/// The same of a step whose loss is finite and whose gradients are finite at a lower loss scale. Infinities that
/// float32 itself held at finite gradients are there at any scale, so that they vanish: where a cast to a lower format
/// added others to them, these are the causes.
Causes find_causes_of_scale(const Trace& trace);

}  // namespace binade::observe
