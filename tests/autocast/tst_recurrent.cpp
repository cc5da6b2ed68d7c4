// SPDX-License-Identifier: Apache-2.0
//
// Recurrent layers under CUDA's list where no cuDNN is: what the list says of `_cudnn_rnn` holds for the layer.
#include "engine/autocast/autocast.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/rnn_relu.h>
#include <ATen/ops/rnn_tanh.h>
#include <ATen/ops/zeros.h>

using namespace binade;

namespace {

constexpr std::int64_t kSize = 8;

struct Layer {
  const char* op;
  std::int64_t gates;
};
constexpr Layer kLayers[] = {{"lstm", 4}, {"gru", 3}, {"rnn_tanh", 1}, {"rnn_relu", 1}};

/// `f(x, h, w)` gives what the layer gives: sequence, then states.
std::string textOf(const std::string& op) {
  const bool lstm = op == "lstm";
  return "def f(x: Tensor, h: Tensor, w: List[Tensor]) -> List[Tensor]:\n    " +
         std::string(lstm ? "a, b, c" : "a, b") + " = torch." + op + "(x, " + (lstm ? "[h, h]" : "h") +
         ", w, True, 1, 0.0, True, False, False)\n    return [a, b" + (lstm ? ", c" : "") + "]\n";
}

std::vector<at::Tensor> weightsOf(std::int64_t gates) {
  std::vector<at::Tensor> weights;
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{gates * kSize, kSize}, {gates * kSize, kSize}, {gates * kSize}, {gates * kSize}}) {
    weights.push_back(at::randn(shape).requires_grad_(true));
  }
  return weights;
}

std::vector<at::Tensor> called(const std::string& op, const at::Tensor& x, const at::Tensor& h,
                               const std::vector<at::Tensor>& w) {
  const auto list = [](std::tuple<at::Tensor, at::Tensor> two) {
    return std::vector<at::Tensor>{std::get<0>(two), std::get<1>(two)};
  };
  if (op == "gru") return list(at::gru(x, h, w, true, 1, 0.0, true, false, false));
  if (op == "rnn_tanh") return list(at::rnn_tanh(x, h, w, true, 1, 0.0, true, false, false));
  if (op == "rnn_relu") return list(at::rnn_relu(x, h, w, true, 1, 0.0, true, false, false));
  const std::vector<at::Tensor> states{h, h};
  const auto [a, b, c] = at::lstm(x, states, w, true, 1, 0.0, true, false, false);
  return {a, b, c};
}

at::Tensor rounded(const at::Tensor& tensor, at::ScalarType dtype) {
  return tensor.detach().to(dtype).to(at::kFloat);
}

std::vector<c10::IValue> inputsOf(const at::Tensor& x, const at::Tensor& h, const std::vector<at::Tensor>& w) {
  return {x, h, c10::List<at::Tensor>(w)};
}

}  // namespace

