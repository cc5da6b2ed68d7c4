// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/argument_roles.h"
#include "tests/support/suite.h"

#include <ATen/core/dispatch/Dispatcher.h>

using namespace binade;

namespace {

/// One letter an argument: d data, w weight, s statistics, i index, W written, - no tensor.
QString roles(const char* op, const char* overload = "") {
  const auto handle = c10::Dispatcher::singleton().findSchemaOrThrow(op, overload);
  QString text;
  for (const graph::Role role : graph::roles_of(handle.schema())) text += QLatin1Char("dwsiW-"[static_cast<int>(role)]);
  return text;
}

}  // namespace

class TestRoles : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyArgumentHasTheRoleThatItsOpGivesIt() {
    QCOMPARE(roles("aten::linear"), QStringLiteral("dww"));
    QCOMPARE(roles("aten::conv2d"), QStringLiteral("dww----"));
    QCOMPARE(roles("aten::embedding"), QStringLiteral("wi---"));
    QCOMPARE(roles("aten::layer_norm"), QStringLiteral("d-ww--"));
    QCOMPARE(roles("aten::add", "Tensor"), QStringLiteral("dd-"));
    QCOMPARE(roles("aten::cat"), QStringLiteral("d-"));
    QCOMPARE(roles("aten::nll_loss"), QStringLiteral("diw--"));
    QCOMPARE(roles("aten::index", "Tensor"), QStringLiteral("di"));
    QCOMPARE(roles("aten::type_as"), QStringLiteral("di"));  // the other shows a dtype only
    QCOMPARE(roles("aten::lstm", "input"), QStringLiteral("dd"
                                                          "w"
                                                          "------"));
  }

  void whatAnOpWritesIsNeverData() {
    QCOMPARE(roles("aten::relu_"), QStringLiteral("W"));
    QCOMPARE(roles("aten::add_", "Tensor"), QStringLiteral("Wd-"));
    QCOMPARE(roles("aten::batch_norm"), QStringLiteral("dssss----"));  // written, though the schema does not say so
    QCOMPARE(roles("aten::instance_norm"), QStringLiteral("dssss----"));
  }

  void mixedPrecisionIsByDesignInNormalisations() {
    QVERIFY(graph::takes_mixed_precision("aten::batch_norm"));
    QVERIFY(graph::takes_mixed_precision("aten::layer_norm"));
    QVERIFY(!graph::takes_mixed_precision("aten::linear"));
  }
};

BINADE_SUITE(TestRoles);
#include "tst_roles.moc"
