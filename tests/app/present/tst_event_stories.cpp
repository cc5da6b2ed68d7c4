// SPDX-License-Identifier: Apache-2.0
// What the inspector says of an event, before any widget shows it.
#include "app/present/event_story.h"
#include "app/present/event_text.h"
#include "app/present/event_words.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QTest>

#include <algorithm>

namespace {

using namespace binade;
using app::EventStory;
using app::storyOf;
using views::VerdictShape;

int add(app::RunModel& run, const wire::Event& event) {
  run.addEvent(event);
  return static_cast<int>(run.events().size()) - 1;
}

QString factOf(const EventStory& story, const QString& name) {
  const auto found = std::find_if(story.facts.begin(), story.facts.end(),
                                  [&](const EventStory::Fact& fact) { return fact.name == name; });
  return found == story.facts.end() ? QString() : found->value;
}

class EventStories : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theSafeScalesOfTheStepStandAmongTheFacts() {
    app::RunModel run;
    test::feedRun(run, 3);
    const auto fact = [&](const wire::ScaleBand& band, wire::Verdict verdict = wire::Verdict::kScaleHeld) {
      wire::Diagnosis found = test::benignOverflow(65536);
      found.band = band;
      found.verdict = verdict;
      const EventStory story =
          storyOf(run, add(run, test::diagnosed(2, wire::Event::Kind::kGradientOverflow, 65536, found)));
      for (const EventStory::Fact& each : story.facts) {
        if (each.name == QStringLiteral("Safe scales, by the replay")) return each;
      }
      return EventStory::Fact();
    };
    QCOMPARE(fact({3, 17, 1, 2, false}).value, QStringLiteral("2³ … 2¹⁷"));
    QCOMPARE(fact({std::nullopt, 17, -1, 2, true}).value, QStringLiteral("up to 2¹⁷ (bounds)"));
    const EventStory::Fact none = fact({9, 4, 1, 2, false});
    QCOMPARE(none.value, QStringLiteral("none (underflow below 2⁹, overflow above 2⁴)"));
    QVERIFY(none.crimson);
    // The explanation of a harmless event has them.
    QVERIFY(fact({3, 17, 1, 2, false}, wire::Verdict::kBenign).value.isEmpty());
  }

