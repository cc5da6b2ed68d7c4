// SPDX-License-Identifier: Apache-2.0
#include "engine/files/array_file.h"
#include "engine/files/idx_file.h"
#include "tests/files/arrays.h"
#include "tests/support/mutations.h"
#include "tests/support/suite.h"

#include <filesystem>

using binade::Error;
using binade::test::arrayFile;
using binade::test::bytesOf;
using binade::test::fileOf;

namespace {

/// Reads all that is in a file, to the last element. What is wrong must come as Error.
void readAll(const std::string& file) {
  const auto arrays = binade::files::open_arrays(file);
  const std::vector<std::string> names = arrays->names();
  for (const auto& [name, array] : arrays->read(names)) {
    std::int64_t elements = array.shape.empty() ? 0 : 1;
    for (const std::int64_t size : array.shape) elements *= size;
    if (elements == 0 || elements > 100'000) continue;
    const at::Tensor rows = binade::test::all_rows(array);
    static_cast<void>(rows.contiguous().view(at::kByte).sum().item<std::int64_t>());
  }
}

}  // namespace

/// Whatever the bytes: an Error or arrays, never a crash.
class TestDamagedFiles : public binade::test::Suite {
  Q_OBJECT

 public:
  explicit TestDamagedFiles(int rounds = 400) : rounds_(rounds) {}

 private Q_SLOTS:
  void damagedPicturesGiveAnErrorOrPictures_data();
  void damagedPicturesGiveAnErrorOrPictures();
  void flippedBytesGiveAnErrorOrArrays_data() { files(); }
  void flippedBytesGiveAnErrorOrArrays();
  void filesCutShortGiveAnError_data() { files(); }
  void filesCutShortGiveAnError();

 private:
  void files();

  int rounds_;
};

class TestDamagedFilesAll : public TestDamagedFiles {
  Q_OBJECT

 public:
  TestDamagedFilesAll() : TestDamagedFiles(10'000) {}
};

void TestDamagedFiles::files() {
  QTest::addColumn<QString>("file");
  for (const char* name : {"f4.npy", "fortran.npy", "plain.npz", "packed.npz", "table.csv", "python.safetensors",
                           "everything.pt", "protocol4.pt", "checkpoint.pth", "unsafe_system.pt", "../journeys/set.bin",
                           "../journeys/set.ckpt", "../journeys/semicolons.csv"}) {
    QTest::newRow(name) << QString::fromLatin1(name);
  }
}

void TestDamagedFiles::flippedBytesGiveAnErrorOrArrays() {
  QFETCH(const QString, file);
  const std::string whole = bytesOf(arrayFile(file.toStdString()));
  const std::string ending = std::filesystem::path(file.toStdString()).extension().string();
  binade::test::Mutator mutator(20261121);
  int refused = 0;
  for (int round = 0; round < rounds_; ++round) {
    const std::string damaged = fileOf(mutator.bytes(whole), "damaged" + ending);
    try {
      readAll(damaged);
    } catch (const Error& error) {
      ++refused;
      QVERIFY2(QString::fromUtf8(error.what()).startsWith(QString::fromStdString(damaged)), error.what());
    }
    std::filesystem::remove(damaged);
  }
  QVERIFY2(refused > rounds_ / 20, "hardly a flip was seen: are the bytes read at all?");
}

void TestDamagedFiles::filesCutShortGiveAnError() {
  QFETCH(const QString, file);
  const std::string whole = bytesOf(arrayFile(file.toStdString()));
  const std::string ending = std::filesystem::path(file.toStdString()).extension().string();
  const std::size_t step = std::max<std::size_t>(whole.size() / 97, 1);
  for (std::size_t size = 0; size < whole.size(); size += step) {
    const std::string cut = fileOf(whole.substr(0, size), "cut" + ending);
    try {
      readAll(cut);
      // A table may end at any line, or inside its last number.
      QVERIFY2(ending == ".csv", qPrintable(QStringLiteral("%1 bytes of %2 were taken").arg(size).arg(file)));
    } catch (const Error&) {
    }
    std::filesystem::remove(cut);
  }
}

void TestDamagedFiles::damagedPicturesGiveAnErrorOrPictures_data() {
  QTest::addColumn<QString>("file");
  QTest::newRow("plain") << QStringLiteral("../journeys/idx/train-images-idx3-ubyte");
  QTest::newRow("packed") << QStringLiteral("../journeys/idx-packed/train-images-idx3-ubyte.gz");
}

void TestDamagedFiles::damagedPicturesGiveAnErrorOrPictures() {
  QFETCH(const QString, file);
  const std::string whole = bytesOf(arrayFile(file.toStdString()));
  const bool packed = file.endsWith(QStringLiteral(".gz"));
  binade::test::Mutator mutator(20261121);
  for (int round = 0; round < rounds_; ++round) {
    const std::string bytes = mutator.bytes(whole);
    const std::string damaged = fileOf(bytes, packed ? "damaged.gz" : "damaged");
    try {
      const at::Tensor pictures = binade::files::read_idx(damaged);
      static_cast<void>(pictures.view(at::kByte).sum().item<std::int64_t>());
    } catch (const Error& error) {
      QVERIFY2(QString::fromUtf8(error.what()).startsWith(QString::fromStdString(damaged)), error.what());
    }
    std::filesystem::remove(damaged);
  }
}

BINADE_SUITE(TestDamagedFiles);
BINADE_SUITE(TestDamagedFilesAll);
#include "tst_damaged_files.moc"
