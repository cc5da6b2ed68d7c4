// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/targets/target.h"

namespace binade::targets {

// One function for each target, defined in the file of its name: `csv_target.cpp`. `targets()` calls them in this
// order.

Target json_target();
Target csv_target();
Target markdown_target();
Target html_target();
Target pytorch_target();
Target cpp_target();
Target modelopt_target();
Target te_target();
Target te_recipe_target();
Target torchao_target();
Target torchtitan_target();
Target megatron_target();
Target tf_target();
Target gaudi_target();
Target cann_target();
Target paddle_target();
Target deepspeed_target();
Target lightning_target();
Target accelerate_target();

}  // namespace binade::targets
