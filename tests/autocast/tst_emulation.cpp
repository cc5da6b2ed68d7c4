// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/emulation.h"
#include "engine/formats/float16.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <bit>
#include <cmath>
#include <random>

using namespace binade;

namespace {

/// What execution rounds results with.
std::vector<float> rounded(std::vector<float> values, at::ScalarType dtype) {
  graph::Stack stack{at::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}).clone()};
  graph::OpTraits op;
  op.outputs = 1;
  autocast::round_results(stack, op, dtype);
  const at::Tensor back = stack[0].toTensor().to(at::kFloat).contiguous();
  return {back.const_data_ptr<float>(), back.const_data_ptr<float>() + back.numel()};
}

bool same(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

void compare(const std::vector<float>& values, at::ScalarType dtype, const formats::Format& format) {
  const std::vector<float> got = rounded(values, dtype);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const float expected = formats::round(values[i], format);
    if (!same(got[i], expected)) {
      QFAIL(qPrintable(QStringLiteral("%1 rounds to %2, not to %3")
                           .arg(static_cast<double>(values[i]), 0, 'g', 12)
                           .arg(static_cast<double>(got[i]))
                           .arg(static_cast<double>(expected))));
    }
  }
}

policy::Policy emulated(formats::Format low) {
  return test::stock(policy::Base::kCudaAmp, low, policy::Execution::kEmulated);
}

at::Tensor through(const at::Tensor& tensor, at::ScalarType dtype) {
  return tensor.to(dtype).to(at::kFloat);
}

}  // namespace

class TestEmulation : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void onlyResultsThatHoldDataAreRounded() {
    graph::OpTraits attention;
    attention.op = "aten::_scaled_dot_product_flash_attention";
    attention.outputs = 3;
    graph::Stack stack{at::rand({2}), at::rand({2}), at::zeros({2}, at::kLong)};
    autocast::round_results(stack, attention, at::kHalf);
    QVERIFY(stack[0].toTensor().scalar_type() == at::kHalf);
    QVERIFY(stack[1].toTensor().scalar_type() == at::kFloat);  // logsumexp
    QVERIFY(stack[2].toTensor().scalar_type() == at::kLong);
    graph::OpTraits cell;
    cell.op = "aten::lstm_cell";
    cell.outputs = 2;
    graph::Stack states{at::rand({2}), at::rand({2})};
    autocast::round_results(states, cell, at::kHalf);
    QVERIFY(states[1].toTensor().scalar_type() == at::kHalf);
  }

  void everyMidpointOfFloat16AndItsNeighboursRoundToEven() {
    std::vector<float> values;
    for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
      const float low = formats::float16_value(static_cast<std::uint16_t>(bits));
      // After the last half comes 65536, where infinity begins.
      const float high = bits + 1 == 0x7c00 ? 65536.0F : formats::float16_value(static_cast<std::uint16_t>(bits + 1));
      const float middle = low + (high - low) / 2;
      for (const float value : {low, std::nextafter(middle, 0.0F), middle, std::nextafter(middle, INFINITY)}) {
        values.push_back(value);
        values.push_back(-value);
      }
    }
    compare(values, at::kHalf, formats::kFloat16);
  }

  void aMillionRandomBitPatternsRoundExactly() {
    std::mt19937 random(42);
    std::vector<float> values(1000000);
    for (float& value : values) value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    compare(values, at::kHalf, formats::kFloat16);
    compare(values, at::kBFloat16, formats::kBFloat16);
  }

  void aMatrixOpComputesInFloat32FromRoundedOperandsForwardAndBackward_data() {
    QTest::addColumn<int>("dtype");
    QTest::newRow("float16") << static_cast<int>(at::kHalf);
    QTest::newRow("bfloat16") << static_cast<int>(at::kBFloat16);
  }
  void aMatrixOpComputesInFloat32FromRoundedOperandsForwardAndBackward() {
    QFETCH(int, dtype);
    const auto low = static_cast<at::ScalarType>(dtype);
    at::manual_seed(1);
    const at::Tensor x = at::randn({5, 16}).requires_grad_(true);
    const at::Tensor w = at::randn({7, 16}).requires_grad_(true);
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w)\n",
                         emulated(low == at::kHalf ? formats::kFloat16 : formats::kBFloat16));
    const at::Tensor y = run.run({x, w}).toTensor();
    const at::Tensor gradient = at::randn({5, 7}).to(low);
    y.backward(gradient);

    const at::NoGradGuard no_history;
    const at::Tensor expected = at::linear(through(x, low), through(w, low)).to(low);
    QCOMPARE(static_cast<int>(y.scalar_type()), dtype);
    QVERIFY(y.equal(expected));
    const at::Tensor g = gradient.to(at::kFloat);
    QVERIFY(x.grad().equal(through(g.mm(through(w, low)), low)));
    QVERIFY(w.grad().equal(through(g.t().mm(through(x, low)), low)));
  }

  void aConvolutionOverflowsWhereFloat16Does() {
    // 300 x 300 is beyond 65,504: float16 gives infinity, whatever accumulates it.
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.conv2d(x, w)\n",
                         emulated(formats::kFloat16));
    const at::Tensor x = at::rand({1, 1, 3, 3}).zero_().add_(300);
    const at::Tensor y = run.run({x, at::rand({1, 1, 1, 1}).zero_().add_(300)}).toTensor();
    QVERIFY(y.isinf().all().item<bool>());
    QCOMPARE(static_cast<int>(y.scalar_type()), static_cast<int>(at::kHalf));
  }

  void sumsAreAccumulatedInFloat32() {
    // 4,096 ones and a half: float16 accumulation would stop at 2,048.
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.mm(x, w)\n",
                         emulated(formats::kFloat16));
    const at::Tensor x = at::rand({1, 4096}).zero_().add_(1);
    QCOMPARE(run.run({x, x.t().clone()}).toTensor().item<float>(), 4096.0F);
  }

  void onlyMatrixOpsAreEmulated() {
    policy::Policy policy = emulated(formats::kFloat16);
    policy.ops["aten::relu"] = formats::kFloat16;
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.relu(torch.mm(x, w)).view([-1])\n",
                         policy);
    QCOMPARE(static_cast<int>(run.decision(0).execution), static_cast<int>(policy::Execution::kEmulated));
    QCOMPARE(static_cast<int>(run.decision(1).execution), static_cast<int>(policy::Execution::kNative));
    QCOMPARE(static_cast<int>(run.decision(2).kind), static_cast<int>(policy::Decision::Kind::kLeave));
    QCOMPARE(static_cast<int>(run.run({at::rand({2, 2}), at::rand({2, 2})}).toTensor().scalar_type()),
             static_cast<int>(at::kHalf));
  }

  void nativeFloat16RunsToo() {
    at::manual_seed(3);
    const at::Tensor x = at::randn({4, 8});
    const at::Tensor w = at::randn({4, 8});
    test::CastingRun run("def f(x: Tensor, w: Tensor) -> Tensor:\n    return torch.linear(x, w)\n",
                         test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    const at::Tensor y = run.run({x, w}).toTensor();
    QVERIFY(y.equal(at::linear(x.to(at::kHalf), w.to(at::kHalf))));
  }
};

BINADE_SUITE(TestEmulation);
#include "tst_emulation.moc"
