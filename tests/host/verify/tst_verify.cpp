// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/samples.h"
#include "engine/host/verify/verify.h"
#include "tests/host/run_engine.h"
#include "tests/support/native_lstm.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/csrc/jit/api/module.h>

using namespace binade;

namespace {

/// Small batches: what is compared is bits, and a step must stay cheap.
std::vector<c10::IValue> inputs_of(const std::string& model, int step) {
  at::manual_seed(static_cast<std::uint64_t>(1000 + step));
  if (model == "resnet") return {at::rand({4, 3, 16, 16})};
  if (model == "transformer") return {at::randint(1000, {3, 12}, at::kLong)};
  if (model == "attention") return {at::rand({3, 24, 64})};
  if (model == "control-flow") {
    c10::Dict<std::string, at::Tensor> inputs;
    inputs.insert("x", at::rand({3, 16}));
    if (step % 2 == 0) inputs.insert("context", at::rand({3, 8}));
    return {inputs, 1 + step % 5};
  }
  return {at::rand({8, 1, 28, 28})};
}

std::vector<c10::IValue> inputs_of_fixture(const std::string& file, int step) {
  at::manual_seed(static_cast<std::uint64_t>(2000 + step));
  if (file == "recurrent.pt") return {at::rand({3, 5, 8})};
  if (file == "attention.pt") return {at::randint(50, {2, 6}, at::kLong), at::randint(50, {2, 6}, at::kLong)};
  if (file == "control.pt") {
    c10::Dict<std::string, at::Tensor> inputs;
    inputs.insert("x", at::rand({2, 8}));
    if (step % 2 == 1) inputs.insert("y", at::rand({2, 8}));
    return {inputs, step % 5};
  }
  if (file == "interface.pt" || file == "untrainable.pt" || file == "device_constant.pt" || file == "forked.pt" ||
      file == "own_blocks.pt" || file == "fork_list.pt" || file == "own_autocast.pt" || file == "user_dtypes.pt" ||
      file == "user_dtypes_traced.pt") {
    return {at::rand({2, 4})};
  }
  if (file == "interface_list.pt") return {at::rand({2, 4}), step % 2};
  return {at::rand({2, 3, 8, 8})};
}

host::VerifyOptions options_for(const std::string& model) {
  host::VerifyOptions options;
  const bool file = model.ends_with(".pt");
  options.load = [model, file] {
    return file ? graph::Model::load(BINADE_TEST_DATA "/models/" + model) : graph::make_sample(model, 3);
  };
  options.inputs = [model, file](int step) { return file ? inputs_of_fixture(model, step) : inputs_of(model, step); };
  options.outputs = host::tensors_of;
  return options;
}

/// A module with the trainable parameter `weight` [6,6] and this body of forward(self, x).
graph::Model modelOf(const std::string& body) {
  torch::jit::Module module("__torch__.Written");
  module.register_attribute("training", c10::BoolType::get(), true);
  module.register_parameter("weight", at::ones({6, 6}).requires_grad_(true), false);
  module.define("def forward(self, x: Tensor) -> Tensor:\n" + body);
  return graph::Model(module);
}

}  // namespace

