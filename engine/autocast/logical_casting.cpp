// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/logical_casting.h"

#include "engine/autocast/casting.h"
#include "engine/autocast/emulation.h"
#include "engine/autocast/exact_ops.h"
#include "engine/autocast/rounding.h"

#include <algorithm>
#include <optional>

namespace binade::autocast {

namespace {

using Action = Plan::Action;
using What = LogicalResults::What;

/// The wider of two precisions. If the formats are equal but not the rest, the gradients' wider format and no
/// saturation unless both saturate.
Precision wider(const Precision& a, const Precision& b) {
  if (a == b) return a;
  const formats::Format format = formats::widest(a.format, b.format);
  const bool same = a.format == b.format;
  if (!same && format == a.format) return a;
  if (!same && format == b.format) return b;
  if (!same) return precision_of(at::kFloat);
  Precision result = a.logical ? a : b;
  result.backward = formats::widest(a.backward, b.backward);
  if (a.overflow != b.overflow) result.overflow = formats::Overflow::kInfinity;
  return result;
}

/// Treatment of one call's arguments.
class Taking {
 public:
  Taking(Casting& casting, const Arguments& arguments, const Plan& plan)
      : casting_(casting), formats_(casting.logical()), arguments_(arguments), plan_(plan) {}

  LogicalResults run() {
    LogicalResults results = take();
    results.aliases = std::move(aliases_);
    return results;
  }

 private:
  LogicalResults take() {
    if (arguments_.op.view && !arguments_.op.in_place) return take_view();
    if (const at::Tensor* shown = shown_tensor(); shown != nullptr && formats_.of(*shown) == nullptr) {
      const at::Tensor tensor = arguments_[0].toTensor();
      if (formats_.of(tensor) != nullptr) arguments_[0] = plain(tensor);
      return {};
    }
    const std::optional<Precision> target = target_precision();
    LogicalResults results;
    if (target && target->logical) results = {.what = What::kRounded, .precision = *target};
    const Exactness exact = results.what == What::kRounded ? exactness_of(arguments_) : Exactness{};
    if (exact.values && all_hold(*target)) results.what = What::kExact;
    results.rounds_gradients = !exact.gradients;
    take_written(exact.gradients);
    const bool casts = target && !arguments_.op.mixed && plan_.action != Action::kNothing;
    take_others(casts ? target : std::nullopt, exact.gradients && target ? target : std::nullopt);
    if (plan_.action == Action::kSetDtype) set_dtype(arguments_);
    // Storages of the arguments as passed, which live as long as the op runs: no new result can have their addresses.
    if (results.what == What::kRounded) results.memory = memory();
    return results;
  }

  Precision precision_in(const at::Tensor& tensor) const {
    const Precision* mark = formats_.of(tensor);
    return mark != nullptr ? *mark : precision_of(tensor.scalar_type());
  }

  /// Precision of the op's results; empty if the rule leaves it to the op.
  std::optional<Precision> target_precision() const {
    if (const at::Tensor* written = written_tensor()) return precision_in(*written);
    if (const at::Tensor* shown = shown_tensor()) return *formats_.of(*shown);
    if (written_dtype(arguments_)) return std::nullopt;  // booleans or indices are written: inputs do not follow them
    switch (plan_.action) {
      case Action::kCast:
      case Action::kProducts:
      case Action::kCudnnRnn:
        return plan_.precision;
      case Action::kPromote:
        return widest(plan_.precision);
      case Action::kWiden:
      case Action::kInside:
      case Action::kNothing:
        return asks_float32() ? std::nullopt : widest(std::nullopt);
      case Action::kSetDtype:
      case Action::kAppendDtype:
      case Action::kRefuse:
        break;
    }
    return std::nullopt;
  }

  /// The widest precision among the arguments that count: data of one dimension or more.
  std::optional<Precision> widest(std::optional<Precision> start) const {
    std::optional<Precision> result = start;
    bool has_double = false;  // which rules do not cast
    each_tensor(arguments_, [&](const at::Tensor& tensor, std::size_t i) {
      has_double = has_double || (tensor.defined() && tensor.scalar_type() == at::kDouble && tensor.dim() > 0);
      if (!arguments_.eligible(tensor) || !has_say(i) || (tensor.dim() == 0 && !start)) return;
      const Precision precision = precision_in(tensor);
      result = result ? wider(*result, precision) : precision;
    });
    return has_double && !start ? std::nullopt : result;
  }

