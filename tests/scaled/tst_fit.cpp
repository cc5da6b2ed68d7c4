// SPDX-License-Identifier: Apache-2.0
#include "engine/scaled/fit.h"
#include "tests/scaled/recorded.h"
#include "tests/support/suite.h"

using namespace binade;
using scaled::Misfit;

// Sizes that hardware refuses.
class Fit : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void sizesAreCheckedByFormat_data();
  void sizesAreCheckedByFormat();
  void emptyAndSingle();
  void sentencesNameSizeAndRemedy();
};

void Fit::sizesAreCheckedByFormat_data() {
  QTest::addColumn<QByteArray>("name");
  QTest::addColumn<int>("needed");
  QTest::newRow("mxfp8") << QByteArray("mxfp8") << 32;
  QTest::newRow("mxfp4") << QByteArray("mxfp4+even") << 32;
  QTest::newRow("nvfp4") << QByteArray("nvfp4+stochastic") << 16;
  QTest::newRow("nvfp4_16x16") << QByteArray("nvfp4_16x16") << 16;
  QTest::newRow("fp8_current") << QByteArray("fp8_current") << 16;
  QTest::newRow("fp8_block") << QByteArray("fp8_block") << 128;
}

void Fit::sizesAreCheckedByFormat() {
  QFETCH(QByteArray, name);
  QFETCH(int, needed);
  const scaled::ScaledFormat format = test::formatOf(name);
  QVERIFY(scaled::misfits(format, needed, 3 * needed).empty());
  const std::vector<Misfit> columns = scaled::misfits(format, needed, 2 * needed + 1);
  QCOMPARE(columns.size(), std::size_t{1});
  QVERIFY(columns[0] == (Misfit{Misfit::Kind::kColumns, 2 * needed + 1, needed, 3 * needed}));
  const std::vector<Misfit> both = scaled::misfits(format, 1, needed - 1);
  QCOMPARE(both.size(), std::size_t{2});
  QVERIFY(both[1] == (Misfit{Misfit::Kind::kRows, 1, needed, needed}));
}

void Fit::emptyAndSingle() {
  const scaled::ScaledFormat format = test::formatOf("mxfp8");
  QCOMPARE(scaled::misfits(format, 0, 32).at(0).kind, Misfit::Kind::kEmpty);
  QCOMPARE(scaled::misfits(format, 32, 0).at(0).kind, Misfit::Kind::kEmpty);
  QCOMPARE(scaled::misfits(format, 1, 1).at(0).kind, Misfit::Kind::kOneValue);
}

void Fit::sentencesNameSizeAndRemedy() {
  const auto sentenceOf = [](const char* name, std::int64_t rows, std::int64_t columns) {
    const scaled::ScaledFormat format = test::formatOf(name);
    return QByteArray::fromStdString(scaled::sentence(scaled::misfits(format, rows, columns).at(0), format));
  };
  QVERIFY(
      sentenceOf("mxfp8", 32, 100).contains("contracted dimension has the size 100, which is not a multiple of 32"));
  QVERIFY(sentenceOf("fp8_block", 100, 128).contains("other dimension has the size 100"));
  QVERIFY(sentenceOf("nvfp4", 16, 20).contains("pads it to 32 or keeps"));
  QVERIFY(sentenceOf("fp8_current", 16, 20).contains("torchao leaves such a layer in the high-precision format"));
  QVERIFY(sentenceOf("nvfp4", 0, 20).contains("no values"));
  QVERIFY(sentenceOf("nvfp4", 1, 1).contains("single value"));
}

BINADE_SUITE(Fit);
#include "tst_fit.moc"
