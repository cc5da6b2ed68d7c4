// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/autocast.h"

namespace binade::autocast {

/// Scope of one forward with its losses: begins it and clears the cast cache when the scope is left, also by an
/// exception. Must end before backward.
class CastScope {
 public:
  explicit CastScope(Autocast& casts) : casts_(casts) { casts_.begin(); }
  ~CastScope() { casts_.end(); }
  CastScope(const CastScope&) = delete;
  CastScope& operator=(const CastScope&) = delete;

 private:
  Autocast& casts_;
};

}  // namespace binade::autocast
