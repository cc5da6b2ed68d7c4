// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/cast_plan.h"
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/support/suite.h"

#include <functional>

using namespace binade::test;
using nlohmann::json;

/// The comparison itself must fail where a row is wrong: a true row, with one thing planted in it.
class TestComparer : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aPlantedErrorInARowIsReported_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("planted");
    const auto add = [](const char* name, const char* row, const char* place, const char* planted) {
      QTest::newRow(name) << QString::fromUtf8(row) << QString::fromUtf8(place) << QString::fromUtf8(planted);
    };
    add("dtype", "cpu/mm/bf16/f32-f32", "/out/0/dtype", R"("float32")");
    add("shape", "cpu/mm/bf16/f32-f32", "/out/0/shape/0", "5");
    add("last bit of a value", "cpu/mm/bf16/f32-f32", "/out/0/values/3", "0.123456");
    add("a result more", "cpu/mm/bf16/f32-f32", "/out/1", R"({"dtype":"float32","shape":[1]})");
    add("an error where none is", "cpu/mm/bf16/f32-f32", "",
        R"({"ok":false,"error_type":"RuntimeError","error":"no"})");
    add("error class", "cpu/mm/bf16/f64-f32", "/error_type", R"("ValueError")");
    add("error text", "cpu/mm/bf16/f64-f32", "/error", R"("expected m1 and m2 to have the same dtype")");
    add("success where an error is", "cpu/mm/bf16/f64-f32", "", R"({"ok":true,"out":[]})");
  }
  void aPlantedErrorInARowIsReported() {
    QFETCH(const QString, row);
    QFETCH(const QString, place);
    QFETCH(const QString, planted);
    const json& recorded = rowOf(row.toStdString());
    const RowCall call = callOf(recorded);
    const OurRegion region(recorded["region"], c10::kCPU);
    const Answer answer = call.run();
    QCOMPARE(difference(recorded["result"], answer), std::string());
    json wrong = recorded["result"];
    wrong[json::json_pointer(place.toStdString())] = json::parse(planted.toStdString());
    QVERIFY(!difference(wrong, answer).empty());
  }

  void aPlantedErrorInACastPlanIsReported_data() {
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("planted");
    const auto add = [](const char* name, const char* row, const char* place, const char* planted) {
      QTest::newRow(name) << QString::fromUtf8(row) << QString::fromUtf8(place) << QString::fromUtf8(planted);
    };
    add("dtype of one argument", "cuda/mm/bf16/f32-f32", "/args/1", R"("float32")");
    add("no dtype argument", "cuda/softmax.int/bf16/f16", "/args/2", "null");
    add("dtype argument", "cuda/softmax.int/bf16/f16", "/args/2/scalar_type", R"("float16")");
    add("the op that runs", "cuda/norm.Scalar/bf16/f16", "/op", R"("aten::norm.Scalar")");
    add("no refusal", "cuda/binary_cross_entropy/bf16/f32-f32-f32", "",
        R"({"op":"aten::binary_cross_entropy","args":["float32","float32","float32"],"kwargs":{}})");
  }
  void aPlantedErrorInACastPlanIsReported() {
    QFETCH(const QString, row);
    QFETCH(const QString, place);
    QFETCH(const QString, planted);
    const json& recorded = rowOf(row.toStdString());
    const CastPlan plan(c10::DispatchKey::AutogradMeta);
    const RowCall call = callOf(recorded, {.device = c10::kMeta});
    const OurRegion region(recorded["region"], c10::kMeta);
    QCOMPARE(plan.difference(recorded["cast"], call), std::string());
    json wrong = recorded["cast"];
    wrong[json::json_pointer(place.toStdString())] = json::parse(planted.toStdString());
    QVERIFY(!plan.difference(wrong, call).empty());
  }

  /// Without a region the same rows do not pass: the rules do the work, not the comparison.
  void withoutARegionTheRowsDiffer() {
    int differing = 0;
    int rows = 0;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cpu" || row["policy"] != "lower_precision_fp") continue;
      if (row["in_dtypes"] != json::array({"float32", "float32"}) || !row["region"]["enabled"].get<bool>()) continue;
      ++rows;
      if (!difference(row["result"], callOf(row).run()).empty()) ++differing;
    }
    QVERIFY(rows >= 10);
    QCOMPARE(differing, rows);
  }

  void anExceptionThatMatchesAnotherNumberOfRowsIsReported() {
    Exceptions exceptions("cuda-unlisted");
    QVERIFY(!exceptions.counted().empty());  // nothing has been asked, so no number is the table's
    QVERIFY(!exceptions.excepts("cpu/mm/bf16/f32-f32"));
  }

 private:
  static const json& rowOf(const std::string& id) {
    for (const json& row : oracleRows()) {
      if (row["id"] == id) return row;
    }
    throw std::runtime_error("no row " + id);
  }
};

BINADE_SUITE(TestComparer);
#include "tst_comparer.moc"
