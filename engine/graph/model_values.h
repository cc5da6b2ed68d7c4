// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/graph/model_archive.h"
#include "engine/graph/model_pickle.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace torch::jit {
struct CompilationUnit;
}

namespace binade::graph {

/// Classes of the model's own code that a pickle names: `__torch__.Net`.
std::set<std::string> class_names(const ModelPickle& pickle);

/// Makes TorchScript values from a model's pickle. A value must have the type that its class declares, because an
/// attribute of another type would let ops read memory out of bounds. No code of the model runs.
class ModelValues {
 public:
  using FindClass = std::function<c10::TypePtr(const std::string& name)>;

  /// `record` is the pickle's name; its tensors' bytes are the records under `tensors`, such as `data/`. `find_class`
  /// returns the compiled class of a name in the model's code, or null.
  ModelValues(const ModelArchive& archive, std::string record, std::string tensors,
              std::shared_ptr<torch::jit::CompilationUnit> unit, FindClass find_class);

  /// Makes the value of `node`. Throws Error{kBadFile} naming file, record and value if it does not have `type`.
  c10::IValue make(PickleNode::Ref node, const c10::TypePtr& type);

 private:
  using Ref = PickleNode::Ref;
  using Made = std::map<std::pair<Ref, const c10::Type*>, c10::IValue>;

  class Step;  // enters a nested value, with its name

  [[noreturn]] void misfit(Ref node, const c10::TypePtr& type) const;
  [[noreturn]] void refuse(const std::string& why) const;

  c10::IValue shared(Ref node, const c10::TypePtr& type);
  c10::IValue compound(Ref node, const c10::TypePtr& type);
  c10::IValue untyped(Ref node);
  c10::TypePtr type_of(Ref node) const;
  c10::IValue list(Ref node, const c10::TypePtr& type);
  c10::IValue dict(Ref node, const c10::TypePtr& type);
  c10::IValue tuple(Ref node, const c10::TypePtr& type);
  c10::IValue object(Ref node, const c10::TypePtr& type);
  c10::IValue enumeration(Ref node, const c10::TypePtr& type) const;
  c10::IValue either(Ref node, const c10::TypePtr& type);
  c10::IValue complex(Ref node, const c10::TypePtr& type) const;
  c10::IValue device(Ref node, const c10::TypePtr& type) const;
  at::Tensor tensor(Ref node, const c10::TypePtr& type);
  c10::Storage storage(const PickleNode& node);

  const ModelArchive& archive_;
  std::string record_;
  std::string tensors_;
  std::shared_ptr<torch::jit::CompilationUnit> unit_;
  FindClass find_class_;
  std::vector<std::string> place_;  // path of the current value: `conv1`, `weight`
  Made made_;
  std::set<std::pair<Ref, const c10::Type*>> making_;
  std::vector<c10::TypePtr> types_;      // keeps the types that made_ points to alive
  std::map<Ref, c10::TypePtr> untyped_;  // types of values whose declared type is Any
  std::map<std::string, c10::Storage> storages_;
  std::size_t count_ = 0;
};

}  // namespace binade::graph
