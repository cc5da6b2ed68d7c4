// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/rounded_gradient.h"
#include "engine/autocast/rounding.h"
#include "tests/formats/by_definition.h"
#include "tests/formats/format_metatype.h"
#include "tests/support/suite.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <torch/csrc/autograd/autograd.h>

#include <bit>
#include <cmath>

using namespace binade;
using autocast::Precision;
using formats::Format;
using formats::Overflow;
using formats::Rounder;

namespace {

/// Random bit patterns of float32, NaN and infinities among them, and the same with exponents near 1.
at::Tensor patterns(std::int64_t count) {
  at::Tensor tensor = at::empty({count});
  auto* data = tensor.mutable_data_ptr<float>();
  test::Patterns random(5);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint32_t bits = random.next();
    const std::uint32_t near = (bits & 0x807fffffu) | ((100u + (bits >> 24) % 60u) << 23);
    data[i] = std::bit_cast<float>(i % 2 == 0 ? bits : near);
  }
  return tensor;
}

/// The midpoints between all neighbouring values of a small format, and the float32 on both sides of each.
at::Tensor midpoints(const Format& format) {
  std::vector<float> values;
  const std::uint32_t count = 1u << (format.exponent_bits + format.mantissa_bits);
  for (std::uint32_t bits = 0; bits + 1 < count; ++bits) {
    const double low = test::valueByDefinition(bits, format);
    const double high = test::valueByDefinition(bits + 1, format);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const auto middle = static_cast<float>((low + high) / 2);
    for (const float value :
         {static_cast<float>(low), std::nextafter(middle, 0.0F), middle, std::nextafter(middle, INFINITY)}) {
      values.insert(values.end(), {value, -value});
    }
  }
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<float>());
  return tensor;
}

/// Equal values or both NaN, zeros by sign. Which NaN it is, no format says.
bool sameValues(const at::Tensor& a, const at::Tensor& b) {
  const at::Tensor nan = at::isnan(a);
  if (!nan.equal(at::isnan(b))) return false;
  const at::Tensor x = a.masked_fill(nan, 0).contiguous().view(at::kInt);
  return x.equal(b.masked_fill(nan, 0).contiguous().view(at::kInt));
}

Precision logical(const Format& format, const Format& backward) {
  Precision precision;
  precision.format = format;
  precision.backward = backward;
  precision.overflow = formats::default_overflow(format);
  precision.logical = true;
  return precision;
}

}  // namespace

