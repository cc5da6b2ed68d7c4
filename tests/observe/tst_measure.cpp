// SPDX-License-Identifier: Apache-2.0
#include "engine/observe/measure.h"
#include "engine/observe/measure_device.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sparse_coo_tensor.h>

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

/// The plain reference, which knows nothing of blocks, lanes or threads.
formats::TensorStats reference(const at::Tensor& tensor, const formats::Format& watched,
                               formats::Depth depth = formats::Depth::kFormats) {
  const at::Tensor wide = tensor.to(at::kFloat).contiguous();
  return formats::measure({wide.const_data_ptr<float>(), static_cast<std::size_t>(wide.numel())}, watched, depth);
}

formats::TensorStats measured(const at::Tensor& tensor, const formats::Format& watched,
                              formats::Depth depth = formats::Depth::kFormats) {
  formats::TensorStats stats;
  observe::measure(tensor, watched, stats, depth);
  return stats;
}

/// Squares are added up in another order, and in float32 where that holds them: one part in a million of the whole.
bool nearly(double got, double expected, double all) {
  return std::abs(got - expected) <= 1e-6 * expected + 1e-12 * all;
}

void compareNamed(formats::TensorStats& got, formats::TensorStats& expected) {
  QCOMPARE(got.named.has_value(), expected.named.has_value());
  if (!got.named) return;
  for (std::size_t i = 0; i < got.named->size(); ++i) {
    formats::FormatCounts& one = (*got.named)[i];
    formats::FormatCounts& other = (*expected.named)[i];
    const double all = expected.sum_of_squares;
    QVERIFY(nearly(one.zero_squares, other.zero_squares, all));
    QVERIFY(nearly(one.subnormal_squares, other.subnormal_squares, all));
    QVERIFY(nearly(one.overflow_squares, other.overflow_squares, all));
    one.zero_squares = other.zero_squares = 0;
    one.subnormal_squares = other.subnormal_squares = 0;
    one.overflow_squares = other.overflow_squares = 0;
    QVERIFY2(one == other, formats::name(formats::kNamedFormats[i]).c_str());
  }
}

void compareFine(formats::TensorStats& got, formats::TensorStats& expected) {
  QCOMPARE(got.fine.size(), expected.fine.size());
  for (std::size_t i = 0; i < got.fine.size(); ++i) {
    QVERIFY(got.fine[i].place == expected.fine[i].place);
    QCOMPARE(got.fine[i].count, expected.fine[i].count);
    QVERIFY(nearly(got.fine[i].squares, expected.fine[i].squares, 0));
    got.fine[i].squares = expected.fine[i].squares = 0;
  }
}

