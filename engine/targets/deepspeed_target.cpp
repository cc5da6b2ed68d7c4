// SPDX-License-Identifier: Apache-2.0
// Format: DeepSpeed 0.17.2 and later, ds_config JSON (deepspeed/runtime/precision_config.py at 0ac4684,
// loss_scaler.py): "fp16" and "bf16" cast the whole model, "torch_autocast" puts torch.autocast around it. At most one
// is enabled. Losses are scaled in float16 only, with the settings of "fp16", which ZeRO's optimizers also use beside
// torch_autocast.

#include "engine/formats/error.h"
#include "engine/targets/target_list.h"
#include "engine/targets/training_setting.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace binade::targets {

namespace {

using DeepSpeedJson = nlohmann::ordered_json;
constexpr int kLargestPower = 126;  ///< of a scale in float32

/// The section "fp16" for a scaler. DeepSpeed has fixed factors, whole powers of two and a lower bound.
DeepSpeedJson deepspeed_scaler(const wire::ScalerConfig& scaler, Findings& findings) {
  const auto lacks = [&](const std::string& what) {
    findings.add(Finding::Kind::kInexpressible, "DeepSpeed's loss scaler " + what);
  };
  DeepSpeedJson json;
  if (!scaler.enabled || scaler.fixed) {
    json["loss_scale"] = scaler.enabled ? scaler.init_scale : 1.0;
    if (!scaler.enabled) lacks("cannot be off: its scale is fixed at 1");
    return json;
  }
  const double power = std::round(std::log2(scaler.init_scale));
  if (std::exp2(power) != scaler.init_scale || power < 0 || power > kLargestPower) {
    lacks("starts from a whole power of two from 1: the nearest was taken");
  }
  if (scaler.growth_factor != 2 || scaler.backoff_factor != 0.5) lacks("doubles and halves its scale");
  if (scaler.maximum != 0) lacks("has no upper bound");
  const double minimum = std::round(scaler.minimum);
  if (scaler.minimum < 1 || minimum != scaler.minimum) {
    lacks("needs a whole lower bound from 1, and ends the run if gradients overflow there");
  }
  json["loss_scale"] = 0;
  json["initial_scale_power"] = static_cast<int>(std::fmin(std::fmax(power, 0), kLargestPower));
  json["loss_scale_window"] = scaler.growth_interval;
  json["hysteresis"] = scaler.hysteresis;
  json["consecutive_hysteresis"] = true;
  json["min_loss_scale"] = static_cast<std::int64_t>(std::fmin(std::fmax(minimum, 1), 1e15));
  findings.add(Finding::Kind::kNote, "DeepSpeed's scale grows one step later than that of a GradScaler");
  return json;
}

Written write_deepspeed(const Assignment& assignment) {
  Findings findings;
  const TrainingSetting setting = nearest_setting(assignment);
  const bool half = setting.low == formats::kFloat16;
  const bool whole = setting.kind == TrainingSetting::Kind::kWhole;
  const bool autocast = setting.kind == TrainingSetting::Kind::kAutocast;
  DeepSpeedJson fp16{{"enabled", whole && half}};
  if (assignment.scaler && half && setting.kind != TrainingSetting::Kind::kFloat32) {
    fp16.update(deepspeed_scaler(*assignment.scaler, findings));
    if (autocast) {
      findings.add(Finding::Kind::kNote,
                   "beside torch_autocast, only ZeRO stages 1 to 3 use the scaler; stage 0 uses PyTorch's defaults");
    }
  } else if (assignment.scaler && assignment.scaler->enabled) {
    findings.add(Finding::Kind::kInexpressible, "DeepSpeed scales losses in float16 only");
  }
  DeepSpeedJson json{{"fp16", fp16}, {"bf16", {{"enabled", whole && !half}}}};
  json["torch_autocast"] = {{"enabled", autocast}};
  if (autocast) json["torch_autocast"]["dtype"] = formats::name(setting.low);
  if (autocast && setting.cpu) {
    findings.add(
        Finding::Kind::kNote,
        "the configuration names no device: DeepSpeed uses PyTorch's list for its accelerator. This is cpu-amp "
        "on CPUs alone; `policy import` reads cuda-amp");
  }
  declare_setting(assignment, setting, "DeepSpeed", findings);
  return {json.dump(2) + "\n", findings.list()};
}

/// Reads the sections of one configuration.
class DeepSpeedReader {
 public:
  DeepSpeedReader(std::string_view text, const std::string& source) : source_(source) {
    json_ = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json_.is_object()) fail("the text is not a JSON object", "Give a DeepSpeed configuration (ds_config.json).");
    const bool any = json_.contains("fp16") || json_.contains("bf16") || json_.contains("torch_autocast");
    if (!any) fail("there is no section fp16, bf16 or torch_autocast", "Add the section that sets the precision.");
  }

