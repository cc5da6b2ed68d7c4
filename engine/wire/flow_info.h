// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace binade::wire {

/// A tensor that passes from one op call to another, or from an argument of forward to an op call.
struct EdgeInfo {
  int from = -1;                    ///< site; -1: an argument of forward
  int output = 0;                   ///< index among the results of `from`, or of the argument in ModelInfo::inputs
  int to = 0;                       ///< site; not after `from` only if a loop carries the tensor
  std::string argument;             ///< name in the schema of the op `to`: `input`, `tensors`; may be empty
  std::string value;                ///< name of the variable in the model's code; empty for a nameless one
  std::vector<std::int64_t> shape;  ///< -1: the size of the batch; empty: unknown, or a single number
  friend bool operator==(const EdgeInfo&, const EdgeInfo&) = default;
};

/// A branch or a loop of the model's code that contains op calls.
struct ControlInfo {
  enum class Kind : std::uint8_t { kIf, kElse, kLoop };
  Kind kind = Kind::kIf;
  int first = 0;       ///< its first site; the others follow it
  int count = 1;       ///< number of sites in it
  std::string path;    ///< module whose code has the statement; empty: the root
  std::string source;  ///< `model.py:42`; may be empty
  friend bool operator==(const ControlInfo&, const ControlInfo&) = default;
};

/// How tensors pass between the op calls of a model and its losses.
struct FlowInfo {
  std::vector<EdgeInfo> edges;
  std::vector<ControlInfo> blocks;  ///< outer ones precede inner ones
  friend bool operator==(const FlowInfo&, const FlowInfo&) = default;
};

/// A field of a FlowInfo that does not fit the model.
struct FlowMisfit {
  std::string field;  ///< `flow.edges[3].to`; empty: all fields fit
  std::string what;   ///< `is 7, and the model has 4 op calls`
};

/// Returns the first field that does not fit a model with that many sites.
FlowMisfit misfit_of(const FlowInfo& flow, std::size_t sites);

}  // namespace binade::wire
