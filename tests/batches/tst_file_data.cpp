// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/file_data.h"
#include "engine/files/safetensors.h"
#include "engine/graph/dtype_name.h"
#include "tests/files/arrays.h"
#include "tests/support/suite.h"

#include <ATen/core/jit_type.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/imag.h>
#include <ATen/ops/ones.h>

#include <limits>
#include <set>

using binade::Error;
using binade::ErrorCode;
using binade::graph::dtype_name;
using binade::graph::shape_name;
using binade::test::arrayFile;
using binade::test::fileOf;
using binade::test::ramp;
using binade::test::refusal;
using binade::test::says;
using binade::wire::ColumnConfig;
using binade::wire::DataConfig;
using namespace binade::files;
using namespace binade::batches;

namespace {

using Arguments = std::vector<c10::Argument>;

Arguments pictures() {
  return {c10::Argument("x", c10::TensorType::get())};
}

ColumnConfig from(std::vector<std::string> names) {
  ColumnConfig column;
  column.from.values = std::move(names);
  return column;
}

/// The six pictures and labels of plain.npz.
DataConfig npz() {
  DataConfig data;
  data.kind = "files";
  data.files = {arrayFile("plain.npz")};
  data.columns = {{"x", from({"images"})}};
  data.targets = {{"label", from({"labels"})}};
  return data;
}

FileData open(const DataConfig& data, std::int64_t batch = 2, std::uint64_t seed = 1) {
  return FileData(data, pictures(), batch, seed);
}

/// A safetensors file of these tensors.
std::string tensorFile(const std::vector<std::pair<std::string, at::Tensor>>& tensors) {
  const std::string file = binade::test::temporaryFolder().toStdString() + "/data.safetensors";
  write_safetensors(file, tensors);
  return file;
}

Error refused(const DataConfig& data, std::int64_t batch = 2) {
  return refusal([&] {
    FileData opened = open(data, batch);
    opened.check_finite();
  });
}

/// The rows of an epoch of plain.npz: the first element of picture i is 2i.
std::vector<int> epoch(FileData& data, std::int64_t batches) {
  std::vector<int> rows;
  for (std::int64_t i = 0; i < batches; ++i) {
    const at::Tensor x = data.next().inputs[0].toTensor();
    for (std::int64_t k = 0; k < x.size(0); ++k) rows.push_back(static_cast<int>(x[k][0][0].item<float>()) / 2);
  }
  return rows;
}

}  // namespace

class TestFileData : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void columnsAreMappedByName();
  void withoutColumnsEachArgumentTakesTheArrayOfItsName();
  void argumentsThatNothingGivesTakeTheirDefault();
  void columnsOfATableStandSideBySide();
  void severalFilesGiveTheirColumnsTogether();
  void everyKindOfFileGivesBatches_data();
  void everyKindOfFileGivesBatches();
  void dtypesAreConverted();
  void normalisationIsPerChannelOrForAll();
  void anExampleTakesTheShapeAskedFor();
  void anEmptyShapeIsASingleNumber();
  void whatWholeNumbersCannotHoldIsRefusedWithItsRow();
  void anEpochHasEveryRowOnce();
  void withoutShufflingRowsComeInOrder();
  void theHeldOutShareIsDrawnBySeedAndNeverTrainedOn();
  void theCursorIsAllThatABatchDependsOn();
  void labelsTellTheirRangeWithRows();
  void mistakesAreNamed_data();
  void mistakesAreNamed();
  void rowsThatDoNotMatchNameBothArrays();
  void nanIsNamedWithItsRow();
  void aColumnTooLargeToScanIsCheckedAsItIsTaken();
};

void TestFileData::columnsAreMappedByName() {
  FileData data = open(npz(), 6);
  const Batch batch = data.next();
  QCOMPARE(batch.examples, 6);
  QCOMPARE(QString::fromStdString(shape_name(batch.inputs[0].toTensor())), QStringLiteral("float32[6,2,2]"));
  const at::Tensor rows = batch.inputs[0].toTensor().select(1, 0).select(1, 0).div(2).to(at::kLong);
  QVERIFY(batch.target("label").equal(rows.remainder(3)));
  QVERIFY(batch.target().equal(batch.target("label")));
  const Error error = refusal([&] { static_cast<void>(batch.target("depth")); });
  QVERIFY2(says(error, QStringLiteral("\"depth\", which the data does not have")), error.what());
  QCOMPARE(QString::fromStdString(error.hint), QStringLiteral("The data has label."));
}

