// SPDX-License-Identifier: Apache-2.0
#include "engine/files/npy.h"
#include "engine/files/npz.h"
#include "engine/files/zip_file.h"
#include "engine/graph/dtype_name.h"
#include "tests/files/arrays.h"
#include "tests/support/suite.h"

#include <sys/stat.h>

#include <ATen/ops/arange.h>

#include <filesystem>
#include <fstream>

using binade::Error;
using binade::ErrorCode;
using binade::graph::shape_name;
using binade::test::arrayFile;
using binade::test::bytesOf;
using binade::test::fileOf;
using binade::test::ramp;
using binade::test::refusal;
using binade::test::says;
using namespace binade::files;

namespace {

at::Tensor readFile(const std::string& file) {
  const auto arrays = open_npy(file);
  const at::Tensor array = arrays->read(arrays->names()).at(arrays->names().front()).tensor;
  const bool small = array.dim() > 0 && array.numel() < 1000;
  return small ? take_rows(array, at::arange(array.size(0))) : array;
}

at::Tensor readArray(const std::string& file, const std::string& name) {
  return binade::test::all_rows(open_npz(file)->read({name}).at(name));
}

/// An .npy file of version 1 with this header.
std::string npy(const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + data;
}

}  // namespace

class TestNumpy : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyDtypeReads_data();
  void everyDtypeReads();
  void fortranOrderGivesTheSameArray();
  void laterVersionsAndOddShapesRead();
  void aFileOfOneArrayIsCalledAsTheFile();
  void plainAndPackedArchivesReadAlike();
  void whatIsNoTensorIsNamed_data();
  void whatIsNoTensorIsNamed();
  void damagedFilesAreNamedWithWhatIsWrong_data();
  void damagedFilesAreNamedWithWhatIsWrong();
  void aFileLargerThanMemoryIsMapped();
  void writingToAnArrayLeavesTheFile();
  void aZipBombIsRefusedBeforeItIsUnpacked();
  void aSizeThatLiesIsFound();
  void damagedArchivesAreNamed();
};

void TestNumpy::everyDtypeReads_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<int>("dtype");
  const auto row = [](const char* name, at::ScalarType dtype) {
    QTest::newRow(name) << QString::fromLatin1(name) << static_cast<int>(dtype);
  };
  row("f2", at::kHalf);
  row("f4", at::kFloat);
  row("f8", at::kDouble);
  row("i1", at::kChar);
  row("i2", at::kShort);
  row("i4", at::kInt);
  row("i8", at::kLong);
  row("u1", at::kByte);
  row("u2", at::kUInt16);
  row("u4", at::kUInt32);
  row("u8", at::kUInt64);
  row("c8", at::kComplexFloat);
}

void TestNumpy::everyDtypeReads() {
  QFETCH(const QString, file);
  QFETCH(const int, dtype);
  const at::Tensor read = readFile(arrayFile(file.toStdString() + ".npy"));
  QCOMPARE(static_cast<int>(read.scalar_type()), dtype);
  const auto wide = read.is_complex() ? at::kComplexDouble : at::kDouble;
  QVERIFY(read.to(wide).equal(ramp({2, 3}, static_cast<at::ScalarType>(dtype)).to(wide)));
}

void TestNumpy::fortranOrderGivesTheSameArray() {
  const at::Tensor read = readFile(arrayFile("fortran.npy"));
  QVERIFY(read.equal(ramp({2, 3, 4})));
}

void TestNumpy::laterVersionsAndOddShapesRead() {
  QVERIFY(readFile(arrayFile("version2.npy")).equal(ramp({2, 3})));
  QVERIFY(readFile(arrayFile("version3.npy")).equal(ramp({2, 3})));
  QCOMPARE(readFile(arrayFile("number.npy")).item<float>(), 2.5F);
  QCOMPARE(QString::fromStdString(shape_name(readFile(arrayFile("empty.npy")))), QStringLiteral("float32[0,4]"));
  const at::Tensor truths = readFile(arrayFile("b1.npy"));
  QCOMPARE(truths.scalar_type(), at::kBool);
  QVERIFY(truths.to(at::kLong).flatten().equal(at::arange(6).add(1).remainder(2)));
}

void TestNumpy::aFileOfOneArrayIsCalledAsTheFile() {
  QCOMPARE(open_npy(arrayFile("f4.npy"))->names(), std::vector<std::string>{"f4"});
}

