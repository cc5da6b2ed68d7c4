// SPDX-License-Identifier: Apache-2.0
#include "engine/files/atomic_file.h"
#include "engine/files/safetensors.h"
#include "engine/graph/dtype_name.h"
#include "tests/files/arrays.h"
#include "tests/support/full_disk.h"
#include "tests/support/suite.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <QDir>

#include <filesystem>

using binade::Error;
using binade::ErrorCode;
using binade::graph::dtype_name;
using binade::graph::shape_name;
using binade::test::arrayFile;
using binade::test::bytesOf;
using binade::test::fileOf;
using binade::test::FullDisk;
using binade::test::ramp;
using binade::test::refusal;
using binade::test::says;
using namespace binade::files;

namespace {

std::string ownFile(const std::string& name) {
  return binade::test::temporaryFolder().toStdString() + "/" + name;
}

bool sameBits(const at::Tensor& a, const at::Tensor& b) {
  return a.scalar_type() == b.scalar_type() && a.sizes() == b.sizes() &&
         a.contiguous().flatten().view(at::kByte).equal(b.contiguous().flatten().view(at::kByte));
}

/// A file with this header over `data` bytes.
std::string withHeader(const std::string& header, std::size_t data) {
  std::string bytes(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(header.size() >> (8 * i) & 0xFF);
  return bytes + header + std::string(data, 'x');
}

}  // namespace

class TestSafetensors : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aFileOfPythonReads();
  void everyDtypeComesBackToTheBit();
  void equalTensorsGiveEqualBytes();
  void viewsAndOtherLayoutsAreWrittenRowMajor();
  void whatHasNoPlaceInOneIsNamed();
  void damagedFilesAreNamedWithWhatIsWrong_data();
  void damagedFilesAreNamedWithWhatIsWrong();
  void writingToATensorLeavesTheFile();
  void aFullDiskLeavesTheOldFile();
  void aFolderThatIsNotThereIsNamed();
  void nothingRemainsOfAFileThatWasNotCommitted();
};

void TestSafetensors::aFileOfPythonReads() {
  const Safetensors file = read_safetensors(arrayFile("python.safetensors"));
  QCOMPARE(file.metadata.at("who"), std::string("Python"));
  QCOMPARE(file.metadata.at("umlaut"), std::string("\u00e4"));
  QCOMPARE(file.tensors.size(), std::size_t{11});
  const at::Tensor base = ramp({2, 3});
  QVERIFY(sameBits(file.tensors.at("f32"), base));
  QVERIFY(sameBits(file.tensors.at("f64"), base.to(at::kDouble)));
  QVERIFY(sameBits(file.tensors.at("f16"), base.to(at::kHalf)));
  QVERIFY(sameBits(file.tensors.at("bf16"), base.to(at::kBFloat16)));
  QVERIFY(sameBits(file.tensors.at("e4m3"), base.to(at::kFloat8_e4m3fn)));
  QVERIFY(sameBits(file.tensors.at("e5m2"), base.to(at::kFloat8_e5m2)));
  QVERIFY(sameBits(file.tensors.at("i64"), at::arange(6).reshape({2, 3})));
  QVERIFY(sameBits(file.tensors.at("i8"), at::arange(6, at::kChar).reshape({2, 3})));
  QVERIFY(file.tensors.at("bool").equal(at::arange(6).add(1).remainder(2).to(at::kBool).reshape({2, 3})));
  QCOMPARE(file.tensors.at("number").item<float>(), 2.5F);
  QCOMPARE(QString::fromStdString(shape_name(file.tensors.at("empty"))), QStringLiteral("float32[0,4]"));
}

