// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/formats/format.h"
#include "engine/policy/products.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace binade::policy {

/// The op lists that a policy starts from.
enum class Base { kCudaAmp, kCpuAmp, kApexO0, kApexO1, kApexO2, kApexO3, kAllFloat32 };

/// How a format is computed.
/// - Native: the op runs in the dtype that stores the format.
/// - Emulated, for float16 and bfloat16: tensors are stored in the dtype too. Matrix multiplications and convolutions
///   compute in float32 on widened operands, and their results are rounded, in forward and backward. Other ops run
///   natively in the dtype. On CPUs without fast float16, emulation is 5 to 30 times faster than native and about as
///   fast as float32.
/// - Auto: one of the two, chosen from the instruction set and never from a timing. The choice is recorded.
/// The window always shows which of the two was used, and never presents an emulated time as a speed.
enum class Execution { kAuto, kNative, kEmulated };

/// Whether known bugs of PyTorch's autocast are reproduced (`pytorch-2.11`) or not (`fixed`).
enum class Behaviour { kFixed, kPyTorch211 };

/// Treatment of an op's arguments other than a cast to a named format.
enum class Treatment {
  kLow,      ///< cast to the policy's low format
  kPromote,  ///< cast all to the widest argument's format
  kFollow,   ///< no cast unless the arguments' formats differ: then to the widest
  kBanned,   ///< refuse to run, with a reason
};

/// An entry of a policy's `ops`: a format or a treatment.
using OpChange = std::variant<formats::Format, Treatment>;

/// Rule for the sites that `match` matches: `path[::method]/ns::op#n`, in which `*` is the only wildcard, or a bare
/// module path for its whole subtree. A later rule wins over an earlier one.
struct SiteRule {
  std::string match;
  std::optional<int> call;  ///< only this execution of the site in a forward, counted from 0
  formats::Format format = formats::kFloat32;
  std::optional<formats::Format> backward;
  Execution execution = Execution::kAuto;
  std::optional<formats::Overflow> overflow;
  std::string why;
  Products products = {};  ///< for op calls with products; `format` is then the format of their results

  friend bool operator==(const SiteRule&, const SiteRule&) = default;
};

/// Where a policy comes from. For people: nothing is decided by it. Every field may be empty.
struct Provenance {
  std::string made_by;                   ///< program and version: `binade-engine 0.1.0`
  std::string date;                      ///< ISO 8601: `2026-11-26` or `2026-11-26T05:01:13Z`
  std::string run;                       ///< name of the run file that it was tuned in
  std::optional<std::int64_t> step;      ///< step of that run
  std::string attempt;                   ///< name of the variant within the run, the field `try` of the file
  std::string model;                     ///< name of the model's file
  std::optional<std::int64_t> op_calls;  ///< number of op calls of that model
  std::vector<std::string> from;         ///< policies that it was derived from
  std::vector<std::string> evidence;     ///< sentences

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// A precision policy, as its file states it. A plain value.
struct Policy {
  std::string name;
  Behaviour behaviour = Behaviour::kFixed;
  Base base = Base::kCudaAmp;
  formats::Format low = formats::kFloat16;
  Execution execution = Execution::kAuto;  ///< of every site whose rule does not set one
  std::map<std::string, OpChange> ops;     ///< keys are `ns::op` (all overloads) or `ns::op.overload`
  std::vector<SiteRule> sites;
  Provenance provenance = {};

  /// Whether two policies state the same. Their provenance does not count: it changes nothing in a training, so it is
  /// no edit either.
  friend bool operator==(const Policy& a, const Policy& b) {
    return a.name == b.name && a.behaviour == b.behaviour && a.base == b.base && a.low == b.low &&
           a.execution == b.execution && a.ops == b.ops && a.sites == b.sites;
  }
};

/// Parses the text of a policy file. `source` (a file name) goes into messages. Throws Error{kBadPolicy}, naming field
/// and place, for unknown fields, values and versions, and for keys that cannot be op names. Whether LibTorch has an op
/// is checked by graph::check_ops().
Policy parse_policy(std::string_view text, const std::string& source);

/// The formats of products as JSON text: an object with those fields of a site rule. parse_products() reads it back to
/// an equal value, and throws Error{kBadPolicy} as parse_policy() does.
std::string to_json(const Products& products);
Products parse_products(std::string_view text, const std::string& source);

/// The formats of products that a decision by the rule with index `rule` gives a call of an op.
Products products_of(const Policy& policy, int rule, std::string_view op, std::string_view overload);

/// The policy as JSON text, which `parse_policy` reads back to an equal value with the same provenance; ends with a
/// newline.
std::string to_json(const Policy& policy);

/// Site rules as JSON text: the value of the field `sites` of a policy file.
std::string to_json(const std::vector<SiteRule>& rules);

std::string name(Base base);
/// One line that characterises a base: "FP16 training with FP32 batchnorm and FP32 master weights."
std::string brief(Base base);
std::string name(Execution execution);
std::string name(Treatment treatment);
std::string name(Behaviour behaviour);
/// The base with the name `text`; empty if there is none.
std::optional<Base> parse_base(std::string_view text);

/// Text of an op change in a policy file: a format's name, or `low`, `promote`, `follow`, `banned`.
std::string to_text(const OpChange& change);

}  // namespace binade::policy