void TestNumpy::plainAndPackedArchivesReadAlike() {
  const auto plain = open_npz(arrayFile("plain.npz"));
  QCOMPARE(plain->names(), (std::vector<std::string>{"images", "labels", "weights"}));
  for (const char* file : {"plain.npz", "packed.npz"}) {
    QVERIFY(readArray(arrayFile(file), "images").equal(ramp({6, 2, 2})));
    QVERIFY(readArray(arrayFile(file), "labels").equal(at::arange(6).remainder(3)));
  }
}

void TestNumpy::whatIsNoTensorIsNamed_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("why");
  QTest::newRow("big-endian") << "bad_big_endian.npy"
                              << "is big-endian (>f4)";
  QTest::newRow("structured") << "bad_structured.npy"
                              << "contains a structured array";
  QTest::newRow("text") << "bad_text.npy"
                        << "has elements of NumPy type <U3";
  QTest::newRow("objects") << "bad_objects.npy"
                           << "contains Python objects";
  QTest::newRow("dates") << "bad_dates.npy"
                         << "has elements of NumPy type <M8[D]";
}

void TestNumpy::whatIsNoTensorIsNamed() {
  QFETCH(const QString, file);
  QFETCH(const QString, why);
  const std::string path = arrayFile(file.toStdString());
  const Error error = refusal([&] { readFile(path); });
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, QString::fromStdString(path) + u' ' + why), error.what());
  QVERIFY(!error.hint.empty());
}

void TestNumpy::damagedFilesAreNamedWithWhatIsWrong_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("why");
  const auto row = [](const char* name, const std::string& bytes, const char* why) {
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(why);
  };
  const std::string whole = bytesOf(arrayFile("f4.npy"));
  row("text", "1,2,3\n", "is not a NumPy array");
  row("magic only", whole.substr(0, 8), "is truncated in its header");
  row("half a header", whole.substr(0, 60), "is truncated in its header");
  row("short data", whole.substr(0, whole.size() - 1), "is truncated: its shape needs 24 bytes, but only 23");
  row("long data", whole + "x", "is longer than its header states");
  row("no shape", npy("{'descr': '<f4', 'fortran_order': False}", ""), "its header cannot be read");
  row("twice", npy("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': ()}", ""), "its header cannot");
  row("code", npy("{'descr': __import__('os'), 'fortran_order': False, 'shape': ()}", ""), "its header cannot be read");
  row("negative", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", ""), "its header cannot be read");
  row("impossible", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", ""),
      "needs too many bytes");
  row("a lie", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000,)}", "abcd"), "is truncated");
  row("empty", "", "is empty: ");
  row("version 9", "\x93NUMPY\x09" + whole.substr(7), "is of .npy version 9");
}

void TestNumpy::damagedFilesAreNamedWithWhatIsWrong() {
  QFETCH(const QByteArray, bytes);
  QFETCH(const QString, why);
  const std::string file = fileOf(bytes.toStdString(), "bad.npy");
  const Error error = refusal([&] { readFile(file); });
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, why), error.what());
  QVERIFY2(QString::fromUtf8(error.what()).startsWith(QString::fromStdString(file)), error.what());
}

void TestNumpy::aFileLargerThanMemoryIsMapped() {
  // 1 TiB on paper: a file with a hole. The last row is written.
  const std::int64_t rows = std::int64_t{1} << 28;
  const std::string head = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) +
                                   ", 1024)}                                        \n",
                               "");
  const std::string file = fileOf(head, "big.npy");
  std::error_code failed;
  std::filesystem::resize_file(file, head.size() + static_cast<std::uintmax_t>(rows) * 4096, failed);
  if (failed) QSKIP("the file system has no files with holes of this size");
  {
    std::fstream end(file, std::ios::binary | std::ios::in | std::ios::out);
    end.seekp(-4, std::ios::end);
    const float last = 7;
    end.write(reinterpret_cast<const char*>(&last), sizeof last);
  }
  const at::Tensor read = readFile(file);
  QCOMPARE(read.size(0), rows);
  const at::Tensor picked = take_rows(read, at::arange(rows - 2, rows));
  QCOMPARE(picked[1][1023].item<float>(), 7.0F);
  QCOMPARE(picked.sum().item<float>(), 7.0F);
  std::filesystem::remove(file);
}

