// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/compare/compare.h"
#include "engine/compare/float32_call.h"
#include "engine/observe/difference.h"
#include "engine/observe/sum_chains.h"

#include <c10/util/intrusive_ptr.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

// State shared by the two runs of a Comparison; private to compare.cpp.

namespace binade::compare {

using CallKey = std::tuple<int, int, int>;  ///< batch, site, call

inline constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

inline bool floating(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_floating_point() && tensor.layout() == at::kStrided && tensor.numel() > 0;
}

template <class Visit>
void each_argument(const graph::Call& call, const Visit& visit) {
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    const c10::IValue& value = call.argument(i);
    if (value.isTensor()) {
      visit(value.toTensor());
    } else if (value.isTensorList()) {
      for (const at::Tensor& tensor : value.toTensorVector()) visit(tensor);
    }
  }
}

/// Shared by both hooks and the gradients' hooks. Backward may run on another thread, so it locks the mutex.
struct Comparison::State {
  /// A tensor passed from site to site, or a parameter.
  struct Value {
    std::optional<CallKey> made_by;  // nullopt: a parameter
    std::set<CallKey> used_by;
    double forward = 0;  // error
    const c10::TensorImpl* tensor = nullptr;
    std::optional<observe::Difference> gradient;
    /// Sum of the gradients that each use's backward gives in float32 on the policy run's own values and gradients.
    at::Tensor expected;
    std::set<CallKey> expected_of;
    std::optional<observe::Difference> gradient_own;  // difference from `expected`
  };
  struct Result {
    double forward = 0;
    double added = 0;
    bool measured = false;
    double zeroed = 0;
    double arrived = 0;    // largest error among the arguments
    double inherited = 0;  // output error caused by the arguments alone
    bool of_loss = false;
    std::size_t value = 0;
  };

  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  using Take = std::function<void(State&, const at::Tensor&)>;

  std::mutex mutex;
  std::uint64_t generation = 0;  // hooks of earlier passes hold an older one and do nothing
  int batch = 0;
  double scale = 1;
  std::map<CallKey, at::Tensor> outputs;                                        // of the reference
  std::map<CallKey, at::Tensor> gradients;                                      // of the reference, unscaled
  std::map<std::pair<int, const c10::TensorImpl*>, at::Tensor> leaf_gradients;  // by batch
  std::vector<Value> values;
  // Values of this pass. The weak pointer prevents reuse of the address.
  std::map<const c10::TensorImpl*, std::pair<Weak, std::size_t>> live;
  std::map<CallKey, Result> results;
  std::vector<std::pair<at::Tensor, Take>> pending;
  std::vector<std::pair<at::Tensor, unsigned>> hooked;
  std::set<const c10::TensorImpl*> hooked_leaves;
  observe::SumChains chains;                               // of the compared run's current forward
  std::vector<std::pair<CallKey, observe::SumSeen>> sums;  // by the last addition of each

  /// Takes a value's complete gradient, after all its uses.
  void take_gradient(Value& value, const at::Tensor& gradient, const at::Tensor& true_one) const {
    value.gradient = observe::difference(gradient, scale, true_one);
    if (value.expected.defined() && value.expected_of == value.used_by) {
      value.gradient_own = observe::difference(gradient, scale, value.expected);
    }
    value.expected.reset();
  }

  /// The largest factor by which an error in a value grows on the way to the loss, and the site where it is reached;
  /// -1: it does not grow.
  struct Growth {
    double times = 1;
    int at = -1;
  };
  /// Returns the growth of every value. A call's factor is its result's error, computed in float32 from its arguments,
  /// divided by the largest error among them.
  std::vector<Growth> growths() const {
    std::vector<Growth> all(values.size());
    for (std::size_t i = values.size(); i-- > 0;) {  // users of a value produce later values
      for (const CallKey& key : values[i].used_by) {
        const auto found = results.find(key);
        // Near its minimum a loss is a small difference of large numbers, so its error says nothing about its gradient.
        if (found == results.end() || found->second.of_loss || found->second.value <= i) continue;
        const Result& use = found->second;
        if (!(use.arrived > 0) || std::isinf(use.arrived)) continue;
        const Growth& next = all[use.value];
        const double times = use.inherited / use.arrived * next.times;
        if (times > all[i].times) all[i] = {times, next.at >= 0 ? next.at : std::get<1>(key)};
      }
    }
    return all;
  }

