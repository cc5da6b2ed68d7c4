// SPDX-License-Identifier: Apache-2.0
#include "engine/evidence/argument_watch.h"

#include "engine/evidence/cast_loss.h"
#include "engine/graph/dtype_format.h"
#include "engine/observe/site_timer.h"
#include "engine/observe/sum_chains.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace binade::evidence {

namespace {

using Clock = std::chrono::steady_clock;

bool has_values(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_meta() && tensor.layout() == at::kStrided && tensor.numel() > 0;
}

bool is_whole(const at::Tensor& tensor) {
  return c10::isIntegralType(tensor.scalar_type(), /*includeBool=*/false);
}

bool is_wide(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kDouble;
}

/// Ops that return their first argument in another dtype.
bool converts(const std::string& op) {
  return graph::is_one_of(op, {"aten::to", "aten::_to_copy", "aten::type_as"});
}

/// Returns whether the op only passes its values on, like a view. (A conversion may be a view by its schema.)
bool passes_on(const graph::Site& site) {
  return site.view && !converts(site.op);
}

/// Ops that convert an integer tensor to the dtype of their result, value by value.
bool promotes(const std::string& op) {
  return graph::is_one_of(op, {"aten::add", "aten::sub", "aten::rsub", "aten::mul", "aten::div", "aten::outer"});
}

bool is_softmax(const std::string& op) {
  return graph::is_one_of(op, {"aten::softmax", "aten::_softmax", "aten::_safe_softmax"});
}

bool is_fused_attention(const std::string& op) {
  return op == "aten::scaled_dot_product_attention" || op.starts_with("aten::_scaled_dot_product_");
}

/// Fused layers without separate query and key, so that the logits inside are not visible.
bool hides_attention(const std::string& op) {
  return graph::is_one_of(op, {"aten::_native_multi_head_attention", "aten::_transformer_encoder_layer_fwd"});
}

/// Returns whether a call gives zeros for any values: a product with the constant 0, or an empty tensor.
bool is_zero_by_design(const graph::Call& call) {
  const bool product = graph::is_one_of(call.site.op, {"aten::mul", "aten::mul_"});
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    const c10::IValue& value = call.argument(i);
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().numel() == 0) return true;
    if (product && value.isScalar() && value.toScalar().equal(0.0)) return true;
  }
  return false;
}

std::size_t place_of(const graph::Site& site, const char* argument) {
  const auto& names = site.argument_names;
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), argument) - names.begin());
}

/// Returns a numeric argument; `otherwise` if it is absent or no number.
double number_of(const graph::Call& call, const char* argument, double otherwise) {
  const std::size_t i = place_of(call.site, argument);
  if (i >= call.site.inputs || !call.argument(i).isScalar()) return otherwise;
  return call.argument(i).toScalar().toDouble();
}

/// Returns the largest finite value; minus infinity if there is none.
at::Tensor largest_of(const at::Tensor& tensor) {
  const at::Tensor values = tensor.detach();
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  return at::where(at::isfinite(values), values, kNone).max().to(at::kDouble);
}

at::Tensor largest_norm(const at::Tensor& rows) {
  const at::ScalarType wide = rows.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  return at::linalg_vector_norm(rows.detach(), 2, at::IntArrayRef{-1}, false, wide).max().to(at::kDouble);
}

}  // namespace

struct ArgumentWatch::Step {
  struct Kept {
    std::size_t argument;
    at::Tensor tensor;
    bool learnt;  ///< a gradient is taken for it
  };
  /// A result that is still on its device.
  struct CastRow {
    silent::ArgumentSeen seen;
    at::Tensor row;
  };
  struct LogitRow {
    silent::LogitsSeen seen;
    at::Tensor largest;
  };

  bool looks = false;
  std::vector<Kept> kept;      ///< arguments of the current call before casts, if its result is compared with them
  double start = 0, step = 1;  ///< of an arange
  std::vector<CastRow> casts;
  std::vector<LogitRow> logits;
  std::vector<silent::LogitsSeen> hidden;
  std::vector<int> zero_by_design;
  observe::SumChains sums;
  Clock::duration spent{};
  observe::SiteTimer* timer = nullptr;

  /// Returns the argument for a comparison, if it has values that a cast may lose.
  static std::optional<Kept> kept_of(const c10::IValue& value, std::size_t argument) {
    if (!value.isTensor()) return std::nullopt;
    const at::Tensor& tensor = value.toTensor();
    if (!has_values(tensor) || !(is_wide(tensor) || is_whole(tensor))) return std::nullopt;
    return Kept{argument, tensor.detach(), tensor.requires_grad()};
  }

