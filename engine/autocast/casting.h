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

/// A cast that was made inside a composite op, for the op of those it is made of.
struct InnerCast {
  const graph::OpTraits& op;
  std::size_t argument;  ///< position in the op's schema
  const at::Tensor& from;
  const at::Tensor& to;
};
using CastWatch = std::function<void(const InnerCast&)>;

/// Treats the arguments of an op as its plan says, and its results afterwards: the one implementation behind the sites
/// of a graph (Autocast), the inside of composite ops (CompositeRegion) and eager code (Region).
/// One thread at a time.
class Casting {
 public:
  /// `device`: whose tensors are eligible.
  explicit Casting(Eligible device = {}) : device_(device) {}

  void set_policy(std::shared_ptr<const policy::Resolved> policy);
  const std::shared_ptr<const policy::Resolved>& policy() const { return policy_; }
  /// For the calls that follow, the lists of one of the model's own autocast blocks, or the policy's again. What a
  /// person changed stays what set_policy() found.
  void set_lists(std::shared_ptr<const policy::Resolved> lists);
  bool edited() const { return edited_; }
  Eligible device() const { return device_; }
  at::ScalarType low_dtype() const { return low_; }

  /// Switched off, ops inside its region run untouched, whatever regions for its device are around.
  void switch_off() { off_ = true; }
  bool is_off() const { return off_; }

  /// The formats of live tensors that no dtype tells. Forgotten at the end of a forward and its loss.
  LogicalFormats& logical() { return logical_; }

  /// Counts casts into `ledger`, which must outlive this; null (the default) counts nothing and costs nothing.
  void set_ledger(CastLedger* ledger) { ledger_ = ledger; }
  /// Hears of every cast inside a composite op, with all casting rules off; empty (the default) costs nothing.
  void set_watch(CastWatch watch) { watch_ = std::move(watch); }
  /// The site that casts are counted for; inside a composite its own.
  void set_place(int site, bool inside) {
    site_ = site;
    inside_ = inside;
  }

  /// What remains to do for a call whose arguments are treated.
  struct Rest {
    const graph::Operation* instead = nullptr;  ///< to run in the op's place
    bool rounds = false;                        ///< results take `precision`
    Precision precision;
    std::unique_ptr<LogicalResults> logical = nullptr;  ///< where logical formats take part, what the results hold
    std::unique_ptr<Tf32Scope> tf32 = nullptr;          ///< where the op itself multiplies in TF32
    std::uint64_t first_node = 0;                       ///< of its backward, which then does too

    /// Whether after() has nothing to do.
    bool empty() const { return !rounds && logical == nullptr && tf32 == nullptr; }
  };

  /// Whether before() and after() have nothing to do. So it is for most calls: asked first, it costs them least.
  bool leaves(const graph::OpTraits& op, graph::Stack& stack, const Plan& plan) const;
  /// Treats the arguments of `op` on `stack`. Throws what PyTorch throws where it refuses; `place` (a site's name and
  /// ": ") stands before what the error says. Not for Action::kInside, which is the caller's part.
  Rest before(const graph::OpTraits& op, graph::Stack& stack, const Plan& plan, const std::string& place = {});
  /// Treats the results of `op` on `stack`.
  void after(const graph::OpTraits& op, graph::Stack& stack, Rest& rest);

  /// `tensor` in `to`, through the cast cache; `argument` is what the ledger notes. The one place where an argument
  /// changes its precision.
  at::Tensor cast(const at::Tensor& tensor, const Precision& to, std::size_t argument);

 private:
  void cast_all(const Arguments& arguments, const Precision& to);
  at::Tensor cast_logical(const at::Tensor& tensor, const Precision& to, std::size_t argument);
  at::Tensor watched_cast(CastCache& cache, const at::Tensor& tensor, const Precision& to, std::size_t argument);
  at::Tensor counted_cast(CastCache& cache, const at::Tensor& tensor, const Precision& to, std::size_t argument);
  Rest before_logical(const Arguments& arguments, const Plan& plan);
  void follow_written(const Arguments& arguments, at::ScalarType written);
  Rest cast_to(const Arguments& arguments, const Plan& plan);
  void promote(const Arguments& arguments, const Plan& plan);

  Eligible device_;
  LogicalFormats logical_;
  std::shared_ptr<const policy::Resolved> policy_;
  bool edited_ = false;
  bool off_ = false;
  at::ScalarType low_ = at::kFloat;
  CastLedger* ledger_ = nullptr;
  CastWatch watch_;
  const graph::OpTraits* op_ = nullptr;  ///< whose arguments are treated
  int site_ = 0;
  bool inside_ = false;
};

}  // namespace binade::autocast
