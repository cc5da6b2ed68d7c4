// SPDX-License-Identifier: Apache-2.0
#include "engine/train/idle_fields.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace binade::train {

namespace {

bool one_of(const std::string& kind, std::initializer_list<std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

class Idle {
 public:
  /// `set`: differs from its default; `used`: the kind uses it.
  void add(bool set, bool used, const std::string& field, const std::string& why) {
    if (set && !used) sentences.push_back(field + " does nothing: " + why + ".");
  }
  std::vector<std::string> sentences;
};

void of_optimizer(Idle& idle, const wire::OptimizerConfig& is) {
  if (is.kind == "none") return;  // a run without training may keep the fields of the run it was made from
  const wire::OptimizerConfig none;
  const bool sgd = is.kind == "sgd";
  const bool rmsprop = is.kind == "rmsprop";
  const bool adam = one_of(is.kind, {"adam", "adamw"});
  const std::string why = is.kind + " has none";
  idle.add(is.momentum != none.momentum, sgd || rmsprop, "optimizer.momentum", why);
  idle.add(is.dampening != none.dampening, sgd, "optimizer.dampening", why);
  idle.add(is.nesterov, sgd, "optimizer.nesterov", why);
  idle.add(is.beta1 != none.beta1, adam, "optimizer.beta1", why);
  idle.add(is.beta2 != none.beta2, adam, "optimizer.beta2", why);
  idle.add(is.amsgrad, adam, "optimizer.amsgrad", why);
  idle.add(is.epsilon != none.epsilon, !sgd, "optimizer.epsilon", why);
  idle.add(is.alpha != none.alpha, rmsprop, "optimizer.alpha", why);
  idle.add(is.centered, rmsprop, "optimizer.centered", why);
  idle.add(is.rate_decay != none.rate_decay, is.kind == "adagrad", "optimizer.rate_decay", why);
}

void of_schedule(Idle& idle, const wire::ScheduleConfig& is) {
  const wire::ScheduleConfig none;
  const std::string why = "a " + is.kind + " schedule has none";
  idle.add(is.every != none.every, is.kind == "step", "schedule.every", why);
  idle.add(is.factor != none.factor, is.kind == "step", "schedule.factor", why);
  idle.add(is.floor != none.floor, is.kind == "cosine", "schedule.floor", why);
}

void of_data(Idle& idle, const wire::DataConfig& is) {
  const wire::DataConfig none;
  const bool synthetic = is.kind == "synthetic";
  const std::string why = "it is not for data.kind \"" + is.kind + "\"";
  idle.add(!is.folder.empty(), is.kind == "idx", "data.folder", why);
  idle.add(is.mean != none.mean, is.kind == "idx", "data.mean", why);
  idle.add(is.deviation != none.deviation, is.kind == "idx", "data.deviation", why);
  idle.add(!is.inputs.empty(), synthetic, "data.inputs", why);
  idle.add(is.classes != none.classes, synthetic, "data.classes", why);
}

}  // namespace

std::vector<std::string> idle_fields(const wire::RunConfig& config) {
  Idle idle;
  of_optimizer(idle, config.optimizer);
  of_schedule(idle, config.schedule);
  of_data(idle, config.data);
  for (const wire::ScalerConfig& is : wire::scalers_of(config)) {
    wire::ScalerConfig plain;
    plain.id = is.id;
    plain.enabled = is.enabled;
    idle.add(!(is == plain), is.enabled, is.id.empty() ? "scaler" : "scaler \"" + is.id + "\"", "it is not enabled");
  }
  for (std::size_t i = 0; i < config.losses.size(); ++i) {
    idle.add(config.losses[i].weight == 0, false, "losses[" + std::to_string(i) + "]", "its weight is 0");
  }
  idle.add(config.checkpoint.keep != wire::CheckpointConfig{}.keep, !config.checkpoint.folder.empty(),
           "checkpoint.keep", "no checkpoint.folder is named");
  return std::move(idle.sentences);
}

}  // namespace binade::train
