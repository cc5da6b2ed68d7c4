// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/backlog.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade;
using host::Backlog;
using host::Outgoing;

namespace {

wire::StepRecord stepWith(std::int64_t number, std::size_t observations) {
  wire::StepRecord step;
  step.step = number;
  step.observations.resize(observations);
  return step;
}

std::vector<wire::StepRecord> stepsOf(const std::deque<Outgoing>& items) {
  std::vector<wire::StepRecord> steps;
  for (const Outgoing& item : items) {
    if (const auto* step = std::get_if<wire::StepRecord>(&item)) steps.push_back(*step);
  }
  return steps;
}

std::vector<wire::Message> messagesOf(std::deque<Outgoing> items) {
  std::vector<wire::Message> messages;
  while (auto message = host::next_message(items)) messages.push_back(std::move(*message));
  return messages;
}

}  // namespace

class SlowExplorer : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void stepsInARowAreOneMessageAndTheOrderIsKept();
  void aBatchHasNoMoreThanAFrameMayHold();
  void beyondTheLimitOlderStepsLoseStatisticsOnly();
  void beyondTheLimitOlderStepsAreThinned();
  void whatMustArriveArrives();
  void ofStatesInARowTheLastCounts();
  void aComparisonThatARunMadeIsToldToo();
  void quantizedOperandsCountAsStatistics();
  void aSlowLinkKeepsTheNewestStatistics();
  void onASlowLinkAnAnswerOvertakes();
  void elsewhereAnAnswerKeepsItsPlace();
  void whatIsLeftOutIsCounted();
};

// Steps, events and answers stay; of statistics and of reports that a newer one replaces, the newest stays.
void SlowExplorer::aSlowLinkKeepsTheNewestStatistics() {
  Backlog backlog;
  for (int step = 0; step < 4; ++step) {
    backlog.add(stepWith(step, step < 3 ? 5 : 0));
    backlog.add(wire::ObserveCost{.first_step = step, .last_step = step});
    backlog.add(wire::Event{.step = step});
  }
  backlog.shorten();
  const auto& left = backlog.entries();
  const auto count = [&left]<class T>(const T* /*type*/) {
    return std::count_if(left.begin(), left.end(),
                         [](const Outgoing& item) { return std::holds_alternative<T>(item); });
  };
  QCOMPARE(count(static_cast<const wire::StepRecord*>(nullptr)), 4);
  QCOMPARE(count(static_cast<const wire::Event*>(nullptr)), 4);
  QCOMPARE(count(static_cast<const wire::ObserveCost*>(nullptr)), 1);
  const auto steps = stepsOf(left);
  QCOMPARE(steps[0].observations.size() + steps[1].observations.size(), std::size_t{0});
  QCOMPARE(steps[2].observations.size(), std::size_t{5});
  QCOMPARE(backlog.observations(), std::size_t{5});
  QVERIFY((backlog.left_out() == host::LeftOut{.statistics = 10, .steps = 0, .reports = 3}));
}

// Answers keep their order, and so does all else. The newest statistics are not lost for an answer.
void SlowExplorer::onASlowLinkAnAnswerOvertakes() {
  Backlog backlog;
  for (int step = 0; step < 3; ++step) backlog.add(stepWith(step, 5));
  backlog.add(wire::Response{7, nlohmann::json::object()});
  backlog.add(wire::Event{.step = 2});
  backlog.add(wire::Response{8, nlohmann::json::object()});
  backlog.shorten();
  QCOMPARE(backlog.observations(), std::size_t{5});
  for (const std::int64_t id : {7, 8}) {
    const auto message = backlog.next(host::kSmallBatches);
    QVERIFY(message && std::holds_alternative<wire::Response>(*message));
    QCOMPARE(std::get<wire::Response>(*message).id, id);
  }
  QCOMPARE(backlog.responses(), std::size_t{0});
  QCOMPARE(stepsOf(backlog.entries()).size(), std::size_t{3});
  const auto steps = backlog.next(host::kSmallBatches);
  const auto batch = wire::decode<wire::StepBatch>(std::get<wire::Notification>(*steps).params);
  QCOMPARE(batch.steps.size(), std::size_t{3});
  for (std::size_t i = 0; i < 3; ++i) QCOMPARE(batch.steps[i].step, static_cast<std::int64_t>(i));
  QCOMPARE(backlog.observations(), std::size_t{0});
  QCOMPARE(std::get<wire::Notification>(*backlog.next(host::kSmallBatches)).method, std::string("run.event"));
  QVERIFY(!backlog.next(host::kSmallBatches));
}

