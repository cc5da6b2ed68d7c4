// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/compare.h"

#include "engine/compare/compare_state.h"
#include "engine/observe/own_cast.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace binade::compare {

namespace {

/// Returns the argument of a conversion before the call; undefined for other ops. By its schema a conversion may be a
/// view; if it creates another tensor it is treated as an ordinary call.
at::Tensor conversion_of(const graph::Call& call) {
  if (!observe::can_be_lifted(call.site) || !call.argument(0).isTensor()) return {};
  return call.argument(0).toTensor();
}

/// Returns a site's first result if it can be compared.
std::optional<at::Tensor> output_of(const graph::Call& call) {
  if (call.site.outputs == 0 || !call.result(0).isTensor()) return std::nullopt;
  at::Tensor output = call.result(0).toTensor();
  if (!floating(output)) return std::nullopt;
  return output;
}

}  // namespace

class Comparison::Reference : public graph::SiteHook {
 public:
  explicit Reference(std::shared_ptr<State> state) : state_(std::move(state)) {}

  void before(graph::Call& call) override {
    converted_ = conversion_of(call);
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
    const at::Tensor converted = std::exchange(converted_, at::Tensor());
    if (call.site.view && !converted.defined()) return;
    const auto output = output_of(call);
    if (!output) return;
    const CallKey key = state_->key(call);
    state_->outputs[key] = output->detach().to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
    if (!output->requires_grad() || !at::GradMode::is_enabled()) return;
    // A conversion that returns its argument: gradients of the argument's other uses would be counted here.
    if (converted.defined() && output->is_same(converted)) return;
    state_->on_gradient(*output, [key](State& state, const at::Tensor& gradient) {
      state.gradients[key] = gradient.detach().to(at::kFloat).div(state.scale);
    });
  }

 private:
  std::shared_ptr<State> state_;
  at::Tensor converted_;
};

class Comparison::Compared : public graph::SiteHook {
 public:
  explicit Compared(std::shared_ptr<State> state) : state_(std::move(state)) {}

  void before(graph::Call& call) override {
    state_->chains.before(call);
    arrived_ = 0;
    again_.reset();
    view_of_.reset();
    converted_ = conversion_of(call);
    if (call.site.in_place) State::hook_arguments(state_, call);
    const CallKey key = state_->key(call);
    each_argument(call, [&](const at::Tensor& tensor) {
      if (!floating(tensor)) return;
      if (state_->find(tensor) == nullptr && tensor.is_leaf() && tensor.requires_grad()) watch_leaf(tensor);
      State::Value* value = state_->find(tensor);
      if (value == nullptr) return;
      if (call.site.view) {
        // For type_as() the second tensor determines the dtype only.
        if (converted_.defined() && !tensor.is_same(converted_)) return;
        if (!view_of_) view_of_ = static_cast<std::size_t>(value - state_->values.data());
        return;
      }
      value->used_by.insert(key);
      arrived_ = std::max(arrived_, value->forward);
    });
    if (call.site.view) return;
    again_ = Float32Call::of(call);
  }