void TestFileData::withoutColumnsEachArgumentTakesTheArrayOfItsName() {
  DataConfig data = npz();
  data.columns.clear();
  const Arguments arguments{c10::Argument("images", c10::TensorType::get())};
  QVERIFY(FileData(data, arguments, 6, 1).next().inputs[0].toTensor().sum().equal(ramp({6, 2, 2}).sum()));
  const Error error = refused(data);
  QVERIFY2(says(error, QStringLiteral("data.columns.x.from (left out) is \"x\", which is in none of data.files")),
           error.what());
}

void TestFileData::argumentsThatNothingGivesTakeTheirDefault() {
  Arguments arguments = pictures();
  arguments.emplace_back("factor", c10::FloatType::get(), std::nullopt, c10::IValue(0.5));
  FileData data(npz(), arguments, 2, 1);
  QCOMPARE(data.next().inputs[1].toDouble(), 0.5);
  arguments.emplace_back("mask", c10::TensorType::get());
  const Error error = refusal([&] { FileData(npz(), arguments, 2, 1); });
  QVERIFY2(says(error, QStringLiteral("forward takes 'mask' (Tensor), but data.columns has no entry for it")),
           error.what());
}

void TestFileData::columnsOfATableStandSideBySide() {
  DataConfig data = npz();
  data.files = {arrayFile("table.csv")};
  data.columns = {{"x", from({"age", "height"})}};
  data.targets = {{"label", from({"label"})}};
  data.shuffle = false;
  const Batch batch = open(data, 10).next();
  const at::Tensor x = batch.inputs[0].toTensor();
  QCOMPARE(QString::fromStdString(shape_name(x)), QStringLiteral("float32[10,2]"));
  QCOMPARE(x[3][0].item<float>(), 23.0F);
  QCOMPARE(x[3][1].item<float>(), 1.6875F);
  QCOMPARE(QString::fromStdString(shape_name(batch.target())), QStringLiteral("int64[10]"));
}

void TestFileData::severalFilesGiveTheirColumnsTogether() {
  DataConfig data = npz();
  const std::string more = tensorFile({{"labels", at::arange(6).mul(10)}, {"extra", ramp({6})}});
  data.files.push_back(more);
  data.targets["label"] = from({"data.safetensors:labels"});
  QCOMPARE(open(data).targets()[0].labels->highest, 50);
  data.targets["label"] = from({"labels"});
  const Error error = refused(data);
  QVERIFY2(says(error, QStringLiteral("is in both plain.npz and data.safetensors")), error.what());
  QCOMPARE(QString::fromStdString(error.hint), QStringLiteral("Name one of them: \"plain.npz:labels\"."));
  // Of two files of one name in two folders none can be written.
  data.files = {tensorFile({{"images", ramp({6, 2, 2})}, {"labels", at::arange(6)}}), more};
  QVERIFY(data.files[0] != data.files[1]);
  const Error alike = refused(data);
  QVERIFY2(says(alike, QStringLiteral("is in both data.safetensors and data.safetensors")), alike.what());
  QVERIFY2(QString::fromStdString(alike.hint).contains(QStringLiteral("Rename one of them")), alike.hint.c_str());
}

void TestFileData::everyKindOfFileGivesBatches_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("array");
  QTest::addColumn<QString>("expected");
  QTest::newRow("npy") << "f8.npy"
                       << "f8"
                       << "float32[2,3]";
  QTest::newRow("npy of uint16") << "u2.npy"
                                 << "u2"
                                 << "int64[2,3]";
  QTest::newRow("npy in Fortran order") << "fortran.npy"
                                        << "fortran"
                                        << "float32[2,3,4]";
  QTest::newRow("npz") << "packed.npz"
                       << "images"
                       << "float32[2,2,2]";
  QTest::newRow("csv") << "table.csv"
                       << "height"
                       << "float32[2]";
  QTest::newRow("safetensors") << "python.safetensors"
                               << "bf16"
                               << "bfloat16[2,3]";
  QTest::newRow("float8") << "python.safetensors"
                          << "e4m3"
                          << "float8_e4m3fn[2,3]";
  QTest::newRow("bool") << "python.safetensors"
                        << "bool"
                        << "bool[2,3]";
  QTest::newRow("torch.save") << "everything.pt"
                              << "list.1.0"
                              << "float32[2]";
}

void TestFileData::everyKindOfFileGivesBatches() {
  QFETCH(const QString, file);
  QFETCH(const QString, array);
  QFETCH(const QString, expected);
  DataConfig data;
  data.kind = "files";
  data.files = {arrayFile(file.toStdString())};
  data.columns = {{"x", from({array.toStdString()})}};
  FileData opened = open(data);
  opened.check_finite();
  QCOMPARE(QString::fromStdString(shape_name(opened.next().inputs[0].toTensor())), expected);
}

