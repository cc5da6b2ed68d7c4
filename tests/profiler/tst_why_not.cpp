// SPDX-License-Identifier: Apache-2.0
#include "profiler/why_not.h"
#include "tests/support/suite.h"

using namespace binade::profiler;

namespace binade::test {

/// Why an op call uses no tensor cores.
class WhyNots : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theFirstObstacleIsTheVerdict_data();
  void theFirstObstacleIsTheVerdict();
  void whatWasMeasuredAsUsedIsUsed();
};

namespace {

using Kind = wire::TensorVerdict::Kind;

OpFacts product(const char* format, std::int64_t m, std::int64_t n, std::int64_t k, double percent = -1) {
  return {.matrix_op = true,
          .format = format,
          .on_gpu = true,
          .shape = MatrixShape{.m = m, .n = n, .k = k},
          .percent = percent};
}

OpFacts changed(OpFacts facts, void (*change)(OpFacts&)) {
  change(facts);
  return facts;
}

}  // namespace

void WhyNots::theFirstObstacleIsTheVerdict_data() {
  QTest::addColumn<OpFacts>("facts");
  QTest::addColumn<Kind>("kind");
  QTest::addColumn<std::int64_t>("padded");
  const auto row = [](const char* what, const OpFacts& facts, Kind kind, std::int64_t padded = 0) {
    QTest::newRow(what) << facts << kind << padded;
  };
  row("a relu", changed(product("float16", 1, 1, 1), [](OpFacts& f) { f.matrix_op = false; }), Kind::kNotMatrix);
  row("emulated on a GPU", changed(product("bfloat16", 4096, 4096, 4096), [](OpFacts& f) { f.emulated = true; }),
      Kind::kEmulated);
  row("on the CPU", changed(product("float16", 4096, 4096, 4096), [](OpFacts& f) { f.on_gpu = false; }), Kind::kNoGpu);
  row("on the CPU, with 10 classes", changed(product("float16", 4096, 10, 4096), [](OpFacts& f) { f.on_gpu = false; }),
      Kind::kNoGpu, 16);
  row("float32", product("float32", 4096, 4096, 4096, 0), Kind::kFormat);
  row("1001 inputs", product("float16", 4096, 4096, 1001, 0), Kind::kDimensions, 1008);
  row("10 classes", product("float16", 4096, 10, 4096, 0), Kind::kDimensions, 16);
  row("float8 wants 16", product("float8_e4m3fn", 4096, 4096, 4104, 0), Kind::kDimensions, 4112);
  row("TF32 is content with 4", product("tfloat32", 4096, 4096, 4100, 0), Kind::kUnexplained);
  row("a tiny product", product("float16", 64, 64, 64, 0), Kind::kTooSmall);
  row("one row", product("float16", 1, 16384, 16384, 0), Kind::kMemoryBound);
  row("fits, not measured", product("float16", 4096, 4096, 4096), Kind::kNotMeasured);
  row("fits, measured low", product("float16", 4096, 4096, 4096, 1), Kind::kUnexplained);
}

void WhyNots::theFirstObstacleIsTheVerdict() {
  QFETCH(OpFacts, facts);
  QFETCH(Kind, kind);
  QFETCH(std::int64_t, padded);
  const wire::TensorVerdict found = why_not(facts);
  QVERIFY(found.kind == kind);
  QCOMPARE(found.padded, padded);
  QCOMPARE(found.format, facts.format);
  QCOMPARE(found.then.has_value(), padded > 0 && kind == Kind::kNoGpu);
  QCOMPARE(found.operations > 0, kind == Kind::kTooSmall);
  QCOMPARE(found.per_byte > 0, kind == Kind::kMemoryBound);
}

void WhyNots::whatWasMeasuredAsUsedIsUsed() {
  // A kernel may pad by itself: the counter decides, not the rule.
  QVERIFY(why_not(product("float16", 4096, 10, 1001, 43)).kind == Kind::kUsed);
}

BINADE_SUITE(WhyNots);

}  // namespace binade::test

#include "tst_why_not.moc"