  void after(graph::Call& call) override {
    state_->chains.after(call);
    const at::Tensor converted = std::exchange(converted_, at::Tensor());
    const auto output = output_of(call);
    const CallKey key = state_->key(call);
    if (call.site.view) {
      const bool cast =
          converted.defined() && output && observe::narrows(converted.scalar_type(), output->scalar_type());
      if (!cast || !converted.is_floating_point() || !state_->outputs.contains(key)) return pass_on(call);
      use_converted(key, converted);
    }
    if (!output) return;
    const auto wanted = state_->outputs.find(key);
    // If control flow differed, the reference lacks this call.
    if (wanted == state_->outputs.end() || wanted->second.sizes() != output->sizes()) return;
    State::Result result;
    result.forward = observe::difference(*output, 1, wanted->second).error;
    const auto own = again_ ? again_->run(call.site) : std::nullopt;
    std::vector<std::size_t> uses;  // index of the value of each argument that requires a gradient, or kUnknown
    if (own) {
      for (const at::Tensor& argument : again_->originals()) uses.push_back(state_->place_of(argument));
    }
    result.measured = own && own->sizes() == output->sizes();
    result.arrived = arrived_;
    result.of_loss = call.site.key.path == "loss" || call.site.key.path.starts_with("loss.");
    if (result.measured) {
      const observe::Difference itself = observe::difference(*output, 1, *own);
      result.added = itself.error;
      result.zeroed = itself.zeroed;
      result.inherited = observe::difference(*own, 1, wanted->second).error;
    } else {
      result.added = observe::beyond(result.forward, arrived_);
      result.inherited = std::min(result.forward, arrived_);
    }
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

  void failed(graph::Call& /*call*/, const std::exception& /*error*/) override {
    again_.reset();
    converted_ = at::Tensor();
  }

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

  /// Registers a cast of the model's own that loses bits as a use of its argument.
  void use_converted(const CallKey& key, const at::Tensor& converted) {
    if (view_of_) {
      State::Value& value = state_->values[*view_of_];
      value.used_by.insert(key);
      arrived_ = value.forward;
    }
    again_ = Float32Call::of_conversion(converted);
  }

  /// Makes a view's results aliases of its argument.
  void pass_on(const graph::Call& call) {
    if (!view_of_ || call.site.outputs == 0) return;
    const c10::IValue& result = call.result(0);
    const auto alias = [&](const at::Tensor& tensor) {
      state_->live.insert_or_assign(tensor.unsafeGetTensorImpl(),
                                    std::pair{State::Weak(tensor.getIntrusivePtr()), *view_of_});
    };
    if (result.isTensor() && result.toTensor().defined()) alias(result.toTensor());
    if (!result.isTensorList()) return;
    for (const at::Tensor& tensor : result.toTensorVector()) alias(tensor);
  }

  std::shared_ptr<State> state_;
  double arrived_ = 0;                  ///< largest error among the current call's arguments
  std::optional<std::size_t> view_of_;  ///< the value that the current call views
  std::optional<Float32Call> again_;
  at::Tensor converted_;  ///< the current call's argument, if it is a conversion
};

struct Comparison::Growths {
  std::vector<State::Growth> of;  ///< by value
};

void Comparison::add_up(const State& state, const Growths& growths, std::map<int, wire::SiteDifference>& sites) {
  // Roundings of several executions are independent, so their squares are summed. The sum is limited by the error
  // measured where the growth ends.
  std::map<int, double> squares;
  for (const auto& [key, result] : state.results) {
    const double becomes = result.added > 0 ? result.added * growths.of[result.value].times : 0;
    if (std::isfinite(becomes)) squares[std::get<1>(key)] += becomes * becomes;
  }
  for (auto& [id, site] : sites) {
    if (site.calls < 2) continue;
    const auto end = site.becomes_at < 0 ? sites.end() : sites.find(site.becomes_at);
    const double most = end == sites.end() ? site.forward : end->second.forward;
    site.becomes = std::max(site.becomes, std::min(std::sqrt(squares[id]), most));
  }
  // Exception: additions rounded one after the other were measured as one chain.
  for (const auto& [key, sum] : state.sums) {
    const auto last = state.results.find(key);
    const double times = last == state.results.end() ? 1 : growths.of[last->second.value].times;
    const int at = last == state.results.end() ? -1 : growths.of[last->second.value].at;
    for (const int id : sum.sites) {
      const auto found = sites.find(id);
      if (found == sites.end()) continue;
      wire::SiteDifference& site = found->second;
      if (sum.sites.size() == 1) site.added = std::max(site.added, sum.error);
      if (sum.error * times <= site.becomes) continue;
      site.becomes = sum.error * times;
      site.becomes_at = at >= 0 ? at : sum.sites.size() > 1 ? sum.site : -1;
    }
  }
}

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
  for (observe::SumSeen& sum : state_->chains.finish()) {
    state_->sums.emplace_back(CallKey{state_->batch, sum.site, sum.call}, std::move(sum));
  }
  for (const auto& [tensor, id] : state_->hooked) tensor.remove_hook(id);
  state_->hooked.clear();
  state_->pending.clear();
}

std::vector<wire::SiteDifference> Comparison::differences() const {
  const std::lock_guard lock(state_->mutex);
  // The error that each call's backward added to the gradients of values that only this call uses.
  std::map<CallKey, observe::Difference> left;
  for (const State::Value& value : state_->values) {
    if (!value.gradient_own || value.used_by.size() != 1) continue;
    observe::Difference& worst = left[*value.used_by.begin()];
    worst.error = std::max(worst.error, value.gradient_own->error);
    worst.zeroed = std::max(worst.zeroed, value.gradient_own->zeroed);
  }
  const auto growths = state_->growths();
  std::map<int, wire::SiteDifference> sites;
  for (const auto& [key, result] : state_->results) {
    const int id = std::get<1>(key);
    wire::SiteDifference& site = sites[id];
    site.measured = site.calls == 0 ? result.measured : site.measured && result.measured;
    site.site = id;
    ++site.calls;
    site.forward = std::max(site.forward, result.forward);
    site.added = std::max(site.added, result.added);
    site.zeroed = std::max(site.zeroed, result.zeroed);
    if (site.calls == 1 || result.inherited > site.inherited) {
      site.arrived = result.arrived;
      site.inherited = result.inherited;
    }
    const State::Growth& growth = growths[result.value];
    const double becomes = result.added > 0 ? result.added * growth.times : 0;
    if (becomes > site.becomes) {
      site.becomes = becomes;
      site.becomes_at = growth.at;
    }
    const auto& gradient = state_->values[result.value].gradient;
    if (!gradient) continue;
    site.gradient = std::max(site.gradient.value_or(0), gradient->error);
    if (gradient->cosine) site.cosine = std::min(site.cosine.value_or(1), *gradient->cosine);
    const auto leaving = left.find(key);
    if (leaving == left.end()) continue;
    site.gradient_added = std::max(site.gradient_added.value_or(0), leaving->second.error);
    site.gradient_zeroed = std::max(site.gradient_zeroed.value_or(0), leaving->second.zeroed);
  }
  add_up(*state_, {growths}, sites);
  std::vector<wire::SiteDifference> all;
  for (const auto& [id, site] : sites) all.push_back(site);
  return all;
}

}  // namespace binade::compare
