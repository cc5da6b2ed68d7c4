// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/error.h"
#include "engine/graph/model.h"
#include "engine/graph/site.h"
#include "engine/graph/site_hook.h"

#include <ATen/core/function_schema.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace torch::jit {
struct Graph;
}

namespace binade::graph {

/// TorchScript's compiler rejected a text. Code kBadModel: `PATH: the text does not compile: line 3: Undefined ...`.
struct CompileError : Error {
  using Error::Error;
};

/// A method's graph with all calls inlined and each `aten::` node on tensors wrapped as a named site. Run by
/// TorchScript's plain interpreter, never by the optimising executor. Cheap to move; one thread at a time may run it.
class FlatGraph {
 public:
  /// Flattens `method` of `model`. Site ids count from `first_site`. Throws Error{kBadModel}, and Error{kUnsafe} as
  /// check_graph() does.
  explicit FlatGraph(const Model& model, const std::string& method = "forward", int first_site = 0);

  /// Flattens the one function of a TorchScript text, such as a loss; all its sites have the path `path`. Throws
  /// CompileError, Error{kUnsafe} and Error{kBadModel}.
  static FlatGraph from_text(const std::string& text, const std::string& function, const std::string& path,
                             int first_site);

  FlatGraph(FlatGraph&&) noexcept;
  FlatGraph& operator=(FlatGraph&&) noexcept;
  ~FlatGraph();

  /// Sites in the order of the text; `sites()[i].id == first_site + i`. Addresses are stable.
  const std::vector<std::unique_ptr<Site>>& sites() const;

  /// Signature of the method; for a module the first argument is `self`.
  const c10::FunctionSchema& schema() const;

  /// The flattened graph without wrappers, for reading its nodes.
  const torch::jit::Graph& graph() const;

  /// Sentences about calls that could not be flattened and run as one opaque op each; empty for most models.
  const std::vector<std::string>& opaque() const;

  /// Whether the model forks. Module::forward runs a forked part on another thread and always through the optimising
  /// executor, so run_native() is the reference for such a model.
  bool forked() const;

  /// The model's own autocast blocks, in the order of the text; Site::own_block points to them. They live as long as
  /// the graph. TorchScript ignores them, so run_native() is the reference for a model with such blocks.
  const std::vector<std::unique_ptr<policy::OwnBlock>>& own_blocks() const;

  /// Runs the graph on positional `inputs` (without self; missing ones take their defaults), with `hooks` around every
  /// site. Throws Error{kBadModel} naming the site whose op refused its arguments; other codes as in failure.h.
  c10::IValue run(std::vector<c10::IValue> inputs, std::span<SiteHook* const> hooks = {});

  /// Runs the graph without wrappers, with the model's own autocast blocks under LibTorch's autocast: the reference for
  /// comparisons with native execution. Throws as forward_failure() describes.
  c10::IValue run_native(std::vector<c10::IValue> inputs);

 private:
  struct Impl;
  explicit FlatGraph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace binade::graph
