// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/wire/flow_info.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace binade::wire {

/// One op call of the flattened graph, as the explorer shows it. `id` indexes every per-site table of a run.
struct SiteInfo {
  int id = 0;
  policy::SiteKey key;
  std::string source;     ///< `file.py:42`; empty if the model has no debug information for it
  std::string list_rule;  ///< rule of the list in force there: `lower`, `fp32`, `promote`, ..., kInside; empty: none
  bool view = false;      ///< returns a view of an argument
  bool in_place = false;  ///< writes an argument
  bool in_loop = false;   ///< one forward may run it more than once
  bool inside = false;    ///< its kernel calls ops that some list may name; see policy::SitePlace
  int own_block = -1;     ///< innermost enclosing block, as index in ModelInfo::own_blocks; -1: none
  friend bool operator==(const SiteInfo&, const SiteInfo&) = default;
};

/// An autocast block in the model's own code; see policy::OwnBlock.
struct OwnBlockInfo {
  std::string list;                    ///< base list of its device: `cuda-amp`; empty: the device of the tensors
  std::optional<formats::Format> low;  ///< empty: as around the block
  bool enabled = true;
  std::optional<bool> cache_enabled;
  std::string source;  ///< `model.py:12`; may be empty
  int outer = -1;      ///< index of the enclosing block, which precedes this one in the list; -1: none
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
  std::string default_value;  ///< TorchScript text; empty if the argument is required
  /// A SPEC (dtype and shape) that the layers accept, with the batch as the letter N: `float32[N,3,32,32]`. Empty:
  /// unknown.
  std::optional<std::string> guess = {};
  std::optional<std::string> guess_from = {};  ///< the weights that it was derived from: `conv1.weight [16,3,3,3]`
  friend bool operator==(const ArgumentInfo&, const ArgumentInfo&) = default;
};

/// Description of a model file, as `inspect` reports it.
struct ModelInfo {
  std::string file;
  std::string type;  ///< root class, without mangling
  std::vector<SiteInfo> sites;
  std::vector<OwnBlockInfo> own_blocks;
  std::vector<TensorInfo> parameters;
  std::vector<TensorInfo> buffers;
  std::vector<ArgumentInfo> inputs;
  std::string output;                 ///< TorchScript type of forward's result
  std::vector<std::string> warnings;  ///< sentences: frozen, traced in train mode, device constants, ...
  std::optional<FlowInfo> flow = {};  ///< empty: unknown, as in run files of earlier versions
  friend bool operator==(const ModelInfo&, const ModelInfo&) = default;
};

/// SiteInfo::list_rule of an op that no list names, but whose kernel calls ops that lists name.
inline constexpr const char* kInside = "inside";

/// Positions of a model's sites, for policy::resolve(). Keeps copies of what it needs of the model's description.
class SitePlaces {
 public:
  explicit SitePlaces(const ModelInfo& model);
  std::span<const policy::SitePlace> places() const { return places_; }

 private:
  std::vector<std::unique_ptr<policy::OwnBlock>> blocks_;  // at fixed addresses, because they point to each other
  std::vector<policy::SitePlace> places_;
};

}  // namespace binade::wire
