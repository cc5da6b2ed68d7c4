// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/randn.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace binade;

namespace {

/// Values of every kind: a wide range, subnormals, zeros of both signs, infinities, NaN.
at::Tensor mixture(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  at::Tensor values = at::empty({count}, at::kFloat);
  float* data = values.mutable_data_ptr<float>();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    switch (random() % 16) {
      case 0:
        data[i] = 0;
        break;
      case 1:
        data[i] = -0.0F;
        break;
      case 2:
        data[i] = std::bit_cast<float>(bits & 0x807fffffU);  // subnormal
        break;
      case 3:
        data[i] = (bits & 1) != 0 ? INFINITY : -INFINITY;
        break;
      case 4:
        data[i] = std::numeric_limits<float>::quiet_NaN();
        break;
      default:
        data[i] = std::bit_cast<float>(bits);
    }
  }
  return values;
}

formats::TensorStats reference(const at::Tensor& tensor, const formats::Format& watched) {
  const at::Tensor wide = tensor.to(at::kFloat).contiguous();
  return formats::measure({wide.const_data_ptr<float>(), static_cast<std::size_t>(wide.numel())}, watched);
}

formats::TensorStats measured(const at::Tensor& tensor, const formats::Format& watched) {
  formats::TensorStats stats;
  observe::measure(tensor, watched, stats);
  return stats;
}

void compare(formats::TensorStats got, formats::TensorStats expected) {
  // The sums are added up in another order.
  QVERIFY2(std::abs(got.sum_of_squares - expected.sum_of_squares) <= 1e-6 * expected.sum_of_squares,
           qPrintable(QStringLiteral("%1 and %2").arg(got.sum_of_squares).arg(expected.sum_of_squares)));
  got.sum_of_squares = expected.sum_of_squares = 0;
  got.censored = expected.censored = false;
  QCOMPARE(got.count, expected.count);
  QCOMPARE(got.zero, expected.zero);
  QCOMPARE(got.nan, expected.nan);
  QCOMPARE(got.positive_infinity, expected.positive_infinity);
  QCOMPARE(got.negative_infinity, expected.negative_infinity);
  QCOMPARE(got.overflow, expected.overflow);
  QCOMPARE(got.underflow, expected.underflow);
  QVERIFY(got == expected);  // every binade, largest and smallest
}

}  // namespace

class TestMeasure : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void onePassEqualsThePlainReference_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("dtype");
    for (const int count : {1, 15, 16, 17, 2047, 2048, 2049, 100003, 400001}) {
      for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
        QTest::addRow("%d %s", count, c10::toString(dtype)) << count << static_cast<int>(dtype);
      }
    }
  }
  void onePassEqualsThePlainReference() {
    QFETCH(int, count);
    QFETCH(int, dtype);
    const at::Tensor values = mixture(count, static_cast<unsigned>(count)).to(static_cast<at::ScalarType>(dtype));
    for (const formats::Format& format :
         {formats::kFloat16, formats::kBFloat16, formats::kFloat32, formats::kFloat8E4M3fn}) {
      compare(measured(values, format), reference(values, format));
    }
  }

  void everyHalfIsWidenedExactly() {
    at::Tensor bits = at::empty({65536}, at::kShort);
    for (int i = 0; i < 65536; ++i) bits.mutable_data_ptr<std::int16_t>()[i] = static_cast<std::int16_t>(i);
    const at::Tensor halves = bits.view(at::kHalf);
    compare(measured(halves, formats::kFloat16), reference(halves, formats::kFloat16));
  }

  void stridesDoNotMatter() {
    const at::Tensor values = mixture(60000, 3).view({3, 100, 200});
    compare(measured(values.transpose(0, 2), formats::kFloat16), reference(values, formats::kFloat16));
    const at::Tensor part = values.slice(2, 0, 200, 3);
    compare(measured(part, formats::kFloat16), reference(part, formats::kFloat16));
  }

  void largeAndSmallSquaresAreNotLost() {
    const at::Tensor large = at::empty({100}, at::kFloat).fill_(1e25);
    QVERIFY(std::abs(measured(large, formats::kFloat16).sum_of_squares / 1e52 - 1) < 1e-5);
    const at::Tensor small = at::empty({100}, at::kFloat).fill_(1e-25);
    QVERIFY(std::abs(measured(small, formats::kFloat16).sum_of_squares / 1e-48 - 1) < 1e-5);
  }

  void measuringTwiceAddsUp() {
    const at::Tensor a = mixture(3000, 1);
    const at::Tensor b = mixture(5000, 2);
    formats::TensorStats both;
    observe::measure(a, formats::kFloat16, both);
    observe::measure(b, formats::kFloat16, both);
    at::Tensor joined = at::empty({8000}, at::kFloat);
    joined.slice(0, 0, 3000).copy_(a);
    joined.slice(0, 3000).copy_(b);
    compare(both, reference(joined, formats::kFloat16));
  }

  void theDeviceRowEqualsTheCpuKernel() {
    // The same ATen ops run on a GPU; here they run on the CPU.
    for (const at::ScalarType dtype : {at::kFloat, at::kHalf, at::kBFloat16}) {
      const at::Tensor values = mixture(50000, 9).to(dtype);
      formats::TensorStats stats;
      observe::add_row(observe::device_row(values, formats::kFloat16), formats::kFloat16, dtype, stats);
      compare(stats, reference(values, formats::kFloat16));
    }
  }

  void aScanFindsWhatIsBeyondTheFormatAndSaysThatItIsAScan() {
    at::manual_seed(1);
    at::Tensor values = at::randn({100000});
    formats::TensorStats calm;
    observe::scan(values, formats::kFloat16, calm);
    QVERIFY(calm.scan);
    QCOMPARE(calm.count, std::uint64_t{100000});
    QCOMPARE(calm.largest, values.abs().max().item<float>());
    QCOMPARE(calm.overflow + calm.non_finite(), std::uint64_t{0});

    values[5] = 70000.0;
    values[6] = INFINITY;
    values[7] = NAN;
    formats::TensorStats wild;
    observe::scan(values, formats::kFloat16, wild);
    QCOMPARE(wild.overflow, std::uint64_t{1});
    QCOMPARE(wild.positive_infinity, std::uint64_t{1});
    QCOMPARE(wild.nan, std::uint64_t{1});
    QCOMPARE(wild.largest, 70000.0F);
  }

  void whatIsHeldInTheFormatIsCensored() {
    const at::Tensor values = at::randn({10});
    QVERIFY(measured(values.to(at::kHalf), formats::kFloat16).censored);
    QVERIFY(!measured(values, formats::kFloat16).censored);
  }
};

BINADE_SUITE(TestMeasure);
#include "tst_measure.moc"
