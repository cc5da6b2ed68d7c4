// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/judging.h"

#include "engine/words/fix_text.h"
#include "tests/faults/reading.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <optional>

namespace binade::test {

namespace {

constexpr std::int64_t kSteps = 200;
constexpr std::size_t kSettling = 50;   // steps in which a scale may come down to where it stays
constexpr std::int64_t kSkippable = 4;  // of the steps behind these: a scaler finds a batch too large now and then
constexpr std::size_t kTail = 20;       // steps that the last loss is the mean of
constexpr double kNear = 0.15;          // of the loss: how far from float32's a mended run may end
constexpr double kNearOfFirst = 0.02;   // or so much of the first loss

bool holds(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// Whatever the case.
bool contains(const std::string& text, const std::string& word) {
  return lower(text).find(lower(word)) != std::string::npos;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all.empty() ? "none" : all;
}

/// Expected `rounding` is told as `lost`: what the format rounds away makes an operation invalid.
bool isReason(const FaultCase& fault, const std::string& told) {
  return holds(fault.reasons, told) || (fault.reason == "rounding" && told == "lost");
}

bool isAllowed(const FaultCase& fault, const Answer& answer) {
  if (answer.reason == "unknown" || isReason(fault, answer.reason)) return true;
  return std::any_of(fault.also.begin(), fault.also.end(), [&](const std::string& also) {
    const std::size_t colon = also.find(':');
    if (also.substr(0, colon) != answer.reason) return false;
    return colon == std::string::npos || holds(answer.sites, also.substr(colon + 1));
  });
}

bool namesTheSite(const FaultCase& fault, const Answer& answer) {
  if (fault.sites.empty() && fault.what.empty()) return true;  // nothing to be named
  std::vector<std::string> named = answer.sites;
  // Where a value was lost on the way is told by what the fix widens.
  if (answer.reason == "lost" || answer.reason == "underflow") {
    for (const auto& rule : answer.fix.rules) named.push_back(rule.match);
  }
  bool any = false;
  for (const std::string& name : named) any = any || holds(fault.sites, name) || holds(fault.what, name);
  if (!any) return false;
  return std::all_of(answer.sites.begin(), answer.sites.end(), [&](const std::string& name) {
    return holds(fault.sites, name) || holds(fault.shows, name) || holds(fault.what, name);
  });
}

double lastLoss(const Reading& reading) {
  const std::size_t tail = std::min(kTail, reading.losses.size());
  return std::accumulate(reading.losses.end() - static_cast<std::ptrdiff_t>(tail), reading.losses.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(tail, 1));
}

wire::RunConfig inFloat32(wire::RunConfig run) {
  run.policy.base = policy::Base::kAllFloat32;
  run.policy.sites.clear();
  run.policy.ops.clear();
  return run;
}

/// Why a training of 200 steps with the fix is not as it should be; empty: it is.
std::string trialOf(const FaultCase& fault, const wire::Fix& fix) {
  wire::RunConfig run = fault.run;
  run.steps = kSteps;
  run.policy.sites.insert(run.policy.sites.end(), fix.rules.begin(), fix.rules.end());
  if (fix.scale > 0) run.scaler.init_scale = fix.scale;
  const Reading mended = readRun(run, /*until_told=*/false);
  if (!mended.refused.empty()) return "refused: " + mended.refused;
  if (!mended.completed) return "it did not get to its end";
  const auto bad = std::find_if(mended.losses.begin(), mended.losses.end(), [](double x) { return !std::isfinite(x); });
  if (bad != mended.losses.end()) {
    return "loss not finite at step " + std::to_string(bad - mended.losses.begin());
  }
  const auto skipped = std::count(mended.stepped.begin() + kSettling, mended.stepped.end(), false);
  if (skipped > kSkippable) return std::to_string(skipped) + " steps skipped behind step " + std::to_string(kSettling);
  if (mended.scales.back() < 1) return "the loss scale falls to " + std::to_string(mended.scales.back());
  if (!mended.answers.empty()) {
    const Answer& next = mended.answers.front();
    return "another event follows: " + next.reason + " at " + joined(next.sites);
  }
  const Reading wide = readRun(inFloat32(run), /*until_told=*/false);
  const double reached = lastLoss(mended), wanted = lastLoss(wide);
  const double near = kNear * std::abs(wanted) + kNearOfFirst * std::abs(wide.losses.front());
  if (std::isfinite(wanted) && std::abs(reached - wanted) > near) {
    return "loss " + std::to_string(reached) + ", in float32 " + std::to_string(wanted);
  }
  return {};
}

/// Why the fix of an answer is not what it should be.
std::string faultOfFix(const FaultCase& fault, const Answer& answer) {
  const bool edits = !answer.fix.rules.empty() || answer.fix.scale > 0;
  for (const std::string& word : fault.words) {
    if (!contains(answer.text, word)) return "\"" + word + "\" is not said";
  }
  if (fault.fix == "words") return edits ? "an edit is proposed where none helps: " + words::fix_of(answer.fix) : "";
  if (fault.fix == "rules" && answer.fix.rules.empty()) return "no rule is proposed";
  if (fault.fix == "scale" && answer.fix.scale <= 0) return "no scale is proposed";
  return edits ? trialOf(fault, answer.fix) : "";
}

Judged healthy(const FaultCase& fault) {
  const Reading reading = readRun(fault.run, /*until_told=*/false);
  Judged made;
  made.name = fault.name;
  for (const auto* answers : {&reading.answers, &reading.silent}) {
    for (const Answer& answer : *answers) {
      made.false_reasons.push_back(answer.reason + " at " + joined(answer.sites));
      if (made.told.empty()) made.told = answer.text;
    }
  }
  made.site = made.reason = made.false_reasons.empty() && reading.refused.empty();
  made.fix = made.reason && reading.completed;
  if (!made.fix) made.missing = "nothing is wrong here" + (reading.refused.empty() ? "" : ": " + reading.refused);
  return made;
}

Judged refused(const FaultCase& fault) {
  const Reading reading = readRun(fault.run, /*until_told=*/true);
  Judged made;
  made.name = fault.name;
  made.told = reading.refused;
  made.reason = !reading.refused.empty();
  made.site = made.reason && std::all_of(fault.words.begin(), fault.words.end(),
                                         [&](const std::string& word) { return contains(reading.refused, word); });
  made.fix = made.site;
  if (!made.fix) made.missing = made.reason ? "the message lacks " + joined(fault.words) : "it was not refused";
  return made;
}

}  // namespace

Judged judged(const FaultCase& fault) {
  if (fault.reason == "none") return healthy(fault);
  if (fault.reason == "refused") return refused(fault);
  const Reading reading = readRun(fault.run, /*until_told=*/true);
  Judged made;
  made.name = fault.name;
  if (!reading.refused.empty()) {
    made.missing = "refused: " + reading.refused;
    return made;
  }
  for (const Answer& answer : reading.answers) {
    if (!isAllowed(fault, answer)) made.false_reasons.push_back(answer.reason + " at " + joined(answer.sites));
  }
  for (const std::string& word : fault.never) {
    if (contains(reading.said, word)) made.false_reasons.push_back("\"" + word + "\" is said");
  }
  const Answer* first = !reading.answers.empty()  ? &reading.answers.front()
                        : !reading.silent.empty() ? &reading.silent.front()
                                                  : nullptr;
  if (first == nullptr) {
    made.missing = "nothing is told";
    return made;
  }
  if (reading.answers.empty() && !isAllowed(fault, *first)) {
    made.false_reasons.push_back(first->reason + " at " + joined(first->sites));
  }
  made.told = first->reason + " at " + joined(first->sites) + ": " + first->text;
  made.site = namesTheSite(fault, *first);
  made.reason = isReason(fault, first->reason);
  if (!made.site) made.missing += "op call: " + joined(fault.sites.empty() ? fault.what : fault.sites) + "; ";
  if (!made.reason) made.missing += "reason: " + joined(fault.reasons) + "; ";
  if (!fault.then.empty()) {
    const std::string reason = fault.then.substr(0, fault.then.find(':'));
    const std::string what = fault.then.substr(fault.then.find(':') + 1);
    made.reason = made.reason && std::any_of(reading.answers.begin(), reading.answers.end(), [&](const Answer& answer) {
                    return answer.reason == reason && holds(answer.sites, what);
                  });
    if (!made.reason) made.missing += "then: " + fault.then + "; ";
  }
  if (!made.site || !made.reason) return made;
  const std::string fix = faultOfFix(fault, *first);
  made.fix = fix.empty();
  if (!made.fix) made.missing += "fix: " + fix;
  return made;
}

}  // namespace binade::test
