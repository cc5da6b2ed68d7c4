// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/figure_kinds.h"

#include "engine/lessons/kind_list.h"

#include <algorithm>

namespace binade::lessons {

const std::vector<FigureKind>& figure_kinds() {
  static const std::vector<FigureKind> kinds = {
      ruler_kind(),         limits_kind(),  rounding_kind(),       storage_kind(),
      sum_kind(),           mma_kind(),     dot_error_kind(),      update_kind(),
      adam_state_kind(),    chain_kind(),   small_gradient_kind(), scaled_tail_kind(),
      scaler_kind(),        unscale_kind(), quotes_kind(),         baseline_bars_kind(),
      outlier_block_kind(),
  };
  return kinds;
}

const FigureKind* find_kind(std::string_view name) {
  const std::vector<FigureKind>& kinds = figure_kinds();
  const auto found =
      std::find_if(kinds.begin(), kinds.end(), [&](const FigureKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

const ParameterKind* find_parameter(const FigureKind& kind, std::string_view name) {
  const auto found = std::find_if(kind.parameters.begin(), kind.parameters.end(),
                                  [&](const ParameterKind& parameter) { return parameter.name == name; });
  return found == kind.parameters.end() ? nullptr : &*found;
}

}  // namespace binade::lessons
