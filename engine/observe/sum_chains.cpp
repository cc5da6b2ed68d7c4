// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/sum_chains.h"

#include "engine/observe/difference.h"
#include "engine/observe/own_cast.h"
#include "engine/observe/values.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <c10/core/StorageImpl.h>
#include <c10/util/intrusive_ptr.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace binade::observe {

namespace {

constexpr std::size_t kMostSites = 4096;  // of a sum that is written out
/// So many additions are only counted: most sums are no longer.
constexpr std::int64_t kCounted = 4;

bool is_one_of(const std::string& op, std::initializer_list<std::string_view> ops) {
  return std::find(ops.begin(), ops.end(), op) != ops.end();
}

bool adds(const std::string& op) {
  return is_one_of(op, {"aten::add", "aten::add_", "aten::sub", "aten::sub_", "aten::rsub", "aten::addcmul",
                        "aten::addcmul_", "aten::lerp", "aten::lerp_", "aten::index_add", "aten::index_add_",
                        "aten::scatter_add", "aten::scatter_add_"});
}

bool scales(const std::string& op) {
  return is_one_of(op, {"aten::mul", "aten::mul_", "aten::div", "aten::div_", "aten::neg"});
}

std::optional<formats::Format> low_format(const at::Tensor& tensor, const graph::Call& call) {
  if (tensor.scalar_type() == at::kHalf) return formats::kFloat16;
  if (tensor.scalar_type() == at::kBFloat16) return formats::kBFloat16;
  if (tensor.scalar_type() == at::kFloat && call.rounding && call.rounding->format != formats::kFloat32) {
    return call.rounding->format;
  }
  return std::nullopt;
}

bool has_values(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_meta() && tensor.layout() == at::kStrided && tensor.is_floating_point() &&
         tensor.numel() > 0 && !tensor.is_inference();
}

/// Both are ascending.
void add_sites(std::vector<int>& sites, const std::vector<int>& more) {
  std::vector<int> all;
  all.reserve(sites.size() + more.size());
  std::set_union(sites.begin(), sites.end(), more.begin(), more.end(), std::back_inserter(all));
  sites = std::move(all);
}

/// All that the tensor's memory holds, as one row.
std::int64_t elements_of(const at::Tensor& tensor) {
  return static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
}

}  // namespace

struct SumChains::State {
  using Weak = c10::weak_intrusive_ptr<c10::StorageImpl>;
  /// What is known of a tensor's memory, and of all views into it.
  struct Known {
    explicit Known(Weak of) : storage(std::move(of)) {}
    Weak storage;
    std::int64_t version = 0;
    SumSeen sum;                 ///< up to the last addition; its error is known where the sum was scaled since
    std::vector<int> scaled_at;  ///< sites of scalings behind it
    bool scaled_in_place = false;
    at::Tensor wide;  ///< the same memory in float32, as one row; undefined while the chain is short
    bool measured = false;
  };
  struct Present {
    std::vector<c10::IValue> arguments;
    bool counts = false;  ///< an addition, or a scaling of a sum
    bool addition = false;
    SumSeen sum;  ///< of its arguments, the longest; an addition's sites are those of all
    std::vector<int> scaled_at;
    bool scaled_in_place = false;
    at::Tensor wide;  ///< of what writes its argument: the memory, before
  };

  std::map<const c10::StorageImpl*, Known> known;
  Present present;
  std::vector<SumSeen> seen;

  Known* find(const at::Tensor& tensor) {
    const auto found = known.find(tensor.storage().unsafeGetStorageImpl());
    if (found == known.end() || found->second.storage.expired()) return nullptr;
    return found->second.version == static_cast<std::int64_t>(tensor._version()) ? &found->second : nullptr;
  }

  static at::Tensor part(const at::Tensor& wide, const at::Tensor& like) {
    return wide.as_strided(like.sizes(), like.strides(), like.storage_offset());
  }

  /// The tensor as the chain has it in float32.
  at::Tensor widened(const at::Tensor& tensor) {
    if (!has_values(tensor)) return tensor;
    if (const Known* of = find(tensor); of != nullptr && of->wide.defined()) return part(of->wide, tensor);
    return tensor.scalar_type() == at::kHalf || tensor.scalar_type() == at::kBFloat16 ? tensor.detach().to(at::kFloat)
                                                                                      : tensor.detach();
  }

  static at::Tensor memory_of(const at::Tensor& tensor) {
    return tensor.detach().as_strided({elements_of(tensor)}, {1}, 0).to(at::kFloat, false, /*copy=*/true);
  }

  /// The sum that `tensor` is, or a multiple of, with its error.
  static SumSeen sum_of(const at::Tensor& tensor, const Known& of) {
    SumSeen sum = of.sum;
    const bool is_long = of.wide.defined() && sum.additions >= kLeastAdditions;
    if (is_long && of.scaled_at.empty()) sum.error = difference(tensor, 1, part(of.wide, tensor)).error;
    return sum;
  }

  void measure(const at::Tensor& tensor, Known& of) {
    if (of.measured || of.sum.additions < kLeastAdditions) return;
    of.measured = true;
    SumSeen sum = sum_of(tensor, of);
    if (sum.error > 0) seen.push_back(std::move(sum));
  }
};

SumChains::SumChains() : state_(std::make_unique<State>()) {}
SumChains::~SumChains() = default;

void SumChains::begin() {
  state_->known.clear();
  state_->present = {};
}

