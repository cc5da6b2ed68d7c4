// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/apex_properties.h"

#include <c10/core/ScalarType.h>

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace binade::apex {

/// The arguments of initialize(), with Apex's names and defaults. nullopt: the level's own value.
struct Options {
  bool enabled = true;  ///< false: models, optimizers and losses are left unchanged
  std::string opt_level = "O1";
  std::optional<policy::ModelCast> cast_model_type = {};
  std::optional<bool> patch_torch_functions = {};
  std::optional<std::variant<bool, std::string>> keep_batchnorm_fp32 = {};
  std::optional<bool> master_weights = {};
  std::optional<std::variant<double, std::string>> loss_scale = {};
  std::optional<c10::ScalarType> cast_model_outputs = {};  ///< dtype of model outputs, at any level
  int num_losses = 1;                                      ///< number of loss scalers, selected by loss_id
  int verbosity = 1;                                       ///< 0: silent
  std::optional<double> min_loss_scale = {};
  double max_loss_scale = 16777216.0;

  bool hard_override = false;                          ///< accept invalid overrides with a warning
  bool allow_incoming_model_not_fp32 = false;          ///< do not refuse models with float16 parameters
  bool allow_banned = false;                           ///< at O1, binary_cross_entropy runs in float32 instead of
                                                       ///< throwing
  std::function<void(const std::string&)> print = {};  ///< receives messages; default: standard output
};

}  // namespace binade::apex
