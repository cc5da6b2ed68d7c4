// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <QStringList>

#include <vector>

namespace binade::app {

/// The names of a run's op calls, each in several lengths. Every form of a call belongs to it alone: what is left out
/// is what all calls share, or what tells none of them apart. A plain value.
class CallForms {
 public:
  CallForms() = default;
  explicit CallForms(const std::vector<wire::SiteInfo>& sites);

  /// From the whole name, `layer1.0.conv1/aten::conv2d#0`, to the shortest: `…0.conv1`. Empty for a site that is not
  /// known.
  const QStringList& of(int site) const;

 private:
  std::vector<QStringList> forms_;
};

}  // namespace binade::app
