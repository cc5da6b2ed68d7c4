// SPDX-License-Identifier: Apache-2.0
#include "engine/host/commands/search_report.h"

#include "engine/host/commands/saved_policy.h"
#include "engine/host/print/policy_json.h"
#include "engine/host/print/text_table.h"
#include "engine/host/process/version.h"
#include "engine/search/candidate_text.h"
#include "engine/search/saving.h"
#include "engine/tuning/prove.h"
#include "engine/tuning/search_json.h"
#include "engine/words/numbers.h"
#include "engine/words/trial_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <utility>

namespace binade::host {

namespace {

using Json = nlohmann::ordered_json;

std::string signed_text(double gap) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%+.3g", gap);
  return text.data();
}

/// `+0.0003 (equal up to 0.0012)`.
std::string gap_text(const search::Proof& proof) {
  const std::string gap = signed_text(proof.gap);
  return std::isnan(proof.gap_noise) ? gap : gap + " (equal up to " + words::figure(proof.gap_noise) + ")";
}

/// Whether the noise hides any change of the loss.
bool hides_the_loss(const search::Proof& proof) {
  return proof.gap_noise > 0 && proof.gap_noise >= std::abs(proof.base_loss);
}

/// Whether the base was timed right after the policy, which is done if the policy trains alike.
bool was_timed_beside(const search::Proof& proof) {
  const bool alike = proof.verdict == wire::TrialVerdict::kInsideNoise || proof.verdict == wire::TrialVerdict::kBetter;
  return alike && proof.base_cost && *proof.base_cost > 0 && std::isfinite(*proof.base_cost) &&
         std::isfinite(proof.cost);
}

/// An event and the members of an object that tuning::encode() made.
Json search_line(const char* event, const char* key, nlohmann::json value) {
  return {{"event", event}, {key, std::move(value)}};
}

}  // namespace

SearchReport::SearchReport(tuning::SearchFile& file, tuning::SearchState& state, SearchedRun run, search::Goal goal,
                           bool json)
    : file_(file),
      state_(state),
      run_(std::move(run)),
      goal_(goal),
      json_(json),
      known_(state.progress.proven.size()),
      now_(state.progress) {}

search::Point SearchReport::with_provenance(search::Point point) const {
  policy::Provenance& provenance = point.policy.provenance;
  provenance.made_by = std::string("binade-engine ") + kVersion;
  provenance.date = date_now();
  provenance.run = run_.name;
  provenance.step = run_.step;
  provenance.model = std::filesystem::path(run_.model).filename().string();
  provenance.op_calls = run_.op_calls;
  if (!point.holds) return point;
  const bool repairs = goal_ == search::Goal::kRepair;
  std::string sentence = "Trained " + std::to_string(run_.steps) + " steps beside " + run_.beside + ": the loss is " +
                         words::verdict_text(point.proof.verdict) + ", on average " + gap_text(point.proof) + ".";
  if (!repairs) {
    sentence += " " + cost_text(point.proof.cost) + " a step";
    if (point.proof.base_cost) sentence += ", before " + cost_text(*point.proof.base_cost);
    sentence += ".";
  }
  provenance.evidence.push_back(std::move(sentence));
  return point;
}

void SearchReport::update(const search::Progress& progress) {
  now_ = progress;
  updated_ = Clock::now();
  // While known answers are repeated, the stored progress is ahead.
  if (progress.proven.size() >= state_.progress.proven.size()) {
    state_.progress = progress;
    file_.write(state_);
  }
  // After the state: if the search is killed in between, it finds that a file is missing.
  for (; reported_ < progress.proven.size(); ++reported_) add(progress.proven[reported_]);
  if (json_) return print_searching(progress.seconds);
  if (progress.done) return still_.rest();
  still_.report("try", std::to_string(progress.tries + 1));
}

void SearchReport::add(const search::Point& found) {
  const search::Point point = with_provenance(found);
  const std::string name = file_.policy_file(point);
  const bool is_known = reported_ < known_;
  if (!name.empty() && !(is_known && std::filesystem::exists(name))) file_.write(point);
  if (json_) {
    print_json(search_line("proven", "point", tuning::encode(point, name)));
    return;
  }
  const search::Proof& proof = point.proof;
  std::string text = words::verdict_text(proof.verdict);
  if (std::isfinite(proof.gap)) text += ", loss " + gap_text(proof);
  text += ", " + cost_text(proof.cost);
  if (const std::string beside = beside_text(proof); !beside.empty()) text += " " + beside;
  if (proof.evaluation) text += ", loss on the test data " + words::figure(*proof.evaluation);
  if (!proof.reason.empty()) text += ". " + proof.reason;
  std::printf("try %lld: %s changed, %s: %s\n", static_cast<long long>(point.attempt),
              search::op_calls(point.changed.size()).c_str(), search::changes_text(point).c_str(), text.c_str());
}

void SearchReport::print_searching(double seconds) {
  ticked_ = Clock::now();
  print_json({{"event", "searching"}, {"tries", now_.tries}, {"seconds", seconds}, {"sentence", now_.sentence}});
}