void SumChains::before(const graph::Call& call) {
  State::Present& present = state_->present;
  present = {};
  // By its schema a conversion may be a view; into another format it is a use.
  if (call.site.view && !converted_argument(call.site)) return;
  const at::NoGradGuard no_history;
  std::vector<std::pair<at::Tensor, State::Known*>> sums;
  int tensors = 0;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
      if (!has_values(tensor)) return;
      if (tensor.dim() > 0) ++tensors;
      if (State::Known* of = state_->find(tensor)) sums.emplace_back(tensor, of);
    });
  }
  present.addition = adds(call.site.op);
  present.counts = present.addition || (!sums.empty() && scales(call.site.op) && tensors == 1);
  if (!present.counts) {
    // The sum is used: here its error counts.
    for (const auto& [tensor, of] : sums) state_->measure(tensor, *of);
    return;
  }
  for (const auto& [tensor, of] : sums) {
    if (present.addition) {
      const SumSeen& sum = of->sum;
      present.sum.additions = std::max(present.sum.additions, sum.additions);
      present.sum.in_place = present.sum.in_place || sum.in_place || of->scaled_in_place;
      present.sum.loop = present.sum.loop || sum.loop;
      add_sites(present.sum.sites, sum.sites);
      add_sites(present.sum.sites, of->scaled_at);
    } else if (of->sum.additions >= present.sum.additions) {
      present.sum = State::sum_of(tensor, *of);
      present.scaled_at = of->scaled_at;
      present.scaled_in_place = of->scaled_in_place || call.site.in_place;
    }
  }
  if (present.addition) ++present.sum.additions;
  for (std::size_t i = 0; i < call.site.inputs; ++i) present.arguments.push_back(call.argument(i));
  if (!call.site.in_place || present.sum.additions < kCounted || !call.argument(0).isTensor()) return;
  const at::Tensor& self = call.argument(0).toTensor();
  if (!has_values(self) || !low_format(self, call)) return;
  State::Known* of = state_->find(self);
  present.wide = of != nullptr && of->wide.defined() ? of->wide : State::memory_of(self);
}

void SumChains::after(const graph::Call& call) {
  State::Present present = std::exchange(state_->present, {});
  if (!present.counts || call.site.outputs != 1 || !call.result(0).isTensor()) return;
  const at::Tensor& result = call.result(0).toTensor();
  if (!has_values(result)) return;
  const auto format = low_format(result, call);
  const at::NoGradGuard no_history;
  if (!format) {  // the chain goes on in float32: up to here its error counts
    for (const c10::IValue& value : present.arguments) {
      if (!value.isTensor() || !has_values(value.toTensor())) continue;
      if (State::Known* of = state_->find(value.toTensor())) state_->measure(value.toTensor(), *of);
    }
    return;
  }
  State::Known made(State::Weak(result.storage().getWeakStorageImpl()));
  made.version = static_cast<std::int64_t>(result._version());
  made.sum = std::move(present.sum);
  made.scaled_at = std::move(present.scaled_at);
  made.scaled_in_place = present.scaled_in_place;
  if (present.addition) {
    made.sum.loop = made.sum.loop || std::binary_search(made.sum.sites.begin(), made.sum.sites.end(), call.site.id);
    made.sum.in_place = made.sum.in_place || call.site.in_place;
    made.sum.site = call.site.id;
    made.sum.call = call.index;
    made.sum.format = *format;
    if (made.sum.sites.size() >= kMostSites) made.sum.sites.erase(made.sum.sites.begin());
    add_sites(made.sum.sites, {call.site.id});
  } else {
    add_sites(made.scaled_at, {call.site.id});
  }
  if (made.sum.additions >= kCounted) {
    const bool in_place = call.site.in_place;
    try {
      graph::Stack stack;
      for (std::size_t i = 0; i < present.arguments.size(); ++i) {
        const c10::IValue& value = present.arguments[i];
        if (i == 0 && in_place && present.wide.defined()) {
          stack.emplace_back(State::part(present.wide, value.toTensor()));
        } else {
          stack.push_back(value.isTensor() ? c10::IValue(state_->widened(value.toTensor())) : value);
        }
      }
      if (in_place && !present.wide.defined()) return;
      call.site.operation(stack);
      const at::Tensor& wide = stack.back().toTensor();
      if (in_place) {
        made.wide = present.wide;
      } else {
        made.wide = at::empty({elements_of(result)}, result.options().dtype(at::kFloat));
        State::part(made.wide, result).copy_(wide);
      }
    } catch (const std::exception&) {
      return;  // in float32 its dtypes need not fit
    }
  }
  std::erase_if(state_->known, [](const auto& each) { return each.second.storage.expired(); });
  state_->known.insert_or_assign(result.storage().unsafeGetStorageImpl(), std::move(made));
}

std::vector<SumSeen> SumChains::finish() {
  std::vector<SumSeen> all = std::exchange(state_->seen, {});
  state_->known.clear();
  state_->present = {};
  std::stable_sort(all.begin(), all.end(), [](const SumSeen& a, const SumSeen& b) { return a.error > b.error; });
  std::vector<SumSeen> worst;
  for (SumSeen& each : all) {
    const auto overlaps = [&each](const SumSeen& other) {
      std::vector<int> both;
      std::set_intersection(each.sites.begin(), each.sites.end(), other.sites.begin(), other.sites.end(),
                            std::back_inserter(both));
      return !both.empty();
    };
    if (std::none_of(worst.begin(), worst.end(), overlaps)) worst.push_back(std::move(each));
  }
  return worst;
}

}  // namespace binade::observe
