// SPDX-License-Identifier: Apache-2.0
#include "engine/wire/check.h"
#include "engine/wire/run_config.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace binade::wire {

namespace {

constexpr double kAny = std::numeric_limits<float>::max();  // parameters are float32

/// Checks a number that LibTorch uses as float32.
void zero_or_more(const Check& check, double value, const std::string& field) {
  check.that(value >= 0, field, "be 0 or more");
  check.that(value <= kAny, field, "be at most 3.4e38, the largest float32 value");
}

constexpr std::initializer_list<const char*> kLosses{"cross_entropy",   "mse", "l1",     "smooth_l1",       "huber",
                                                     "bce_with_logits", "nll", "kl_div", "cosine_embedding"};

void check_losses(const Check& check, const RunConfig& config) {
  check.one_of(config.loss, "loss", kLosses);
  check.that(config.losses.empty() || (config.loss == RunConfig{}.loss && config.output.empty()), "losses",
             "not be combined with \"loss\" and \"output\", which are short for a single entry",
             "Move them into losses, or delete losses.");
  for (std::size_t i = 0; i < config.losses.size(); ++i) {
    const LossConfig& loss = config.losses[i];
    const std::string field = "losses[" + std::to_string(i) + "].";
    if (loss.kind != "text") check.one_of(loss.kind, field + "kind", kLosses, "text");
    check.that(loss.kind != "text" || !loss.text.empty(), field + "text", "contain the TorchScript of the loss",
               "For example \"def loss(output: Tensor, target: Tensor) -> Tensor:\\n    return (output - "
               "target).abs().mean()\".");
    check.that(loss.kind == "text" || loss.text.empty(), field + "text", "be empty unless kind is text");
    check.that(finite(loss.weight, -kAny, kAny), field + "weight", "be finite in float32");
  }
}

void check_groups(const Check& check, const OptimizerConfig& optimizer) {
  for (std::size_t i = 0; i < optimizer.groups.size(); ++i) {
    const ParameterGroup& group = optimizer.groups[i];
    const std::string field = "optimizer.groups[" + std::to_string(i) + "].";
    check.that(!group.match.empty(), field + "match", "name parameters", "For example \"*.bias\" or \"layer4\".");
    zero_or_more(check, group.learning_rate.value_or(0), field + "learning_rate");
    zero_or_more(check, group.weight_decay.value_or(0), field + "weight_decay");
    check.that(group.learning_rate || group.weight_decay, field + "match", "have a learning_rate or a weight_decay",
               "A group without either changes nothing.");
  }
}

void check_optimizer(const Check& check, const OptimizerConfig& optimizer) {
  check.one_of(optimizer.kind, "optimizer.kind", {"sgd", "adam", "adamw", "rmsprop", "adagrad", "none"});
  zero_or_more(check, optimizer.learning_rate, "optimizer.learning_rate");
  zero_or_more(check, optimizer.momentum, "optimizer.momentum");
  zero_or_more(check, optimizer.dampening, "optimizer.dampening");
  check.that(!optimizer.nesterov || (optimizer.momentum > 0 && optimizer.dampening == 0), "optimizer.nesterov",
             "have a momentum above 0 and no dampening");
  zero_or_more(check, optimizer.weight_decay, "optimizer.weight_decay");
  check.that(finite(optimizer.beta1, 0, 1) && optimizer.beta1 < 1, "optimizer.beta1", "be from 0 to below 1",
             "The default is 0.9.");
  check.that(finite(optimizer.beta2, 0, 1) && optimizer.beta2 < 1, "optimizer.beta2", "be from 0 to below 1",
             "The default is 0.999.");
  zero_or_more(check, optimizer.epsilon, "optimizer.epsilon");
  check.that(finite(optimizer.alpha, 0, 1), "optimizer.alpha", "be from 0 to 1");
  zero_or_more(check, optimizer.rate_decay, "optimizer.rate_decay");
  const bool has_fused = optimizer.kind == "sgd" || optimizer.kind == "adam" || optimizer.kind == "adamw";
  check.that(!optimizer.fused || has_fused, "optimizer.fused", "be false for " + optimizer.kind,
             "Only sgd, adam and adamw have a fused form.");
  check_groups(check, optimizer);
}

void check_schedule(const Check& check, const RunConfig& config) {
  const ScheduleConfig& schedule = config.schedule;
  check.one_of(schedule.kind, "schedule.kind", {"constant", "step", "cosine"});
  check.that(schedule.warmup >= 0, "schedule.warmup", "be 0 or more",
             "warmup is the number of steps over which the learning rate rises: 0 for none.");
  check.that(schedule.kind != "cosine" || schedule.warmup < config.steps, "schedule.warmup", "be below steps",
             "The cosine begins after the warm-up. Lower warmup, or train for more steps.");
  check.that(schedule.kind != "step" || schedule.every >= 1, "schedule.every", "be at least 1",
             "It is the number of steps between changes of the learning rate.");
  check.that(std::isfinite(schedule.factor) && schedule.factor > 0, "schedule.factor", "be above 0",
             "The learning rate is multiplied by it: 0.1 is usual.");
  check.that(finite(schedule.floor, 0, 1), "schedule.floor", "be from 0 to 1",
             "It is the share of the learning rate at the end.");
}

void check_scaler(const Check& check, const ScalerConfig& scaler, const std::string& field) {
  check.that(is_loss_scale(scaler.init_scale), field + ".init_scale", "be above 0 and finite in float32",
             "PyTorch's default is 65536.");
  check.that(std::isfinite(scaler.growth_factor) && scaler.growth_factor > 1, field + ".growth_factor", "be above 1",
             "The default is 2. For a fixed scale, keep the factor and set a large growth_interval.");
  check.that(scaler.backoff_factor > 0 && scaler.backoff_factor < 1, field + ".backoff_factor", "be between 0 and 1",
             "The default is 0.5: an overflow halves the scale.");
  check.that(scaler.growth_interval >= 1, field + ".growth_interval", "be at least 1",
             "It is the number of steps without an overflow before the scale grows. The default is 2000.");
  check.that(scaler.minimum == 0 || is_loss_scale(scaler.minimum), field + ".minimum",
             "be 0 (no floor), or above 0 and finite in float32");
  check.that(scaler.maximum == 0 || is_loss_scale(scaler.maximum), field + ".maximum",
             "be 0 (no ceiling), or above 0 and finite in float32");
  check.that(scaler.maximum == 0 || scaler.maximum >= scaler.minimum, field + ".maximum", "not be below the minimum");
  check.that(scaler.init_scale >= scaler.minimum, field + ".init_scale", "not be below the minimum");
  check.that(scaler.maximum == 0 || scaler.init_scale <= scaler.maximum, field + ".init_scale",
             "not be above the maximum");
  check.that(scaler.hysteresis >= 1, field + ".hysteresis", "be at least 1",
             "It is the number of consecutive overflows before the scale backs off. The default is 1.");
}

void check_scalers(const Check& check, const RunConfig& config) {
  check_scaler(check, config.scaler, "scaler");
  check.that(config.scalers.empty() || (!config.scaler_given && config.scaler == ScalerConfig{}), "scalers",
             "not be combined with \"scaler\", which is short for a single entry",
             "Move it into scalers, or delete scalers.");
  check.that(config.scaler.id.empty(), "scaler.id", "be empty: a single scaler needs no name",
             "Use scalers for several scalers.");
  std::string known;
  for (std::size_t i = 0; i < config.scalers.size(); ++i) {
    const std::string field = "scalers[" + std::to_string(i) + "]";
    check_scaler(check, config.scalers[i], field);
    check.that(!config.scalers[i].id.empty(), field + ".id", "name the scaler",
               "Losses refer to this name in their field scaler.");
    for (std::size_t j = 0; j < i; ++j) {
      check.that(config.scalers[j].id != config.scalers[i].id, field + ".id",
                 "be unique: \"" + config.scalers[i].id + "\" is given twice");
    }
    known += (i == 0 ? "" : ", ") + config.scalers[i].id;
  }
  for (std::size_t i = 0; i < config.losses.size(); ++i) {
    const std::string& wanted = config.losses[i].scaler;
    const auto is_wanted = [&wanted](const ScalerConfig& scaler) { return scaler.id == wanted; };
    check.that(wanted.empty() || std::any_of(config.scalers.begin(), config.scalers.end(), is_wanted),
               "losses[" + std::to_string(i) + "].scaler", "name one of scalers; \"" + wanted + "\" is not one of them",
               known.empty() ? "Add it to scalers, or omit the field." : "Known scalers: " + known + ".");
  }
  // After the losses, so that a misspelt name is reported as such and not as an unused scaler.
  const auto losses = losses_of(config);
  for (std::size_t i = 0; i < config.scalers.size(); ++i) {
    const auto uses_it = [&](const LossConfig& loss) {
      return loss.scaler == config.scalers[i].id || (i == 0 && loss.scaler.empty());
    };
    check.that(std::any_of(losses.begin(), losses.end(), uses_it), "scalers[" + std::to_string(i) + "].id",
               "be the scaler of a loss; no loss names \"" + config.scalers[i].id + "\"",
               "Name it in a loss, or delete it.");
  }
}

void check_loop(const Check& check, const RunConfig& config) {
  check.that(finite(config.clip.norm, 0, kAny), "clip.norm", "be 0 (no clipping), or more and finite in float32",
             "1 is usual.");
  check.that(finite(config.clip.value, 0, kAny), "clip.value", "be 0 (no clipping), or more and finite in float32");
  check.that(config.accumulate >= 1, "accumulate", "be at least 1",
             "It is the number of batches in a step: 1 accumulates none.");
  check.one_of(config.skipped, "skipped", {"drop", "replay"});
  check.one_of(config.batch_norm, "batch_norm", {"local", "synchronised"});
  check.that(config.diverged_after >= 0, "diverged_after", "be 0 (never) or more");
  check.that(config.checkpoint.every >= 0, "checkpoint.every", "be 0 (at the end only) or more");
  check.that(config.checkpoint.every == 0 || !config.checkpoint.folder.empty(), "checkpoint.folder",
             "name the folder for checkpoints");
  check.that(config.checkpoint.keep >= 1, "checkpoint.keep", "be at least 1",
             "It is the number of newest checkpoints to keep. checkpoint.every 0 saves none during the run.");
}

}  // namespace