  void cast(const graph::Call& call, const Kept& kept, const at::Tensor& after, const formats::Format& format,
            bool by_policy) {
    const at::Tensor& before = kept.tensor;
    if (before.sizes() != after.sizes()) return;
    silent::ArgumentSeen seen;
    seen.site = call.site.id;
    seen.argument = call.site.argument_names[kept.argument];
    seen.format = format;
    seen.cast_by_policy = by_policy;
    seen.learnt = kept.learnt || call.site.roles[kept.argument] == graph::Role::kWeight;
    casts.push_back({std::move(seen), cast_loss(before, after, format)});
  }
};

namespace {

/// Counts its lifetime as the watch's own time.
class Spent {
 public:
  Spent(Clock::duration& spent, observe::SiteTimer* timer, int site) : spent_(spent), timer_(timer) {
    if (timer_ != nullptr) timer_->enter_observe(site);
  }
  ~Spent() {
    spent_ += Clock::now() - start_;
    if (timer_ != nullptr) timer_->leave_observe();
  }
  Spent(const Spent&) = delete;
  Spent& operator=(const Spent&) = delete;

 private:
  Clock::duration& spent_;
  observe::SiteTimer* timer_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

/// Receives arguments before and after their casts, and final results.
class ArgumentWatch::Hook : public graph::SiteHook {
 public:
  explicit Hook(Step& step) : step_(step) {}
  bool observes_casts() const override { return step_.looks; }

  void before(graph::Call& call) override {
    step_.kept.clear();
    if (!step_.looks || passes_on(call.site)) return;
    {
      const Spent spent(step_.spent, step_.timer, call.site.id);
      step_.sums.before(call);
    }
    if (is_zero_by_design(call)) step_.zero_by_design.push_back(call.site.id);
    // The op may free its arguments, so they are kept only if they are compared with its result.
    const bool keeps = converts(call.site.op) || promotes(call.site.op);
    for (std::size_t i = 0; keeps && i < call.site.inputs; ++i) {
      if (auto kept = Step::kept_of(call.argument(i), i)) step_.kept.push_back(std::move(*kept));
    }
    look_at_logits(call);
    if (call.site.op == "aten::arange") {
      step_.start = number_of(call, "start", 0);
      step_.step = number_of(call, "step", 1);
    }
  }

  void cast(graph::Call& call, std::span<const c10::IValue> came) override {
    if (passes_on(call.site)) return;
    const at::NoGradGuard no_history;
    for (std::size_t i = 0; i < call.site.inputs; ++i) {
      const graph::Role role = call.site.roles[i];
      if ((role != graph::Role::kData && role != graph::Role::kWeight) || !call.argument(i).isTensor()) continue;
      const at::Tensor now = call.argument(i).toTensor();
      const auto kept = Step::kept_of(came[i], i);
      if (!kept || !now.defined() || now.is_alias_of(kept->tensor)) continue;  // not cast
      auto format = graph::low_format(now.scalar_type());
      // Emulated: float32 copies of values in the format.
      if (!format && call.rounding && now.scalar_type() == at::kFloat) format = call.rounding->format;
      if (!format) continue;
      const Spent spent(step_.spent, step_.timer, call.site.id);
      if (may_lose(kept->tensor, *format)) step_.cast(call, *kept, now, *format, true);
    }
  }

  void after(graph::Call& call) override {
    if (!step_.looks || passes_on(call.site)) return;
    const at::NoGradGuard no_history;
    {
      const Spent spent(step_.spent, step_.timer, call.site.id);
      step_.sums.after(call);
    }
    const std::vector<Step::Kept> kept = std::exchange(step_.kept, {});
    if (call.site.outputs == 0 || !call.result(0).isTensor() || !has_values(call.result(0).toTensor())) return;
    const at::Tensor& result = call.result(0).toTensor();
    const auto format = graph::low_format(result.scalar_type());
    if (!format) return;
    const std::string& op = call.site.op;
    if (!converts(op) && !promotes(op) && op != "aten::arange") return;
    const Spent spent(step_.spent, step_.timer, call.site.id);
    if (op == "aten::arange") {
      const at::Tensor exact =
          at::arange(result.numel(), result.options().dtype(at::kDouble)).mul_(step_.step).add_(step_.start);
      add_arange(call, exact, result, *format);
      return;
    }
    for (const Step::Kept& each : kept) {
      if (converts(op) ? each.argument != 0 : !is_whole(each.tensor)) continue;
      if (!may_lose(each.tensor, *format)) continue;
      step_.cast(call, each, converts(op) ? result : each.tensor.to(result.scalar_type()), *format,
                 /*by_policy=*/false);
    }
  }

  void failed(graph::Call& /*call*/, const std::exception& /*error*/) override { step_.kept.clear(); }

