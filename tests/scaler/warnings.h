// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <c10/util/Exception.h>

#include <string>
#include <vector>

namespace binade::test {

/// Keeps LibTorch's warnings of this thread instead of printing them.
class WarningsKept : public c10::WarningHandler {
 public:
  WarningsKept() : guard_(this) {}
  void process(const c10::Warning& warning) override { texts_.push_back(warning.msg()); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  c10::WarningUtils::WarningHandlerGuard guard_;
  std::vector<std::string> texts_;
};

}  // namespace binade::test
