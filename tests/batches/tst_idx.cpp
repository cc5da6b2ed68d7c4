// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/idx_data.h"
#include "engine/files/idx_file.h"
#include "engine/formats/error.h"
#include "engine/graph/dtype_name.h"
#include "tests/files/idx_files.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

using binade::Error;
using binade::ErrorCode;
using binade::batches::IdxData;
using binade::files::read_idx;
using binade::graph::shape_name;
using binade::test::folder;
using binade::test::idxBytes;
using binade::test::writeDataSet;
using binade::test::writeFile;

namespace {

binade::wire::DataConfig config(const std::string& folder) {
  binade::wire::DataConfig data;
  data.kind = "idx";
  data.folder = folder;
  return data;
}

std::string bigEndian(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(bits >> shift & 0xFF);
  return bytes;
}

/// What a data set of this folder is refused with.
Error refusal(const std::string& folder, std::int64_t batch = 4) {
  try {
    IdxData data(config(folder), batch, 1);
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::kInternal, "accepted");
}

}  // namespace

class TestIdx : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void plainAndGzipFilesReadAlike();
  void float32FilesAreRead();
  void damagedFilesAreNamedWithWhatIsWrong_data();
  void damagedFilesAreNamedWithWhatIsWrong();
  void damagedGzipIsNamed();
  void aMissingDataSetNamesItsFiles();
  void picturesAndLabelsMustFitEachOther();
  void nanInThePicturesIsFound();
  void aBatchLargerThanTheSetIsRefused();
  void eachEpochHasEveryExampleOnceInAnOrderOfItsOwn();
  void theCursorIsAllThatABatchDependsOn();
  void pixelsAreScaledAndNormalised();
  void theTestHalfComesWhole();
  void labelsOfBothHalvesTellTheirRange();
  void fashionMnistReads();
};

void TestIdx::plainAndGzipFilesReadAlike() {
  const std::string bytes = idxBytes(8, {2, 3}, "abcdef");
  const std::string plain = folder() + "/plain";
  const std::string packed = folder() + "/packed.gz";
  writeFile(plain, bytes);
  writeFile(packed, bytes);
  const at::Tensor read = read_idx(plain);
  QCOMPARE(QString::fromStdString(shape_name(read)), QStringLiteral("uint8[2,3]"));
  QCOMPARE(read[1][2].item<int>(), static_cast<int>('f'));
  QVERIFY(read.equal(read_idx(packed)));
}

void TestIdx::float32FilesAreRead() {
  const std::string file = folder() + "/floats";
  writeFile(file, idxBytes(13, {3}, bigEndian(1.5F) + bigEndian(-0.25F) + bigEndian(1e30F)));
  const at::Tensor read = read_idx(file);
  QCOMPARE(QString::fromStdString(shape_name(read)), QStringLiteral("float32[3]"));
  QCOMPARE(read[0].item<float>(), 1.5F);
  QCOMPARE(read[1].item<float>(), -0.25F);
  QCOMPARE(read[2].item<float>(), 1e30F);
}

void TestIdx::damagedFilesAreNamedWithWhatIsWrong_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("why");
  const auto row = [](const char* name, const std::string& bytes, const char* why) {
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(why);
  };
  row("empty", "", "is truncated: its magic number takes 4 bytes, but only 0 are available");
  row("text", "hello, this is not an IDX file", "is not an IDX file");
  row("int32 elements", idxBytes(12, {1}, "abcd"), "IDX type 12");
  row("no dimension", idxBytes(8, {}, ""), "has 0 dimensions");
  row("too many dimensions", idxBytes(8, {1, 1, 1, 1, 1}, "a"), "has 5 dimensions");
  row("short header", idxBytes(8, {2, 3}, "").substr(0, 9), "its header takes 8 bytes, but only 5 are available");
  row("short data", idxBytes(8, {2, 3}, "abcde"), "is truncated");
  row("long data", idxBytes(8, {2, 3}, "abcdefg"), "is longer than its header states");
  row("impossible size", idxBytes(8, {4000000000U, 4000000000U, 4000000000U}, ""), "states an impossible size");
  row("a lie", idxBytes(8, {60000, 1000, 1000}, "abc"), "is truncated");
}

