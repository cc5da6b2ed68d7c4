// SPDX-License-Identifier: Apache-2.0
// Format: training of linear layers by torchao 0.18: Float8LinearConfig with convert_to_float8_training() (one scale
// per tensor, E5M2 gradients), MXFP8TrainingOpConfig (scales by floor or rceil; the weight gradient in MXFP8 or not)
// and NVFP4TrainingConfig (always with stochastic rounding and Hadamard transform) with quantize_(). A filter function
// takes a module and its name.

#include "engine/targets/scaled_layers.h"
#include "engine/targets/target_list.h"

namespace binade::targets {

namespace {

LayerRecipe ao_mxfp8(const char* mode, const char* format, bool weight_gradient) {
  return {{{"RECIPE", python_text("mxfp8")},
           {"SCALE_MODE", python_text(mode)},
           {"WEIGHT_GRADIENT_IN_HIGH_PRECISION", weight_gradient ? "False" : "True"}},
          products_in(format, format, weight_gradient ? format : "")};
}

LayerRecipe ao_nvfp4() {
  LayerRecipe recipe{{{"RECIPE", python_text("nvfp4")}}, products_in("nvfp4", "nvfp4", "nvfp4")};
  recipe.products.rounding = policy::Rounding::kStochastic;
  recipe.products.transform = policy::Transform::kHadamard;
  return recipe;
}

const std::vector<LayerRecipe>& ao_recipes() {
  static const std::vector<LayerRecipe> recipes{
      ao_mxfp8("RCEIL", "mxfp8+rceil", true),
      ao_mxfp8("RCEIL", "mxfp8+rceil", false),
      ao_mxfp8("FLOOR", "mxfp8", true),
      ao_mxfp8("FLOOR", "mxfp8", false),
      ao_nvfp4(),
      {{{"RECIPE", python_text("float8_tensorwise")}, {"POWER_OF_TWO_SCALES", "False"}},
       products_in("fp8_current", "fp8_current_e5m2", "fp8_current_e5m2")},
      {{{"RECIPE", python_text("float8_tensorwise")}, {"POWER_OF_TWO_SCALES", "True"}},
       products_in("fp8_current+pow2", "fp8_current_e5m2+pow2", "fp8_current_e5m2+pow2")},
  };
  return recipes;
}

constexpr const char* kAoRuntime = R"(

def is_quantized(module, name):
    import torch

    return isinstance(module, torch.nn.Linear) and name not in HIGH_PRECISION_LAYERS


def quantize(model):
    from torchao.quantization import quantize_

    if RECIPE == "float8_tensorwise":
        from torchao.float8 import Float8LinearConfig, convert_to_float8_training

        config = Float8LinearConfig(round_scales_to_power_of_2=POWER_OF_TWO_SCALES)
        convert_to_float8_training(model, module_filter_fn=is_quantized, config=config)
    elif RECIPE == "mxfp8":
        from torchao.prototype.moe_training.config import MXFP8TrainingOpConfig
        from torchao.prototype.mx_formats.config import ScaleCalculationMode

        config = MXFP8TrainingOpConfig(
            scale_calculation_mode=ScaleCalculationMode[SCALE_MODE],
            wgrad_with_hp=WEIGHT_GRADIENT_IN_HIGH_PRECISION,
        )
        quantize_(model, config, filter_fn=is_quantized)
    else:
        from torchao.prototype.moe_training.nvfp4_training.nvfp4_training import NVFP4TrainingConfig

        quantize_(model, NVFP4TrainingConfig(), filter_fn=is_quantized)
)";

Written write_torchao(const Assignment& assignment) {
  Written written = write_exclusions(assignment, ao_recipes(), "torchao");
  written.text =
      "# Training of linear layers for torchao 0.18, written by Binade. Names are module paths.\n"
      "#     quantize(model)\n" +
      written.text + kAoRuntime;
  return written;
}

Read read_torchao(std::string_view text, const std::string& source, const Assignment& model) {
  return read_exclusions(text, source, model, ao_recipes());
}

}  // namespace

Target torchao_target() {
  return {.name = "torchao",
          .title = "torchao training",
          .suffix = ".torchao.py",
          .doc = "A Python file that quantizes linear layers, with a filter by module name; for torchao 0.18.",
          .write = write_torchao,
          .read = read_torchao};
}

}  // namespace binade::targets
