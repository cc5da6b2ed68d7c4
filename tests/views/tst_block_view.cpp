// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "views/plot/block_view.h"
#include "views/values/colors.h"

#include <QImage>
#include <QRect>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

namespace {

using namespace binade;
using views::BlockView;

BlockView::Block block(const QString& place, double scale, std::vector<float> values, std::vector<float> quantized) {
  return {place, scale, 12.5, std::move(values), std::move(quantized)};
}

/// Three blocks of E2M1.
void fill(BlockView& view) {
  view.resize(600, 300);
  view.setBlocks({block(QStringLiteral("row 0"), 0.5, {3, 0.1F, -1}, {3, 0, -1}),
                  block(QStringLiteral("row 1"), 0.3, {1.8F, 0.9F}, {1.8F, 0.9F}),
                  block(QStringLiteral("row 2"), 2, {12, 12}, {12, 12})},
                 scaled::Element::kE2M1);
}

QImage picture(BlockView& view) {
  QImage image(view.size(), QImage::Format_RGB32);
  view.render(&image);
  return image;
}

/// Whether a pixel has the colour, up to what antialiasing rounds.
bool hasColor(const QImage& image, const QColor& color) {
  const auto near = [](int a, int b) { return std::abs(a - b) <= 6; };
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QColor pixel = image.pixelColor(x, y);
      if (near(pixel.red(), color.red()) && near(pixel.green(), color.green()) && near(pixel.blue(), color.blue()))
        return true;
    }
  }
  return false;
}

}  // namespace

/// One block on the ruler of its format.
class BlockViews : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theRulerHasTheElementsTimesTheScale() {
    BlockView view;
    QVERIFY(view.ruler().empty());
    fill(view);
    const std::vector<double> marks{-3, -2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3};
    QCOMPARE(view.ruler(), marks);
    view.choose(2);
    QCOMPARE(view.ruler().back(), 12.0);
    for (const auto element : scaled::kElements) {
      view.setBlocks({block({}, 1, {1}, {1})}, element);
      const std::vector<double> ruler = view.ruler();
      QVERIFY(std::is_sorted(ruler.begin(), ruler.end()));
      QCOMPARE(ruler.back(), static_cast<double>(scaled::layout(element).largest));
      QCOMPARE(ruler.front(), -ruler.back());
    }
  }

  void theLargestValueReachesTheEndAndZeroIsInTheMiddle() {
    BlockView view;
    fill(view);
    QCOMPARE(view.placeOf(0), view.width() / 2.0);
    QVERIFY(view.placeOf(3) < view.width() && view.placeOf(3) > view.width() - 20);
    QVERIFY(view.placeOf(-1) < view.placeOf(0));
  }

  void arrowKeysChooseTheBlock() {
    BlockView view;
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.current(), -1);
    fill(view);
    QCOMPARE(view.current(), 0);
    const QSignalSpy changes(&view, &BlockView::currentChanged);
    QTest::keyClick(&view, Qt::Key_Down);
    QCOMPARE(view.current(), 1);
    QTest::keyClick(&view, Qt::Key_Right);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.current(), 2);
    QTest::keyClick(&view, Qt::Key_Home);
    QCOMPARE(view.current(), 0);
    QTest::keyClick(&view, Qt::Key_Up);
    QCOMPARE(view.current(), 0);
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(view.current(), 2);
    QCOMPARE(changes.size(), 4);
  }

  void theBlockIsDescribedInWords() {
    BlockView view;
    QVERIFY(!view.accessibleName().isEmpty());
    fill(view);
    QCOMPARE(view.accessibleDescription(), view.description());
    QCOMPARE(view.description(),
             QStringLiteral("Block 1 of 3, row 0: 3 values, scale 2⁻¹, signal to noise 12.5 dB, 1 became 0"));
    view.choose(1);
    QVERIFY2(view.accessibleDescription().contains(QStringLiteral("scale 0.3")), qPrintable(view.description()));
    view.setBlocks({{QStringLiteral("row 0"), 1, std::numeric_limits<double>::infinity(), {1}, {1}}},
                   scaled::Element::kE4M3);
    QVERIFY(view.description().contains(QStringLiteral("exact")));
  }

  void aValueThatBecameZeroIsCrimson() {
    BlockView view;
    fill(view);
    QVERIFY(hasColor(picture(view), views::colors().crimson));
    view.choose(2);
    QVERIFY(!hasColor(picture(view), views::colors().crimson));
    view.setBlocks({}, scaled::Element::kE4M3);
    picture(view);  // an empty view can be painted
  }

  void aLargeBlockHasRoom() {
    BlockView view;
    view.resize(300, 150);
    view.setBlocks({block({}, 1, std::vector<float>(16384, 3), std::vector<float>(16384, 3))}, scaled::Element::kE4M3);
    QVERIFY(hasColor(picture(view), views::colors().dataLine));
    QVERIFY(!hasColor(picture(view), views::colors().crimson));
  }

  // A few lost values of a large block are not covered by their neighbours in the same line of pixels.
  void aValueThatBecameZeroIsCrimsonInALargeBlock() {
    BlockView view;
    view.resize(300, 150);
    std::vector<float> values(16384, 0.5F);
    for (std::size_t i = 0; i < values.size(); i += 2) values[i] = -0.5F;
    std::vector<float> quantized = values;
    values[8000] = 0.001F;
    quantized[8000] = 0;
    view.setBlocks({block({}, 1, values, quantized)}, scaled::Element::kE2M1);
    const QImage image = picture(view);
    QVERIFY(hasColor(image, views::colors().crimson));
    // Each point is where its number is, and nothing is drawn between them.
    const QRect kept(static_cast<int>(view.placeOf(0.5)) - 2, 22, 4, 80);
    const QRect empty(static_cast<int>(view.placeOf(0.25)) + 3, 22, 20, 80);
    QVERIFY(hasColor(image.copy(kept), views::colors().dataLine));
    QVERIFY(!hasColor(image.copy(empty), views::colors().dataLine));
  }
};

BINADE_SUITE(BlockViews);
#include "tst_block_view.moc"
