// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/sum_chains.h"

#include "engine/observe/difference.h"
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

constexpr std::size_t kMostSites = 64;
constexpr std::size_t kMostKnown = 256;  // then what is no more is swept
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
    std::int64_t additions = 0;
    at::Tensor wide;  ///< the same memory in float32, as one row; undefined while the chain is short
    std::vector<int> sites;
    bool in_place = false;
    int site = 0;
    int call = 0;
    formats::Format format;
    bool measured = false;
  };
  struct Present {
    std::vector<c10::IValue> arguments;
    bool counts = false;  ///< an addition, or a scaling of a sum
    bool in_place = false;
    std::int64_t additions = 0;
    std::vector<int> sites;
    bool chain_in_place = false;
    at::Tensor wide;  ///< of an addition in place: the memory, before
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

  void sweep() {
    if (known.size() < kMostKnown) return;
    std::erase_if(known, [](const auto& each) { return each.second.storage.expired(); });
  }

  void measure(const at::Tensor& tensor, Known& of) {
    if (of.measured || !of.wide.defined() || of.additions < kLeastAdditions) return;
    of.measured = true;
    const Difference found = difference(tensor, 1, part(of.wide, tensor));
    if (!(found.error > 0)) return;
    seen.push_back({of.site, of.call, of.additions, found.error, of.format, of.sites, of.in_place});
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
  if (call.site.view) return;
  const at::NoGradGuard no_history;
  const std::string& op = call.site.op;
  const bool addition = adds(op);
  bool continues = false;
  int tensors = 0;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
      if (!has_values(tensor)) return;
      if (tensor.dim() > 0) ++tensors;
      State::Known* of = state_->find(tensor);
      if (of == nullptr) return;
      continues = true;
      present.additions = std::max(present.additions, of->additions);
      present.chain_in_place = present.chain_in_place || of->in_place;
      std::vector<int> all;
      std::set_union(present.sites.begin(), present.sites.end(), of->sites.begin(), of->sites.end(),
                     std::back_inserter(all));
      present.sites = std::move(all);
    });
  }
  present.counts = addition || (continues && scales(op) && tensors == 1);
  if (!present.counts) {
    // The sum is used: here its error counts.
    for (std::size_t i = 0; continues && i < call.site.inputs; ++i) {
      each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
        if (!has_values(tensor)) return;
        if (State::Known* of = state_->find(tensor)) state_->measure(tensor, *of);
      });
    }
    return;
  }
  if (addition) ++present.additions;
  present.in_place = call.site.in_place;
  for (std::size_t i = 0; i < call.site.inputs; ++i) present.arguments.push_back(call.argument(i));
  if (!present.in_place || present.additions < kCounted || !call.argument(0).isTensor()) return;
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
  if (!format) return;
  const at::NoGradGuard no_history;
  State::Known made(State::Weak(result.storage().getWeakStorageImpl()));
  made.version = static_cast<std::int64_t>(result._version());
  made.additions = present.additions;
  made.sites = std::move(present.sites);
  const auto place = std::lower_bound(made.sites.begin(), made.sites.end(), call.site.id);
  if (place == made.sites.end() || *place != call.site.id) made.sites.insert(place, call.site.id);
  if (made.sites.size() > kMostSites) made.sites.resize(kMostSites);
  made.in_place = present.in_place || present.chain_in_place;
  made.site = call.site.id;
  made.call = call.index;
  made.format = *format;
  if (made.additions >= kCounted) {
    try {
      graph::Stack stack;
      for (std::size_t i = 0; i < present.arguments.size(); ++i) {
        const c10::IValue& value = present.arguments[i];
        if (i == 0 && present.in_place && present.wide.defined()) {
          stack.emplace_back(State::part(present.wide, value.toTensor()));
        } else {
          stack.push_back(value.isTensor() ? c10::IValue(state_->widened(value.toTensor())) : value);
        }
      }
      if (present.in_place && !present.wide.defined()) return;
      call.site.operation(stack);
      const at::Tensor& wide = stack.back().toTensor();
      if (present.in_place) {
        made.wide = present.wide;
      } else {
        made.wide = at::empty({elements_of(result)}, result.options().dtype(at::kFloat));
        State::part(made.wide, result).copy_(wide);
      }
    } catch (const std::exception&) {
      return;  // in float32 its dtypes need not fit
    }
  }
  const c10::StorageImpl* storage = result.storage().unsafeGetStorageImpl();
  state_->known.insert_or_assign(storage, std::move(made));
  state_->sweep();
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
