// SPDX-License-Identifier: Apache-2.0
// The words of each kind of event, and of events whose names are unknown.
#include "engine/words/event_text.h"
#include "engine/words/silent_text.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

wire::Event eventOf(wire::Event::Kind kind, wire::Event::Facts facts) {
  wire::Event made;
  made.step = 731;
  made.kind = kind;
  made.scale = 524288;
  made.facts = std::move(facts);
  return made;
}

policy::SiteRule rule(const char* match) {
  policy::SiteRule made;
  made.match = match;
  made.format = formats::kFloat32;
  return made;
}

}  // namespace

class EventText : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyKindHasItsWords_data() {
    using Kind = wire::Event::Kind;
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* said, const wire::Event& event) {
      QTest::newRow(said) << QString::fromStdString(words::sentence_of(event, {})) << QString::fromUtf8(said);
    };
    row("fc1/aten::linear#0 in float32 has held for 200 steps.",
        eventOf(Kind::kFixHeld, wire::FixHeld{{rule("fc1/aten::linear#0")}, 200}));
    row("fc1/aten::linear#0 in float32 and 1 more rule have held for 200 steps.",
        eventOf(Kind::kFixHeld, wire::FixHeld{{rule("fc1/aten::linear#0"), rule("fc2/aten::linear#0")}, 200}));
    row("The loss scale has fallen from 2^16 at step 3 to 2^-1 under fc1/aten::linear#0 in float32. Below 1, a "
        "scale reduces gradients. Add what the newest gradient overflow proposes.",
        eventOf(Kind::kFixFailed, wire::FixFailed{{rule("fc1/aten::linear#0")}, 65536, 3, 0.5, /*given=*/true}));
    row("The loss scale has fallen from 2^16 at step 3 to 2^-1 under fc1/aten::linear#0 in float32. Below 1, a "
        "scale reduces gradients. It is no fix by itself: remove it, or add what the newest gradient overflow "
        "proposes.",
        eventOf(Kind::kFixFailed, wire::FixFailed{{rule("fc1/aten::linear#0")}, 65536, 3, 0.5, /*given=*/false}));
    row("The loss was not finite 5 times in a row, until step 731: no loss scale helps where the loss itself is not "
        "finite; the first event names the cause. The run is paused; parameters are unchanged.",
        eventOf(Kind::kDiverged, wire::Diverged{true, 5, true, true}));
    row("The loss was infinite at step 731: the step was skipped. The run ends here; parameters are unchanged.",
        eventOf(Kind::kDiverged, wire::Diverged{false, 1, false, false}));
    row("Memory ran out at step 731, in fc1: 8 GiB. The step was undone; a smaller batch, or more of the model in a "
        "16-bit format, takes less.",
        eventOf(Kind::kOutOfMemory, wire::OutOfMemory{"fc1: 8 GiB", false}));
    row("Memory ran out in the middle of the optimizer's step 731: some parameters have been updated and others not. "
        "The run ends here, and nothing is saved of that state.",
        eventOf(Kind::kOutOfMemory, wire::OutOfMemory{"", true}));
    row("Gradient of bias was not finite at step 731: clipping the norm would have made every gradient 0, so the step "
        "was skipped.",
        eventOf(Kind::kGradientOverflow, wire::ClipRefused{"bias", true}));
    row("The norm of all gradients was not finite at step 731: clipping the values would have put the limit in place "
        "of an infinity, so the step was skipped.",
        eventOf(Kind::kGradientOverflow, wire::ClipRefused{"", false}));
    row("5 steps in a row were skipped. The loss is not finite.",
        eventOf(Kind::kScaleWarning, wire::ScaleTrouble{"5 steps in a row were skipped.", "The loss is not finite."}));
    row("The loss was infinite at step 731.",
        eventOf(Kind::kNonFiniteLoss, wire::NotFinite{wire::NotFinite::Loss::kInfinite, true, ""}));
    row("Gradient of fc1.bias was not finite at step 731: scale 2^19 may be too high for this batch.",
        eventOf(Kind::kGradientOverflow, wire::NotFinite{wire::NotFinite::Loss::kFinite, true, "fc1.bias"}));
    row("A gradient was not finite at step 731.", eventOf(Kind::kGradientOverflow, {}));
    row("A value in the forward pass was not finite at step 731.", eventOf(Kind::kForwardOverflow, {}));
    row("The loss was not finite at step 731.", eventOf(Kind::kNonFiniteLoss, {}));
    for (const Kind kind :
         {Kind::kScaleWarning, Kind::kDiverged, Kind::kOutOfMemory, Kind::kFixHeld, Kind::kFixFailed}) {
      QTest::newRow(wire::name(kind).c_str()) << QString::fromStdString(words::sentence_of(eventOf(kind, {}), {}))
                                              << QStringLiteral("Details of this event at step 731 could not be read.");
    }
  }
  void everyKindHasItsWords() {
    QFETCH(QString, said);
    QFETCH(QString, expected);
    QCOMPARE(said, expected);
  }

  void aBookOfNamesFindsTensorsAndOpCalls() {
    words::NameBook names;
    wire::RunStarted started;
    started.model.sites.resize(1);
    started.model.sites[0].key = {.path = "fc1", .method = "", .op = "aten::linear", .overload = "", .ordinal = 0};
    names.add(started);
    wire::StepRecord step;
    step.new_tensors = {{7, 0, wire::WatchedTensor::Kind::kOutput, "", formats::kFloat16, false}};
    names.add(step);
    wire::Event made = eventOf(wire::Event::Kind::kForwardOverflow, {});
    made.tensors = {{.tensor = 7, .site = 0, .non_finite = 0, .overflow = 2, .largest = 7.1e4F}};
    QCOMPARE(names.sentence_of(made),
             std::string("Output of fc1 (linear) overflowed in float16 at step 731: it reached "
                         "71000, and the format ends at 65504."));
    made.tensors.front().tensor = 8;  // unknown, as in a damaged run file
    QCOMPARE(names.sentence_of(made), std::string("A value in the forward pass was not finite at step 731."));
  }

  void aSilentFaultHasItsHeadline() {
    wire::SilentFault fault;
    fault.kind = wire::SilentFault::Kind::kLowScale;
    fault.facts.scale = 0.5;
    fault.facts.step = 9;
    const wire::Event found = eventOf(wire::Event::Kind::kSilent, wire::SilentFaultFound{fault, 2});
    QCOMPARE(words::sentence_of(found, {}), words::silent_headline(fault, 2, {}));
    QCOMPARE(words::sentence_of(eventOf(wire::Event::Kind::kSilent, {}), {}),
             std::string("Precision was lost at step 731."));
  }

  void aDiagnosisGivesItsOwnSentence() {
    wire::Event made = eventOf(wire::Event::Kind::kGradientOverflow, {});
    wire::Root& root = made.diagnosis.emplace().roots.emplace_back();
    root.fault = wire::Root::Fault::kParameter;
    root.what = "fc1.weight";
    QCOMPARE(words::sentence_of(made, {}), std::string("The parameter fc1.weight holds NaN or infinity at step 731."));
  }
};

BINADE_SUITE(EventText);
#include "tst_event_text.moc"
