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

/// A value of a Python pickle: a plain value or a tensor.
struct PickleValue {
  using Ref = const PickleValue*;  ///< owned by the Pickle; may be shared, and a list may contain itself
  struct None {};
  struct List {
    std::vector<Ref> items;
  };
  struct Tuple {
    std::vector<Ref> items;
  };
  struct Dict {  ///< or OrderedDict; in order
    std::vector<std::pair<Ref, Ref>> items;
  };
  struct Global {  ///< an allowed name of Python
    std::string name;
  };
  struct Storage {
    Bytes bytes;
    at::ScalarType dtype = at::kByte;
  };
  std::variant<None, bool, std::int64_t, double, std::string, List, Tuple, Dict, Global, Storage, at::Tensor> value;
};

/// Content of a pickle stream.
struct Pickle {
  std::deque<PickleValue> values;  ///< addresses are stable
  PickleValue::Ref root = nullptr;
};

/// Returns a storage's bytes by its key in the pickle.
using FindStorage = std::function<Bytes(const std::string& key)>;

/// Parses a pickle of protocol 2 to 5 into plain values and tensors; calls nothing. The only known names are those of
/// OrderedDict, of tensors, their storages and dtypes, of torch.Size and of torch.device; this reader implements them
/// itself. `what` begins messages. Throws Error{kUnsafe} for any other name, and Error{kBadFile} if the stream is
/// damaged or uses features that tensors do not need.
Pickle read_pickle(const Bytes& stream, const FindStorage& storage, const std::string& what);

/// Returns the tensors of a pickle with their paths: dictionary keys and list indices joined by dots, such as
/// `model.fc.weight`; the path of `[0]` is `0`, and that of a lone tensor is empty. Throws Error{kBadFile} if values
/// nest without end.
std::vector<std::pair<std::string, at::Tensor>> tensors_in(const Pickle& pickle, const std::string& what);

}  // namespace binade::files
