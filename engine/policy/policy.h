// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace binade::policy {

/// Which op lists a policy starts from.
enum class Base { kCudaAmp, kCpuAmp, kApexO0, kApexO1, kApexO2, kApexO3, kAllFloat32 };

/// How a format is computed; design section "Execution".
enum class Execution { kAuto, kNative, kEmulated };

/// `pytorch-2.11` reproduces upstream's known bugs, `fixed` does not.
enum class Behaviour { kFixed, kPyTorch211 };

/// What an op is told to do, other than run in a named format.
enum class Treatment {
  kLow,      ///< cast to the policy's low format
  kPromote,  ///< cast all to the widest argument
  kFollow,   ///< no cast unless the arguments disagree: then the widest
  kBanned,   ///< refuse to run, with the reason
};

/// One entry of a policy's `ops`: a format, or a treatment.
using OpChange = std::variant<formats::Format, Treatment>;

/// One rule for the sites that `match` matches (`path[::method]/ns::op#n`, `*` is the only wildcard, a bare path is
/// its whole subtree). A later rule wins over an earlier one.
struct SiteRule {
  std::string match;
  std::optional<int> call;  ///< only this execution of the site in a forward, from 0
  formats::Format format = formats::kFloat32;
  std::optional<formats::Format> backward;
  Execution execution = Execution::kAuto;
  std::optional<formats::Overflow> overflow;
  std::string why;

  friend bool operator==(const SiteRule&, const SiteRule&) = default;
};

/// A whole precision policy as its file says it. A plain value.
struct Policy {
  std::string name;
  Behaviour behaviour = Behaviour::kFixed;
  Base base = Base::kCudaAmp;
  formats::Format low = formats::kFloat16;
  Execution execution = Execution::kAuto;  ///< of every site that no rule says otherwise for
  std::map<std::string, OpChange> ops;     ///< key `ns::op` (all overloads) or `ns::op.overload`
  std::vector<SiteRule> sites;

  friend bool operator==(const Policy&, const Policy&) = default;
};

/// Reads a policy file's text. `source` (a file name) goes into messages. Unknown fields, formats and versions, and
/// what cannot be an op's name, are errors that name the field and its place: throws Error{kBadPolicy}. Whether
/// LibTorch has an op is for graph::check_ops() to say.
Policy parse_policy(std::string_view text, const std::string& source);

/// The policy as JSON text that `parse_policy` reads back to the same value; ends with a newline.
std::string to_json(const Policy& policy);

std::string name(Base base);
/// One line that tells the bases apart: "FP16 training with FP32 batchnorm and FP32 master weights."
std::string brief(Base base);
std::string name(Execution execution);
std::string name(Treatment treatment);
std::string name(Behaviour behaviour);
std::optional<Base> parse_base(std::string_view text);

/// The text that a policy file holds for an op change: a format's name, or `low`, `promote`, `follow`, `banned`.
std::string to_text(const OpChange& change);

}  // namespace binade::policy
