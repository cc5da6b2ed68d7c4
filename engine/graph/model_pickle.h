// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace binade::graph {

/// A value in a pickle of torch.jit.save, as written: no object has been made from it yet.
struct PickleNode {
  using Ref = const PickleNode*;  ///< owned by the ModelPickle; several nodes may refer to one
  enum class Kind : std::uint8_t {
    kNone,
    kBool,     ///< number
    kInt,      ///< number
    kFloat,    ///< real
    kText,     ///< text
    kList,     ///< items
    kTuple,    ///< items
    kDict,     ///< items: key, value, key, ...
    kName,     ///< text: `__torch__.Net`
    kObject,   ///< text: its class; items: its state, if it was set
    kCall,     ///< text: the function; items: the arguments
    kStorage,  ///< text: the record under `data/`; storage_class; number: its element count
  };
  Kind kind = Kind::kNone;
  std::int64_t number = 0;
  double real = 0;
  std::string text = {};
  std::string storage_class = {};
  std::vector<Ref> items = {};
};

/// Name of a kind in messages: `a str`, `a list`.
std::string_view kind_name(PickleNode::Kind kind);

struct ModelPickle {
  std::deque<PickleNode> nodes;  ///< addresses are stable
  PickleNode::Ref root = nullptr;
};

/// Parses a pickle with the opcodes that TorchScript writes; calls nothing. `what` begins messages: the file and the
/// record. Throws Error{kBadFile} if the pickle is damaged or uses other opcodes.
ModelPickle read_model_pickle(std::string_view bytes, const std::string& what);

}  // namespace binade::graph
