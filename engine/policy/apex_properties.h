// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace binade::policy {

/// Format to which a model's parameters and buffers are cast. No format is Apex's `False`: no cast.
struct ModelCast {
  std::optional<formats::Format> format;
  friend bool operator==(const ModelCast&, const ModelCast&) = default;
};

/// The seven properties that an optimization level of Apex sets. The defaults are Apex's before a level is chosen. A
/// plain value.
struct ApexProperties {
  bool enabled = false;
  std::optional<std::string> opt_level;      ///< `O0` to `O3`
  std::optional<ModelCast> cast_model_type;  ///< empty: the level casts around functions instead
  bool patch_torch_functions = false;        ///< cast the arguments of every listed function
  std::optional<bool> keep_batchnorm_fp32;
  std::optional<bool> master_weights;
  std::optional<double> loss_scale = 1.0;  ///< empty: dynamic

  /// Format of parameters and buffers; empty if they are not cast.
  std::optional<formats::Format> model_format() const {
    return cast_model_type ? cast_model_type->format : std::nullopt;
  }
  bool has_master_weights() const { return master_weights.value_or(false); }
  bool is_dynamic() const { return !loss_scale; }

  friend bool operator==(const ApexProperties&, const ApexProperties&) = default;
};

/// Properties that the user sets besides the level. An empty one is not overridden, so no property can be overridden to
/// be empty.
struct ApexOverrides {
  std::optional<ModelCast> cast_model_type = {};
  std::optional<bool> patch_torch_functions = {};
  std::optional<std::variant<bool, std::string>> keep_batchnorm_fp32 = {};  ///< or "True" or "False"
  std::optional<bool> master_weights = {};
  std::optional<std::variant<double, std::string>> loss_scale = {};  ///< or "dynamic", or a number as text
};

/// Defaults of a level. Throws Error{kUsage} for a name other than O0, O1, O2 or O3.
ApexProperties apex_defaults(std::string_view opt_level);

/// Apex's sentence on a level: "FP16 training with FP32 batchnorm and FP32 master weights." Throws as apex_defaults()
/// does.
std::string_view apex_brief(std::string_view opt_level);

/// Properties of a level with `overrides` applied in Apex's order. Throws Error{kUsage}, naming property, level and
/// value, for an override that the level does not allow. With `warn` (Apex's hard_override) such an override is passed
/// to `warn` and applied. A value that cannot be parsed throws in either case.
ApexProperties apex_properties(std::string_view opt_level, const ApexOverrides& overrides,
                               const std::function<void(const std::string&)>& warn = {});

/// The seven lines that Apex prints, such as `cast_model_type        : torch.float16`.
std::vector<std::string> apex_lines(const ApexProperties& properties);

}  // namespace binade::policy
