// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/trace.h"

#include "engine/autocast/rounded_gradient.h"
#include "engine/diagnose/gradient_formats.h"
#include "engine/diagnose/traced_values.h"
#include "engine/graph/failure.h"
#include "engine/observe/own_cast.h"

#include <ATen/SequenceNumber.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <span>
#include <unordered_map>
#include <utility>

namespace binade::diagnose {

namespace {

using torch::autograd::Node;
using torch::autograd::variable_list;

bool is_infinite_number(const c10::IValue& value) {
  return (value.isDouble() && std::isinf(value.toDouble())) ||
         (value.isScalar() && value.toScalar().isFloatingPoint() && std::isinf(value.toScalar().toDouble()));
}

/// Returns whether the call is a batch norm in train mode, which normalises with the batch's own statistics.
bool ignores_statistics(const graph::Call& call) {
  if (call.site.op.find("batch_norm") == std::string::npos) return false;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    const std::string& name = call.site.argument_names[i];
    if ((name == "training" || name == "train") && call.argument(i).isBool()) return call.argument(i).toBool();
  }
  return false;
}

std::string name_inside(const std::string& op, const std::string& argument) {
  return argument + " of " + op + " inside";
}

}  // namespace

struct Trace::State {
  /// Sequence numbers of the autograd nodes that a call created: casts [first, cast), op [cast, op), result [op, last).
  struct Numbers {
    std::uint64_t first, cast, op, last;
    int call;
    std::vector<std::pair<const Node*, std::size_t>> casts;        ///< with the argument of each
    std::vector<std::pair<const Node*, std::string>> inner_casts;  ///< inside a composite op, with TracedNode::inside
  };
  struct Frame {
    std::vector<std::pair<std::size_t, at::Tensor>> arguments;  ///< before the casts, kept while the call runs
    std::vector<std::int64_t> versions;
    int call = 0;
    Numbers numbers{};
    Float64Probe probe;
  };

  std::mutex mutex;
  bool closed = false;
  bool measures_lowered = false;
  bool looks_for_lost = false;
  TracedValues values;
  std::vector<TracedCall> calls;
  std::vector<TracedNode> nodes;
  std::vector<int> losses;
  std::vector<Numbers> made;  ///< ascending, of this micro-batch
  std::vector<Frame> frames;
  int batch = -1;
  int ran = 0;
  int round = 0;  ///< number of the backward; with a scale per loss a graph runs several times
  /// Accumulators are identified through the parameters; other nodes live as long as the graph.
  std::unordered_map<const Node*, std::pair<std::string, at::Tensor>> parameters;
  std::vector<std::pair<std::string, at::Tensor>> named_parameters;
  std::string out_of_memory_at;  ///< the first op call for whose run in float64 memory ran out

  /// Runs `question`, which asks a call's probe. If memory runs out, its answer stays unknown and the trace goes on,
  /// since the step itself has room. Other exceptions are passed on.
  template <class Question>
  void ask(const graph::Call& call, const Question& question) {
    try {
      question();
    } catch (const std::exception& error) {
      if (!graph::is_out_of_memory(error)) throw;
      if (out_of_memory_at.empty()) out_of_memory_at = call.site.key.name();
    }
  }

  void before(graph::Call& call) {
    Frame frame;
    frame.call = static_cast<int>(calls.size());
    TracedCall traced;
    traced.site = &call.site;
    traced.index = call.index;
    traced.batch = std::max(batch, 0);
    traced.ignores_statistics = ignores_statistics(call);
    for (std::size_t i = 0; i < call.site.inputs; ++i) {
      const c10::IValue& argument = call.argument(i);
      traced.infinite_number = traced.infinite_number || is_infinite_number(argument);
      if (argument.isDouble() || argument.isScalar()) {
        const c10::Scalar number = argument.toScalar();
        if (!number.isComplex() && !number.isBoolean()) traced.numbers.push_back(number.toDouble());
      }
      observe::each_tensor(argument, [&](const at::Tensor& tensor) {
        traced.uses.push_back({i, values.of(tensor), std::nullopt, std::nullopt});
        frame.arguments.emplace_back(i, tensor);
        frame.versions.push_back(tensor.is_inference() ? 0 : tensor._version());
      });
    }
    frame.numbers.first = at::sequence_number::peek();
    frame.numbers.call = frame.call;
    calls.push_back(std::move(traced));
    frames.push_back(std::move(frame));
  }

  /// Records the nodes of an argument's casts. An emulated op's argument has two, to the format and back.
  static void note_casts(Numbers& numbers, const Node* node, std::size_t argument) {
    while (node != nullptr) {
      numbers.casts.emplace_back(node, argument);
      const auto& next = node->next_edges();
      node = next.size() == 1 ? next.front().function.get() : nullptr;
      if (node != nullptr && (node->sequence_nr() < numbers.first || node->sequence_nr() >= numbers.cast)) return;
    }
  }

