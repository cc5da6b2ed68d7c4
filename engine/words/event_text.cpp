// SPDX-License-Identifier: Apache-2.0
#include "engine/words/event_text.h"

#include "engine/words/diagnosis_text.h"
#include "engine/words/numbers.h"
#include "engine/words/scale_text.h"
#include "engine/words/silent_text.h"
#include "engine/words/site_text.h"

namespace binade::words {

namespace {

using TensorKind = wire::WatchedTensor::Kind;
using wire::EventTensor;
using wire::NotFinite;

const wire::SiteInfo* site_of(const Names& names, int site) {
  return site < 0 || static_cast<std::size_t>(site) >= names.sites.size()
             ? nullptr
             : &names.sites[static_cast<std::size_t>(site)];
}

std::string op_call_of(const Names& names, int site) {
  const wire::SiteInfo* const known = site_of(names, site);
  return known == nullptr ? "an op call" : words::place_of(*known);
}

/// A tensor as the subject of a sentence.
std::string subject_of(const Names& names, const wire::WatchedTensor& tensor) {
  switch (tensor.kind) {
    case TensorKind::kOutput:
      return "Output of " + op_call_of(names, tensor.site);
    case TensorKind::kOutputGradient:
      return "Gradient of the output of " + op_call_of(names, tensor.site);
    case TensorKind::kInputGradient: {
      const wire::SiteInfo* const site = site_of(names, tensor.site);
      const bool has_path = site != nullptr && !site->key.path.empty();
      return "Gradient of " + (has_path ? site->key.path : op_call_of(names, tensor.site)) + " " + tensor.argument;
    }
    case TensorKind::kInput:
      return "Argument " + tensor.argument + " of " + op_call_of(names, tensor.site);
    case TensorKind::kParameter:
      return "Parameter " + tensor.argument;
    case TensorKind::kParameterGradient:
      return "Unscaled gradient of " + tensor.argument;
  }
  return {};
}

/// Whether the infinity is an overflow of the format rather than the result of an earlier NaN.
bool overflowed(const EventTensor& tensor) {
  return tensor.overflow > 0 || (tensor.nan == 0 && tensor.non_finite > 0);
}

std::string step_text(std::int64_t step) {
  return " at step " + std::to_string(step);
}

/// The rules that a run follows: `fc1/aten::linear#0 in float32 and 1 more rule`.
std::string first_of(const std::vector<policy::SiteRule>& rules) {
  if (rules.empty()) return "the rules";
  std::string text = rules.front().match + " in " + formats::name(rules.front().format);
  if (rules.size() > 1) {
    text += " and " + std::to_string(rules.size() - 1) + (rules.size() == 2 ? " more rule" : " more rules");
  }
  return text;
}

class Sentence {
 public:
  Sentence(const wire::Event& event, const Names& names) : event_(event), names_(names) {}

  std::string text() const {
    if (event_.diagnosis && !event_.diagnosis->roots.empty()) {
      return words::sentence_of(*event_.diagnosis, names_.sites, event_.step, event_.scale);
    }
    return std::visit([this](const auto& facts) { return of(facts); }, event_.facts);
  }

 private:
  std::string at_step() const { return step_text(event_.step); }

  std::string of(std::monostate /*none*/) const {
    switch (event_.kind) {
      case wire::Event::Kind::kGradientOverflow:
      case wire::Event::Kind::kForwardOverflow:
        return of(NotFinite{});
      case wire::Event::Kind::kNonFiniteLoss:
        return "The loss was not finite" + at_step() + ".";
      case wire::Event::Kind::kSilent:
        return "Precision was lost" + at_step() + ".";
      default:
        return "Details of this event" + at_step() + " could not be read.";
    }
  }

  std::string of(const NotFinite& facts) const {
    switch (event_.kind) {
      case wire::Event::Kind::kForwardOverflow:
        return forward();
      case wire::Event::Kind::kNonFiniteLoss:
        return std::string("The loss was ") + (facts.loss == NotFinite::Loss::kNaN ? "NaN" : "infinite") + at_step() +
               ".";
      default:
        return gradient(facts);
    }
  }

  /// The earliest tensor; null if it is unknown.
  const wire::WatchedTensor* first() const {
    if (event_.tensors.empty() || !names_.tensor) return nullptr;
    return names_.tensor(event_.tensors.front().tensor);
  }

  std::string forward() const {
    const wire::WatchedTensor* const tensor = first();
    if (tensor == nullptr) return "A value in the forward pass was not finite" + at_step() + ".";
    const EventTensor& seen = event_.tensors.front();
    const std::string subject = subject_of(names_, *tensor);
    if (!overflowed(seen)) return subject + " held NaN" + at_step() + ".";
    const std::string text = subject + " overflowed in " + formats::name(tensor->format) + at_step();
    if (seen.overflow == 0) return text + ".";
    return text + ": it reached " + figure(seen.largest) + ", and the format ends at " +
           figure(tensor->format.largest()) + ".";
  }

