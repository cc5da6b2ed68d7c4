// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/model.h"
#include "engine/run/trainer.h"
#include "tests/files/idx_files.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <torch/csrc/jit/api/module.h>

using namespace binade;
using test::Listening;

namespace {

constexpr const char* kLinear =
    "def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight, self.bias)\n";

wire::RunConfig runOf(const std::string& text, const std::vector<std::string>& inputs, bool with_parameters = true) {
  wire::RunConfig config = test::smallRun(4);
  config.model = test::saveModel(test::temporaryFolder().toStdString(), text, with_parameters);
  config.data.inputs = inputs;
  config.batch = 6;
  config.data.classes = 4;
  return config;
}

/// What the run is refused with before it starts.
Error refusal(const wire::RunConfig& config) {
  Listening heard;
  try {
    run::Trainer trainer(config, heard);
  } catch (const Error& error) {
    if (!heard.started.empty()) return Error(ErrorCode::kInternal, "had started");
    return error;
  }
  return Error(ErrorCode::kInternal, "accepted");
}

#define REFUSED(config, wanted_code, words)                                                  \
  do {                                                                                       \
    const Error error = refusal(config);                                                     \
    QVERIFY2(QString::fromUtf8(error.what()).contains(QStringLiteral(words)), error.what()); \
    QCOMPARE(error.code, wanted_code);                                                       \
    QVERIFY2(!error.hint.empty(), error.what());                                             \
  } while (false)

}  // namespace

class TestBadRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aGoodOneIsAccepted();
  void aMissingInputIsNamed();
  void aPolicyForAnOperatorThatDoesNotExistIsRefused();
  void parametersInFloat16AreRefused();
  void givenValuesOfAnotherBatchAreRefused();
  void oneInputTooManyIsCounted();
  void wrongShapesNameTheOpAndTheShapes();
  void nanInTheDataIsFound();
  void aModelWithoutParametersIsRefused();
  void parametersSavedWithoutGradientAreSwitchedOn();
  void labelsBeyondTheClassesAreRefused();
  void anOutputThatIsNoTensorListsWhatThereIs();
  void anUnknownSampleAndAnInputThatDoesNotParse();
  void theStateGoesBackToIdle();
  void anOpThatFailsInAStepEndsTheRunWithItsName();
  void aLossWithoutGradientEndsTheRunWithItsReason();
  void aBannedOpHasPyTorchsAdviceAndNoOther();
};

void TestBadRuns::aGoodOneIsAccepted() {
  Listening heard;
  QCOMPARE(test::runToEnd(runOf(kLinear, {"float32[6,8]"}), heard).finished.outcome, wire::Outcome::kCompleted);
}

void TestBadRuns::aMissingInputIsNamed() {
  REFUSED(runOf(kLinear, {}), ErrorCode::kBadRun, "data is missing: the run has no input for forward(x: Tensor)");
  const char* text =
      "def forward(self, x: Tensor, mask: Tensor) -> Tensor:\n"
      "    return torch.linear(x * mask, self.weight, self.bias)\n";
  REFUSED(runOf(text, {"float32[6,8]"}), ErrorCode::kBadModel, "forward needs the input 'mask' (Tensor)");
}

void TestBadRuns::aPolicyForAnOperatorThatDoesNotExistIsRefused() {
  wire::RunConfig config = runOf(kLinear, {"float32[6,8]"});
  config.policy.ops["aten::convv2d"] = formats::kFloat32;
  REFUSED(config, ErrorCode::kBadPolicy, "ops[\"aten::convv2d\"]: this LibTorch has no such operator");
  QVERIFY(QString::fromStdString(refusal(config).hint).startsWith(QStringLiteral("Did you mean \"aten::conv2d\"?")));
  config.policy.ops = {{"aten::add.Tensr", formats::kFloat32}};
  REFUSED(config, ErrorCode::kBadPolicy, "ops[\"aten::add.Tensr\"]");
  QVERIFY(
      QString::fromStdString(refusal(config).hint).startsWith(QStringLiteral("Did you mean \"aten::add.Tensor\"?")));
  // Not in this model, but operators: one with an overload, one without a name for it, and one of somebody else.
  config.policy.ops = {{"aten::add.Tensor", formats::kFloat32},
                       {"aten::conv2d.default", formats::kFloat32},
                       {"aten::gelu", formats::kFloat32},
                       {"mine::gelu", formats::kFloat32}};
  QCOMPARE(QString::fromUtf8(refusal(config).what()), QStringLiteral("accepted"));
}

