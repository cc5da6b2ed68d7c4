// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/autocast_oracle/row_call.h"

#include <memory>
#include <set>

namespace torch {
class Library;
}

namespace binade::test {

/// Every op whose row has a cast plan, and those that the plans lead to.
std::set<std::string> plannedOps();

/// Sees what an op receives below the casting rules, as the oracle's `cast` was recorded: while it lives, each of some
/// ops has a kernel on the autograd key of a device that notes its arguments and goes no further.
class CastPlan {
 public:
  /// `key`: AutogradMeta, AutogradCPU.
  explicit CastPlan(c10::DispatchKey key, const std::set<std::string>& ops = plannedOps());
  ~CastPlan();

  /// Why the op of `call`, called now, does not receive what a row's `cast` says; nothing where it does.
  std::string difference(const nlohmann::json& cast, const RowCall& call) const;

  /// The plan of a call that nothing touches.
  static nlohmann::json untouched(const RowCall& call);

 private:
  std::unique_ptr<torch::Library> kernels_;
};

}  // namespace binade::test