void TestFileData::dtypesAreConverted() {
  for (const char* dtype : {"float32", "float64", "float16", "bfloat16", "int64", "int32", "int16", "int8", "uint8"}) {
    DataConfig data;
    data.kind = "files";
    data.files = {tensorFile({{"x", at::arange(12, at::kFloat).reshape({3, 4})}})};
    data.columns["x"] = from({"x"});
    data.columns["x"].dtype = dtype;
    data.shuffle = false;
    const at::Tensor x = open(data).next().inputs[0].toTensor();
    QCOMPARE(QString::fromStdString(dtype_name(x.scalar_type())), QString::fromLatin1(dtype));
    QVERIFY(x.to(at::kFloat).equal(at::arange(8, at::kFloat).reshape({2, 4})));
  }
}

void TestFileData::normalisationIsPerChannelOrForAll() {
  DataConfig data = npz();
  data.shuffle = false;
  data.columns["x"].mean.values = {1};
  data.columns["x"].deviation.values = {0.5};
  QVERIFY(open(data).next().inputs[0].toTensor().equal(ramp({2, 2, 2}).sub(1).mul(2)));
  data.columns["x"].mean.values = {1, 10};
  const at::Tensor x = open(data).next().inputs[0].toTensor();
  QVERIFY(x.select(1, 0).equal(ramp({2, 2, 2}).select(1, 0).sub(1).mul(2)));
  QVERIFY(x.select(1, 1).equal(ramp({2, 2, 2}).select(1, 1).sub(10).mul(2)));
  data.columns["x"].mean.values = {1, 2, 3};
  const Error error = refused(data);
  QVERIFY2(says(error, QStringLiteral("data.columns.x.mean has 3 numbers, but an example, [2,2], has 2 channels")),
           error.what());
}

void TestFileData::anExampleTakesTheShapeAskedFor() {
  DataConfig data = npz();
  data.columns["x"].shape = std::vector<std::int64_t>{1, 4};
  QCOMPARE(QString::fromStdString(shape_name(open(data).next().inputs[0].toTensor())),
           QStringLiteral("float32[2,1,4]"));
  data.columns["x"].shape = std::vector<std::int64_t>{5};
  const Error error = refused(data);
  QVERIFY2(says(error, QStringLiteral("data.columns.x.shape is [5], but an example of plain.npz, \"images\" is [2,2]")),
           error.what());
}

void TestFileData::anEmptyShapeIsASingleNumber() {
  DataConfig data = npz();
  data.files.push_back(tensorFile({{"column", at::arange(6, at::kLong).reshape({6, 1})}}));
  data.targets = {{"label", from({"column"})}};
  QCOMPARE(open(data).next().targets[0].second.dim(), 2);
  data.targets["label"].shape.emplace();
  QCOMPARE(open(data).next().targets[0].second.dim(), 1);
}

void TestFileData::whatWholeNumbersCannotHoldIsRefusedWithItsRow() {
  const auto why = [](const at::Tensor& values, const char* dtype) {
    DataConfig data = npz();
    data.files.push_back(tensorFile({{"y", values}}));
    data.targets = {{"label", from({"y"})}};
    data.targets["label"].dtype = dtype;
    return QString::fromStdString(refused(data).what());
  };
  at::Tensor values = at::arange(6, at::kFloat);
  values[4] = 0.5;
  QCOMPARE(why(values, "int64").section(QStringLiteral(") "), 1),
           QStringLiteral("holds 0.5 in row 4, which int64 cannot represent"));
  values[4] = 161.552F;  // not 161.552002
  QCOMPARE(why(values, "int64").section(QStringLiteral(") "), 1),
           QStringLiteral("holds 161.552 in row 4, which int64 cannot represent"));
  at::Tensor whole = at::arange(6, at::kLong);
  whole[4] = std::int64_t{1234567890123456789};
  QCOMPARE(why(whole, "int32").section(QStringLiteral(") "), 1),
           QStringLiteral("holds 1234567890123456789 in row 4, which int32 cannot represent"));
  values[4] = std::numeric_limits<float>::quiet_NaN();
  QCOMPARE(why(values, "int64").section(QStringLiteral(") "), 1),
           QStringLiteral("holds nan in row 4, which int64 cannot represent"));
  values[4] = 300;
  QCOMPARE(why(values, "uint8").section(QStringLiteral(") "), 1),
           QStringLiteral("holds 300 in row 4, which uint8 cannot represent"));
  QCOMPARE(why(values.to(at::kLong), "int8").section(QStringLiteral(") "), 1),
           QStringLiteral("holds 300 in row 4, which int8 cannot represent"));
}

