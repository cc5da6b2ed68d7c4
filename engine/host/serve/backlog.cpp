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

/// What an explorer that reads too slowly loses of an item; nothing of an answer.
wire::WhenSlow when_slow(const Outgoing& item) {
  return std::visit(
      []<class T>(const T& /*value*/) {
        if constexpr (wire::OneOf<T, wire::Sent>) {
          return wire::kRouteOf<T>.when_slow;
        } else {
          return wire::WhenSlow::kKept;
        }
      },
      item);
}

bool is_passing(const Outgoing& item) {
  if (const auto* step = std::get_if<wire::StepRecord>(&item)) return step->new_tensors.empty();
  return when_slow(item) == wire::WhenSlow::kDropped;
}

wire::Message message(wire::Response response) {
  return response;
}
wire::Message message(wire::StepRecord step) {
  return wire::notification_of(wire::StepBatch{{std::move(step)}});
}
wire::Message message(const auto& value) {
  return wire::notification_of(value);
}

}  // namespace

void Backlog::add(Outgoing item) {
  if (when_slow(item) == wire::WhenSlow::kReplaced && !entries_.empty() && entries_.back().index() == item.index()) {
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
  return wire::notification_of(batch);
}

}  // namespace binade::host
