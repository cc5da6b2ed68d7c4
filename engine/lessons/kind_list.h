// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_kinds.h"

namespace binade::lessons {

// One function for each file `*_figure.cpp`; figure_kinds() collects them.
FigureKind ruler_kind();
FigureKind limits_kind();
FigureKind rounding_kind();
FigureKind storage_kind();
FigureKind sum_kind();
FigureKind mma_kind();
FigureKind dot_error_kind();
FigureKind update_kind();
FigureKind adam_state_kind();
FigureKind chain_kind();
FigureKind small_gradient_kind();
FigureKind scaled_tail_kind();
FigureKind scaler_kind();
FigureKind unscale_kind();
FigureKind quotes_kind();
FigureKind baseline_bars_kind();
FigureKind outlier_block_kind();

}  // namespace binade::lessons
