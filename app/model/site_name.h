// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/records.h"

#include <QString>

#include <vector>

namespace binade::app {

/// An op call's name as shown: `layer1.0.conv1/aten::conv2d#0`, without the method.
QString callText(const policy::SiteKey& key);
/// The name of the op call with this index; a dash if there is none.
QString callText(const std::vector<wire::SiteInfo>& sites, int site);
/// The name of the op call with this index; the index if there is none.
QString callOrIndex(const std::vector<wire::SiteInfo>& sites, int site);
/// The full name with the method, as in a policy's `match` and in copied cells.
QString siteName(const policy::SiteKey& key);
/// Returns whether a tensor is a parameter or a parameter's gradient. These have their own names, since several op
/// calls may use one parameter.
bool isOfParameter(const wire::WatchedTensor& tensor);

}  // namespace binade::app
