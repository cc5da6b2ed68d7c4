// SPDX-License-Identifier: Apache-2.0
#include "engine/run/events.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace binade::run {

namespace {

class StepEvents {
 public:
  StepEvents(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
             std::span<const std::string> bad_parameters, const wire::Diagnosis* found)
      : record_(record), watched_(watched), bad_parameters_(bad_parameters), found_(found) {}

  std::vector<wire::Event> events() const {
    std::vector<wire::Event> all;
    if (found_ != nullptr && !found_->roots.empty()) {
      all.push_back(diagnosed());
      if (auto apart = overflow_apart()) {
        apart->rank.reset();  // the values are those of all ranks
        all.push_back(std::move(*apart));
      }
      return all;
    }
    if (auto forward = forward_overflow()) all.push_back(std::move(*forward));
    if (!std::isfinite(record_.loss)) all.push_back(non_finite_loss());
    if (record_.found_inf) all.push_back(gradient_overflow());
    if (found_ == nullptr) return all;
    if (all.empty() || all.back().kind == wire::Event::Kind::kForwardOverflow) {  // only the gradient norm is known
      all.push_back(event(wire::Event::Kind::kGradientOverflow));
      all.back().facts = wire::NotFinite{};
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
    made.rank = rank();
    return made;
  }

  /// Returns the rank whose own examples made the step non-finite: the first of several explains the step. nullopt if
  /// only the sum over the ranks is not finite, or if several ranks are to blame and none was asked.
  std::optional<int> rank() const {
    std::optional<int> first;
    for (const wire::RankFacts& facts : record_.ranks) {
      if (!facts.found_inf) continue;
      if (first && found_ == nullptr) return std::nullopt;
      if (!first) first = facts.rank;
    }
    return first;
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
      met.push_back({of.id, of.site, stats.non_finite(), stats.overflow, stats.largest, stats.nan});
    }
    return met;
  }

  wire::NotFinite facts() const {
    using Loss = wire::NotFinite::Loss;
    wire::NotFinite made;
    made.loss = std::isfinite(record_.loss) ? Loss::kFinite : std::isnan(record_.loss) ? Loss::kNaN : Loss::kInfinite;
    made.by_scaler = record_.found_inf;
    if (!bad_parameters_.empty()) made.parameter = bad_parameters_.front();
    return made;
  }

  /// Returns the event of a step whose first causes are known.
  wire::Event diagnosed() const {
    const bool loss = !std::isfinite(record_.loss);
    wire::Event made = event(loss ? wire::Event::Kind::kNonFiniteLoss : wire::Event::Kind::kGradientOverflow);
    made.tensors = tensors(/*gradients=*/!loss);
    made.facts = facts();
    if (found_->scale) made.scale = *found_->scale;
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
    made.facts = facts();
    return made;
  }

  wire::Event non_finite_loss() const {
    wire::Event made = event(wire::Event::Kind::kNonFiniteLoss);
    made.tensors = tensors(/*gradients=*/false);
    made.facts = facts();
    return made;
  }

  wire::Event gradient_overflow() const {
    wire::Event made = event(wire::Event::Kind::kGradientOverflow);
    made.tensors = tensors(/*gradients=*/true);
    made.facts = facts();
    return made;
  }

  const wire::StepRecord& record_;
  std::span<const wire::WatchedTensor> watched_;
  std::span<const std::string> bad_parameters_;
  const wire::Diagnosis* found_;
};

}  // namespace

std::vector<wire::Event> events_of(const wire::StepRecord& record, std::span<const wire::WatchedTensor> watched,
                                   std::span<const std::string> bad_parameters, const wire::Diagnosis* found) {
  return StepEvents(record, watched, bad_parameters, found).events();
}

wire::Event vanished_event(const wire::StepRecord& record, const wire::Diagnosis& found) {
  wire::Event made;
  made.step = record.step;
  made.kind = wire::Event::Kind::kForwardOverflow;
  made.scale = record.scale;
  made.facts = wire::NotFinite{};
  made.diagnosis = found;
  return made;
}

}  // namespace binade::run
