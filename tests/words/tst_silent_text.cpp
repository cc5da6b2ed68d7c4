// SPDX-License-Identifier: Apache-2.0
#include "engine/words/silent_text.h"
#include "tests/support/suite.h"

#include <set>

using namespace binade;

namespace {

/// Silent faults as text.
class SilentText : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyKindHasASentenceAndANextStep();
  void everyUnitHasItsWords();
  void everyGapIsASentence();
  void aHeadlineCountsTheOthers();
  void anOpCallThatIsUnknownHasItsNumber();
};

using FaultKind = wire::SilentFault::Kind;
using Unit = wire::SilentFault::Unit;

std::vector<wire::SiteInfo> oneSite() {
  wire::SiteInfo site;
  site.key.path = "fc1";
  site.key.op = "aten::linear";
  return {site};
}

wire::SilentFault lost() {
  wire::SilentFault fault;
  fault.direction = wire::Direction::kBackward;
  fault.site = 0;
  fault.what = "weight";
  fault.format = formats::kFloat16;
  fault.unit = Unit::kGradientNorm;
  fault.facts.share = 0.5;
  fault.facts.of_argument = true;
  fault.facts.lowest_scale = 12;
  fault.fix.scale = 4096;
  return fault;
}

}  // namespace

void SilentText::everyKindHasASentenceAndANextStep() {
  std::set<std::string> sentences;
  for (int kind = 0; kind < 10; ++kind) {
    wire::SilentFault fault;
    fault.kind = static_cast<FaultKind>(kind);
    fault.site = 0;
    fault.what = "weight";
    const std::string sentence = words::silent_sentence(fault, oneSite());
    QVERIFY2(sentence.back() == '.', sentence.c_str());
    QVERIFY(sentences.insert(sentence).second);
    const std::string next = words::silent_next(fault, oneSite());
    QVERIFY2(next.size() > 20 && next.back() == '.', next.c_str());
  }
}

void SilentText::everyUnitHasItsWords() {
  for (int unit = 0; unit < 18; ++unit) {
    wire::SilentFault fault;
    fault.unit = static_cast<Unit>(unit);
    QVERIFY(words::silent_unit(fault).starts_with("of "));
  }
  wire::SilentFault fault;
  fault.unit = Unit::kLaterValues;
  fault.facts.where = "fc2 (linear)";
  QCOMPARE(words::silent_unit(fault), std::string("of the values of fc2 (linear)"));
}

void SilentText::everyGapIsASentence() {
  for (int reason = 0; reason < 10; ++reason) {
    wire::SilentGap gap;
    gap.reason = static_cast<wire::SilentGap::Reason>(reason);
    gap.site = 0;
    gap.count = 2;
    gap.what = "whether it counts";
    gap.fault = lost();
    const std::string sentence = words::silent_gap(gap, oneSite());
    QVERIFY2(sentence.size() > 20 && sentence.back() == '.', sentence.c_str());
  }
  const wire::SilentGap bounds{.reason = wire::SilentGap::Reason::kBounds, .why = "the model refuses it"};
  QCOMPARE(words::silent_gap(bounds, {}),
           std::string("The exact share where the list says \"at most\" is not known: no comparison with float32 could "
                       "be made (the model refuses it)."));
}

void SilentText::aHeadlineCountsTheOthers() {
  QCOMPARE(
      words::silent_headline(lost(), 2, oneSite()),
      std::string("The gradient of fc1 (linear) for weight loses 50 % of its norm to 0 in float16. 2 more op calls "
                  "do the same. A loss scale of 2^12 or more loses less than 1 % of it, and no gradient of this "
                  "step overflows there."));
}

void SilentText::anOpCallThatIsUnknownHasItsNumber() {
  QVERIFY(words::silent_sentence(lost(), {}).starts_with("The gradient of op call 0 for weight"));
}

BINADE_SUITE(SilentText);
#include "tst_silent_text.moc"
