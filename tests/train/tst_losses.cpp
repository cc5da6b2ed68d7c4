// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/region.h"
#include "engine/batches/synthetic_data.h"
#include "engine/checkpoint/checkpoint.h"
#include "engine/formats/error.h"
#include "engine/run/step.h"
#include "engine/train/losses.h"
#include "tests/run/small_run.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <QFile>
#include <torch/csrc/api/include/torch/nn/functional/loss.h>

#include <cmath>

using namespace binade;
namespace F = torch::nn::functional;
using test::Listening;

namespace {

at::Generator generator() {
  return at::make_generator<at::CPUGeneratorImpl>(5);
}

/// A source that gives nothing but what its targets are.
class Described : public batches::SyntheticData {
 public:
  explicit Described(std::vector<batches::TargetInfo> targets)
      : SyntheticData({"float32[2,2]"}, 2, 2, 1), targets_(std::move(targets)) {}
  const std::vector<batches::TargetInfo>& targets() const override { return targets_; }

 private:
  std::vector<batches::TargetInfo> targets_;
};

Described labelled() {
  return Described({{"label", files::LabelRange{}}});
}
Described numbered() {
  return Described({{"depth", std::nullopt}});
}

at::Tensor valueOf(const std::string& kind, const at::Tensor& output, const at::Tensor& target,
                   const batches::BatchSource& data) {
  wire::LossConfig config;
  config.kind = kind;
  train::Loss loss(config, "loss", 0, data);
  batches::Batch batch;
  batch.targets = {{data.targets().front().name, target}};
  return loss(output, batch, {});
}

std::string refusalOf(const wire::LossConfig& config) {
  try {
    const auto data = numbered();
    train::Loss loss(config, "loss.1", 0, data);
  } catch (const Error& error) {
    return error.code == ErrorCode::kBadRun ? error.what() : "another code";
  }
  return "accepted";
}

/// Native bfloat16 under the lists of `base`.
wire::RunConfig inBFloat16(policy::Base base, std::int64_t steps) {
  wire::RunConfig config = test::smallRun(steps);
  config.policy.base = base;
  config.policy.low = formats::kBFloat16;
  config.policy.execution = policy::Execution::kNative;
  config.scaler.enabled = false;
  return config;
}

wire::LossConfig text(const std::string& body) {
  wire::LossConfig config;
  config.kind = "text";
  config.text = body;
  return config;
}

}  // namespace

class TestLosses : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void standardLossesAreLibTorchsOwn_data();
  void standardLossesAreLibTorchsOwn();
  void crossEntropyOverLabelsIsLibTorchsOwn();
  void underTheCpusListCrossEntropyIsLibTorchsOwn();
  void underCudasListCrossEntropyIsThatOfEagerCode();
  void theLossGoesByTheListInForce_data();
  void theLossGoesByTheListInForce();
  void crossEntropyTakesProbabilitiesAndFurtherDimensions();
  void meanSquareWithoutNumbersIsOfTheOutputAlone();
  void aTargetOfAnotherShapeIsRefused();
  void twoOutputsAreComparedByCosine();
  void aTextIsALossWithSitesOfItsOwn();
  void aTextThatDoesNotCompileNamesItsLine();
  void aTextTakesSeveralOutputs();
  void aDtypeInATextIsToldAsTheNumberToWrite();
  void anAssertInATextIsToldAsTheLosss();
  void aTextThatTouchesFilesIsRefused();
  void aTextWithOtherArgumentsIsRefused();
  void aTextWithoutASingleNumberIsRefused();
  void weightedLossesAddUp();
  void outputsAreTakenOutOfTuplesListsAndDictionaries_data();
  void outputsAreTakenOutOfTuplesListsAndDictionaries();
};

void TestLosses::standardLossesAreLibTorchsOwn_data() {
  QTest::addColumn<QString>("kind");
  for (const char* kind : {"mse", "l1", "smooth_l1", "huber", "bce_with_logits", "kl_div"}) {
    QTest::newRow(kind) << QString::fromLatin1(kind);
  }
}