class TestRecurrent : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLayerIsCastAndItsResultsRoundedAsByCudnn_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<int>("gates");
    QTest::addColumn<bool>("asPyTorch");
    for (const Layer& layer : kLayers) {
      for (const bool as_pytorch : {false, true}) {
        QTest::addRow("%s, %s", layer.op,
                      as_pytorch ? "pytorch-2.11: float16 whatever is low" : "fixed: the low format")
            << QString::fromLatin1(layer.op) << static_cast<int>(layer.gates) << as_pytorch;
      }
    }
  }
  void aLayerIsCastAndItsResultsRoundedAsByCudnn() {
    QFETCH(const QString, op);
    QFETCH(const int, gates);
    QFETCH(const bool, asPyTorch);
    at::manual_seed(4);
    const std::vector<at::Tensor> w = weightsOf(gates);
    const at::Tensor x = at::randn({5, 3, kSize}).requires_grad_(true);
    const at::Tensor h = at::randn({1, 3, kSize});
    policy::Policy policy = test::stock(policy::Base::kCudaAmp, formats::kBFloat16);
    policy.behaviour = asPyTorch ? policy::Behaviour::kPyTorch211 : policy::Behaviour::kFixed;
    const at::ScalarType dtype = asPyTorch ? at::kHalf : at::kBFloat16;
    test::CastingRun run(textOf(op.toStdString()), policy);
    const std::vector<at::Tensor> got = run.run(inputsOf(x, h, w)).toTensorVector();
    got[0].sum().backward();

    std::vector<at::Tensor> low;
    for (const at::Tensor& weight : w) low.push_back(rounded(weight, dtype));
    const at::NoGradGuard no_history;
    const std::vector<at::Tensor> expected = called(op.toStdString(), rounded(x, dtype), rounded(h, dtype), low);
    const std::vector<at::Tensor> unrounded = called(op.toStdString(), x, h, w);
    QVERIFY(!got.empty());
    QCOMPARE(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      QVERIFY(got[i].scalar_type() == dtype);
      QVERIFY(got[i].equal(expected[i].to(dtype)));
      QVERIFY(!got[i].to(at::kFloat).equal(unrounded[i]));  // float32 throughout would be something else
    }
    for (const at::Tensor& weight : w) {
      QVERIFY(weight.grad().scalar_type() == at::kFloat);
      QVERIFY(weight.grad().abs().max().item<float>() > 0);
    }
  }

  void whatLeavesTheRangeOnItsWayInIsNotFinite_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<int>("gates");
    for (const Layer& layer : kLayers) {
      QTest::newRow(layer.op) << QString::fromLatin1(layer.op) << static_cast<int>(layer.gates);
    }
  }
  void whatLeavesTheRangeOnItsWayInIsNotFinite() {
    QFETCH(const QString, op);
    QFETCH(const int, gates);
    at::manual_seed(4);
    const std::vector<at::Tensor> w = weightsOf(gates);
    const at::Tensor x = at::randn({5, 3, kSize}) * 1e6;
    const at::Tensor h = at::zeros({1, 3, kSize});
    test::CastingRun cuda(textOf(op.toStdString()), test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    QVERIFY(!cuda.run(inputsOf(x, h, w)).toTensorVector()[0].isfinite().all().item<bool>());
    test::CastingRun plain(textOf(op.toStdString()), test::stock(policy::Base::kAllFloat32, formats::kFloat16));
    QVERIFY(plain.run(inputsOf(x, h, w)).toTensorVector()[0].isfinite().all().item<bool>());
  }

  void theTableSaysSo() {
    test::CastingRun run(textOf("lstm"), test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    QVERIFY(run.decision(0).kind == policy::Decision::Kind::kFormat);
    QVERIFY(run.decision(0).format == formats::kFloat16);
    QVERIFY(run.decision(0).execution == policy::Execution::kEmulated);
    int told = 0;
    for (const policy::Finding& finding : run.findings()) {
      told += finding.message.find("m/aten::lstm#0 in float16") != std::string::npos;
    }
    QCOMPARE(told, 1);
  }

  void onCudaAndUnderTheCpuListTheOpsInsideDecide() {
    test::CastingRun cpu(textOf("lstm"), test::stock(policy::Base::kCpuAmp, formats::kBFloat16));
    QVERIFY(cpu.decision(0).kind == policy::Decision::Kind::kFollow);
    graph::FlatGraph flat = graph::FlatGraph::from_text(textOf("lstm"), "f", "m", 0);
    std::vector<const graph::Site*> sites;
    for (const auto& site : flat.sites()) sites.push_back(site.get());
    policy::Capabilities cuda;
    cuda.list = policy::Base::kCudaAmp;
    const policy::Resolved table =
        autocast::resolve_for(test::stock(policy::Base::kCudaAmp, formats::kFloat16), sites, cuda);
    QVERIFY(table.sites[0].kind == policy::Decision::Kind::kFollow);
  }

  void aPersonsWordGoesFirst() {
    policy::Policy policy = test::stock(policy::Base::kCudaAmp, formats::kFloat16);
    policy.ops["aten::_cudnn_rnn"] = formats::kFloat32;
    test::CastingRun by_op(textOf("gru"), policy);
    QVERIFY(by_op.decision(0).format == formats::kFloat32);
    policy.ops.clear();
    policy.sites.push_back(
        {.match = "*", .call = {}, .format = formats::kBFloat16, .backward = {}, .overflow = {}, .why = {}});
    test::CastingRun by_rule(textOf("gru"), policy);
    QVERIFY(by_rule.decision(0).format == formats::kBFloat16);
    QCOMPARE(by_rule.decision(0).rule, 0);
  }

  /// Cells are on CUDA's list themselves.
  void cellsAreCastByTheList() {
    test::CastingRun run(
        "def f(x: Tensor, h: Tensor, w: List[Tensor]) -> List[Tensor]:\n"
        "    a, b = torch.lstm_cell(x, [h, h], w[0], w[1], w[2], w[3])\n"
        "    return [a, b]\n",
        test::stock(policy::Base::kCudaAmp, formats::kFloat16, policy::Execution::kEmulated));
    const std::vector<at::Tensor> results =
        run.run(inputsOf(at::randn({3, kSize}), at::randn({3, kSize}), weightsOf(4))).toTensorVector();
    QCOMPARE(results.size(), std::size_t{2});
    for (const at::Tensor& result : results) QVERIFY(result.scalar_type() == at::kHalf);
  }
};

BINADE_SUITE(TestRecurrent);
#include "tst_recurrent.moc"