  bool has_say(std::size_t i) const {
    const graph::Role role = arguments_.op.roles[i];
    return arguments_.op.mixed ? role == graph::Role::kData
                               : role == graph::Role::kData || role == graph::Role::kWeight;
  }

  /// Whether the model's code requests float32 results, as in `softmax(x, dim, dtype)`.
  bool asks_float32() const {
    for (std::size_t i = 0; i < arguments_.count(); ++i) {
      if (arguments_.op.takes_dtype[i] && arguments_[i].isInt() &&
          arguments_[i].toInt() == static_cast<int>(at::kFloat))
        return true;
    }
    return false;
  }

  const at::Tensor* written_tensor() const {
    if (!arguments_.op.in_place) return nullptr;
    for (std::size_t i = 0; i < arguments_.count(); ++i) {
      if (arguments_.op.roles[i] != graph::Role::kWritten || !arguments_[i].isTensor()) continue;
      const at::Tensor& tensor = arguments_[i].toTensor();
      if (arguments_.eligible(tensor)) return &tensor;
    }
    return nullptr;
  }

  /// The tensor that determines the results' precision: `other` in `x.type_as(other)`.
  const at::Tensor* shown_tensor() const {
    if (arguments_.op.op != "aten::type_as" || !arguments_[1].isTensor()) return nullptr;
    return &arguments_[1].toTensor();
  }

  /// Whether every tensor that results are selected from holds values of `target`.
  bool all_hold(const Precision& target) const {
    bool all = true;
    each_tensor(arguments_, [&](const at::Tensor& tensor, std::size_t) {
      if (!tensor.defined() || !tensor.is_floating_point()) return;
      all = all && formats::contains(target.format, precision_in(tensor).format);
    });
    return all;
  }

  c10::SmallVector<const void*, 4> memory() const {
    const at::Tensor* written = written_tensor();  // the op rounds its memory, even if `out=` is also an operand
    const void* own =
        written != nullptr && written->has_storage() ? written->storage().unsafeGetStorageImpl() : nullptr;
    c10::SmallVector<const void*, 4> result;
    each_tensor(arguments_, [&](const at::Tensor& tensor, std::size_t) {
      if (!tensor.defined() || !tensor.has_storage()) return;
      const void* storage = tensor.storage().unsafeGetStorageImpl();
      if (storage != own) result.push_back(storage);
    });
    return result;
  }

  /// A view passes the tensor itself; one with repeated elements sums their gradients.
  LogicalResults take_view() {
    LogicalResults results;
    for (std::size_t i = 0; i < arguments_.count(); ++i) {
      c10::IValue& value = arguments_[i];
      if (!value.isTensor() || !value.toTensor().defined()) continue;
      const at::Tensor tensor = value.toTensor();
      const Precision* mark = formats_.of(tensor);
      if (mark == nullptr) continue;
      if (asks_another_dtype()) {
        value = plain(tensor);
        continue;
      }
      if (results.what == What::kUnmarked) {
        results.what = What::kExact;
        results.precision = *mark;
      }
      formats_.use(tensor, /*exact=*/true);
      if (repeats_elements(arguments_.op.op)) formats_.use(tensor, /*exact=*/true);
    }
    return results;
  }

  /// `x.to(torch.float32)` returns the tensor itself, because float32 is its storage; the model requests a plain
  /// tensor.
  bool asks_another_dtype() const {
    const graph::OpTraits& op = arguments_.op;
    if (op.op != "aten::to") return false;
    for (std::size_t i = 0; i < arguments_.count(); ++i) {
      if (op.argument_names[i] == "dtype" && arguments_[i].isInt()) return true;
      if (op.argument_names[i] == "other" && arguments_[i].isTensor()) {
        return formats_.of(arguments_[i].toTensor()) == nullptr;
      }
    }
    return false;
  }

  at::Tensor plain(const at::Tensor& tensor) {
    const at::Tensor used = rounding_use(tensor);
    if (!used.is_same(tensor)) return used;
    aliases_.push_back({tensor.detach(), tensor});
    return aliases_.back().given;
  }

  /// The tensor with the gradient of this use rounded.
  at::Tensor rounding_use(const at::Tensor& tensor) {
    at::Tensor used = formats_.use(tensor, /*exact=*/false);
    if (!used.is_same(tensor)) aliases_.push_back({used, tensor});
    return used;
  }

  void take_written(bool exact) {
    const at::Tensor* written = written_tensor();
    const Precision* mark = written == nullptr ? nullptr : formats_.of(*written);
    if (mark == nullptr) return;
    formats_.use(*written, /*exact=*/true);  // the op needs the tensor itself
    if (!exact) round_gradient_of_written(*written, *mark);
  }