void TestLosses::standardLossesAreLibTorchsOwn() {
  QFETCH(const QString, kind);
  const at::Tensor output = at::randn({6, 5}, generator()).log_softmax(1);
  const at::Tensor target = at::rand({6, 5}, generator());
  at::Tensor expected;
  if (kind == QStringLiteral("mse")) expected = F::mse_loss(output, target);
  if (kind == QStringLiteral("l1")) expected = F::l1_loss(output, target);
  if (kind == QStringLiteral("smooth_l1")) expected = F::smooth_l1_loss(output, target);
  if (kind == QStringLiteral("huber")) expected = F::huber_loss(output, target);
  if (kind == QStringLiteral("bce_with_logits")) expected = F::binary_cross_entropy_with_logits(output, target);
  if (kind == QStringLiteral("kl_div")) {
    expected = F::kl_div(output, target, F::KLDivFuncOptions().reduction(torch::kBatchMean));
  }
  QVERIFY(valueOf(kind.toStdString(), output, target, numbered()).equal(expected));
}

void TestLosses::crossEntropyOverLabelsIsLibTorchsOwn() {
  const at::Tensor output = at::randn({6, 5}, generator());
  const at::Tensor target = at::randint(5, {6}, generator(), at::TensorOptions().dtype(at::kLong));
  QVERIFY(valueOf("cross_entropy", output, target, labelled()).equal(F::cross_entropy(output, target)));
  QVERIFY(valueOf("nll", output.log_softmax(1), target, labelled()).equal(F::nll_loss(output.log_softmax(1), target)));
}

void TestLosses::underTheCpusListCrossEntropyIsLibTorchsOwn() {
  const wire::RunConfig config = inBFloat16(policy::Base::kCpuAmp, 1);
  const auto other = train::set_up(config);
  const batches::Batch batch = other->data->next();
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  const at::Tensor expected = F::cross_entropy(other->model.forward(batch.inputs).toTensor(), batch.target());
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  const auto training = train::set_up(config);
  run::Stepper stepper(*training);
  QCOMPARE(stepper.run(0).record.loss, expected.item<double>());
}

/// PyTorch's cross_entropy names the dtype of its log_softmax, so CUDA's list leaves that in the output's dtype.
void TestLosses::underCudasListCrossEntropyIsThatOfEagerCode() {
  const wire::RunConfig config = inBFloat16(policy::Base::kCudaAmp, 1);
  const auto other = train::set_up(config);
  const batches::Batch batch = other->data->next();
  at::Tensor output, expected;
  {
    const autocast::Region region(autocast::PolicyRegionArguments{.policy = other->policy, .device_type = "cpu"});
    output = other->model.forward(batch.inputs).toTensor();
    expected = F::cross_entropy(output, batch.target());
  }
  QCOMPARE(output.scalar_type(), at::kBFloat16);
  QCOMPARE(expected.scalar_type(), at::kFloat);
  QVERIFY(!expected.equal(F::cross_entropy(output.to(at::kFloat), batch.target())));
  const auto training = train::set_up(config);
  QCOMPARE(run::Stepper(*training).run(0).record.loss, expected.item<double>());
}

void TestLosses::theLossGoesByTheListInForce_data() {
  QTest::addColumn<int>("before");
  QTest::addColumn<int>("after");
  QTest::newRow("CUDA's, then the CPU's")
      << static_cast<int>(policy::Base::kCudaAmp) << static_cast<int>(policy::Base::kCpuAmp);
  QTest::newRow("the CPU's, then CUDA's")
      << static_cast<int>(policy::Base::kCpuAmp) << static_cast<int>(policy::Base::kCudaAmp);
}