  void before_op(graph::Call& call) {
    Frame& frame = frames.back();
    frame.numbers.cast = at::sequence_number::peek();
    std::size_t use = 0;
    TracedCall& traced = calls[static_cast<std::size_t>(frame.call)];
    for (std::size_t i = 0; i < call.site.inputs; ++i) {
      observe::each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
        if (use >= frame.arguments.size()) return;
        if (!tensor.is_same(frame.arguments[use].second)) {
          traced.uses[use].cast = observe::look_at(tensor);
          if (tensor.requires_grad()) {
            note_casts(frame.numbers, torch::autograd::impl::gradient_edge(tensor).function.get(), i);
          }
        }
        ++use;
      });
    }
    frame.probe.keep(call);
  }

  void after_op(graph::Call& call) {
    Frame& frame = frames.back();
    frame.numbers.op = at::sequence_number::peek();
    TracedCall& traced = calls[static_cast<std::size_t>(frame.call)];
    traced.rounding = call.rounding;
    drop_overwritten(call, traced, frame);
    note_conversion(call, traced);
    if (traced.converts) {
      // Its values equal those of the argument, in any format.
      const observe::Values& source = source_of(traced);
      traced.in_float64 = NonFinite{source.nan, source.positive_infinity, source.negative_infinity, source.largest, {}};
      return;
    }
    if (results_finite(call)) {
      traced.in_float64 = NonFinite{};  // any infinity after this comes from rounding
      return;
    }
    const auto finite = [&](const TracedUse& use) {
      const observe::Values& seen = use.cast ? *use.cast : values.all()[static_cast<std::size_t>(use.value)].seen;
      return seen.nan == 0;
    };
    if (!std::all_of(traced.uses.begin(), traced.uses.end(), finite)) return;
    ask(call, [&] { traced.in_float64 = frame.probe.run(call); });
  }

  /// Removes arguments that the call overwrites entirely, since their values have no effect.
  void drop_overwritten(const graph::Call& call, TracedCall& traced, Frame& frame) {
    std::erase_if(traced.uses, [&](const TracedUse& use) {
      if (call.site.roles[use.argument] != graph::Role::kWritten) return false;
      const observe::Values& held = values.all()[static_cast<std::size_t>(use.value)].seen;
      const bool matters = !held.finite() || (looks_for_lost && held.zeros > 0);
      bool overwritten = false;
      if (matters) ask(call, [&] { overwritten = frame.probe.take_overwritten(call, use.argument); });
      return overwritten;
    });
  }

  /// Whether the call gives the values of an argument in another dtype.
  void note_conversion(const graph::Call& call, TracedCall& traced) const {
    const auto argument = observe::converted_argument(call.site);
    if (!argument || call.site.outputs == 0 || !call.result(0).isTensor()) return;
    const auto use = std::find_if(traced.uses.begin(), traced.uses.end(),
                                  [&](const TracedUse& each) { return each.argument == *argument; });
    if (use == traced.uses.end()) return;
    const at::Tensor& result = call.result(0).toTensor();
    const observe::Values& source = use->cast ? *use->cast : values.all()[static_cast<std::size_t>(use->value)].seen;
    if (result.defined() && result.is_floating_point() && result.scalar_type() != source.dtype) {
      traced.converts = *argument;
    }
  }
  const observe::Values& source_of(const TracedCall& traced) const {
    const auto use = std::find_if(traced.uses.begin(), traced.uses.end(),
                                  [&](const TracedUse& each) { return each.argument == *traced.converts; });
    return use->cast ? *use->cast : values.all()[static_cast<std::size_t>(use->value)].seen;
  }

  Lost lost_by(const graph::Call& call, const TracedCall& traced, const Frame& frame) const {
    if (!traced.converts) return call.site.view ? Lost{} : frame.probe.lost(call);
    Lost lost;
    const observe::Values& source = source_of(traced);
    const observe::Values made = observe::look_at(call.result(0).toTensor());
    if (made.zeros <= source.zeros || made.count != source.count) return lost;
    lost.count = made.zeros - source.zeros;
    lost.of = made.count;
    lost.largest = source.smallest;  // a lower bound
    if (source.count == 1) lost.constant = source.largest;
    return lost;
  }

  void detect_lost(const graph::Call& call, TracedCall& traced, const Frame& frame) const {
    if (Lost lost = lost_by(call, traced, frame); lost.count > 0) traced.lost = lost;
    if (!call.site.view || traced.converts) {
      if (Lost lost = frame.probe.rounded_to_one(call); lost.count > 0) traced.rounded_to_one = lost;
    }
    const auto met = frame.probe.met_places(call);
    for (TracedUse& use : traced.uses) use.met = met[use.argument];
  }

  void after(graph::Call& call) {
    Frame frame = std::move(frames.back());
    frames.pop_back();
    frame.numbers.last = at::sequence_number::peek();
    if (frame.numbers.last > frame.numbers.first) made.push_back(frame.numbers);
    TracedCall& traced = calls[static_cast<std::size_t>(frame.call)];
    if (looks_for_lost) ask(call, [&] { detect_lost(call, traced, frame); });
    for (std::size_t i = 0; i < call.site.outputs; ++i) {
      observe::each_tensor(
          call.result(i), [&](const at::Tensor& tensor) { traced.results.push_back(values.made(tensor, frame.call)); });
    }
    for (std::size_t i = 0; i < frame.arguments.size(); ++i) {
      const at::Tensor& tensor = frame.arguments[i].second;
      if (!tensor.is_inference() && tensor._version() != frame.versions[i]) values.made(tensor, frame.call);
    }
  }

  static bool results_finite(const graph::Call& call) {
    bool finite = true;
    for (std::size_t i = 0; i < call.site.outputs; ++i) {
      observe::each_tensor(call.result(i),
                           [&](const at::Tensor& tensor) { finite = finite && observe::all_finite(tensor); });
    }
    return finite;
  }

  /// Identifies a node's call and part by its sequence number.
  TracedNode described(const Node& node) const {
    TracedNode traced;
    if (const auto parameter = parameters.find(&node); parameter != parameters.end()) {
      traced.part = TracedNode::Part::kParameter;
      traced.parameter = parameter->second.first;
      return traced;
    }
    const std::uint64_t number = node.sequence_nr();
    const auto next = std::upper_bound(made.begin(), made.end(), number,
                                       [](std::uint64_t n, const Numbers& numbers) { return n < numbers.first; });
    if (next == made.begin()) return traced;
    const Numbers& numbers = *std::prev(next);
    if (number >= numbers.last) return traced;
    traced.call = numbers.call;
    traced.part = number < numbers.cast ? TracedNode::Part::kCast
                  : number < numbers.op ? TracedNode::Part::kOp
                                        : TracedNode::Part::kResult;
    for (const auto& [cast, argument] : numbers.casts) {
      if (cast == &node) traced.argument = argument;
    }
    for (const auto& [cast, inside] : numbers.inner_casts) {
      if (cast != &node) continue;
      traced.part = TracedNode::Part::kCast;
      traced.inside = inside;
    }
    return traced;
  }

  void ran_node(std::size_t id, int in_round, Node& function, const variable_list& out, const variable_list& in) {
    const std::lock_guard lock(mutex);
    if (closed || in_round != round) return;
    TracedNode& node = nodes[id];
    node.order = ran++;
    const auto look = [](const variable_list& tensors, std::vector<observe::Values>& seen) {
      seen.clear();
      for (const at::Tensor& tensor : tensors)
        seen.push_back(tensor.defined() ? observe::look_at(tensor) : observe::Values{});
    };
    look(in, node.in);
    look(out, node.out);
    node.sum.reset();
    for (const at::Tensor& arrived : in) {
      if (measures_lowered) scan_sum(arrived, node);
    }
    if (measures_lowered) diagnose::measure_lowered(function, in, out, node);
    if (node.part != TracedNode::Part::kParameter) return;
    for (const auto& [name, parameter] : named_parameters) {
      if (name == node.parameter && parameter.grad().defined()) node.sum_finite = observe::all_finite(parameter.grad());
    }
  }
};