// Rounding of tensors: against LibTorch's own casts, against the definition, and as autograd sees it.
class TestRoundTensors : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theSameBitsAsLibTorchsCasts_data() {
    QTest::addColumn<Format>("format");
    QTest::addColumn<int>("dtype");
    QTest::newRow("float16") << formats::kFloat16 << static_cast<int>(at::kHalf);
    QTest::newRow("bfloat16") << formats::kBFloat16 << static_cast<int>(at::kBFloat16);
    QTest::newRow("float8_e4m3fn") << formats::kFloat8E4M3fn << static_cast<int>(at::kFloat8_e4m3fn);
    QTest::newRow("float8_e5m2") << formats::kFloat8E5M2 << static_cast<int>(at::kFloat8_e5m2);
  }
  void theSameBitsAsLibTorchsCasts() {
    QFETCH(Format, format);
    QFETCH(int, dtype);
    const Rounder rounder(format, Overflow::kInfinity);  // LibTorch's float8 casts do not saturate
    for (const at::Tensor& values : {patterns(400'000), midpoints(format)}) {
      const at::Tensor native = values.to(static_cast<at::ScalarType>(dtype)).to(at::kFloat);
      QVERIFY(sameValues(autocast::round_values(values, rounder), native));
    }
  }

  void saturatingFloat8IsLibTorchsCastOfClampedValues_data() {
    QTest::addColumn<Format>("format");
    QTest::addColumn<int>("dtype");
    QTest::newRow("float8_e4m3fn") << formats::kFloat8E4M3fn << static_cast<int>(at::kFloat8_e4m3fn);
    QTest::newRow("float8_e5m2") << formats::kFloat8E5M2 << static_cast<int>(at::kFloat8_e5m2);
  }
  void saturatingFloat8IsLibTorchsCastOfClampedValues() {
    QFETCH(Format, format);
    QFETCH(int, dtype);
    const Rounder rounder(format, Overflow::kSaturate);
    const at::Tensor values = patterns(400'000);
    const at::Tensor clamped = values.clamp(-format.largest(), format.largest());
    const at::Tensor native = clamped.to(static_cast<at::ScalarType>(dtype)).to(at::kFloat);
    QVERIFY(sameValues(autocast::round_values(values, rounder), native));
  }

  void theFormulaOfOtherDevicesGivesTheKernelsBits_data() {
    QTest::addColumn<Format>("format");
    for (const char* name : {"tfloat32", "float16", "float8_e4m3fn", "float8_e5m2", "e2m1", "e6m9", "e8m1", "e7m23"}) {
      QTest::newRow(name) << *formats::parse(name);
    }
  }
  void theFormulaOfOtherDevicesGivesTheKernelsBits() {
    QFETCH(Format, format);
    const at::Tensor values = patterns(200'000);
    for (const Overflow overflow : {Overflow::kInfinity, Overflow::kSaturate}) {
      const Rounder rounder(format, overflow);
      const at::Tensor formula = autocast::round_with_aten(values, rounder);
      QVERIFY(formula.view(at::kInt).equal(autocast::round_values(values, rounder).view(at::kInt)));
    }
  }

  void everyLayoutIsRoundedWhole() {
    const Rounder rounder(formats::kFloat8E5M2);
    const at::Tensor x = at::randn({4, 6, 5, 3});
    const at::Tensor expected = autocast::round_values(x, rounder);
    for (const at::Tensor& other :
         {x.contiguous(at::MemoryFormat::ChannelsLast), x.transpose(1, 3).contiguous().transpose(1, 3)}) {
      const at::Tensor rounded = autocast::round_values(other, rounder);
      QVERIFY(rounded.equal(expected));
      QVERIFY(rounded.strides() == other.strides());
    }
    const at::Tensor strided = x.slice(3, 0, 3, 2);
    QVERIFY(autocast::round_values(strided, rounder).equal(expected.slice(3, 0, 3, 2)));
    const at::Tensor sparse = x.select(0, 0).select(0, 0).to_sparse();
    QVERIFY(autocast::round_values(sparse, rounder).to_dense().equal(expected.select(0, 0).select(0, 0)));
    at::Tensor written = x.clone();
    const at::Tensor part = written.slice(3, 0, 3, 2);
    autocast::round_memory(part, rounder);
    QVERIFY(part.equal(expected.slice(3, 0, 3, 2)));
    QVERIFY(written.slice(3, 1, 2).equal(x.slice(3, 1, 2)));
    QCOMPARE(written._version(), 0);
  }

  void manyThreadsGiveTheSameBits() {
    const Rounder rounder(formats::kFloat8E4M3fn, Overflow::kSaturate);
    const at::Tensor values = patterns(1'000'003);
    const at::Tensor whole = autocast::round_values(values, rounder);
    const at::Tensor pieces = at::empty_like(values);
    for (std::int64_t i = 0; i < values.numel(); i += 10'007) {
      const at::Tensor piece = autocast::round_values(values.slice(0, i, i + 10'007).clone(), rounder);
      pieces.slice(0, i, i + 10'007).copy_(piece);
    }
    QVERIFY(sameValues(whole, pieces));
  }

  void gradientsAreRoundedToTheirOwnFormat() {
    const Precision precision = logical(formats::kFloat8E4M3fn, formats::kFloat8E5M2);
    const at::Tensor x = at::randn({1000}).requires_grad_(true);
    const at::Tensor gradient = at::randn({1000}) * 1e5;  // many beyond float8_e5m2, which clamps
    autocast::rounded(x, precision).backward(gradient);
    const at::Tensor expected = autocast::round_values(gradient, Rounder(formats::kFloat8E5M2, Overflow::kSaturate));
    QVERIFY(x.grad().equal(expected));
    QCOMPARE(x.grad().abs().max().item<float>(), 57344.0F);
    QVERIFY(!gradient.equal(expected));  // nor was the caller's gradient written
  }

  void backwardOfBackwardPassesStraightThroughToo() {
    const Precision precision = logical(formats::kFloat16, formats::kBFloat16);
    const at::Tensor x = at::rand({64}).requires_grad_(true);
    const at::Tensor y = autocast::rounded(x, precision);
    const at::Tensor first = torch::autograd::grad({(y * y * y).sum()}, {x}, {}, true, /*create_graph=*/true)[0];
    QVERIFY(first.detach().equal(autocast::round_values((3 * y * y).detach(), Rounder(formats::kBFloat16))));
    const at::Tensor second = torch::autograd::grad({first.sum()}, {x})[0];
    // The gradient of 3y^2 is 6y; each of the two roundings on its way sends it on.
    QVERIFY(second.allclose(6 * x.detach(), 0.02, 0.0));
    QVERIFY(second.equal(autocast::round_values(second, Rounder(formats::kBFloat16))));
  }

  void aTensorThatIsInTheFormatIsNotCopied() {
    const Precision precision = logical(formats::kFloat32, formats::kBFloat16);
    const at::Tensor x = at::randn({8});
    QVERIFY(autocast::rounded(x, precision).is_same(x));
    const at::Tensor w = at::randn({8}).requires_grad_(true);
    const at::Tensor y = autocast::rounded(w, precision);
    QCOMPARE(y.const_data_ptr(), w.const_data_ptr());
    y.backward(at::full({8}, 1.01));
    QVERIFY(w.grad().equal(at::full({8}, 1.0078125)));
  }
};

BINADE_SUITE(TestRoundTensors);
#include "tst_round_tensors.moc"