void SearchReport::tick() {
  const auto now = Clock::now();
  if (!json_ || now - ticked_ < std::chrono::seconds(1)) return;
  print_searching(now_.seconds + std::chrono::duration<double>(now - updated_).count());
}

double SearchReport::base_cost() const {
  for (const search::Point& point : now_.proven) {
    if (point.proof.base_cost) return *point.proof.base_cost;
  }
  // The evidence has the time of the emulation, not its estimate for a GPU.
  if (state_.estimates_time) return std::numeric_limits<double>::quiet_NaN();
  return search::base_cost(goal_, state_.evidence);
}

std::string SearchReport::beside_text(const search::Proof& proof) const {
  if (!is_timed() || !was_timed_beside(proof)) return {};
  const double base = *proof.base_cost;
  std::array<char, 64> change{};
  std::snprintf(change.data(), change.size(), ": %+.1f %%, noise %.1f %%", 100 * (proof.cost - base) / base,
                100 * proof.cost_noise / base);
  return "beside " + cost_text(base) + " of the base" + change.data();
}

std::string SearchReport::base_text() const {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const search::Point& point : now_.proven) {
    if (!is_timed() || !was_timed_beside(point.proof)) continue;
    low = std::min(low, *point.proof.base_cost);
    high = std::max(high, *point.proof.base_cost);
  }
  if (low < high) return cost_text(low) + " to " + cost_text(high) + " a step";
  const double cost = low == high ? low : base_cost();
  return goal_ == search::Goal::kRepair || !std::isfinite(cost) ? std::string() : cost_text(cost) + " a step";
}

std::string SearchReport::cost_text(double cost) const {
  if (!std::isfinite(cost)) return "cost unknown";
  switch (goal_) {
    case search::Goal::kTime:
      return words::duration(cost) + (state_.estimates_time ? " (estimated)" : "");
    case search::Goal::kMemory:
      return words::bytes(cost);
    case search::Goal::kCasts:
      return words::figure(cost) + (cost == 1 ? " cast" : " casts");
    case search::Goal::kRepair:
      break;
  }
  if (cost != std::floor(cost)) return words::figure(cost) + " op calls";
  return search::op_calls(static_cast<std::size_t>(cost));
}

void SearchReport::finish() {
  still_.rest();
  const std::vector<search::Point> points = search::front(now_, base_cost());
  if (!json_) return print_front(points);
  Json line{{"event", "front"}, {"points", Json::array()}};
  for (const search::Point& point : points) {
    const Json encoded = tuning::encode(with_provenance(point), file_.policy_file(point));
    line["points"].push_back(encoded);
  }
  line["nothing_better"] = points.empty();
  line["tries"] = now_.tries;
  line["seconds"] = now_.seconds;
  if (const std::string before = base_text(); !before.empty()) line["base_cost"] = base_cost();
  if (state_.estimates_time) line["estimated_for"] = tuning::estimated_gpu();
  line["ended"] = tuning::name(now_.end);
  line["sentence"] = end_sentence(points);
  print_json(line);
}

std::string SearchReport::end_sentence(const std::vector<search::Point>& points) const {
  const std::string before = base_text();
  const std::string remark = noise_remark();
  return now_.sentence + (points.empty() && !before.empty() ? " It needs " + before + "." : "") +
         (remark.empty() ? "" : " " + remark);
}

std::string SearchReport::noise_remark() const {
  const auto& all = now_.proven;
  const bool any = std::any_of(all.begin(), all.end(), [](const auto& each) { return hides_the_loss(each.proof); });
  return any ? "The noise is as large as the loss itself, so the verdicts say little: give more --steps or --seeds."
             : "";
}

void SearchReport::print_front(const std::vector<search::Point>& points) const {
  if (const std::string before = base_text(); !before.empty()) {
    std::printf("\nBefore: %s%s\n", before.c_str(), is_timed() ? ", timed beside the tries" : "");
  }
  if (!points.empty()) {
    TextTable table(2);
    table.add({is_timed() ? "time of a step" : "cost", "loss", "op calls changed", "file"});
    for (const search::Point& point : points) {
      const std::string beside = beside_text(point.proof);
      table.add({cost_text(point.proof.cost) + (beside.empty() ? "" : " " + beside), gap_text(point.proof),
                 search::changes_text(point), file_.policy_file(point)});
    }
    std::printf("\n%s", table.text().c_str());
    std::printf("\nsaved as %s: export it or open it in the window\n", file_.policy_file(points.front()).c_str());
  }
  if (state_.estimates_time) {
    std::printf("Formats are emulated on this device. Times are estimates for %s, from its quoted figures.\n",
                tuning::estimated_gpu().c_str());
  }
  std::printf("%s\n", now_.sentence.c_str());
  if (const std::string remark = noise_remark(); !remark.empty()) std::printf("%s\n", remark.c_str());
  if (now_.tries > 0) {
    std::printf("%lld %s took %s, with the preparation.\n", static_cast<long long>(now_.tries),
                now_.tries == 1 ? "try" : "tries", words::duration(now_.seconds).c_str());
  }
}

}  // namespace binade::host
