// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/rank_errors.h"

#include "engine/graph/unsafe_code.h"
#include "engine/host/commands/error_report.h"
#include "engine/ranks/absence.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace binade::host {

namespace {

std::string error_key(int rank) {
  return "error/" + std::to_string(rank);
}

nlohmann::json encoded(const Error& error) {
  nlohmann::json all{
      {"code", static_cast<int>(error.code)}, {"message", error.what()}, {"hint", error.hint}, {"field", error.field}};
  if (const auto* const unsafe = dynamic_cast<const graph::UnsafeModel*>(&error)) {
    all["sha256"] = unsafe->sha256;
    all["findings"] = nlohmann::json::array();
    for (const graph::CodeFinding& each : unsafe->findings) {
      all["findings"].push_back({each.record, each.line, each.code, each.why});
    }
  }
  return all;
}

/// The error of a rank, with `who` before its message.
std::unique_ptr<Error> decoded(const nlohmann::json& all, const std::string& who) {
  const int code = std::clamp(all["code"].get<int>(), 0, static_cast<int>(ErrorCode::kOutOfMemory));
  Error error(static_cast<ErrorCode>(code), who + ": " + all["message"].get<std::string>(),
              all["hint"].get<std::string>());
  error.field = all["field"].get<std::string>();
  if (!all.contains("sha256")) return std::make_unique<Error>(error);
  std::vector<graph::CodeFinding> findings;
  for (const nlohmann::json& each : all["findings"]) {
    findings.push_back({each[0].get<std::string>(), each[1].get<std::size_t>(), each[2].get<std::string>(),
                        each[3].get<std::string>()});
  }
  return std::make_unique<graph::UnsafeModel>(error, std::move(findings), all["sha256"].get<std::string>());
}

}  // namespace

bool give_to_launch(const ranks::Place& place, const Error& error) {
  if (place.launcher != "launch") return false;
  try {
    constexpr std::chrono::seconds kPatience{5};
    ranks::Store store = ranks::Store::join(place, kPatience);
    const std::string key = error_key(place.rank);
    // Bytes of a file's name may be no UTF-8.
    store.set(key, encoded(error).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    return store.get(key).has_value();  // the answer shows that the store has it before this rank ends
  } catch (const Error&) {
    return false;
  }
}

RankErrors::RankErrors(const ranks::Store& store, bool json) : store_(store), json_(json) {}

bool RankErrors::ended(int rank) {
  std::optional<std::string> text = store_.get(error_key(rank));
  if (!text) return false;
  if (!first_) first_ = Clock::now();
  const bool because_of_another = store_.get(ranks::left_key(rank)).has_value();
  auto known = std::find_if(errors_.begin(), errors_.end(), [&](const Shared& each) { return each.text == *text; });
  if (known == errors_.end()) {
    known = errors_.insert(errors_.end(), {std::move(*text), {}, because_of_another, false});
  }
  known->because_of_another = known->because_of_another && because_of_another;
  known->ranks.push_back(rank);
  std::sort(known->ranks.begin(), known->ranks.end());
  return !because_of_another;
}

void RankErrors::report(bool because_of_another) {
  for (Shared& each : errors_) {
    if (each.because_of_another != because_of_another) continue;
    cause_is_known_ = true;
    if (std::exchange(each.reported, true)) continue;
    const std::string who = named_ranks(each.ranks);
    try {
      host::report(*decoded(nlohmann::json::parse(each.text), who), json_);
    } catch (const nlohmann::json::exception&) {  // a rank of another version, or another program wrote it
      host::report(Error(ErrorCode::kBadRun, who + " failed with an error that cannot be read",
                         "Start all ranks with the same version of Binade."),
                   json_);
    }
  }
}

void RankErrors::report() {
  report(false);
  if (!cause_is_known_) report(true);
}

void RankErrors::report_if_due() {
  constexpr std::chrono::seconds kGather{5};
  if (first_ && Clock::now() - *first_ >= kGather) report();
}

std::string named_ranks(const std::vector<int>& ranks) {
  if (ranks.size() == 1) return "Rank " + std::to_string(ranks.front());
  const bool run = ranks.size() > 2 && ranks.back() - ranks.front() + 1 == static_cast<int>(ranks.size());
  if (run) return "Ranks " + std::to_string(ranks.front()) + " to " + std::to_string(ranks.back());
  std::string text = "Ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == ranks.size() ? " and " : ", ") + std::to_string(ranks[i]);
  }
  return text;
}

}  // namespace binade::host
