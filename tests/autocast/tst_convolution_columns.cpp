// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/convolution_columns.h"
#include "tests/support/suite.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/im2col.h>
#include <ATen/ops/rand.h>

#include <vector>

using namespace binade;

// The matrix of columns, beside LibTorch's.
class TestConvolutionColumns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void equalLibTorchs_data() {
    QTest::addColumn<QList<int>>("image");
    QTest::addColumn<QList<int>>("kernel");
    QTest::addColumn<QList<int>>("stride");
    QTest::addColumn<QList<int>>("padding");
    QTest::addColumn<QList<int>>("dilation");
    const auto row = [](const char* name, const QList<int>& image, const QList<int>& kernel, const QList<int>& stride,
                        const QList<int>& padding, const QList<int>& dilation) {
      QTest::newRow(name) << image << kernel << stride << padding << dilation;
    };
    row("same size", {7, 9}, {3, 3}, {1, 1}, {1, 1}, {1, 1});
    row("same size, dilated", {9, 8}, {3, 5}, {1, 1}, {2, 4}, {2, 2});
    row("same width only", {9, 8}, {3, 3}, {1, 1}, {0, 1}, {1, 1});
    row("one pixel", {5, 4}, {1, 1}, {1, 1}, {0, 0}, {1, 1});
    row("smaller", {6, 9}, {3, 2}, {1, 1}, {0, 0}, {1, 1});
    row("larger", {4, 5}, {2, 3}, {1, 1}, {3, 4}, {1, 1});
    row("stride", {9, 11}, {3, 3}, {2, 2}, {1, 1}, {1, 1});
    row("stride of lines only", {9, 11}, {3, 3}, {2, 1}, {1, 1}, {1, 1});
    row("stride and padding beyond the kernel", {3, 4}, {2, 2}, {3, 2}, {5, 6}, {1, 2});
    row("an image smaller than the padding", {1, 1}, {5, 5}, {1, 1}, {2, 2}, {1, 1});
  }
  void equalLibTorchs() {
    QFETCH(QList<int>, image);
    QFETCH(QList<int>, kernel);
    QFETCH(QList<int>, stride);
    QFETCH(QList<int>, padding);
    QFETCH(QList<int>, dilation);
    const auto list = [](const QList<int>& of) { return std::vector<std::int64_t>(of.begin(), of.end()); };
    autocast::ConvolutionShape shape;
    shape.batch = 2;
    shape.channels = 3;
    for (int i = 0; i < 2; ++i) {
      const auto d = static_cast<std::size_t>(i) + 1;
      shape.image[d] = image[i];
      shape.kernel[d] = kernel[i];
      shape.stride[d] = stride[i];
      shape.padding[d] = padding[i];
      shape.dilation[d] = dilation[i];
      shape.pixels[d] = (image[i] + 2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1) / stride[i] + 1;
    }
    const at::Tensor values = at::rand({shape.batch, shape.channels, image[0], image[1]});
    const std::int64_t rows = shape.channels * shape.kernel_size();
    const std::int64_t columns = shape.batch * shape.pixel_count();
    const at::Tensor expected = at::im2col(values, list(kernel), list(dilation), list(padding), list(stride))
                                    .transpose(0, 1)
                                    .reshape({rows, columns});

    at::Tensor whole = at::empty({rows, columns});
    autocast::fill_columns(values, shape, 0, rows, whole.mutable_data_ptr<float>());
    QVERIFY(at::equal(whole, expected));
    at::Tensor part = at::empty({rows - 3, columns});
    autocast::fill_columns(values, shape, 2, rows - 3, part.mutable_data_ptr<float>());
    QVERIFY(at::equal(part, expected.narrow(0, 2, rows - 3)));
  }
};

BINADE_SUITE(TestConvolutionColumns);
#include "tst_convolution_columns.moc"
