// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/observe/compare.h"
#include "engine/observe/difference.h"
#include "engine/observe/float32_call.h"
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

// What is known of the two runs of a Comparison; for compare.cpp only.

namespace binade::observe {

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

/// What both hooks and the gradients' hooks share. Backward may run on another thread: under the mutex.
struct Comparison::State {
  /// A tensor that passes from site to site, or a parameter.
  struct Value {
    std::optional<CallKey> made_by;  // nothing: a parameter
    std::set<CallKey> used_by;
    double forward = 0;  // error
    const c10::TensorImpl* tensor = nullptr;
    std::optional<Difference> gradient;
    /// What backward of each use gives in float32, on the very values and gradients of the policy's run, added up.
    at::Tensor expected;
    std::set<CallKey> expected_of;
    std::optional<Difference> gradient_own;  // from that
  };
  struct Result {
    double forward = 0;
    double added = 0;
    bool measured = false;
    double zeroed = 0;
    double arrived = 0;    // the worst error among the arguments
    double inherited = 0;  // of the output, from there alone
    bool of_loss = false;
    std::size_t value = 0;
  };

  using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  using Take = std::function<void(State&, const at::Tensor&)>;

  std::mutex mutex;
  std::uint64_t generation = 0;  // hooks of earlier passes see another one and stay silent
  int batch = 0;
  double scale = 1;
  std::map<CallKey, at::Tensor> outputs;                                        // the reference's
  std::map<CallKey, at::Tensor> gradients;                                      // true ones
  std::map<std::pair<int, const c10::TensorImpl*>, at::Tensor> leaf_gradients;  // by batch
  std::vector<Value> values;
  // Of this pass. A weak pointer keeps an address from being used again.
  std::map<const c10::TensorImpl*, std::pair<Weak, std::size_t>> live;
  std::map<CallKey, Result> results;
  std::vector<std::pair<at::Tensor, Take>> pending;
  std::vector<std::pair<at::Tensor, unsigned>> hooked;
  std::set<const c10::TensorImpl*> hooked_leaves;
  SumChains chains;                               // of the compared run's present forward
  std::vector<std::pair<CallKey, SumSeen>> sums;  // by the last addition of each

  /// The gradient of a value has come home: all its uses are through.
  void take_gradient(Value& value, const at::Tensor& gradient, const at::Tensor& true_one) const {
    value.gradient = difference(gradient, scale, true_one);
    if (value.expected.defined() && value.expected_of == value.used_by) {
      value.gradient_own = difference(gradient, scale, value.expected);
    }
    value.expected.reset();
  }

  /// How many times an error in a value is enlarged at most on the way to the loss, and at which site that is reached;
  /// -1: nowhere.
  struct Growth {
    double times = 1;
    int at = -1;
  };
  /// Of every value. What a call makes of an error is known from all that its arguments brought it: how much larger
  /// than the worst of them the error of its result is, had it been computed in float32 from what it was given.
  std::vector<Growth> growths() const {
    std::vector<Growth> all(values.size());
    for (std::size_t i = values.size(); i-- > 0;) {  // who uses a value makes a later one
      for (const CallKey& key : values[i].used_by) {
        const auto found = results.find(key);
        // Near its minimum a loss is a small difference of large numbers: that says nothing of its gradient.
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

  /// Of a value itself; kUnknown for views: their gradients arrive at the value in another shape or order.
  std::size_t place_of(const at::Tensor& tensor) const {
    const std::size_t index = index_of(tensor);
    return index != kUnknown && values[index].tensor == tensor.unsafeGetTensorImpl() ? index : kUnknown;
  }

  /// Adds what the backward of one call would send to its arguments in float32.
  void expect(const CallKey& key, Float32Call& call, const std::vector<std::size_t>& uses, const at::Tensor& gradient) {
    const std::vector<at::Tensor> sent = call.backward(gradient.detach().to(at::kFloat).div(scale));
    for (std::size_t i = 0; i < sent.size(); ++i) {
      if (!sent[i].defined() || uses[i] == kUnknown) continue;
      Value& value = values[uses[i]];
      value.expected = value.expected.defined() ? value.expected.add(sent[i]) : sent[i];
      value.expected_of.insert(key);
    }
  }

  /// Will call `take(gradient)` under the mutex when this pass' backward reaches the tensor as it is now. What rounds
  /// gradients puts its hooks on when a tensor is used, and hooks run in the order in which they were put on: these
  /// wait until the forward is over, or something writes the tensor.
  void on_gradient(const at::Tensor& tensor, Take take) { pending.emplace_back(tensor, std::move(take)); }

  static void hook(const std::shared_ptr<State>& state, const at::Tensor& tensor, Take take) {
    const unsigned id = tensor.register_hook(
        [state, generation = state->generation, take = std::move(take)](const at::Tensor& gradient) {
          const std::lock_guard lock(state->mutex);
          if (state->generation == generation && floating(gradient)) take(*state, gradient);
        });
    // Hooks of what the graph made go with it; a parameter would keep them.
    if (tensor.is_leaf()) state->hooked.emplace_back(tensor, id);
  }

  /// Before an op that writes: a hook put on afterwards would see the gradient of what it wrote.
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

}  // namespace binade::observe
