// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/graph/site.h"

#include <exception>
#include <optional>
#include <span>

namespace binade::graph {

/// How a hook rounds the float32 results of a call after the hooks inside it have seen them.
struct Rounding {
  formats::Format format;    ///< format of the results
  formats::Format backward;  ///< format of the gradients
  bool gradients = true;     ///< whether gradients for the arguments are rounded too
};

class SiteHook;

/// One execution of a site, in progress.
struct Call {
  const Site& site;
  int index;     ///< number of executions of the site before this one in the forward
  Stack& stack;  ///< before: its last `site.inputs` are the arguments; after: its last `site.outputs` the results
  const Operation* operation;  ///< the op that will run; before() may replace it by one of the same signature
  std::optional<Rounding> rounding = {};  ///< set by the hook that will round the results; empty: they are not rounded
  std::span<SiteHook* const> cast_observers = {};  ///< the run's hooks that observe casts, in their order

  c10::IValue& argument(std::size_t i) const { return stack[stack.size() - site.inputs + i]; }
  c10::IValue& result(std::size_t i) const { return stack[stack.size() - site.outputs + i]; }
};

/// Interface through which autocast, observation and profiling intercept every op call. Hooks nest: before() runs first
/// to last, after() and failed() last to first, all on the thread that runs the graph. A hook whose before() returned
/// receives either after() or failed(), never both: if its own after() throws, failed() is not called.
class SiteHook {
 public:
  virtual ~SiteHook() = default;
  virtual void before(Call& /*call*/) {}
  virtual void after(Call& /*call*/) {}
  /// The op or an inner hook threw after this hook's before(). The exception then propagates with the site's name
  /// added.
  virtual void failed(Call& /*call*/, const std::exception& /*error*/) {}

  /// Returns whether this hook receives cast() and ran(), which the hook that casts reports. Asked once per run of a
  /// graph.
  virtual bool observes_casts() const { return false; }
  /// The arguments of a call have been cast, or left as they are: `came` are those that the graph gave, `call` holds
  /// those that the op takes. Follows before() of the hooks outside of the casting one, and precedes that of the hooks
  /// inside. If it throws, the casting hook's before() has thrown.
  virtual void cast(Call& /*call*/, std::span<const c10::IValue> /*came*/) {}
  /// The op has run, and `call` holds its results before they are rounded. Follows after() of the hooks inside the
  /// casting one, and precedes that of the hooks outside.
  virtual void ran(Call& /*call*/) {}

  /// The graph enters or leaves one of the model's own autocast blocks. left() is not called if an exception leaves the
  /// block.
  virtual void entered(const policy::OwnBlock& /*block*/) {}
  virtual void left(const policy::OwnBlock& /*block*/) {}
  /// The graph enters or leaves a call that could not be flattened (of a module chosen at run time); its ops are not
  /// sites. left_opaque() is not called if an exception leaves the call.
  virtual void entered_opaque() {}
  virtual void left_opaque() {}
  /// Result of the model's call of `torch.is_autocast_enabled()` for a device (by its list) inside `innermost`, which
  /// may be null. Empty: the next hook decides, finally LibTorch.
  virtual std::optional<bool> autocast_enabled(policy::Base /*device*/, const policy::OwnBlock* /*innermost*/) {
    return std::nullopt;
  }
};

}  // namespace binade::graph
