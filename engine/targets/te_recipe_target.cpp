// SPDX-License-Identifier: Apache-2.0
// Format: recipes of Transformer Engine 2.12 (transformer_engine/common/recipe/__init__.py). A recipe holds for all
// layers inside te.autocast(recipe=...); te.autocast(enabled=False) inside it keeps a layer out. MXFP8 scales are
// rounded up; current and block scaling have power-of-two scales where their QParams say so, and block scaling does by
// default. DelayedScaling has a history of 1024 steps, a margin of 0 and the largest magnitude by default, as here.

#include "engine/targets/scaled_layers.h"
#include "engine/targets/target_list.h"

namespace binade::targets {

namespace {

LayerRecipe te_recipe(const char* name, const char* format, const std::string& forward, const std::string& gradients,
                      bool power_of_two) {
  const std::string option = power_of_two ? "+pow2" : "";
  return {{{"RECIPE", python_text(name)},
           {"FORMAT", python_text(format)},
           {"POWER_OF_TWO_SCALES", power_of_two ? "True" : "False"}},
          products_in(forward + option, gradients + option, gradients + option)};
}

LayerRecipe te_nvfp4(bool stochastic, bool hadamard) {
  LayerRecipe recipe{{{"RECIPE", python_text("NVFP4BlockScaling")},
                      {"FORMAT", python_text("E2M1")},
                      {"STOCHASTIC_ROUNDING", stochastic ? "True" : "False"},
                      {"HADAMARD", hadamard ? "True" : "False"}},
                     products_in("nvfp4", "nvfp4", "nvfp4")};
  if (stochastic) recipe.products.rounding = policy::Rounding::kStochastic;
  if (hadamard) recipe.products.transform = policy::Transform::kHadamard;
  return recipe;
}

LayerRecipe te_mxfp8(const char* format, const char* gradients) {
  return {{{"RECIPE", python_text("MXFP8BlockScaling")}, {"FORMAT", python_text(format)}},
          products_in("mxfp8+rceil", gradients, gradients)};
}

/// The defaults of Transformer Engine come first in each class.
const std::vector<LayerRecipe>& te_recipes() {
  static const std::vector<LayerRecipe> recipes = [] {
    std::vector<LayerRecipe> all{te_mxfp8("E4M3", "mxfp8+rceil"), te_mxfp8("HYBRID", "mxfp8_e5m2+rceil")};
    for (const bool stochastic : {true, false}) {
      for (const bool hadamard : {true, false}) all.push_back(te_nvfp4(stochastic, hadamard));
    }
    for (const bool power_of_two : {false, true}) {
      all.push_back(te_recipe("Float8CurrentScaling", "HYBRID", "fp8_current", "fp8_current_e5m2", power_of_two));
      all.push_back(te_recipe("Float8CurrentScaling", "E4M3", "fp8_current", "fp8_current", power_of_two));
    }
    for (const bool power_of_two : {true, false}) {
      all.push_back(te_recipe("Float8BlockScaling", "E4M3", "fp8_block", "fp8_block", power_of_two));
      all.push_back(te_recipe("Float8BlockScaling", "HYBRID", "fp8_block", "fp8_block_e5m2", power_of_two));
    }
    all.push_back(te_recipe("DelayedScaling", "HYBRID", "fp8_delayed", "fp8_delayed_e5m2", false));
    all.push_back(te_recipe("DelayedScaling", "E4M3", "fp8_delayed", "fp8_delayed", false));
    return all;
  }();
  return recipes;
}

constexpr const char* kTeRuntime = R"(

def recipe():
    from transformer_engine.common import recipe as te

    if RECIPE == "NVFP4BlockScaling":
        return te.NVFP4BlockScaling(disable_stochastic_rounding=not STOCHASTIC_ROUNDING, disable_rht=not HADAMARD)
    made = getattr(te, RECIPE)(fp8_format=te.Format[FORMAT])
    if RECIPE in ("Float8CurrentScaling", "Float8BlockScaling"):
        scales = te.QParams(power_2_scale=POWER_OF_TWO_SCALES)
        made.fp8_quant_fwd_inp = made.fp8_quant_fwd_weight = made.fp8_quant_bwd_grad = scales
    return made


def keep_in_high_precision(model):
    import transformer_engine.pytorch as te

    def outside(forward):
        def call(*args, **kwargs):
            with te.autocast(enabled=False):
                return forward(*args, **kwargs)

        return call

    for name in HIGH_PRECISION_LAYERS:
        layer = model.get_submodule(name)
        layer.forward = outside(layer.forward)
)";

Written write_te_recipe(const Assignment& assignment) {
  Written written = write_exclusions(assignment, te_recipes(), "Transformer Engine");
  written.text =
      "# Recipe and layers for Transformer Engine 2.12, written by Binade. Names are module paths.\n"
      "#     keep_in_high_precision(model)\n"
      "#     with te.autocast(enabled=True, recipe=recipe()):\n"
      "#         loss = model(batch)\n" +
      written.text + kTeRuntime;
  return written;
}

Read read_te_recipe(std::string_view text, const std::string& source, const Assignment& model) {
  return read_exclusions(text, source, model, te_recipes());
}

}  // namespace

Target te_recipe_target() {
  return {.name = "te-recipe",
          .title = "Transformer Engine recipe",
          .suffix = ".te.py",
          .doc = "A Python file with a recipe and the layers that it leaves out; for Transformer Engine 2.12.",
          .write = write_te_recipe,
          .read = read_te_recipe};
}

}  // namespace binade::targets
