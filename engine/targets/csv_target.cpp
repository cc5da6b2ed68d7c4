// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/formats/printable.h"
#include "engine/policy/base_policy.h"
#include "engine/policy/decision_text.h"
#include "engine/policy/finding_text.h"
#include "engine/policy/near_name.h"
#include "engine/targets/csv_rows.h"
#include "engine/targets/rules_for.h"
#include "engine/targets/target_list.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace binade::targets {

namespace {

using policy::Decision;

/// The columns, in the order of the file. The last three repeat the policy's own settings in every row, because CSV has
/// no header for them.
struct Csv {
  enum Column : std::size_t {
    kPath,
    kMethod,
    kOp,
    kOverload,
    kOrdinal,
    kCall,
    kTreatment,
    kFormat,
    kGradients,
    kOverflow,
    kDecidedBy,
    kSource,
    kBase,
    kLow,
    kBehaviour,
    kColumns
  };
};
const std::vector<std::string> kCsvNames{"path",       "method",    "op",     "overload",  "ordinal",
                                         "call",       "treatment", "format", "gradients", "overflow",
                                         "decided_by", "source",    "base",   "low",       "behaviour"};

constexpr std::pair<Decision::Kind, const char*> kCsvTreatments[] = {
    {Decision::Kind::kFormat, "format"},
    {Decision::Kind::kPromote, "promote"},
    {Decision::Kind::kFollow, "follow"},
    {Decision::Kind::kSetDtype, "set-dtype"},
    {Decision::Kind::kAppendDtype, "append-dtype"},
    {Decision::Kind::kBanned, "banned"},
    {Decision::Kind::kLeave, "leave"},
};

const char* csv_treatment(Decision::Kind kind) {
  for (const auto& [each, text] : kCsvTreatments) {
    if (each == kind) return text;
  }
  return "";
}

const char* csv_overflow(formats::Overflow overflow) {
  return overflow == formats::Overflow::kSaturate ? "saturate" : "infinity";
}

/// A field in quotes for messages, shortened if it is long.
std::string csv_quoted(const std::string& field) {
  constexpr std::size_t kLongest = 80;
  return "\"" + formats::printable(field.substr(0, kLongest)) + (field.size() > kLongest ? "...\"" : "\"");
}

std::string csv_line(const Assignment& assignment, std::size_t site, const std::string& call,
                     const Decision& decision) {
  const policy::SiteKey& key = assignment.keys[site];
  std::vector<std::string> fields(Csv::kColumns);
  fields[Csv::kPath] = key.path;
  fields[Csv::kMethod] = key.method;
  fields[Csv::kOp] = key.op;
  fields[Csv::kOverload] = key.overload;
  fields[Csv::kOrdinal] = std::to_string(key.ordinal);
  fields[Csv::kCall] = call;
  fields[Csv::kTreatment] = csv_treatment(decision.kind);
  const bool format = decision.kind == Decision::Kind::kFormat;
  if (format || decision.kind == Decision::Kind::kPromote) fields[Csv::kFormat] = formats::name(decision.format);
  if (format) {
    fields[Csv::kGradients] = formats::name(decision.backward);
    fields[Csv::kOverflow] = csv_overflow(decision.overflow);
  }
  fields[Csv::kDecidedBy] = policy::decided_by(assignment.policy, key, decision);
  fields[Csv::kSource] = assignment.sources[site];
  fields[Csv::kBase] = policy::name(assignment.policy.base);
  fields[Csv::kLow] = formats::name(assignment.policy.low);
  fields[Csv::kBehaviour] = policy::name(assignment.policy.behaviour);
  return csv_row(fields);
}

Written write_csv(const Assignment& assignment) {
  Written written{csv_row(kCsvNames), {}};
  const auto& calls = assignment.table.calls;
  Findings lost;
  const auto note_products = [&](std::size_t site, const Decision& decision) {
    if (decision.products.empty()) return;
    lost.add(Finding::Kind::kInexpressible, "the file has no column for the formats of products",
             assignment.keys[site].name());
  };
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) note_products(i, assignment.table.sites[i]);
  for (const auto& [place, decision] : calls) note_products(static_cast<std::size_t>(place.first), decision);
  for (std::size_t i = 0; i < assignment.keys.size(); ++i) {
    const int site = static_cast<int>(i);
    written.text += csv_line(assignment, i, "", assignment.table.sites[i]);
    for (auto each = calls.lower_bound({site, 0}); each != calls.end() && each->first.first == site; ++each) {
      written.text += csv_line(assignment, i, std::to_string(each->first.second), each->second);
    }
  }
  written.findings = lost.list();
  written.findings.push_back({Finding::Kind::kNote,
                              "the file lists op calls. Patterns, names, reasons and executions of rules are not in "
                              "it, nor rules for op calls that the model does not contain, such as those of a loss",
                              {}});
  return written;
}

