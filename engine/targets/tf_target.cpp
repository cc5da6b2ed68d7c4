// SPDX-License-Identifier: Apache-2.0
// Format: TensorFlow 2, AutoMixedPrecisionLists::UpdateList in auto_mixed_precision_lists.h at commit e1c1b29:
// environment variables TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_<LIST>_<ADD|REMOVE> with names separated by commas;
// earlier releases call the lists WHITELIST, GRAYLIST and BLACKLIST. The format is not set there: the rewrite
// auto_mixed_precision casts to float16, auto_mixed_precision_onednn_bfloat16 to bfloat16.

#include "engine/formats/error.h"
#include "engine/targets/op_names.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/target_list.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace binade::targets {

namespace {

constexpr std::string_view kTfPrefix = "TF_AUTO_MIXED_PRECISION_GRAPH_REWRITE_";
constexpr std::string_view kTfFormat = "# Low format: ";

/// A list by its place in the table, its variable, and the variable's name before TensorFlow 2.4.
struct TfList {
  std::string_view list, variable, old_variable;
};
constexpr std::array kTfLists{TfList{"allow", "ALLOWLIST", "WHITELIST"}, TfList{"infer", "INFERLIST", "GRAYLIST"},
                              TfList{"deny", "DENYLIST", "BLACKLIST"}, TfList{"clear", "CLEARLIST", "CLEARLIST"}};

std::vector<std::string> tf_names(const std::string& op) {
  return names_in("tf", op);
}

/// What the variables of a file say.
struct TfSettings {
  formats::Format low = formats::kFloat16;
  bool tensor_cores_only = false;                            ///< TENSOR_CORES_ONLY: only the allow list is used
  std::map<std::string, std::set<std::string>> add, remove;  ///< by list

  bool on(const std::string& list, const std::string& name) const {
    if (tensor_cores_only && list != "allow") return false;
    const auto has = [&](const auto& changes) {
      const auto found = changes.find(list);
      return found != changes.end() && found->second.contains(name);
    };
    if (has(remove)) return false;
    return has(add) || list_of("tf", name) == list;
  }

  /// Ops on the infer and clear lists take the format of their neighbours. Ops on no list stay in float32.
  OpRole role(const std::string& name) const {
    if (on("allow", name)) return OpRole::kLow;
    if (on("deny", name)) return OpRole::kFloat32;
    return on("infer", name) || on("clear", name) ? OpRole::kFollow : OpRole::kFloat32;
  }
};

TfSettings tf_settings_for(const Assignment& assignment) {
  TfSettings settings;
  settings.low = low_for_lists(assignment);
  for (const auto& [name, role] : wanted_roles(assignment, tf_names)) {
    const std::string own(list_of("tf", name));
    std::string wanted = "infer";
    if (role == OpRole::kLow) wanted = "allow";
    // Not only off the lists: the deny list also keeps what follows such an op in float32, as a policy does.
    if (role == OpRole::kFloat32) wanted = "deny";
    if (wanted == own || (wanted == "infer" && own == "clear")) continue;
    settings.add[wanted].insert(name);
    if (own != "none") settings.remove[own].insert(name);
  }
  return settings;
}

std::string tf_joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

Written write_tf(const Assignment& assignment) {
  const TfSettings settings = tf_settings_for(assignment);
  const bool half = settings.low == formats::kFloat16;
  std::string text =
      "# Lists for TensorFlow's automatic mixed precision, written by Binade for TensorFlow 2. Source this file\n"
      "# before the program starts. Op names belong to the TensorFlow program that does the same as the model.\n" +
      std::string(kTfFormat) + formats::name(settings.low) + ", by the rewrite " +
      (half ? "auto_mixed_precision" : "auto_mixed_precision_onednn_bfloat16") + ", which the program switches on\n";
  for (const TfList& list : kTfLists) {
    for (const bool adds : {true, false}) {
      const auto& changes = adds ? settings.add : settings.remove;
      const auto found = changes.find(std::string(list.list));
      text += "export " + std::string(kTfPrefix) + std::string(list.variable) + (adds ? "_ADD=" : "_REMOVE=") +
              (found == changes.end() ? "" : tf_joined(found->second)) + "\n";
    }
  }
  Findings findings;
  const auto role = [&](const std::string& name) { return settings.role(name); };
  declare_roles(assignment, policy_of_roles(assignment, settings.low, tf_names, role), tf_names, "TensorFlow",
                findings);
  return {text, findings.list()};
}

[[noreturn]] void tf_fail(const std::string& source, std::size_t line, const std::string& what,
                          const std::string& hint) {
  throw Error(ErrorCode::kBadPolicy, source + ": line " + std::to_string(line) + ": " + what, hint);
}

/// Names separated by commas, in quotes or not.
std::vector<std::string> tf_split(std::string_view value, const std::string& source, std::size_t line) {
  for (const char quote : {'"', '\''}) {
    if (value.size() >= 2 && value.front() == quote && value.back() == quote) value = value.substr(1, value.size() - 2);
  }
  std::vector<std::string> names;
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string name(value.substr(0, comma));
    const auto is_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '>' || c == '.'; };
    if (!std::all_of(name.begin(), name.end(), is_part)) {
      tf_fail(source, line, "a name has characters that op names do not have", "Separate op names by commas.");
    }
    if (!name.empty()) names.push_back(name);
    value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
  }
  return names;
}

