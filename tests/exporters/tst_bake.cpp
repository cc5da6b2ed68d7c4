// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/tensors.h"
#include "tests/exporters/exported.h"
#include "tests/support/native_lstm.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <torch/csrc/jit/ir/ir.h>

using namespace binade;

namespace {

int casts(const graph::Model& model) {
  int count = 0;
  for (const torch::jit::Node* node : model.module().get_method("forward").graph()->nodes()) {
    count += node->kind() == c10::aten::to;
  }
  return count;
}

/// bfloat16 out of a linear, float32 parameter added: an implicit promotion.
constexpr const char* kPromotes = R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.linear(x, self.weight)
    z = y + self.offset
    return torch.relu(z) * 2.0
)";

}  // namespace

class TestBake : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anExportedSampleIsTheEngineToTheBit_data() {
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("behaviour");
    for (const graph::Sample& sample : graph::samples()) {
      for (const policy::Behaviour behaviour : {policy::Behaviour::kFixed, policy::Behaviour::kPyTorch211}) {
        QTest::newRow((sample.name + " " + policy::name(behaviour)).c_str())
            << QString::fromStdString(sample.name) << QString::fromStdString(policy::name(behaviour));
      }
    }
  }
  /// The file, loaded again, gives outputs, gradients and buffers of the engine, in train and eval mode.
  void anExportedSampleIsTheEngineToTheBit() {
    QFETCH(QString, sample);
    QFETCH(QString, behaviour);
    if (sample == QLatin1String("lstm")) BINADE_NEEDS_BFLOAT16_LSTM();
    const graph::Model model = graph::make_sample(sample.toStdString(), 3);
    policy::Policy policy = test::cpuAmp();
    if (behaviour == QLatin1String("pytorch-2.11")) policy.behaviour = policy::Behaviour::kPyTorch211;
    const auto table = test::tableFor(model, policy);
    const std::vector<std::vector<c10::IValue>> inputs{test::inputsOf(sample.toStdString())};
    const exporters::Baked baked = exporters::bake(model, *table, inputs);
    for (const targets::Finding& finding : baked.findings) {
      QVERIFY2(finding.kind == targets::Finding::Kind::kNote, finding.message.c_str());
    }
    QVERIFY(baked.casts > 0);
    const graph::Model file = exporters::reloaded(baked.model);
    const exporters::Proof proof = exporters::prove(model, table, file, inputs, 7);
    QVERIFY2(proof.identical, proof.first_difference.c_str());
    QCOMPARE(proof.outputs, 0.0);
    QVERIFY(proof.gradients_compared > 0);
    const std::string counts = std::to_string(proof.gradients_compared) + " gradients identical, " +
                               std::to_string(baked.casts) + " casts written";
    qInfo("%s: %s", qPrintable(sample), counts.c_str());
  }

  void anExportedSampleTrainsByTheOptimisingExecutor_data() {
    QTest::addColumn<QString>("sample");
    for (const graph::Sample& sample : graph::samples()) QTest::newRow(sample.name.c_str()) << sample.name.c_str();
  }
  void anExportedSampleTrainsByTheOptimisingExecutor() {
    QFETCH(QString, sample);
    if (sample == QLatin1String("lstm")) BINADE_NEEDS_BFLOAT16_LSTM();
    const graph::Model model = graph::make_sample(sample.toStdString(), 3);
    const auto inputs = test::inputsOf(sample.toStdString());
    const exporters::Baked baked = exporters::bake(model, *test::tableFor(model, test::cpuAmp()), {inputs});
    const std::string failure = exporters::train_by_executor(baked.model, inputs, 5, 7);
    QVERIFY2(failure.empty(), failure.c_str());
  }

  /// Rule R6. Beside it the same casts with the promotion left implicit, which the executor cannot train.
  void everyImplicitPromotionIsMadeExplicit() {
    const std::vector<c10::IValue> inputs{at::rand({4, 8})};
    const graph::Model implicit = test::modelOf(R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.linear(x.to(15), self.weight.to(15))
    z = y + self.offset
    return torch.relu(z) * 2.0
)");
    const std::string fails = exporters::train_by_executor(implicit, inputs, 6, 7);
    QVERIFY2(fails.find("dtype") != std::string::npos, fails.c_str());

    const graph::Model model = test::modelOf(kPromotes);
    for (const policy::Behaviour behaviour : {policy::Behaviour::kFixed, policy::Behaviour::kPyTorch211}) {
      policy::Policy policy = test::cpuAmp();
      policy.behaviour = behaviour;
      const auto table = test::tableFor(model, policy);
      const exporters::Baked baked = exporters::bake(model, *table, {inputs});
      const std::string failure = exporters::train_by_executor(baked.model, inputs, 6, 7);
      QVERIFY2(failure.empty(), failure.c_str());
      QVERIFY(exporters::prove(model, table, baked.model, {inputs}, 7).identical);
      QCOMPARE(casts(baked.model), 3);  // input, weight, and the linear's result before the addition
    }
  }

  /// Rule R7: the flat graph reaches into what an attribute typed as an interface holds, and the file must load.
  void anAttributeTypedAsAnInterfaceGetsItsClass() {
    const graph::Model model = graph::Model::load(BINADE_TEST_DATA "/models/interface.pt");
    const std::vector<std::vector<c10::IValue>> inputs{{at::rand({2, 4})}};
    const auto table = test::tableFor(model, test::cpuAmp());
    const exporters::Baked baked = exporters::bake(model, *table, inputs);
    const graph::Model file = exporters::reloaded(baked.model);  // throws where the file does not load
    const exporters::Proof proof = exporters::prove(model, table, file, inputs, 7);
    QVERIFY2(proof.identical, proof.first_difference.c_str());
    for (const auto& type : file.module().type()->containedTypes()) {
      QVERIFY(type->kind() != c10::TypeKind::InterfaceType);
    }
  }

  void modelsOfOtherPeopleExport_data() {
    QTest::addColumn<QString>("file");
    for (const char* file : {"scripted.pt", "traced_train.pt", "traced_eval.pt", "frozen.pt", "attention.pt",
                             "control.pt", "device_constant.pt", "forked.pt", "own_blocks.pt", "own_autocast.pt",
                             "user_dtypes.pt", "user_dtypes_traced.pt"}) {
      QTest::newRow(file) << file;
    }
  }
  void modelsOfOtherPeopleExport() {
    QFETCH(QString, file);
    const graph::Model model = graph::Model::load(BINADE_TEST_DATA "/models/" + file.toStdString());
    at::manual_seed(2000);
    std::vector<c10::IValue> inputs{at::rand({2, 3, 8, 8})};
    if (file == QLatin1String("attention.pt")) {
      inputs = {at::randint(50, {2, 6}, at::kLong), at::randint(50, {2, 6}, at::kLong)};
    } else if (file == QLatin1String("control.pt")) {
      c10::Dict<std::string, at::Tensor> dictionary;
      dictionary.insert("x", at::rand({2, 8}));
      inputs = {dictionary, 3};
    } else if (file.startsWith(QLatin1String("user_")) || file.startsWith(QLatin1String("own_")) ||
               file == QLatin1String("forked.pt") || file == QLatin1String("device_constant.pt")) {
      inputs = {at::rand({2, 4})};
    }
    const auto table = test::tableFor(model, test::cpuAmp());
    const exporters::Baked baked = exporters::bake(model, *table, {inputs});
    const exporters::Proof proof = exporters::prove(model, table, exporters::reloaded(baked.model), {inputs}, 7);
    QVERIFY2(proof.identical, proof.first_difference.c_str());
  }

  /// What did not run with the inputs casts by the dtypes that come.
  void whatDidNotRunLooksAtDtypesWhenItDoes() {
    const graph::Model model = test::modelOf(R"(
def forward(self, x: Tensor, other: bool = False) -> Tensor:
    if other:
        y = torch.linear(torch.softmax(x, -1), self.weight, self.offset)
        return torch.cat([y, x + y], 0)
    return torch.relu(torch.linear(x, self.weight))
)");
    const at::Tensor x = at::rand({4, 8});
    const auto table = test::tableFor(model, test::cpuAmp());
    const exporters::Baked baked = exporters::bake(model, *table, {{x, false}});
    QVERIFY(baked.looked_at > 0);
    const exporters::Proof proof =
        exporters::prove(model, table, exporters::reloaded(baked.model), {{x, false}, {x, true}}, 7);
    QVERIFY2(proof.identical, proof.first_difference.c_str());
  }

  void whatFollowsABranchOrALoopHoldsWhicheverWayItGoes_data() {
    QTest::addColumn<QString>("forward");
    QTest::newRow("a branch") << R"(
def forward(self, x: Tensor, times: int) -> Tensor:
    if times > 0:
        x = torch.linear(x, self.weight)
    return torch.linear(x * 2.0, self.weight, self.offset)
)";
    QTest::newRow("a branch and a promotion") << R"(