  void whyIsThisRedSpeaksOfWhereItBegan() {
    using Fault = wire::Root::Fault;
    app::RunModel run;
    test::feedRun(run, 3);
    const auto why = [&](Fault fault) {
      wire::Diagnosis found = test::forwardOverflow();
      found.roots.front().fault = fault;
      found.verdict = wire::Verdict::kInvalidOperation;
      return storyOf(run, add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, found))).whyRed;
    };
    const QString exponent = QStringLiteral("exponent bits");
    const QString format_helps = QStringLiteral("Use a wider format or smaller values");
    for (const Fault fault : {Fault::kOverflow, Fault::kCast, Fault::kSum}) {
      QVERIFY(why(fault).contains(exponent));
      QVERIFY(why(fault).contains(format_helps));
    }
    // Where the format has no part in it, it is not what is spoken of.
    for (const Fault fault : {Fault::kInvalid, Fault::kData, Fault::kParameter, Fault::kBuffer, Fault::kUnknown}) {
      QVERIFY2(!why(fault).contains(exponent), qPrintable(why(fault)));
      QVERIFY2(!why(fault).contains(format_helps), qPrintable(why(fault)));
    }
    QVERIFY(why(Fault::kInvalid).contains(QStringLiteral("logarithm of 0")));
    QVERIFY(why(Fault::kData).startsWith(QStringLiteral("The batch contains")));
    QVERIFY(why(Fault::kBuffer).contains(QStringLiteral("batch norm")));
  }

  void theRowsOfTheBatchWhereItLiesAreNamed() {
    app::RunModel run;
    test::feedRun(run, 3);
    const auto fact = [&](const wire::BadRows& rows, const char* name) {
      wire::Diagnosis found = test::forwardOverflow();
      found.roots.front().rows = rows;
      const int event = add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, found));
      return factOf(storyOf(run, event), QString::fromLatin1(name));
    };
    QCOMPARE(fact({0, 64, 1, {17}, {88}}, "Rows of the batch not finite"),
             QStringLiteral("row 17 of 64 (example 88 of the data)"));
    QCOMPARE(fact({0, 64, 2, {3, 17}, {}}, "Rows of the batch not finite"), QStringLiteral("rows 3 and 17 of 64"));
    QCOMPARE(fact({1, 64, 9, {0, 1, 2, 3, 4}, {}}, "Rows not finite, batch 2 of the step"),
             QStringLiteral("rows 0, 1, 2 and 6 more of 64"));
    QCOMPARE(fact({0, 64, 64, {0, 1}, {}}, "Rows of the batch not finite"), QStringLiteral("all 64"));
  }

  void aProvedCauseComesWithVerdictChainAndFix() {
    app::RunModel run;
    test::feedRun(run, 3);
    const double scale = run.steps()[2].scale;
    const int index =
        add(run, test::diagnosed(2, wire::Event::Kind::kGradientOverflow, scale, test::benignOverflow(scale)));
    const EventStory story = storyOf(run, index);
    QVERIFY(story.sentence.startsWith(QStringLiteral("The gradient of fc2")));
    QVERIFY(story.sentence.contains(QStringLiteral("2²²")));
    QVERIFY(story.replayed);
    QVERIFY(story.harmless);
    QVERIFY(story.verdict.startsWith(QStringLiteral("Harmless")));
    QCOMPARE(story.source, QStringLiteral("fashion_cnn.py:32"));
    // The finite value that came in, the cause, where it ended, and at last what the scaler did.
    QVERIFY(story.chain.size() >= 4);
    QVERIFY(story.chain[0].shape == VerdictShape::kFits);
    QCOMPARE(story.chain[0].value, QStringLiteral("6,238"));
    QCOMPARE(story.chain[0].format, QStringLiteral("float16"));
    QVERIFY(story.chain[1].cause);
    QVERIFY(story.chain[1].shape == VerdictShape::kOverflow);
    QCOMPARE(story.chain[1].call, QStringLiteral("fc2/aten::linear#0"));
    QCOMPARE(story.chain[1].id, test::kFc2);
    QCOMPARE(story.chain[2].call, QStringLiteral("fc2.weight"));
    QCOMPARE(story.chain.back().what, QStringLiteral("step skipped"));
    QCOMPARE(story.chain.back().note, QStringLiteral("scale 2²² → 2²¹"));
    QVERIFY(story.chain.back().shape == VerdictShape::kSkipped);
    QCOMPARE(factOf(story, QStringLiteral("Line of the model")), QStringLiteral("fashion_cnn.py:32"));
    // What was tried, and which of it is the smallest.
    QCOMPARE(static_cast<int>(story.tried.size()), 3);
    QVERIFY(story.tried[0].finite && story.tried[0].smallest);
    QCOMPARE(story.tried[0].change.scale, scale / 2);
    QVERIFY(story.tried[1].finite && !story.tried[1].smallest);
    QCOMPARE(story.tried[1].change.scale, 0.0);
    QCOMPARE(story.tried[1].change.rules.size(), std::size_t(1));
    QVERIFY(!story.tried[2].finite);
    QVERIFY(story.replayNote.contains(QStringLiteral("step-7.safetensors")));
  }

  void aForwardOverflowAsksForAFormatNotForAScale() {
    app::RunModel run;
    test::feedRun(run, 3);
    const int index = add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    const EventStory story = storyOf(run, index);
    QVERIFY(!story.harmless);
    QVERIFY(story.explanation.contains(QStringLiteral("No loss scale alone helps")));
    QVERIFY(story.tried[1].smallest);
    QCOMPARE(story.tried[1].change.scale, 0.0);
    QCOMPARE(QString::fromStdString(formats::name(story.tried[1].change.rules.front().format)),
             QStringLiteral("bfloat16"));
    QCOMPARE(static_cast<int>(std::count_if(story.chain.begin(), story.chain.end(),
                                            [](const views::ChainRow& row) { return row.cause; })),
             1);
    QCOMPARE(story.chain.back().call, QStringLiteral("loss"));
    const std::vector<int> path{test::kFc1, test::kFc2, 12};
    QVERIFY(app::pathOf(run.events()[static_cast<std::size_t>(index)]) == path);
  }

  // The observed tensors of the op call are its results: their figures say nothing of the argument.
  void anOverflowInACastHasTheFiguresOfTheArgument() {
    app::RunModel run;
    test::feedRun(run, 2);
    wire::Diagnosis found = test::forwardOverflow();
    wire::Root& root = found.roots.front();
    root.fault = wire::Root::Fault::kCast;
    root.what = "input";
    root.inputs = {{"input", "float32", 4.7, 99999, 12544, 0, 0, 0}, {"weight", "float32", 0.1, 0.3, 144, 0, 0, 0}};
    wire::Event event = test::diagnosed(1, wire::Event::Kind::kForwardOverflow, 65536, found);
    event.tensors = run.events()[0].tensors;
    QVERIFY(!event.tensors.empty());
    event.tensors.resize(1);
    event.tensors[0].site = test::kFc1;
    event.tensors[0].largest = 71104;
    event.tensors[0].overflow = 2;
    const EventStory story = storyOf(run, add(run, event));
    QCOMPARE(factOf(story, QStringLiteral("Tensor")), QStringLiteral("input, after its cast"));
    QCOMPARE(factOf(story, QStringLiteral("Largest before the cast")), QStringLiteral("99,999"));
    QVERIFY(factOf(story, QStringLiteral("Largest before rounding")).isEmpty());
    QCOMPARE(story.chain[0].what, QStringLiteral("input, after its cast"));
    QCOMPARE(story.chain[0].value, QStringLiteral("99,999"));
    QVERIFY(story.chain[0].cause);
    // Next comes the result of the same op call, with its own count.
    QCOMPARE(story.chain[1].id, test::kFc1);
    QVERIFY(!story.chain[1].cause);
    QVERIFY(story.chain[1].what != story.chain[0].what);
    QVERIFY(story.chain[1].value != story.chain[0].value);
  }

  void withoutAReplayNoCauseIsClaimed() {
    app::RunModel run;
    test::feedRun(run, 2);
    QVERIFY(!run.events().empty());
    const EventStory story = storyOf(run, 0);
    QVERIFY(!story.replayed);
    QVERIFY(story.verdict.startsWith(QStringLiteral("Not replayed")));
    QVERIFY(story.tried.isEmpty());
    QVERIFY(!story.chain.empty());
    QCOMPARE(story.chain[0].note, QStringLiteral("Executed first"));
    for (const views::ChainRow& row : story.chain) QVERIFY(row.note != QStringLiteral("First cause"));
  }

  void theFactsSayWhatTheFormatHoldsAndHowFarBeyondItWas() {
    app::RunModel run;
    test::feedRun(run, 2);
    const EventStory story = storyOf(run, 0);
    QCOMPARE(factOf(story, QStringLiteral("float16 overflows from")), QStringLiteral("65,520"));
    QVERIFY(factOf(story, QStringLiteral("Format")).contains(QStringLiteral("float16")));
    QVERIFY(factOf(story, QStringLiteral("Doublings left")).startsWith(u'−'));
    QVERIFY(!factOf(story, QStringLiteral("Largest before rounding")).isEmpty());
  }

  void aLittleTooMuchIsToldInHundredths() {
    app::RunModel run;
    test::feedRun(run, 2);
    wire::Event event = run.events()[0];
    event.tensors.resize(1);
    event.tensors[0].largest = 66306;
    const EventStory story = storyOf(run, add(run, event));
    QCOMPARE(factOf(story, QStringLiteral("Doublings left")), QStringLiteral("−0.02"));
  }

  void whyItIsRedStartsFromWhatANumberIs() {
    app::RunModel run;
    test::feedRun(run, 2);
    const EventStory story = storyOf(run, 0);
    QVERIFY(story.whyRed.contains(QStringLiteral("5 exponent bits")));
    QVERIFY(story.whyRed.contains(QStringLiteral("65,504")));
    QVERIFY(story.whyRed.contains(QStringLiteral("65,520")));
    QVERIFY(story.whyRed.contains(QStringLiteral("Infinity minus infinity")));
    QVERIFY(story.whyRed.contains(QStringLiteral("2²⁴")));
    QVERIFY(story.whyRed.contains(QStringLiteral("lowered the scale to 2²³")));
  }

  void inputsSayWhatCameInNotFinite() {
    app::RunModel run;
    test::feedRun(run, 3);
    const int index =
        add(run, test::diagnosed(2, wire::Event::Kind::kGradientOverflow, 1024, test::benignOverflow(1024)));
    const EventStory story = storyOf(run, index);
    QCOMPARE(static_cast<int>(story.inputs.size()), 2);
    QCOMPARE(story.inputs[0].notFinite, QStringLiteral("0"));
    QVERIFY(!story.inputs[0].crimson);
    QCOMPARE(story.inputs[0].zeros, QStringLiteral("12 of 640"));
    QCOMPARE(story.inputs[1].notFinite, QStringLiteral("2 inf, 1 NaN"));
    QVERIFY(story.inputs[1].crimson);
  }

  void theMiddleOfALongChainIsFolded() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Diagnosis found = test::forwardOverflow();
    for (int site = 1; site < 10; ++site) found.chain.push_back({site, 0, wire::Direction::kForward, "output"});
    const int index = add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 1024, found));
    const EventStory story = storyOf(run, index);
    const auto folded = std::find_if(story.chain.begin(), story.chain.end(),
                                     [](const views::ChainRow& row) { return !row.folded.empty(); });
    QVERIFY(folded != story.chain.end());
    QCOMPARE(static_cast<int>(folded->folded.size()), 12 - 4);
    QVERIFY(story.chain.front().cause);
  }

  void theChainEndsWithWhatStayedFinite() {
    app::RunModel run;
    test::feedRun(run, 3);
    // A step in which the gradients of conv1 and fc1 were observed, finite.
    wire::StepRecord record;
    record.step = 3;
    using Kind = wire::WatchedTensor::Kind;
    record.new_tensors = {{900, test::kFc1, Kind::kInputGradient, "weight", formats::kFloat16, false},
                          {901, 0, Kind::kInputGradient, "weight", formats::kFloat16, false},
                          {902, test::kFc2, Kind::kInputGradient, "weight", formats::kFloat16, false}};
    formats::TensorStats stats;
    stats.scan = true;
    stats.count = 100;
    stats.largest = 200;
    record.observations = {{900, stats}};
    stats.largest = 31'900;
    record.observations.push_back({901, stats});
    run.addSteps({record});
    wire::Event event = test::diagnosed(3, wire::Event::Kind::kGradientOverflow, 1024, test::benignOverflow(1024));
    event.tensors = {{902, test::kFc2, 0, 1, 70000}};
    const auto restOf = [&](const EventStory& story) {
      return std::find_if(story.chain.begin(), story.chain.end(),
                          [](const views::ChainRow& row) { return !row.folded.empty(); });
    };
    EventStory story = storyOf(run, add(run, event));
    auto rest = restOf(story);
    QVERIFY(rest != story.chain.end());
    QCOMPARE(rest->folded.size(), std::size_t(2));
    QCOMPARE(rest->value, QStringLiteral("≤ 31,900"));
    QCOMPARE(rest->what, QStringLiteral("2 op calls, folded"));
    QCOMPARE(rest->note, QStringLiteral("all finite"));
    QCOMPARE(rest->folded[0].id, test::kFc1);  // backward ran from there to the first op call
    QCOMPARE(rest->folded[1].id, 0);
    QVERIFY(rest->shape == VerdictShape::kFits);
    // Without an observation of that step, nothing is said.
    event.step = 4;
    story = storyOf(run, add(run, event));
    QVERIFY(restOf(story) == story.chain.end());
  }

  void theCauseSaysHowManyValuesOverflowed() {
    wire::RunStarted started = test::FakeRun().started();
    started.model.parameters = {{"fc2.weight", "float32", {10, 128}, true}};
    app::RunModel run;
    run.begin(started, app::RunModel::Source::kLive);
    wire::StepRecord record;
    record.step = 3;
    using Kind = wire::WatchedTensor::Kind;
    record.new_tensors = {{902, test::kFc2, Kind::kInputGradient, "weight", formats::kFloat16, false}};
    run.addSteps({record});
    wire::Event event = test::diagnosed(3, wire::Event::Kind::kGradientOverflow, 1024, test::benignOverflow(1024));
    event.tensors = {{902, test::kFc2, 0, 1, 70000}};
    const auto noteOf = [&] { return storyOf(run, add(run, event)).chain[1].note; };
    QCOMPARE(noteOf(), QStringLiteral("First cause, 1 of 1,280 values"));
    event.tensors.clear();
    QCOMPARE(noteOf(), QStringLiteral("First cause"));
  }

  void ofSeveralGradientsTheOneThatIsMeantIsTold() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::StepRecord record;
    record.step = 3;
    using Kind = wire::WatchedTensor::Kind;
    record.new_tensors = {{900, 11, Kind::kInputGradient, "input", formats::kFloat16, false},
                          {901, 11, Kind::kInputGradient, "weight", formats::kFloat16, false}};
    run.addSteps({record});
    wire::Event event = test::diagnosed(3, wire::Event::Kind::kGradientOverflow, 1024, test::benignOverflow(1024));
    event.tensors = {{900, 11, 5000, 0, 100}, {901, 11, 0, 1, 70000}};
    const EventStory story = storyOf(run, add(run, event));
    QCOMPARE(story.chain[1].what, QStringLiteral("gradient of weight"));
    QCOMPARE(story.chain[1].value, QStringLiteral("70,000"));
    QCOMPARE(factOf(story, QStringLiteral("Tensor")), QStringLiteral("gradient of weight"));
  }

  void whatWentInSaysWhoseItIs() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Diagnosis found = test::benignOverflow(1024);
    QCOMPARE(
        storyOf(run, add(run, test::diagnosed(1, wire::Event::Kind::kGradientOverflow, 1024, found))).inputs[0].name,
        QString::fromStdString(found.roots[0].inputs[0].name));
    wire::Root other = found.roots[0];
    other.site = 0;
    found.roots.push_back(other);
    const EventStory story =
        storyOf(run, add(run, test::diagnosed(2, wire::Event::Kind::kGradientOverflow, 1024, found)));
    QVERIFY(story.inputs.front().name.endsWith(QStringLiteral(" of fc2")));
    QVERIFY(story.inputs.back().name.endsWith(QStringLiteral(" of conv1")));
  }

  void withoutAnythingThatHelpsItSaysWhatWasTried() {
    EventStory story;
    story.tried = {{{QStringLiteral("scale 2¹⁰"), 1024, {}}, false, false, {}}};
    QCOMPARE(app::triedTitle(story), QStringLiteral("What was tried"));
    story.tried[0].finite = true;
    QCOMPARE(app::triedTitle(story), QStringLiteral("What would have fixed it"));
  }

  void whatHelpedWhereItBeganBeforeIsOfferedAgain() {
    app::RunModel run;
    test::feedRun(run, 3);
    add(run, test::diagnosed(0, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    wire::Diagnosis bare = test::forwardOverflow();
    bare.evidence.clear();
    bare.fix = {};
    const EventStory story =
        storyOf(run, add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, bare)));
    QVERIFY(!story.tried.isEmpty());
    QVERIFY2(story.triedNote.contains(QStringLiteral("step 0")), qPrintable(story.triedNote));
    // Not what helped elsewhere.
    bare.roots[0].site = 0;
    QVERIFY(
        storyOf(run, add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, bare))).tried.isEmpty());
  }

  void aFixThatHeldSaysSoOfItselfOnly() {
    app::RunModel run;
    test::feedRun(run, 3);
    const int other =
        add(run, test::diagnosed(1, wire::Event::Kind::kGradientOverflow, 1024, test::benignOverflow(1024)));
    const int index = add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    QCOMPARE(storyOf(run, index).tried[1].afterwards, QStringLiteral("this batch only"));
    wire::Event held;
    held.step = 203;
    held.kind = wire::Event::Kind::kFixHeld;
    held.facts = wire::FixHeld{test::forwardOverflow().fix.rules, 200};
    run.addEvent(held);
    QCOMPARE(storyOf(run, index).tried[1].afterwards, QStringLiteral("held for 200 steps"));
    QCOMPARE(storyOf(run, index).tried[0].afterwards, QStringLiteral("–"));
    for (const EventStory::Tried& tried : storyOf(run, other).tried) {
      QVERIFY(!tried.afterwards.contains(QStringLiteral("held")));
    }
  }

  void aChangeOfFormatsSaysWhatItLeavesWhereThatWasMeasured() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Diagnosis found = test::forwardOverflow();
    const int unknown = add(run, test::diagnosed(1, wire::Event::Kind::kForwardOverflow, 65536, found));
    QVERIFY(!found.evidence[1].rules.empty());
    QVERIFY(!storyOf(run, unknown).tried[1].doublings);
    QCOMPARE(storyOf(run, unknown).tried[1].lost, QStringLiteral("–"));
    found.evidence[1].scale = 65536;
    found.evidence[1].band = wire::ScaleBand{.lowest = 3, .highest = 21};
    const int known = add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, found));
    QCOMPARE(storyOf(run, known).tried[1].doublings, std::optional(5));
    QCOMPARE(storyOf(run, known).tried[1].lost, QStringLiteral("≤ 1 %"));
    found.evidence[1].band = wire::ScaleBand{.lowest = 17, .highest = 21, .bound = true};
    const int losing = add(run, test::diagnosed(3, wire::Event::Kind::kForwardOverflow, 65536, found));
    QCOMPARE(storyOf(run, losing).tried[1].lost, QStringLiteral("> 1 %"));
  }

  void aFixOfSeveralRulesIsNotTakenForOneOfThem() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Diagnosis found = test::forwardOverflow();
    wire::Attempt both = found.evidence[1];
    policy::SiteRule second = both.rules.front();
    second.match = "fc2/aten::linear#0";
    both.rules.push_back(second);
    found.evidence.push_back(both);
    const int index = add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, found));
    const auto afterwards = [&](const wire::Attempt& attempt) {
      const auto at = std::find(found.evidence.begin(), found.evidence.end(), attempt) - found.evidence.begin();
      return storyOf(run, index).tried[static_cast<int>(at)].afterwards;
    };
    wire::Event held;
    held.step = 203;
    held.kind = wire::Event::Kind::kFixHeld;
    held.facts = wire::FixHeld{both.rules, 200};
    run.addEvent(held);
    QCOMPARE(afterwards(both), QStringLiteral("held for 200 steps"));
    QCOMPARE(afterwards(found.evidence[1]), QStringLiteral("this batch only"));
  }

  void aFoldTellsCausesFromWhatCarriesThemOn() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Diagnosis found = test::benignOverflow(1024);
    found.roots.clear();
    found.chain.clear();
    for (int site = 0; site < 12; ++site) {
      wire::Root root;
      root.direction = wire::Direction::kBackward;
      root.site = site;
      root.format = formats::kFloat16;
      if (site < 8) found.roots.push_back(root);
      found.chain.push_back({site, 0, wire::Direction::kBackward, "gradient", formats::kFloat16, 0, 1});
    }
    const EventStory story =
        storyOf(run, add(run, test::diagnosed(2, wire::Event::Kind::kGradientOverflow, 1024, found)));
    std::vector<const views::ChainRow*> folds;
    for (const views::ChainRow& row : story.chain) {
      if (!row.folded.empty()) folds.push_back(&row);
    }
    QCOMPARE(static_cast<int>(folds.size()), 1);  // one line alone is not folded
    QVERIFY(folds[0]->cause);
    QVERIFY(folds[0]->shape == VerdictShape::kOverflow);
    QCOMPARE(static_cast<int>(folds[0]->folded.size()), 5);
    QVERIFY(app::storyText(story).contains(QStringLiteral("layer1.0.conv1/aten::conv2d#0")));  // nothing is left out
  }

  void whatFollowsFromAStepsCauseIsToldWithIt() {
    app::RunModel run;
    test::feedRun(run, 3);
    wire::Event loss;
    loss.step = 2;
    loss.kind = wire::Event::Kind::kNonFiniteLoss;
    loss.facts = wire::NotFinite{.loss = wire::NotFinite::Loss::kNaN};
    const int before = add(run, loss);
    QVERIFY(storyOf(run, before).verdict.startsWith(QStringLiteral("Not replayed")));
    const int cause = add(run, test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    const int after = add(run, loss);
    for (const int each : {before, after}) {
      QVERIFY(app::isConsequence(run, each));
      const EventStory story = storyOf(run, each);
      QCOMPARE(story.sentence, QStringLiteral("The loss was NaN at step 2."));
      QVERIFY(story.explanation.startsWith(QStringLiteral("The output of fc1")));
      QCOMPARE(story.chain[0].id, test::kFc1);
      QVERIFY(!story.tried.isEmpty());
    }
    QVERIFY(!app::isConsequence(run, cause));
    wire::Event gave_up = loss;
    gave_up.kind = wire::Event::Kind::kDiverged;
    QVERIFY(!app::isConsequence(run, add(run, gave_up)));  // it has its row, and the cause in it
  }
};

BINADE_SUITE(EventStories);

}  // namespace

#include "tst_event_stories.moc"
