// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/graph/native_blocks.h"
#include "engine/graph/site_hook.h"

#include <ATen/core/interned_strings.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace torch::jit {
struct Graph;
}

namespace binade::graph {

/// What the wrapped nodes of one run share. Nodes are wrapped once; what they do depends on the run they are in.
struct Running {
  std::span<SiteHook* const> hooks;
  std::vector<int>* calls;  ///< by position of the site in its graph
  int first_site;
  std::optional<Error> error = {};  ///< the interpreter flattens exceptions to text: the first one is kept here
};

/// While it lives, wrapped nodes of this thread belong to `running`; to null, they run as LibTorch alone would.
class RunningScope {
 public:
  explicit RunningScope(Running* running);
  ~RunningScope();
  RunningScope(const RunningScope&) = delete;
  RunningScope& operator=(const RunningScope&) = delete;

 private:
  Running* const outer_;
};

/// While it lives, marks of the model's own autocast blocks switch LibTorch's own autocast.
class NativeScope {
 public:
  explicit NativeScope(c10::DeviceType tensors);
  ~NativeScope();
  NativeScope(const NativeScope&) = delete;
  NativeScope& operator=(const NativeScope&) = delete;

 private:
  NativeBlocks blocks_;
  NativeBlocks* const outer_;
  const RunningScope no_hooks_;
};

/// Keeps an error for the run that this thread is in, where it is the first: the interpreter flattens it to text.
void keep_error(const Error& error);

/// Makes the wrapping operators known to TorchScript, puts the checks of check_ops() and guard_memory() in, and keeps
/// TorchScript's own autocast pass out. Before a model is read: reading folds constants by running ops. Explicit, since a static
/// registration object would be dropped from a static library.
void prepare_torchscript();

/// An operator that makes a completed Future of its one input.
c10::Symbol completed_future_symbol();

/// Replaces every op call on tensors by a wrapper, in the order of the text, and every question about autocast by one
/// that the hooks are asked. `first_site` is the id of the first site.
std::vector<std::unique_ptr<Site>> wrap_nodes(torch::jit::Graph& graph, int first_site);

}  // namespace binade::graph
