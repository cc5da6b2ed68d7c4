// SPDX-License-Identifier: Apache-2.0
// The words of fixes and of what was tried.
#include "engine/words/diagnosis_text.h"
#include "engine/words/fix_text.h"
#include "engine/words/site_text.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

std::vector<policy::SiteRule> rules(std::initializer_list<const char*> matches) {
  std::vector<policy::SiteRule> all;
  for (const char* match : matches) {
    policy::SiteRule& rule = all.emplace_back();
    rule.match = match;
    rule.format = formats::kFloat32;
  }
  return all;
}

}  // namespace

class FixText : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyFixHasItsWords_data() {
    using Outcome = wire::Fix::Outcome;
    QTest::addColumn<QString>("said");
    const auto row = [](const char* said, const wire::Fix& fix) {
      QTest::newRow(said) << QString::fromStdString(words::fix_of(fix));
    };
    const std::vector<wire::NamedScale> low{{std::nullopt, 16384}};
    const std::vector<wire::NamedScale> below_one{{"boxes", 0.5}, {"masks", 0.25}};
    row("", {});
    row("Scale 2^14 or lower avoids it.", {.outcome = Outcome::kFinite, .scales = low});
    row("Scale 2^14 or lower avoids it, also in the next batches.", {.outcome = Outcome::kNextToo, .scales = low});
    row("With fc1/aten::linear#0 in float32, this batch is finite.",
        {.rules = rules({"fc1/aten::linear#0"}), .outcome = Outcome::kFinite, .changed = 1});
    row("With aten::add#0, aten::mul#0 in float32 (3 op calls change their format with that), without the model's own "
        "cast aten::to#0 (net.py:7) and scale 2^14 or lower, this batch is finite.",
        {.rules = rules({"aten::add#0", "aten::mul#0"}),
         .outcome = Outcome::kFinite,
         .scales = low,
         .without = {{"aten::to#0", "net.py:7"}},
         .changed = 3});
    row("Without the model's own cast aten::to#0 and aten::to#1 and the scale back at 2^14, this batch is finite.",
        {.outcome = Outcome::kFinite,
         .scales = low,
         .raised = true,
         .without = {{"aten::to#0", ""}, {"aten::to#1", ""}}});
    row("With every op call in float32, nothing overflows in this batch.",
        {.rules = rules({"*"}), .outcome = Outcome::kNoOverflow});
    row("No fix is known: with aten::add#0 in float32, this batch is finite only at scale 2^14 or lower, where "
        "gradients are lost.",
        {.outcome = Outcome::kLost, .tried = rules({"aten::add#0"}), .scales = low});
    row("No fix is known: this batch is finite only at scale 2^-1 of the scaler \"boxes\" and 2^-2 of the "
        "scaler \"masks\" or lower, where gradients are reduced instead of enlarged.",
        {.outcome = Outcome::kReduced, .scales = below_one});
    row("With optimizer.learning_rate 0.001 they do not, and the loss falls in float32: from 2.5 to 1.25 over 60 "
        "steps.",
        {.rate = wire::RateTrial{0.001, 2.5, 1.25, 60, true}});
  }
  void everyFixHasItsWords() {
    QFETCH(QString, said);
    QCOMPARE(said, QString::fromUtf8(QTest::currentDataTag()));
  }

  void everyAttemptHasItsWords_data() {
    QTest::addColumn<QString>("said");
    const auto row = [](const char* said, const wire::Attempt& attempt) {
      QTest::newRow(said) << QString::fromStdString(words::change_of(attempt));
    };
    row("scale 2^14", {.scale = 16384});
    row("scale 2^14 of the scaler \"boxes\"", {.scale = 16384, .scaler = "boxes"});
    row("scale 2^10, fc1/aten::linear#0 in float32 on the next batch",
        {.scale = 1024, .rules = rules({"fc1/aten::linear#0"}), .scales = {{std::nullopt, 1024}}, .ahead = 0});
    row("aten::a#0, aten::b#0, aten::c#0 and 1 more in float32 on the third batch after it (aten::d#1 overflows)",
        {.rules = rules({"aten::a#0", "aten::b#0", "aten::c#0", "aten::d#0"}), .ahead = 2, .overflows = "aten::d#1"});
    row("without the model's own cast aten::to#0 (net.py:7): two rows are alike",
        {.without = {{"aten::to#0", "net.py:7"}}, .failure = "two rows are alike"});
    row("row 3 of the batch replaced by row 2", {.note = "row 3 of the batch replaced by row 2"});
  }
  void everyAttemptHasItsWords() {
    QFETCH(QString, said);
    QCOMPARE(said, QString::fromUtf8(QTest::currentDataTag()));
  }

  void anExplanationHoldsMeaningSafeScalesAndNotes() {
    wire::Diagnosis found;
    found.verdict = wire::Verdict::kBenign;
    const std::string meaning = words::explanation_of(found, {});
    QVERIFY(meaning.starts_with("The loss scale was too high for this batch."));
    found.band = wire::ScaleBand{.lowest = -3, .highest = 17};
    found.notes = {"It began in batch 2 of the 2 of this step."};
    QCOMPARE(words::explanation_of(found, {}),
             meaning +
                 " Safe scales for this step: 2^-3 to 2^17. Both limits come from a gradient. It began in batch 2 of "
                 "the 2 of this step.");
    found.message = "The replay of this step was finite.";
    QVERIFY(words::explanation_of(found, {}).starts_with("The replay of this step was finite. Safe scales"));
    found.band->lowest_site = 1;
    found.band->highest_site = 0;
    wire::SiteInfo linear;
    linear.key.path = "fc2";
    linear.key.op = "aten::linear";
    wire::SiteInfo convolution;
    convolution.key.path = "conv2";
    convolution.key.op = "aten::conv2d";
    const std::vector<wire::SiteInfo> sites{linear, convolution};
    const std::string limits = words::explanation_of(found, sites);
    QVERIFY2(limits.find(" 2^-3 to 2^17. The lower limit comes from " + words::place_of(convolution) +
                         ", the upper limit from " + words::place_of(linear) + ".") != std::string::npos,
             limits.c_str());
    found.band->lowest.reset();
    const std::string upper = words::explanation_of(found, sites);
    QVERIFY2(upper.find(" up to 2^17. The limit comes from " + words::place_of(linear) + ".") != std::string::npos,
             upper.c_str());
    // The weights or the data are to blame: no scale matters.
    found.verdict = wire::Verdict::kLearningRate;
    QVERIFY(words::explanation_of(found, {}).find("Safe scales") == std::string::npos);
  }
};

BINADE_SUITE(FixText);
#include "tst_fix_text.moc"
