// SPDX-License-Identifier: Apache-2.0
// A command without its policy: the answer has what names one, and an example with all that the command requires.
#include "tests/host/run_engine.h"
#include "tests/support/suite.h"

using namespace binade;
using test::engine;
using test::EngineResult;

class TestMissingPolicy : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aMissingPolicyIsAnsweredWithWhatNamesOne_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const QStringList& arguments, const char* says) {
      QTest::newRow(name) << arguments << QString::fromUtf8(says);
    };
    row("try without a policy", QStringLiteral("try run.json").split(u' '),
        "--policy is required\n  A policy is a policy file, the name of a base list: cuda-amp, cpu-amp, apex-o0 to "
        "apex-o3, all-float32, or the name of a recipe: mxfp8, nvfp4, fp8-current, fp8-delayed, fp8-block.\n  For "
        "example: binade-engine try RUN --policy cuda-amp\n  See `");
    row("export without a policy", QStringLiteral("export sample:mlp --to csv --out -").split(u' '),
        "--policy is required for a model\n  A policy is a policy file, the name of a base list: cuda-amp");
    row("check of no policy", QStringLiteral("policy check").split(u' '),
        "POLICY is required\n  A policy is a policy file, the name of a base list: cuda-amp");
    row("an example with what else is required", QStringLiteral("policy minimise").split(u' '),
        "\n  For example: binade-engine policy minimise cuda-amp MODEL --out OUT\n");
    row("an example of two policies", QStringLiteral("policy diff cuda-amp").split(u' '),
        "OTHER is required\n  A policy is a policy file");
    row("no run is no missing policy", QStringLiteral("try --policy cuda-amp").split(u' '), "RUN is required\n  See `");
  }
  void aMissingPolicyIsAnsweredWithWhatNamesOne() {
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, says);
    const EngineResult result = engine(arguments);
    QCOMPARE(result.code, 2);
    QVERIFY2(result.err.contains(says), qPrintable(result.err));
  }
};

BINADE_SUITE(TestMissingPolicy);
#include "tst_missing_policy.moc"
