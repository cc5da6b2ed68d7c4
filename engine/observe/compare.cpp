// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/compare.h"

#include "engine/observe/float32_call.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/dot.h>
#include <c10/util/intrusive_ptr.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

namespace binade::observe {

namespace {

using Weak = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
using CallKey = std::tuple<int, int, int>;  // batch, site, call

struct Difference {
  double error = 0;
  double cosine = 1;
};

/// Of `got` divided by `scale` from `wanted`, in double.
Difference difference(const at::Tensor& got, double scale, const at::Tensor& wanted) {
  const at::NoGradGuard no_history;
  const at::Tensor a = got.detach().reshape({-1}).to(at::kDouble).div(scale);
  const at::Tensor b = wanted.detach().reshape({-1}).to(at::kDouble);
  const double own = a.norm().item<double>();
  const double norm = b.norm().item<double>();
  const double distance = a.sub(b).norm().item<double>();
  Difference result;
  if (!std::isfinite(norm)) {
    // float32 itself is not finite there: masks are, and equal ones are no difference.
    result.error = a.equal(b) ? 0 : std::numeric_limits<double>::infinity();
    return result;
  }
  if (!std::isfinite(distance)) return {std::numeric_limits<double>::infinity(), 0};
  if (distance > 0) result.error = norm > 0 ? distance / norm : std::numeric_limits<double>::infinity();
  if (norm > 0) result.cosine = own > 0 ? at::dot(a, b).item<double>() / (own * norm) : 0;
  return result;
}

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

double beyond(double whole, double part) {
  if (std::isinf(whole)) return std::isinf(part) ? 0 : whole;
  return std::sqrt(std::max(0.0, whole * whole - part * part));
}

bool floating(const at::Tensor& tensor) {
  return tensor.defined() && tensor.is_floating_point() && tensor.layout() == at::kStrided && tensor.numel() > 0;
}

/// A site's first result, where it can be compared.
std::optional<at::Tensor> output_of(const graph::Call& call) {
  if (call.site.view || call.site.outputs == 0 || !call.result(0).isTensor()) return std::nullopt;
  at::Tensor output = call.result(0).toTensor();
  if (!floating(output)) return std::nullopt;
  return output;
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

}  // namespace

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
    std::optional<double> gradient_added;  // error against it
  };
  struct Result {
    double forward = 0;
    double added = 0;
    bool measured = false;
    std::size_t value = 0;
  };

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