  std::string gradient(const NotFinite& facts) const {
    if (!facts.by_scaler) return "A gradient was not finite" + at_step() + ".";
    const std::string scale = words::scale_text(event_.scale);
    if (facts.loss != NotFinite::Loss::kFinite) {
      return "No gradient was finite" + at_step() + ", since the loss was not: no loss scale helps here.";
    }
    const wire::WatchedTensor* const tensor = first();
    if (tensor == nullptr) {
      const std::string subject = facts.parameter.empty() ? "A gradient" : "Gradient of " + facts.parameter;
      return subject + " was not finite" + at_step() + ": scale " + scale + " may be too high for this batch.";
    }
    const std::string subject = subject_of(names_, *tensor);
    if (overflowed(event_.tensors.front())) {
      return subject + " overflowed in " + formats::name(tensor->format) + at_step() + ": scale " + scale +
             " is too high for this batch.";
    }
    return subject + " was NaN" + at_step() + ": the forward was finite, so its backward made it.";
  }

  std::string of(const wire::ClipRefused& facts) const {
    const std::string subject =
        facts.parameter.empty() ? std::string("The norm of all gradients") : "Gradient of " + facts.parameter;
    const char* const why = facts.by_norm ? "clipping the norm would have made every gradient 0"
                                          : "clipping the values would have put the limit in place of an infinity";
    return subject + " was not finite" + at_step() + ": " + why + ", so the step was skipped.";
  }

  std::string of(const wire::ScaleTrouble& facts) const {
    return facts.message + (facts.cause.empty() ? "" : " " + facts.cause);
  }

  std::string of(const wire::Diverged& facts) const {
    const std::string count = facts.in_a_row == 1
                                  ? std::string("The loss was ") + (facts.is_nan ? "NaN" : "infinite") + at_step()
                                  : "The loss was not finite " + std::to_string(facts.in_a_row) +
                                        " times in a row, until step " + std::to_string(event_.step);
    const char* const why =
        facts.scaled ? ": no loss scale helps where the loss itself is not finite; the first event names the cause. "
                     : ": the step was skipped. ";
    return count + why + (facts.pauses ? "The run is paused" : "The run ends here") + "; parameters are unchanged.";
  }

  std::string of(const wire::OutOfMemory& facts) const {
    if (!facts.in_optimizer) {
      return "Memory ran out" + at_step() + ", in " + facts.message +
             ". The step was undone; a smaller batch, or more of the model in a 16-bit format, takes less.";
    }
    const std::string what = facts.message.empty()
                                 ? "Memory ran out in the middle of the optimizer's step " + std::to_string(event_.step)
                                 : facts.message + ". The optimizer was in the middle of its step";
    return what +
           ": some parameters have been updated and others not. The run ends here, and nothing is saved of that state.";
  }

  std::string of(const wire::SilentFaultFound& found) const {
    return silent_headline(found.fault, found.more, names_.sites);
  }

  std::string of(const wire::FixHeld& facts) const {
    return first_of(facts.rules) + (facts.rules.size() > 1 ? " have held for " : " has held for ") +
           std::to_string(facts.steps) + " steps.";
  }

  std::string of(const wire::FixFailed& facts) const {
    const std::string rules = first_of(facts.rules);
    const std::string text = "The loss scale has fallen from " + words::scale_text(facts.from) +
                             step_text(facts.since) + " to " + words::scale_text(facts.to) + " under " + rules +
                             ". Below 1, a scale reduces gradients. ";
    // Rules that the run began with may serve another purpose: only an adopted fix has failed as one.
    return text + (facts.given ? "Add what the newest gradient overflow proposes."
                               : "It is no fix by itself: remove it, or add what the newest gradient overflow "
                                 "proposes.");
  }

  const wire::Event& event_;
  const Names& names_;
};

}  // namespace

std::string sentence_of(const wire::Event& event, const Names& names) {
  const std::string text = Sentence(event, names).text();
  return event.rank ? text + " This happened on rank " + std::to_string(*event.rank) + "." : text;
}

std::string explanation_of(const wire::Event& event, const Names& names) {
  return event.diagnosis ? words::explanation_of(*event.diagnosis, names.sites) : std::string();
}

void NameBook::add(const wire::RunStarted& started) {
  sites_ = started.model.sites;
}

void NameBook::add(const wire::StepRecord& step) {
  for (const wire::WatchedTensor& tensor : step.new_tensors) tensors_[tensor.id] = tensor;
}

Names NameBook::names() const {
  return {sites_, [this](int id) {
            const auto found = tensors_.find(id);
            return found == tensors_.end() ? nullptr : &found->second;
          }};
}

}  // namespace binade::words
