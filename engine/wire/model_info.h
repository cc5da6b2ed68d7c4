// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace binade::wire {

/// One op call of the flattened graph, as the explorer sees it. `id` indexes every per-site table of a run.
struct SiteInfo {
  int id = 0;
  policy::SiteKey key;
  std::string source;     ///< `file.py:42` where the model's debug information tells it, else empty
  std::string list_rule;  ///< what the base list says of the op: `lower`, `fp32`, `promote`, ..., kInside, or empty
  bool view = false;      ///< returns a view of an argument
  bool in_place = false;  ///< writes an argument
  bool in_loop = false;   ///< one forward may run it more than once
  int own_block = -1;     ///< the innermost of ModelInfo::own_blocks around it; -1: none
  friend bool operator==(const SiteInfo&, const SiteInfo&) = default;
};

/// An autocast block that the model carries in its own code; see policy::OwnBlock.
struct OwnBlockInfo {
  std::string list;                    ///< the base list of its device, `cuda-amp`; empty: whatever the tensors are on
  std::optional<formats::Format> low;  ///< absent: as around it
  bool enabled = true;
  std::optional<bool> cache_enabled;
  std::string source;  ///< `model.py:12`; may be empty
  int outer = -1;      ///< the block around this one, which stands before it in the list; -1: none
  friend bool operator==(const OwnBlockInfo&, const OwnBlockInfo&) = default;
};

struct TensorInfo {
  std::string name;   ///< `layer1.0.conv1.weight`
  std::string dtype;  ///< `float32`
  std::vector<std::int64_t> shape;
  bool trainable = false;
  friend bool operator==(const TensorInfo&, const TensorInfo&) = default;
};

struct ArgumentInfo {
  std::string name;
  std::string type;           ///< TorchScript type, `Tensor`, `Optional[Tensor]`, `int`
  std::string default_value;  ///< TorchScript text; empty where the argument must be given
  /// A SPEC that the layers take, whose batch is the letter N: `float32[N,3,32,32]`. Nothing where none tells.
  std::optional<std::string> guess = {};
  std::optional<std::string> guess_from = {};  ///< the weights that say so: `conv1.weight [16,3,3,3]`
  friend bool operator==(const ArgumentInfo&, const ArgumentInfo&) = default;
};

/// What `inspect` finds out about a model file.
struct ModelInfo {
  std::string file;
  std::string type;  ///< the root class, without mangling
  std::vector<SiteInfo> sites;
  std::vector<OwnBlockInfo> own_blocks;
  std::vector<TensorInfo> parameters;
  std::vector<TensorInfo> buffers;
  std::vector<ArgumentInfo> inputs;
  std::string output;                 ///< TorchScript type of what forward returns
  std::vector<std::string> warnings;  ///< whole sentences: frozen, traced in train mode, device constants, ...
  friend bool operator==(const ModelInfo&, const ModelInfo&) = default;
};

/// The list_rule of an op that no list names and that is made of other ops, each of which goes by the list.
inline constexpr const char* kInside = "inside";

/// Where a model's sites stand, as policy::resolve() takes it. Holds what it needs of the model's description.
class SitePlaces {
 public:
  explicit SitePlaces(const ModelInfo& model);
  std::span<const policy::SitePlace> places() const { return places_; }

 private:
  std::vector<std::unique_ptr<policy::OwnBlock>> blocks_;  // at fixed addresses: they point to each other
  std::vector<policy::SitePlace> places_;
};

}  // namespace binade::wire