def forward(self, x: Tensor, times: int) -> Tensor:
    if times > 0:
        x = torch.linear(x, self.weight)
    y = torch.cat([x, torch.linear(x, self.weight)], 0)
    return torch.sum(y + self.offset, -1)
)";
    QTest::newRow("a loop") << R"(
def forward(self, x: Tensor, times: int) -> Tensor:
    for i in range(times):
        x = torch.linear(x, self.weight)
    return torch.mm(torch.relu(x), self.weight)
)";
    QTest::newRow("a loop that fills a list") << R"(
def forward(self, x: Tensor, times: int) -> Tensor:
    xs = [x]
    for i in range(times):
        xs.append(torch.linear(x, self.weight))
    return torch.mm(xs[-1], self.weight)
)";
    QTest::newRow("a branch that casts as the other") << R"(
def forward(self, x: Tensor, times: int) -> Tensor:
    if times > 0:
        y = torch.linear(x, self.weight)
    else:
        y = torch.mm(x, self.weight)
    return torch.mm(y, self.weight)
)";
  }
  void whatFollowsABranchOrALoopHoldsWhicheverWayItGoes() {
    QFETCH(QString, forward);
    const graph::Model model = test::modelOf(forward.toStdString());
    const at::Tensor x = at::rand({4, 8});
    for (const policy::Behaviour behaviour : {policy::Behaviour::kFixed, policy::Behaviour::kPyTorch211}) {
      policy::Policy policy = test::cpuAmp();
      policy.behaviour = behaviour;
      const auto table = test::tableFor(model, policy);
      for (const int seen : {0, 1, 3}) {
        const exporters::Baked baked = exporters::bake(model, *table, {{x, seen}});
        const exporters::Proof proof =
            exporters::prove(model, table, exporters::reloaded(baked.model), {{x, 0}, {x, 1}, {x, 2}, {x, 3}}, 7);
        QVERIFY2(proof.identical, proof.first_difference.c_str());
      }
    }
  }

  /// A parameter that several ops use is cast once: the gradients of its uses meet in bfloat16, as Autocast's do.
  void aParameterIsCastOnce() {
    const graph::Model model = test::modelOf(R"(
def forward(self, x: Tensor) -> Tensor:
    for i in range(3):
        x = torch.tanh(torch.linear(x, self.weight))
    return torch.linear(x, self.weight)
)");
    const std::vector<std::vector<c10::IValue>> inputs{{at::rand({4, 8})}};
    const auto table = test::tableFor(model, test::cpuAmp());
    const exporters::Baked baked = exporters::bake(model, *table, inputs);
    const exporters::Proof proof = exporters::prove(model, table, baked.model, inputs, 7);
    QVERIFY2(proof.identical, proof.first_difference.c_str());
  }

  void theFileKeepsParametersBuffersAndDefaults() {
    const graph::Model model = graph::make_sample("cnn", 3);
    const exporters::Baked baked =
        exporters::bake(model, *test::tableFor(model, test::cpuAmp()), {test::inputsOf("cnn")});
    const graph::Model file = exporters::reloaded(baked.model);
    const auto expected = model.parameters();
    const auto got = file.parameters();
    QCOMPARE(got.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      QCOMPARE(got[i].first, expected[i].first);
      QVERIFY(exporters::same_bits(got[i].second, expected[i].second));
      QVERIFY(got[i].second.requires_grad());
    }
    const auto buffers = file.buffers();
    QCOMPARE(buffers.size(), model.buffers().size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      QVERIFY2(exporters::same_bits(buffers[i].second, model.buffers()[i].second), buffers[i].first.c_str());
    }
    const graph::Model steps = graph::make_sample("control-flow", 3);
    const exporters::Baked with_default =
        exporters::bake(steps, *test::tableFor(steps, test::cpuAmp()), {test::inputsOf("control-flow")});
    const auto& argument = with_default.model.module().get_method("forward").function().getSchema().arguments().at(2);
    QVERIFY(argument.default_value().has_value());
  }

  /// Shows that a proof can fail: the same file against another policy.
  void aFileOfAnotherPolicyIsFoundOut() {
    const graph::Model model = graph::make_sample("mlp", 3);
    const std::vector<std::vector<c10::IValue>> inputs{test::inputsOf("mlp")};
    const exporters::Baked baked = exporters::bake(model, *test::tableFor(model, test::cpuAmp()), inputs);
    policy::Policy other = test::cpuAmp();
    other.ops["aten::linear"] = formats::kFloat32;
    const exporters::Proof proof = exporters::prove(model, test::tableFor(model, other), baked.model, inputs, 7);
    QVERIFY(!proof.identical);
    QVERIFY(proof.gradients > 0);
  }
};

BINADE_SUITE(TestBake);
#include "tst_bake.moc"
