// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy_tools/effect.h"

#include <cstddef>
#include <string_view>

namespace binade::policy_tools {

/// Whether some op call of the model may run `op` (`aten::mm`) inside itself, where op changes apply and site rules do
/// not. True if that is unknown.
bool may_run_inside(std::string_view op, const ModelCalls& model, const Tables& tables);

/// Whether no rule and no op change has an effect at an op call: a view is never cast.
bool rules_have_no_effect(const ModelCalls& model, std::size_t site);

}  // namespace binade::policy_tools
