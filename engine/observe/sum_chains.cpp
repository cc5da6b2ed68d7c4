// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/sum_chains.h"

#include "engine/graph/dtype_format.h"
#include "engine/graph/failure.h"
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
#include <set>
#include <utility>

namespace binade::observe {

namespace {

/// The first additions of a chain are only counted, since most sums are no longer.
constexpr std::int64_t kCounted = 4;

bool adds(const std::string& op) {
  return graph::is_one_of(op, {"aten::add", "aten::add_", "aten::sub", "aten::sub_", "aten::rsub", "aten::addcmul",
                               "aten::addcmul_", "aten::lerp", "aten::lerp_", "aten::index_add", "aten::index_add_",
                               "aten::scatter_add", "aten::scatter_add_"});
}

bool scales(const std::string& op) {
  return graph::is_one_of(op, {"aten::mul", "aten::mul_", "aten::div", "aten::div_", "aten::neg"});
}

std::optional<formats::Format> low_format(const at::Tensor& tensor, const graph::Call& call) {
  if (const auto low = graph::low_format(tensor.scalar_type())) return low;
  if (tensor.scalar_type() == at::kFloat && call.rounding && call.rounding->format != formats::kFloat32) {
    return call.rounding->format;
  }
  return std::nullopt;
}

bool can_be_summed(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_meta() && tensor.layout() == at::kStrided && tensor.is_floating_point() &&
         tensor.numel() > 0 && !tensor.is_inference();
}

/// Merges `more` into `sites`, both ascending, up to `most`. Returns whether all fit.
bool add_sites(std::vector<int>& sites, const std::vector<int>& more, std::size_t most) {
  if (more.empty()) return true;
  if (sites.empty() || sites.back() < more.front()) {  // the common case: a written-out sum grows at its end
    const std::size_t count = std::min(more.size(), most - std::min(most, sites.size()));
    sites.insert(sites.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(count));
    return count == more.size();
  }
  std::vector<int> fresh;
  std::set_difference(more.begin(), more.end(), sites.begin(), sites.end(), std::back_inserter(fresh));
  const std::size_t room = most - std::min(most, sites.size());
  const bool all = fresh.size() <= room;
  if (!all) fresh.resize(room);
  const auto before = static_cast<std::ptrdiff_t>(sites.size());
  sites.insert(sites.end(), fresh.begin(), fresh.end());
  std::inplace_merge(sites.begin(), sites.begin() + before, sites.end());
  return all;
}

/// Number of elements in the tensor's whole storage.
std::int64_t elements_of(const at::Tensor& tensor) {
  return static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.element_size());
}

}  // namespace

struct SumChains::State {
  using Weak = c10::weak_intrusive_ptr<c10::StorageImpl>;
  /// A sum before it was scaled. Its error is measured only if the scaled sum is used.
  struct Unscaled {
    at::Tensor sum;
    at::Tensor wide;  ///< the same in float32
    std::int64_t version = 0;
  };
  /// State of a tensor's storage, shared by all its views.
  struct Known {
    explicit Known(Weak of) : storage(std::move(of)) {}
    Weak storage;
    std::int64_t version = 0;
    int chain = -1;              ///< an id of its chain; see chain_of()
    SumSeen sum;                 ///< up to the last addition; `error` is set if the sum was scaled in place since
    Unscaled unscaled;           ///< if it was scaled out of place since
    std::vector<int> scaled_at;  ///< sites of scalings after the last addition
    bool scaled_in_place = false;
    at::Tensor wide;  ///< the storage in float32, as one row; undefined while the chain is short
    bool measured = false;
  };
  struct Present {
    std::vector<c10::IValue> arguments;
    bool counts = false;  ///< an addition, or a scaling of a sum
    bool addition = false;
    int chain = -1;
    Unscaled unscaled;
    SumSeen sum;  ///< the longest among its arguments; for an addition, with the sites of all
    std::vector<int> scaled_at;
    bool scaled_in_place = false;
    at::Tensor wide;  ///< the storage before an in-place op, in float32
  };

