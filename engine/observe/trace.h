// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/tensor_stats.h"
#include "engine/graph/site_hook.h"
#include "engine/observe/float64_probe.h"
#include "engine/observe/values.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binade::observe {

/// A tensor as it stood at one time of a traced step.
struct TracedValue {
  enum class Origin : std::uint8_t {
    kCall,  ///< a site made or wrote it
    kParameter,
    kBuffer,
    kData,     ///< an input or target of the batch
    kOutside,  ///< a constant, or made by an op that is no site
  };
  Origin origin = Origin::kOutside;
  std::string name;  ///< of a parameter, buffer, input or target
  int call = -1;     ///< Trace::calls() of kCall
  Values seen;
  bool from_start = false;  ///< of a parameter or buffer: what is not finite in it was so when training began
  bool rewritten = false;   ///< of a buffer: this step writes it, or puts another in its place
  int older = -1;           ///< of memory that a call wrote through another view: what it held before
};

/// A tensor among a call's arguments.
struct TracedUse {
  std::size_t argument = 0;    ///< position in the op's schema
  int value = 0;               ///< Trace::values()
  std::optional<Values> cast;  ///< as the op got it, where it was cast on the way in
  /// Where the trace looks for lost values.
  std::optional<MetPlaces> met;
};

/// A cast inside a composite op that finite values did not survive.
struct TracedInnerCast {
  std::string what;  ///< `weight of aten::linear inside`
  Values before;
  Values after;
};

/// One execution of a site, forward.
struct TracedCall {
  const graph::Site* site = nullptr;
  int index = 0;                              ///< of the site's executions in this forward
  int batch = 0;                              ///< micro-batch of the step
  std::vector<TracedUse> uses;                ///< not of what it overwrites whole, if that was not finite
  std::optional<TracedInnerCast> inner_cast;  ///< the first
  std::vector<int> results;                   ///< Trace::values()
  std::optional<std::size_t> converts;        ///< the argument whose values it gives in another dtype: an own cast
  std::optional<Lost> lost;                   ///< of results with zeros, where the trace looks for that
  std::optional<Lost> rounded_to_one;         ///< of results with ones, where the trace looks for lost values
  bool infinite_number = false;               ///< a plain number among the arguments is infinite: a fill
  std::vector<double> numbers;                ///< the plain numbers among the arguments
  bool ignores_statistics = false;            ///< a batch norm in train mode, which only writes them
  /// Of results that are not finite although no argument holds a NaN: what is not finite in float64, or was not before
  /// they were rounded to their format. Nothing: the op does not run in float64.
  std::optional<NonFinite> in_float64;
  std::optional<graph::Rounding> rounding;  ///< of float32 results that stand for another format
};

/// A gradient before it was rounded to float16 or bfloat16. Censored: seen after that.
struct TracedLowered {
  formats::TensorStats before;
  formats::Format to;
  bool all_lost = false;  ///< censored, and nothing but 0 although what came in was not
};

/// One autograd node of the traced step, as backward ran it.
struct TracedNode {
  enum class Part : std::uint8_t {
    kCast,       ///< the cast of an argument
    kOp,         ///< the op's own backward
    kResult,     ///< the rounding of a result
    kParameter,  ///< where a parameter's gradient adds up
    kOutside,    ///< made outside of every site: the loss's weights and scale
  };
  struct Edge {
    int node = -1;  ///< Trace::nodes(); -1: leads nowhere
    std::size_t input = 0;
  };
  Part part = Part::kOutside;
  int call = -1;             ///< Trace::calls()
  std::size_t argument = 0;  ///< of kCast
  std::string inside;        ///< of kCast, where it was made inside a composite op: `weight of aten::linear inside`
  std::string parameter;     ///< of kParameter
  int order = -1;            ///< place in backward's order; -1: it did not run
  std::vector<Edge> edges;   ///< where what goes out leads
  std::vector<Values> in;    ///< gradients that came in, sums of all uses
  std::vector<Values> out;   ///< gradients that went out; count 0: none
  bool sum_finite = true;    ///< of kParameter: the gradient after what came in was added
  std::vector<TracedLowered> lowered;  ///< where the trace measures what goes out in a lower format
  /// And, where finite gradients meet in a lower format, a scan of their sum.
  std::optional<formats::TensorStats> sum;
  formats::Format sum_in;
};

/// Looks at everything of one step: values at every call, casts of arguments, gradients into and out of every autograd
/// node. Made for a replay: it waits for the device at every tensor. Put outer() before Autocast and inner() behind it:
///
///     std::array<graph::SiteHook*, 3> hooks{trace.outer(), &autocast, trace.inner()};
///
/// Keeps no tensor alive. Forward on one thread; backward may run on others.
class Trace {
 public:
  Trace();
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Names a tensor that comes from outside. Tell all before the step. `from_start`: TracedValue's.
  void name(const at::Tensor& tensor, TracedValue::Origin origin, const std::string& name, bool from_start = false);
  /// The step has put another tensor in the place of one that name() told.
  void replaced(const at::Tensor& tensor);

  /// From now on looks for values that became 0 in the format of an op call's result. Such a call runs again for that.
  void look_for_lost();

  /// From now on measures gradients that leave a node in a lower format, before they are rounded to it and close enough
  /// for any scale, and scans those that arrive in one. Such a node's function runs again for that.
  void measure_lowered();

  /// A further micro-batch begins.
  void begin_batch();
  graph::SiteHook* outer();
  graph::SiteHook* inner();

  /// A cast was made inside the composite op that runs.
  void cast_inside(const std::string& op, const std::string& argument, const at::Tensor& from, const at::Tensor& to);

  /// The result of a loss, before weights and scale.
  void loss(const at::Tensor& loss);
  /// Backward will start from `root`: looks at every node from there on. `parameters` as name() has them.
  void before_backward(const at::Tensor& root);

  const std::vector<TracedValue>& values() const;
  const std::vector<TracedCall>& calls() const;
  const std::vector<TracedNode>& nodes() const;
  const std::vector<int>& losses() const;  ///< values(); one for each loss and micro-batch
  /// values(): what `tensor` holds now, after the step.
  int value_of(const at::Tensor& tensor);

 private:
  struct State;
  class Outer;
  class Inner;
  class NodeHook;
  std::shared_ptr<State> state_;  ///< shared with the hooks on this step's nodes
  std::unique_ptr<Outer> outer_;
  std::unique_ptr<Inner> inner_;
};

}  // namespace binade::observe