  /// The gradient of a value has come home: all its uses are through.
  void take_gradient(Value& value, const at::Tensor& gradient, const at::Tensor& true_one) const {
    value.gradient = difference(gradient, scale, true_one);
    if (value.expected.defined() && value.expected_of == value.used_by) {
      value.gradient_added = difference(gradient, scale, value.expected).error;
    }
    value.expected.reset();
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

class Comparison::Reference : public graph::SiteHook {
 public:
  explicit Reference(std::shared_ptr<State> state) : state_(std::move(state)) {}

  void before(graph::Call& call) override {
    if (!at::GradMode::is_enabled()) return;
    if (call.site.in_place) State::hook_arguments(state_, call);
    each_argument(call, [&](const at::Tensor& tensor) {
      if (!floating(tensor) || !tensor.is_leaf() || !tensor.requires_grad()) return;
      const c10::TensorImpl* leaf = tensor.unsafeGetTensorImpl();
      if (!state_->hooked_leaves.insert(leaf).second) return;
      state_->on_gradient(tensor, [leaf](State& state, const at::Tensor& gradient) {
        state.leaf_gradients[{state.batch, leaf}] = gradient.detach().to(at::kFloat).div(state.scale);
      });
    });
  }

  void after(graph::Call& call) override {
    const auto output = output_of(call);
    if (!output) return;
    const CallKey key = state_->key(call);
    state_->outputs[key] = output->detach().to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    if (!output->requires_grad() || !at::GradMode::is_enabled()) return;
    state_->on_gradient(*output, [key](State& state, const at::Tensor& gradient) {
      state.gradients[key] = gradient.detach().to(at::kFloat).div(state.scale);
    });
  }

 private:
  std::shared_ptr<State> state_;
};

class Comparison::Compared : public graph::SiteHook {
 public:
  explicit Compared(std::shared_ptr<State> state) : state_(std::move(state)) {}

  void before(graph::Call& call) override {
    inherited_ = 0;
    again_.reset();
    view_of_.reset();
    if (call.site.in_place) State::hook_arguments(state_, call);
    const CallKey key = state_->key(call);
    each_argument(call, [&](const at::Tensor& tensor) {
      if (!floating(tensor)) return;
      if (state_->find(tensor) == nullptr && tensor.is_leaf() && tensor.requires_grad()) watch_leaf(tensor);
      State::Value* value = state_->find(tensor);
      if (value == nullptr) return;
      if (call.site.view) {
        if (!view_of_) view_of_ = static_cast<std::size_t>(value - state_->values.data());
        return;
      }
      value->used_by.insert(key);
      inherited_ = std::max(inherited_, value->forward);
    });
    if (call.site.view) return;
    again_ = Float32Call::of(call);
  }

  void after(graph::Call& call) override {
    const auto output = output_of(call);
    if (call.site.view) return pass_on(call);
    if (!output) return;
    const CallKey key = state_->key(call);
    const auto wanted = state_->outputs.find(key);
    // A graph that took another way has calls that the reference has not.
    if (wanted == state_->outputs.end() || wanted->second.sizes() != output->sizes()) return;
    State::Result result;
    result.forward = difference(*output, 1, wanted->second).error;
    const auto own = again_ ? again_->run(call.site) : std::nullopt;
    std::vector<std::size_t> uses;  // the value of each argument that wants a gradient, or kUnknown
    if (own) {
      for (const at::Tensor& argument : again_->originals()) uses.push_back(state_->place_of(argument));
    }
    result.measured = own && own->sizes() == output->sizes();
    result.added = result.measured ? difference(*output, 1, *own).error : beyond(result.forward, inherited_);
    State::Value made;
    made.made_by = key;
    made.forward = result.forward;
    result.value = state_->add_value(*output, std::move(made));
    state_->results[key] = result;
    auto again = std::make_shared<std::optional<Float32Call>>(std::exchange(again_, std::nullopt));
    if (!output->requires_grad() || !at::GradMode::is_enabled()) return;
    state_->on_gradient(*output, [key, value = result.value, again, uses](State& state, const at::Tensor& gradient) {
      const auto true_one = state.gradients.find(key);
      if (true_one == state.gradients.end() || true_one->second.sizes() != gradient.sizes()) return;
      state.take_gradient(state.values[value], gradient, true_one->second);
      if (*again) state.expect(key, **again, uses, gradient);
      again->reset();
    });
  }

  void failed(graph::Call& /*call*/, const std::exception& /*error*/) override { again_.reset(); }

 private:
  void watch_leaf(const at::Tensor& leaf) {
    const std::size_t index = state_->add_value(leaf, {});
    const c10::TensorImpl* impl = leaf.unsafeGetTensorImpl();
    if (!at::GradMode::is_enabled()) return;
    state_->on_gradient(leaf, [impl, index](State& state, const at::Tensor& gradient) {
      const auto true_one = state.leaf_gradients.find({state.batch, impl});
      if (true_one == state.leaf_gradients.end()) return;
      state.take_gradient(state.values[index], gradient, true_one->second);
    });
  }

  /// A view is its argument to whoever uses it.
  void pass_on(const graph::Call& call) {
    if (!view_of_ || call.site.outputs == 0) return;
    const c10::IValue& result = call.result(0);
    const auto alias = [&](const at::Tensor& tensor) {
      state_->live.insert_or_assign(tensor.unsafeGetTensorImpl(), std::pair{Weak(tensor.getIntrusivePtr()), *view_of_});
    };
    if (result.isTensor() && result.toTensor().defined()) alias(result.toTensor());
    if (!result.isTensorList()) return;
    for (const at::Tensor& tensor : result.toTensorVector()) alias(tensor);
  }

  std::shared_ptr<State> state_;
  double inherited_ = 0;                ///< the worst error among the present call's arguments
  std::optional<std::size_t> view_of_;  ///< the value that the present call looks at
  std::optional<Float32Call> again_;
};

Comparison::Comparison()
    : state_(std::make_shared<State>()),
      reference_(std::make_unique<Reference>(state_)),
      compared_(std::make_unique<Compared>(state_)) {}

Comparison::~Comparison() {
  end_pass();
}

graph::SiteHook& Comparison::reference() {
  return *reference_;
}

graph::SiteHook& Comparison::compared() {
  return *compared_;
}

void Comparison::begin_reference(int batch, double scale) {
  state_->begin(batch, scale);
}

void Comparison::begin_compared(int batch, double scale) {
  state_->begin(batch, scale);
}

void Comparison::begin_backward() {
  State::hook_all(state_);
}

void Comparison::end_pass() {
  const std::lock_guard lock(state_->mutex);
  ++state_->generation;
  for (const auto& [tensor, id] : state_->hooked) tensor.remove_hook(id);
  state_->hooked.clear();
  state_->pending.clear();
}

std::vector<SiteDifference> Comparison::differences() const {
  const std::lock_guard lock(state_->mutex);
  // What each call's backward added to the gradients of values that it alone used.
  std::map<CallKey, double> left;
  for (const State::Value& value : state_->values) {
    if (!value.gradient_added || value.used_by.size() != 1) continue;
    double& worst = left.try_emplace(*value.used_by.begin(), 0.0).first->second;
    worst = std::max(worst, *value.gradient_added);
  }
  std::map<int, SiteDifference> sites;
  for (const auto& [key, result] : state_->results) {
    const int id = std::get<1>(key);
    SiteDifference& site = sites[id];
    site.measured = site.calls == 0 ? result.measured : site.measured && result.measured;
    site.site = id;
    ++site.calls;
    site.forward = std::max(site.forward, result.forward);
    site.added = std::max(site.added, result.added);
    const auto& gradient = state_->values[result.value].gradient;
    if (!gradient) continue;
    site.gradient = std::max(site.gradient.value_or(0), gradient->error);
    site.cosine = std::min(site.cosine.value_or(1), gradient->cosine);
    const auto leaving = left.find(key);
    if (leaving == left.end()) continue;
    site.gradient_added = std::max(site.gradient_added.value_or(0), leaving->second);
  }
  std::vector<SiteDifference> all;
  for (const auto& [id, site] : sites) all.push_back(site);
  return all;
}

}  // namespace binade::observe
