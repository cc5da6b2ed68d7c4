// SPDX-License-Identifier: Apache-2.0
#include "engine/words/fix_text.h"

#include "engine/words/numbers.h"
#include "engine/words/rules_text.h"
#include "engine/words/scale_text.h"

#include <array>

namespace binade::words {

namespace {

using Outcome = wire::Fix::Outcome;

/// `2^14 of the scaler "main" and 2^10 of the scaler "boxes"`
std::string scales_text(const std::vector<wire::NamedScale>& scales) {
  std::string text;
  for (const wire::NamedScale& each : scales) {
    text += (text.empty() ? "" : " and ") + words::scale_text(each.scale);
    if (each.scaler) text += " of the scaler \"" + *each.scaler + "\"";
  }
  return text;
}

/// `without the model's own cast aten::to#0 (net.py:7)`
std::string casts_text(const std::vector<wire::OwnCast>& casts) {
  std::string text;
  for (const wire::OwnCast& each : casts) {
    text += (text.empty() ? "without the model's own cast " : " and ") + each.call;
    if (!each.source.empty()) text += " (" + each.source + ")";
  }
  return text;
}

std::string batch_text(std::int64_t ahead) {
  constexpr std::array kOrdinals{"second", "third", "fourth", "fifth"};
  if (ahead < 1) return "the next batch";
  const auto index = static_cast<std::size_t>(ahead - 1);
  std::string text = "the ";
  text += index < kOrdinals.size() ? std::string(kOrdinals[index]) : std::to_string(ahead + 1) + "th";
  return text + " batch after it";
}

/// The learning rate's effect, which follows a sentence about the steps in float32.
std::string rate_text(const wire::RateTrial& trial) {
  const std::string losses = "from " + figure(trial.first_loss) + " to " + figure(trial.last_loss) + " over " +
                             std::to_string(trial.steps) + (trial.steps == 1 ? " step" : " steps");
  const std::string with = "With optimizer.learning_rate " + figure(trial.rate);
  if (trial.learns) return with + " they do not, and the loss falls in float32: " + losses + ".";
  return with + " the loss stays finite in float32, and falls by less than a tenth: " + losses +
         ". That it learns is not known.";
}

/// Rules and casts of a fix; empty if it only changes scales.
std::string edits_text(const wire::Fix& fix, const std::vector<policy::SiteRule>& rules) {
  std::string text = rules_text(rules);
  if (fix.changed > 1 && !rules.empty()) {
    text += " (" + std::to_string(fix.changed) + " op calls change their format with that)";
  }
  if (const std::string casts = casts_text(fix.without); !casts.empty()) text += (text.empty() ? "" : ", ") + casts;
  return text;
}

std::string no_fix_text(const wire::Fix& fix) {
  const std::string edits = edits_text(fix, fix.tried);
  const std::string with = edits.empty() ? "" : (fix.tried.empty() ? "" : "with ") + edits + ", ";
  return "No fix is known: " + with + "this batch is finite only at scale " + scales_text(fix.scales) +
         " or lower, where gradients are " + (fix.outcome == Outcome::kLost ? "lost." : "reduced instead of enlarged.");
}

}  // namespace

std::string change_of(const wire::Attempt& attempt) {
  std::string text;
  const auto add = [&text](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  if (!attempt.scales.empty()) add("scale " + scales_text(attempt.scales));
  add(rules_text(attempt.rules));
  add(casts_text(attempt.without));
  add(attempt.note);
  if (text.empty()) add("scale " + scales_text({{attempt.scaler, attempt.scale}}));
  if (attempt.ahead) text += " on " + batch_text(*attempt.ahead);
  if (!attempt.overflows.empty()) text += " (" + attempt.overflows + " overflows)";
  if (!attempt.failure.empty()) text += ": " + attempt.failure;
  return text;
}

std::string fix_of(const wire::Fix& fix) {
  if (!fix.text.empty()) return fix.text;
  if (fix.rate) return rate_text(*fix.rate);
  if (fix.outcome == Outcome::kNone) return {};
  if (fix.outcome == Outcome::kLost || fix.outcome == Outcome::kReduced) return no_fix_text(fix);
  const bool next_too = fix.outcome == Outcome::kNextToo;
  std::string text = edits_text(fix, fix.rules);
  if (text.empty() && !fix.scales.empty() && !fix.raised) {
    return "Scale " + scales_text(fix.scales) + " or lower avoids it" +
           (next_too ? ", also in the next batches." : ".");
  }
  if (!text.empty() && fix.rules.empty()) text.front() = 'W';  // `Without the model's ...`
  if (!fix.rules.empty()) text = "With " + text;
  if (!fix.scales.empty()) {
    const std::string scales = scales_text(fix.scales);
    const std::string scale = fix.raised ? "the scale back at " + scales : "scale " + scales + " or lower";
    text += (text.empty() ? "With " : " and ") + scale;
  }
  if (fix.outcome == Outcome::kNoOverflow) return text + ", nothing overflows in this batch.";
  return text + ", this batch is finite" + (next_too ? ", and so are the next ones." : ".");
}

}  // namespace binade::words
