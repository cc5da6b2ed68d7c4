// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/graph/site.h"

#include <exception>
#include <optional>
#include <span>

namespace binade::graph {

/// How a hook rounds the float32 results of a call once the hooks inside it have seen them.
struct Rounding {
  formats::Format format;    ///< of the results
  formats::Format backward;  ///< of gradients
  bool gradients = true;     ///< whether what backward sends to the arguments is rounded too, or passes as it came
};

/// One execution of a site, while it happens.
struct Call {
  const Site& site;
  int index;     ///< how often the site ran before in this forward
  Stack& stack;  ///< before: the arguments are its last `site.inputs`; after: the results its last `site.outputs`
  const Operation* operation;  ///< what will run; a hook's before() may put another of the same signature in its place
  std::optional<Rounding> rounding = {};  ///< set by the hook that will round the results; nothing: they stay

  c10::IValue& argument(std::size_t i) const { return stack[stack.size() - site.inputs + i]; }
  c10::IValue& result(std::size_t i) const { return stack[stack.size() - site.outputs + i]; }
};

/// The seam through which autocast, observation and profiling see every op call. Hooks nest: before() runs first to
/// last, after() and failed() last to first, all on the thread that runs the graph. A hook whose before() returned gets
/// one of after() and failed(), and never both: where its own after() throws, it is not told.
class SiteHook {
 public:
  virtual ~SiteHook() = default;
  virtual void before(Call& /*call*/) {}
  virtual void after(Call& /*call*/) {}
  /// The op, or a hook inside this one, threw after this one's before(). The exception goes on afterwards, with the
  /// site's name added.
  virtual void failed(Call& /*call*/, const std::exception& /*error*/) {}

  /// The graph enters or leaves an autocast block of the model's own. One that is left by an exception is not told.
  virtual void entered(const policy::OwnBlock& /*block*/) {}
  virtual void left(const policy::OwnBlock& /*block*/) {}
  /// The graph enters or leaves a call that could not be flattened (of a module that is chosen while running): its ops
  /// are no sites. One that is left by an exception is not told.
  virtual void entered_opaque() {}
  virtual void left_opaque() {}
  /// What the model's question `torch.is_autocast_enabled()` for a device (by its list) is answered inside `innermost`,
  /// which may be null. Nothing: the next hook answers, at last LibTorch.
  virtual std::optional<bool> autocast_enabled(policy::Base /*device*/, const policy::OwnBlock* /*innermost*/) {
    return std::nullopt;
  }
};

}  // namespace binade::graph