void TestFileData::anEpochHasEveryRowOnce() {
  FileData data = open(npz());
  QCOMPARE(data.examples(), 6);
  QCOMPARE(data.test_batches(), 0);
  const std::vector<int> first = epoch(data, 3);
  const std::vector<int> second = epoch(data, 3);
  QCOMPARE(std::set<int>(first.begin(), first.end()).size(), std::size_t{6});
  QCOMPARE(std::set<int>(second.begin(), second.end()).size(), std::size_t{6});
  QVERIFY(first != second);
}

void TestFileData::withoutShufflingRowsComeInOrder() {
  DataConfig config = npz();
  config.shuffle = false;
  FileData data = open(config, 4);
  QCOMPARE(epoch(data, 2), (std::vector<int>{0, 1, 2, 3, 0, 1, 2, 3}));  // two rows do not fill a batch
}

void TestFileData::theHeldOutShareIsDrawnBySeedAndNeverTrainedOn() {
  DataConfig config = npz();
  config.test = 1.0 / 3;
  FileData data = open(config, 2, 5);
  QCOMPARE(data.examples(), 4);
  QCOMPARE(data.test_examples(), 2);
  QCOMPARE(data.test_batches(), 1);
  const at::Tensor held = data.test_batch(0).inputs[0].toTensor();
  std::set<int> all;
  for (const int row : epoch(data, 2)) all.insert(row);
  for (std::int64_t i = 0; i < 2; ++i) all.insert(static_cast<int>(held[i][0][0].item<float>()) / 2);
  QCOMPARE(all.size(), std::size_t{6});
  QVERIFY(open(config, 2, 5).test_batch(0).inputs[0].toTensor().equal(held));
  bool differs = false;
  for (std::uint64_t seed = 6; seed < 12; ++seed) {
    differs = differs || !open(config, 2, seed).test_batch(0).inputs[0].toTensor().equal(held);
  }
  QVERIFY(differs);
}

void TestFileData::theCursorIsAllThatABatchDependsOn() {
  FileData data = open(npz());
  std::vector<at::Tensor> seen;
  for (int i = 0; i < 7; ++i) seen.push_back(data.next().inputs[0].toTensor());
  QCOMPARE(data.cursor(), 7);
  for (const int i : {6, 0, 3}) {
    data.seek(i);
    QVERIFY(data.next().inputs[0].toTensor().equal(seen[static_cast<std::size_t>(i)]));
  }
  FileData other = open(npz(), 2, 2);
  bool differs = false;
  for (const at::Tensor& each : seen) differs = differs || !other.next().inputs[0].toTensor().equal(each);
  QVERIFY(differs);
}

void TestFileData::labelsTellTheirRangeWithRows() {
  DataConfig config = npz();
  config.files.push_back(fileOf("y,z\n3,0.5\n7,1\n-100,2\n-2,3\n7,4\n0,5\n", "labels.csv"));
  config.targets = {{"y", from({"y"})}, {"z", from({"z"})}};
  const FileData data = open(config);
  const auto range = labels(data, "y");
  QVERIFY(range.has_value());
  QCOMPARE(range->lowest, -2);  // -100 is what losses ignore
  QCOMPARE(range->lowest_row, 3);
  QCOMPARE(range->highest, 7);
  QCOMPARE(range->highest_row, 1);
  QVERIFY(!labels(data, "z").has_value());
}

void TestFileData::mistakesAreNamed_data() {
  QTest::addColumn<QString>("what");
  QTest::addColumn<QString>("why");
  QTest::newRow("unknown array") << "array"
                                 << "data.columns.x.from is \"image\", which is in none of data.files";
  QTest::newRow("unknown argument") << "argument"
                                    << "data.columns.y: forward has no argument with this name";
  QTest::newRow("nothing named") << "nothing"
                                 << "data.columns.x.from must name an array or column of data.files";
  QTest::newRow("unknown dtype") << "dtype"
                                 << "data.columns.x.dtype is \"float33\", which is unknown";
  QTest::newRow("no batch") << "no batch"
                            << "batch must be at least 1";
  QTest::newRow("unknown ending") << "ending"
                                  << "data files with the ending \".xls\" are not supported";
  QTest::newRow("a folder") << "folder"
                            << "is a folder, but data.files must name files";
  QTest::newRow("a file twice") << "twice"
                                << "plain.npz twice";
  QTest::newRow("missing file") << "missing"
                                << "does not exist";
  QTest::newRow("batch") << "batch"
                         << "batch is 7, but the data has only 6 rows";
  QTest::newRow("one number") << "number"
                              << "number.npy, \"number\" is a single number; it has no rows";
  QTest::newRow("concatenated") << "side"
                                << "plain.npz, \"images\" is float32[6,2,2], but plain.npz, \"weights\"";
  QTest::newRow("integers") << "integers"
                            << "data.columns.x.mean and .deviation are given, but the array contains uint8";
}

