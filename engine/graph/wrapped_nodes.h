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

/// State that the wrapped nodes of one run share. Nodes are wrapped once; their behaviour depends on the run.
struct Running {
  std::span<SiteHook* const> hooks;
  std::vector<int>* calls;  ///< number of executions, by position of the site in its graph
  int first_site;
  std::vector<SiteHook*> cast_observers = {};  ///< those of `hooks` that observe casts
  std::optional<Error> error = {};             ///< the first error; the interpreter converts exceptions to text
};

/// While it exists, wrapped nodes on this thread belong to `running`; if that is null, they run as plain LibTorch.
class RunningScope {
 public:
  explicit RunningScope(Running* running);
  ~RunningScope();
  RunningScope(const RunningScope&) = delete;
  RunningScope& operator=(const RunningScope&) = delete;

 private:
  Running* const outer_;
};

/// While it exists, marks of the model's own autocast blocks switch LibTorch's autocast.
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

/// Keeps an error for the run of this thread unless it has one; the interpreter converts exceptions to text.
void keep_error(const Error& error);

/// Registers the wrapping operators with TorchScript, installs check_ops() and guard_memory(), and disables
/// TorchScript's own autocast pass. Needed before a model is read, since reading folds constants by running ops;
/// repeated calls do nothing. Called explicitly, because the linker drops static registration objects from static
/// libraries.
void prepare_torchscript();

/// Operator that makes a completed Future from its one input.
c10::Symbol completed_future_symbol();

/// Replaces every op call on tensors by a wrapper, in the order of the text, and every query about autocast by one that
/// the hooks answer. `first_site` is the id of the first site.
std::vector<std::unique_ptr<Site>> wrap_nodes(torch::jit::Graph& graph, int first_site);

}  // namespace binade::graph