void SlowExplorer::elsewhereAnAnswerKeepsItsPlace() {
  Backlog backlog;
  backlog.add(stepWith(1, 5));
  backlog.add(wire::Response{7, nlohmann::json::object()});
  QVERIFY(std::holds_alternative<wire::Notification>(*backlog.next()));
  QCOMPARE(backlog.responses(), std::size_t{1});
  QVERIFY(std::holds_alternative<wire::Response>(*backlog.next()));
  QCOMPARE(backlog.responses(), std::size_t{0});
}

void SlowExplorer::whatIsLeftOutIsCounted() {
  Backlog backlog({.observations = 10, .entries = 8});
  std::int64_t steps = 0;
  for (; steps < 100; ++steps) backlog.add(stepWith(steps, 2));
  const auto left = static_cast<std::int64_t>(stepsOf(backlog.entries()).size());
  QCOMPARE(backlog.left_out().steps, steps - left);
  QCOMPARE(backlog.left_out().statistics, 2 * steps - static_cast<std::int64_t>(backlog.observations()));
}

void SlowExplorer::aComparisonThatARunMadeIsToldToo() {
  Backlog backlog;
  const wire::Float32Comparison compared{7, 0.5, 0.25, 1024, {{1, 2, 0.125, 0.0625, true, 0.5, 0.75, 0.375}}};
  backlog.add(compared);
  const auto messages = messagesOf(backlog.take());
  QCOMPARE(messages.size(), std::size_t{1});
  const auto& told = std::get<wire::Notification>(messages[0]);
  QCOMPARE(told.method, std::string("run.comparison"));
  QVERIFY(wire::decode<wire::Float32Comparison>(told.params) == compared);
}

void SlowExplorer::quantizedOperandsCountAsStatistics() {
  const auto quantized = [](std::int64_t step) {
    wire::QuantizedStep made{step, {}};
    made.operands.resize(4);
    return made;
  };
  const auto left = [](const Backlog& backlog) {
    std::vector<std::int64_t> steps;
    for (const Outgoing& item : backlog.entries())
      if (const auto* found = std::get_if<wire::QuantizedStep>(&item)) steps.push_back(found->step);
    return steps;
  };
  Backlog backlog({.observations = 10, .entries = 100});
  for (int step = 0; step < 2; ++step) backlog.add(quantized(step));
  QCOMPARE(backlog.observations(), std::size_t{8});
  backlog.add(quantized(2));  // beyond the limit: the older ones go
  QCOMPARE(left(backlog), std::vector<std::int64_t>{2});
  QCOMPARE(backlog.observations(), std::size_t{4});
  QCOMPARE(backlog.left_out().reports, 2);
  backlog.add(quantized(3));
  backlog.shorten();  // the newest counts
  QCOMPARE(left(backlog), std::vector<std::int64_t>{3});
  QCOMPARE(backlog.observations(), std::size_t{4});
  QVERIFY(backlog.next().has_value());
  QCOMPARE(backlog.observations(), std::size_t{0});
}

void SlowExplorer::stepsInARowAreOneMessageAndTheOrderIsKept() {
  Backlog backlog;
  backlog.add(wire::Response{7, nlohmann::json::object()});
  backlog.add(stepWith(0, 2));
  backlog.add(stepWith(1, 2));
  backlog.add(wire::Event{});
  backlog.add(stepWith(2, 2));
  QCOMPARE(backlog.observations(), std::size_t{6});
  QCOMPARE(backlog.responses(), std::size_t{1});
  const auto messages = messagesOf(backlog.take());
  QVERIFY(backlog.empty());
  QCOMPARE(backlog.observations(), std::size_t{0});
  QCOMPARE(messages.size(), std::size_t{4});
  QCOMPARE(std::get<wire::Response>(messages[0]).id, std::int64_t{7});
  const auto steps = [&](std::size_t i) {
    return wire::decode<wire::StepBatch>(std::get<wire::Notification>(messages[i]).params).steps;
  };
  QCOMPARE(steps(1).size(), std::size_t{2});
  QCOMPARE(std::get<wire::Notification>(messages[2]).method, std::string("run.event"));
  QCOMPARE(steps(3)[0].step, std::int64_t{2});
}

