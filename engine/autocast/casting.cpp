// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/casting.h"

#include "engine/autocast/cudnn_rnn.h"
#include "engine/autocast/emulation.h"
#include "engine/autocast/rounded_gradient.h"
#include "engine/graph/dtype_format.h"

#include <chrono>

namespace binade::autocast {

namespace {

using Action = Plan::Action;

/// The copy made by a cast.
at::Tensor converted(const at::Tensor& tensor, const Precision& to) {
  return to.logical ? rounded(tensor.to(at::kFloat), to) : tensor.to(to.dtype);
}

bool refuses(const Arguments& arguments, const Plan& plan) {
  return plan.only_float16 ? any_float16(arguments) : touch_device(arguments);
}

/// Dtype of statistics held in a half, as apex-o3 holds those of a batch norm. Empty if they are absent or float32, in
/// which case the kernels accept data of any precision.
std::optional<at::ScalarType> low_statistics_dtype(const Arguments& arguments) {
  std::optional<at::ScalarType> low;
  each_tensor(arguments, [&](const at::Tensor& tensor, std::size_t i) {
    if (arguments.op.roles[i] != graph::Role::kStatistics || !arguments.eligible(tensor)) return;
    if (c10::isReducedFloatingType(tensor.scalar_type())) low = tensor.scalar_type();
  });
  return low;
}

Casting::Rest redirected(const graph::OpTraits& op) {
  Casting::Rest rest;
  rest.instead = with_dtype(op);
  return rest;
}

}  // namespace

void Casting::set_policy(std::shared_ptr<const policy::Resolved> policy) {
  edited_ = is_edited(*policy);
  set_lists(std::move(policy));
}

void Casting::set_lists(std::shared_ptr<const policy::Resolved> lists) {
  policy_ = std::move(lists);
  const at::ScalarType low = graph::dtype_of(policy_->low);
  low_ = low == at::ScalarType::Undefined ? at::kFloat : low;
}

bool Casting::leaves(const graph::OpTraits& op, graph::Stack& stack, const Plan& plan) const {
  if (!logical_.empty()) return false;
  if (plan.action == Action::kNothing) return true;
  return plan.action == Action::kWiden && !plan.precision.logical &&
         widest_if_mixed({stack, op, device_, plan.protect}) == at::ScalarType::Undefined;
}

Casting::Rest Casting::before(const graph::OpTraits& op, graph::Stack& stack, const Plan& plan,
                              const std::string& place) {
  op_ = &op;
  const Arguments arguments{stack, op, device_, plan.protect};
  if (plan.action == Action::kRefuse && refuses(arguments, plan)) refuse(op, plan.rule, place);
  if (takes_part(logical_, arguments, plan)) return before_logical(arguments, plan);
  switch (plan.action) {
    case Action::kNothing:
    case Action::kInside:
      break;
    case Action::kCast:
      return cast_to(arguments, plan);
    case Action::kProducts:
      return prepare_product(arguments, plan);
    case Action::kPromote:
      promote(arguments, plan);
      break;
    case Action::kWiden: {
      const at::ScalarType widest = widest_if_mixed(arguments);
      if (widest != at::ScalarType::Undefined) cast_all(arguments, precision_of(widest));
      break;
    }
    case Action::kSetDtype:
      set_dtype(arguments);
      break;
    case Action::kAppendDtype:
      if (touch_device(arguments)) return redirected(op);
      break;
    case Action::kCudnnRnn:
      lay_out_cudnn_weights(arguments, plan.precision.dtype);
      return cast_to(arguments, plan);
    case Action::kRefuse:
      if (const auto written = written_dtype(arguments)) follow_written(arguments, *written);
      break;
  }
  return {};
}

Casting::Rest Casting::before_logical(const Arguments& arguments, const Plan& plan) {
  Rest rest;
  if (plan.action == Action::kAppendDtype) rest = redirected(arguments.op);
  rest.logical = std::make_unique<LogicalResults>(take_arguments(*this, arguments, plan));
  const bool casts = plan.action == Action::kCast || plan.action == Action::kProducts;
  if (casts && plan.precision.wide && !written_dtype(arguments)) {
    if (plan.action == Action::kCast) to_float32(arguments, plan.precision.dtype);
    rest.rounds = true;
    rest.precision = plan.precision;
  }
  return rest;
}

Casting::Rest Casting::prepare_product(const Arguments& arguments, const Plan& plan) {
  replace_tensors(arguments, [&](const at::Tensor& tensor, std::size_t i) {
    return plan.casts(i) ? cast(tensor, plan.precision, i) : tensor;
  });
  Rest rest;
  rest.rounds = plan.precision.wide;
  rest.precision = plan.precision;
  return rest;
}

Casting::Rest Casting::cast_to(const Arguments& arguments, const Plan& plan) {
  if (const auto written = written_dtype(arguments)) {
    follow_written(arguments, *written);
    return {};
  }
  if (arguments.op.mixed) {
    if (const auto low = low_statistics_dtype(arguments)) {  // float32 data with half statistics is refused
      cast_all(arguments, precision_of(*low));
      return {};
    }
  }
  cast_all(arguments, plan.precision);
  Rest rest;
  if (runs_in_tf32(plan.precision)) {
    rest.first_node = next_node();
    rest.tf32 = std::make_unique<Tf32Scope>();
  }
  if (!plan.precision.wide) return rest;
  to_float32(arguments, plan.precision.dtype);
  rest.rounds = true;
  rest.precision = plan.precision;
  return rest;
}

void Casting::follow_written(const Arguments& arguments, at::ScalarType written) {
  // The written argument cannot change its dtype, so the others follow it. An op that writes booleans or indices, such
  // as a comparison or a search, does not determine the dtype of its inputs.
  if (c10::isFloatingType(written)) cast_all(arguments, precision_of(written));
}

void Casting::promote(const Arguments& arguments, const Plan& plan) {
  if (const auto written = written_dtype(arguments)) return follow_written(arguments, *written);
  const at::ScalarType low = plan.precision.dtype;
  const bool as_pytorch = policy_->behaviour == policy::Behaviour::kPyTorch211;
  const at::ScalarType to = as_pytorch ? promoted_as_pytorch(arguments, low) : promoted(arguments, low);
  cast_all(arguments, precision_of(to));
}

void Casting::cast_all(const Arguments& arguments, const Precision& to) {
  replace_tensors(arguments, [&](const at::Tensor& tensor, std::size_t i) {
    return tensor.is_mkldnn() && !touch_device(arguments) ? tensor : cast(tensor, to, i);
  });
}

at::Tensor Casting::cast(const at::Tensor& tensor, const Precision& to, std::size_t argument) {
  if (to.logical) return cast_logical(tensor, to, argument);
  if (tensor.scalar_type() == to.dtype) return tensor;
  return watched_cast(CastCache::of(policy_->behaviour), tensor, to, argument);
}

at::Tensor Casting::cast_logical(const at::Tensor& tensor, const Precision& to, std::size_t argument) {
  // PyTorch's cache identifies a copy by its dtype, which a logical format shares with the original.
  CastCache& cache = CastCache::of(policy::Behaviour::kFixed);
  at::Tensor copy = watched_cast(cache, tensor, to, argument);
  if (!tensor.requires_grad() || !tensor.is_leaf()) return copy;
  // The copy may be cached and used again; the gradients of all uses are summed in it.
  if (logical_.of(copy) == nullptr) logical_.mark(copy, to);
  return logical_.use(copy, /*exact=*/false);
}

at::Tensor Casting::watched_cast(CastCache& cache, const at::Tensor& tensor, const Precision& to,
                                 std::size_t argument) {
  at::Tensor copy = counted_cast(cache, tensor, to, argument);
  if (inside_ && watch_) watch_({*op_, argument, tensor, copy});
  return copy;
}

at::Tensor Casting::counted_cast(CastCache& cache, const at::Tensor& tensor, const Precision& to,
                                 std::size_t argument) {
  if (ledger_ == nullptr) return cache.cast(tensor, to, low_, &converted).copy;

  const auto start = std::chrono::steady_clock::now();
  CastCache::Found found = cache.cast(tensor, to, low_, &converted);
  CastCount& count = ledger_->at(site_, inside_ ? CastLedger::kInside : static_cast<int>(argument));
  if (found.served) {
    ++count.saved;
  } else {
    ++count.made;
    count.bytes += found.copy.nbytes();
    count.nanoseconds += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count());
  }
  return std::move(found.copy);
}

void Casting::after(const graph::OpTraits& op, graph::Stack& stack, Rest& rest) {
  if (rest.tf32 != nullptr) {
    rest.tf32.reset();
    mark_backward_tf32(stack, op.outputs, rest.first_node);
  }
  if (rest.rounds) round_results(stack, op, rest.precision.dtype);
  if (rest.logical != nullptr) give_results(logical_, op, stack, *rest.logical);
}

}  // namespace binade::autocast
