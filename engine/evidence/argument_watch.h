// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/site_hook.h"
#include "engine/silent/evidence.h"

#include <ATen/core/Tensor.h>

#include <memory>

namespace binade::observe {
class SiteTimer;
}

namespace binade::evidence {

/// Observes, in selected steps, what happens to arguments on their way into op calls: values that a cast makes 0,
/// integers that a cast changes, and the magnitude of logits passed to a softmax over more than two dimensions
/// (attention). Nest hook() outside of Autocast. Does not synchronise with a device before finish(). Not thread-safe.
class ArgumentWatch {
 public:
  ArgumentWatch();
  ~ArgumentWatch();
  ArgumentWatch(const ArgumentWatch&) = delete;
  ArgumentWatch& operator=(const ArgumentWatch&) = delete;

  /// Starts a step. If `looks` is false, the hook does nothing and may be left out.
  void begin(bool looks);
  graph::SiteHook* hook();
  /// Adds the step's results to `evidence`; for several calls of a site the worst. Synchronises with the device.
  void finish(silent::Evidence& evidence);

  /// Seconds spent observing in this step.
  double seconds() const;
  /// Sets the timer to which observing time is reported, so that it is not counted as a site's; may be null. Not owned.
  void set_timer(observe::SiteTimer* timer);

 private:
  struct Step;
  class Hook;
  std::unique_ptr<Step> step_;
  std::unique_ptr<Hook> hook_;
};

}  // namespace binade::evidence
