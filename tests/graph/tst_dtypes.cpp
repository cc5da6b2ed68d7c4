// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/dtype_format.h"
#include "engine/graph/dtype_name.h"
#include "tests/support/suite.h"

#include <ATen/ops/zeros.h>

using namespace binade;

class TestDtypes : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void formatsAndDtypesOfSixteenBitsBelongTogether() {
    for (const formats::Format& format : {formats::kFloat16, formats::kBFloat16}) {
      const at::ScalarType dtype = graph::dtype_of(format);
      QVERIFY(graph::low_format(dtype) == format);
      QVERIFY(graph::narrow_format(dtype) == format);
    }
    QVERIFY(graph::dtype_of(formats::kFloat32) == at::kFloat);
    QVERIFY(!graph::low_format(at::kFloat) && !graph::narrow_format(at::kFloat) && !graph::low_format(at::kLong));
  }

  void float8HasAFormatButNoLowOneAndNoDtypeToComputeIn() {
    QVERIFY(graph::narrow_format(at::kFloat8_e4m3fn) == formats::kFloat8E4M3fn);
    QVERIFY(graph::narrow_format(at::kFloat8_e5m2) == formats::kFloat8E5M2);
    QVERIFY(!graph::narrow_format(at::kFloat8_e4m3fnuz));
    QVERIFY(!graph::low_format(at::kFloat8_e5m2));
    QVERIFY(graph::dtype_of(formats::kFloat8E5M2) == at::ScalarType::Undefined);
    QVERIFY(graph::dtype_of(formats::kTFloat32) == at::ScalarType::Undefined);
  }

  void aShapeHasItsSizesInBrackets() {
    QCOMPARE(QString::fromStdString(graph::shape_text({64, 10})), QStringLiteral("[64,10]"));
    QCOMPARE(QString::fromStdString(graph::shape_text({})), QStringLiteral("[]"));
    QCOMPARE(QString::fromStdString(graph::shape_name(at::zeros({2, 3}))), QStringLiteral("float32[2,3]"));
  }
};

BINADE_SUITE(TestDtypes);
#include "tst_dtypes.moc"