  std::size_t most_sites = kMostSites;
  std::map<const c10::StorageImpl*, Known> known;
  const c10::StorageImpl* swept = nullptr;         ///< where the next sweep continues
  std::vector<const c10::StorageImpl*> last_used;  ///< arguments of the last counted call, most of which are freed by
                                                   ///< now
  Present present;
  std::vector<std::pair<int, SumSeen>> seen;  ///< with their chains
  std::vector<int> joined;                    ///< by chain: the chain it was merged into, or itself
  std::map<int, std::string> unknown;         ///< by site
  std::set<int> scalings;                     ///< sites that scaled a sum, in this forward or one before

  /// Returns the chain's representative: sums with common terms are merged into one chain.
  int chain_of(int chain) {
    while (joined[static_cast<std::size_t>(chain)] != chain) {
      int& next = joined[static_cast<std::size_t>(chain)];
      next = joined[static_cast<std::size_t>(next)];
      chain = next;
    }
    return chain;
  }

  int join(int chain, int other) {
    if (chain < 0 || other < 0) return std::max(chain, other);
    chain = chain_of(chain);
    joined[static_cast<std::size_t>(chain_of(other))] = chain;
    return chain;
  }

  /// Forgets freed storage: that of the last call, and two other entries in turn. The cost per call is constant, and
  /// freed entries do not accumulate.
  void sweep() {
    const auto forget = [this](auto at) { return at->second.storage.expired() ? known.erase(at) : std::next(at); };
    for (const c10::StorageImpl* each : last_used) {
      if (const auto at = known.find(each); at != known.end()) forget(at);
    }
    last_used.clear();
    auto at = known.upper_bound(swept);
    for (int i = 0; i < 2 && !known.empty(); ++i) {
      if (at == known.end()) at = known.begin();
      swept = at->first;
      at = forget(at);
    }
  }

  /// Whether a sum comes to one of its sites for the second time. What was added in front of the loop is no part of it:
  /// each of these sites ran once.
  bool begins_loop(SumSeen& sum, int site) const {
    const auto first = std::lower_bound(sum.sites.begin(), sum.sites.end(), site);
    if (first == sum.sites.end() || *first != site) return false;
    const auto before = std::count_if(sum.sites.begin(), first, [this](int each) { return !scalings.contains(each); });
    sum.additions = std::max<std::int64_t>(2, sum.additions - before);
    sum.sites.erase(sum.sites.begin(), first);
    return true;
  }

  void give_up(int site, std::string why) { unknown.try_emplace(site, std::move(why)); }

  Known* find(const at::Tensor& tensor) {
    const auto found = known.find(tensor.storage().unsafeGetStorageImpl());
    if (found == known.end() || found->second.storage.expired()) return nullptr;
    return found->second.version == static_cast<std::int64_t>(tensor._version()) ? &found->second : nullptr;
  }

  static at::Tensor part(const at::Tensor& wide, const at::Tensor& like) {
    return wide.as_strided(like.sizes(), like.strides(), like.storage_offset());
  }

  /// Returns the chain's float32 version of the tensor.
  at::Tensor widened(const at::Tensor& tensor) {
    if (!can_be_summed(tensor)) return tensor;
    if (const Known* of = find(tensor); of != nullptr && of->wide.defined()) return part(of->wide, tensor);
    return graph::low_format(tensor.scalar_type()) ? tensor.detach().to(at::kFloat) : tensor.detach();
  }

  static at::Tensor memory_of(const at::Tensor& tensor) {
    return tensor.detach().as_strided({elements_of(tensor)}, {1}, 0).to(at::kFloat, false, /*copy=*/true);
  }

