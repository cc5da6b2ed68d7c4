// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/wire/run_config.h"

#include <cmath>
#include <initializer_list>
#include <limits>

namespace binade::wire {

namespace {

class Check {
 public:
  explicit Check(const std::string& source) : source_(source) {}

  void that(bool holds, const std::string& field, const std::string& must, const std::string& hint = {}) const {
    if (!holds) throw Error(ErrorCode::kBadRun, source_ + ": " + field + " must " + must, hint);
  }

  void one_of(const std::string& value, const std::string& field, std::initializer_list<const char*> known) const {
    std::string list;
    for (const char* each : known) {
      if (value == each) return;
      list += (list.empty() ? "" : ", ") + std::string(each);
    }
    throw Error(ErrorCode::kBadRun, source_ + ": " + field + " is \"" + value + "\", which is not known",
                "Use one of: " + list + ".");
  }

 private:
  const std::string& source_;
};

bool finite(double value, double low, double high) {
  return std::isfinite(value) && value >= low && value <= high;
}

void check_data(const Check& check, const DataConfig& data) {
  check.one_of(data.kind, "data.kind", {"idx", "synthetic"});
  check.that(data.kind != "idx" || !data.folder.empty(), "data.folder", "name the folder of the IDX files",
             "Debian's package dataset-fashion-mnist installs them in /usr/share/datasets/fashion-mnist.");
  check.that(std::isfinite(data.mean), "data.mean", "be finite");
  check.that(std::isfinite(data.deviation) && data.deviation > 0, "data.deviation", "be above 0");
  check.that(data.classes >= 1, "data.classes", "be at least 1");
}

void check_optimizer(const Check& check, const OptimizerConfig& optimizer) {
  constexpr double kAny = 1e300;
  check.one_of(optimizer.kind, "optimizer.kind", {"sgd", "adam"});
  check.that(finite(optimizer.learning_rate, 0, kAny), "optimizer.learning_rate", "be 0 or more");
  check.that(finite(optimizer.momentum, 0, kAny), "optimizer.momentum", "be 0 or more");
  check.that(finite(optimizer.weight_decay, 0, kAny), "optimizer.weight_decay", "be 0 or more");
  check.that(finite(optimizer.beta1, 0, 1) && optimizer.beta1 < 1, "optimizer.beta1", "be from 0 to below 1");
  check.that(finite(optimizer.beta2, 0, 1) && optimizer.beta2 < 1, "optimizer.beta2", "be from 0 to below 1");
  check.that(finite(optimizer.epsilon, 0, kAny), "optimizer.epsilon", "be 0 or more");
}

void check_scaler(const Check& check, const ScalerConfig& scaler) {
  check.that(is_loss_scale(scaler.init_scale), "scaler.init_scale", "be above 0 and finite in float32",
             "PyTorch starts at 65536.");
  check.that(std::isfinite(scaler.growth_factor) && scaler.growth_factor > 1, "scaler.growth_factor", "be above 1");
  check.that(scaler.backoff_factor > 0 && scaler.backoff_factor < 1, "scaler.backoff_factor", "be between 0 and 1");
  check.that(scaler.growth_interval >= 1, "scaler.growth_interval", "be at least 1");
}

}  // namespace

bool is_loss_scale(double scale) {
  using Float = std::numeric_limits<float>;
  return scale >= Float::denorm_min() && scale <= Float::max();
}

void check(const ObserveConfig& observe, const std::string& source) {
  const Check check(source);
  check.one_of(observe.level, "observe.level", {"off", "finite", "histogram"});
  check.that(observe.every >= 1, "observe.every", "be at least 1");
}

void check(const RunConfig& config, const std::string& source) {
  const Check check(source);
  check.that(!config.model.empty(), "model", "name a TorchScript file or a sample",
             "For example \"model\": \"sample:cnn\".");
  check_data(check, config.data);
  check.one_of(config.loss, "loss", {"cross_entropy", "mse"});
  check_optimizer(check, config.optimizer);
  check_scaler(check, config.scaler);
  wire::check(config.observe, source);
  check.that(config.batch >= 1, "batch", "be at least 1");
  check.that(config.steps >= 1, "steps", "be at least 1");
  check.that(config.evaluate_every >= 0, "evaluate_every", "be 0 or more");
  check.one_of(config.device, "device", {"cpu", "cuda"});
}

}  // namespace binade::wire
