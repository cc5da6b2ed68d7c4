// SPDX-License-Identifier: Apache-2.0
#include "engine/targets/target_list.h"

namespace binade::targets {

const std::vector<Target>& targets() {
  static const std::vector<Target> list = {
      json_target(),       csv_target(),       markdown_target(),  html_target(),       pytorch_target(),
      cpp_target(),        modelopt_target(),  te_target(),        te_recipe_target(),  torchao_target(),
      torchtitan_target(), megatron_target(),  tf_target(),        gaudi_target(),      cann_target(),
      paddle_target(),     deepspeed_target(), lightning_target(), accelerate_target(),
  };
  return list;
}

const Target* find_target(std::string_view name) {
  for (const Target& target : targets()) {
    if (target.name == name) return &target;
  }
  return nullptr;
}

}  // namespace binade::targets