void TestIdx::damagedFilesAreNamedWithWhatIsWrong() {
  QFETCH(const QByteArray, bytes);
  QFETCH(const QString, why);
  const std::string file = folder() + "/bad";
  writeFile(file, bytes.toStdString());
  try {
    read_idx(file);
    QFAIL("accepted");
  } catch (const Error& error) {
    const QString message = QString::fromUtf8(error.what());
    QVERIFY2(message.startsWith(QString::fromStdString(file)), error.what());
    QVERIFY2(message.contains(why), error.what());
    QCOMPARE(error.code, ErrorCode::kBadData);
    QVERIFY(!error.hint.empty());
  }
}

void TestIdx::damagedGzipIsNamed() {
  const std::string file = folder() + "/bad.gz";
  std::string noise;
  for (int i = 0; i < 4000; ++i) noise += static_cast<char>(i * i % 251);
  writeFile(file, idxBytes(8, {4000}, noise));
  QFile packed(QString::fromStdString(file));
  QVERIFY(packed.open(QIODevice::ReadWrite));
  QVERIFY(packed.resize(packed.size() / 2));
  packed.close();
  QVERIFY_THROWS_EXCEPTION(Error, read_idx(file));
}

void TestIdx::aMissingDataSetNamesItsFiles() {
  const Error error = refusal(folder());
  QCOMPARE(error.code, ErrorCode::kBadData);
  QVERIFY2(QString::fromUtf8(error.what()).contains(QStringLiteral("train-images-idx3-ubyte")), error.what());
  const auto hint = QString::fromStdString(error.hint);
  QVERIFY2(hint.contains(QStringLiteral("t10k-labels-idx1-ubyte")), error.hint.c_str());
  QVERIFY2(!hint.contains(QStringLiteral("dataset-fashion-mnist")), error.hint.c_str());
}

void TestIdx::picturesAndLabelsMustFitEachOther() {
  const std::string where = folder();
  writeDataSet(where, 8, 4, 2);
  writeFile(where + "/train-labels-idx1-ubyte", idxBytes(8, {7}, "1234567"));
  QVERIFY(QString::fromUtf8(refusal(where).what()).contains(QStringLiteral("holds 7 labels for 8 pictures")));
  writeFile(where + "/train-images-idx3-ubyte", idxBytes(8, {8}, "12345678"));
  QVERIFY(QString::fromUtf8(refusal(where).what()).contains(QStringLiteral("does not contain pictures")));
}

void TestIdx::nanInThePicturesIsFound() {
  const std::string where = folder();
  writeDataSet(where, 8, 4, 2);
  std::string pixels;
  for (int i = 0; i < 8; ++i) pixels += bigEndian(i == 5 ? std::numeric_limits<float>::quiet_NaN() : 0.5F);
  writeFile(where + "/train-images-idx3-ubyte", idxBytes(13, {8, 1, 1}, pixels));
  const Error error = refusal(where);
  QCOMPARE(error.code, ErrorCode::kBadData);
  QVERIFY2(QString::fromUtf8(error.what()).contains(QStringLiteral("not finite, first in picture 5")), error.what());
}

void TestIdx::aBatchLargerThanTheSetIsRefused() {
  const std::string where = folder();
  writeDataSet(where, 8, 4, 2);
  const Error error = refusal(where, 9);
  QCOMPARE(error.code, ErrorCode::kBadRun);
  QVERIFY(QString::fromUtf8(error.what()).contains(QStringLiteral("batch is 9")));
}

