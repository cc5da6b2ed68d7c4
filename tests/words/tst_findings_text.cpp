// SPDX-License-Identifier: Apache-2.0
#include "engine/words/cast_text.h"
#include "engine/words/comparison_text.h"
#include "engine/words/numbers.h"
#include "engine/words/profile_text.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

/// Findings about op calls as text.
class FindingsText : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void numbersAreWrittenAsPeopleDo();
  void aVerdictNamesItsNumbersAndItsEdit();
  void theNextObstacleFollowsTheEdit();
  void withoutCountersAKernelsNameIsAHint();
  void everyVerdictIsASentence();
  void aCastNamesTheRuleThatCausesIt();
  void aCastWithoutARuleHasNoEdit();
  void placesThatAreNotFloat32AreListedByKind();
};

using VerdictKind = wire::TensorVerdict::Kind;

wire::SiteProfile judged(VerdictKind kind) {
  wire::SiteProfile site;
  site.tensor = 1;
  site.verdict.kind = kind;
  site.verdict.format = "float16";
  return site;
}

}  // namespace

void FindingsText::numbersAreWrittenAsPeopleDo() {
  QCOMPARE(words::grouped(0), std::string("0"));
  QCOMPARE(words::grouped(999), std::string("999"));
  QCOMPARE(words::grouped(1048576), std::string("1,048,576"));
  QCOMPARE(words::percent(1), std::string("100 %"));
  QCOMPARE(words::percent(0.043), std::string("4.3 %"));
  QCOMPARE(words::percent(0.00021), std::string("0.021 %"));
}

void FindingsText::aVerdictNamesItsNumbersAndItsEdit() {
  wire::SiteProfile site = judged(VerdictKind::kDimensions);
  site.verdict.of_outputs = true;
  site.verdict.size = 10;
  site.verdict.multiple = 8;
  site.verdict.padded = 16;
  QCOMPARE(words::profile_verdict(site), std::string("10 outputs; float16 tensor cores want a multiple of 8."));
  QCOMPARE(words::profile_edit(site.verdict), std::string("Pad to 16 in the model."));
  site.verdict.of_outputs = false;
  site.verdict.size = 1;
  QCOMPARE(words::profile_verdict(site),
           std::string("1 input (features, or channels times kernel); float16 tensor cores want a multiple of 8."));
  site.verdict.size = 10;
}

void FindingsText::theNextObstacleFollowsTheEdit() {
  wire::SiteProfile site = judged(VerdictKind::kNoGpu);
  QCOMPARE(words::profile_edit(site.verdict), std::string("Set the run's device to cuda."));
  site.verdict.then = VerdictKind::kMemoryBound;
  site.verdict.per_byte = 12;
  QCOMPARE(words::profile_edit(site.verdict),
           std::string("Set the run's device to cuda. Then: 12 operations for each byte that is moved; below about 100 "
                       "the op call waits for memory. Raise the batch size; a narrower format moves fewer bytes."));
}

void FindingsText::withoutCountersAKernelsNameIsAHint() {
  wire::SiteProfile site = judged(VerdictKind::kNotMeasured);
  const auto told = [&](const char* by_name) {
    site.kernels = {{.name = "gemm", .by_name = by_name}};
    return QString::fromStdString(words::profile_verdict(site));
  };
  QVERIFY(!told("unknown").contains(QLatin1String("named")));
  QVERIFY(told("tensor").contains(QLatin1String("named like those that use them: a hint")));
  QVERIFY(told("ordinary").contains(QLatin1String("named like those that do not use them: a hint")));
  site.verdict.kind = VerdictKind::kUnexplained;  // measured: no hint is needed
  QVERIFY(!told("tensor").contains(QLatin1String("named")));
}

void FindingsText::everyVerdictIsASentence() {
  for (int kind = 0; kind < 10; ++kind) {
    const std::string text = words::profile_verdict(judged(static_cast<VerdictKind>(kind)));
    QVERIFY2(text.size() > 20 && text.back() == '.', text.c_str());
  }
}

void FindingsText::aCastNamesTheRuleThatCausesIt() {
  wire::CastLine line;
  line.argument = "input";
  line.to = formats::kFloat16;
  line.rule = "cuda-amp";
  QCOMPARE(words::cast_cause(line, "aten::linear"), std::string("runs in float16: cuda-amp lists aten::linear"));
  line.cause = wire::CastLine::Cause::kSiteRule;
  line.rule = "fc*";
  line.widest = true;
  line.single_calls = true;
  line.argument.clear();
  QCOMPARE(words::cast_cause(line, "aten::linear"),
           std::string("casts inside the op: takes the widest of its arguments: site rule fc*; single calls have "
                       "separate rules"));
}

void FindingsText::aCastWithoutARuleHasNoEdit() {
  wire::CastLine line;
  QVERIFY(words::cast_edit(line).empty());
  line.edit_match = "fc2/aten::linear#0";
  line.edit_format = formats::kFloat32;
  QCOMPARE(words::cast_edit(line), std::string("fc2/aten::linear#0 in float32"));
}

void FindingsText::placesThatAreNotFloat32AreListedByKind() {
  using enum wire::ReferenceNote::Kind;
  wire::Float32Comparison compared;
  const auto name = [](int site) { return "call " + std::to_string(site); };
  QVERIFY(words::reference_notes(compared, name).empty());
  for (int site = 0; site < 6; ++site) compared.reference.push_back({kLiftedCast, site, {}, {}});
  const auto casts = words::reference_notes(compared, name);
  QCOMPARE(casts.size(), std::size_t{1});
  QCOMPARE(casts[0], std::string("Casts in the model's code, omitted in the float32 run: call 0, call 1, call 2, "
                                 "call 3 and 2 more."));
  compared.reference.push_back({kParameter, -1, "fc.weight", "float16"});
  const auto notes = words::reference_notes(compared, name);
  QCOMPARE(notes.size(), std::size_t{3});
  QCOMPARE(notes[2], std::string("Parameters: fc.weight in float16."));
}

BINADE_SUITE(FindingsText);
#include "tst_findings_text.moc"