class Trace::Hook : public graph::SiteHook {
 public:
  explicit Hook(State& state) : state_(state) {}
  bool observes_casts() const override { return true; }
  void before(graph::Call& call) override { state_.before(call); }
  void cast(graph::Call& call, std::span<const c10::IValue> /*came*/) override { state_.before_op(call); }
  void ran(graph::Call& call) override { state_.after_op(call); }
  void after(graph::Call& call) override { state_.after(call); }
  void failed(graph::Call& /*call*/, const std::exception& /*error*/) override { state_.frames.pop_back(); }

 private:
  State& state_;
};

/// Hook on one node that records its incoming and outgoing gradients.
class Trace::NodeHook : public torch::autograd::FunctionPostHook {
 public:
  NodeHook(std::shared_ptr<State> state, std::size_t node, Node& function, int round)
      : state_(std::move(state)), node_(node), function_(function), round_(round) {}
  variable_list operator()(const variable_list& out, const variable_list& in) override {
    state_->ran_node(node_, round_, function_, out, in);
    return out;
  }

 private:
  std::shared_ptr<State> state_;
  std::size_t node_;
  Node& function_;  ///< owns this hook
  int round_;
};

Trace::Trace() : state_(std::make_shared<State>()), hook_(std::make_unique<Hook>(*state_)) {}