/// Reads the rows of one text for one model.
class CsvPolicy {
 public:
  CsvPolicy(std::string_view text, const std::string& source, const Assignment& model)
      : source_(source), model_(model), rows_(csv_rows(text, source)) {
    for (std::size_t i = 0; i < model.keys.size(); ++i) sites_.emplace(identity(model.keys[i]), i);
  }

  Read read() {
    read_header();
    for (std::size_t i = 1; i < rows_.size(); ++i) read_row(rows_[i]);
    if (stated_.empty()) {
      throw Error(ErrorCode::kBadPolicy, source_ + ": lists no op call of " + model_.model,
                  "Give the model that the list was made for.");
    }
    // Programs sort tables; rules for single calls come after that for their op call.
    std::stable_sort(stated_.begin(), stated_.end(), [](const Stated& a, const Stated& b) {
      return std::pair(a.site, a.call.value_or(-1)) < std::pair(b.site, b.call.value_or(-1));
    });
    return {rules_for(std::move(policy_), stated_, model_, source_), std::nullopt, findings()};
  }

 private:
  static std::string identity(const policy::SiteKey& key) { return key.name() + " " + key.overload; }

  void read_header() {
    if (rows_.empty()) throw Error(ErrorCode::kBadPolicy, source_ + ": is empty", "Its first line names the columns.");
    row_ = &rows_.front();
    at_.assign(Csv::kColumns, row_->fields.size());
    for (std::size_t i = 0; i < row_->fields.size(); ++i) {
      const auto known = std::find(kCsvNames.begin(), kCsvNames.end(), row_->fields[i]);
      if (known == kCsvNames.end()) {
        ignored_columns_.push_back(csv_quoted(row_->fields[i]));
        continue;
      }
      std::size_t& place = at_[static_cast<std::size_t>(known - kCsvNames.begin())];
      if (place != row_->fields.size())
        fail("the column " + csv_quoted(row_->fields[i]) + " is given twice", "Remove one.");
      place = i;
    }
    for (std::size_t column = 0; column < Csv::kColumns; ++column) {
      if (at_[column] != row_->fields.size()) continue;
      fail("the column \"" + kCsvNames[column] + "\" is missing",
           policy::did_you_mean(kCsvNames[column], row_->fields) + "Keep all columns that the export writes.");
    }
  }

  void read_row(const CsvRow& row) {
    row_ = &row;
    if (row.fields.size() != rows_.front().fields.size()) {
      fail("has " + std::to_string(row.fields.size()) + " fields, where the first line has " +
               std::to_string(rows_.front().fields.size()),
           "Put a field with commas in quotes.");
    }
    read_settings();
    policy::SiteKey key{field(Csv::kPath), field(Csv::kMethod), field(Csv::kOp), field(Csv::kOverload), 0};
    key.ordinal = number(Csv::kOrdinal);
    const std::optional<int> call = field(Csv::kCall).empty() ? std::nullopt : std::optional<int>(number(Csv::kCall));
    const Decision decision = stated_decision();
    if (!seen_.emplace(identity(key), call.value_or(-1)).second)
      fail("the op call is listed twice", "Remove one line.");
    const auto site = sites_.find(identity(key));
    if (site == sites_.end()) {
      ignored_calls_.push_back(key.name());
      return;
    }
    read_op_change(key, decision);
    stated_.push_back({site->second, call, decision, "line " + std::to_string(row.line)});
  }

  /// Every row repeats the settings of the policy.
  void read_settings() {
    policy::Policy here;
    const auto base = policy::parse_base(field(Csv::kBase));
    if (!base) fail(csv_quoted(field(Csv::kBase)) + " is not a base list", policy::hint_on_base(field(Csv::kBase)));
    here.base = *base;
    here.low = format(Csv::kLow);
    const std::string behaviour = field(Csv::kBehaviour);
    here.behaviour = behaviour == policy::name(policy::Behaviour::kPyTorch211) ? policy::Behaviour::kPyTorch211
                                                                               : policy::Behaviour::kFixed;
    if (behaviour != policy::name(here.behaviour))
      fail("unknown behaviour " + csv_quoted(behaviour), "Known: fixed, pytorch-2.11.");
    if (settings_line_ == 0) {
      policy_ = here;
      settings_line_ = row_->line;
    } else if (here.base != policy_.base || here.low != policy_.low || here.behaviour != policy_.behaviour) {
      fail("base, low or behaviour differ from line " + std::to_string(settings_line_),
           "A policy has one of each: use the same in every line.");
    }
  }

