// SPDX-License-Identifier: Apache-2.0
#include "engine/train/unused_fields.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace binade::train {

namespace {

bool one_of(const std::string& kind, std::initializer_list<std::string_view> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

class Unused {
 public:
  /// `set`: differs from its default; `used`: the kind uses it.
  void add(bool set, bool used, const std::string& field, const std::string& why) {
    if (set && !used) sentences.push_back(field + " does nothing: " + why + ".");
  }
  std::vector<std::string> sentences;
};

void of_optimizer(Unused& unused, const wire::OptimizerConfig& is) {
  if (is.kind == "none") return;  // a run without training may keep the fields of the run it was made from
  const wire::OptimizerConfig none;
  const bool sgd = is.kind == "sgd";
  const bool rmsprop = is.kind == "rmsprop";
  const bool adam = one_of(is.kind, {"adam", "adamw"});
  const std::string why = is.kind + " has none";
  unused.add(is.momentum != none.momentum, sgd || rmsprop, "optimizer.momentum", why);
  unused.add(is.dampening != none.dampening, sgd, "optimizer.dampening", why);
  unused.add(is.nesterov, sgd, "optimizer.nesterov", why);
  unused.add(is.beta1 != none.beta1, adam, "optimizer.beta1", why);
  unused.add(is.beta2 != none.beta2, adam, "optimizer.beta2", why);
  unused.add(is.amsgrad, adam, "optimizer.amsgrad", why);
  unused.add(is.epsilon != none.epsilon, !sgd, "optimizer.epsilon", why);
  unused.add(is.alpha != none.alpha, rmsprop, "optimizer.alpha", why);
  unused.add(is.centered, rmsprop, "optimizer.centered", why);
  unused.add(is.rate_decay != none.rate_decay, is.kind == "adagrad", "optimizer.rate_decay", why);
}

void of_schedule(Unused& unused, const wire::ScheduleConfig& is) {
  const wire::ScheduleConfig none;
  const std::string why = "a " + is.kind + " schedule has none";
  unused.add(is.every != none.every, is.kind == "step", "schedule.every", why);
  unused.add(is.factor != none.factor, is.kind == "step", "schedule.factor", why);
  unused.add(is.floor != none.floor, is.kind == "cosine", "schedule.floor", why);
}

void of_data(Unused& unused, const wire::DataConfig& is) {
  const wire::DataConfig none;
  const bool synthetic = is.kind == "synthetic";
  const std::string why = "it is not for data.kind \"" + is.kind + "\"";
  unused.add(!is.folder.empty(), is.kind == "idx", "data.folder", why);
  unused.add(is.mean != none.mean, is.kind == "idx", "data.mean", why);
  unused.add(is.deviation != none.deviation, is.kind == "idx", "data.deviation", why);
  unused.add(!is.inputs.empty(), synthetic, "data.inputs", why);
  unused.add(is.classes != none.classes, synthetic, "data.classes", why);
}

}  // namespace

std::vector<std::string> unused_fields(const wire::RunConfig& config) {
  Unused unused;
  of_optimizer(unused, config.optimizer);
  of_schedule(unused, config.schedule);
  of_data(unused, config.data);
  for (const wire::ScalerConfig& is : wire::scalers_of(config)) {
    wire::ScalerConfig plain;
    plain.id = is.id;
    plain.enabled = is.enabled;
    unused.add(!(is == plain), is.enabled, is.id.empty() ? "scaler" : "scaler \"" + is.id + "\"", "it is not enabled");
  }
  for (std::size_t i = 0; i < config.losses.size(); ++i) {
    unused.add(config.losses[i].weight == 0, false, "losses[" + std::to_string(i) + "]", "its weight is 0");
  }
  unused.add(config.checkpoint.keep != wire::CheckpointConfig{}.keep, !config.checkpoint.folder.empty(),
             "checkpoint.keep", "no checkpoint.folder is named");
  return std::move(unused.sentences);
}

}  // namespace binade::train
