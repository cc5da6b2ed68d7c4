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

/// A text that TorchScript's compiler refuses, as kBadModel: `PATH: the text does not compile: line 3: Undefined ...`.
struct CompileError : Error {
  using Error::Error;
};

/// A method's graph with every call inlined, each `aten::` node on tensors wrapped as a named site, run by the stock
/// TorchScript interpreter (never by the optimising executor). Cheap to move; one thread runs it at a time.
class FlatGraph {
 public:
  /// Flattens `method` of `model`. Site ids count from `first_site`. Throws Error{kBadModel}.
  explicit FlatGraph(const Model& model, const std::string& method = "forward", int first_site = 0);

  /// Flattens the one function of a TorchScript text; all its sites have the path `path`. Losses are made of this.
  /// Throws CompileError, Error{kUnsafe} and Error{kBadModel}.
  static FlatGraph from_text(const std::string& text, const std::string& function, const std::string& path,
                             int first_site);

  FlatGraph(FlatGraph&&) noexcept;
  FlatGraph& operator=(FlatGraph&&) noexcept;
  ~FlatGraph();

  /// In the order of the text; `sites()[i].id == first_site + i`. Addresses are stable.
  const std::vector<std::unique_ptr<Site>>& sites() const;

  /// The method's signature; a module's `self` comes first.
  const c10::FunctionSchema& schema() const;

  /// The flattened graph, unwrapped, for those who look at its nodes.
  const torch::jit::Graph& graph() const;

  /// Calls that could not be flattened and run as one opaque op, as sentences; empty for most models.
  const std::vector<std::string>& opaque() const;

  /// Whether the model forks. Module::forward then runs the forked part on another thread, through the optimising
  /// executor whatever the calling thread asked for: run_native() is the reference instead.
  bool forked() const;

  /// The model's own autocast blocks, in the order of the text; Site::own_block points to them. They live as long as
  /// the graph. TorchScript itself ignores them: run_native() is the reference for a model that has some.
  const std::vector<std::unique_ptr<policy::OwnBlock>>& own_blocks() const;

  /// Runs the graph on positional `inputs` (without self; missing ones take their defaults), calling `hooks` around
  /// every site. Throws Error{kBadModel} naming the site where an op refuses its arguments.
  c10::IValue run(std::vector<c10::IValue> inputs, std::span<SiteHook* const> hooks = {});

  /// The same graph without any wrapper, its own autocast blocks run by LibTorch's autocast: the reference for "the
  /// same as native". Throws Error{kBadModel} where it fails.
  c10::IValue run_native(std::vector<c10::IValue> inputs);

 private:
  struct Impl;
  explicit FlatGraph(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace binade::graph