void TestLosses::theLossGoesByTheListInForce() {
  QFETCH(const int, before);
  QFETCH(const int, after);
  const wire::RunConfig first = inBFloat16(static_cast<policy::Base>(before), 3);
  const wire::RunConfig then = inBFloat16(static_cast<policy::Base>(after), 3);
  Listening plain;
  const test::Done expected = test::runToEnd(then, plain);

  // An edit that is in force from the first step on leaves nothing of the list before.
  run::Control control;
  control.set_policy({.revision = 1, .policy = then.policy});
  Listening edited;
  const test::Done done = test::runToEnd(first, edited, control);
  QCOMPARE(edited.losses(), plain.losses());
  QCOMPARE(test::firstDifference(done.tensors, expected.tensors), std::string());

  // A checkpoint's policy is in force where a run goes on from it.
  const std::string file = test::temporaryFolder().toStdString() + "/kept.safetensors";
  const auto saved = train::set_up(then);
  run::Stepper(*saved).run(0);
  checkpoint::save_checkpoint(*saved, 1, "request", file, std::nullopt);
  const auto resumed = train::set_up(first);
  checkpoint::load_checkpoint(*resumed, file);
  QCOMPARE(run::Stepper(*resumed).run(1).record.loss, plain.losses()[1]);
}

void TestLosses::crossEntropyTakesProbabilitiesAndFurtherDimensions() {
  const at::Tensor output = at::randn({6, 5}, generator());
  const at::Tensor shares = at::rand({6, 5}, generator()).softmax(1);
  QVERIFY(valueOf("cross_entropy", output, shares, numbered()).equal(F::cross_entropy(output, shares)));
  const at::Tensor pictures = at::randn({2, 5, 3, 4}, generator());
  const at::Tensor classes = at::randint(5, {2, 3, 4}, generator(), at::TensorOptions().dtype(at::kLong));
  QVERIFY(valueOf("cross_entropy", pictures, classes, labelled()).equal(F::cross_entropy(pictures, classes)));
}

void TestLosses::meanSquareWithoutNumbersIsOfTheOutputAlone() {
  const at::Tensor output = at::randn({6, 5}, generator());
  QVERIFY(valueOf("mse", output, at::randint(5, {6}, generator()), labelled()).equal(output.square().mean()));
}

void TestLosses::aTargetOfAnotherShapeIsRefused() {
  // LibTorch would compare each number with each.
  const auto data = numbered();
  batches::Batch batch;
  batch.targets = {{"depth", at::zeros({6})}};
  for (const char* kind : {"mse", "l1", "smooth_l1", "huber", "bce_with_logits", "kl_div"}) {
    wire::LossConfig config;
    config.kind = kind;
    train::Loss loss(config, "loss", 0, data);
    QCOMPARE(loss(at::zeros({6}), batch, {}).dim(), 0);
    try {
      loss(at::zeros({6, 1}), batch, {});
      QFAIL("accepted");
    } catch (const Error& error) {
      QCOMPARE(
          QString::fromUtf8(error.what()),
          QStringLiteral("loss: the target depth is float32[6], but the output that %1 compares it with float32[6,1]")
              .arg(QLatin1String(kind)));
      QVERIFY(error.hint.find("\"shape\": [1] in data.targets.depth") != std::string::npos);
    }
  }
}

void TestLosses::twoOutputsAreComparedByCosine() {
  const at::Tensor a = at::randn({4, 3}, generator());
  const at::Tensor b = at::randn({4, 3}, generator());
  const at::Tensor signs = at::randint(2, {4}, generator()) * 2 - 1;
  wire::LossConfig config;
  config.kind = "cosine_embedding";
  config.output = "[0], [1]";
  const auto data = numbered();
  train::Loss loss(config, "loss", 0, data);
  batches::Batch batch;
  batch.targets = {{"depth", signs}};
  const c10::IValue output = c10::ivalue::Tuple::create({a, b});
  QVERIFY(loss(output, batch, {}).equal(F::cosine_embedding_loss(a, b, signs)));
}

