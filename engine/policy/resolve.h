// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/op_lists.h"
#include "engine/policy/own_block.h"
#include "engine/policy/policy.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace binade::policy {

/// Identity of a site. `path` is the module path (empty for the root), `method` is empty for forward.
struct SiteKey {
  std::string path;
  std::string method;
  std::string op;        ///< `aten::conv2d`
  std::string overload;  ///< empty for the default one
  int ordinal = 0;

  /// Name of the site: `layer1.0.conv1::_conv_forward/aten::conv2d#0`.
  std::string name() const;
  friend bool operator==(const SiteKey&, const SiteKey&) = default;
};

/// Treatment of a site in one snapshot of the policy.
struct Decision {
  /// Treatment of the arguments. kFormat: cast to `format`; kLeave: no cast; the others as in CastRule and Treatment.
  enum class Kind : std::uint8_t {
    kFormat,
    kPromote,
    kFollow,
    kSetDtype,
    kAppendDtype,
    kBanned,
    kLeave
  } kind = Kind::kLeave;
  formats::Format format = formats::kFloat32;  ///< for kFormat; for kPromote the format that promotion starts from
  formats::Format backward =
      formats::kFloat32;                     ///< of the gradients; formats::default_backward() unless a rule sets it
  Execution execution = Execution::kNative;  ///< never kAuto
  formats::Overflow overflow = formats::Overflow::kInfinity;  ///< treatment of values beyond `format`'s limit
  /// Origin: kFromBase, kFromOpChange or the index of the site rule.
  int rule = -1;
  /// Index in Resolved::blocks if one of the model's own autocast blocks decides for the site; otherwise -1.
  int block = -1;
  /// Formats of the products of a matrix product or convolution, from a site rule. Empty for every other op call.
  Products products = {};

  friend bool operator==(const Decision&, const Decision&) = default;
};

inline constexpr int kFromBase = -1;
inline constexpr int kFromOpChange = -2;

/// What the device can run natively, queried once at start from the instruction set or compute capability, never
/// measured.
struct Capabilities {
  bool native_bfloat16 = true;
  /// On CPUs true only with AVX512-FP16 or AMX-FP16: elsewhere native float16 is 5 to 30 times slower than emulated.
  bool native_float16 = false;
  bool native_tfloat32 = false;  ///< tensor cores of compute capability 8 or later
  /// The device's autocast list. A model's own blocks for another device do nothing, as in PyTorch. If empty, the base
  /// list implies the device; under a base without a device every block applies.
  std::optional<Base> list = std::nullopt;
};

/// Position of a site in its model.
struct SitePlace {
  const OwnBlock* block = nullptr;  ///< innermost of the model's own autocast blocks around it; may be null
  bool repeats = true;              ///< one forward may run it more than once: it is in a loop, or that is unknown
  bool inside = false;  ///< its kernel calls ops that lists may name (lstm, a loss): op changes apply to them
  bool view = false;    ///< its result shares its argument's memory; no rule casts it
};

/// A message about a policy for the user: a rule that matches nothing, a format that runs emulated.
struct Finding {
  enum class Severity : std::uint8_t { kNote, kWarning } severity = Severity::kWarning;
  int rule = kFromBase;
  std::string message;

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// The immutable table that a training step reads: one decision per site, and exceptions for single calls.
struct Resolved {
  std::vector<Decision> sites;                    ///< indexed by site
  std::map<std::pair<int, int>, Decision> calls;  ///< (site, call) -> decision
  std::vector<Finding> findings;
  Behaviour behaviour = Behaviour::kFixed;
  formats::Format low = formats::kFloat16;
  Execution low_execution = Execution::kNative;  ///< of `low`
  Execution execution = Execution::kAuto;        ///< as the policy sets it, for sites without a rule that does
  Capabilities capabilities;                     ///< of the device that the policy was resolved for
  Base base = Base::kCudaAmp;
  std::map<std::string, OpChange> ops;  ///< as in the policy; they also apply inside composite ops
  /// Lists of the model's own autocast blocks: tables without sites.
  std::vector<Resolved> blocks;
  int revision = 0;

  /// Device whose tensors are cast, given by its list; empty if neither base nor capabilities determine it.
  std::optional<Base> device() const { return capabilities.list ? capabilities.list : device_of(base); }

  /// What `torch.is_autocast_enabled` for a device returns at a place in the model, inside `innermost` (may be null).
  bool answers_enabled(Base asked, const OwnBlock* innermost) const;

  /// Lists that a decision comes from: these, or those of one of the model's own blocks. Composite ops and promotion
  /// use them.
  const Resolved& lists_of(const Decision& decision) const {
    return decision.block < 0 ? *this : blocks[static_cast<std::size_t>(decision.block)];
  }

  /// Decision for the `call`-th execution of a site in a forward.
  const Decision& decision_for(int site, int call) const {
    if (!calls.empty()) {
      const auto found = calls.find({site, call});
      if (found != calls.end()) return found->second;
    }
    return sites[static_cast<std::size_t>(site)];
  }
};

/// Applies base, the model's own autocast blocks, op changes and site rules, in this order, to every site. Throws
/// nothing: what cannot be done becomes a finding that states what happens instead. `places[i]` is the position of site
/// i; empty if positions are unknown.
Resolved resolve(const Policy& policy, std::span<const SiteKey> sites, const Capabilities& capabilities,
                 std::span<const SitePlace> places = {});

/// Whether a site rule's `match` matches a site; see SiteRule.
bool matches(std::string_view match, const SiteKey& site);

/// Whether a rule matches op calls of a loss, which belongs to a run and not to the model.
bool speaks_of_loss(const SiteRule& rule);

}  // namespace binade::policy
