// SPDX-License-Identifier: Apache-2.0
#include "engine/train/data/array_file.h"
#include "tests/support/suite.h"
#include "tests/train/data/arrays.h"

#include <filesystem>
#include <random>

using binade::Error;
using binade::test::arrayFile;
using binade::test::bytesOf;
using binade::test::fileOf;

namespace {

/// Reads all that is in a file, to the last element. What is wrong must come as Error.
void readAll(const std::string& file) {
  const auto arrays = binade::train::open_arrays(file);
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

 private Q_SLOTS:
  void flippedBytesGiveAnErrorOrArrays_data() { files(); }
  void flippedBytesGiveAnErrorOrArrays();
  void filesCutShortGiveAnError_data() { files(); }
  void filesCutShortGiveAnError();

 private:
  void files();
};

void TestDamagedFiles::files() {
  QTest::addColumn<QString>("file");
  for (const char* name : {"f4.npy", "fortran.npy", "plain.npz", "packed.npz", "table.csv", "python.safetensors",
                           "everything.pt", "protocol4.pt", "checkpoint.pth", "unsafe_system.pt"}) {
    QTest::newRow(name) << QString::fromLatin1(name);
  }
}

void TestDamagedFiles::flippedBytesGiveAnErrorOrArrays() {
  QFETCH(const QString, file);
  const std::string whole = bytesOf(arrayFile(file.toStdString()));
  const std::string ending = std::filesystem::path(file.toStdString()).extension().string();
  std::mt19937 random(20261121);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  int refused = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = whole;
    for (std::size_t flips = 1 + below(4); flips > 0; --flips)
      bytes[below(bytes.size())] = static_cast<char>(below(256));
    const std::string damaged = fileOf(bytes, "damaged" + ending);
    try {
      readAll(damaged);
    } catch (const Error& error) {
      ++refused;
      QVERIFY2(QString::fromUtf8(error.what()).startsWith(QString::fromStdString(damaged)), error.what());
    }
    std::filesystem::remove(damaged);
  }
  QVERIFY2(refused > kRounds / 20, "hardly a flip was seen: are the bytes read at all?");
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

BINADE_SUITE(TestDamagedFiles);
#include "tst_damaged_files.moc"
