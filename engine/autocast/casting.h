// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/autocast/arguments.h"
#include "engine/autocast/cast_cache.h"
#include "engine/autocast/ledger.h"
#include "engine/autocast/logical_casting.h"
#include "engine/autocast/logical_formats.h"
#include "engine/autocast/plan.h"
#include "engine/autocast/tf32.h"

#include <functional>
#include <memory>
#include <string>

namespace binade::autocast {

/// A cast made inside a composite op, for one of the ops that it consists of.
struct InnerCast {
  const graph::OpTraits& op;
  std::size_t argument;  ///< position in the op's schema
  const at::Tensor& from;
  const at::Tensor& to;
};
using CastWatch = std::function<void(const InnerCast&)>;

/// Treats the arguments of an op as its plan requires, and its results afterwards. The shared implementation for the
/// sites of a graph (Autocast), the inside of composite ops (CompositeRegion) and eager code (Region). One thread at a
/// time.
///
/// The rules are Binade's own, from tables in resources/ops. LibTorch's autocast has no rule for a single call, so
/// tests only compare with it. Under PyTorch's lists every eligible argument is cast. If the user sets a format,
/// argument roles protect arguments that are written, statistics, indices and targets. Kernels that call other ops run
/// with the rules on, like composite ops; see policy/inner_calls.h.
class Casting {
 public:
  /// `device` is the device whose tensors are eligible.
  explicit Casting(Eligible device = {}) : device_(device) {}

  void set_policy(std::shared_ptr<const policy::Resolved> policy);
  const std::shared_ptr<const policy::Resolved>& policy() const { return policy_; }
  /// Sets the lists for subsequent calls: those of one of the model's own autocast blocks, or the policy's again.
  /// edited() keeps the result of set_policy().
  void set_lists(std::shared_ptr<const policy::Resolved> lists);
  bool edited() const { return edited_; }
  Eligible device() const { return device_; }
  at::ScalarType low_dtype() const { return low_; }

  /// Switches casting off: ops inside its region run unchanged, even if outer regions for the device would cast.
  void switch_off() { off_ = true; }
  bool is_off() const { return off_; }

  /// Logical formats of live tensors, cleared at the end of a forward and its loss.
  LogicalFormats& logical() { return logical_; }

  /// Counts casts in `ledger`, which must outlive this object; null (the default) counts nothing and costs nothing.
  void set_ledger(CastLedger* ledger) { ledger_ = ledger; }
  /// Sets a callback for every cast inside a composite op, called with all casting rules off; empty (the default) costs
  /// nothing.
  void set_watch(CastWatch watch) { watch_ = std::move(watch); }
  /// Sets the site that casts are counted for; for ops inside a composite op that is the composite's site.
  void set_place(int site, bool inside) {
    site_ = site;
    inside_ = inside;
  }

  /// Work that remains for after().
  struct Rest {
    const graph::Operation* instead = nullptr;  ///< op to run in place of the original
    bool rounds = false;                        ///< results are rounded to `precision`
    Precision precision;
    std::unique_ptr<LogicalResults> logical = nullptr;  ///< formats of the results, if logical formats are involved
    std::unique_ptr<Tf32Scope> tf32 = nullptr;          ///< set if the op itself multiplies in TF32
    std::uint64_t first_node = 0;                       ///< first autograd node of the call, for TF32 in its backward

    /// Whether after() has nothing to do.
    bool empty() const { return !rounds && logical == nullptr && tf32 == nullptr; }
  };

  /// Whether before() and after() have nothing to do, as for most calls; cheaper than calling them.
  bool leaves(const graph::OpTraits& op, graph::Stack& stack, const Plan& plan) const;
  /// Treats the arguments of `op` on `stack`. Throws what PyTorch throws for a refused call, with `place` (a site's
  /// name and ": ") in front of the message. Action::kInside is the caller's responsibility.
  Rest before(const graph::OpTraits& op, graph::Stack& stack, const Plan& plan, const std::string& place = {});
  /// Treats the results of `op` on `stack`.
  void after(const graph::OpTraits& op, graph::Stack& stack, Rest& rest);

  /// `tensor` cast to `to`, through the cast cache; `argument` is recorded in the ledger. Every cast of an argument
  /// goes through this function.
  at::Tensor cast(const at::Tensor& tensor, const Precision& to, std::size_t argument);

 private:
  void cast_all(const Arguments& arguments, const Precision& to);
  at::Tensor cast_logical(const at::Tensor& tensor, const Precision& to, std::size_t argument);
  at::Tensor watched_cast(CastCache& cache, const at::Tensor& tensor, const Precision& to, std::size_t argument);
  at::Tensor counted_cast(CastCache& cache, const at::Tensor& tensor, const Precision& to, std::size_t argument);
  Rest before_logical(const Arguments& arguments, const Plan& plan);
  void follow_written(const Arguments& arguments, at::ScalarType written);
  Rest cast_to(const Arguments& arguments, const Plan& plan);
  Rest prepare_product(const Arguments& arguments, const Plan& plan);
  void promote(const Arguments& arguments, const Plan& plan);

  Eligible device_;
  LogicalFormats logical_;
  std::shared_ptr<const policy::Resolved> policy_;
  bool edited_ = false;
  bool off_ = false;
  at::ScalarType low_ = at::kFloat;
  CastLedger* ledger_ = nullptr;
  CastWatch watch_;
  const graph::OpTraits* op_ = nullptr;  ///< the op whose arguments are being treated
  int site_ = 0;
  bool inside_ = false;
};

}  // namespace binade::autocast
