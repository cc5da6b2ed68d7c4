// SPDX-License-Identifier: Apache-2.0
// Format: Intel Gaudi, page "Mixed Precision Training with PyTorch Autocast" and load_list() of its PyTorch
// bridge: two environment variables name text files with one op a line, which replace the default lists. An op on both
// lists is cast to the low format. The promote list is fixed. Only functional ATen ops are registered.

#include "engine/formats/error.h"
#include "engine/targets/op_names.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/target_list.h"

#include <algorithm>
#include <set>

namespace binade::targets {

namespace {

constexpr std::string_view kGaudiLow = "PT_HPU_AUTOCAST_LOWER_PRECISION_OPS_LIST";
constexpr std::string_view kGaudiFloat32 = "PT_HPU_AUTOCAST_FP32_OPS_LIST";
constexpr std::string_view kGaudiFormat = "# Low format: ";
constexpr std::string_view kGaudiEnd = "END_OF_OPS";

/// Names are ATen's own, without namespace.
std::vector<std::string> gaudi_names(const std::string& op) {
  constexpr std::string_view kNamespace = "aten::";
  if (!op.starts_with(kNamespace) || is_in_place(op)) return {};
  return {op.substr(kNamespace.size())};
}

std::set<std::string> gaudi_default(std::string_view list) {
  std::set<std::string> names;
  for (const OpName& row : op_names()) {
    if (row.program == "gaudi" && row.list == list) names.emplace(row.name);
  }
  return names;
}

struct GaudiLists {
  formats::Format low = formats::kBFloat16;
  std::set<std::string> lower = gaudi_default("low");
  std::set<std::string> float32 = gaudi_default("float32");
  std::set<std::string> promote = gaudi_default("promote");

  OpRole role(const std::string& name) const {
    if (lower.contains(name)) return OpRole::kLow;
    if (float32.contains(name)) return OpRole::kFloat32;
    return promote.contains(name) ? OpRole::kPromote : OpRole::kFollow;
  }
};

std::string gaudi_file(const std::string& file, const std::set<std::string>& names, std::string_view variable) {
  std::string text = "cat > \"$PWD/" + file + "\" <<'" + std::string(kGaudiEnd) + "'\n";
  for (const std::string& name : names) text += name + "\n";
  return text + std::string(kGaudiEnd) + "\nexport " + std::string(variable) + "=\"$PWD/" + file + "\"\n";
}

Written write_gaudi(const Assignment& assignment) {
  GaudiLists lists;
  lists.low = low_for_lists(assignment);
  for (const auto& [name, role] : wanted_roles(assignment, gaudi_names)) {
    lists.lower.erase(name);
    lists.float32.erase(name);
    if (role == OpRole::kLow) lists.lower.insert(name);
    if (role == OpRole::kFloat32) lists.float32.insert(name);
  }
  std::string text =
      "# Op lists for autocast on Intel Gaudi, written by Binade. Source this file before the program starts: it\n"
      "# writes the two lists into the working directory. Ops that the model does not call keep Gaudi's own list.\n" +
      std::string(kGaudiFormat) + formats::name(lists.low) + ", by torch.autocast(device_type=\"hpu\", dtype=torch." +
      formats::name(lists.low) + ")\n";
  text += gaudi_file("ops_lower.txt", lists.lower, kGaudiLow);
  text += gaudi_file("ops_fp32.txt", lists.float32, kGaudiFloat32);
  Findings findings;
  for (const policy::SiteKey& key : assignment.keys) {
    const bool norm = key.op == "aten::batch_norm" || key.op == "aten::layer_norm" || key.op == "aten::group_norm" ||
                      key.op == "aten::instance_norm";
    if (!norm || lists.role(gaudi_names(key.op).front()) != OpRole::kLow) continue;
    findings.add(Finding::Kind::kNote, "Gaudi casts only the first argument of norms on the lower precision list",
                 key.name());
  }
  const auto role = [&](const std::string& name) { return lists.role(name); };
  declare_roles(assignment, policy_of_roles(assignment, lists.low, gaudi_names, role), gaudi_names, "Intel Gaudi",
                findings);
  return {text, findings.list()};
}

/// Reads a script with both lists, or a file that is a single list, which is taken for the lower precision one.
class GaudiReader {
 public:
  GaudiReader(std::string_view text, const std::string& source) : source_(source) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++line_;
      std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      take_line(line);
    }
    if (in_list_) fail("the list is not closed by " + std::string(kGaudiEnd));
    if (lists_ > 0) return;
    if (names_.empty()) fail("there is no list of ops");
    lists.lower = names_;
    findings.add(Finding::Kind::kNote,
                 "the text is one list, taken for the lower precision list; the float32 list is Gaudi's own");
  }

  GaudiLists lists;
  Findings findings;

 private:
  void take_line(std::string_view line) {
    if (line.starts_with(kGaudiFormat)) return take_format(line.substr(kGaudiFormat.size()));
    if (line.empty() || line.front() == '#') return;
    if (line.starts_with("cat > ")) {
      if (in_list_) fail("a list starts inside another");
      if (lists_ == 0 && !names_.empty()) fail("names of ops precede the first list");
      in_list_ = true;
      names_.clear();
    } else if (line == kGaudiEnd) {
      if (!in_list_) fail("a list ends that did not start");
      in_list_ = false;
    } else if (line.starts_with("export ")) {
      take_export(line.substr(7));
    } else {
      take_name(line);
    }
  }

  void take_name(std::string_view line) {
    constexpr std::size_t kLongest = 100;
    const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '.'; };
    if (line.size() > kLongest || !std::all_of(line.begin(), line.end(), is_part)) fail("the line is not an op name");
    if (lists_ > 0 && !in_list_) fail("an op name follows the lists");
    names_.emplace(line);
  }

  void take_export(std::string_view line) {
    if (in_list_) fail("the line is not an op name");
    const bool lower = line.starts_with(kGaudiLow);
    if (!lower && !line.starts_with(kGaudiFloat32)) {
      findings.add(Finding::Kind::kNote, "other variables were ignored");
      return;
    }
    ++lists_;
    (lower ? lists.lower : lists.float32) = names_;
  }

  void take_format(std::string_view text) {
    const std::optional<formats::Format> format = formats::parse(text.substr(0, text.find(',')));
    if (!format || (*format != formats::kFloat16 && *format != formats::kBFloat16)) {
      fail("the low format is neither float16 nor bfloat16");
    }
    lists.low = *format;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": line " + std::to_string(line_) + ": " + what,
                "Give a file that `export --to gaudi` wrote, or a list with one ATen op a line, such as conv2d.");
  }

  const std::string& source_;
  std::size_t line_ = 0;
  std::size_t lists_ = 0;
  bool in_list_ = false;
  std::set<std::string> names_;
};

Read read_gaudi(std::string_view text, const std::string& source, const Assignment& model) {
  GaudiReader reader(text, source);
  // The default lists name many ops that a model does not call, so they are not noted.
  const auto role = [&](const std::string& name) { return reader.lists.role(name); };
  return {policy_of_roles(model, reader.lists.low, gaudi_names, role), std::nullopt, reader.findings.list()};
}

}  // namespace

Target gaudi_target() {
  return {.name = "gaudi",
          .title = "Intel Gaudi autocast",
          .suffix = ".gaudi.sh",
          .doc = "A shell file that writes and names the two op lists of autocast; for Intel Gaudi as of 2025.",
          .write = write_gaudi,
          .read = read_gaudi};
}

}  // namespace binade::targets
