// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/model_info.h"

#include <QStringList>

#include <vector>

namespace binade::app {

/// The names of a run's op calls, each in several lengths. Every form is unique to its op call: only parts that all op
/// calls share, or that distinguish none, are omitted. A value type.
class CallForms {
 public:
  CallForms() = default;
  explicit CallForms(const std::vector<wire::SiteInfo>& sites);

  /// Returns the forms from the full name, `layer1.0.conv1/aten::conv2d#0`, to the shortest, `…0.conv1`. Empty for an
  /// unknown site.
  const QStringList& of(int site) const;

 private:
  std::vector<QStringList> forms_;
};

}  // namespace binade::app