 private:
  void add_arange(const graph::Call& call, const at::Tensor& exact, const at::Tensor& result,
                  const formats::Format& format) {
    silent::ArgumentSeen seen;
    seen.site = call.site.id;
    seen.argument = "output";
    seen.format = format;
    step_.casts.push_back({std::move(seen), cast_loss(exact, result, format)});
  }

  void look_at_logits(const graph::Call& call) {
    const std::string& op = call.site.op;
    const bool softmax = is_softmax(op);
    if (!softmax && !is_fused_attention(op) && !hides_attention(op)) return;
    const at::NoGradGuard no_history;
    const Spent spent(step_.spent, step_.timer, call.site.id);
    silent::LogitsSeen seen;
    seen.site = call.site.id;
    seen.bound = !softmax;
    if (hides_attention(op)) {
      seen.largest = std::numeric_limits<double>::quiet_NaN();
      step_.hidden.push_back(seen);
      return;
    }
    if (!call.argument(0).isTensor() || !has_values(call.argument(0).toTensor())) return;
    const at::Tensor& first = call.argument(0).toTensor();
    if (!first.is_floating_point()) return;
    seen.format = graph::stored_format(first.scalar_type());
    if (softmax) {
      const auto dimension = static_cast<std::int64_t>(number_of(call, "dim", -1));
      const bool last = dimension == -1 || dimension == first.dim() - 1;
      if (first.dim() > 2 && last) step_.logits.push_back({seen, largest_of(first)});
      return;
    }
    if (!call.argument(1).isTensor() || !has_values(call.argument(1).toTensor())) return;
    const double width = static_cast<double>(std::max<std::int64_t>(first.size(-1), 1));
    const double scale = number_of(call, "scale", 1 / std::sqrt(width));
    step_.logits.push_back({seen, largest_norm(first).mul(largest_norm(call.argument(1).toTensor())).mul(scale)});
  }

  Step& step_;
};

ArgumentWatch::ArgumentWatch() : step_(std::make_unique<Step>()), hook_(std::make_unique<Hook>(*step_)) {}

ArgumentWatch::~ArgumentWatch() = default;

void ArgumentWatch::begin(bool looks) {
  step_->looks = looks;
  step_->kept.clear();
  step_->casts.clear();
  step_->logits.clear();
  step_->hidden.clear();
  step_->zero_by_design.clear();
  step_->sums.finish();
  step_->spent = {};
}

graph::SiteHook* ArgumentWatch::hook() {
  return hook_.get();
}

void ArgumentWatch::finish(silent::Evidence& evidence) {
  const auto start = Clock::now();
  std::map<std::pair<int, std::string>, silent::ArgumentSeen> worst;
  for (const Step::CastRow& cast : step_->casts) {
    silent::ArgumentSeen seen = cast.seen;
    read_cast_loss(cast.row.cpu(), seen);
    const auto [entry, is_new] = worst.try_emplace({seen.site, seen.argument}, seen);
    const bool worse = seen.vanished_norm > entry->second.vanished_norm || seen.changed > entry->second.changed;
    if (!is_new && worse) entry->second = seen;
  }
  for (auto& [key, seen] : worst) {
    if (seen.vanished > 0 || seen.changed > 0) evidence.arguments.push_back(std::move(seen));
  }
  std::map<int, silent::LogitsSeen> largest;
  for (const Step::LogitRow& logits : step_->logits) {
    silent::LogitsSeen seen = logits.seen;
    seen.largest = logits.largest.item<double>();
    const auto [entry, is_new] = largest.try_emplace(seen.site, seen);
    if (!is_new && seen.largest > entry->second.largest) entry->second = seen;
  }
  for (const auto& [site, seen] : largest) evidence.logits.push_back(seen);
  evidence.logits.insert(evidence.logits.end(), step_->hidden.begin(), step_->hidden.end());
  evidence.zero_by_design = step_->zero_by_design;
  for (observe::SumUnknown& each : step_->sums.unknown()) {
    evidence.unmeasured.push_back(
        {wire::SilentFault::Kind::kLostSum, each.site, "whether roundings add up in the sum", std::move(each.why)});
  }
  for (observe::SumSeen& sum : step_->sums.finish()) {
    evidence.sums.push_back(
        {sum.site, sum.format, sum.additions, sum.error, std::move(sum.sites), sum.in_place, sum.loop, sum.cut});
  }
  const Clock::duration spent = step_->spent + (Clock::now() - start);
  begin(false);
  step_->spent = spent;
}

double ArgumentWatch::seconds() const {
  return std::chrono::duration<double>(step_->spent).count();
}

void ArgumentWatch::set_timer(observe::SiteTimer* timer) {
  step_->timer = timer;
}

}  // namespace binade::evidence