  /// `target` is the precision that the rule casts to; `exact` the one in which this call passes gradients unchanged.
  void take_others(const std::optional<Precision>& target, const std::optional<Precision>& exact) {
    const auto take = [&](const at::Tensor& tensor, std::size_t i) -> at::Tensor {
      if (!tensor.defined()) return tensor;
      const Precision* mark = formats_.of(tensor);
      const bool passes = mark != nullptr && exact && *mark == *exact;
      const bool casts = target && plan_.casts(i) && arguments_.castable(i) && arguments_.eligible(tensor);
      if (mark == nullptr) return casts ? casting_.cast(tensor, *target, i) : tensor;
      if (passes) return formats_.use(tensor, /*exact=*/true);
      const bool holds = !casts || (target->logical && formats::contains(target->format, mark->format));
      const at::Tensor used = rounding_use(tensor);
      return holds ? used : casting_.cast(used, *target, i);
    };
    for (std::size_t i = 0; i < arguments_.count(); ++i) {
      c10::IValue& value = arguments_[i];
      if (arguments_.op.roles[i] == graph::Role::kWritten) continue;
      if (value.isTensor()) {
        const at::Tensor tensor = value.toTensor();
        value = take(tensor, i);
      } else if (value.isTensorList()) {
        c10::List<at::Tensor> taken;
        for (const at::Tensor& tensor : value.toTensorVector()) taken.push_back(take(tensor, i));
        value = std::move(taken);
      }
    }
  }

  Casting& casting_;
  LogicalFormats& formats_;
  const Arguments& arguments_;
  const Plan& plan_;
  c10::SmallVector<LogicalResults::Alias, 2> aliases_;
};

at::Tensor given(LogicalFormats& formats, const at::Tensor& tensor, const LogicalResults& results) {
  for (const LogicalResults::Alias& alias : results.aliases) {
    if (!tensor.is_same(alias.given)) continue;
    // A result of another format is a copy, as for dtypes.
    return results.what == What::kUnmarked ? tensor.clone() : alias.tensor;
  }
  if (results.what == What::kUnmarked || !tensor.defined() || tensor.scalar_type() != at::kFloat) return tensor;
  at::Tensor result = tensor;
  if (results.what == What::kRounded) {
    const bool foreign =
        tensor.has_storage() && std::find(results.memory.begin(), results.memory.end(),
                                          tensor.storage().unsafeGetStorageImpl()) != results.memory.end();
    // A result in an argument's memory (dropout in eval mode) has been rounded when the argument was made.
    if (tensor.layout() != at::kStrided) {
      result = rounded(tensor, results.precision);
    } else if (!foreign) {
      round_memory(tensor, forward_rounder(results.precision));
    }
  }
  formats.mark(result, results.precision);
  return result;
}

/// Writing a view gives its base a new history, so sums of gradients have to be rounded there again.
void mark_base_again(LogicalFormats& formats, const at::Tensor& tensor) {
  if (!tensor.defined() || !tensor.is_view()) return;
  const at::Tensor base(tensor._base());
  const Precision* mark = formats.of(base);
  if (mark != nullptr) formats.mark(base, Precision(*mark));
}

}  // namespace

bool takes_part(const LogicalFormats& formats, const Arguments& arguments, const Plan& plan) {
  if (plan.precision.logical && plan.action != Action::kNothing && plan.action != Action::kInside) return true;
  if (formats.empty()) return false;
  bool any = false;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t) { any = any || formats.of(tensor) != nullptr; });
  return any;
}

LogicalResults take_arguments(Casting& casting, const Arguments& arguments, const Plan& plan) {
  return Taking(casting, arguments, plan).run();
}

void give_results(LogicalFormats& formats, const graph::OpTraits& op, graph::Stack& stack,
                  const LogicalResults& results) {
  if (results.what == What::kUnmarked && results.aliases.empty()) return;
  const std::size_t first = stack.size() - op.outputs;
  for (std::size_t i = first; i < first + data_results(op); ++i) {
    c10::IValue& value = stack[i];
    if (value.isTensor()) {
      const at::Tensor tensor = value.toTensor();
      value = given(formats, tensor, results);
      if (op.in_place) mark_base_again(formats, tensor);
    } else if (value.isTensorList()) {
      c10::List<at::Tensor> list;
      for (const at::Tensor& tensor : value.toTensorVector()) list.push_back(given(formats, tensor, results));
      value = std::move(list);
    }
  }
}

}  // namespace binade::autocast
