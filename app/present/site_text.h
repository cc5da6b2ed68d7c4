// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <QString>

#include <vector>

namespace binade::app {

/// A tensor among those of its op call: `gradient of weight`, `output 1` of several results (counted from 0), `input
/// before its cast`, `gradient of fc1.weight ÷ scale`.
QString tensorWords(const wire::WatchedTensor& tensor);
/// A tensor with its op call: `conv1/aten::conv2d#0  ·  gradient of the output`; a parameter by its own name.
QString tensorText(const wire::WatchedTensor& tensor, const std::vector<wire::SiteInfo>& sites);
/// Describes the change between two policies: `layer2.0.conv1 → bfloat16`, `3 op calls → float32`, `policy changed`.
QString policyChangeText(const wire::PolicyApplied& before, const wire::PolicyApplied& after,
                         const std::vector<wire::SiteInfo>& sites);
/// `gradient overflow`, `forward overflow`, `loss not finite`; for a silent fault its kind, `loss spike`.
QString eventKindText(const wire::Event& event);

}  // namespace binade::app
