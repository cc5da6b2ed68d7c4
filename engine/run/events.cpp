// SPDX-License-Identifier: Apache-2.0
#include "engine/run/events.h"

#include "engine/diagnose/diagnosis_text.h"
#include "engine/silent/numbers.h"
#include "engine/wire/scale_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace binade::run {

namespace {

using Kind = wire::WatchedTensor::Kind;
using silent::figure;

class Sentences {
 public:
  Sentences(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
            std::span<const wire::SiteInfo> sites, std::span<const std::string> bad_parameters,
            const wire::Diagnosis* found)
      : record_(record), watched_(watched), sites_(sites), bad_parameters_(bad_parameters), found_(found) {}

  std::vector<wire::Event> events() const {
    std::vector<wire::Event> all;
    if (found_ != nullptr && !found_->roots.empty()) {
      all.push_back(diagnosed());
      if (auto apart = overflow_apart()) all.push_back(std::move(*apart));
      return all;
    }
    if (auto forward = forward_overflow()) all.push_back(std::move(*forward));
    if (!std::isfinite(record_.loss)) all.push_back(non_finite_loss());
    if (record_.found_inf) all.push_back(gradient_overflow());
    if (found_ == nullptr) return all;
    if (all.empty() || all.back().kind == wire::Event::Kind::kForwardOverflow) {  // only the gradient norm is known
      all.push_back(event(wire::Event::Kind::kGradientOverflow));
      all.back().sentence = "A gradient was not finite" + at_step() + ".";
    }
    all.back().diagnosis = *found_;
    return all;
  }

 private:
  bool harmed() const { return record_.found_inf || !std::isfinite(record_.loss); }

  wire::Event event(wire::Event::Kind kind) const {
    wire::Event made;
    made.step = record_.step;
    made.kind = kind;
    made.scale = record_.scale;
    return made;
  }

  const wire::WatchedTensor& tensor(int id) const { return watched_[static_cast<std::size_t>(id)]; }

  std::vector<wire::EventTensor> tensors(bool gradients) const {
    std::vector<wire::EventTensor> met;
    for (const wire::Observation& seen : record_.observations) {
      const wire::WatchedTensor& of = tensor(seen.tensor);
      if (wire::is_gradient(of) != gradients) continue;
      const auto& stats = seen.stats;
      // An infinity in forward may be intended (masks, fills). It counts if it caused harm.
      const bool counts = gradients || harmed() || stats.nan > 0;
      if (stats.overflow == 0 && (stats.non_finite() == 0 || !counts)) continue;
      met.push_back({of.id, of.site, stats.non_finite(), stats.overflow, stats.largest});
    }
    return met;
  }

  std::string place(int site) const { return place_of(sites_[static_cast<std::size_t>(site)]); }

  std::string name_of(const wire::WatchedTensor& of) const {
    switch (of.kind) {
      case Kind::kOutput:
        return "Output of " + place(of.site);
      case Kind::kOutputGradient:
        return "Gradient of the output of " + place(of.site);
      case Kind::kInputGradient: {
        const auto& key = sites_[static_cast<std::size_t>(of.site)].key;
        return "Gradient of " + (key.path.empty() ? place(of.site) : key.path) + " " + of.argument;
      }
      case Kind::kInput:
        return "Argument " + of.argument + " of " + place(of.site);
      case Kind::kParameter:
        return "Parameter " + of.argument;
      case Kind::kParameterGradient:
        return "Unscaled gradient of " + of.argument;
    }
    return {};
  }

  std::string at_step() const { return " at step " + std::to_string(record_.step); }

  /// Returns whether the infinity is an overflow of the format rather than the result of an earlier NaN.
  static bool overflowed(const wire::EventTensor& first, const formats::TensorStats& stats) {
    return first.overflow > 0 || (stats.nan == 0 && stats.non_finite() > 0);
  }

  const formats::TensorStats& stats_of(const wire::EventTensor& wanted) const {
    for (const wire::Observation& seen : record_.observations) {
      if (seen.tensor == wanted.tensor) return seen.stats;
    }
    static const formats::TensorStats none;
    return none;
  }

