// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apex/amp.h"
#include "engine/apex/optimizer.h"
#include "engine/autocast/cast_model.h"
#include "engine/autocast/cast_values.h"

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace binade::apex {

/// A model wrapped by initialize(). Calling it casts the arguments, runs the model's forward (at O1 within casts()) and
/// casts the outputs. `M` is a module holder (torch::nn::Linear), a shared_ptr to a module, a torch::jit::Module or a
/// graph::Model. The module is shared, not copied.
template <class M>
class Model {
 public:
  Model(M model, Amp amp) : model_(std::move(model)), amp_(std::move(amp)) {}

  template <class... Arguments>
  auto operator()(Arguments&&... arguments) {
    return forward(std::forward<Arguments>(arguments)...);
  }

  template <class... Arguments>
  auto forward(Arguments&&... arguments) {
    const Casts casts = amp_.casts();
    const auto in = [dtype = amp_.input_dtype()](auto value) {
      return dtype ? autocast::cast_value(value, *dtype) : value;
    };
    auto output = run(in(std::decay_t<Arguments>(std::forward<Arguments>(arguments)))...);
    const auto dtype = amp_.output_dtype();
    return dtype ? autocast::cast_value(output, *dtype) : output;
  }

  /// The wrapped model, for saving, moving or switching to eval mode.
  const M& operator*() const { return model_; }
  M& operator*() { return model_; }
  auto* operator->() {
    if constexpr (kPointer) {
      return model_.operator->();
    } else {
      return &model_;
    }
  }

 private:
  static constexpr bool kPointer = requires(M m) { m.operator->(); };

  template <class... Values>
  auto run(Values&&... values) {
    if constexpr (kPointer) {
      return model_->forward(std::forward<Values>(values)...);
    } else {
      return model_.forward(std::forward<Values>(values)...);
    }
  }

  M model_;
  Amp amp_;
};

namespace detail {

/// Checks the model and casts it as the level requires.
void prepare(torch::nn::Module& model, const Amp& amp);
void prepare(const torch::jit::Module& model, const Amp& amp);
void prepare(const graph::Model& model, const Amp& amp);
/// Wraps and claims the optimizer, and casts its state to the dtypes of its parameters.
Optimizer prepare(torch::optim::Optimizer& optimizer, const Amp& amp);

template <class M>
Model<M> wrap(M model, const Amp& amp) {
  if constexpr (requires { prepare(*model, amp); }) {
    prepare(*model, amp);
  } else {
    prepare(model, amp);
  }
  return Model<M>(std::move(model), amp);
}

template <class M>
std::vector<Model<M>> wrap(std::vector<M> models, const Amp& amp) {
  std::vector<Model<M>> wrapped;
  for (M& model : models) wrapped.push_back(wrap(std::move(model), amp));
  return wrapped;
}

template <class... M>
std::tuple<Model<M>...> wrap(std::tuple<M...> models, const Amp& amp) {
  return std::apply([&amp](M&... model) { return std::tuple<Model<M>...>(wrap(std::move(model), amp)...); }, models);
}

}  // namespace detail

/// Apex's amp.initialize: selects the level, casts models and prepares optimizers. Call it once, after models and
/// optimizers are created and before any parallel wrapper. One model gives a Model, a vector gives a vector, a tuple
/// (models of different classes) gives a tuple. Throws Error{kUsage} for invalid arguments and Error{kBadModel} for a
/// model that cannot be used.
///
///     auto [amp, model, optimizer] = apex::initialize(net, sgd, {.opt_level = "O2"});
template <class Models>
auto initialize(Models models, torch::optim::Optimizer& optimizer, const Options& options = {}) {
  const Amp amp(options);
  auto wrapped = detail::wrap(std::move(models), amp);
  return std::tuple(amp, std::move(wrapped), detail::prepare(optimizer, amp));
}

template <class Models>
auto initialize(Models models, const std::vector<torch::optim::Optimizer*>& optimizers, const Options& options = {}) {
  const Amp amp(options);
  auto wrapped = detail::wrap(std::move(models), amp);
  std::vector<Optimizer> prepared;
  for (torch::optim::Optimizer* optimizer : optimizers) {
    prepared.push_back(detail::prepare(*optimizer, amp));
  }
  return std::tuple(amp, std::move(wrapped), std::move(prepared));
}

/// For inference, without an optimizer.
template <class Models>
auto initialize(Models models, const Options& options = {}) {
  const Amp amp(options);
  auto wrapped = detail::wrap(std::move(models), amp);
  return std::tuple(amp, std::move(wrapped));
}

}  // namespace binade::apex
