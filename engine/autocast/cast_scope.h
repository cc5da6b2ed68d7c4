// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/autocast.h"

namespace binade::autocast {

/// One forward with its losses: opens it, and drops the cast cache however the block is left. To be closed before
/// backward.
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
