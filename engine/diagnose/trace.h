// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/diagnose/float64_probe.h"
#include "engine/formats/tensor_stats.h"
#include "engine/graph/site_hook.h"
#include "engine/observe/values.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::diagnose {

/// A tensor's values at one time of a traced step.
struct TracedValue {
  enum class Origin : std::uint8_t {
    kCall,  ///< a site produced or wrote it
    kParameter,
    kBuffer,
    kData,     ///< an input or target of the batch
    kOutside,  ///< a constant, or the result of an op that is no site
  };
  Origin origin = Origin::kOutside;
  std::string name;  ///< of a parameter, buffer, input or target
  int call = -1;     ///< for kCall: index in Trace::calls()
  observe::Values seen;
  bool from_start = false;  ///< parameter or buffer: its non-finite values were there when training started
  bool rewritten = false;   ///< buffer: this step writes or replaces it
  int older = -1;           ///< for memory that a call wrote through another view: its previous value
};

/// A tensor among a call's arguments.
struct TracedUse {
  std::size_t argument = 0;             ///< index in the op's schema
  int value = 0;                        ///< index in Trace::values()
  std::optional<observe::Values> cast;  ///< the values after the cast on the way into the op, if there was one
  std::optional<MetPlaces> met;         ///< if the trace looks for lost values
};

/// A cast inside a composite op that made finite values non-finite.
struct TracedInnerCast {
  std::string what;  ///< `weight of aten::linear inside`
  observe::Values before;
  observe::Values after;
};

/// One execution of a site in forward.
struct TracedCall {
  const graph::Site* site = nullptr;
  int index = 0;                ///< of the site's executions in this forward
  int batch = 0;                ///< micro-batch of the step
  std::vector<TracedUse> uses;  ///< without an argument that it overwrites entirely, if that was not finite
  std::optional<TracedInnerCast> inner_cast;  ///< the first
  std::vector<int> results;                   ///< Trace::values()
  std::optional<std::size_t> converts;        ///< the argument that it converts to another dtype: an own cast
  std::optional<Lost> lost;                   ///< for results with zeros, if the trace looks for lost values
  std::optional<Lost> rounded_to_one;         ///< for results with ones, if the trace looks for lost values
  bool infinite_number = false;               ///< a plain number among the arguments is infinite: a fill
  std::vector<double> numbers;                ///< the plain numbers among the arguments
  bool ignores_statistics = false;            ///< a batch norm in train mode, which only writes its statistics
  /// For non-finite results without a NaN among the arguments: the non-finite values in float64, or before rounding to
  /// the format. nullopt: the op does not run in float64, or memory
  /// ran out.
  std::optional<NonFinite> in_float64;
  std::optional<graph::Rounding> rounding;  ///< for float32 results that emulate another format
};

/// A gradient before rounding to float16 or bfloat16. Censored if measured after rounding.
struct TracedLowered {
  formats::TensorStats before;
  formats::Format to;
  bool all_lost = false;  ///< censored and all zeros although the incoming gradient was not
};

/// One autograd node of the traced step, as run by backward.
struct TracedNode {
  enum class Part : std::uint8_t {
    kCast,       ///< the cast of an argument
    kOp,         ///< the op's own backward
    kResult,     ///< the rounding of a result
    kParameter,  ///< accumulates a parameter's gradient
    kOutside,    ///< outside of every site: the loss's weights and scale
  };
  struct Edge {
    int node = -1;  ///< index in Trace::nodes(); -1: none
    std::size_t input = 0;
  };
  Part part = Part::kOutside;
  int call = -1;                       ///< index in Trace::calls()
  std::size_t argument = 0;            ///< for kCast
  std::string inside;                  ///< for kCast inside a composite op: `weight of aten::linear inside`
  std::string parameter;               ///< for kParameter
  int order = -1;                      ///< position in backward's execution order; -1: did not run
  std::vector<Edge> edges;             ///< targets of the outgoing gradients
  std::vector<observe::Values> in;     ///< incoming gradients, summed over all uses
  std::vector<observe::Values> out;    ///< outgoing gradients; count 0: none
  bool sum_finite = true;              ///< for kParameter: the gradient after accumulation is finite
  std::vector<TracedLowered> lowered;  ///< after measure_lowered(): outgoing gradients in a lower format
  /// After measure_lowered(), a scan of the sum of finite gradients that meet in a lower format.
  std::optional<formats::TensorStats> sum;
  formats::Format sum_in;
  /// For the rounding of a gradient to an emulated format: that format, which may be that of another op call.
  std::optional<formats::Format> rounds_to;
};

/// Records a whole step: values at every call, casts of arguments, and gradients into and out of every autograd node.
/// Meant for a replay, since it synchronises with the device for every tensor. Nest hook() outside of Autocast.
///
/// Keeps no tensor alive except named parameters. Forward must run on one thread; backward may run on others.
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Names a tensor that comes from outside. Name all of them before the step. `from_start`: see TracedValue.
  void name(const at::Tensor& tensor, TracedValue::Origin origin, const std::string& name, bool from_start = false);
  /// The step has replaced the named `tensor` by another one.
  void replaced(const at::Tensor& tensor);

  /// From now on detects values that became 0 in the format of an op call's result. Reruns such calls in float64.
  void detect_lost_values();

  /// From now on measures gradients that leave a node in a lower format before rounding, at Depth::kWhatIf, and scans
  /// those that arrive in one. Reruns such nodes' functions.
  void measure_lowered();

  /// Starts the next micro-batch.
  void begin_batch();
  graph::SiteHook* hook();

  /// Records a cast inside the composite op that is running.
  void cast_inside(const std::string& op, const std::string& argument, const at::Tensor& from, const at::Tensor& to);

  /// Records the result of a loss, before weights and scale.
  void loss(const at::Tensor& loss);
  /// Call before backward from `root`: hooks every node reachable from there.
  void before_backward(const at::Tensor& root);

  const std::vector<TracedValue>& values() const;
  const std::vector<TracedCall>& calls() const;
  const std::vector<TracedNode>& nodes() const;
  const std::vector<int>& losses() const;  ///< values(); one for each loss and micro-batch
  /// Returns the index in values() of what `tensor` holds after the step.
  int value_of(const at::Tensor& tensor);
  /// Returns the first op call for whose run in float64 memory ran out, so that what it gives there is not known; empty
  /// if there is none.
  const std::string& out_of_memory_at() const;

 private:
  struct State;
  class Hook;
  class NodeHook;
  std::shared_ptr<State> state_;  ///< shared with the hooks on this step's nodes
  std::unique_ptr<Hook> hook_;
};

}  // namespace binade::diagnose
