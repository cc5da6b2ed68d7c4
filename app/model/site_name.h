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
/// The call with this index; the index itself where there is none.
QString callOrIndex(const std::vector<wire::SiteInfo>& sites, int site);
/// The whole name, as a policy's `match` and a copied cell hold it.
QString siteName(const policy::SiteKey& key);
/// Whether it is a parameter or a parameter's gradient: these have names of their own, and belong to no op call alone.
bool isOfParameter(const wire::WatchedTensor& tensor);

}  // namespace binade::app