void TestLosses::aTextIsALossWithSitesOfItsOwn() {
  const auto data = numbered();
  train::Loss loss(text("def loss(output: Tensor, target: Tensor) -> Tensor:\n"
                        "    return (output - target).abs().mean()\n"),
                   "loss.1", 7, data);
  QVERIFY(loss.takes_target());
  QCOMPARE(loss.graph().sites().size(), std::size_t{3});
  QCOMPARE(loss.graph().sites().front()->key.name(), std::string("loss.1/aten::sub#0"));
  QCOMPARE(loss.graph().sites().front()->id, 7);
  const at::Tensor output = at::randn({3}, generator());
  batches::Batch batch;
  batch.targets = {{"depth", at::zeros({3})}};
  QVERIFY(loss(output, batch, {}).equal(output.abs().mean()));
}

void TestLosses::aTextThatDoesNotCompileNamesItsLine() {
  const std::string why =
      refusalOf(text("def loss(output: Tensor, target: Tensor) -> Tensor:\n"
                     "    x = output - target\n"
                     "    return torch.no_such_op(x)\n"));
  QVERIFY2(why.starts_with("loss.1: the text does not compile: line 3: "), why.c_str());
  const std::string syntax = refusalOf(text("def loss(output: Tensor) -> Tensor:\n    return output )\n"));
  QVERIFY2(syntax.starts_with("loss.1: the text does not compile: line 2: "), syntax.c_str());
  const std::string name = refusalOf(text("def lose(output: Tensor) -> Tensor:\n    return output.mean()\n"));
  QCOMPARE(name, std::string("loss.1: the text defines \"lose\", and no function \"loss\""));
}

/// The example of docs/guide/run-descriptions.md.
void TestLosses::aTextTakesSeveralOutputs() {
  wire::LossConfig config = text(
      "def loss(mu: Tensor, logvar: Tensor) -> Tensor:\n"
      "    return -0.5 * (1 + logvar - mu * mu - logvar.exp()).mean()");
  config.output = "[0], [1]";
  const auto data = numbered();
  train::Loss loss(config, "loss", 0, data);
  const at::Tensor mean = at::randn({3}, generator());
  const at::Tensor variance = at::randn({3}, generator());
  const c10::IValue output = c10::ivalue::Tuple::create({mean, variance});
  QVERIFY(
      at::allclose(loss(output, batches::Batch{}, {}), -0.5 * (1 + variance - mean * mean - variance.exp()).mean()));
}

void TestLosses::aDtypeInATextIsToldAsTheNumberToWrite() {
  try {
    const auto data = numbered();
    train::Loss loss(text("def loss(output: Tensor) -> Tensor:\n    return output.to(dtype=torch.long).sum()"), "loss",
                     0, data);
    QFAIL("accepted");
  } catch (const Error& error) {
    QVERIFY2(error.hint.find("write 4 for torch.long") != std::string::npos, error.hint.c_str());
  }
}

void TestLosses::anAssertInATextIsToldAsTheLosss() {
  const auto data = numbered();
  train::Loss loss(text("def loss(output: Tensor, target: Tensor) -> Tensor:\n"
                        "    assert output.size(1) == 7, 'seven are wanted'\n"
                        "    return output.mean()\n"),
                   "loss.1", 0, data);
  batches::Batch batch;
  batch.targets = {{data.targets().front().name, at::zeros({6})}};
  try {
    loss(at::zeros({6, 5}), batch, {});
    QFAIL("accepted");
  } catch (const Error& error) {
    QVERIFY(error.code == ErrorCode::kBadRun);
    QCOMPARE(std::string(error.what()), std::string("loss.1: the text failed: AssertionError: seven are wanted"));
    QVERIFY2(error.hint.starts_with("It stopped at its line 2: check it"), error.hint.c_str());
  }
}