void compare(formats::TensorStats got, formats::TensorStats expected) {
  // The sums are added up in another order.
  QVERIFY2(std::abs(got.sum_of_squares - expected.sum_of_squares) <= 1e-6 * expected.sum_of_squares,
           qPrintable(QStringLiteral("%1 and %2").arg(got.sum_of_squares).arg(expected.sum_of_squares)));
  compareNamed(got, expected);
  compareFine(got, expected);
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
      for (const formats::Depth depth :
           {formats::Depth::kHistogram, formats::Depth::kFormats, formats::Depth::kWhatIf}) {
        compare(measured(values, format, depth), reference(values, format, depth));
      }
    }
  }

  void everyRangeOfBinadesIsCountedTheSame() {
    // Few binades are compared with, many get counters; blocks that lie on either side of a limit take other paths.
    at::manual_seed(4);
    for (const double spread : {0.0, 0.5, 4.0, 12.0, 15.0, 16.0, 20.0, 40.0}) {
      for (const double center : {-140.0, -60.0, -25.0, -14.0, 0.0, 15.0, 60.0, 120.0}) {
        const at::Tensor values = at::randn({5000}).mul(spread).add(center).exp2().mul(at::randn({5000}));
        compare(measured(values, formats::kFloat16), reference(values, formats::kFloat16));
      }
    }
    for (const float one : {1.0F, 0x1p-149F, 0x1p-126F, 3.4e38F, 65520.0F, 0x1p-25F, 464.0F}) {
      const at::Tensor values = at::empty({3000}, at::kFloat).fill_(one);
      compare(measured(values, formats::kFloat8E4M3fn), reference(values, formats::kFloat8E4M3fn));
    }
  }

  void threadsDoNotChangeABit() {
    const at::Tensor values = at::randn({1 << 20});
    const int threads = at::get_num_threads();
    at::set_num_threads(1);
    const formats::TensorStats one = measured(values, formats::kFloat16, formats::Depth::kWhatIf);
    at::set_num_threads(2);
    const formats::TensorStats two = measured(values, formats::kFloat16, formats::Depth::kWhatIf);
    at::set_num_threads(threads);
    QVERIFY(one == two);
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

  void everyKindOfTensorIsAnswered() {
    const auto countOf = [](const at::Tensor& tensor) { return measured(tensor, formats::kFloat16).count; };
    QVERIFY(!observe::measurable(at::Tensor()));
    QVERIFY(!observe::measurable(at::empty({0}, at::kFloat)));
    QVERIFY(!observe::measurable(at::empty({3}, at::kLong)));
    QVERIFY(!observe::measurable(at::empty({3}, at::kBool)));
    QVERIFY(!observe::measurable(at::empty({3}, at::TensorOptions().dtype(at::kFloat).device(at::kMeta))));
    QCOMPARE(countOf(at::empty({0}, at::kFloat)), std::uint64_t{0});
    QCOMPARE(countOf(at::empty({3}, at::kLong)), std::uint64_t{0});
    QCOMPARE(countOf(at::empty({}, at::kFloat).fill_(2)), std::uint64_t{1});
    const at::Tensor row = mixture(50, 8);
    compare(measured(row.expand({40, 50}), formats::kFloat16), reference(row.expand({40, 50}), formats::kFloat16));
  }

  void sparseTensorsGiveWhatTheyStoreOfOnePlaceAddedUp() {
    const at::Tensor places = at::empty({1, 3}, at::kLong);
    places.copy_(at::arange(3).view({1, 3}));
    places[0][2] = 1;
    const at::Tensor values = at::empty({3}, at::kFloat);
    values[0] = 1.0;
    values[1] = 40000.0;
    values[2] = 40000.0;
    const at::Tensor sparse = at::sparse_coo_tensor(places, values, {10});
    QVERIFY(observe::measurable(sparse));
    const formats::TensorStats stats = measured(sparse, formats::kFloat16);
    QCOMPARE(stats.count, std::uint64_t{2});
    QCOMPARE(stats.largest, 80000.0F);
    QCOMPARE(stats.overflow, std::uint64_t{1});
    QCOMPARE(measured(at::eye(4).to_sparse_csr(), formats::kFloat16).count, std::uint64_t{4});
  }

  void bothPartsOfComplexNumbersCount() {
    const at::Tensor real = at::randn({30});
    const at::Tensor imaginary = at::randn({30});
    const formats::TensorStats stats = measured(at::complex(real, imaginary).conj(), formats::kFloat16);
    QCOMPARE(stats.count, std::uint64_t{60});
    QCOMPARE(stats.largest, std::max(real.abs().max().item<float>(), imaginary.abs().max().item<float>()));
  }

  void doublesStayFiniteAndNonZero() {
    const at::Tensor values = at::empty({5}, at::kDouble);
    const double numbers[] = {1e300, -1e-300, 0.0, INFINITY, 1.5};
    for (int i = 0; i < 5; ++i) values[i] = numbers[i];
    const formats::TensorStats stats = measured(values, formats::kFloat32);
    QCOMPARE(stats.positive_infinity, std::uint64_t{1});
    QCOMPARE(stats.zero, std::uint64_t{1});
    QCOMPARE(stats.largest, std::numeric_limits<float>::max());
    QCOMPARE(stats.smallest, std::numeric_limits<float>::denorm_min());
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
      compare(stats, reference(values, formats::kFloat16, formats::Depth::kHistogram));
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
