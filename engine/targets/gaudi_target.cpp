// SPDX-License-Identifier: Apache-2.0
// Format: Intel Gaudi, page "Mixed Precision Training with PyTorch Autocast" and load_list() of its PyTorch
// bridge: two environment variables name text files with one op a line, which replace the default lists. An op on both
// lists is cast to the low format. The promote list is fixed. Only functional ATen ops are registered.

#include "engine/targets/gaudi_text.h"
#include "engine/targets/op_names.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/target_list.h"

#include <algorithm>
#include <set>

namespace binade::targets {

namespace {

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

/// States which list was read and how to give both.
std::string of_one_list(const char* given, const char* other) {
  return std::string("the text is one list, taken for the ") + given + " list; the " + other +
         " list is Gaudi's own. To import both lists, import a file beside them with the lines " +
         std::string(kGaudiLow) + "=FILE and " + std::string(kGaudiFloat32) + "=FILE";
}

class GaudiReader {
 public:
  GaudiReader(std::string_view text, const std::string& source, const TextsBeside& beside)
      : text_(read_gaudi_text(text, source)), source_(source), beside_(beside) {
    take_format();
    if (text_.is_script) {
      take_script();
    } else {
      take_single_list();
    }
  }

  GaudiLists lists;
  Findings findings;

 private:
  void take_format() {
    if (text_.format.empty()) return;
    const std::optional<formats::Format> format = formats::parse(text_.format);
    if (!format || (*format != formats::kFloat16 && *format != formats::kBFloat16)) {
      fail("the low format is neither float16 nor bfloat16");
    }
    lists.low = *format;
  }

  void take_script() {
    if (text_.named.empty()) {
      fail("neither " + std::string(kGaudiLow) + " nor " + std::string(kGaudiFloat32) + " is set");
    }
    for (const auto& [variable, named] : text_.named) {
      (variable == kGaudiLow ? lists.lower : lists.float32) = ops_of(named, variable);
    }
    if (text_.named.size() == 1) {
      const bool lower = text_.named.contains(kGaudiLow);
      findings.add(Finding::Kind::kNote,
                   std::string(lower ? kGaudiFloat32 : kGaudiLow) + " is not set, so that list is Gaudi's own");
    }
    if (text_.others) findings.add(Finding::Kind::kNote, "lines that set neither list were ignored");
  }

  /// The ops of a file that a variable names: written by the script, or beside it.
  std::set<std::string> ops_of(const GaudiText::Named& named, std::string_view variable) const {
    if (const auto written = text_.written.find(named.file); written != text_.written.end()) return written->second;
    const auto found = beside_.find(named.file);
    if (found == beside_.end()) {
      fail_gaudi(source_, named.line,
                 named.file + ", the file of " + std::string(variable) +
                     ", is neither written by the script nor in its folder",
                 "Copy " + named.file + " into the folder of " + source_ + ".");
    }
    return read_gaudi_list(found->second, named.file);
  }

  /// Which of the two lists it is can only be seen from its name, if at all.
  void take_single_list() {
    if (text_.list.empty()) fail("there is no list of ops");
    const std::string name = source_.substr(source_.rfind('/') + 1);
    const bool float32 = name.find("fp32") != std::string::npos || name.find("float32") != std::string::npos;
    (float32 ? lists.float32 : lists.lower) = text_.list;
    findings.add(Finding::Kind::kNote,
                 float32 ? of_one_list("float32", "lower precision") : of_one_list("lower precision", "float32"));
  }

  [[noreturn]] void fail(const std::string& what) const { fail_gaudi(source_, 1, what); }

  GaudiText text_;
  const std::string& source_;
  const TextsBeside& beside_;
};

Read read_gaudi(std::string_view text, const std::string& source, const TextsBeside& beside, const Assignment& model) {
  GaudiReader reader(text, source, beside);
  // The default lists name many ops that a model does not call, so they are not noted.
  const auto role = [&](const std::string& name) { return reader.lists.role(name); };
  return {policy_of_roles(model, reader.lists.low, gaudi_names, role), std::nullopt, reader.findings.list()};
}

Read read_gaudi_alone(std::string_view text, const std::string& source, const Assignment& model) {
  return read_gaudi(text, source, {}, model);
}

std::vector<std::string> gaudi_files(std::string_view text) {
  const GaudiText found = read_gaudi_text(text, {});
  std::vector<std::string> files;
  for (const auto& [variable, named] : found.named) {
    if (!found.written.contains(named.file)) files.push_back(named.file);
  }
  return files;
}

}  // namespace

Target gaudi_target() {
  return {.name = "gaudi",
          .title = "Intel Gaudi autocast",
          .suffix = ".gaudi.sh",
          .doc = "A shell file that writes and names the two op lists of autocast; for Intel Gaudi as of 2025.",
          .write = write_gaudi,
          .read = read_gaudi_alone,
          .files_beside = gaudi_files,
          .read_with_files = read_gaudi};
}

}  // namespace binade::targets
