// SPDX-License-Identifier: Apache-2.0
#include "engine/files/array_file.h"
#include "tests/files/arrays.h"
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

/// tests/fuzz damages files in other ways.
class TestDamagedFiles : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void filesCutShortGiveAnError_data();
  void filesCutShortGiveAnError();
};

void TestDamagedFiles::filesCutShortGiveAnError_data() {
  QTest::addColumn<QString>("file");
  for (const char* name : {"f4.npy", "fortran.npy", "plain.npz", "packed.npz", "table.csv", "python.safetensors",
                           "everything.pt", "protocol4.pt", "checkpoint.pth", "unsafe_system.pt", "../journeys/set.bin",
                           "../journeys/set.ckpt", "../journeys/semicolons.csv"}) {
    QTest::newRow(name) << QString::fromLatin1(name);
  }
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
