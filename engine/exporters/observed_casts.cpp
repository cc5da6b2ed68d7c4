// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/observed_casts.h"

#include "engine/autocast/autocast.h"
#include "engine/autocast/plan.h"
#include "engine/exporters/tensors.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace binade::exporters {

namespace {

using at::ScalarType;
using autocast::Arguments;

/// Ops that promote their tensors themselves, so that a cast to the promoted dtype changes no bit. In-place forms use
/// the dtype of the tensor they write.
constexpr auto kPromoting = std::to_array<std::string_view>(
    {"aten::add",       "aten::sub",     "aten::subtract",    "aten::rsub",    "aten::mul",     "aten::multiply",
     "aten::div",       "aten::divide",  "aten::true_divide", "aten::where",   "aten::cat",     "aten::concat",
     "aten::stack",     "aten::addcmul", "aten::addcdiv",     "aten::maximum", "aten::minimum", "aten::max",
     "aten::min",       "aten::fmax",    "aten::fmin",        "aten::pow",     "aten::atan2",   "aten::fmod",
     "aten::remainder", "aten::hypot",   "aten::copy"});

bool promotes(std::string_view op) {
  if (op.ends_with('_')) op.remove_suffix(1);
  return std::find(kPromoting.begin(), kPromoting.end(), op) != kPromoting.end();
}

/// Returns the dtype that the op promotes to: that of the tensor it writes, else the widest of the tensors with
/// dimensions.
ScalarType promoted_dtype(const Arguments& arguments) {
  for (std::size_t i = 0; i < arguments.count(); ++i) {
    if (arguments.op.roles[i] == graph::Role::kWritten && arguments[i].isTensor()) {
      return arguments[i].toTensor().scalar_type();
    }
  }
  return autocast::widest_if_mixed(arguments);
}

/// Returns the dtype of `tensor` after implicit promotion; its own dtype if it is not promoted.
ScalarType promoted(const at::Tensor& tensor, ScalarType to) {
  const ScalarType from = tensor.scalar_type();
  if (to == ScalarType::Undefined || tensor.dim() == 0 || !tensor.is_floating_point()) return from;
  // A tensor wider than the result is rounded once by the op itself; a cast before it would round twice.
  return c10::promoteTypes(from, to) == to ? to : from;
}

}  // namespace

bool ArgumentCasts::casts() const {
  return std::any_of(tensors.begin(), tensors.end(), [](const auto& each) { return each.first != each.second; });
}

std::optional<ScalarType> ArgumentCasts::target() const {
  std::optional<ScalarType> to;
  for (const auto& each : tensors) {
    if (to && *to != each.second) return std::nullopt;
    to = each.second;
  }
  return to;
}

/// Autocast, and the hook outside of it that observes its casts.
struct ObservedCasts::Hooks {
  class Observer : public graph::SiteHook {
   public:
    Observer(Hooks& hooks, std::vector<SiteCasts>& sites) : hooks_(hooks), sites_(sites) {}
    bool observes_casts() const override { return true; }

    void before(graph::Call& call) override {
      SiteCasts& site = sites_[static_cast<std::size_t>(call.site.id)];
      ++site.calls;
      site.arguments.resize(call.site.inputs);
      site.composite = hooks_.holds_inside(call.site);
      if (site.composite) hooks_.boundaries.before(call);
      hooks_.cast_inside.clear();
    }

    void cast(graph::Call& call, std::span<const c10::IValue> came) override {
      SiteCasts& site = sites_[static_cast<std::size_t>(call.site.id)];
      hooks_.came.assign(came.begin(), came.end());
      if (call.operation != &call.site.operation) {
        // The only replacement is norm with a dtype argument, which Autocast adds when the call runs.
        const at::Tensor& self = call.argument(0).toTensor();
        const bool widens = autocast::eligible(self, std::nullopt);
        site.redirected.insert(widens ? at::kFloat : self.scalar_type());
      }
      const Arguments arguments{call.stack, call.site, at::kCPU};
      const ScalarType promotion = promotes(call.site.op) ? promoted_dtype(arguments) : ScalarType::Undefined;
      for (std::size_t i = 0; i < call.site.inputs; ++i) note(call, came[i], site.arguments[i], i, promotion);
    }

    void after(graph::Call& call) override {
      SiteCasts& site = sites_[static_cast<std::size_t>(call.site.id)];
      if (!site.composite) return;
      for (std::size_t i = 0; i < hooks_.came.size(); ++i) {
        for (const at::Tensor& tensor : tensors_of(hooks_.came[i])) {
          if (!hooks_.cast_inside.contains(tensor.unsafeGetTensorImpl())) site.not_as_they_came.insert(i);
        }
      }
      hooks_.boundaries.after(call, site.composite_casts, site.calls == 1);
    }

   private:
    static void note(const graph::Call& call, const c10::IValue& came, ArgumentCasts& casts, std::size_t i,
                     ScalarType promotion) {
      const c10::IValue& goes = call.argument(i);
      if (came.isNone() && call.site.takes_dtype[i]) (goes.isNone() ? casts.left_empty : casts.filled) = true;
      if (came.isNone()) casts.was_none = true;
      if (!came.isTensor() && !came.isTensorList()) return;
      const std::vector<at::Tensor> before = tensors_of(came);
      const std::vector<at::Tensor> after = tensors_of(goes);
      for (std::size_t t = 0; t < before.size(); ++t) {
        if (!before[t].defined()) continue;
        const bool written = call.site.roles[i] == graph::Role::kWritten;
        const ScalarType to = written ? after[t].scalar_type() : promoted(after[t], promotion);
        casts.tensors.emplace(before[t].scalar_type(), to);
      }
    }

    Hooks& hooks_;
    std::vector<SiteCasts>& sites_;
  };

  Hooks(std::shared_ptr<const policy::Resolved> policy, std::vector<SiteCasts>& sites, OtherDtypes others)
      : table(std::move(policy)),
        edited(autocast::is_edited(*table)),
        boundaries(table, std::move(others)),
        observer(*this, sites) {
    casts.set_policy(table);
    casts.set_watch([this](const autocast::InnerCast& cast) { cast_inside.insert(cast.from.unsafeGetTensorImpl()); });
  }

  bool holds_inside(const graph::Site& site) const {
    const policy::Decision& decision = table->sites[static_cast<std::size_t>(site.id)];
    return autocast::plan_for(table->lists_of(decision), decision, site, edited).inside;
  }

  std::shared_ptr<const policy::Resolved> table;
  bool edited;
  CompositeCastSearch boundaries;
  std::vector<c10::IValue> came;      ///< the present call's arguments
  std::set<const void*> cast_inside;  ///< the tensors that were cast inside the present call
  autocast::Autocast casts{at::kCPU};
  Observer observer;
  std::array<graph::SiteHook*, 2> list{&observer, &casts};
};

ObservedCasts::ObservedCasts(std::shared_ptr<const policy::Resolved> table, std::size_t sites, OtherDtypes others)
    : sites_(sites), hooks_(std::make_unique<Hooks>(std::move(table), sites_, std::move(others))) {}
ObservedCasts::~ObservedCasts() = default;

void ObservedCasts::begin() {
  hooks_->casts.begin();
}

void ObservedCasts::end() {
  hooks_->casts.end();
}

std::span<graph::SiteHook* const> ObservedCasts::hooks() const {
  return hooks_->list;
}

}  // namespace binade::exporters
