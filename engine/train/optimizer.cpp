// SPDX-License-Identifier: Apache-2.0
#include "engine/train/optimizer.h"

#include "engine/formats/error.h"
#include "engine/policy/near_name.h"
#include "engine/policy/policy.h"
#include "engine/policy/resolve.h"
#include "engine/scaler/fused_adam.h"
#include "engine/scaler/fused_sgd.h"

#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <algorithm>

namespace binade::train {

namespace {

namespace optim = torch::optim;
using Groups = std::vector<optim::OptimizerParamGroup>;

/// Leaves the parameters unchanged, for examining a step.
class NoOptimizer : public optim::Optimizer {
 public:
  explicit NoOptimizer(const Groups& groups) : Optimizer(groups, std::make_unique<optim::SGDOptions>(0)) {}
  at::Tensor step(LossClosure closure) override { return closure ? closure() : at::Tensor(); }
};

template <class Options>
Options adam_options(const wire::OptimizerConfig& config, double rate, double decay) {
  return Options(rate)
      .betas({config.beta1, config.beta2})
      .eps(config.epsilon)
      .weight_decay(decay)
      .amsgrad(config.amsgrad);
}

/// Returns a group's options, of the kind's type.
std::unique_ptr<optim::OptimizerOptions> options_of(const wire::OptimizerConfig& config, double rate, double decay) {
  if (config.kind == "adam") {
    return std::make_unique<optim::AdamOptions>(adam_options<optim::AdamOptions>(config, rate, decay));
  }
  if (config.kind == "adamw") {
    return std::make_unique<optim::AdamWOptions>(adam_options<optim::AdamWOptions>(config, rate, decay));
  }
  if (config.kind == "rmsprop") {
    return std::make_unique<optim::RMSpropOptions>(optim::RMSpropOptions(rate)
                                                       .alpha(config.alpha)
                                                       .eps(config.epsilon)
                                                       .weight_decay(decay)
                                                       .momentum(config.momentum)
                                                       .centered(config.centered));
  }
  if (config.kind == "adagrad") {
    return std::make_unique<optim::AdagradOptions>(
        optim::AdagradOptions(rate).lr_decay(config.rate_decay).weight_decay(decay).eps(config.epsilon));
  }
  return std::make_unique<optim::SGDOptions>(optim::SGDOptions(rate)
                                                 .momentum(config.momentum)
                                                 .dampening(config.dampening)
                                                 .weight_decay(decay)
                                                 .nesterov(config.nesterov));
}

template <class Plain, class Fused, class Options>
std::unique_ptr<optim::Optimizer> either(bool fused, const Groups& groups, const optim::OptimizerOptions& defaults) {
  const auto& options = static_cast<const Options&>(defaults);
  if (fused) return std::make_unique<Fused>(groups, options);
  return std::make_unique<Plain>(groups, options);
}

Groups groups_of(const wire::OptimizerConfig& config, const NamedTensors& parameters) {
  std::vector<std::vector<at::Tensor>> members(config.groups.size() + 1);  // unmatched parameters first
  std::vector<bool> matched(config.groups.size(), false);
  for (const auto& [name, tensor] : parameters) {
    std::size_t of = 0;
    for (std::size_t i = 0; i < config.groups.size(); ++i) {
      if (!names_parameter(config.groups[i].match, name)) continue;
      matched[i] = true;
      of = i + 1;
    }
    members[of].push_back(tensor);
  }
  for (std::size_t i = 0; i < matched.size(); ++i) {
    if (matched[i]) continue;
    std::vector<std::string> names;
    for (const auto& [name, tensor] : parameters) names.push_back(name);
    throw Error(ErrorCode::kBadRun,
                "optimizer.groups[" + std::to_string(i) + "].match \"" + config.groups[i].match +
                    "\" matches no trainable parameter",
                policy::did_you_mean(config.groups[i].match, names) + "binade-engine inspect lists the parameters.")
        .at("optimizer.groups[" + std::to_string(i) + "].match");
  }
  Groups groups;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].empty()) continue;
    double rate = config.learning_rate;
    double decay = config.weight_decay;
    if (i > 0) {
      rate = config.groups[i - 1].learning_rate.value_or(rate);
      decay = config.groups[i - 1].weight_decay.value_or(decay);
    }
    groups.emplace_back(std::move(members[i]), options_of(config, rate, decay));
  }
  return groups;
}

}  // namespace

bool names_parameter(const std::string& pattern, const std::string& parameter) {
  // Matched like a site's path: whole, or as the path of an enclosing module.
  policy::SiteKey key;
  key.path = parameter;
  return policy::matches(pattern, key);
}

std::unique_ptr<optim::Optimizer> make_optimizer(const wire::OptimizerConfig& config, const NamedTensors& parameters) {
  const Groups groups = groups_of(config, parameters);
  try {
    const auto defaults = options_of(config, config.learning_rate, config.weight_decay);
    if (config.kind == "none") return std::make_unique<NoOptimizer>(groups);
    if (config.kind == "sgd") {
      return either<optim::SGD, scaler::FusedSGD, optim::SGDOptions>(config.fused, groups, *defaults);
    }
    if (config.kind == "adam") {
      return either<optim::Adam, scaler::FusedAdam, optim::AdamOptions>(config.fused, groups, *defaults);
    }
    if (config.kind == "adamw") {
      return either<optim::AdamW, scaler::FusedAdamW, optim::AdamWOptions>(config.fused, groups, *defaults);
    }
    if (config.kind == "rmsprop") {
      return std::make_unique<optim::RMSprop>(groups, static_cast<const optim::RMSpropOptions&>(*defaults));
    }
    if (config.kind == "adagrad") {
      return std::make_unique<optim::Adagrad>(groups, static_cast<const optim::AdagradOptions&>(*defaults));
    }
  } catch (const c10::Error& error) {
    throw Error(ErrorCode::kBadRun, std::string("optimizer: ") + error.what_without_backtrace()).at("optimizer");
  }
  throw Error(ErrorCode::kBadRun, "optimizer.kind is \"" + config.kind + "\", which is unknown",
              "Use sgd, adam, adamw, rmsprop, adagrad or none.")
      .at("optimizer.kind");
}

LearningRates::LearningRates(const optim::Optimizer& optimizer) {
  for (const auto& group : optimizer.param_groups()) rates_.push_back(group.options().get_lr());
}

double LearningRates::set(optim::Optimizer& optimizer, double factor) const {
  auto& groups = optimizer.param_groups();
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].options().set_lr(rates_[i] * factor);
  return rates_.front() * factor;
}

}  // namespace binade::train