void TestBadRuns::parametersInFloat16AreRefused() {
  wire::RunConfig config = runOf(kLinear, {"float32[6,8]"});
  graph::Model model = graph::Model::load(config.model);
  model.module().to(at::kHalf);
  config.model = test::temporaryFolder().toStdString() + "/half.pt";
  model.module().save(config.model);
  REFUSED(config, ErrorCode::kBadModel, "the parameter weight is float16");
  QVERIFY(QString::fromStdString(refusal(config).hint).contains(QStringLiteral("float32")));
}

void TestBadRuns::givenValuesOfAnotherBatchAreRefused() {
  REFUSED(runOf(kLinear, {"float32[1,8]=0,1,2,3,4,5,6,7"}), ErrorCode::kBadRun, "values of 1 example, but batch is 6");
  wire::RunConfig config = runOf(kLinear, {"float32[6,8]"});
  config.batch = std::int64_t{1} << 60;
  REFUSED(config, ErrorCode::kBadRun, "too large a tensor");
}

void TestBadRuns::oneInputTooManyIsCounted() {
  REFUSED(runOf(kLinear, {"float32[6,8]", "none"}), ErrorCode::kBadRun, "gives 2 inputs, but forward takes 1");
}

void TestBadRuns::wrongShapesNameTheOpAndTheShapes() {
  const wire::RunConfig config = runOf(kLinear, {"float32[6,9]"});
  REFUSED(config, ErrorCode::kBadModel, "aten::linear#0: mat1 and mat2 shapes cannot be multiplied");
  QVERIFY(QString::fromStdString(refusal(config).hint).contains(QStringLiteral("float32[6,9]")));
}

void TestBadRuns::nanInTheDataIsFound() {
  REFUSED(runOf(kLinear, {"float32[1,8]=0,1,2,nan,4,5,6,7"}), ErrorCode::kBadData, "not finite, number 4");
  wire::RunConfig config = runOf(kLinear, {});
  config.data.kind = "idx";
  config.data.folder = test::temporaryFolder().toStdString();
  test::writeDataSet(config.data.folder, 64, 4, 2);
  config.data.deviation = 1e-45;  // 0 in float32
  config.batch = 4;
  REFUSED(config, ErrorCode::kBadData, "values that are NaN or infinite");
}

void TestBadRuns::aModelWithoutParametersIsRefused() {
  REFUSED(runOf("def forward(self, x: Tensor) -> Tensor:\n    return x\n", {"float32[6,4]"}, false),
          ErrorCode::kBadModel, "has no trainable parameter");
}

void TestBadRuns::parametersSavedWithoutGradientAreSwitchedOn() {
  wire::RunConfig config = runOf(kLinear, {"float32[6,8]"});
  const graph::Model model = graph::Model::load(config.model);
  for (const auto& [name, tensor] : model.parameters()) tensor.requires_grad_(false);
  config.model = test::temporaryFolder().toStdString() + "/off.pt";
  model.module().save(config.model);
  Listening heard;
  QCOMPARE(test::runToEnd(config, heard).finished.outcome, wire::Outcome::kCompleted);
}

void TestBadRuns::labelsBeyondTheClassesAreRefused() {
  wire::RunConfig config = runOf(kLinear, {"float32[6,8]"});
  config.data.classes = 10;
  REFUSED(config, ErrorCode::kBadData, "has 4 classes, but the largest label is 9");
}