  /// Returns the error of the sum that `tensor` is, or is a multiple of.
  double error_of(const at::Tensor& tensor, const Known& of) {
    if (of.sum.additions < kLeastAdditions) return 0;
    if (of.scaled_at.empty()) return of.wide.defined() ? difference(tensor, 1, part(of.wide, tensor)).error : 0;
    if (!of.unscaled.sum.defined()) return of.sum.error;
    if (of.unscaled.version != static_cast<std::int64_t>(of.unscaled.sum._version())) {
      give_up(of.sum.site, "the sum was written to after it had been scaled");
      return 0;
    }
    return difference(of.unscaled.sum, 1, of.unscaled.wide).error;
  }

  void measure(const at::Tensor& tensor, Known& of) {
    if (of.measured || of.sum.additions < kLeastAdditions) return;
    of.measured = true;
    SumSeen sum = of.sum;
    sum.error = error_of(tensor, of);
    if (sum.error > 0) seen.emplace_back(of.chain, std::move(sum));
  }
};

SumChains::SumChains(std::size_t most_sites) : state_(std::make_unique<State>()) {
  state_->most_sites = most_sites;
}
SumChains::~SumChains() = default;

void SumChains::begin() {
  state_->known.clear();
  state_->swept = nullptr;
  state_->last_used.clear();
  state_->present = {};
}

void SumChains::before(const graph::Call& call) {
  State::Present& present = state_->present;
  present = {};
  // A conversion may be a view by its schema; to another format it counts as a use.
  if (call.site.view && !converted_argument(call.site)) return;
  const at::NoGradGuard no_history;
  std::vector<std::pair<at::Tensor, State::Known*>> sums;
  int tensors = 0;
  for (std::size_t i = 0; i < call.site.inputs; ++i) {
    each_tensor(call.argument(i), [&](const at::Tensor& tensor) {
      if (!can_be_summed(tensor)) return;
      if (tensor.dim() > 0) ++tensors;
      if (State::Known* of = state_->find(tensor)) sums.emplace_back(tensor, of);
    });
  }
  present.addition = adds(call.site.op);
  present.counts = present.addition || (!sums.empty() && scales(call.site.op) && tensors == 1);
  if (!present.counts) {
    // The sum is used, so its error matters here.
    for (const auto& [tensor, of] : sums) state_->measure(tensor, *of);
    return;
  }
  std::int64_t longest = 0;
  for (const auto& [tensor, of] : sums) longest = std::max(longest, of->sum.additions);
  for (const auto& [tensor, of] : sums) {
    if (present.addition) {
      const SumSeen& sum = of->sum;
      // A term that is a short sum itself is a term.
      if (sum.additions < longest && sum.additions < kCounted) continue;
      present.sum.additions = std::max(present.sum.additions, sum.additions);
      present.sum.in_place = present.sum.in_place || sum.in_place || of->scaled_in_place;
      present.sum.loop = present.sum.loop || sum.loop;
      present.chain = state_->join(present.chain, of->chain);
      const bool all = add_sites(present.sum.sites, sum.sites, state_->most_sites) &&
                       add_sites(present.sum.sites, of->scaled_at, state_->most_sites);
      present.sum.cut = present.sum.cut || sum.cut || !all;
    } else if (of->sum.additions >= present.sum.additions) {
      present.chain = of->chain;
      present.sum = of->sum;
      present.scaled_at = of->scaled_at;
      present.scaled_in_place = of->scaled_in_place || call.site.in_place;
      present.unscaled = of->unscaled;
      if (call.site.in_place) {  // its values are overwritten
        present.sum.error = state_->error_of(tensor, *of);
        present.unscaled = {};
      } else if (of->scaled_at.empty() && of->wide.defined() && of->sum.additions >= kLeastAdditions) {
        const at::Tensor sum = tensor.detach();
        present.unscaled = {sum, State::part(of->wide, tensor), static_cast<std::int64_t>(sum._version())};
      }
    }
  }
  if (present.addition) ++present.sum.additions;
  for (std::size_t i = 0; i < call.site.inputs; ++i) present.arguments.push_back(call.argument(i));
  if (!call.site.in_place || present.sum.additions < kCounted || !call.argument(0).isTensor()) return;
  const at::Tensor& self = call.argument(0).toTensor();
  // Whether a float32 tensor is rounded is known only after the inner hooks have seen the call.
  if (!can_be_summed(self) || (!low_format(self, call) && self.scalar_type() != at::kFloat)) return;
  State::Known* of = state_->find(self);
  present.wide = of != nullptr && of->wide.defined() ? of->wide : State::memory_of(self);
}

