// SPDX-License-Identifier: Apache-2.0
// Format: Ascend CANN 8.0, option modify_mixlist of ATC and of the TensorFlow and PyTorch adapters: JSON with
// "black-list" and "white-list", each with "to-add" and "to-remove". An op removed from a list is on the gray list and
// follows the op before it. The built-in lists depend on the processor (aic-<soc>-ops-info.json) and are not known
// here.

#include "engine/formats/error.h"
#include "engine/targets/op_names.h"
#include "engine/targets/op_roles.h"
#include "engine/targets/target_list.h"

#include <nlohmann/json.hpp>

#include <array>
#include <set>
#include <utility>

namespace binade::targets {

namespace {

constexpr std::array<std::string_view, 2> kCannLists{"black-list", "white-list"};

std::vector<std::string> cann_names(const std::string& op) {
  return names_in("cann", op);
}

struct CannLists {
  std::set<std::string> black, white;  ///< to-add

  OpRole role(const std::string& name) const {
    if (black.contains(name)) return OpRole::kFloat32;
    return white.contains(name) ? OpRole::kLow : OpRole::kFollow;
  }
};

Written write_cann(const Assignment& assignment) {
  CannLists lists;
  std::vector<std::string> gray;
  for (const auto& [name, role] : wanted_roles(assignment, cann_names)) {
    if (role == OpRole::kFloat32) {
      lists.black.insert(name);
    } else if (role == OpRole::kLow) {
      lists.white.insert(name);
    } else {
      gray.push_back(name);
    }
  }
  const nlohmann::ordered_json json{{"black-list", {{"to-add", lists.black}}},
                                    {"white-list", {{"to-add", lists.white}}}};
  const formats::Format low = low_for_lists(assignment);
  const bool half = low == formats::kFloat16;
  Findings findings;
  findings.add(Finding::Kind::kNote, std::string("the low format is not in the file: set precision_mode_v2 to ") +
                                         (half ? "mixed_float16" : "mixed_bfloat16"));
  if (!gray.empty()) {
    std::string names;
    for (const std::string& name : gray) names += (names.empty() ? "" : ", ") + name;
    findings.add(Finding::Kind::kNote,
                 "these operators are taken as gray, which the built-in lists of the processor decide: " + names);
  }
  const auto role = [&](const std::string& name) { return lists.role(name); };
  declare_roles(assignment, policy_of_roles(assignment, low, cann_names, role), cann_names, "CANN", findings);
  return {json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n", findings.list()};
}

/// Reads the lists of one file.
class CannReader {
 public:
  CannReader(std::string_view text, const std::string& source) : source_(source) {
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false,
                                                      /*ignore_comments=*/true);
    if (!json.is_object()) fail("the text is not a JSON object");
    bool any = false;
    for (const auto& [key, list] : json.items()) {
      const bool black = key == kCannLists[0];
      if (!black && key != kCannLists[1]) {
        findings.add(Finding::Kind::kNote, "parts other than black-list and white-list were ignored");
        continue;
      }
      any = true;
      take_list(key, list, black ? lists.black : lists.white);
    }
    if (!any) fail("there is neither a black-list nor a white-list");
  }

  CannLists lists;
  std::vector<std::string> listed;
  Findings findings;

 private:
  void take_list(const std::string& key, const nlohmann::json& list, std::set<std::string>& added) {
    if (!list.is_object()) fail(key + " is not an object");
    for (const auto& [part, names] : list.items()) {
      if (part != "to-add" && part != "to-remove") fail(key + " has a part other than to-add and to-remove");
      if (!names.is_array()) fail(key + ": " + part + " is not a list");
      for (const nlohmann::json& name : names) {
        if (!name.is_string()) fail(key + ": " + part + " has an entry that is not a text");
        listed.push_back(name.get<std::string>());
        if (part == "to-add") added.insert(listed.back());  // what is removed is gray, as what is not listed
      }
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kBadPolicy, source_ + ": " + what,
                "Write {\"black-list\": {\"to-add\": [\"SoftmaxV2\"]}, \"white-list\": {\"to-add\": [\"Conv2D\"]}}.");
  }

  const std::string& source_;
};

Read read_cann(std::string_view text, const std::string& source, const Assignment& model) {
  CannReader reader(text, source);
  note_unused(reader.listed, model, cann_names, reader.findings);
  reader.findings.add(Finding::Kind::kNote,
                      "operators on neither list are taken as gray; the file names no low format");
  const auto role = [&](const std::string& name) { return reader.lists.role(name); };
  return {policy_of_roles(model, low_for_lists(model), cann_names, role), std::nullopt, reader.findings.list()};
}

}  // namespace

Target cann_target() {
  return {.name = "cann",
          .title = "Ascend CANN mixed precision list",
          .suffix = ".mixlist.json",
          .doc = "JSON for the option modify_mixlist, with operators to add to its lists; for Ascend CANN 8.0.",
          .write = write_cann,
          .read = read_cann};
}

}  // namespace binade::targets
