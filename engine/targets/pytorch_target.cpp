// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/op_lists.h"
#include "engine/targets/eager_decisions.h"
#include "engine/targets/literal_text.h"
#include "engine/targets/python_tables.h"
#include "engine/targets/scaler_text.h"
#include "engine/targets/target_list.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <utility>

namespace binade::targets {

namespace {

constexpr std::string_view kPolicyRuntime =
#include "policy_runtime.inc"
    ;
constexpr std::string_view kPolicyCheck =
#include "policy_check.inc"
    ;

constexpr std::string_view kBegin = "# --- tables: Binade reads back what is between these two lines ---";
constexpr std::string_view kEnd = "# --- end of tables ---";

/// The names of torch.amp.GradScaler, which takes those that it knows, and names for what Binade reads back beside
/// them.
const ScalerNames& table_scaler_names() {
  static const ScalerNames names = [] {
    ScalerNames all = torch_scaler_names();
    all.hysteresis = "hysteresis";
    all.dynamic = "dynamic";
    all.minimum = "minimum";
    all.maximum = "maximum";
    all.kept_for_binade = true;
    all.as_json = true;
    return all;
  }();
  return names;
}

std::string comment(const std::string& text) {
  std::string line = "# ";
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  return line + "\n";
}

/// Position of the line that is `mark` and nothing else. Names of people in comments may contain a mark.
std::size_t line_of(std::string_view text, std::string_view mark) {
  for (std::size_t at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const std::string_view rest = text.substr(at + mark.size());
    const bool ends = rest.empty() || rest.front() == '\n' || rest.starts_with("\r\n");
    if (ends && (at == 0 || text[at - 1] == '\n')) return at;
  }
  return std::string_view::npos;
}

std::string device_comment(const Assignment& assignment, const PythonTables& tables) {
  const std::string base = policy::name(assignment.policy.base);
  if (tables.low.empty()) {
    return "# torch.autocast is off around the model (base list " + base + "): the tables below do all casts.\n";
  }
  return "# The model runs in a torch.autocast region of its tensors' device. The policy starts from " + base +
         ";\n# BASE_OPS has the ops of this model that the region of another device would treat otherwise.\n";
}

std::string header(const Assignment& assignment, const PythonTables& tables) {
  std::string text = "# Mixed precision of a model, written by Binade for PyTorch 2.11. Needs nothing but torch.\n";
  if (!assignment.model.empty()) text += comment("Model: " + assignment.model);
  if (!assignment.policy.name.empty()) text += comment("Policy: " + assignment.policy.name);
  text +=
      "#\n"
      "#   import THIS_FILE as policy\n"
      "#   applied = policy.apply(model)             # model(...) now runs with the policy, and so does its backward\n"
      "#   with applied.autocast(): loss = ...       # a loss is computed as around the model, outside of these "
      "tables\n"
      "#   scaler = policy.scaler(\"cuda\")            # torch.amp.GradScaler with the run's settings\n"
      "#   policy.check(model, (x,))                 # does Python do the same? op call by op call\n"
      "#\n";
  text += device_comment(assignment, tables);
  return text;
}

/// One table per variable, with one entry per line.
class TablesText {
 public:
  void add(const char* name, const std::string& value) { text_ += name + (" = " + literal_text(value)) + "\n"; }
  void add(const char* name, const PythonTables::Words& words, const char* indent = "") {
    text_ += indent + std::string(name) + (*indent == '\0' ? " = {" : ": {");
    const char* separator = "\n";
    for (const auto& [key, word] : words) {
      text_ += separator + std::string(indent) + "    " + literal_text(key) + ": " + literal_text(word);
      separator = ",\n";
    }
    text_ += words.empty() ? "}" : "\n" + std::string(indent) + "}";
  }
  void raw(const std::string& text) { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_calls(TablesText& text, const PythonTables& tables) {
  text.raw("# Every op call of the model and its treatment, for check(): by module, in the order of the model.\n");
  text.raw("CALLS = {");
  const char* separator = "\n";
  for (const auto& [path, calls] : tables.calls) {
    text.raw(separator + ("    " + literal_text(path)) + ": [");
    const char* comma = "";
    for (const PythonTables::Call& call : calls) {
      text.raw(comma + literal_text(call.text + " " + call.treatment + (call.source.empty() ? "" : " " + call.source)));
      comma = ", ";
    }
    text.raw("]");
    separator = ",\n";
  }
  text.raw("\n}\n");
}

Written write_pytorch(const Assignment& assignment) {
  PythonTables tables = python_tables(assignment);
  TablesText text;
  text.raw(header(assignment, tables));
  for (const Finding& finding : tables.findings) {
    if (finding.kind == Finding::Kind::kInexpressible) text.raw(comment("Cannot express: " + finding.message));
  }
  text.raw(std::string(kBegin) + "\n");
  text.add("BASE", policy::name(assignment.policy.base));
  text.add("BASE_LOW", formats::name(nearest_dtype(assignment.policy.low)));
  text.raw("# The format of torch.autocast around the model; empty: it is off.\n");
  text.add("LOW", tables.low);
  text.raw("# Modules in a region of their own, with their submodules.\n");
  text.add("REGIONS", tables.regions);
  text.raw("\n# Ops that are treated in another way in the whole model.\n");
  text.add("OPS", tables.ops);
  text.raw("\n# The same by device, where the base list and torch.autocast's list for the device differ.\n");
  text.raw("BASE_OPS = {\n");
  text.add("\"cpu\"", tables.cpu, "    ");
  text.raw(",\n");
  text.add("\"cuda\"", tables.cuda, "    ");
  text.raw("\n}\n# Op calls with a treatment of their own; without #NUMBER: all of that op in the module.\n");
  text.add("SITES", tables.sites);
  text.raw("\n");
  Findings scaler_findings;
  if (assignment.scaler) {
    const std::string scaler = scaler_dict(table_scaler_names(), *assignment.scaler, scaler_findings);
    for (const Finding& finding : scaler_findings.list()) text.raw(comment(finding.message));
    text.raw("SCALER = " + scaler + "\n");
  } else {
    text.raw("# No run was given: PyTorch's own settings.\nSCALER = {}\n");
  }
  Written written;
  written.findings = std::move(tables.findings);
  written.findings.insert(written.findings.end(), scaler_findings.list().begin(), scaler_findings.list().end());
  add_calls(text, tables);
  text.raw(std::string(kEnd) + "\n\n");
  written.text = "# SPDX-License-Identifier: Apache-2.0\n" + text.text() + std::string(kPolicyRuntime) + "\n\n" +
                 std::string(kPolicyCheck);
  return written;
}

/// Reads the assignments between the marks. Each value is JSON, which is Python as well.
class TablesReader {
 public:
  TablesReader(std::string_view text, std::string source) : source_(std::move(source)) {
    const std::size_t begin = line_of(text, kBegin);
    const std::size_t end = line_of(text, kEnd);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) {
      fail("there are no tables in it", "A file that `export --to pytorch` wrote has them, between two comments.");
    }
    take_tables(text.substr(begin + kBegin.size(), end - begin - kBegin.size()));
  }

  nlohmann::json take(const char* name) const {
    const auto found = tables_.find(name);
    if (found == tables_.end()) fail(std::string("the table ") + name + " is missing", "Export it again.");
    const nlohmann::json json = nlohmann::json::parse(found->second, nullptr, /*allow_exceptions=*/false);
    if (json.is_discarded()) {
      fail(std::string(name) + " is not a table of plain texts and numbers",
           "Write \"double quotes\", no comma after the last entry, and comments on lines of their own.");
    }
    return json;
  }

  PythonTables::Words words(const char* name) const { return words_of(take(name), name); }

  /// The table for one device of BASE_OPS.
  PythonTables::Words base_words(const char* device) const {
    const nlohmann::json devices = take("BASE_OPS");
    if (!devices.is_object() || !devices.contains(device)) {
      fail(std::string("BASE_OPS has no table ") + device, "It has one for \"cpu\" and one for \"cuda\".");
    }
    return words_of(devices.at(device), std::string("BASE_OPS: ") + device);
  }

  std::string text(const char* name) const {
    const nlohmann::json json = take(name);
    if (!json.is_string()) fail(std::string(name) + " is not a text", "Write it in double quotes.");
    return json.get<std::string>();
  }

  formats::Format format(const std::string& key, const std::string& word) const {
    const std::optional<formats::Format> parsed = formats::parse(word);
    if (!parsed) fail(key + ": " + word + " is not a format", "Formats: float32, bfloat16, float16.");
    return *parsed;
  }

  policy::OpChange change(const std::string& key, const std::string& word) const {
    if (word == "promote") return policy::Treatment::kPromote;
    if (word == "follow") return policy::Treatment::kFollow;
    if (word == "banned") return policy::Treatment::kBanned;
    return format(key, word);
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": " + what, hint);
  }

