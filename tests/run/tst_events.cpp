// SPDX-License-Identifier: Apache-2.0
#include "engine/run/events.h"
#include "engine/words/event_text.h"
#include "engine/words/scale_text.h"
#include "tests/support/suite.h"

#include <cmath>
#include <limits>

using namespace binade;
using Kind = wire::WatchedTensor::Kind;

namespace {

/// fc1 -> fc2 -> loss; tensors 0 and 1 are outputs, 2 and 3 gradients for the weights, 4 one that reaches an output.
const std::vector<wire::SiteInfo>& sites() {
  static const std::vector<wire::SiteInfo> all = [] {
    std::vector<wire::SiteInfo> list(3);
    list[0].key = {.path = "fc1", .method = "", .op = "aten::linear", .overload = "", .ordinal = 0};
    list[1].key = {.path = "fc2", .method = "", .op = "aten::linear", .overload = "", .ordinal = 0};
    list[2].key = {.path = "loss", .method = "", .op = "aten::log_softmax", .overload = "int", .ordinal = 0};
    return list;
  }();
  return all;
}

const std::vector<wire::WatchedTensor>& watched() {
  static const std::vector<wire::WatchedTensor> all{
      {0, 0, Kind::kOutput, "", formats::kFloat16, true},
      {1, 1, Kind::kOutput, "", formats::kFloat16, false},
      {2, 1, Kind::kInputGradient, "weight", formats::kFloat16, true},
      {3, 0, Kind::kInputGradient, "weight", formats::kFloat16, false},
      {4, 1, Kind::kOutputGradient, "", formats::kBFloat16, false},
  };
  return all;
}

wire::Observation seen(int tensor, std::uint64_t overflow, std::uint64_t infinite, std::uint64_t nan,
                       float largest = 1) {
  wire::Observation observation{tensor, {}};
  observation.stats.count = 100;
  observation.stats.overflow = overflow;
  observation.stats.positive_infinity = infinite;
  observation.stats.nan = nan;
  observation.stats.largest = largest;
  return observation;
}

wire::StepRecord record(bool found_inf, std::vector<wire::Observation> observations, double loss = 0.5) {
  wire::StepRecord made;
  made.step = 731;
  made.loss = loss;
  made.scale = std::ldexp(1.0, 19);
  made.found_inf = found_inf;
  made.observations = std::move(observations);
  return made;
}

std::vector<wire::Event> events(const wire::StepRecord& of, const std::vector<std::string>& bad = {}) {
  return run::events_of(of, watched(), bad);
}

QString sentence(const wire::Event& event) {
  const words::Names names{sites(), [](int id) { return &watched()[static_cast<std::size_t>(id)]; }};
  return QString::fromStdString(words::sentence_of(event, names));
}

}  // namespace

class TestEvents : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aCleanStepHasNoEvent();
  void theFirstGradientBeyondItsFormatIsNamed();
  void aNanGradientIsNotCalledAnOverflow();
  void withoutObservationTheParameterIsNamed();
  void aForwardOverflowSaysHowFarItWent();
  void harmlessInfinitiesAreNoEvent();
  void aNonFiniteLossComesBeforeItsGradients();
  void aDiagnosedStepIsOneEvent();
  void anOverflowApartFromAGradientsCauseStays();
  void anEventIsOfTheRankWhoseExamplesCausedIt();
  void scalesAreWrittenAsPowersOfTwo();
};

void TestEvents::aCleanStepHasNoEvent() {
  QVERIFY(events(record(false, {seen(0, 0, 0, 0), seen(2, 0, 0, 0)})).empty());
}

void TestEvents::theFirstGradientBeyondItsFormatIsNamed() {
  const auto all = events(record(true, {seen(0, 0, 0, 0), seen(4, 0, 0, 0), seen(2, 3, 0, 0, 7e4F), seen(3, 0, 9, 2)}));
  QCOMPARE(all.size(), 1u);
  QCOMPARE(all[0].kind, wire::Event::Kind::kGradientOverflow);
  QCOMPARE(sentence(all[0]),
           QStringLiteral("Gradient of fc2 weight overflowed in float16 at step 731: scale 2^19 is too "
                          "high for this batch."));
  QCOMPARE(all[0].tensors.size(), 2u);
  QCOMPARE(all[0].tensors[0].tensor, 2);
  QCOMPARE(all[0].tensors[0].site, 1);
  QCOMPARE(all[0].tensors[0].overflow, 3u);
  QCOMPARE(all[0].tensors[1].non_finite, 11u);
  QCOMPARE(all[0].scale, 524288.0);
}

void TestEvents::aNanGradientIsNotCalledAnOverflow() {
  const auto all = events(record(true, {seen(4, 0, 0, 5)}));
  QCOMPARE(sentence(all.at(0)),
           QStringLiteral("Gradient of the output of fc2 (linear) was NaN at step 731: the forward "
                          "was finite, so its backward made it."));
}

void TestEvents::withoutObservationTheParameterIsNamed() {
  const auto all = events(record(true, {}), {"fc1.weight", "fc1.bias"});
  QCOMPARE(
      sentence(all.at(0)),
      QStringLiteral("Gradient of fc1.weight was not finite at step 731: scale 2^19 may be too high for this batch."));
}

