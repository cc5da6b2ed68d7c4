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

/// What a policy needs to know of a site. `path` is the module path (empty for the root), `method` empty for forward.
struct SiteKey {
  std::string path;
  std::string method;
  std::string op;        ///< `aten::conv2d`
  std::string overload;  ///< empty for the default one
  int ordinal = 0;

  /// `layer1.0.conv1::_conv_forward/aten::conv2d#0`
  std::string name() const;
  friend bool operator==(const SiteKey&, const SiteKey&) = default;
};

/// What a site does in one snapshot of the policy.
struct Decision {
  /// How its arguments are treated. kFormat: cast to `format`. The rest as CastRule and Treatment name them.
  enum class Kind : std::uint8_t {
    kFormat,
    kPromote,
    kFollow,
    kSetDtype,
    kAppendDtype,
    kBanned,
    kLeave
  } kind = Kind::kLeave;
  formats::Format format = formats::kFloat32;  ///< of kFormat; for the others the format promotion starts from
  formats::Format backward =
      formats::kFloat32;  ///< of the gradients; formats::default_backward where no rule says otherwise
  Execution execution = Execution::kNative;                   ///< resolved: never kAuto
  formats::Overflow overflow = formats::Overflow::kInfinity;  ///< of values beyond `format`'s limit
  /// Where it comes from: -1 the base list, -2 an op change, else the index of the site rule.
  int rule = -1;
  /// Which of Resolved::blocks the site stands in, where one of the model's own autocast blocks decides; else -1.
  int block = -1;

  friend bool operator==(const Decision&, const Decision&) = default;
};

inline constexpr int kFromBase = -1;
inline constexpr int kFromOpChange = -2;

/// What the device at hand can run natively, asked once at start (instruction set or compute capability, never timed).
struct Capabilities {
  bool native_bfloat16 = true;
  bool native_float16 = false;   ///< false on CPUs: 5 to 30 times slower there than emulated
  bool native_tfloat32 = false;  ///< tensor cores of compute capability 8 and later
  /// The device's autocast list: a model's own blocks for another device do nothing, as in PyTorch. Unset: the base
  /// list tells the device, and under a base of no device every block is followed.
  std::optional<Base> list = std::nullopt;
};

/// Where in its model a site stands.
struct SitePlace {
  const OwnBlock* block = nullptr;  ///< the innermost of the model's own autocast blocks around it
  bool repeats = true;              ///< one forward may run it more than once: it is in a loop, or nobody knows
  bool inside = false;              ///< made of other ops that lists may name (lstm, a loss): op changes hold inside it
  bool view = false;                ///< shows its argument's memory: nothing is cast there
};

/// Something about a policy that a person should know: a rule that matches nothing, a format that runs emulated.
struct Finding {
  enum class Severity : std::uint8_t { kNote, kWarning } severity = Severity::kWarning;
  int rule = kFromBase;
  std::string message;

  friend bool operator==(const Finding&, const Finding&) = default;
};

/// The immutable table a training step reads: one decision a site, and exceptions for single calls.
struct Resolved {
  std::vector<Decision> sites;                    ///< indexed by site
  std::map<std::pair<int, int>, Decision> calls;  ///< (site, call) -> decision
  std::vector<Finding> findings;
  Behaviour behaviour = Behaviour::kFixed;
  formats::Format low = formats::kFloat16;
  Execution low_execution = Execution::kNative;  ///< of `low`
  Execution execution = Execution::kAuto;        ///< as the policy asks where no rule says otherwise
  Capabilities capabilities;                     ///< of the device that this is resolved for
  Base base = Base::kCudaAmp;
  std::map<std::string, OpChange> ops;  ///< as the policy has them: they hold inside composites too
  /// What holds inside the model's own autocast blocks: tables without sites.
  std::vector<Resolved> blocks;
  int revision = 0;

  /// The device, by its list, whose tensors are cast; nothing where neither base nor capabilities tell it.
  std::optional<Base> device() const { return capabilities.list ? capabilities.list : device_of(base); }

  /// What `torch.is_autocast_enabled` of a device answers at a place of the model, inside `innermost` (may be null).
  bool answers_enabled(Base asked, const OwnBlock* innermost) const;

  /// The lists that a decision comes from: these, or those of a block of the model's own. Composite ops and promotion
  /// go by them.
  const Resolved& lists_of(const Decision& decision) const {
    return decision.block < 0 ? *this : blocks[static_cast<std::size_t>(decision.block)];
  }

  /// What the `call`-th execution of a site in a forward does.
  const Decision& decision_for(int site, int call) const {
    if (!calls.empty()) {
      const auto found = calls.find({site, call});
      if (found != calls.end()) return found->second;
    }
    return sites[static_cast<std::size_t>(site)];
  }
};

/// Applies base, the model's own autocast blocks, op changes and site rules, in this order, to every site. Nothing
/// throws: what cannot be done becomes a finding that says what happens instead.
/// `places[i]` is where site i stands; empty where nothing is known of that.
Resolved resolve(const Policy& policy, std::span<const SiteKey> sites, const Capabilities& capabilities,
                 std::span<const SitePlace> places = {});

/// Whether a rule's `match` matches a site; see SiteRule.
bool matches(std::string_view match, const SiteKey& site);

}  // namespace binade::policy