 private:
  PythonTables::Words words_of(const nlohmann::json& json, const std::string& name) const {
    PythonTables::Words words;
    if (!json.is_object()) fail(name + " is not a table", "Write { \"name\": \"format\" }.");
    for (const auto& [key, word] : json.items()) {
      if (!word.is_string()) fail(name + ": " + key + " is not a text", "Write \"float32\".");
      words[key] = word.get<std::string>();
    }
    return words;
  }

  void take_tables(std::string_view text) {
    std::string* table = nullptr;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view line = text.substr(0, end);
      text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
      if (line.starts_with('#')) continue;
      const std::size_t equals = line.find(" = ");
      if (!line.empty() && line[0] >= 'A' && line[0] <= 'Z' && equals != std::string_view::npos) {
        table = &tables_[std::string(line.substr(0, equals))];
        *table = line.substr(equals + 3);
      } else if (table != nullptr) {
        table->append("\n").append(line);
      }
    }
  }

  std::string source_;
  std::map<std::string, std::string> tables_;
};

/// The names of the op calls of a model by module and op: `head/aten::add`, as SITES has them.
using OpsOfModules = std::map<std::string, std::vector<std::string>>;

OpsOfModules ops_of_modules(const Assignment& model) {
  OpsOfModules calls;
  for (const policy::SiteKey& key : model.keys) calls[key.path + "/" + key.op].push_back(key.name());
  return calls;
}

/// The op calls that an entry of SITES names, without its `@`.
std::vector<std::string> calls_named(const std::string& entry, const OpsOfModules& all) {
  if (entry.find('#') != std::string::npos) return {entry};
  const auto found = all.find(entry);
  return found == all.end() ? std::vector<std::string>() : found->second;
}

/// Notes where BASE_OPS is not what follows from the other tables: a policy cannot change its base list.
void compare_base_ops(const TablesReader& reader, const Assignment& model, Read& read) {
  Assignment stated = model;
  stated.policy = read.policy;
  stated.table = policy::resolve(read.policy, model.keys, model.table.capabilities, model.places);
  const PythonTables tables = python_tables(stated);
  std::vector<std::string> different;
  for (const auto& [device, expected] : {std::pair("cpu", &tables.cpu), std::pair("cuda", &tables.cuda)}) {
    const PythonTables::Words given = reader.base_words(device);
    std::set<std::string> ops;
    for (const PythonTables::Words* words : {&given, expected}) {
      for (const auto& [op, word] : *words) ops.insert(op);
    }
    for (const std::string& op : ops) {
      const auto in_file = given.find(op);
      const auto in_list = expected->find(op);
      const bool same = in_file != given.end() && in_list != expected->end() && in_file->second == in_list->second;
      if (!same) different.push_back(op + " on " + device);
    }
  }
  if (different.empty()) return;
  read.findings.push_back({Finding::Kind::kNote,
                           "BASE_OPS is not what the list " + policy::name(read.policy.base) + " needs (" +
                               policy::first_of(different) +
                               "): the policy goes by the list; write such a change into OPS",
                           {}});
}

Read read_pytorch(std::string_view text, const std::string& source, const Assignment& model) {
  const TablesReader reader(text, source);
  Read read;
  const std::string base = reader.text("BASE");
  const std::optional<policy::Base> parsed = policy::parse_base(base);
  if (!parsed) reader.fail("BASE: " + base + " is not a base list", "The guide's page on policies lists them.");
  read.policy.base = *parsed;
  const std::string low = reader.text("LOW");
  read.policy.low = reader.format("BASE_LOW", low.empty() ? reader.text("BASE_LOW") : low);
  for (const auto& [op, word] : reader.words("OPS")) read.policy.ops[op] = reader.change(op, word);
  for (const auto& [path, word] : reader.words("REGIONS")) {
    policy::SiteRule rule;
    rule.match = path;
    rule.format = reader.format(path, word);
    read.policy.sites.push_back(rule);
  }
  const OpsOfModules all_calls = ops_of_modules(model);
  std::vector<policy::SiteRule> calls;  // after the others, which would replace them
  for (const auto& [entry, word] : reader.words("SITES")) {
    const std::size_t at = entry.rfind('@');
    for (const std::string& name : calls_named(entry.substr(0, at), all_calls)) {
      policy::SiteRule rule;
      rule.match = name;
      rule.format = reader.format(entry, word);
      if (at != std::string::npos) {
        int call = 0;
        const char* const end = entry.data() + entry.size();
        const auto [last, error] = std::from_chars(entry.data() + at + 1, end, call);
        if (error != std::errc() || last != end) reader.fail(entry + ": no number follows @", "Write @0 or @1.");
        rule.call = call;
      }
      (rule.call ? calls : read.policy.sites).push_back(rule);
    }
  }
  read.policy.sites.insert(read.policy.sites.end(), calls.begin(), calls.end());
  compare_base_ops(reader, model, read);
  const nlohmann::json scaler = reader.take("SCALER");
  if (!scaler.is_object()) reader.fail("SCALER is not a table", "Write { \"init_scale\": 65536.0 }.");
  if (!scaler.empty()) read.scaler = scaler_from(table_scaler_names(), scaler, {}, source);
  return read;
}

}  // namespace

Target pytorch_target() {
  return {.name = "pytorch",
          .title = "PyTorch",
          .suffix = ".py",
          .doc = "One Python file that applies the policy to the eager model, and checks it; for PyTorch 2.11.",
          .write = write_pytorch,
          .read = read_pytorch};
}

}  // namespace binade::targets
