// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "tests/exporters/exported.h"
#include "tests/support/suite.h"

using namespace binade;

namespace {

policy::SiteRule rule(const char* match, const formats::Format& format) {
  policy::SiteRule made;
  made.match = match;
  made.format = format;
  return made;
}

}  // namespace

class TestRefusals : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatTorchScriptCannotExpressIsListed_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("says");
    QTest::newRow("a format of one's own") << "e4m2"
                                           << "e4m2 is not a dtype";
    QTest::newRow("float8") << "float8_e5m2"
                            << "float8_e5m2 is not a dtype";
    QTest::newRow("tfloat32") << "tfloat32"
                              << "tfloat32 is not a dtype";
    QTest::newRow("saturation") << "saturate"
                                << "does not saturate";
    QTest::newRow("gradients in another format") << "backward"
                                                 << "gradients in float32";
    QTest::newRow("emulation") << "emulated"
                               << "is not emulated";
  }
  void whatTorchScriptCannotExpressIsListed() {
    QFETCH(QString, what);
    QFETCH(QString, says);
    policy::Policy policy = test::cpuAmp();
    policy.sites.push_back(rule("fc2", formats::kFloat16));
    policy::SiteRule& changed = policy.sites.back();
    if (what == QLatin1String("saturate")) {
      changed.overflow = formats::Overflow::kSaturate;
    } else if (what == QLatin1String("backward")) {
      changed.backward = formats::kFloat32;
    } else if (what == QLatin1String("emulated")) {
      changed.execution = policy::Execution::kEmulated;
    } else {
      changed.format = *formats::parse(what.toStdString());
    }
    const graph::Model model = graph::make_sample("mlp", 3);
    const auto table = test::tableFor(model, policy);
    const std::vector<std::vector<c10::IValue>> inputs{test::inputsOf("mlp")};
    const exporters::Baked baked = exporters::bake(model, *table, inputs);
    QVERIFY(!baked.exact());
    const targets::Finding& finding = baked.findings.at(0);
    QVERIFY2(finding.message.find(says.toStdString()) != std::string::npos, finding.message.c_str());
    QCOMPARE(finding.sites, std::vector<std::string>{"fc2/aten::linear#0"});
    // What it became instead is proven all the same, and is not the policy.
    QVERIFY(exporters::prove(model, baked.table, baked.model, inputs, 7).identical);
    // Nothing overflows here, and native float16 on a CPU rounds float32 products as well.
    const bool same = what == QLatin1String("saturate") || what == QLatin1String("emulated");
    if (!same) QVERIFY(!exporters::prove(model, table, baked.model, inputs, 7).identical);
  }

  void aRuleForOneCallInALoopIsListed() {
    policy::Policy policy = test::cpuAmp();
    policy.sites.push_back(rule("cell/aten::linear#0", formats::kFloat32));
    policy.sites.back().call = 1;
    const graph::Model model = graph::make_sample("control-flow", 3);
    const exporters::Baked baked =
        exporters::bake(model, *test::tableFor(model, policy), {test::inputsOf("control-flow")});
    QVERIFY(!baked.exact());
    QVERIFY(baked.findings.at(0).message.find("a rule for a single call") != std::string::npos);
  }

  /// Outside loops the first call is the only one.
  void aRuleForTheOnlyCallIsKept() {
    policy::Policy policy = test::cpuAmp();
    policy.sites.push_back(rule("fc2", formats::kFloat32));
    policy.sites.back().call = 0;
    const graph::Model model = graph::make_sample("mlp", 3);
    const auto table = test::tableFor(model, policy);
    const std::vector<std::vector<c10::IValue>> inputs{test::inputsOf("mlp")};
    const exporters::Baked baked = exporters::bake(model, *table, inputs);
    QVERIFY(baked.exact());
    QVERIFY(exporters::prove(model, table, baked.model, inputs, 7).identical);
  }

  void whatLibTorchRefusesOfTheModelIsNoFaultOfTheExport_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("says");
    QTest::newRow("a backward that refuses") << QStringLiteral("torch.vander(torch.mul(x, self.weight)[0])")
                                             << QStringLiteral("one of the variables needed for gradient computation");
    QTest::newRow("an output that no loss takes")
        << QStringLiteral("torch.mul(x, self.weight).to_sparse()") << QStringLiteral("Could not run 'aten::mean.dim'");
  }
  void whatLibTorchRefusesOfTheModelIsNoFaultOfTheExport() {
    QFETCH(const QString, body);
    QFETCH(const QString, says);
    const graph::Model model =
        test::modelOf("\ndef forward(self, x: Tensor) -> Tensor:\n    return " + body.toStdString() + "\n");
    const auto table = test::tableFor(model, test::cpuAmp());
    const std::vector<std::vector<c10::IValue>> inputs{{at::rand({8, 8})}};
    const exporters::Baked baked = exporters::bake(model, *table, inputs);
    try {
      exporters::prove(model, baked.table, baked.model, inputs, 7);
      QFAIL("was taken");
    } catch (const Error& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY(error.code == ErrorCode::kBadModel);
      QVERIFY2(text.startsWith(QLatin1String("LibTorch itself refuses: ")), qPrintable(text));
      QVERIFY2(text.contains(says) && !text.contains(QLatin1Char('\n')), qPrintable(text));
    }
  }

  void aBackwardThatDoesNotFitIsNoRefusal() {
    // The gradient of what is looked up has the size of all that it was looked up in.
    const graph::Model model = test::modelOf(
        "\ndef forward(self, x: Tensor) -> Tensor:\n"
        "    many = torch.mul(x, self.weight).sum().expand([1125899906842624])\n"
        "    return torch.index_select(many, 0, torch.zeros([4], dtype=4))\n");
    const auto table = test::tableFor(model, test::cpuAmp());
    const std::vector<std::vector<c10::IValue>> inputs{{at::rand({8, 8})}};
    const auto runs_out = [](const auto& call) {
      try {
        call();
      } catch (const Error& error) {
        return error.code == ErrorCode::kOutOfMemory &&
               QString::fromUtf8(error.what()).startsWith(QLatin1String("backward: out of memory: "));
      }
      return false;
    };
    QVERIFY(runs_out([&] { exporters::prove(model, table, model, inputs, 7); }));
    QVERIFY(runs_out([&] { exporters::train_by_executor(model, inputs[0], 1, 7); }));
  }

  void aTableOfAnotherModelIsRefused() {
    const graph::Model model = graph::make_sample("mlp", 3);
    const auto table = test::tableFor(graph::make_sample("cnn", 3), test::cpuAmp());
    try {
      exporters::bake(model, *table, {test::inputsOf("mlp")});
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.code, ErrorCode::kBadPolicy);
    }
  }
};

BINADE_SUITE(TestRefusals);
#include "tst_refusals.moc"
