// SPDX-License-Identifier: Apache-2.0
#include "engine/files/torch_file.h"
#include "engine/graph/dtype_name.h"
#include "tests/files/arrays.h"
#include "tests/support/suite.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/complex.h>

using binade::Error;
using binade::ErrorCode;
using binade::files::read_torch_file;
using binade::graph::shape_name;
using binade::test::arrayFile;
using binade::test::bytesOf;
using binade::test::fileOf;
using binade::test::ramp;
using binade::test::refusal;
using binade::test::says;

namespace {

std::map<std::string, at::Tensor> read(const std::string& name) {
  std::map<std::string, at::Tensor> all;
  for (auto& [path, tensor] : read_torch_file(arrayFile(name))) all.emplace(path, tensor);
  return all;
}

}  // namespace

class TestTorchFile : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void tensorsOfEveryKindRead();
  void aLoneTensorIsCalledAsTheFile();
  void everyPickleProtocolReads_data();
  void everyPickleProtocolReads();
  void aStateDictReadsWithItsMetadata();
  void checkpointsReadWithPaths();
  void codeIsRefusedByName_data();
  void codeIsRefusedByName();
  void aSparseTensorIsSaidToBeOne();
  void otherFilesAreSaidToBeWhatTheyAre();
  void truncatedFilesAreNamed();
  void aFlippedBitIsNamed();
  void aFileWithoutChecksumsIsTakenAsItIs();
};

void TestTorchFile::tensorsOfEveryKindRead() {
  const auto all = read("everything.pt");
  const at::Tensor base = ramp({4, 6});
  QVERIFY(all.at("whole").equal(base));
  QVERIFY(all.at("view").equal(base.slice(0, 1, 3).slice(1, 0, 6, 2)));
  QVERIFY(all.at("transposed").equal(base.t()));
  QCOMPARE(QString::fromStdString(shape_name(all.at("expanded"))), QStringLiteral("float32[3,4]"));
  QVERIFY(all.at("expanded").eq(2.5).all().item<bool>());
  QVERIFY(all.at("bf16").equal(base.to(at::kBFloat16)));
  QVERIFY(all.at("f16").equal(base.to(at::kHalf)));
  QCOMPARE(all.at("e4m3").scalar_type(), at::kFloat8_e4m3fn);
  QVERIFY(all.at("e4m3").to(at::kFloat).equal(base.to(at::kFloat8_e4m3fn).to(at::kFloat)));
  QVERIFY(all.at("bool").equal(base.gt(3)));
  QVERIFY(all.at("complex").equal(at::complex(base, base.neg())));
  QVERIFY(all.at("parameter").equal(base[0]));
  QVERIFY(all.at("list.0").equal(base[0]));
  QVERIFY(all.at("list.1.0").equal(base[1]));
  QVERIFY(all.at("list.1.1.0").equal(base[2]));
  QVERIFY(all.at("ordered.z").equal(base[3]));
  QCOMPARE(all.at("ordered.a").item<std::int64_t>(), 7);
  QCOMPARE(all.at("empty").numel(), 0);
  QCOMPARE(all.size(), std::size_t{16});
}

void TestTorchFile::aLoneTensorIsCalledAsTheFile() {
  const auto file = binade::files::open_torch_file(arrayFile("tensor.pt"));
  QCOMPARE(file->names(), std::vector<std::string>{"tensor"});
  QVERIFY(file->read({"tensor"}).at("tensor").tensor.equal(ramp({4, 6})));
}

void TestTorchFile::everyPickleProtocolReads_data() {
  QTest::addColumn<QString>("file");
  for (const char* name : {"protocol3.pt", "protocol4.pt", "protocol5.pt"}) {
    QTest::newRow(name) << QString::fromLatin1(name);
  }
}

void TestTorchFile::everyPickleProtocolReads() {
  QFETCH(const QString, file);
  const auto all = read(file.toStdString());
  QVERIFY(all.at("x").equal(ramp({4, 6})));
  QVERIFY(all.at("y").equal(at::arange(4)));
}

void TestTorchFile::aStateDictReadsWithItsMetadata() {
  const auto all = read("state_dict.pth");
  QCOMPARE(all.size(), std::size_t{9});
  QCOMPARE(QString::fromStdString(shape_name(all.at("conv.weight"))), QStringLiteral("float32[2,1,3,3]"));
  QVERIFY(all.at("conv.weight").flatten().equal(at::arange(18).to(at::kFloat)));
  QCOMPARE(all.at("bn.num_batches_tracked").item<std::int64_t>(), 6);
}