void TestLosses::aTextThatTouchesFilesIsRefused() {
  const std::string made = test::temporaryFolder().toStdString() + "/made.bin";
  for (const std::string call : {"torch.from_file(", "torch . from_file (", "helper("}) {
    const std::string body =
        "def helper(file: str, shared: bool, size: int) -> Tensor:\n"
        "    return torch.from_file(file, shared, size)\n"
        "def loss(output: Tensor) -> Tensor:\n"
        "    return output.sum() + " +
        call + "\"" + made + "\", True, 4).sum()\n";
    try {
      const auto data = numbered();
      train::Loss loss(text(body), "loss", 0, data);
      QFAIL("accepted");
    } catch (const Error& error) {
      QCOMPARE(static_cast<int>(error.code), static_cast<int>(ErrorCode::kUnsafe));
      QVERIFY2(std::string(error.what()).find("aten::from_file") != std::string::npos, error.what());
    }
  }
  QVERIFY(!QFile::exists(QString::fromStdString(made)));
}

void TestLosses::aTextWithOtherArgumentsIsRefused() {
  QCOMPARE(refusalOf(text("def loss(a: Tensor, b: Tensor, c: Tensor) -> Tensor:\n    return (a + b + c).mean()\n")),
           std::string("loss.1: it takes 3 arguments, but \"output\" names 1"));
}

void TestLosses::aTextWithoutASingleNumberIsRefused() {
  const auto data = numbered();
  train::Loss loss(text("def loss(output: Tensor) -> Tensor:\n    return output * 2\n"), "loss", 0, data);
  try {
    loss(at::ones({3}), batches::Batch{}, {});
  } catch (const Error& error) {
    QCOMPARE(std::string(error.what()), std::string("loss: it returned float32[3], but a loss must be one number"));
    return;
  }
  QFAIL("accepted");
}

void TestLosses::weightedLossesAddUp() {
  wire::RunConfig config = test::smallRun(3);
  config.policy.base = policy::Base::kAllFloat32;
  Listening one;
  config.losses = {wire::LossConfig{}};
  test::runToEnd(config, one);
  wire::LossConfig small = text("def loss(output: Tensor) -> Tensor:\n    return output.square().mean()\n");
  small.weight = 0.25;
  config.losses.push_back(small);
  Listening both;
  test::runToEnd(config, both);
  Listening short_form;
  config.losses.clear();
  test::runToEnd(config, short_form);
  QCOMPARE(short_form.losses(), one.losses());
  QVERIFY(both.losses().front() > one.losses().front());
  std::set<std::string> paths;
  for (const auto& site : both.started.front().model.sites) {
    if (site.key.path.starts_with("loss")) paths.insert(site.key.path);
  }
  QCOMPARE(paths, (std::set<std::string>{"loss.0", "loss.1"}));
  QVERIFY(std::isnan(both.evaluations.front().accuracy));  // of labels that were drawn there is none
}

void TestLosses::outputsAreTakenOutOfTuplesListsAndDictionaries_data() {
  QTest::addColumn<QString>("result");
  QTest::addColumn<QString>("type");
  QTest::addColumn<QString>("path");
  QTest::newRow("tuple") << "(x, y)"
                         << "Tuple[Tensor, Tensor]"
                         << "[1]";
  QTest::newRow("list") << "[x, y]"
                        << "List[Tensor]"
                        << "[-1]";
  QTest::newRow("dictionary") << "{\"hidden\": x, \"logits\": y}"
                              << "Dict[str, Tensor]"
                              << "logits";
}

void TestLosses::outputsAreTakenOutOfTuplesListsAndDictionaries() {
  QFETCH(const QString, result);
  QFETCH(const QString, type);
  QFETCH(const QString, path);
  wire::RunConfig config = test::smallRun(2);
  config.model = test::saveModel(test::temporaryFolder().toStdString(),
                                 "def forward(self, x: Tensor) -> " + type.toStdString() +
                                     ":\n    y = torch.linear(x, self.weight, self.bias)\n    return " +
                                     result.toStdString() + "\n");
  config.data.inputs = {"float32[16,8]"};
  config.data.classes = 4;
  wire::LossConfig loss;
  loss.output = path.toStdString();
  config.losses = {loss};
  Listening heard;
  QCOMPARE(test::runToEnd(config, heard).finished.outcome, wire::Outcome::kCompleted);
  QVERIFY(std::isfinite(heard.losses().back()));
}

BINADE_SUITE(TestLosses);
#include "tst_losses.moc"
