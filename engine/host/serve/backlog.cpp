// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/backlog.h"

#include "engine/wire/codec.h"

#include <utility>

namespace binade::host {

namespace {

// Limits of one run.steps message. They stay well below a frame's capacity; the explorer shows such a batch between two
// screen frames.
constexpr std::size_t kStepsInBatch = 2'000;
constexpr std::size_t kObservationsInBatch = 10'000;

bool is_plain_step(const Outgoing& item) {
  const auto* step = std::get_if<wire::StepRecord>(&item);
  return step != nullptr && step->stepped && step->new_tensors.empty();
}

bool is_passing(const Outgoing& item) {
  const auto* step = std::get_if<wire::StepRecord>(&item);
  return (step != nullptr && step->new_tensors.empty()) || std::holds_alternative<wire::Event>(item) ||
         std::holds_alternative<wire::Evaluated>(item) || std::holds_alternative<wire::LogLine>(item) ||
         std::holds_alternative<wire::CastLedger>(item) || std::holds_alternative<wire::Profile>(item) ||
         std::holds_alternative<wire::ObserveCost>(item) || std::holds_alternative<wire::SilentReport>(item) ||
         std::holds_alternative<wire::Float32Comparison>(item);
}

wire::Message message(wire::Response response) {
  return response;
}
wire::Message message(const wire::RunStarted& started) {
  return wire::Notification{"run.started", wire::encode(started)};
}
wire::Message message(const wire::StateChanged& change) {
  return wire::Notification{"run.state", wire::encode(change)};
}
wire::Message message(wire::StepRecord step) {
  return wire::Notification{"run.steps", wire::encode(wire::StepBatch{{std::move(step)}})};
}
wire::Message message(const wire::Event& event) {
  return wire::Notification{"run.event", wire::encode(event)};
}
wire::Message message(const wire::Evaluated& evaluated) {
  return wire::Notification{"run.evaluated", wire::encode(evaluated)};
}
wire::Message message(const wire::PolicyApplied& applied) {
  return wire::Notification{"policy.applied", wire::encode(applied)};
}
wire::Message message(const wire::LogLine& line) {
  return wire::Notification{"engine.log", wire::encode(line)};
}
wire::Message message(const wire::ScalerChanged& change) {
  return wire::Notification{"run.scaler", wire::encode(change)};
}
wire::Message message(const wire::CheckpointInfo& saved) {
  return wire::Notification{"run.checkpoint", wire::encode(saved)};
}
wire::Message message(const wire::Rewound& rewound) {
  return wire::Notification{"run.rewound", wire::encode(rewound)};
}
wire::Message message(const wire::CastLedger& casts) {
  return wire::Notification{"run.casts", wire::encode(casts)};
}
wire::Message message(const wire::Float32Comparison& comparison) {
  return wire::Notification{"run.comparison", wire::encode(comparison)};
}
wire::Message message(const wire::SilentReport& report) {
  return wire::Notification{"run.silent", wire::encode(report)};
}
wire::Message message(const wire::Profile& profile) {
  return wire::Notification{"profiler.update", wire::encode(profile)};
}
wire::Message message(const wire::ObserveCost& cost) {
  return wire::Notification{"observe.cost", wire::encode(cost)};
}
wire::Message message(const wire::Finished& finished) {
  return wire::Notification{"run.finished", wire::encode(finished)};
}

}  // namespace

void Backlog::add(Outgoing item) {
  // Only the last of several states in a row is sent.
  if (std::holds_alternative<wire::StateChanged>(item) && !entries_.empty() &&
      std::holds_alternative<wire::StateChanged>(entries_.back())) {
    entries_.back() = std::move(item);
    return;
  }
  if (const auto* step = std::get_if<wire::StepRecord>(&item)) observations_ += step->observations.size();
  if (std::holds_alternative<wire::Response>(item)) ++responses_;
  entries_.push_back(std::move(item));
  if (observations_ > limits_.observations) drop_observations();
  if (entries_.size() > limits_.entries) thin();
}

std::deque<Outgoing> Backlog::take() {
  observations_ = 0;
  responses_ = 0;
  return std::exchange(entries_, {});
}

void Backlog::drop_observations() {
  // Halves the count, so that this scan of old entries is rare. The newest entry always keeps its observations.
  for (auto item = entries_.begin(); item + 1 != entries_.end() && observations_ > limits_.observations / 2; ++item) {
    auto* step = std::get_if<wire::StepRecord>(&*item);
    if (step == nullptr) continue;
    observations_ -= step->observations.size();
    step->observations = {};
  }
}

void Backlog::thin() {
  drop_old(is_plain_step, 2);
  if (entries_.size() > limits_.entries * 7 / 8) drop_old(is_passing, 1);
}

/// Drops every `every`-th entry that `may_go` accepts from the older half.
void Backlog::drop_old(bool (*may_go)(const Outgoing&), std::size_t every) {
  std::deque<Outgoing> kept;
  const std::size_t old = entries_.size() / 2;
  std::size_t met = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (i < old && may_go(entries_[i]) && met++ % every == 0) {
      if (const auto* step = std::get_if<wire::StepRecord>(&entries_[i])) observations_ -= step->observations.size();
      continue;
    }
    kept.push_back(std::move(entries_[i]));
  }
  entries_ = std::move(kept);
}

std::optional<wire::Message> next_message(std::deque<Outgoing>& items) {
  if (items.empty()) return std::nullopt;
  if (!std::holds_alternative<wire::StepRecord>(items.front())) {
    Outgoing item = std::move(items.front());
    items.pop_front();
    return std::visit([](auto& each) { return message(std::move(each)); }, item);
  }
  wire::StepBatch batch;
  std::size_t observations = 0;
  while (!items.empty() && batch.steps.size() < kStepsInBatch && observations < kObservationsInBatch) {
    auto* step = std::get_if<wire::StepRecord>(&items.front());
    if (step == nullptr) break;
    observations += step->observations.size();
    batch.steps.push_back(std::move(*step));
    items.pop_front();
  }
  return wire::Notification{"run.steps", wire::encode(batch)};
}

}  // namespace binade::host
