// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/apex_properties.h"

#include "engine/formats/error.h"

#include <array>
#include <charconv>
#include <cmath>

namespace binade::policy {

namespace {

using Warn = std::function<void(const std::string&)>;

struct Level {
  std::string_view name;
  std::string_view brief;
  ApexProperties properties;
};

const Level& level(std::string_view name) {
  static const std::array<Level, 4> levels{{
      {"O0", "Pure FP32 training.", {true, "O0", ModelCast{formats::kFloat32}, false, std::nullopt, false, 1.0}},
      {"O1",
       "Insert automatic casts around Pytorch functions and Tensor methods.",
       {true, "O1", std::nullopt, true, std::nullopt, std::nullopt, std::nullopt}},
      {"O2",
       "FP16 training with FP32 batchnorm and FP32 master weights.",
       {true, "O2", ModelCast{formats::kFloat16}, false, true, true, std::nullopt}},
      {"O3", "Pure FP16 training.", {true, "O3", ModelCast{formats::kFloat16}, false, false, false, 1.0}},
  }};
  for (const Level& each : levels) {
    if (each.name == name) return each;
  }
  throw Error(ErrorCode::kUsage, "Unexpected optimization level " + std::string(name),
              "Options are O0, O1, O2 and O3. The prefix O is the letter O, not the number zero.");
}

std::string text_of(bool value) {
  return value ? "True" : "False";
}

std::string text_of(const std::optional<bool>& value) {
  return value ? text_of(*value) : "None";
}

std::string text_of(const std::optional<ModelCast>& cast) {
  if (!cast) return "None";
  return cast->format ? "torch." + formats::name(*cast->format) : "False";
}

/// Formats a float as Python does: always with a point or an exponent.
std::string text_of(double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  std::string text(digits.data(), end);
  if (text.find_first_of(".ein") == std::string::npos) text += ".0";
  return text;
}

void refuse(const Warn& warn, const std::string& message, const std::string& hint) {
  if (!warn) throw Error(ErrorCode::kUsage, message, hint);
  warn("Warning:  " + message);
}

/// Reads a bool, or Python's text for one.
bool read_bool(const std::variant<bool, std::string>& value) {
  if (const bool* truth = std::get_if<bool>(&value)) return *truth;
  const std::string& text = std::get<std::string>(value);
  if (text == "True") return true;
  if (text == "False") return false;
  throw Error(ErrorCode::kUsage,
              "keep_batchnorm_fp32 must be a boolean, the string 'True' or 'False', or not given, found "
              "keep_batchnorm_fp32=" +
                  text);
}

std::string text_of(const std::variant<bool, std::string>& value) {
  const bool* truth = std::get_if<bool>(&value);
  return truth != nullptr ? text_of(*truth) : std::get<std::string>(value);
}

/// Empty for "dynamic". Zero and negative scales are accepted, as by Apex.
std::optional<double> read_scale(const std::variant<double, std::string>& value) {
  if (const double* number = std::get_if<double>(&value)) return *number;
  const std::string& text = std::get<std::string>(value);
  if (text == "dynamic") return std::nullopt;
  const std::size_t first = text.find_first_not_of(" \t\n+");
  const std::size_t last = text.find_last_not_of(" \t\n");
  double number = 0;
  if (first != std::string::npos) {
    const char* begin = text.data() + first;
    const char* end = text.data() + last + 1;
    const auto [rest, error] = std::from_chars(begin, end, number);
    if (error == std::errc() && rest == end) return number;
  }
  throw Error(ErrorCode::kUsage, "loss_scale: could not convert string to float: '" + text + "'",
              "Give a number, or \"dynamic\".");
}

}  // namespace

ApexProperties apex_defaults(std::string_view opt_level) {
  return level(opt_level).properties;
}

std::string_view apex_brief(std::string_view opt_level) {
  return level(opt_level).brief;
}

ApexProperties apex_properties(std::string_view opt_level, const ApexOverrides& overrides, const Warn& warn) {
  ApexProperties properties = apex_defaults(opt_level);
  const bool casts_functions = opt_level == "O1";
  if (overrides.cast_model_type) {
    const auto& format = overrides.cast_model_type->format;
    if (casts_functions && format && *format != formats::kFloat32) {
      refuse(warn,
             "O1 inserts casts around functions rather than model weights, so with O1 the model weights themselves "
             "should remain FP32; cast_model_type was " +
                 text_of(overrides.cast_model_type),
             "To cast the model to a different type, use opt_level O2 or O3.");
    }
    properties.cast_model_type = overrides.cast_model_type;
  }
  if (overrides.patch_torch_functions) {
    if (!casts_functions && *overrides.patch_torch_functions) {
      refuse(warn,
             "patch_torch_functions=True should only be set by selecting opt_level O1; opt_level is " +
                 std::string(opt_level),
             "Use opt_level O1.");
    }
    properties.patch_torch_functions = *overrides.patch_torch_functions;
  }
  if (overrides.keep_batchnorm_fp32) {
    if (casts_functions) {
      refuse(warn,
             "With opt_level O1 batch norm is handled automatically, so keep_batchnorm_fp32 should not be given; "
             "keep_batchnorm_fp32 was " +
                 text_of(*overrides.keep_batchnorm_fp32),
             "Leave keep_batchnorm_fp32 out.");
    }
    properties.keep_batchnorm_fp32 = read_bool(*overrides.keep_batchnorm_fp32);
  }
  if (overrides.master_weights) {
    if (casts_functions) {
      refuse(warn,
             "It doesn't make sense to use master_weights with O1: with O1 the model weights themselves are FP32; "
             "master_weights was " +
                 text_of(*overrides.master_weights),
             "Leave master_weights out, or use opt_level O2.");
    }
    properties.master_weights = overrides.master_weights;
  }
  if (overrides.loss_scale) properties.loss_scale = read_scale(*overrides.loss_scale);
  return properties;
}

std::vector<std::string> apex_lines(const ApexProperties& properties) {
  const auto line = [](std::string_view name, const std::string& value) {
    std::string text(name);
    text.resize(22, ' ');
    return text + " : " + value;
  };
  return {line("enabled", text_of(properties.enabled)),
          line("opt_level", properties.opt_level.value_or("None")),
          line("cast_model_type", text_of(properties.cast_model_type)),
          line("patch_torch_functions", text_of(properties.patch_torch_functions)),
          line("keep_batchnorm_fp32", text_of(properties.keep_batchnorm_fp32)),
          line("master_weights", text_of(properties.master_weights)),
          line("loss_scale", properties.loss_scale ? text_of(*properties.loss_scale) : "dynamic")};
}

}  // namespace binade::policy
