// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/backlog.h"

#include "engine/wire/codec.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace binade::host {

namespace {

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

/// Reports of which the newest alone describes the run.
bool is_superseded_by_newer(const Outgoing& item) {
  return std::holds_alternative<wire::CastLedger>(item) || std::holds_alternative<wire::SilentReport>(item) ||
         std::holds_alternative<wire::ObserveCost>(item) || std::holds_alternative<wire::Profile>(item) ||
         std::holds_alternative<wire::QuantizedStep>(item);
}

/// Number of statistics in an item: of tensors, or of quantized operands, which are as large.
std::size_t statistics_in(const Outgoing& item) {
  if (const auto* step = std::get_if<wire::StepRecord>(&item)) return step->observations.size();
  const auto* quantized = std::get_if<wire::QuantizedStep>(&item);
  return quantized == nullptr ? 0 : quantized->operands.size();
}

bool is_emptied(const Outgoing& item) {
  const auto* quantized = std::get_if<wire::QuantizedStep>(&item);
  return quantized != nullptr && quantized->operands.empty();
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

/// `observations` becomes the number of those in the message.
std::optional<wire::Message> next_message(std::deque<Outgoing>& items, const BatchLimits& limits,
                                          std::size_t& observations) {
  if (items.empty()) return std::nullopt;
  if (!std::holds_alternative<wire::StepRecord>(items.front())) {
    Outgoing item = std::move(items.front());
    items.pop_front();
    observations += statistics_in(item);
    return std::visit([](auto& each) { return message(std::move(each)); }, item);
  }
  wire::StepBatch batch;
  while (!items.empty() && batch.steps.size() < limits.steps && observations < limits.observations) {
    auto* step = std::get_if<wire::StepRecord>(&items.front());
    if (step == nullptr) break;
    observations += step->observations.size();
    batch.steps.push_back(std::move(*step));
    items.pop_front();
  }
  return wire::notification_of(batch);
}

}  // namespace

void Backlog::add(Outgoing item) {
  if (when_slow(item) == wire::WhenSlow::kReplaced && !entries_.empty() && entries_.back().index() == item.index()) {
    entries_.back() = std::move(item);
    return;
  }
  observations_ += statistics_in(item);
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
    if (auto* step = std::get_if<wire::StepRecord>(&*item)) drop_statistics(*step);
    if (auto* quantized = std::get_if<wire::QuantizedStep>(&*item)) {
      observations_ -= quantized->operands.size();
      quantized->operands.clear();
    }
  }
  left_out_.reports += static_cast<std::int64_t>(std::erase_if(entries_, is_emptied));
}

void Backlog::drop_statistics(wire::StepRecord& step) {
  observations_ -= step.observations.size();
  left_out_.statistics += static_cast<std::int64_t>(step.observations.size());
  step.observations = {};
}

void Backlog::shorten() {
  bool keep_statistics = true;
  std::set<std::size_t> met;  // kinds of reports
  for (auto item = entries_.rbegin(); item != entries_.rend(); ++item) {
    if (auto* step = std::get_if<wire::StepRecord>(&*item); step != nullptr && !step->observations.empty()) {
      if (!keep_statistics) drop_statistics(*step);
      keep_statistics = false;
    }
  }
  const auto is_old = [this, &met](const Outgoing& item) {
    const bool old = is_superseded_by_newer(item) && !met.insert(item.index()).second;
    if (old) observations_ -= statistics_in(item);
    return old;
  };
  const auto kept = std::remove_if(entries_.rbegin(), entries_.rend(), is_old).base();
  left_out_.reports += std::distance(entries_.begin(), kept);
  entries_.erase(entries_.begin(), kept);
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
      if (auto* step = std::get_if<wire::StepRecord>(&entries_[i])) {
        drop_statistics(*step);
        ++left_out_.steps;
      } else {
        observations_ -= statistics_in(entries_[i]);
        ++left_out_.reports;
      }
      continue;
    }
    kept.push_back(std::move(entries_[i]));
  }
  entries_ = std::move(kept);
}

/// Moves the oldest answer to the front.
void Backlog::bring_answer_forward() {
  const auto answer = std::find_if(entries_.begin(), entries_.end(),
                                   [](const Outgoing& item) { return std::holds_alternative<wire::Response>(item); });
  if (answer != entries_.end()) std::rotate(entries_.begin(), answer, answer + 1);
}

std::optional<wire::Message> Backlog::next(const BatchLimits& limits) {
  if (limits.answers_first && responses_ > 0) bring_answer_forward();
  if (!entries_.empty() && std::holds_alternative<wire::Response>(entries_.front())) --responses_;
  std::size_t observations = 0;
  auto message = next_message(entries_, limits, observations);
  observations_ -= observations;
  return message;
}

std::optional<wire::Message> next_message(std::deque<Outgoing>& items, const BatchLimits& limits) {
  std::size_t observations = 0;
  return next_message(items, limits, observations);
}

}  // namespace binade::host