void TestBadRuns::anOutputThatIsNoTensorListsWhatThereIs() {
  const char* text =
      "def forward(self, x: Tensor) -> Dict[str, Tensor]:\n"
      "    y = torch.linear(x, self.weight, self.bias)\n"
      "    return {\"out\": y, \"aux\": y * 2.0}\n";
  wire::RunConfig config = runOf(text, {"float32[6,8]"});
  REFUSED(config, ErrorCode::kBadRun, "the loss takes one tensor");
  QVERIFY(QString::fromStdString(refusal(config).hint).contains(QStringLiteral("aux (float16[6,4])")));
  config.output = "aux";
  Listening heard;
  QCOMPARE(test::runToEnd(config, heard).finished.outcome, wire::Outcome::kCompleted);
}

void TestBadRuns::anUnknownSampleAndAnInputThatDoesNotParse() {
  wire::RunConfig config = test::smallRun(1);
  config.model = "sample:vgg";
  REFUSED(config, ErrorCode::kUsage, "Unknown sample \"vgg\"");
  config = test::smallRun(1);
  config.data.inputs = {"float32(2)"};
  REFUSED(config, ErrorCode::kBadRun, "expected '['");
}

void TestBadRuns::theStateGoesBackToIdle() {
  wire::RunConfig config = test::smallRun(1);
  config.model = "sample:vgg";
  Listening heard;
  QVERIFY_THROWS_EXCEPTION(Error, run::Trainer(config, heard));
  QCOMPARE(heard.states.size(), 2u);
  QCOMPARE(heard.states.back().state, wire::RunState::kIdle);
}

void TestBadRuns::anOpThatFailsInAStepEndsTheRunWithItsName() {
  const char* text =
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    y = torch.linear(x, self.weight, self.bias)\n"
      "    if self.training:\n"
      "        if bool(self.bias.abs().sum() > 0.0):\n"
      "            return y.view([5, 5])\n"
      "    return y\n";
  Listening heard;  // the bias is 0 in the first step only
  wire::RunConfig config = runOf(text, {"float32[6,8]"});
  config.scaler.init_scale = 1;
  const auto done = test::runToEnd(config, heard);
  QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
  QCOMPARE(done.finished.steps, 1);
  QVERIFY2(
      QString::fromStdString(done.finished.message).contains(QStringLiteral("aten::view#0: shape '[5, 5]' is invalid")),
      done.finished.message.c_str());
  QCOMPARE(heard.finished.size(), 1u);
  QCOMPARE(heard.states.back().state, wire::RunState::kFinished);
}

void TestBadRuns::aLossWithoutGradientEndsTheRunWithItsReason() {
  const char* text =
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    return torch.linear(x, self.weight, self.bias).detach()\n";
  Listening heard;
  const auto done = test::runToEnd(runOf(text, {"float32[6,8]"}), heard);
  QCOMPARE(done.finished.outcome, wire::Outcome::kFailed);
  QVERIFY(QString::fromStdString(done.finished.message).contains(QStringLiteral("does not depend on any trainable")));
  QVERIFY(!done.finished.hint.empty());
}

/// The shapes that the run gives forward have nothing to do with a ban.
void TestBadRuns::aBannedOpHasPyTorchsAdviceAndNoOther() {
  wire::RunConfig config = runOf(
      "def forward(self, x: Tensor) -> Tensor:\n"
      "    y = torch.sigmoid(torch.linear(x, self.weight, self.bias))\n"
      "    return torch.binary_cross_entropy(y, torch.ones_like(y))\n",
      {"float32[6,8]"});
  config.policy.base = policy::Base::kCudaAmp;
  REFUSED(config, ErrorCode::kBadPolicy, "aten::binary_cross_entropy#0: torch.nn.functional.binary_cross_entropy and");
  const QString hint = QString::fromStdString(refusal(config).hint);
  QVERIFY2(hint.contains(QStringLiteral("binary_cross_entropy_with_logits")), qPrintable(hint));
  QVERIFY2(hint.endsWith(QStringLiteral("give this call the format float32.")), qPrintable(hint));
}

BINADE_SUITE(TestBadRuns);
#include "tst_bad_runs.moc"