class TestVerify : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyStepIsNativeToTheBit_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<bool>("train");
    QTest::addColumn<int>("autocast");
    QTest::addColumn<int>("steps");
    QTest::addColumn<bool>("asPyTorch");
    std::vector<std::string> models{
        "scripted.pt",    "traced_train.pt",      "traced_eval.pt",     "frozen.pt",       "recurrent.pt",
        "attention.pt",   "control.pt",           "device_constant.pt", "interface.pt",    "untrainable.pt",
        "forked.pt",      "own_blocks.pt",        "fork_list.pt",       "own_autocast.pt", "interface_list.pt",
        "user_dtypes.pt", "user_dtypes_traced.pt"};
    for (const graph::Sample& sample : graph::samples()) models.push_back(sample.name);
    for (const std::string& model : models) {
      for (const bool train : {true, false}) {
        const auto row = [&](const char* kind, int autocast, int steps, bool as_pytorch) {
          QTest::newRow((model + (train ? " train " : " eval ") + kind).c_str())
              << QString::fromStdString(model) << train << autocast << steps << as_pytorch;
        };
        const bool diverges = model == "attention";  // with verify's learning rate, in every format
        const int few = diverges ? 2 : 5;
        row("float32", -1, diverges ? 2 : 50, false);
        row("bfloat16 autocast", static_cast<int>(at::kBFloat16), few, false);
        row("bfloat16 autocast, pytorch-2.11", static_cast<int>(at::kBFloat16), few, true);
      }
    }
  }
  void everyStepIsNativeToTheBit() {
    QFETCH(QString, model);
    QFETCH(bool, train);
    QFETCH(int, autocast);
    QFETCH(int, steps);
    QFETCH(bool, asPyTorch);
    const bool has_lstm =
        QStringList{QStringLiteral("lstm"), QStringLiteral("recurrent.pt"), QStringLiteral("own_blocks.pt")}.contains(
            model);
    if (has_lstm && (autocast >= 0 || model == QLatin1String("own_blocks.pt"))) BINADE_NEEDS_BFLOAT16_LSTM();
    host::VerifyOptions options = options_for(model.toStdString());
    QCOMPARE(options.behaviour, policy::Policy().behaviour);  // what runs where nobody says another
    if (asPyTorch) options.behaviour = policy::Behaviour::kPyTorch211;
    options.train = train;
    if (autocast >= 0) options.autocast = static_cast<at::ScalarType>(autocast);
    options.steps = steps;
    const host::VerifyReport report = host::verify(options);
    QVERIFY2(report.identical, report.first_difference.c_str());
    QCOMPARE(report.steps, steps);
    QVERIFY(report.executed > 0);
    QVERIFY(report.loss > 0);  // not a comparison of nothing
  }

  void aBackwardThatDoesNotFitIsNoRefusal() {
    // The gradient of what is looked up has the size of all that it was looked up in.
    host::VerifyOptions options;
    options.load = [] {
      return modelOf(
          "    many = torch.mul(x, self.weight).sum().expand([1125899906842624])\n"
          "    return torch.index_select(many, 0, torch.zeros([4], dtype=4))\n");
    };
    options.inputs = [](int) { return std::vector<c10::IValue>{at::rand({6, 6})}; };
    options.outputs = host::tensors_of;
    try {
      host::verify(options);
      QFAIL("fits");
    } catch (const Error& error) {
      QVERIFY2(error.code == ErrorCode::kOutOfMemory, error.what());
      QVERIFY2(QString::fromUtf8(error.what()).startsWith(QLatin1String("backward: out of memory: ")), error.what());
    }
  }

  void whatLibTorchRefusesIsToldInItsWords_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("says");
    QTest::newRow("no backward") << QStringLiteral("    return torch.floor_divide(torch.mul(x, self.weight), x)\n")
                                 << QStringLiteral(
                                        "backward failed: derivative for aten::floor_divide is not implemented");
    QTest::newRow("a backward that refuses")
        << QStringLiteral("    return torch.vander(torch.mul(x, self.weight)[0])\n")
        << QStringLiteral("aten::vander#0: backward failed: one of the variables needed for gradient computation");
    QTest::newRow("an output that no loss takes")
        << QStringLiteral("    return torch.mul(x, self.weight).to_sparse()\n")
        << QStringLiteral("Output 0, of layout Sparse, cannot be part of the loss of verify");
    QTest::newRow("a forward that refuses") << QStringLiteral("    return torch.mm(x, self.weight[:3])\n")
                                            << QStringLiteral("aten::mm#0: mat1 and mat2 shapes cannot be multiplied");
  }
  /// One line, with the op call, and no stack of C++.
  void whatLibTorchRefusesIsToldInItsWords() {
    QFETCH(const QString, body);
    QFETCH(const QString, says);
    host::VerifyOptions options;
    options.load = [&body] { return modelOf(body.toStdString()); };
    options.inputs = [](int) { return std::vector<c10::IValue>{at::rand({6, 6})}; };
    options.outputs = host::tensors_of;
    options.autocast = at::kBFloat16;
    try {
      host::verify(options);
      QFAIL("was taken");
    } catch (const Error& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY2(text.contains(says), qPrintable(text));
      QVERIFY2(text.startsWith(QLatin1String("LibTorch cannot run this model: ")), qPrintable(text));
      QVERIFY2(!text.contains(QLatin1Char('\n')), qPrintable(text));
      QVERIFY(error.code == ErrorCode::kBadModel);
    }
  }

  void anIntegerDivisionThatEndsTheProcessIsTold_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("which");
    QTest::addColumn<bool>("runs");
    QTest::newRow("by 0") << 2 << 1 << false;
    QTest::newRow("a branch without division") << 2 << 0 << true;
    QTest::newRow("by 2") << 4 << 1 << true;
  }
  /// In the warm-ups of a batch norm, in the reference and in the engine.
  void anIntegerDivisionThatEndsTheProcessIsTold() {
    QFETCH(const int, rows);
    QFETCH(const int, which);
    QFETCH(const bool, runs);
    for (const bool train : {true, false}) {
      host::VerifyOptions options = options_for("interface_list_divides.pt");
      options.train = train;
      options.steps = 2;
      options.inputs = [&](int step) -> std::vector<c10::IValue> {
        at::manual_seed(static_cast<std::uint64_t>(100 + step));
        return {at::rand({step < 0 ? 4 : rows, 4}), which};
      };
      try {
        const host::VerifyReport report = host::verify(options);
        QVERIFY(runs);
        QVERIFY2(report.identical, report.first_difference.c_str());
        QCOMPARE(report.buffers, 0.0);
      } catch (const Error& error) {
        QVERIFY2(!runs, error.what());
        const QString text = QString::fromUtf8(error.what());
        QVERIFY2(text.startsWith(QLatin1String("LibTorch cannot run this model: aten::floordiv at make_models.py:")),
                 qPrintable(text));
        QVERIFY2(text.endsWith(QLatin1String("integer division by zero (6, 0)")), qPrintable(text));
      }
    }
  }

  /// Where LibTorch refuses what `fixed` runs, the call is the one that LibTorch refuses, though the engine goes on to
  /// a later one, and it is told that train runs it.
  void whatOnlyFixedRunsIsTold_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<bool>("runs");
    QTest::newRow("runs to the end") << QStringLiteral("    return torch.mv(torch.mm(x, self.weight), x[0])\n") << true;
    QTest::newRow("refused later")
        << QStringLiteral(
               "    y = torch.mm(x, self.weight)\n    return torch.mv(y, x[0]) + torch.mm(x, self.weight[:3]).sum()\n")
        << false;
  }
  void whatOnlyFixedRunsIsTold() {
    QFETCH(const QString, body);
    QFETCH(const bool, runs);
    host::VerifyOptions options;
    options.load = [&body] { return modelOf(body.toStdString()); };
    options.inputs = [](int) { return std::vector<c10::IValue>{at::rand({6, 6})}; };
    options.outputs = host::tensors_of;
    options.autocast = at::kBFloat16;
    try {
      host::verify(options);
      QFAIL("was taken");
    } catch (const Error& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY2(text.startsWith(QLatin1String("LibTorch cannot run this model: aten::mv#0: ")), qPrintable(text));
      const QString hint = QString::fromStdString(error.hint);
      QVERIFY2(hint.contains(QLatin1String("Behaviour fixed, which train uses")) == runs, qPrintable(hint));
    }
  }

  /// The gradient of sgn is autograd's zero, which has no memory.
  void aGradientWithoutMemoryIsCompared() {
    host::VerifyOptions options;
    options.load = [] { return modelOf("    return torch.sgn(torch.mul(x, self.weight)) + x\n"); };
    options.inputs = [](int) { return std::vector<c10::IValue>{at::rand({6, 6})}; };
    options.outputs = host::tensors_of;
    const host::VerifyReport report = host::verify(options);
    QVERIFY2(report.identical, report.first_difference.c_str());
  }

  void theFirstCallThatDiffersIsNamed_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("says");
    QTest::newRow("output") << QStringLiteral("output") << QStringLiteral("The first op call whose output differs is ");
    QTest::newRow("gradient") << QStringLiteral("gradient")
                              << QStringLiteral("The first op call whose output's gradient differs is ");
  }
  /// Plants one bit's difference at one call of the engine's side alone, in the second step.
  void theFirstCallThatDiffersIsNamed() {
    QFETCH(QString, what);
    QFETCH(QString, says);
    class Plant : public graph::SiteHook {
     public:
      explicit Plant(bool gradient) : gradient_(gradient) {}
      void after(graph::Call& call) override {
        if (call.site.key.name() != "conv2/aten::conv2d#0" || ++calls_ < 2) return;
        const at::Tensor result = call.result(0).toTensor();
        if (gradient_) {
          call.result(0) = at::mul(result, 1.0);  // a node before the hook's tensor, so that its own gradient differs
          result.register_hook([](const at::Tensor& gradient) { return at::mul(gradient, 1.5); });
        } else {
          result.detach().view({-1})[7] += 1e-3;
        }
      }

     private:
      bool gradient_;
      int calls_ = 0;
    } plant(what == QLatin1String("gradient"));
    host::VerifyOptions options = options_for("cnn");
    options.steps = 3;
    options.planted = &plant;
    const host::VerifyReport report = host::verify(options);
    QVERIFY(!report.identical);
    QVERIFY(report.reference_repeats);
    QCOMPARE(report.steps, 2);
    const QString told = QString::fromStdString(report.first_difference);
    QVERIFY2(told.contains(QStringLiteral("differs at step 1.")), qPrintable(told));
    QVERIFY2(told.contains(says), qPrintable(told));
    // The gradient that differs first, in backward, is that of the call before the planted one.
    QVERIFY2(told.contains(what == QLatin1String("output") ? QStringLiteral("conv2/aten::conv2d#0")
                                                           : QStringLiteral("aten::max_pool2d#0")),
             qPrintable(told));
  }

  /// R11: behind a head of zeros every difference is multiplied by 0, so that a comparison would prove nothing.
  void aHeadOfZerosHidesNoDifference() {
    class Plant : public graph::SiteHook {
     public:
      void after(graph::Call& call) override {
        if (call.site.op == "aten::linear" && !planted_) call.result(0) = at::mul(call.result(0).toTensor(), 1.5);
        planted_ = planted_ || call.site.op == "aten::linear";  // the first layer only
      }

     private:
      bool planted_ = false;
    } plant;
    host::VerifyOptions options = options_for("mlp");
    options.load = [] {
      const graph::Model model = graph::make_sample("mlp", 3);
      const at::NoGradGuard no_history;
      const auto parameters = model.parameters();
      parameters[parameters.size() - 2].second.zero_();  // the head's weight and bias
      parameters[parameters.size() - 1].second.zero_();
      return model;
    };
    const host::VerifyReport same = host::verify(options);
    QVERIFY(same.identical);
    QVERIFY(same.loss > 0);
    options.planted = &plant;
    const host::VerifyReport planted = host::verify(options);
    QVERIFY(!planted.identical);
    QVERIFY(planted.outputs > 0);
  }

  void aReferenceThatDoesNotRepeatItselfIsTold() {
    host::VerifyOptions options = options_for("mlp");
    int drawn = 0;
    options.inputs = [&](int step) {
      auto inputs = inputs_of("mlp", step);
      if (step >= 0) inputs[0].toTensor()[0] += 0.01 * ++drawn;  // never the same again
      return inputs;
    };
    const host::VerifyReport report = host::verify(options);
    QVERIFY(!report.identical);
    QVERIFY(!report.reference_repeats);
    QVERIFY2(report.first_difference.find("LibTorch itself gives") != std::string::npos,
             report.first_difference.c_str());
  }

  void theCommandProvesIdentity_data() {
    QTest::addColumn<bool>("possible");
    QTest::newRow("bfloat16") << test::has_native_lstm(at::kBFloat16);
    QTest::newRow("float16") << test::has_native_lstm(at::kHalf);
  }
  /// Where LibTorch has no native LSTM on this processor, verify says so.
  void theCommandProvesIdentity() {
    QFETCH(const bool, possible);
    const test::EngineResult result =
        test::engine({QStringLiteral("verify"), test::modelFile("recurrent.pt"), QStringLiteral("--input"),
                      QStringLiteral("float32[2,5,8]"), QStringLiteral("--autocast"),
                      QStringLiteral("cpu:") + QLatin1String(QTest::currentDataTag()), QStringLiteral("--json")});
    if (!possible) {
      QCOMPARE(result.code, 1);
      QVERIFY2(result.err.contains(QLatin1String("oneDNN has no native LSTM in this 16-bit format")),
               qPrintable(result.err));
      QVERIFY2(!result.err.contains(QLatin1String("primitive descriptor")), qPrintable(result.err));
      return;
    }
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QCOMPARE(result.lines().first().value(QLatin1String("identical")).toBool(), true);
  }
};

BINADE_SUITE(TestVerify);
#include "tst_verify.moc"