  CallKey key(const graph::Call& call) const { return {batch, call.site.id, call.index}; }

  std::size_t add_value(const at::Tensor& tensor, Value value) {
    value.tensor = tensor.unsafeGetTensorImpl();
    values.push_back(std::move(value));
    live.insert_or_assign(tensor.unsafeGetTensorImpl(), std::pair{Weak(tensor.getIntrusivePtr()), values.size() - 1});
    return values.size() - 1;
  }
  std::size_t index_of(const at::Tensor& tensor) const {
    const auto at = live.find(tensor.unsafeGetTensorImpl());
    return at == live.end() ? kUnknown : at->second.second;
  }
  Value* find(const at::Tensor& tensor) {
    const std::size_t index = index_of(tensor);
    return index != kUnknown ? &values[index] : nullptr;
  }

  /// Returns the index of a value itself; kUnknown for views, whose gradients reach the value in another shape or
  /// order.
  std::size_t place_of(const at::Tensor& tensor) const {
    const std::size_t index = index_of(tensor);
    return index != kUnknown && values[index].tensor == tensor.unsafeGetTensorImpl() ? index : kUnknown;
  }

  /// Adds the gradients that the backward of one call would give its arguments in float32.
  void expect(const CallKey& key, Float32Call& call, const std::vector<std::size_t>& uses, const at::Tensor& gradient) {
    const std::vector<at::Tensor> sent = call.backward(gradient.detach().to(at::kFloat).div(scale));
    for (std::size_t i = 0; i < sent.size(); ++i) {
      if (!sent[i].defined() || uses[i] == kUnknown) continue;
      Value& value = values[uses[i]];
      value.expected = value.expected.defined() ? value.expected.add(sent[i]) : sent[i];
      value.expected_of.insert(key);
    }
  }

  /// Calls `take(gradient)` under the mutex when this pass's backward reaches the tensor in its current state. Hooks
  /// run in order of registration, and rounding hooks are registered when a tensor is used. So this one is registered
  /// at the end of forward, or before an op writes the tensor.
  void on_gradient(const at::Tensor& tensor, Take take) { pending.emplace_back(tensor, std::move(take)); }

  static void hook(const std::shared_ptr<State>& state, const at::Tensor& tensor, Take take) {
    const unsigned id = tensor.register_hook(
        [state, generation = state->generation, take = std::move(take)](const at::Tensor& gradient) {
          const std::lock_guard lock(state->mutex);
          if (state->generation == generation && floating(gradient)) take(*state, gradient);
        });
    // Hooks on intermediate tensors are destroyed with the graph; a leaf would keep them.
    if (tensor.is_leaf()) state->hooked.emplace_back(tensor, id);
  }

  /// Call before an op that writes: a hook registered later would see the gradient of the written tensor.
  static void hook_arguments(const std::shared_ptr<State>& state, const graph::Call& call) {
    each_argument(call, [&](const at::Tensor& tensor) {
      for (auto entry = state->pending.begin(); entry != state->pending.end();) {
        if (!entry->first.is_same(tensor)) {
          ++entry;
          continue;
        }
        hook(state, entry->first, std::move(entry->second));
        entry = state->pending.erase(entry);
      }
    });
  }

  static void hook_all(const std::shared_ptr<State>& state) {
    for (auto& [tensor, take] : std::exchange(state->pending, {})) hook(state, tensor, std::move(take));
  }

  void begin(int which, double factor) {
    const std::lock_guard lock(mutex);
    ++generation;
    batch = which;
    scale = factor;
    live.clear();
    pending.clear();
    hooked_leaves.clear();
  }
};

}  // namespace binade::compare
