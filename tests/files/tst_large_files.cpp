// SPDX-License-Identifier: Apache-2.0
#include "engine/batches/file_data.h"
#include "engine/files/array_file.h"
#include "engine/files/csv.h"
#include "engine/files/idx_file.h"
#include "engine/files/npz.h"
#include "engine/files/safetensors.h"
#include "engine/files/scratch.h"
#include "tests/files/arrays.h"
#include "tests/files/idx_files.h"
#include "tests/support/full_disk.h"
#include "tests/support/suite.h"

#include <zlib.h>

#include <ATen/core/jit_type.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <QDir>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

using binade::Error;
using binade::ErrorCode;
using binade::test::all_rows;
using binade::test::arrayFile;
using binade::test::fileOf;
using binade::test::FullDisk;
using binade::test::refusal;
using binade::test::says;
using binade::wire::DataConfig;
using namespace binade::files;
using namespace binade::batches;

namespace {

constexpr std::int64_t kMegabyte = 1'000'000;

/// Memory of this process that no file stands behind, in bytes.
std::int64_t own_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kilobytes = 0;
    if (word == "RssAnon:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

/// How far it grows meanwhile.
class Growth {
 public:
  Growth() : thread_([this] { watch(); }) {}
  ~Growth() { stop(); }
  std::int64_t stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
    return std::max(most_.load(), own_memory()) - before_;
  }

 private:
  void watch() {
    while (!stopping_) {
      most_ = std::max(most_.load(), own_memory());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }

  std::int64_t before_ = own_memory();
  std::atomic<std::int64_t> most_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

/// A table of `columns` numbers in each of `rows` rows, and a label; every 4,000 rows are the same.
std::string large_table(std::int64_t rows, int columns) {
  std::string text = "label";
  for (int k = 0; k < columns; ++k) text += ",c" + std::to_string(k);
  text += '\n';
  std::string part;
  for (int row = 0; row < 4000; ++row) {
    part += std::to_string(row % 10);
    for (int k = 0; k < columns; ++k) part += ",0." + std::to_string(100000 + row * 31 + k);
    part += '\n';
  }
  const std::string name = fileOf(text, "large.csv");
  std::ofstream file(name, std::ios::binary | std::ios::app);
  for (std::int64_t done = 0; done < rows; done += 4000) file << part;
  return name;
}

/// A ZIP archive of one entry, packed: zeros, but for `head` at their beginning.
std::string packed_zeros(const std::string& name, const std::string& head, std::uint32_t size) {
  std::string packed;
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string part(std::size_t{1} << 20, '\0');
  std::string out(std::size_t{1} << 20, '\0');
  uLong crc = 0;
  std::uint32_t left = size;
  for (std::string next = head + part.substr(head.size()); left > 0; next = part) {
    next.resize(std::min<std::size_t>(next.size(), left));
    left -= static_cast<std::uint32_t>(next.size());
    crc = crc32_z(crc, reinterpret_cast<const Bytef*>(next.data()), next.size());
    stream.next_in = reinterpret_cast<Bytef*>(next.data());
    stream.avail_in = static_cast<uInt>(next.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
      packed.append(out, 0, out.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);

  std::string bytes;
  const auto put = [&bytes](std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> 8 * i & 0xFF);
  };
  const auto header = [&] {  // what both of an entry's headers have
    put(20, 2), put(0, 2), put(8, 2), put(0, 4), put(crc, 4), put(packed.size(), 4), put(size, 4);
    put(name.size(), 2), put(0, 2);
  };
  put(0x04034b50, 4), header();
  bytes += name + packed;
  const std::size_t directory = bytes.size();
  put(0x02014b50, 4), put(20, 2), header();
  put(0, 2), put(0, 2), put(0, 2), put(0, 4), put(0, 4);
  bytes += name;
  const std::size_t directory_size = bytes.size() - directory;
  put(0x06054b50, 4), put(0, 4), put(1, 2), put(1, 2), put(directory_size, 4), put(directory, 4), put(0, 2);
  return bytes;
}

/// An archive of one array of float32 [rows, 1024], of which all is 0 but the first row's first number, 1.
std::string packed_array(std::int64_t rows) {
  std::string header("{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(rows) + ", 1024), }");
  header.append(118 - header.size() - 1, ' ');
  header += '\n';
  std::string head("\x93NUMPY\x01\x00\x76\x00", 10);
  head += header;
  const auto size = static_cast<std::uint32_t>(head.size()) + static_cast<std::uint32_t>(rows) * 4096;
  head += std::string("\x00\x00\x80\x3F", 4);
  return fileOf(packed_zeros("x.npy", head, size), "packed.npz");
}

/// While it lives, the user's cache folder is a new one.
class CacheFolder {
 public:
  CacheFolder() : before_(qgetenv("XDG_CACHE_HOME")), folder_(binade::test::temporaryFolder()) {
    qputenv("XDG_CACHE_HOME", folder_.toUtf8());
  }
  ~CacheFolder() {
    if (before_.isNull()) {
      qunsetenv("XDG_CACHE_HOME");
    } else {
      qputenv("XDG_CACHE_HOME", before_);
    }
  }
  CacheFolder(const CacheFolder&) = delete;
  CacheFolder& operator=(const CacheFolder&) = delete;

  QString folder() const { return folder_; }
  QStringList files() const {
    return QDir(folder_ + QStringLiteral("/binade")).entryList(QDir::Files | QDir::Hidden | QDir::System);
  }

 private:
  QByteArray before_;
  QString folder_;
};

FileData openWaiting(const DataConfig& data, std::int64_t batch, const Progress& progress = {}) {
  const std::vector<c10::Argument> arguments{c10::Argument("x", c10::TensorType::get())};
  FileData opened(data, arguments, batch, 3, progress);
  opened.check_finite(progress);
  return opened;
}

}  // namespace

/// What is larger than memory stays in files.
class TestLargeFiles : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void aTableIsReadWithinALittleMemory();
  void rowsOfATableAreDecodedAnywhere_data();
  void rowsOfATableAreDecodedAnywhere();
  void aTableGivesTheBatchesOfTheSameArrays();
  void whatATableSaysOfItsValuesIsWhatTheyAre();
  void aTableThatChangesIsNamed_data();
  void aTableThatChangesIsNamed();
  void aPackedArrayIsUnpackedBesideMemory();
  void truthsAndColumnOrderAreNotCopied_data();
  void truthsAndColumnOrderAreNotCopied();
  void packedPicturesAreUnpackedBesideMemory();
  void aFullDiskIsNamedWithFolderAndSize();
  void readingTellsHowFarItIsAndCanBeStopped_data();
  void readingTellsHowFarItIsAndCanBeStopped();
};

void TestLargeFiles::initTestCase() {
  if (own_memory() == 0) QSKIP("this system does not tell how much memory a process has of its own");
}

void TestLargeFiles::aTableIsReadWithinALittleMemory() {
  constexpr int kColumns = 20;
  constexpr std::int64_t kRows = 400'000;
  DataConfig data;
  data.kind = "files";
  data.files = {large_table(kRows, kColumns)};
  for (int k = 0; k < kColumns; ++k) data.columns["x"].from.values.push_back("c" + std::to_string(k));
  data.columns["x"].mean.values = {0.5};
  data.targets["label"].from.values = {"label"};
  data.test = 0.25;
  const auto text = static_cast<std::int64_t>(std::filesystem::file_size(data.files[0]));
  QVERIFY(text > 60 * kMegabyte);  // and its numbers would take 67 MB
  Growth growth;
  FileData opened = openWaiting(data, 64);
  for (int i = 0; i < 50; ++i) QCOMPARE(opened.next().examples, 64);
  QCOMPARE(opened.test_batch(7).examples, 64);
  QCOMPARE(opened.examples(), 300'000);
  const std::int64_t grown = growth.stop();
  QVERIFY2(grown < 32 * kMegabyte, qPrintable(QStringLiteral("%1 bytes for a text of %2").arg(grown).arg(text)));
  std::filesystem::remove(data.files[0]);
}

void TestLargeFiles::rowsOfATableAreDecodedAnywhere_data() {
  QTest::addColumn<qulonglong>("held");
  QTest::newRow("from the text") << qulonglong{8999};
  QTest::newRow("from what is held") << qulonglong{9000};
}

void TestLargeFiles::rowsOfATableAreDecodedAnywhere() {
  // Rows of very different lengths, some with line ends inside quotes, so that marks stand at all distances.
  std::string text = "\xEF\xBB\xBFnote;a;\"b\";c\r\n";
  constexpr std::int64_t kRows = 3000;
  for (std::int64_t row = 0; row < kRows; ++row) {
    if (row % 5 == 0) text += "\r\n";
    text += "\"" + std::string(static_cast<std::size_t>(row % 97) * static_cast<std::size_t>(row % 7), 'x') +
            (row % 3 == 0 ? "\n;\"\"" : "") + "\";" + std::to_string(row) + ";\" " + std::to_string(row) + ".5\";" +
            (row % 2 == 0 ? "true" : "-7") + (row % 4 == 0 ? "\n" : "\r\n");
  }
  QFETCH(const qulonglong, held);
  const auto table = open_csv(fileOf(text, "odd.csv"), held);
  QCOMPARE(table->names(), (std::vector<std::string>{"note", "a", "b", "c"}));
  const auto arrays = table->read({"c", "a", "b"});
  const at::Tensor rows = at::tensor({2999, 0, 1, 1, 1500, 2998, 7, 0}, at::kLong);
  for (const at::ScalarType dtype : {at::kFloat, at::kDouble}) {
    const std::array<const Array*, 4> parts{&arrays.at("b"), &arrays.at("c"), &arrays.at("a"), &arrays.at("b")};
    const at::Tensor taken = take_rows(parts, rows, dtype);
    QVERIFY(taken.select(1, 0).equal(rows.to(dtype).add(0.5)));
    QVERIFY(taken.select(1, 1).equal(at::where(rows.remainder(2).eq(0), 1, -7).to(dtype)));
    QVERIFY(taken.select(1, 2).equal(rows.to(dtype)));
    QVERIFY(taken.select(1, 3).equal(taken.select(1, 0)));
  }
  QVERIFY(all_rows(arrays.at("a")).equal(at::arange(kRows)));
  QVERIFY(all_rows(arrays.at("b")).equal(at::arange(kRows).to(at::kDouble).add(0.5)));
}

void TestLargeFiles::aTableGivesTheBatchesOfTheSameArrays() {
  const auto x = all_rows(open_csv(arrayFile("table.csv"))->read({"height"}).at("height"));
  const auto ages = all_rows(open_csv(arrayFile("table.csv"))->read({"age"}).at("age"));
  const auto labels = all_rows(open_csv(arrayFile("table.csv"))->read({"label"}).at("label"));
  const std::string file = binade::test::temporaryFolder().toStdString() + "/same.safetensors";
  write_safetensors(file, {{"height", x}, {"age", ages}, {"label", labels}});
  DataConfig data;
  data.kind = "files";
  data.files = {arrayFile("table.csv")};
  data.columns["x"].from.values = {"age", "height"};
  data.columns["x"].mean.values = {20, 1.7};
  data.columns["x"].deviation.values = {3, 0.1};
  data.targets["label"].from.values = {"label"};
  data.test = 0.2;
  FileData table = openWaiting(data, 3);
  data.files = {file};
  FileData tensors = openWaiting(data, 3);
  for (int i = 0; i < 9; ++i) {
    if (i == 5) table.seek(2), tensors.seek(2);
    const Batch a = table.next();
    const Batch b = tensors.next();
    QVERIFY(a.inputs[0].toTensor().equal(b.inputs[0].toTensor()));
    QVERIFY(a.target().equal(b.target()));
  }
  QVERIFY(table.test_batch(0).inputs[0].toTensor().equal(tensors.test_batch(0).inputs[0].toTensor()));
}

void TestLargeFiles::whatATableSaysOfItsValuesIsWhatTheyAre() {
  // Labels in two columns: the lowest and the highest of both, with their rows.
  DataConfig data;
  data.kind = "files";
  data.files = {fileOf("x,y,z,big\n1,3,4,0.5\n2,-100,9,1e300\n3,1,9,2\n4,1,2,nan\n", "table.csv")};
  data.columns["x"].from.values = {"x"};
  data.targets["label"].from.values = {"y", "z"};
  const FileData opened = openWaiting(data, 2);
  const auto range = labels(opened, "label");
  QVERIFY(range.has_value());
  QCOMPARE(range->lowest, 1);
  QCOMPARE(range->lowest_row, 2);
  QCOMPARE(range->highest, 9);
  QCOMPARE(range->highest_row, 1);
  // What a conversion cannot represent is found by looking, and what is not finite too.
  const auto why = [&](const char* column, const char* dtype) {
    data.columns["x"].from.values = {column};
    data.columns["x"].dtype = dtype;
    return QString::fromUtf8(refusal([&] { openWaiting(data, 2); }).what());
  };
  QVERIFY2(why("y", "uint8").contains(QStringLiteral("holds -100 in row 1, which uint8 cannot represent")), "uint8");
  QCOMPARE(why("y", "int8"), QStringLiteral("accepted"));
  QVERIFY(why("big", "float32").contains(QStringLiteral("NaN or infinite in float32, first in row 1")));
  QVERIFY(why("big", "float64").contains(QStringLiteral("NaN or infinite in float64, first in row 3")));
  data.columns["x"].deviation.values = {1e-30};
  QVERIFY(why("x", "float16").contains(QStringLiteral("NaN or infinite in float16, first in row 0")));
}

void TestLargeFiles::aTableThatChangesIsNamed_data() {
  QTest::addColumn<QByteArray>("text");
  QTest::newRow("a word where a number was") << QByteArray("x\n1.5\nabc\n3.5\n4.5\n");
  QTest::newRow("other numbers, and one more") << QByteArray("x\n1.5\n9.5\n3.5\n4.5\n5.5\n");
  QTest::newRow("fewer") << QByteArray("x\n1.5\n");
}

void TestLargeFiles::aTableThatChangesIsNamed() {
  QFETCH(const QByteArray, text);
  const std::string file = fileOf("x\n1.5\n2.5\n3.5\n4.5\n", "table.csv");
  const Array from_text = open_csv(file, 0)->read({"x"}).at("x");
  const Array held = open_csv(file)->read({"x"}).at("x");
  const at::Tensor values = at::tensor({1.5, 2.5, 3.5, 4.5}, at::kDouble);
  QVERIFY(all_rows(from_text).equal(values));
  std::ofstream(file, std::ios::binary) << text.toStdString();
  QVERIFY(all_rows(held).equal(values));  // what was held is the run's own
  const Error error = refusal([&] { all_rows(from_text); });
  QCOMPARE(error.code, ErrorCode::kBadFile);
  QVERIFY2(says(error, QStringLiteral("table.csv was changed while it was in use")), error.what());
}

void TestLargeFiles::aPackedArrayIsUnpackedBesideMemory() {
  const CacheFolder cache;
  constexpr std::int64_t kRows = 24'000;  // 98 MB
  const std::string file = packed_array(kRows);
  QVERIFY(std::filesystem::file_size(file) < kMegabyte);
  Growth growth;
  const Array array = open_npz(file)->read({"x"}).at("x");
  QCOMPARE(array.rows(), kRows);
  const at::Tensor rows = take_rows(array, at::tensor({kRows - 1, std::int64_t{0}}));
  QCOMPARE(rows.sum().item<float>(), 1.0F);
  QCOMPARE(rows[1][0].item<float>(), 1.0F);
  const std::int64_t grown = growth.stop();
  QVERIFY2(grown < 16 * kMegabyte, qPrintable(QStringLiteral("%1 bytes").arg(grown)));
  QVERIFY2(cache.files().isEmpty(), qPrintable(cache.files().join(u' ')));  // the file has no name
  QVERIFY(QDir(cache.folder() + QStringLiteral("/binade")).exists());
}

void TestLargeFiles::truthsAndColumnOrderAreNotCopied_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("head");
  QTest::addColumn<int>("first");  // how many of row 0's values, from the first on, are the file's first ones
  const auto npy = [](QByteArray header, char filling) {
    header.append(QByteArray(127 - 10 - header.size(), ' ')).append('\n');
    return QByteArray("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header +
           QByteArray(8, filling);
  };
  QTest::newRow("bool of NumPy") << QStringLiteral("truths.npy")
                                 << npy("{'descr': '|b1', 'fortran_order': False, 'shape': (64000, 1000), }", 1) << 8;
  QTest::newRow("bool in column order") << QStringLiteral("truths.npy")
                                        << npy("{'descr': '|b1', 'fortran_order': True, 'shape': (64000, 1000), }", 1)
                                        << 1;
  const QByteArray header = R"({"truths":{"dtype":"BOOL","shape":[64000,1000],"data_offsets":[0,64000000]}})";
  QByteArray length(8, '\0');
  length[0] = static_cast<char>(header.size());
  // A byte that is neither 0 nor 1 is true.
  QTest::newRow("bool of safetensors") << QStringLiteral("truths.safetensors") << length + header + QByteArray(8, 7)
                                       << 8;
}

void TestLargeFiles::truthsAndColumnOrderAreNotCopied() {
  QFETCH(const QString, name);
  QFETCH(const QByteArray, head);
  QFETCH(const int, first);
  const std::string file = fileOf(head.toStdString(), name.toStdString());
  std::filesystem::resize_file(file, static_cast<std::uintmax_t>(head.size()) - 8 + 64'000'000);
  Growth growth;
  const Array array = open_arrays(file)->read({"truths"}).at("truths");
  QCOMPARE(array.rows(), std::int64_t{64'000});
  const at::Tensor rows = take_rows(array, at::tensor({std::int64_t{63'999}, std::int64_t{0}}));
  QVERIFY(rows.scalar_type() == at::kBool);
  QVERIFY(!rows[0].any().item<bool>());
  QCOMPARE(rows[1].sum().item<std::int64_t>(), std::int64_t{first});
  QVERIFY(rows[1].narrow(0, 0, first).all().item<bool>());
  const std::int64_t grown = growth.stop();
  QVERIFY2(grown < 16 * kMegabyte, qPrintable(QStringLiteral("%1 bytes").arg(grown)));
}

void TestLargeFiles::packedPicturesAreUnpackedBesideMemory() {
  const CacheFolder cache;
  const std::string folder = binade::test::temporaryFolder().toStdString();
  binade::test::writeFile(folder + "/pictures.gz",
                          binade::test::idxBytes(8, {90, 1000, 1000}, std::string(90'000'000, '\x07')));
  Growth growth;
  const at::Tensor pictures = read_idx(folder + "/pictures.gz");
  QCOMPARE(pictures[89][999][999].item<int>(), 7);
  // While there is little it is in memory: no more than that at any time.
  const auto most = static_cast<std::int64_t>(2 * Scratch::kMostInMemory) + 32 * kMegabyte;
  const std::int64_t grown = growth.stop();
  QVERIFY2(grown < most, qPrintable(QStringLiteral("%1 bytes").arg(grown)));
}

void TestLargeFiles::aFullDiskIsNamedWithFolderAndSize() {
  const CacheFolder cache;
  const std::string file = packed_array(24'000);
  Error error(ErrorCode::kInternal, "");
  {
    const FullDisk full(10 * kMegabyte);
    error = refusal([&] { open_npz(file)->read({"x"}); });
  }
  QCOMPARE(error.code, ErrorCode::kBadFile);
  const QString wanted = QStringLiteral(
                             "packed.npz: x.npy, unpacked, takes 99 MB in %1/binade, which cannot be "
                             "written: File too large")
                             .arg(cache.folder());
  QVERIFY2(says(error, wanted), error.what());
  QVERIFY(QString::fromStdString(error.hint).contains(QStringLiteral("XDG_CACHE_HOME")));
  QVERIFY(cache.files().isEmpty());
}

void TestLargeFiles::readingTellsHowFarItIsAndCanBeStopped_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("told");
  QTest::newRow("table") << "csv"
                         << "Reading large.csv: ";
  QTest::newRow("packed array") << "npz"
                                << "Unpacking packed.npz: x.npy: ";
  QTest::newRow("packed pictures") << "idx"
                                   << "Reading pictures.gz: ";
}

void TestLargeFiles::readingTellsHowFarItIsAndCanBeStopped() {
  QFETCH(const QString, kind);
  QFETCH(const QString, told);
  const CacheFolder cache;
  std::function<void(const Progress&)> read;
  if (kind == u"csv") {
    read = [file = large_table(20'000, 3)](const Progress& progress) { open_csv(file)->read({"label"}, progress); };
  } else if (kind == u"npz") {
    read = [file = packed_array(4000)](const Progress& progress) { open_npz(file)->read({"x"}, progress); };
  } else {
    const std::string file = binade::test::temporaryFolder().toStdString() + "/pictures.gz";
    binade::test::writeFile(file, binade::test::idxBytes(8, {40, 1000, 1000}, std::string(40'000'000, '\x07')));
    read = [file](const Progress& progress) { read_idx(file, progress); };
  }
  std::stop_source stop;
  QStringList heard;
  const auto stop_in_the_middle = [&](const std::string& progress) {
    heard << QString::fromStdString(progress);
    if (heard.size() == 3) stop.request_stop();
  };
  const Error error = refusal([&] { read(Progress(stop.get_token(), stop_in_the_middle, std::chrono::seconds(0))); });
  QCOMPARE(error.code, ErrorCode::kCancelled);
  QCOMPARE(heard.size(), 3);
  for (const QString& each : heard) {
    QVERIFY2(each.startsWith(told) && each.endsWith(QStringLiteral(" %")), qPrintable(each));
  }
  QVERIFY(heard.first() != heard.last());
  QVERIFY(cache.files().isEmpty());
}

BINADE_SUITE(TestLargeFiles);
#include "tst_large_files.moc"