void TestTorchFile::checkpointsReadWithPaths() {
  const auto all = read("checkpoint.pth");
  QVERIFY(all.count("model_state_dict.fc.bias") == 1);
  QVERIFY(all.count("optimizer_state_dict.state.0.exp_avg") == 1);
  QVERIFY(all.count("rng") == 1);
}

void TestTorchFile::codeIsRefusedByName_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("name");
  QTest::newRow("a command") << "unsafe_system.pt"
                             << "posix.system";
  QTest::newRow("a class") << "unsafe_namespace.pt"
                           << "argparse.Namespace";
  QTest::newRow("a NumPy array") << "unsafe_numpy.pt"
                                 << "multiarray._reconstruct";
  QTest::newRow("a whole model") << "unsafe_model.pt"
                                 << "__main__.Net";
}

void TestTorchFile::codeIsRefusedByName() {
  QFETCH(const QString, file);
  QFETCH(const QString, name);
  const Error error = refusal([&] { read(file.toStdString()); });
  QCOMPARE(error.code, ErrorCode::kUnsafe);
  QVERIFY2(says(error, name), error.what());
  QVERIFY2(says(error, QStringLiteral("is refused")), error.what());
}

void TestTorchFile::aSparseTensorIsSaidToBeOne() {
  const Error error = refusal([&] { read("unsafe_sparse.pt"); });
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, QStringLiteral("contains a sparse tensor")), error.what());
}

void TestTorchFile::otherFilesAreSaidToBeWhatTheyAre() {
  const Error legacy = refusal([] { read("legacy.pt"); });
  QVERIFY2(says(legacy, QStringLiteral("before PyTorch 1.6")), legacy.what());
  QVERIFY(QString::fromStdString(legacy.hint).contains(QStringLiteral("Save it again in Python")));
  const Error script = refusal([] { read("net.pt"); });
  QVERIFY2(says(script, QStringLiteral("is a TorchScript module, not tensors")), script.what());
  QVERIFY(says(refusal([] { read("plain.npz"); }), QStringLiteral("was not written by torch.save")));
  QVERIFY(says(refusal([] { read("f4.npy"); }), QStringLiteral("it is not a ZIP archive")));
  QVERIFY(says(refusal([] { read("missing.pt"); }), QStringLiteral("does not exist")));
}

void TestTorchFile::truncatedFilesAreNamed() {
  const std::string whole = bytesOf(arrayFile("everything.pt"));
  for (const double share : {0.1, 0.5, 0.9, 0.999}) {
    const std::string file =
        fileOf(whole.substr(0, static_cast<std::size_t>(static_cast<double>(whole.size()) * share)), "cut.pt");
    const Error error = refusal([&] { read_torch_file(file); });
    QCOMPARE(error.code, ErrorCode::kBadFile);
    QVERIFY2(QString::fromUtf8(error.what()).startsWith(QString::fromStdString(file)), error.what());
  }
}

void TestTorchFile::aFlippedBitIsNamed() {
  std::string bytes = bytesOf(arrayFile("state_dict.pth"));
  const std::size_t record = bytes.find("/data/0");
  QVERIFY(record != std::string::npos);
  const std::size_t next = bytes.find(std::string("PK\x03\x04", 4), record);
  // Behind the record stands a descriptor of 16 bytes with its checksum.
  bytes[next - 17] = static_cast<char>(bytes[next - 17] ^ 1);
  const std::string file = fileOf(bytes, "flipped.pth");
  const Error error = refusal([&] { read_torch_file(file); });
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, QStringLiteral("data/0 does not match its checksum")), error.what());
  QVERIFY2(says(error, QStringLiteral("flipped.pth")), error.what());
  // Its names are known without reading it all; its arrays are not given.
  const auto opened = binade::files::open_torch_file(file);
  QVERIFY(!opened->names().empty());
  QVERIFY(says(refusal([&] { opened->read(opened->names()); }), QStringLiteral("does not match its checksum")));
}

void TestTorchFile::aFileWithoutChecksumsIsTakenAsItIs() {
  std::string bytes = bytesOf(arrayFile("state_dict.pth"));
  for (std::size_t at = 0; (at = bytes.find(std::string("PK\x01\x02", 4), at)) != std::string::npos; at += 4) {
    bytes.replace(at + 16, 4, std::string(4, '\0'));  // as after set_crc32_options(False)
  }
  QCOMPARE(read_torch_file(fileOf(bytes, "unchecked.pth")).size(), read_torch_file(arrayFile("state_dict.pth")).size());
}

BINADE_SUITE(TestTorchFile);
#include "tst_torch_file.moc"
