// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace binade::graph {

/// Replaces `aten::save`, a model's `torch.save`, by the same op that also reports a file that it could not write: a
/// line on standard error for each path, at most twenty. LibTorch's op ignores such a failure, so that a refusal of the
/// confinement would stay unknown. Call it before a model that may use the op is loaded.
void report_failed_saves();

}  // namespace binade::graph
