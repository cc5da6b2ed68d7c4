// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/apex_properties.h"

#include <c10/core/ScalarType.h>

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace binade::apex {

/// The arguments of initialize(), with Apex's names and defaults. Nothing in a property means: as the level has it.
struct Options {
  bool enabled = true;  ///< false: models, optimizers and losses pass untouched
  std::string opt_level = "O1";
  std::optional<policy::ModelCast> cast_model_type = {};
  std::optional<bool> patch_torch_functions = {};
  std::optional<std::variant<bool, std::string>> keep_batchnorm_fp32 = {};
  std::optional<bool> master_weights = {};
  std::optional<std::variant<double, std::string>> loss_scale = {};
  std::optional<c10::ScalarType> cast_model_outputs = {};  ///< what models give, at any level
  int num_losses = 1;                                      ///< how many loss scalers, each with a loss_id
  int verbosity = 1;                                       ///< 0: silent
  std::optional<double> min_loss_scale = {};
  double max_loss_scale = 16777216.0;

  bool hard_override = false;                          ///< warn of overrides that make no sense, and take them
  bool allow_incoming_model_not_fp32 = false;          ///< do not look for float16 in the models
  bool allow_banned = false;                           ///< O1: binary_cross_entropy runs in float32 instead of throwing
  std::function<void(const std::string&)> print = {};  ///< where lines go; standard output where there is none
};

}  // namespace binade::apex