void TestIdx::eachEpochHasEveryExampleOnceInAnOrderOfItsOwn() {
  const std::string where = folder();
  writeDataSet(where, 12, 4, 3, ".gz");
  IdxData data(config(where), 4, 1);
  QCOMPARE(binade::batches::labels(data)->highest, 2);
  std::vector<std::vector<int>> epochs;
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::vector<int> order;
    for (int i = 0; i < 3; ++i) {
      const auto batch = data.next();
      const at::Tensor pictures = batch.inputs[0].toTensor();
      QCOMPARE(QString::fromStdString(shape_name(pictures)), QStringLiteral("float32[4,1,4,4]"));
      for (std::int64_t k = 0; k < 4; ++k) {
        const auto picture = static_cast<int>(std::lround(pictures[k].max().item<float>() * 255));
        QCOMPARE(batch.target()[k].item<std::int64_t>(), picture % 3);
        order.push_back(picture);
      }
    }
    QCOMPARE(std::set<int>(order.begin(), order.end()).size(), 12u);
    epochs.push_back(order);
  }
  QVERIFY(epochs[0] != epochs[1]);
}

void TestIdx::theCursorIsAllThatABatchDependsOn() {
  const std::string where = folder();
  writeDataSet(where, 12, 4, 3);
  IdxData data(config(where), 4, 1);
  std::vector<at::Tensor> seen;
  for (int i = 0; i < 7; ++i) seen.push_back(data.next().target());
  QCOMPARE(data.cursor(), 7);
  for (const int i : {5, 0, 6, 2}) {
    data.seek(i);
    QVERIFY(data.next().target().equal(seen[static_cast<std::size_t>(i)]));
  }
  IdxData same(config(where), 4, 1);
  IdxData other(config(where), 4, 2);
  bool differs = false;
  for (int i = 0; i < 7; ++i) {
    QVERIFY(same.next().target().equal(seen[static_cast<std::size_t>(i)]));
    differs = differs || !other.next().target().equal(seen[static_cast<std::size_t>(i)]);
  }
  QVERIFY(differs);
}

void TestIdx::pixelsAreScaledAndNormalised() {
  const std::string where = folder();
  writeDataSet(where, 4, 256, 2);
  auto data = config(where);
  data.mean = 0.5;
  data.deviation = 0.25;
  const at::Tensor pictures = IdxData(data, 4, 1).test_batch(0).inputs[0].toTensor();
  QCOMPARE(pictures[0].max().item<float>(), -2.0F);
  QCOMPARE(pictures[255].max().item<float>(), 2.0F);
}

void TestIdx::theTestHalfComesWhole() {
  const std::string where = folder();
  writeDataSet(where, 4, 1203, 2);
  const IdxData data(config(where), 4, 1);
  std::int64_t examples = 0;
  for (std::int64_t i = 0; i < data.test_batches(); ++i) examples += data.test_batch(i).examples;
  QCOMPARE(examples, 1203);
}

void TestIdx::labelsOfBothHalvesTellTheirRange() {
  const std::string where = folder();
  writeDataSet(where, 10, 6, 4);
  const auto write = [&](const std::string& prefix, const std::string& labels) {
    const auto n = static_cast<std::uint32_t>(labels.size());
    writeFile(where + "/" + prefix + "-labels-idx1-ubyte", idxBytes(8, {n}, labels));
  };
  const auto range = [&] { return binade::batches::labels(IdxData(config(where), 4, 1)); };
  write("train", {3, 5, 2, 5, 2, 4, 3, 4, 3, 4});
  write("t10k", {3, 2, 5, 9, 9, 3});
  QVERIFY(
      (*range() == binade::files::LabelRange{2, 2, 9, 13}));  // the first row with each, those of the test half last
  write("t10k", {3, 2, 5, 1, 1, 3});
  QVERIFY((*range() == binade::files::LabelRange{1, 13, 5, 1}));
}

void TestIdx::fashionMnistReads() {
  const std::string where = "/usr/share/datasets/fashion-mnist";
  if (!QDir(QString::fromStdString(where)).exists()) QSKIP("dataset-fashion-mnist is not installed");
  const IdxData data(config(where), 64, 1);
  QCOMPARE(binade::batches::labels(data)->highest, 9);
  QCOMPARE(data.test_batches(), 20);
  const auto batch = data.test_batch(0);
  QCOMPARE(batch.target()[0].item<std::int64_t>(), 9);  // an ankle boot
  QCOMPARE(QString::fromStdString(shape_name(batch.inputs[0].toTensor())), QStringLiteral("float32[500,1,28,28]"));
}

BINADE_SUITE(TestIdx);
#include "tst_idx.moc"