void SumChains::after(const graph::Call& call) {
  State::Present present = std::exchange(state_->present, {});
  if (!present.counts || call.site.outputs != 1 || !call.result(0).isTensor()) return;
  const at::Tensor& result = call.result(0).toTensor();
  if (!can_be_summed(result)) return;
  const auto format = low_format(result, call);
  const at::NoGradGuard no_history;
  if (!format) {  // the chain continues in float32: its error up to here counts
    for (const c10::IValue& value : present.arguments) {
      if (!value.isTensor() || !can_be_summed(value.toTensor())) continue;
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
    if (!made.sum.loop) made.sum.loop = state_->begins_loop(made.sum, call.site.id);
    made.sum.in_place = made.sum.in_place || call.site.in_place;
    made.sum.site = call.site.id;
    made.sum.call = call.index;
    made.sum.format = *format;
    if (!add_sites(made.sum.sites, {call.site.id}, state_->most_sites)) made.sum.cut = true;
    made.chain = present.chain;
    if (made.chain < 0) {
      made.chain = static_cast<int>(state_->joined.size());
      state_->joined.push_back(made.chain);
    }
  } else {
    state_->scalings.insert(call.site.id);
    if (!add_sites(made.scaled_at, {call.site.id}, state_->most_sites)) made.sum.cut = true;
    made.chain = present.chain;
    made.unscaled = std::move(present.unscaled);
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
      if (in_place && !present.wide.defined()) return state_->give_up(call.site.id, "its values before were not kept");
      call.site.operation(stack);
      const at::Tensor& wide = stack.back().toTensor();
      if (in_place) {
        made.wide = present.wide;
      } else {
        made.wide = at::empty({elements_of(result)}, result.options().dtype(at::kFloat));
        State::part(made.wide, result).copy_(wide);
      }
    } catch (const std::exception& error) {
      // The op may refuse float32, or memory may run out.
      return state_->give_up(call.site.id, graph::reason_of(error));
    }
  }
  state_->sweep();
  for (const c10::IValue& value : present.arguments) {
    if (value.isTensor() && can_be_summed(value.toTensor())) {
      state_->last_used.push_back(value.toTensor().storage().unsafeGetStorageImpl());
    }
  }
  state_->known.insert_or_assign(result.storage().unsafeGetStorageImpl(), std::move(made));
}

std::vector<SumSeen> SumChains::finish() {
  std::vector<std::pair<int, SumSeen>> all = std::exchange(state_->seen, {});
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.error > b.second.error; });
  std::set<int> chains;  // chains of the sums in `worst`
  std::set<int> cut;     // of these, chains whose sites are incomplete
  std::vector<SumSeen> worst;
  for (auto& [of, each] : all) {
    const int chain = state_->chain_of(of);
    if (cut.contains(chain) || (each.cut && chains.contains(chain))) continue;
    const auto overlaps = [&each = each](const SumSeen& other) {
      std::vector<int> both;
      std::set_intersection(each.sites.begin(), each.sites.end(), other.sites.begin(), other.sites.end(),
                            std::back_inserter(both));
      return !both.empty();
    };
    // The same sites in another forward.
    if (std::any_of(worst.begin(), worst.end(), overlaps)) continue;
    chains.insert(chain);
    if (each.cut) cut.insert(chain);
    worst.push_back(std::move(each));
  }
  begin();
  state_->joined.clear();
  state_->unknown.clear();
  return worst;
}

std::vector<SumUnknown> SumChains::unknown() const {
  std::vector<SumUnknown> all;
  for (const auto& [site, why] : state_->unknown) all.push_back({site, why});
  return all;
}

}  // namespace binade::observe