/// `NAME=value` of a line that sets a variable as a shell, a Dockerfile or Python does it. Other lines as they are.
std::string tf_assignment(std::string_view line) {
  for (const std::string_view word : {"export ", "ENV "}) {
    if (line.starts_with(word)) return std::string(line.substr(word.size()));
  }
  constexpr std::string_view kPython = "os.environ[";
  const std::size_t end = line.find(']');
  if (!line.starts_with(kPython) || end == std::string_view::npos || end < kPython.size() + 2) return std::string(line);
  const std::string_view name = line.substr(kPython.size() + 1, end - kPython.size() - 2);  // without its quotes
  std::string_view rest = line.substr(end + 1);
  for (const char c : {' ', '=', ' '}) {
    if (rest.starts_with(c)) rest.remove_prefix(1);
  }
  return std::string(name) + "=" + std::string(rest);
}

/// Reads the assignments of a shell script, a Dockerfile or a Python file.
class TfReader {
 public:
  TfReader(std::string_view text, const std::string& source) : source_(source) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      ++line_;
      std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == ';')) line.remove_suffix(1);
      take_line(line);
    }
    if (known_ == 0) {
      throw Error(ErrorCode::kBadPolicy, source + ": no variable of automatic mixed precision is set",
                  "Write export " + std::string(kTfPrefix) + "ALLOWLIST_ADD=Softmax.");
    }
  }

  TfSettings settings;
  std::vector<std::string> listed;
  Findings findings;

 private:
  void take_line(std::string_view line) {
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.starts_with(kTfFormat)) return take_format(line.substr(kTfFormat.size()));
    const std::string assignment = tf_assignment(line);
    const std::size_t equals = assignment.find('=');
    if (!assignment.starts_with(kTfPrefix) || equals == std::string::npos) return;
    take_variable(assignment.substr(kTfPrefix.size(), equals - kTfPrefix.size()),
                  std::string_view(assignment).substr(equals + 1));
  }

  void take_format(std::string_view text) {
    const std::string name(text.substr(0, text.find(',')));
    const std::optional<formats::Format> format = formats::parse(name);
    if (!format || (*format != formats::kFloat16 && *format != formats::kBFloat16)) {
      tf_fail(source_, line_, "the low format is neither float16 nor bfloat16", "Name one of the two.");
    }
    settings.low = *format;
  }

  void take_variable(const std::string& variable, std::string_view value) {
    if (variable == "LEVEL") {
      ++known_;
      settings.tensor_cores_only = value.find("TENSOR_CORES_ONLY") != std::string_view::npos;
      if (!settings.tensor_cores_only && !value.empty()) {
        findings.add(Finding::Kind::kNote, "a LEVEL other than TENSOR_CORES_ONLY was ignored");
      }
      return;
    }
    for (const TfList& list : kTfLists) {
      for (const bool adds : {true, false}) {
        const std::string ending = adds ? "_ADD" : "_REMOVE";
        if (variable != std::string(list.variable) + ending && variable != std::string(list.old_variable) + ending) {
          continue;
        }
        ++known_;
        for (std::string& name : tf_split(value, source_, line_)) {
          listed.push_back(name);
          (adds ? settings.add : settings.remove)[std::string(list.list)].insert(std::move(name));
        }
        return;
      }
    }
    findings.add(Finding::Kind::kNote, "unknown variables of automatic mixed precision were ignored");
  }

  const std::string& source_;
  std::size_t line_ = 0;
  std::size_t known_ = 0;
};

/// Refuses an op that is on several lists, as ValidateLists in auto_mixed_precision.cc does.
void refuse_conflicts(const TfReader& reader, const std::string& source) {
  for (const std::string& name : reader.listed) {
    std::string lists;
    std::string hint;
    int count = 0;
    for (const TfList& each : kTfLists) {
      const std::string list(each.list);
      if (!reader.settings.on(list, name)) continue;
      lists += (count++ == 0 ? "the " : " and on the ") + list + " list";
      // The list that has it by itself, and that a change of another list does not take it from.
      if (list_of("tf", name) != list) continue;
      hint = "Also write export " + std::string(kTfPrefix) + std::string(each.variable) + "_REMOVE=" + name + ".";
    }
    if (count < 2) continue;
    throw Error(
        ErrorCode::kBadPolicy,
        source + ": " + name + " is on " + lists + ", and TensorFlow stops with \"Op lists have conflicting entries\"",
        hint.empty() ? "Add " + name + " to one list." : hint);
  }
}

Read read_tf(std::string_view text, const std::string& source, const Assignment& model) {
  TfReader reader(text, source);
  refuse_conflicts(reader, source);
  note_unused(reader.listed, model, tf_names, reader.findings);
  const auto role = [&](const std::string& name) { return reader.settings.role(name); };
  return {policy_of_roles(model, reader.settings.low, tf_names, role), std::nullopt, reader.findings.list()};
}

}  // namespace

Target tf_target() {
  return {.name = "tf",
          .title = "TensorFlow automatic mixed precision",
          .suffix = ".tf.sh",
          .doc = "A shell file with the environment lists of automatic mixed precision; for TensorFlow 2.",
          .write = write_tf,
          .read = read_tf};
}

}  // namespace binade::targets