void TestSafetensors::everyDtypeComesBackToTheBit() {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  for (const at::ScalarType dtype :
       {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kFloat8_e4m3fn, at::kFloat8_e5m2, at::kLong, at::kInt,
        at::kShort, at::kChar, at::kByte, at::kBool, at::kUInt16, at::kUInt32, at::kUInt64, at::kComplexFloat}) {
    tensors.emplace_back(dtype_name(dtype), ramp({3, 5}).to(dtype));
  }
  tensors.emplace_back("number", at::zeros({}));
  tensors.emplace_back("empty", at::zeros({0, 3}));
  const std::string file = ownFile("own.safetensors");
  write_safetensors(file, tensors, {{"step", "12"}, {"a \"quoted\" key", "\n"}});
  const Safetensors read = read_safetensors(file);
  QCOMPARE(read.tensors.size(), tensors.size());
  for (const auto& [name, tensor] : tensors) QVERIFY2(sameBits(read.tensors.at(name), tensor), name.c_str());
  QCOMPARE(read.metadata.at("step"), std::string("12"));
  QCOMPARE(read.metadata.at("a \"quoted\" key"), std::string("\n"));
}

void TestSafetensors::equalTensorsGiveEqualBytes() {
  const std::string one = ownFile("one.safetensors");
  const std::string two = ownFile("two.safetensors");
  write_safetensors(one, {{"a", ramp({3})}, {"b", ramp({2})}});
  write_safetensors(two, {{"b", ramp({2})}, {"a", ramp({3})}});
  QCOMPARE(bytesOf(one), bytesOf(two));
}

void TestSafetensors::viewsAndOtherLayoutsAreWrittenRowMajor() {
  const at::Tensor base = ramp({4, 6});
  const std::string file = ownFile("views.safetensors");
  write_safetensors(file, {{"t", base.t()}, {"part", base.slice(1, 1, 5, 2)}, {"expanded", base[1][1].expand({3})}});
  const Safetensors read = read_safetensors(file);
  QVERIFY(read.tensors.at("t").equal(base.t()));
  QVERIFY(read.tensors.at("part").equal(base.slice(1, 1, 5, 2)));
  QVERIFY(read.tensors.at("expanded").eq(3.5).all().item<bool>());
}

void TestSafetensors::whatHasNoPlaceInOneIsNamed() {
  const std::string file = ownFile("none.safetensors");
  const Error sparse = refusal([&] { write_safetensors(file, {{"s", ramp({2, 2}).to_sparse()}}); });
  QVERIFY2(says(sparse, QStringLiteral("The tensor \"s\"")), sparse.what());
  const Error twice = refusal([&] { write_safetensors(file, {{"a", ramp({2})}, {"a", ramp({3})}}); });
  QVERIFY2(says(twice, QStringLiteral("its name is already used")), twice.what());
  const Error wide = refusal([&] { write_safetensors(file, {{"c", ramp({2}).to(at::kComplexDouble)}}); });
  QVERIFY2(says(wide, QStringLiteral("there is no complex128 in the format")), wide.what());
  QVERIFY(!std::filesystem::exists(file));
}

