// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "engine/graph/site_hook.h"
#include "tests/graph/text_model.h"
#include "tests/graph/zip_records.h"
#include "tests/support/suite.h"

#include <ATen/ops/empty.h>
#include <torch/csrc/jit/api/module.h>

#include <new>
#include <stdexcept>

using namespace binade;

namespace {

constexpr auto kAddress = "compilation unit";

/// What LibTorch says of a method that a module has not: the class with its address.
std::string refusal() {
  const torch::jit::Module module("__torch__.Net");
  try {
    module.type()->getMethod("none");
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

class TestFailure : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void addressesOfLibTorchAreLeftOut() {
    const std::string text = refusal();
    QVERIFY2(text.find(kAddress) != std::string::npos, text.c_str());  // else there is nothing to leave out
    const std::runtime_error error(text);
    QCOMPARE(graph::reason_of(error), std::string("Couldn't find method: 'none' on class: '__torch__.Net'"));
    const Error forward = graph::forward_failure(error);
    QVERIFY2(std::string(forward.what()).find(kAddress) == std::string::npos, forward.what());
    QCOMPARE(graph::without_addresses("a (of Python compilation unit at: 0) and (b)"), std::string("a and (b)"));
  }

  void aCheckOfLibTorchsOwnIsNoBugToReport() {
    const std::string mark = " INTERNAL ASSERT FAILED at \"/pytorch/a.cpp\":5, please report a bug to PyTorch. ";
    const auto says = [](const std::string& text) { return graph::reason_of(std::runtime_error(text)); };
    QCOMPARE(says("type.present()" + mark), std::string("LibTorch expects type.present()"));
    QCOMPARE(says("false" + mark + "Unexpected statement kind"), std::string("Unexpected statement kind"));
    const std::string traceback = "The following operation failed:\nRuntimeError: a::b(c)" + mark + "\nand more";
    QCOMPARE(graph::without_addresses(traceback),
             std::string("The following operation failed:\nRuntimeError: LibTorch expects a::b(c)\nand more"));
  }

  /// TorchScript writes the bytes of such letters as escapes of negative numbers.
  void aNameOutsideAsciiIsTold() {
    const std::string file = test::temporaryFolder().toStdString() + "/letters.pt";
    test::write_bytes(file, test::model_with("    return getattr(self, \"gr\\0)+\\//.\\0)+\\/,/e\")\n").archive());
    try {
      graph::Model::load(file);
      QFAIL("was read");
    } catch (const Error& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY2(text.contains(QString::fromUtf8("\"größe\"")) && text.contains(QStringLiteral("outside ASCII")),
               qPrintable(text));
      QVERIFY2(error.hint.find("rename") != std::string::npos, error.hint.c_str());
    }
  }

  void aFileThatCannotBeReadHasNone() {
    const std::string file = test::temporaryFolder().toStdString() + "/missing.pt";
    test::write_bytes(file, test::model_with("    return self.nothing\n").archive());
    try {
      graph::Model::load(file);
      QFAIL("was read");
    } catch (const Error& error) {
      const QString text = QString::fromUtf8(error.what());
      QVERIFY2(text.contains(QStringLiteral("'nothing'")), qPrintable(text));
      QVERIFY2(text.contains(QStringLiteral("__torch__.M")), qPrintable(text));
      QVERIFY2(!text.contains(QLatin1String(kAddress)), qPrintable(text));
    }
  }

  void aTextThatDoesNotCompileIsNamed_data() {
    QTest::addColumn<QString>("text");
    QTest::newRow("no such op") << QStringLiteral("def f(x: Tensor) -> Tensor:\n    return torch.nothing_of_it(x)");
    QTest::newRow("no such name") << QStringLiteral("def f(x: Tensor) -> Tensor:\n    return y");
    QTest::newRow("another type") << QStringLiteral("def f(x: Tensor) -> Tensor:\n    return 1");
    QTest::newRow("no text") << QStringLiteral("def f(x: Tensor) -> Tensor:\n    return )");
  }
  /// LibTorch's compiler throws errors that are no c10::Error.
  void aTextThatDoesNotCompileIsNamed() {
    QFETCH(const QString, text);
    try {
      graph::FlatGraph::from_text(text.toStdString(), "f", "loss", 0);
      QFAIL("was compiled");
    } catch (const Error& error) {
      QVERIFY2(std::string(error.what()).starts_with("loss: the text does not compile: line "), error.what());
      QVERIFY2(std::string(error.what()).find(kAddress) == std::string::npos, error.what());
      QVERIFY(!error.hint.empty());
    }
  }

  /// As oneDNN fails on a processor without AVX-512 when bfloat16 is asked for natively.
  void anLstmThatTheProcessorLacksIsThePolicys() {
    graph::Site site;
    site.key.path = "rnn";
    site.key.op = site.op = "aten::lstm";
    graph::Stack stack;
    const graph::Call call{site, 0, stack, &site.operation};
    const Error missing = graph::site_failure(
        call,
        std::runtime_error("could not create a primitive descriptor for the LSTM forward propagation primitive. Run "
                           "workload with environment variable ONEDNN_VERBOSE=all"),
        false);
    QVERIFY(missing.code == ErrorCode::kBadPolicy);
    QVERIFY2(std::string(missing.what()).starts_with("rnn/aten::lstm#0: oneDNN has no native LSTM"), missing.what());
    for (const char* advice : {"\"auto\"", "\"emulated\"", "\"ops\": {\"aten::lstm\": \"float32\"}"}) {
      QVERIFY2(missing.hint.find(advice) != std::string::npos, missing.hint.c_str());
    }
    const Error other = graph::site_failure(call, std::runtime_error("expected 3 dimensions"), false);
    QVERIFY(other.code == ErrorCode::kBadModel);
    QCOMPARE(std::string(other.what()), std::string("rnn/aten::lstm#0: expected 3 dimensions"));
  }

  void aBackwardThatDoesNotFitIsNoRefusal() {
    Error failure(ErrorCode::kInternal, "");
    try {
      at::empty({std::int64_t{1} << 50});
      QFAIL("fits");
    } catch (const std::exception& error) {
      failure = graph::backward_failure(error, "the hint");
    }
    QVERIFY(failure.code == ErrorCode::kOutOfMemory);
    QVERIFY2(std::string(failure.what()).starts_with("backward: out of memory: "), failure.what());
    QVERIFY(failure.hint != "the hint");
    QVERIFY(graph::backward_failure(std::bad_alloc(), {}).code == ErrorCode::kOutOfMemory);
  }

  void aBackwardThatIsRefusedIsTheModels() {
    const Error refused = graph::backward_failure(std::runtime_error("no derivative"), "the hint");
    QVERIFY(refused.code == ErrorCode::kBadModel);
    QCOMPARE(std::string(refused.what()), std::string("backward failed: no derivative"));
    QCOMPARE(refused.hint, std::string("the hint"));
    const Error traced = graph::backward_failure(
        std::runtime_error("The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript "
                           "(most recent call last):\n  <string>:3\nRuntimeError: expected Half\n"),
        {});
    QCOMPARE(std::string(traced.what()), std::string("backward failed: expected Half"));
    const Error ours = graph::backward_failure(Error(ErrorCode::kBadPolicy, "ours", "its own"), "the hint");
    QVERIFY(ours.code == ErrorCode::kBadPolicy);
    QCOMPARE(ours.hint, std::string("its own"));
  }
};

BINADE_SUITE(TestFailure);
#include "tst_failure.moc"
