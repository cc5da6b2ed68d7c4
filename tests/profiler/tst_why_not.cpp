// SPDX-License-Identifier: Apache-2.0
#include "profiler/why_not.h"
#include "tests/support/suite.h"

using namespace binade::profiler;

namespace binade::test {

/// Why an op call uses no tensor cores, and the edit that would change it.
class WhyNots : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void eachReasonNamesItsEdit_data();
  void eachReasonNamesItsEdit();
  void whatWasMeasuredAsUsedIsUsed();
  void withoutCountersAKernelsNameIsAHint();
  void everyVerdictHasAName();
};

namespace {

OpFacts product(const char* format, std::int64_t m, std::int64_t n, std::int64_t k, double percent = -1) {
  return {.op = "aten::linear",
          .matrix_op = true,
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

void WhyNots::eachReasonNamesItsEdit_data() {
  QTest::addColumn<OpFacts>("facts");
  QTest::addColumn<QByteArray>("verdict");
  QTest::addColumn<QString>("edit");
  const auto row = [](const char* what, const OpFacts& facts, const char* verdict, const char* edit) {
    QTest::newRow(what) << facts << QByteArray(verdict) << QString::fromUtf8(edit);
  };
  row("a relu",
      changed(product("float16", 1, 1, 1),
              [](OpFacts& f) {
                f.op = "aten::relu";
                f.matrix_op = false;
              }),
      "not-matrix", "");
  row("emulated on a GPU", changed(product("bfloat16", 4096, 4096, 4096), [](OpFacts& f) { f.emulated = true; }),
      "emulated", "execution to native");
  row("on the CPU", changed(product("float16", 4096, 4096, 4096), [](OpFacts& f) { f.on_gpu = false; }), "no-gpu",
      "device to cuda");
  row("on the CPU, with 10 classes", changed(product("float16", 4096, 10, 4096), [](OpFacts& f) { f.on_gpu = false; }),
      "no-gpu",
      "device to cuda. Then: Its outputs number 10, no multiple of 8, which float16 on tensor cores asks for. Pad to "
      "16");
  row("float32", product("float32", 4096, 4096, 4096, 0), "format", "float16 or bfloat16");
  row("1001 inputs", product("float16", 4096, 4096, 1001, 0), "dimensions", "Pad to 1008");
  row("10 classes", product("float16", 4096, 10, 4096, 0), "dimensions", "Pad to 16");
  row("float8 wants 16", product("float8_e4m3fn", 4096, 4096, 4104, 0), "dimensions", "Pad to 4112");
  row("TF32 is content with 4", product("tfloat32", 4096, 4096, 4100, 0), "unexplained", "");
  row("a tiny product", product("float16", 64, 64, 64, 0), "too-small", "batch size");
  row("one row", product("float16", 1, 16384, 16384, 0), "memory-bound", "batch size");
  row("fits, not measured", product("float16", 4096, 4096, 4096), "not-measured", "");
  row("fits, measured low", product("float16", 4096, 4096, 4096, 1), "unexplained", "");
}

void WhyNots::eachReasonNamesItsEdit() {
  QFETCH(OpFacts, facts);
  QFETCH(QByteArray, verdict);
  QFETCH(QString, edit);
  const WhyNot found = why_not(facts);
  QCOMPARE(QByteArray::fromStdString(std::string(name(found.verdict))), verdict);
  QVERIFY2(QString::fromStdString(found.edit).contains(edit), found.edit.c_str());
  QCOMPARE(found.edit.empty(), edit.isEmpty());
  QVERIFY(found.sentence.size() > 20 && found.sentence.back() == '.');
}

void WhyNots::whatWasMeasuredAsUsedIsUsed() {
  // A kernel may pad by itself: the counter decides, not the rule.
  QVERIFY(why_not(product("float16", 4096, 10, 1001, 43)).verdict == Verdict::kUsed);
}

void WhyNots::withoutCountersAKernelsNameIsAHint() {
  const auto told = [](KernelClass kind, double percent = -1) {
    OpFacts facts = product("float16", 4096, 4096, 4096, percent);
    facts.by_name = kind;
    return QString::fromStdString(why_not(facts).sentence);
  };
  QVERIFY(!told(KernelClass::kUnknown).contains(QLatin1String("named")));
  for (const auto& [kind, words] : {std::pair(KernelClass::kTensor, "named like those that use them"),
                                    std::pair(KernelClass::kOrdinary, "named like those that do not use them")}) {
    QVERIFY2(told(kind).contains(QLatin1String(words)), qPrintable(told(kind)));
    QVERIFY(told(kind).contains(QLatin1String("a hint, no measurement")));
    QVERIFY(!told(kind, 1).contains(QLatin1String("named")));  // measured: no hint is wanted
  }
}

void WhyNots::everyVerdictHasAName() {
  QCOMPARE(name(Verdict::kUsed), std::string_view("used"));
  QCOMPARE(name(Verdict::kUnexplained), std::string_view("unexplained"));
  QCOMPARE(name(Verdict::kMemoryBound), std::string_view("memory-bound"));
}

BINADE_SUITE(WhyNots);

}  // namespace binade::test

#include "tst_why_not.moc"