void TestSafetensors::damagedFilesAreNamedWithWhatIsWrong_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("why");
  const auto row = [](const char* name, const std::string& bytes, const char* why) {
    QTest::newRow(name) << QByteArray::fromStdString(bytes) << QString::fromLatin1(why);
  };
  const std::string whole = bytesOf(arrayFile("python.safetensors"));
  row("empty", "", "it has 0 bytes");
  row("text", "hello, this is text", "is not a safetensors file: its header would need");
  row("header only", whole.substr(0, 100), "is truncated: its header needs");
  row("data cut", whole.substr(0, whole.size() - 3), "is truncated: the tensor");
  row("more data", whole + "x", "1 bytes at its end belong to no tensor");
  row("no object", withHeader("[1]", 0), "its header is not a JSON object");
  row("no JSON", withHeader("{\"a\"", 0), "its header is not JSON");
  const auto tensor = [&](const char* name, const char* text, const char* why, std::size_t data = 8) {
    row(name, withHeader(std::string("{\"a\":") + text + "}", data), why);
  };
  tensor("no entry", "3", "the tensor \"a\" is not described by an object");
  tensor("no dtype", R"({"shape":[2],"data_offsets":[0,8]})", "the tensor \"a\" has no dtype");
  tensor("unknown dtype", R"({"dtype":"F4","shape":[2],"data_offsets":[0,8]})",
         "has the dtype F4, which is not supported");
  tensor("negative size", R"({"dtype":"F32","shape":[-2],"data_offsets":[0,8]})", "that is not a size: -2");
  tensor("another size", R"({"dtype":"F32","shape":[3],"data_offsets":[0,8]})", "needs 8 bytes, which does not match");
  tensor("overflow", R"({"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]})", "needs 8 bytes, which");
  tensor("backwards", R"({"dtype":"F32","shape":[2],"data_offsets":[8,0]})", "has no valid pair of data_offsets");
  tensor("a hole", R"({"dtype":"F32","shape":[1],"data_offsets":[4,8]})", "are not contiguous at byte 0");
  row("overlap",
      withHeader(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                 8),
      "are not contiguous at byte 8");
  row("twice",
      withHeader(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                 R"("a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                 8),
      "names \"a\" twice");
  row("metadata", withHeader(R"({"__metadata__":{"a":1}})", 0), "its metadata \"a\" is not a string");
}

void TestSafetensors::damagedFilesAreNamedWithWhatIsWrong() {
  QFETCH(const QByteArray, bytes);
  QFETCH(const QString, why);
  const std::string file = fileOf(bytes.toStdString(), "bad.safetensors");
  const Error error = refusal([&] { read_safetensors(file); });
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, why), error.what());
  QVERIFY2(QString::fromUtf8(error.what()).startsWith(QString::fromStdString(file)), error.what());
}

void TestSafetensors::writingToATensorLeavesTheFile() {
  const std::string file = ownFile("kept.safetensors");
  write_safetensors(file, {{"a", ramp({4})}});
  const std::string before = bytesOf(file);
  read_safetensors(file).tensors.at("a").fill_(9);
  QCOMPARE(bytesOf(file), before);
}

void TestSafetensors::aFullDiskLeavesTheOldFile() {
  const std::string file = ownFile("old.safetensors");
  write_safetensors(file, {{"a", ramp({4})}});
  const std::string before = bytesOf(file);
  Error error(ErrorCode::kInternal, "");
  {
    const FullDisk full(100'000);
    error = refusal([&] { write_safetensors(file, {{"a", at::zeros({100'000})}}); });
  }
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, QStringLiteral("cannot be written: File too large")), error.what());
  QVERIFY(QString::fromStdString(error.hint).contains(QStringLiteral("Free some space")));
  QCOMPARE(bytesOf(file), before);
  const QDir folder(QString::fromStdString(std::filesystem::path(file).parent_path().string()));
  QVERIFY(folder.entryList({QStringLiteral("*.part")}, QDir::Files).isEmpty());
}

void TestSafetensors::aFolderThatIsNotThereIsNamed() {
  const std::string file = ownFile("nowhere/at/all.safetensors");
  const Error error = refusal([&] { write_safetensors(file, {{"a", ramp({4})}}); });
  QVERIFY2(says(error, QString::fromStdString(file) + QStringLiteral(" cannot be written: No such file")),
           error.what());
}

void TestSafetensors::nothingRemainsOfAFileThatWasNotCommitted() {
  const std::string file = ownFile("never");
  {
    AtomicFile out(file);
    out.write("abc", 3);
    QVERIFY(std::filesystem::exists(out.temporary()));
  }
  QVERIFY(!std::filesystem::exists(file));
  const QDir folder(QString::fromStdString(std::filesystem::path(file).parent_path().string()));
  QVERIFY(folder.entryList({QStringLiteral("never*")}, QDir::Files).isEmpty());
}

BINADE_SUITE(TestSafetensors);
#include "tst_safetensors.moc"
