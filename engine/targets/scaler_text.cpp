// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/scaler_text.h"

#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/targets/literal_text.h"

#include <cmath>

namespace binade::targets {

namespace {

/// Whole numbers beyond this are not exact as a double.
constexpr double kLargestCount = 1e15;

/// Reads the values of one dict.
class ScalerDict {
 public:
  ScalerDict(const nlohmann::json& dict, const std::string& source) : dict_(dict), source_(source) {}

  void number(const std::string& name, double& value) const {
    if (name.empty() || !dict_.contains(name)) return;
    const nlohmann::json& json = dict_.at(name);
    if (!json.is_number()) fail(name, "is not a number");
    value = json.get<double>();
    if (!(std::isfinite(value) && value > 0)) fail(name, "is not a positive number");
  }

  void count(const std::string& name, std::int64_t& value) const {
    if (name.empty() || !dict_.contains(name)) return;
    double given = 0;
    number(name, given);
    if (given != std::floor(given) || given > kLargestCount) fail(name, "is not a count");
    value = static_cast<std::int64_t>(given);
  }

  /// A positive number, or 0 for none.
  void bound(const std::string& name, double& value) const {
    if (name.empty() || !dict_.contains(name)) return;
    value = 0;
    if (dict_.at(name) != 0) number(name, value);
  }

  void flag(const std::string& name, bool& value) const {
    if (name.empty() || !dict_.contains(name)) return;
    const nlohmann::json& json = dict_.at(name);
    if (json.is_boolean()) {
      value = json.get<bool>();
    } else if (json.is_number() && (json.get<double>() == 0 || json.get<double>() == 1)) {
      value = json.get<double>() == 1;
    } else {
      fail(name, "is neither True nor False");
    }
  }

  [[noreturn]] void fail(const std::string& name, const std::string& what) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": " + formats::printable(name) + " " + what,
                "Correct this setting of the loss scaler, or remove it.");
  }

 private:
  const nlohmann::json& dict_;
  const std::string& source_;
};

}  // namespace

const ScalerNames& torch_scaler_names() {
  static const ScalerNames names{.program = "torch.amp.GradScaler",
                                 .scale = "init_scale",
                                 .growth = "growth_factor",
                                 .backoff = "backoff_factor",
                                 .interval = "growth_interval",
                                 .hysteresis = "",
                                 .dynamic = "",
                                 .enabled = "enabled"};
  return names;
}

std::string scaler_dict(const ScalerNames& names, const wire::ScalerConfig& scaler, Findings& findings) {
  const auto lacks = [&](const std::string& what) {
    findings.add(Finding::Kind::kInexpressible, names.program + " has no " + what);
  };
  std::string text = "{";
  const auto add = [&text](const std::string& name, const std::string& value) {
    text += (text.size() > 1 ? ", " : "") + literal_text(name) + ": " + value;
  };
  const auto number = [](const auto value) { return nlohmann::json(value).dump(); };
  const auto flag = [&names](bool value) -> std::string {
    if (names.as_json) return value ? "1" : "0";
    return value ? "True" : "False";
  };
  add(names.scale, number(scaler.init_scale));
  add(names.growth, number(scaler.growth_factor));
  add(names.backoff, number(scaler.backoff_factor));
  add(names.interval, number(scaler.growth_interval));
  const bool ignored = names.kept_for_binade;
  if (!names.hysteresis.empty()) add(names.hysteresis, number(scaler.hysteresis));
  if ((names.hysteresis.empty() || ignored) && scaler.hysteresis != 1) {
    lacks("hysteresis: its scale backs off at each overflow");
  }
  if (!names.dynamic.empty()) add(names.dynamic, flag(!scaler.fixed));
  if ((names.dynamic.empty() || ignored) && scaler.fixed) {
    lacks("fixed scale: this one backs off at an overflow and then grows again");
  }
  if (!names.minimum.empty() && scaler.minimum != 0) add(names.minimum, number(scaler.minimum));
  if (!names.maximum.empty() && scaler.maximum != 0) add(names.maximum, number(scaler.maximum));
  if ((names.minimum.empty() || ignored) && (scaler.minimum != 0 || scaler.maximum != 0)) {
    lacks("bounds: its scale may leave the run's minimum and maximum");
  }
  add(names.enabled, flag(scaler.enabled));
  return text + "}";
}

wire::ScalerConfig scaler_from(const ScalerNames& names, const nlohmann::json& dict, wire::ScalerConfig absent,
                               const std::string& source) {
  const ScalerDict reader(dict, source);
  for (const auto& [name, value] : dict.items()) {
    const bool known = name == names.scale || name == names.growth || name == names.backoff || name == names.interval ||
                       name == names.hysteresis || name == names.dynamic || name == names.enabled ||
                       name == names.minimum || name == names.maximum;
    if (!known || name.empty()) reader.fail(name, "is no setting of " + names.program);
  }
  reader.number(names.scale, absent.init_scale);
  reader.number(names.growth, absent.growth_factor);
  reader.number(names.backoff, absent.backoff_factor);
  reader.count(names.interval, absent.growth_interval);
  reader.count(names.hysteresis, absent.hysteresis);
  bool dynamic = !absent.fixed;
  reader.flag(names.dynamic, dynamic);
  absent.fixed = !dynamic;
  reader.flag(names.enabled, absent.enabled);
  reader.bound(names.minimum, absent.minimum);
  reader.bound(names.maximum, absent.maximum);
  return absent;
}

}  // namespace binade::targets