Trace::~Trace() {
  const std::lock_guard lock(state_->mutex);
  state_->closed = true;
}

void Trace::name(const at::Tensor& tensor, TracedValue::Origin origin, const std::string& name, bool from_start) {
  state_->values.name(tensor, origin, name, from_start);
  if (origin == TracedValue::Origin::kParameter && tensor.requires_grad()) {
    state_->named_parameters.emplace_back(name, tensor);
  }
}

void Trace::replaced(const at::Tensor& tensor) {
  state_->values.rewritten(tensor);
}

void Trace::detect_lost_values() {
  state_->looks_for_lost = true;
}

void Trace::measure_lowered() {
  state_->measures_lowered = true;
}

void Trace::begin_batch() {
  ++state_->batch;
  state_->made.clear();
  state_->frames.clear();
}

graph::SiteHook* Trace::hook() {
  return hook_.get();
}

void Trace::cast_inside(const std::string& op, const std::string& argument, const at::Tensor& from,
                        const at::Tensor& to) {
  if (state_->frames.empty()) return;
  State::Frame& frame = state_->frames.back();
  if (to.requires_grad() && !to.is_leaf()) {
    frame.numbers.inner_casts.emplace_back(torch::autograd::impl::gradient_edge(to).function.get(),
                                           name_inside(op, argument));
  }
  TracedCall& call = state_->calls[static_cast<std::size_t>(frame.call)];
  if (call.inner_cast || observe::all_finite(to)) return;
  TracedInnerCast cast{name_inside(op, argument), observe::look_at(from), observe::look_at(to)};
  const bool kept = cast.before.nan == cast.after.nan && cast.before.infinite() == cast.after.infinite();
  if (!kept && cast.before.nan == 0) call.inner_cast = std::move(cast);
}

void Trace::loss(const at::Tensor& loss) {
  int value = state_->values.of(loss);
  // The loss may be another view of the last call's result.
  const auto& all = state_->values.all();
  if (all[static_cast<std::size_t>(value)].origin == TracedValue::Origin::kOutside && !state_->calls.empty() &&
      !state_->calls.back().results.empty()) {
    value = state_->calls.back().results.back();
  }
  state_->losses.push_back(value);
}

void Trace::before_backward(const at::Tensor& root) {
  const std::lock_guard lock(state_->mutex);
  ++state_->round;
  state_->parameters.clear();
  for (const auto& [name, parameter] : state_->named_parameters) {
    state_->parameters.emplace(torch::autograd::impl::grad_accumulator(parameter).get(),
                               std::make_pair(name, parameter));
  }
  std::unordered_map<const Node*, int> ids;
  std::vector<std::shared_ptr<Node>> open;
  const auto id_of = [&](const std::shared_ptr<Node>& node) {
    const auto [entry, is_new] = ids.try_emplace(node.get(), static_cast<int>(state_->nodes.size()));
    if (is_new) {
      state_->nodes.push_back(state_->described(*node));
      state_->nodes.back().rounds_to = autocast::gradient_rounded_to(*node);
      open.push_back(node);
    }
    return entry->second;
  };
  if (root.grad_fn() == nullptr) return;
  id_of(root.grad_fn());
  while (!open.empty()) {
    const std::shared_ptr<Node> node = std::move(open.back());
    open.pop_back();
    const auto id = static_cast<std::size_t>(ids.at(node.get()));
    std::vector<TracedNode::Edge> edges;
    for (const torch::autograd::Edge& edge : node->next_edges()) {
      if (edge.function == nullptr) {
        edges.push_back({});
      } else {
        edges.push_back({id_of(edge.function), edge.input_nr});
      }
    }
    state_->nodes[id].edges = std::move(edges);
    node->add_post_hook(std::make_unique<NodeHook>(state_, id, *node, state_->round));
  }
}

const std::vector<TracedValue>& Trace::values() const {
  return state_->values.all();
}
const std::vector<TracedCall>& Trace::calls() const {
  return state_->calls;
}
const std::vector<TracedNode>& Trace::nodes() const {
  return state_->nodes;
}
const std::vector<int>& Trace::losses() const {
  return state_->losses;
}
int Trace::value_of(const at::Tensor& tensor) {
  return state_->values.of(tensor);
}
const std::string& Trace::out_of_memory_at() const {
  return state_->out_of_memory_at;
}

}  // namespace binade::diagnose