bool is_loss_scale(double scale) {
  using Float = std::numeric_limits<float>;
  return scale >= Float::denorm_min() && scale <= Float::max();
}

void check(const ObserveConfig& observe, const std::string& source) {
  const Check check(source);
  check.one_of(observe.level, "observe.level", {"off", "finite", "range", "histogram", "what-if"});
  check.one_of(observe.between, "observe.between", {"off", "finite"});
  check.that(observe.every >= 1, "observe.every", "be at least 1",
             "It is the interval between observed steps: 1 observes each step. The default is 32.");
  check.that(finite(observe.live, 0, 1e6), "observe.live", "be 0 (never) or a number of seconds");
}

void check(const ProfileConfig& profile, const std::string& source) {
  const Check check(source);
  check.one_of(profile.level, "profile.level", {"off", "times", "counters"});
  check.that(profile.every >= 1, "profile.every", "be at least 1",
             "It is the interval between timed steps: 1 times each step.");
  check.that(finite(profile.interval, 5, 10'000), "profile.interval", "be from 5 to 10,000 microseconds");
}

void check(const ScalerConfig& scaler, const std::string& source) {
  check_scaler(Check(source), scaler, "scaler");
}

void check(const RunConfig& config, const std::string& source) {
  const Check check(source);
  check.that(!config.model.empty(), "model", "name a TorchScript file or a sample",
             "For example \"model\": \"sample:cnn\".");
  check_data(check, config.data);
  check_losses(check, config);
  check_optimizer(check, config.optimizer);
  check_schedule(check, config);
  check_scalers(check, config);
  check_loop(check, config);
  wire::check(config.observe, source);
  wire::check(config.profile, source);
  check.that(config.batch >= 1, "batch", "be at least 1", "It is the number of examples in a batch.");
  check.that(config.steps >= 1, "steps", "be at least 1",
             "It is the number of optimizer steps; --steps N overrides it.");
  check.that(config.evaluate_every >= 0, "evaluate_every", "be 0 or more",
             "It is the number of steps between evaluations: 0 disables them.");
  check.one_of(config.device, "device", {"cpu", "cuda"});
}

}  // namespace binade::wire
