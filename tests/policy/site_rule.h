// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/policy/policy.h"

namespace binade::test {

/// A rule that runs the op calls that `match` names in a format.
inline policy::SiteRule rule(const char* match, formats::Format format) {
  policy::SiteRule made;
  made.match = match;
  made.format = format;
  return made;
}

}  // namespace binade::test