  /// Returns the event of a step whose first causes are known.
  wire::Event diagnosed() const {
    const bool loss = !std::isfinite(record_.loss);
    wire::Event made = event(loss ? wire::Event::Kind::kNonFiniteLoss : wire::Event::Kind::kGradientOverflow);
    made.tensors = tensors(/*gradients=*/!loss);
    if (found_->scale) made.scale = *found_->scale;
    made.sentence = diagnose::sentence_of(*found_, sites_, record_.step, record_.scale);
    made.diagnosis = *found_;
    return made;
  }

  /// Returns an event for forward values beyond their format if the gradients' cause lies in backward.
  std::optional<wire::Event> overflow_apart() const {
    if (found_->direction != wire::Direction::kBackward) return std::nullopt;
    std::vector<wire::EventTensor> met = tensors(/*gradients=*/false);
    std::erase_if(met, [this](const wire::EventTensor& each) {
      const auto is_of = [&each](const wire::Root& root) { return root.site == each.site; };
      return each.overflow == 0 || std::any_of(found_->roots.begin(), found_->roots.end(), is_of);
    });
    return forward_overflow(std::move(met));
  }

  std::optional<wire::Event> forward_overflow() const { return forward_overflow(tensors(/*gradients=*/false)); }

  std::optional<wire::Event> forward_overflow(std::vector<wire::EventTensor> met) const {
    wire::Event made = event(wire::Event::Kind::kForwardOverflow);
    made.tensors = std::move(met);
    if (made.tensors.empty()) return std::nullopt;
    const wire::EventTensor& first = made.tensors.front();
    const wire::WatchedTensor& of = tensor(first.tensor);
    if (!overflowed(first, stats_of(first))) {
      made.sentence = name_of(of) + " held NaN" + at_step() + ".";
    } else if (first.overflow > 0) {
      made.sentence = name_of(of) + " overflowed in " + formats::name(of.format) + at_step() + ": it reached " +
                      figure(first.largest) + ", and the format ends at " + figure(of.format.largest()) + ".";
    } else {
      made.sentence = name_of(of) + " overflowed in " + formats::name(of.format) + at_step() + ".";
    }
    return made;
  }

  wire::Event non_finite_loss() const {
    wire::Event made = event(wire::Event::Kind::kNonFiniteLoss);
    made.tensors = tensors(/*gradients=*/false);
    made.sentence = std::string("The loss was ") + (std::isnan(record_.loss) ? "NaN" : "infinite") + at_step() + ".";
    return made;
  }

  wire::Event gradient_overflow() const {
    wire::Event made = event(wire::Event::Kind::kGradientOverflow);
    made.tensors = tensors(/*gradients=*/true);
    const std::string scale = wire::scale_text(record_.scale);
    if (!std::isfinite(record_.loss)) {
      made.sentence = "No gradient was finite" + at_step() + ", since the loss was not: no loss scale helps here.";
    } else if (made.tensors.empty()) {
      const std::string whose = bad_parameters_.empty() ? "A gradient" : "Gradient of " + bad_parameters_.front();
      made.sentence = whose + " was not finite" + at_step() + ": scale " + scale + " may be too high for this batch.";
    } else {
      const wire::EventTensor& first = made.tensors.front();
      const wire::WatchedTensor& of = tensor(first.tensor);
      made.sentence = overflowed(first, stats_of(first))
                          ? name_of(of) + " overflowed in " + formats::name(of.format) + at_step() + ": scale " +
                                scale + " is too high for this batch."
                          : name_of(of) + " was NaN" + at_step() + ": the forward was finite, so its backward made it.";
    }
    return made;
  }

  const wire::StepRecord& record_;
  std::span<const wire::WatchedTensor> watched_;
  std::span<const wire::SiteInfo> sites_;
  std::span<const std::string> bad_parameters_;
  const wire::Diagnosis* found_;
};

}  // namespace

std::vector<wire::Event> events_of(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const wire::SiteInfo> sites, std::span<const std::string> bad_parameters,
                                   const wire::Diagnosis* found) {
  return Sentences(record, watched, sites, bad_parameters, found).events();
}

wire::Event vanished_event(const wire::StepRecord& record, const wire::Diagnosis& found,
                           std::span<const wire::SiteInfo> sites) {
  wire::Event made;
  made.step = record.step;
  made.kind = wire::Event::Kind::kForwardOverflow;
  made.scale = record.scale;
  made.sentence = diagnose::sentence_of(found, sites, record.step, record.scale);
  made.diagnosis = found;
  return made;
}

}  // namespace binade::run
