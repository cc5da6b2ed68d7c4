// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/files/bytes.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace binade::files {

/// A value that Python pickled: a plain one, or a tensor.
struct PickleValue {
  using Ref = const PickleValue*;  ///< owned by the Pickle; several may hold the same, and a list may hold itself
  struct None {};
  struct List {
    std::vector<Ref> items;
  };
  struct Tuple {
    std::vector<Ref> items;
  };
  struct Dict {  ///< OrderedDict too, in order
    std::vector<std::pair<Ref, Ref>> items;
  };
  struct Global {  ///< a name of Python: one of those allowed
    std::string name;
  };
  struct Storage {
    Bytes bytes;
    at::ScalarType dtype = at::kByte;
  };
  std::variant<None, bool, std::int64_t, double, std::string, List, Tuple, Dict, Global, Storage, at::Tensor> value;
};

/// What a pickle stream holds.
struct Pickle {
  std::deque<PickleValue> values;  ///< stay where they are
  PickleValue::Ref root = nullptr;
};

/// How a storage's bytes are found by the key under which the pickle refers to them.
using FindStorage = std::function<Bytes(const std::string& key)>;

/// Reads a pickle of protocol 2 to 5 by building plain values and tensors, and calls nothing: of Python's names only
/// those of OrderedDict, of tensors and their storages and dtypes, torch.Size and torch.device are known, and what they
/// would do is done here. `what` begins messages. Throws Error{kUnsafe} naming any other name, Error{kBadFile} for a
/// stream that is damaged or uses what tensors do not need.
Pickle read_pickle(const Bytes& stream, const FindStorage& storage, const std::string& what);

/// The tensors in a pickle with their paths: dictionary keys and list positions joined by dots, `model.fc.weight`,
/// `[0]` as `0`; a lone tensor has an empty path. Throws Error{kBadFile} where values nest endlessly.
std::vector<std::pair<std::string, at::Tensor>> tensors_in(const Pickle& pickle, const std::string& what);

}  // namespace binade::files
