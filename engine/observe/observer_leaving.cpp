// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/observer_leaving.h"

#include "engine/graph/dtype_format.h"
#include "engine/observe/values.h"

#include <ATen/SequenceNumber.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <set>
#include <utility>

namespace binade::observe {

using torch::autograd::Node;

/// Hook on a node of a call's backward that observes its gradient for one of the call's arguments.
class Observer::Leaving::Hook : public torch::autograd::FunctionPostHook {
 public:
  Hook(std::shared_ptr<Step> step, const graph::Site& site, const Argument& argument, std::size_t output, bool is_last)
      : step_(std::move(step)),
        generation_(step_->generation),
        site_(site),
        argument_(argument),
        output_(output),
        is_last_(is_last) {}

  torch::autograd::variable_list operator()(const torch::autograd::variable_list& out,
                                            const torch::autograd::variable_list& in) override {
    const std::lock_guard lock(step_->mutex);
    if (step_->generation == generation_ && output_ < out.size() && is_news(out[output_], in)) {
      const Look look(step_->spent, step_->timer, site_.id);
      const int id = step_->id_of(site_, Watched::Kind::kInputGradient, argument_.number,
                                  graph::stored_format(out[output_].scalar_type()), /*emulated=*/false);
      step_->look(id, out[output_], /*closely=*/false);
    }
    return out;
  }

 private:
  bool is_news(const at::Tensor& gradient, const torch::autograd::variable_list& in) const {
    if (!gradient.defined()) return false;
    const auto is_it = [&gradient](const at::Tensor& arrived) { return arrived.is_same(gradient); };
    if (is_last_ && std::any_of(in.begin(), in.end(), is_it)) return false;
    return !argument_.arrives || *argument_.uses > 1;
  }

  std::shared_ptr<Step> step_;
  std::uint64_t generation_;
  const graph::Site& site_;  ///< used in the current generation only, in which the graph is alive
  Argument argument_;
  std::size_t output_;
  bool is_last_;  ///< last node of the call, the first that backward runs
};

void Observer::Leaving::before(const graph::Call& call, bool looked_at) {
  arguments_.clear();
  if (!step_->watches_leaving()) return;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    const bool weight = call.site.roles[i] == graph::Role::kWeight;  // its gradient is observed where all uses meet
    each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
      if (!tensor.requires_grad()) return;
      const torch::autograd::Edge goes_to = torch::autograd::impl::gradient_edge(tensor);
      step_->held.push_back(goes_to.function);
      int& uses = step_->uses.of(goes_to);
      ++uses;
      if (!looked_at || weight || !tensor.is_floating_point()) return;
      arguments_.push_back({i, goes_to.function.get(), goes_to.input_nr, &uses, arrives_at_its_maker(goes_to)});
    });
  }
  first_node_ = at::sequence_number::peek();
}

bool Observer::Leaving::arrives_at_its_maker(const torch::autograd::Edge& edge) const {
  if (step_->arrivals.find(edge) != nullptr) return true;
  // An emulated result is observed before it is rounded; behind the rounding the gradient has its format.
  const auto& next = edge.function->next_edges();
  if (next.size() != 1 || !next.front().is_valid()) return false;
  const bool* emulated = step_->arrivals.find(next.front());
  return emulated != nullptr && *emulated;
}

void Observer::Leaving::after(const graph::Call& call) {
  if (arguments_.empty()) return;
  std::vector<Node*> open;
  std::set<Node*> met;
  const auto meet = [&](const torch::autograd::Edge& edge) {
    // Earlier nodes belong to other calls, as do gradient accumulators, which have no edges.
    if (!edge.is_valid() || edge.function->sequence_nr() < first_node_) return;
    if (met.insert(edge.function.get()).second) open.push_back(edge.function.get());
  };
  for (std::size_t i = 0; i < call.site.outputs; ++i) {
    each_tensor(call.result(i), [&](const at::Tensor& tensor) {
      if (tensor.requires_grad()) meet(torch::autograd::impl::gradient_edge(tensor));
    });
  }
  const std::set<Node*> last = met;
  while (!open.empty()) {
    Node* const last_found = open.back();
    Node& node = *last_found;
    open.pop_back();
    hook(node, last.contains(&node), call.site);
    for (const torch::autograd::Edge& next : node.next_edges()) meet(next);
  }
  arguments_.clear();
}

void Observer::Leaving::hook(Node& node, bool is_last, const graph::Site& site) {
  std::size_t output = 0;
  for (const torch::autograd::Edge& next : node.next_edges()) {
    const auto is_it = [&next](const Argument& argument) {
      return argument.node == next.function.get() && argument.input == next.input_nr;
    };
    const auto found = std::find_if(arguments_.begin(), arguments_.end(), is_it);
    if (found != arguments_.end()) {
      node.add_post_hook(std::make_unique<Hook>(step_, site, *found, output, is_last));
      // `x * x`: the next edge to the same place belongs to the next such argument.
      if (std::find_if(std::next(found), arguments_.end(), is_it) != arguments_.end()) arguments_.erase(found);
    }
    ++output;
  }
}

}  // namespace binade::observe