void TestNumpy::writingToAnArrayLeavesTheFile() {
  const std::string file = fileOf(bytesOf(arrayFile("f4.npy")), "own.npy");
  at::Tensor read = open_npy(file)->read({"own"}).at("own").tensor;
  read.mul_(-3);
  QCOMPARE(read[0][2].item<float>(), -3.0F);
  QVERIFY(readFile(file).equal(ramp({2, 3})));
}

void TestNumpy::aZipBombIsRefusedBeforeItIsUnpacked() {
  std::string bytes = bytesOf(arrayFile("packed.npz"));
  // The unpacked size of the first entry in the directory: 24 bytes behind the first directory entry's signature.
  const std::size_t entry = bytes.find(std::string("PK\x01\x02", 4));
  QVERIFY(entry != std::string::npos);
  for (std::size_t i = 0; i < 3; ++i) bytes[entry + 24 + i] = '\xFE';
  bytes[entry + 27] = '\x7F';
  const std::string two_gigabytes = fileOf(bytes, "bomb.npz");
  QVERIFY2(says(refusal([&] { readArray(two_gigabytes, "images"); }), QStringLiteral("cannot unpack to 2147417854")),
           "lie");

  // The same with a ZIP64 part that says 2^60.
  const std::size_t name = bytes[entry + 28];
  std::string extra("\x01\x00\x08\x00", 4);
  extra += std::string("\x00\x00\x00\x00\x00\x00\x00\x10", 8);
  for (std::size_t i = 0; i < 4; ++i) bytes[entry + 24 + i] = '\xFF';
  bytes[entry + 30] = static_cast<char>(extra.size());
  bytes.insert(entry + 46 + name, extra);
  const std::size_t end = bytes.rfind(std::string("PK\x05\x06", 4));
  bytes[end + 12] = static_cast<char>(bytes[end + 12] + static_cast<char>(extra.size()));
  const std::string bomb = fileOf(bytes, "bomb.npz");
  const Error error = refusal([&] { readArray(bomb, "images"); });
  QVERIFY2(says(error, QStringLiteral("cannot unpack to 1152921504606846976")), error.what());
}

void TestNumpy::aSizeThatLiesIsFound() {
  std::string bytes = bytesOf(arrayFile("packed.npz"));
  const std::size_t entry = bytes.find(std::string("PK\x01\x02", 4));
  bytes[entry + 24] = static_cast<char>(bytes[entry + 24] - 1);  // one byte less than there is
  const std::string file = fileOf(bytes, "short.npz");
  QVERIFY(says(refusal([&] { readArray(file, "images"); }), QStringLiteral("is damaged in images.npy")));
  bytes = bytesOf(arrayFile("packed.npz"));
  bytes[entry + 16] = static_cast<char>(bytes[entry + 16] ^ 1);
  const std::string sum = fileOf(bytes, "sum.npz");
  QVERIFY(says(refusal([&] { readArray(sum, "images"); }), QStringLiteral("does not match its checksum")));
}

void TestNumpy::damagedArchivesAreNamed() {
  const std::string whole = bytesOf(arrayFile("plain.npz"));
  const std::string cut = fileOf(whole.substr(0, whole.size() / 2), "cut.npz");
  QVERIFY(says(refusal([&] { open_npz(cut); }), QStringLiteral("it has no directory at its end")));
  std::string other = whole;  // one bit of the array's last value
  const std::size_t next = other.find(std::string("PK\x03\x04", 4), 4);
  other[next - 2] = static_cast<char>(other[next - 2] ^ 1);
  const std::string flipped = fileOf(other, "flipped.npz");
  QVERIFY(says(refusal([&] { readArray(flipped, "images"); }), QStringLiteral("does not match its checksum")));
  QVERIFY(readArray(flipped, "labels").defined());
  const std::string text = fileOf("hello", "text.npz");
  QVERIFY(says(refusal([&] { open_npz(text); }), QStringLiteral("is not a ZIP archive")));
  const std::string missing = arrayFile("missing.npz");
  QVERIFY(says(refusal([&] { open_npz(missing); }), QStringLiteral("does not exist")));
  QVERIFY(says(refusal([&] { open_npz(arrayFile("")); }), QStringLiteral("is a folder, not a file")));
}

BINADE_SUITE(TestNumpy);
#include "tst_numpy.moc"
