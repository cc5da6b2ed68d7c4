// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <QString>

#include <vector>

namespace binade::app {

/// A call as shown: `layer1.0.conv1/aten::conv2d#0`. The method stays out; siteName() has it.
QString callText(const policy::SiteKey& key);
/// The call with this index; a dash where there is none.
QString callText(const std::vector<wire::SiteInfo>& sites, int site);
/// The whole name, as a policy's `match` and a copied cell hold it.
QString siteName(const policy::SiteKey& key);
/// Whether it is a parameter or a parameter's gradient: these have names of their own, and belong to no op call alone.
bool isOfParameter(const wire::WatchedTensor& tensor);
/// A tensor among those of its call: `gradient of weight`, `output 1` of several results (counted from 0), `input
/// before its cast`, `gradient of fc1.weight ÷ scale`.
QString tensorWords(const wire::WatchedTensor& tensor);
/// A tensor of a call: `conv1/aten::conv2d#0  ·  gradient of the output`; a parameter by its own name.
QString tensorText(const wire::WatchedTensor& tensor, const std::vector<wire::SiteInfo>& sites);
/// What changed for whom between two policies in force: `layer2.0.conv1 → bfloat16`, `3 op calls → float32`,
/// `policy changed`.
QString policyChangeText(const wire::PolicyApplied& before, const wire::PolicyApplied& after,
                         const std::vector<wire::SiteInfo>& sites);
/// `gradient overflow`, `forward overflow`, `loss not finite`.
QString eventKindText(wire::Event::Kind kind);

}  // namespace binade::app