void TestFileData::mistakesAreNamed() {
  QFETCH(const QString, what);
  QFETCH(const QString, why);
  DataConfig data = npz();
  std::int64_t batch = 2;
  if (what == u"array") data.columns["x"] = from({"image"});
  if (what == u"nothing") data.columns["x"] = {};  // what a run description's own checks let nobody write
  if (what == u"dtype") data.columns["x"].dtype = "float33";
  if (what == u"no batch") batch = 0;
  if (what == u"argument") data.columns["y"] = from({"images"});
  if (what == u"ending") data.files = {"table.xls"};
  if (what == u"folder") data.files = {arrayFile("")};
  if (what == u"twice") data.files.push_back(data.files[0]);
  if (what == u"missing") data.files = {arrayFile("missing.npz")};
  if (what == u"batch") batch = 7;
  if (what == u"number") data.targets.clear();
  if (what == u"number") data.files = {arrayFile("number.npy")}, data.columns["x"] = from({"number"});
  if (what == u"side") data.columns["x"] = from({"images", "weights"});
  if (what == u"integers") {
    data.files = {arrayFile("u1.npy")};
    data.columns["x"] = from({"u1"});
    data.columns["x"].mean.values = {1};
    data.targets.clear();
  }
  const Error error = refused(data, batch);
  QVERIFY2(says(error, why), error.what());
  QVERIFY(!error.hint.empty());
  if (what == u"folder") {
    const QString hint = QString::fromStdString(error.hint);
    QVERIFY2(hint.startsWith(QStringLiteral("Name the files in this folder: b1.npy, bad_big_endian.npy, ")),
             qPrintable(hint));
  }
}

void TestFileData::rowsThatDoNotMatchNameBothArrays() {
  DataConfig data = npz();
  data.files.push_back(arrayFile("table.csv"));
  data.targets["label"] = from({"label"});
  const Error error = refused(data);
  QCOMPARE(error.code, ErrorCode::kBadData);
  QVERIFY2(says(error, QStringLiteral("data.columns.x (plain.npz, \"images\") has 6 rows, but data.targets.label "
                                      "(table.csv, \"label\") has 10")),
           error.what());
}

void TestFileData::nanIsNamedWithItsRow() {
  at::Tensor x = ramp({6, 2});
  x[4][1] = std::numeric_limits<float>::quiet_NaN();
  DataConfig data = npz();
  data.files.push_back(tensorFile({{"bad", x}, {"large", at::ones({6}).mul(1e6)}}));
  data.columns["x"] = from({"bad"});
  const Error error = refused(data);
  QCOMPARE(error.code, ErrorCode::kBadData);
  QVERIFY2(says(error, QStringLiteral("contains a value that is NaN or infinite in float32, first in row 4")),
           error.what());
  data.columns["x"] = from({"large"});
  data.columns["x"].dtype = "float16";
  QVERIFY(says(refused(data), QStringLiteral("NaN or infinite in float16, first in row 0")));
  at::Tensor waves = at::complex(ramp({6, 2}), ramp({6, 2}));
  data.files.back() = tensorFile({{"waves", waves}});
  data.columns["x"] = from({"waves"});
  QCOMPARE(refused(data).code, ErrorCode::kInternal);  // accepted
  at::imag(waves)[3][1] = std::numeric_limits<float>::infinity();
  data.files.back() = tensorFile({{"waves", waves}});
  const Error complex = refused(data);
  QVERIFY2(says(complex, QStringLiteral("NaN or infinite in complex64, first in row 3")), complex.what());
}

void TestFileData::aColumnTooLargeToScanIsCheckedAsItIsTaken() {
  at::Tensor x = ramp({6, 2});
  x[3][0] = std::numeric_limits<float>::infinity();
  DataConfig data = npz();
  data.files.push_back(tensorFile({{"bad", x}}));
  data.columns["x"] = from({"bad"});
  data.shuffle = false;
  FileData opened = open(data);  // without check_finite()
  opened.next();
  const Error error = refusal([&] { opened.next(); });
  QVERIFY2(says(error, QStringLiteral("first in row 3")), error.what());
  QCOMPARE(opened.cursor(), 1);
}

BINADE_SUITE(TestFileData);
#include "tst_file_data.moc"