  Decision stated_decision() {
    Decision decision;
    const std::string treatment = field(Csv::kTreatment);
    std::vector<std::string> known;
    for (const auto& [kind, text] : kCsvTreatments) known.emplace_back(text);
    const auto found = std::find(known.begin(), known.end(), treatment);
    if (found == known.end()) {
      std::string names;
      for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
      fail("unknown treatment " + csv_quoted(treatment),
           policy::did_you_mean(treatment, known) + "Known: " + names + ".");
    }
    decision.kind = kCsvTreatments[static_cast<std::size_t>(found - known.begin())].first;
    if (decision.kind == Decision::Kind::kPromote) {
      decision.format = field(Csv::kFormat).empty() ? policy_.low : format(Csv::kFormat);
    }
    if (decision.kind != Decision::Kind::kFormat) {
      refuse_unused_formats(decision.kind);
      return decision;
    }
    decision.format = format(Csv::kFormat);
    decision.backward =
        field(Csv::kGradients).empty() ? formats::default_backward(decision.format) : format(Csv::kGradients);
    const std::string overflow = field(Csv::kOverflow);
    decision.overflow = formats::default_overflow(decision.format);
    if (overflow == "infinity") {
      decision.overflow = formats::Overflow::kInfinity;
    } else if (overflow == "saturate") {
      decision.overflow = formats::Overflow::kSaturate;
    } else if (!overflow.empty()) {
      fail("unknown overflow " + csv_quoted(overflow), "Known: infinity, saturate.");
    }
    return decision;
  }

  /// An edited format would have no effect beside another treatment.
  void refuse_unused_formats(Decision::Kind kind) const {
    for (const Csv::Column column : {Csv::kFormat, Csv::kGradients, Csv::kOverflow}) {
      if (field(column).empty() || (kind == Decision::Kind::kPromote && column == Csv::kFormat)) continue;
      fail(kCsvNames[column] + " is given, but the treatment is \"" + csv_treatment(kind) + "\"",
           "Set the treatment to format, or clear the field.");
    }
  }

  /// A decision by `ops["aten::gelu"]` also holds inside composite ops, which a site rule would not.
  void read_op_change(const policy::SiteKey& key, const Decision& decision) {
    const std::string whole = "ops[\"" + key.op + "\"]";
    const std::string overload = key.op + "." + (key.overload.empty() ? "default" : key.overload);
    const std::string by = field(Csv::kDecidedBy);
    if (by != whole && by != "ops[\"" + overload + "\"]") return;
    if (const auto change = change_of(decision)) policy_.ops.emplace(by == whole ? key.op : overload, *change);
  }

  static std::optional<policy::OpChange> change_of(const Decision& decision) {
    switch (decision.kind) {
      case Decision::Kind::kFormat:
        return decision.format;
      case Decision::Kind::kPromote:
        return policy::Treatment::kPromote;
      case Decision::Kind::kFollow:
        return policy::Treatment::kFollow;
      case Decision::Kind::kBanned:
        return policy::Treatment::kBanned;
      default:
        return std::nullopt;  // only base lists have these
    }
  }

  const std::string& field(Csv::Column column) const { return row_->fields[at_[column]]; }

  formats::Format format(Csv::Column column) const {
    const auto parsed = formats::parse(field(column));
    if (!parsed) {
      fail(kCsvNames[column] + ": unknown format " + csv_quoted(field(column)),
           "Known: float32, tfloat32, bfloat16, float16, float8_e4m3fn, float8_e5m2, or e<E>m<M>.");
    }
    return *parsed;
  }

  int number(Csv::Column column) const {
    const std::string& text = field(column);
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0) {
      fail(kCsvNames[column] + ": " + csv_quoted(text) + " is not a count", "Give a whole number from 0.");
    }
    return value;
  }

  std::vector<Finding> findings() const {
    std::vector<std::string> missing;
    for (const policy::SiteKey& key : model_.keys) {
      if (!seen_.contains({identity(key), -1})) missing.push_back(key.name());
    }
    std::vector<Finding> all;
    const auto note = [&all](const std::string& message, const std::vector<std::string>& sites) {
      all.push_back({Finding::Kind::kNote, message, sites});
    };
    if (!ignored_columns_.empty()) note("unknown columns were ignored: " + policy::first_of(ignored_columns_), {});
    if (!ignored_calls_.empty()) note("op calls that the model does not contain were ignored", ignored_calls_);
    if (!missing.empty()) note("op calls that the list lacks keep the treatment of the base list", missing);
    return all;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": line " + std::to_string(row_->line) + ": " + what, hint);
  }

  const std::string& source_;
  const Assignment& model_;
  std::vector<CsvRow> rows_;
  std::unordered_map<std::string, std::size_t> sites_;
  std::vector<std::size_t> at_;  ///< by Csv::Column: the field in a row
  const CsvRow* row_ = nullptr;
  std::size_t settings_line_ = 0;
  policy::Policy policy_;
  std::vector<Stated> stated_;
  std::set<std::pair<std::string, int>> seen_;  ///< op call and call
  std::vector<std::string> ignored_columns_;
  std::vector<std::string> ignored_calls_;  ///< op calls of another model
};

Read read_csv(std::string_view text, const std::string& source, const Assignment& model) {
  return CsvPolicy(text, source, model).read();
}

}  // namespace

Target csv_target() {
  return {.name = "csv",
          .title = "Table of op calls (CSV)",
          .suffix = ".csv",
          .doc = "One line per op call with its treatment, its origin and its line of source code, after RFC 4180.",
          .write = write_csv,
          .read = read_csv};
}

}  // namespace binade::targets