void SlowExplorer::aBatchHasNoMoreThanAFrameMayHold() {
  Backlog backlog({.observations = 1'000'000, .entries = 100'000});
  for (int i = 0; i < 5'000; ++i) backlog.add(stepWith(i, i < 30 ? 1'000 : 0));
  std::int64_t next = 0;
  const auto messages = messagesOf(backlog.take());
  QVERIFY(messages.size() >= 5);
  for (const wire::Message& message : messages) {
    wire::FrameReader reader;
    reader.feed(wire::frame(message));
    const auto back = std::get<wire::Notification>(*reader.next());
    for (const auto& step : wire::decode<wire::StepBatch>(back.params).steps) QCOMPARE(step.step, next++);
  }
  QCOMPARE(next, std::int64_t{5'000});
}

void SlowExplorer::beyondTheLimitOlderStepsLoseStatisticsOnly() {
  Backlog backlog({.observations = 1'000, .entries = 100'000});
  for (int i = 0; i < 500; ++i) {
    backlog.add(stepWith(i, 10));
    QVERIFY(backlog.observations() <= 1'000);
  }
  const auto steps = stepsOf(backlog.take());
  QCOMPARE(steps.size(), std::size_t{500});
  bool has = false;
  for (const auto& step : steps) {
    QVERIFY(!has || !step.observations.empty());  // the newer ones, without gaps
    has = !step.observations.empty();
  }
  QVERIFY(has);
  QVERIFY(steps[0].observations.empty());
}

void SlowExplorer::beyondTheLimitOlderStepsAreThinned() {
  Backlog backlog({.observations = 100, .entries = 1'000});
  for (int i = 0; i < 50'000; ++i) {
    backlog.add(stepWith(i, 1));
    QVERIFY(backlog.size() <= 1'000);
    QVERIFY(backlog.observations() <= 100);
  }
  const auto steps = stepsOf(backlog.take());
  QVERIFY(steps.size() >= 500);
  QCOMPARE(steps.back().step, std::int64_t{49'999});
  for (std::size_t i = 1; i < steps.size(); ++i) QVERIFY(steps[i].step > steps[i - 1].step);
  for (std::size_t i = steps.size() - 300; i < steps.size(); ++i) QCOMPARE(steps[i].step, steps[i - 1].step + 1);
}

void SlowExplorer::whatMustArriveArrives() {
  Backlog backlog({.observations = 100, .entries = 200});
  backlog.add(wire::RunStarted{});
  for (int i = 0; i < 3'000; ++i) {
    auto step = stepWith(i, 0);
    step.stepped = i % 2 == 0;  // skipped steps go last, and go
    if (i % 1'000 == 0) step.new_tensors.resize(1);
    backlog.add(step);
    backlog.add(wire::Event{});
    backlog.add(wire::LogLine{});
    if (i % 1'000 == 500) backlog.add(wire::PolicyApplied{});
    if (i % 1'000 == 600) backlog.add(wire::Response{});
    QVERIFY(backlog.size() <= 200);
  }
  backlog.add(wire::Finished{});
  const auto items = backlog.take();
  const auto count = [&](auto kind) {
    return std::count_if(items.begin(), items.end(),
                         [](const Outgoing& item) { return std::holds_alternative<decltype(kind)>(item); });
  };
  QCOMPARE(count(wire::RunStarted{}), 1);
  QCOMPARE(count(wire::PolicyApplied{}), 3);
  QCOMPARE(count(wire::Response{}), 3);
  QCOMPARE(count(wire::Finished{}), 1);
  int declared = 0;
  for (const auto& step : stepsOf(items)) declared += static_cast<int>(step.new_tensors.size());
  QCOMPARE(declared, 3);
}

void SlowExplorer::ofStatesInARowTheLastCounts() {
  Backlog backlog;
  backlog.add(wire::StateChanged{wire::RunState::kRunning, 3});
  backlog.add(wire::StateChanged{wire::RunState::kPaused, 4});
  backlog.add(stepWith(4, 0));
  backlog.add(wire::StateChanged{wire::RunState::kRunning, 5});
  const auto items = backlog.take();
  QCOMPARE(items.size(), std::size_t{3});
  QVERIFY((std::get<wire::StateChanged>(items[0]) == wire::StateChanged{wire::RunState::kPaused, 4}));
}

BINADE_SUITE(SlowExplorer);
#include "tst_backlog.moc"
