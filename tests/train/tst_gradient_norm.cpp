// SPDX-License-Identifier: Apache-2.0
#include "engine/train/clip.h"
#include "engine/train/gradient_norm.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <limits>

class TestGradientNorm : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void isLibTorchsUpToRounding_data();
  void isLibTorchsUpToRounding();
  void isFiniteWhereEveryValueIs();
  void isNotFiniteWhereAValueIsNot_data();
  void isNotFiniteWhereAValueIsNot();
};

namespace {

double both(const std::vector<at::Tensor>& gradients, double& reference) {
  reference = binade::train::norm_of(gradients).item<double>();
  return binade::train::gradient_norm(gradients).item<double>();
}

}  // namespace

void TestGradientNorm::isLibTorchsUpToRounding_data() {
  QTest::addColumn<int>("which");
  QTest::newRow("one value") << 0;
  QTest::newRow("lengths beside the lanes") << 1;
  QTest::newRow("large and small") << 2;
  QTest::newRow("transposed, with gaps, expanded, empty") << 3;
  QTest::newRow("a float16 among them") << 4;
}

void TestGradientNorm::isLibTorchsUpToRounding() {
  QFETCH(int, which);
  at::manual_seed(7);
  std::vector<at::Tensor> gradients;
  switch (which) {
    case 0:
      gradients = {at::full({}, -3.0)};
      break;
    case 1:
      for (std::int64_t length = 1; length < 20; ++length) gradients.push_back(at::randn({length}));
      break;
    case 2:
      gradients = {at::randn({32768}), at::randn({32769}) * 3, at::randn({300, 400}), at::randn({5})};
      break;
    case 3:
      gradients = {at::randn({6, 9}).t(), at::randn({8, 8}).slice(1, 0, 8, 3), at::randn({4, 1}).expand({4, 7}),
                   at::zeros({0})};
      break;
    default:
      gradients = {at::randn({17}), at::randn({33}).to(at::kHalf)};
  }
  double reference = 0;
  const double norm = both(gradients, reference);
  QVERIFY(reference > 0);
  QVERIFY2(std::abs(norm - reference) <= 1e-3 * (which == 4 ? 1 : 1e-3) * reference,
           qPrintable(QString("%1, LibTorch's %2").arg(norm, 0, 'g', 17).arg(reference, 0, 'g', 17)));
}

void TestGradientNorm::isFiniteWhereEveryValueIs() {
  const std::vector<at::Tensor> gradients{at::full({3}, 2e38), at::full({40000}, 1e30)};
  double reference = 0;
  const double norm = both(gradients, reference);
  QVERIFY(std::isinf(reference));  // the squares are no float32 numbers
  const double wanted = std::sqrt(3 * std::pow(double{2e38F}, 2) + 40000 * std::pow(double{1e30F}, 2));
  QCOMPARE(norm, wanted);
  // Beside a gradient of another dtype, and one with gaps, too.
  const double mixed = binade::train::gradient_norm(
                           {gradients[0], gradients[1], at::zeros({4}, at::kHalf), at::zeros({3, 3}).slice(1, 0, 3, 2)})
                           .item<double>();
  QVERIFY(std::abs(mixed - wanted) <= 1e-12 * wanted);
}

void TestGradientNorm::isNotFiniteWhereAValueIsNot_data() {
  QTest::addColumn<int>("length");
  QTest::addColumn<double>("value");
  for (const int length : {1, 13, 40000}) {
    QTest::addRow("inf among %d", length) << length << std::numeric_limits<double>::infinity();
    QTest::addRow("NaN among %d", length) << length << std::numeric_limits<double>::quiet_NaN();
  }
}

void TestGradientNorm::isNotFiniteWhereAValueIsNot() {
  QFETCH(int, length);
  QFETCH(double, value);
  for (const std::int64_t place : {std::int64_t{0}, std::int64_t{length} / 2, std::int64_t{length} - 1}) {
    at::Tensor gradient = at::zeros({length});
    gradient[place].fill_(value);
    QVERIFY(!std::isfinite(binade::train::gradient_norm({at::zeros({4}), gradient}).item<double>()));
  }
}

BINADE_SUITE(TestGradientNorm);
#include "tst_gradient_norm.moc"
