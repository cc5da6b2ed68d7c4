// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <set>
#include <string>

using namespace binade;
using wire::kRouteOf;

namespace {

template <class... T>
constexpr bool areDifferent(wire::TypeList<T...> /*types*/) {
  const auto count = []<class Each>(wire::TypeList<Each> /*type*/) { return (int{std::same_as<Each, T>} + ...); };
  return ((count(wire::TypeList<T>{}) == 1) && ...);
}

/// One filled value of everything that the explorer receives of a run.
std::vector<wire::RunNotification> samples() {
  return {
      test::sampleStarted(),
      wire::StateChanged{wire::RunState::kPaused, 7},
      wire::StepBatch{{test::sampleStep(3), test::sampleStep(4)}},
      test::sampleEvent(3),
      wire::Evaluated{8, 0.75, 0.5},
      test::samplePolicyApplied(4, 9),
      wire::ScalerChanged{5, test::sampleConfig().scalers.back(), 256},
      wire::CheckpointInfo{"/runs/25.safetensors", 25, "edit", 3, "sample:cnn", 1u << 30, 1'790'000'000, 0.25},
      wire::Rewound{25, "/runs/25.safetensors"},
      wire::LogLine{"warning", "BatchNorm in train mode"},
      test::sampleProfile(6),
      test::sampleCasts(2, 30),
      test::sampleComparison(5),
      test::sampleQuantized(5),
      test::sampleSilentReport(4),
      wire::ObserveCost{1, 90, 12, 0.25, 1.5, 1.125, 1.0625, 1.25},
      wire::Finished{wire::Outcome::kFailed, 12, "the disk is full", "make room"},
      wire::Peers{2, 1, {{1, "anna at desk", 1'790'000'000}, {2, "process 7", 1'790'000'060}}},
      wire::CaughtUp{70'000, 4'464, 1'200},
      wire::LinkMark{9},
      wire::LinkDetail{true, 0.25, 1.25e6, 600, 3, 2},
  };
}

}  // namespace

/// The table from which sending, recording and decoding of a run's notifications follow.
class Notifications : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyTypeHasOneRow();
  void everyMethodIsUnique();
  void everyNotificationComesBackFromItsMessage();
  void anUnknownMethodIsNoNotification();
  void aMissingFieldIsNamed();
  void aReferenceKnowsItsType();
};

void Notifications::everyTypeHasOneRow() {
  static_assert(areDifferent(wire::Reported{}));
  static_assert(areDifferent(wire::Received{}));
  static_assert(areDifferent(wire::Recorded{}));
  static_assert(std::variant_size_v<wire::SentNotification> == std::variant_size_v<wire::RunNotification>);
  static_assert(kRouteOf<wire::StepRecord>.method == kRouteOf<wire::StepBatch>.method);
  // What never leaves the engine has no method.
  static_assert(!wire::OneOf<wire::StepTimes, wire::Sent> && !wire::OneOf<wire::ProfileConfig, wire::Sent>);
  // A Try comes from another process, by another way.
  static_assert(wire::OneOf<wire::Trial, wire::Recorded> && !wire::OneOf<wire::Trial, wire::Sent>);
  static_assert(wire::OneOf<wire::Note, wire::Recorded> && !wire::OneOf<wire::Note, wire::Sent>);
  static_assert(!wire::OneOf<wire::StateChanged, wire::Recorded> && !wire::OneOf<wire::ObserveCost, wire::Recorded>);
}

void Notifications::everyMethodIsUnique() {
  const std::vector<wire::RunNotification> all = samples();
  std::set<std::string_view> methods;
  for (const auto& each : all) {
    std::visit([&]<class T>(const T& /*value*/) { methods.insert(kRouteOf<T>.method); }, each);
  }
  QCOMPARE(methods.size(), std::variant_size_v<wire::RunNotification>);
  QVERIFY(!methods.contains({}));
}

void Notifications::everyNotificationComesBackFromItsMessage() {
  std::set<std::size_t> tried;
  for (const auto& each : samples()) {
    const wire::Notification message = std::visit([](const auto& value) { return wire::notification_of(value); }, each);
    const auto bytes = nlohmann::json::to_cbor(wire::encode_message(message));
    const wire::Message back = wire::decode_message(nlohmann::json::from_cbor(bytes));
    const auto decoded = wire::decode_notification(std::get<wire::Notification>(back));
    QVERIFY2(decoded == each, message.method.c_str());
    tried.insert(each.index());
  }
  QCOMPARE(tried.size(), std::variant_size_v<wire::RunNotification>);  // samples() has one of each
}

void Notifications::anUnknownMethodIsNoNotification() {
  QVERIFY(!wire::decode_notification({"run.tomorrow", nlohmann::json::object()}));
  QVERIFY(!wire::decode_notification({"", wire::encode(wire::ProfileConfig{})}));
}

void Notifications::aMissingFieldIsNamed() {
  try {
    wire::decode_notification({"run.rewound", {{"step", 3}}});
    QFAIL("nothing was thrown");
  } catch (const Error& error) {
    QCOMPARE(std::string(error.what()), std::string("file is missing"));
  }
}

void Notifications::aReferenceKnowsItsType() {
  const wire::LogLine line{"info", "here"};
  const wire::NotificationRef reference = line;
  QCOMPARE(reference.get_if<wire::LogLine>(), &line);  // no copy
  QVERIFY(reference.get_if<wire::Event>() == nullptr);
  int visits = 0;
  reference.visit(wire::Overloaded{
      [&](const wire::LogLine& value) { visits += &value == &line ? 1 : 0; },
      [&](const auto& /*other*/) { visits += 100; },
  });
  QCOMPARE(visits, 1);
}

BINADE_SUITE(Notifications);
#include "tst_notifications.moc"