void TestEvents::aForwardOverflowSaysHowFarItWent() {
  const auto all = events(record(false, {seen(0, 2, 0, 0, 7.1e4F), seen(1, 0, 4, 0)}));
  QCOMPARE(all.size(), 1u);
  QCOMPARE(all[0].kind, wire::Event::Kind::kForwardOverflow);
  QCOMPARE(sentence(all[0]),
           QStringLiteral("Output of fc1 (linear) overflowed in float16 at step 731: it reached 71000, "
                          "and the format ends at 65504."));
  QCOMPARE(all[0].tensors.size(), 1u);  // the infinity downstream did no harm to the loss
}

void TestEvents::harmlessInfinitiesAreNoEvent() {
  QVERIFY(events(record(false, {seen(1, 0, 4, 0)})).empty());
  QCOMPARE(events(record(false, {seen(1, 0, 4, 1)})).size(), 1u);  // a NaN is never wanted
}

void TestEvents::aNonFiniteLossComesBeforeItsGradients() {
  const auto all = events(record(true, {seen(1, 0, 4, 0), seen(2, 0, 0, 8)}, std::numeric_limits<double>::quiet_NaN()));
  QCOMPARE(all.size(), 3u);
  QCOMPARE(all[0].kind, wire::Event::Kind::kForwardOverflow);
  QCOMPARE(all[1].kind, wire::Event::Kind::kNonFiniteLoss);
  QCOMPARE(sentence(all[1]), QStringLiteral("The loss was NaN at step 731."));
  QCOMPARE(all[2].kind, wire::Event::Kind::kGradientOverflow);
  QVERIFY(sentence(all[2]).contains(QStringLiteral("no loss scale helps")));
}

/// What a mask holds, and what only followed from the first cause, is nobody's overflow.
void TestEvents::aDiagnosedStepIsOneEvent() {
  wire::Diagnosis found;
  found.verdict = wire::Verdict::kInvalidOperation;
  wire::Root& root = found.roots.emplace_back();
  root.fault = wire::Root::Fault::kInvalid;
  root.site = 2;
  const auto of =
      record(true, {seen(0, 0, 8, 0), seen(1, 2, 4, 1), seen(2, 0, 0, 8)}, std::numeric_limits<double>::quiet_NaN());
  const auto all = run::events_of(of, watched(), {}, &found);
  QCOMPARE(all.size(), 1u);
  QCOMPARE(all[0].kind, wire::Event::Kind::kNonFiniteLoss);
  QVERIFY(all[0].diagnosis.has_value());
  const auto* facts = std::get_if<wire::NotFinite>(&all[0].facts);
  QVERIFY(facts != nullptr && facts->by_scaler);
  QCOMPARE(facts->loss, wire::NotFinite::Loss::kNaN);
  QVERIFY(sentence(all[0]).startsWith(QStringLiteral("loss (log_softmax) has no finite result for its arguments")));
  QCOMPARE(all[0].tensors.size(), 2u);
}

void TestEvents::anOverflowApartFromAGradientsCauseStays() {
  wire::Diagnosis found;
  found.direction = wire::Direction::kBackward;
  wire::Root& root = found.roots.emplace_back();
  root.fault = wire::Root::Fault::kOverflow;
  root.direction = wire::Direction::kBackward;
  root.site = 1;
  root.what = "weight";
  const auto of = record(true, {seen(0, 2, 0, 0, 7.1e4F), seen(1, 3, 0, 0, 7e4F), seen(2, 3, 0, 0, 7e4F)});
  const auto all = run::events_of(of, watched(), {}, &found);
  QCOMPARE(all.size(), 2u);
  QCOMPARE(all[0].kind, wire::Event::Kind::kGradientOverflow);
  QCOMPARE(all[1].kind, wire::Event::Kind::kForwardOverflow);
  QCOMPARE(all[1].tensors.size(), 1u);
  QCOMPARE(all[1].tensors[0].site, 0);
}

void TestEvents::anEventIsOfTheRankWhoseExamplesCausedIt() {
  auto of = record(true, {seen(1, 2, 4, 1), seen(2, 0, 0, 8)});
  QVERIFY(!events(of).back().rank);  // one process
  for (int rank = 0; rank < 3; ++rank) {
    wire::RankFacts& facts = of.ranks.emplace_back();
    facts.rank = rank;
  }
  QVERIFY(!events(of).back().rank);  // only the sum of the ranks is not finite
  of.ranks[1].found_inf = true;
  for (const wire::Event& each : events(of)) QCOMPARE(each.rank, std::optional(1));
  QVERIFY(sentence(events(of).back()).endsWith(QStringLiteral("This happened on rank 1.")));
  of.ranks[2].found_inf = true;
  QVERIFY(!events(of).back().rank);  // of two ranks, none was asked
  wire::Diagnosis found;
  found.roots.emplace_back().fault = wire::Root::Fault::kOverflow;
  QCOMPARE(run::events_of(of, watched(), {}, &found).front().rank, std::optional(1));  // it made the diagnosis
}

void TestEvents::scalesAreWrittenAsPowersOfTwo() {
  QCOMPARE(words::scale_text(65536), std::string("2^16"));
  QCOMPARE(words::scale_text(1), std::string("2^0"));
  QCOMPARE(words::scale_text(0.125), std::string("2^-3"));
  QCOMPARE(words::scale_text(1000), std::string("1000"));
}

BINADE_SUITE(TestEvents);
#include "tst_events.moc"