  Read read(const Assignment& model) {
    TrainingSetting setting;
    setting.cpu = model.policy.base == policy::Base::kCpuAmp;  // the list is that of the accelerator
    const bool fp16 = enabled("fp16");
    const bool bf16 = enabled("bf16");
    const bool autocast = enabled("torch_autocast");
    if (fp16 + bf16 + autocast > 1) {
      fail("fp16, bf16 and torch_autocast exclude each other", "Enable one of them.");
    }
    if (fp16 || bf16) setting.kind = TrainingSetting::Kind::kWhole;
    if (fp16) setting.low = formats::kFloat16;
    if (autocast) {
      setting.kind = TrainingSetting::Kind::kAutocast;
      setting.low = autocast_format();
      if (!setting.cpu) {
        findings_.add(Finding::Kind::kNote,
                      "the configuration names no device: the base list is PyTorch's for CUDA, cuda-amp");
      }
      if (json_.at("torch_autocast").contains("lower_precision_safe_modules")) {
        findings_.add(Finding::Kind::kNote, "lower_precision_safe_modules was left out: it is about communication");
      }
    }
    Read read;
    read.policy = policy_of_setting(setting);
    const bool half = setting.kind != TrainingSetting::Kind::kFloat32 && setting.low == formats::kFloat16;
    if (half && json_.contains("fp16")) read.scaler = scaler();
    if (!half) {
      read.scaler = wire::ScalerConfig{};
      read.scaler->enabled = false;
    }
    read.findings = findings_.list();
    return read;
  }

 private:
  bool enabled(const char* section) {
    if (!json_.contains(section)) return false;
    const nlohmann::json& json = json_.at(section);
    if (!json.is_object()) fail(std::string(section) + " is not an object", "Write {\"enabled\": true}.");
    if (!json.contains("enabled")) return false;
    const nlohmann::json& value = json.at("enabled");
    if (value == "auto") {
      findings_.add(Finding::Kind::kNote,
                    "\"auto\" is set by the program that starts DeepSpeed; it was taken as false");
      return false;
    }
    if (!value.is_boolean())
      fail(std::string(section) + ": enabled is neither true nor false", "Write one of the two.");
    return value.get<bool>();
  }

  formats::Format autocast_format() const {
    const nlohmann::json& section = json_.at("torch_autocast");
    const nlohmann::json dtype = section.value("dtype", nlohmann::json("bfloat16"));
    if (dtype == "float16" || dtype == "fp16" || dtype == "half") return formats::kFloat16;
    if (dtype == "bfloat16" || dtype == "bf16") return formats::kBFloat16;
    fail("torch_autocast: dtype is neither float16 nor bfloat16", "Name one of the two.");
  }

  double number(const char* name, double absent) const {
    const nlohmann::json& section = json_.at("fp16");
    if (!section.contains(name)) return absent;
    const nlohmann::json& value = section.at(name);
    const bool usable = value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0;
    if (!usable) fail(std::string("fp16: ") + name + " is not a number from 0", "Correct or remove it.");
    return value.get<double>();
  }

  std::int64_t count(const char* name, std::int64_t absent) const {
    const double value = number(name, static_cast<double>(absent));
    if (value != std::floor(value) || value < 1 || value > 1e15) {
      fail(std::string("fp16: ") + name + " is not a count from 1", "Correct or remove it.");
    }
    return static_cast<std::int64_t>(value);
  }

  wire::ScalerConfig scaler() {
    wire::ScalerConfig scaler;
    const double fixed = number("loss_scale", 0);
    if (fixed > 0) {
      scaler.fixed = true;
      scaler.init_scale = fixed;
      return scaler;
    }
    const double power = number("initial_scale_power", 16);
    if (power > kLargestPower) fail("fp16: initial_scale_power is above 126", "Give the power of two of the scale.");
    scaler.init_scale = std::exp2(power);
    scaler.growth_interval = count("loss_scale_window", 1000);
    scaler.hysteresis = count("hysteresis", 2);
    scaler.minimum = number("min_loss_scale", 1);
    const nlohmann::json& section = json_.at("fp16");
    const bool refills = section.contains("consecutive_hysteresis") && section.at("consecutive_hysteresis") == true;
    if (scaler.hysteresis > 1 && !refills) {
      findings_.add(
          Finding::Kind::kNote,
          "DeepSpeed counts overflows for hysteresis until its scale grows; here only consecutive ones count");
    }
    return scaler;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": " + what, hint);
  }

  const std::string& source_;
  nlohmann::json json_;
  Findings findings_;
};

Read read_deepspeed(std::string_view text, const std::string& source, const Assignment& model) {
  return DeepSpeedReader(text, source).read(model);
}

}  // namespace

Target deepspeed_target() {
  return {.name = "deepspeed",
          .title = "DeepSpeed configuration",
          .suffix = ".ds_config.json",
          .doc = "The sections fp16, bf16 and torch_autocast of a configuration; for DeepSpeed 0.17.2 and later.",
          .write = write_deepspeed,
          .read = read_deepspeed};
}

}  // namespace binade::targets
