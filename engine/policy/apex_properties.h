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

/// What a model's parameters and buffers are cast to. Apex's `False` is the one without a format: no cast.
struct ModelCast {
  std::optional<formats::Format> format;
  friend bool operator==(const ModelCast&, const ModelCast&) = default;
};

/// The seven properties that one of Apex's optimization levels sets. A plain value; as it stands here, before any level
/// was chosen.
struct ApexProperties {
  bool enabled = false;
  std::optional<std::string> opt_level;      ///< `O0` to `O3`
  std::optional<ModelCast> cast_model_type;  ///< nothing: the level casts around functions instead
  bool patch_torch_functions = false;        ///< cast the arguments of each listed function
  std::optional<bool> keep_batchnorm_fp32;
  std::optional<bool> master_weights;
  std::optional<double> loss_scale = 1.0;  ///< nothing: dynamic

  /// The format that parameters and buffers get, if any.
  std::optional<formats::Format> model_format() const {
    return cast_model_type ? cast_model_type->format : std::nullopt;
  }
  bool has_master_weights() const { return master_weights.value_or(false); }
  bool is_dynamic() const { return !loss_scale; }

  friend bool operator==(const ApexProperties&, const ApexProperties&) = default;
};

/// What a person sets beside the level. Nothing means not overridden, so that no property can be overridden to nothing.
struct ApexOverrides {
  std::optional<ModelCast> cast_model_type = {};
  std::optional<bool> patch_torch_functions = {};
  std::optional<std::variant<bool, std::string>> keep_batchnorm_fp32 = {};  ///< also "True" or "False"
  std::optional<bool> master_weights = {};
  std::optional<std::variant<double, std::string>> loss_scale = {};  ///< also "dynamic", or a number as text
};

/// The defaults of a level. Throws Error{kUsage} for another name than O0, O1, O2, O3.
ApexProperties apex_defaults(std::string_view opt_level);

/// "FP16 training with FP32 batchnorm and FP32 master weights." Throws as apex_defaults does.
std::string_view apex_brief(std::string_view opt_level);

/// The level with `overrides` applied in Apex's order. Throws Error{kUsage} for an override that makes no sense at that
/// level, naming property, level and value. With `warn` (Apex's hard_override) such an override is told to it and taken
/// all the same; a value that means nothing at all is an error even then.
ApexProperties apex_properties(std::string_view opt_level, const ApexOverrides& overrides,
                               const std::function<void(const std::string&)>& warn = {});

/// The seven lines that Apex prints, `cast_model_type        : torch.float16`.
std::vector<std::string> apex_lines(const ApexProperties& properties);

}  // namespace binade::policy
