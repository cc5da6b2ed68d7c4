// SPDX-License-Identifier: Apache-2.0
// Files that lose their end, or are written to, while a run reads them.
#include "engine/batches/file_data.h"
#include "engine/batches/idx_data.h"
#include "engine/files/bytes.h"
#include "engine/files/csv.h"
#include "engine/files/mapped_file.h"
#include "engine/files/safetensors.h"
#include "tests/files/arrays.h"
#include "tests/files/idx_files.h"
#include "tests/run/small_run.h"
#include "tests/support/suite.h"

#include <sys/wait.h>
#include <unistd.h>

#include <ATen/core/jit_type.h>
#include <ATen/ops/arange.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using binade::Error;
using binade::ErrorCode;
using binade::test::bytesOf;
using binade::test::fileOf;
using binade::test::folder;
using binade::test::Listening;
using binade::test::refusal;
using binade::test::runToEnd;
using binade::test::says;
using binade::wire::DataConfig;
using namespace binade::files;
using namespace binade::batches;

namespace {

constexpr std::int64_t kRows = 4096;
constexpr std::int64_t kColumns = 8;

/// Rows of 1, 2, 3, ...: none of them is 0.
at::Tensor rows() {
  return at::arange(1, kRows * kColumns + 1, at::kFloat).view({kRows, kColumns});
}

std::string npy_of(const at::Tensor& tensor) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + std::to_string(tensor.size(0)) + ", " +
                       std::to_string(tensor.size(1)) + "), }";
  header.append(118 - header.size() - 1, ' ');
  header += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
         std::string(static_cast<const char*>(tensor.const_data_ptr()), tensor.nbytes());
}

/// A file of `rows()` called `x`, or a table of its columns, in a folder of its own.
std::string written(const QString& ending) {
  const at::Tensor all = rows();
  const std::string name = "x." + ending.toStdString();
  if (ending == u"npy") return fileOf(npy_of(all), name);
  if (ending == u"safetensors") {
    const std::string file = folder() + "/" + name;
    write_safetensors(file, {{"x", all}});
    return file;
  }
  if (ending == u"pt") {
    c10::Dict<std::string, at::Tensor> dict;
    dict.insert("x", all);
    const std::vector<char> saved = torch::jit::pickle_save(dict);
    return fileOf({saved.begin(), saved.end()}, name);
  }
  std::string text = "x\n";
  for (std::int64_t i = 0; i < kRows; ++i) text += std::to_string(i + 1) + ".5" + std::string(40, '0') + "\n";
  return fileOf(text, name);
}

DataConfig in_order_of(const std::string& file) {
  DataConfig data;
  data.kind = "files";
  data.files = {file};
  data.columns["x"].from.values = {"x"};
  data.shuffle = false;
  return data;
}

/// Loses all of a file but its first 5,000 bytes.
void shorten(const std::string& file) {
  std::filesystem::resize_file(file, 5000);
}

}  // namespace

class TestShortenedFiles : public binade::test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { guard_mapped_files(); }
  void whatIsMissingIsToldBeforeItIsUsed_data();
  void whatIsMissingIsToldBeforeItIsUsed();
  void picturesThatAreMissingAreTold();
  void whatWasWrittenToIsTold();
  void aFileInItsPlaceChangesNothing();
  void aTableInMemoryMayChange();
  void weightsAndCheckpointsAreHeldToTheirFiles();
  void aRunEndsWithTheFilesNameAndKeepsItsCheckpoint();
  void anotherBusErrorIsHandedOn();
};

void TestShortenedFiles::whatIsMissingIsToldBeforeItIsUsed_data() {
  QTest::addColumn<QString>("ending");
  for (const char* ending : {"npy", "safetensors", "pt"}) QTest::newRow(ending) << QString::fromLatin1(ending);
}

void TestShortenedFiles::whatIsMissingIsToldBeforeItIsUsed() {
  QFETCH(const QString, ending);
  const std::string file = written(ending);
  const std::vector<c10::Argument> arguments{c10::Argument("x", c10::TensorType::get())};
  FileData data(in_order_of(file), arguments, 64, 3);
  QVERIFY(data.next().inputs.front().toTensor().equal(rows().narrow(0, 0, 64)));
  const std::uintmax_t size = std::filesystem::file_size(file);
  shorten(file);
  for (int batch = 0; batch < 3; ++batch) {  // asking again gives no other answer
    const Error error = refusal([&] { data.next(); });
    QCOMPARE(error.code, ErrorCode::kBadFile);
    QVERIFY2(says(error, QString::fromStdString(file) +
                             QStringLiteral(" was truncated while it was in use: 5000 of %1 bytes are left").arg(size)),
             error.what());
  }
}

void TestShortenedFiles::picturesThatAreMissingAreTold() {
  const std::string set = folder();
  binade::test::writeDataSet(set, 4096, 16, 4);
  DataConfig config;
  config.kind = "idx";
  config.folder = set;
  IdxData data(config, 64, 3);
  data.next();
  const std::string file = set + "/train-images-idx3-ubyte";
  shorten(file);
  Error error(ErrorCode::kInternal, "");
  for (int batch = 0; batch < 60 && error.code == ErrorCode::kInternal; ++batch) error = refusal([&] { data.next(); });
  QVERIFY2(says(error, QString::fromStdString(file) + QStringLiteral(" was truncated while it was in use")),
           error.what());
}

void TestShortenedFiles::whatWasWrittenToIsTold() {
  const std::string file = written(QStringLiteral("npy"));
  const std::vector<c10::Argument> arguments{c10::Argument("x", c10::TensorType::get())};
  FileData data(in_order_of(file), arguments, 64, 3);
  data.next();
  // As numpy.save over the same name: of the same length, with other numbers.
  std::ofstream(file, std::ios::binary) << npy_of(rows().neg());
  std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(2));
  const Error error = refusal([&] { data.next(); });
  QVERIFY2(says(error, QString::fromStdString(file) + QStringLiteral(" was changed while it was in use")),
           error.what());
}

void TestShortenedFiles::aFileInItsPlaceChangesNothing() {
  const std::string file = written(QStringLiteral("npy"));
  const std::vector<c10::Argument> arguments{c10::Argument("x", c10::TensorType::get())};
  FileData data(in_order_of(file), arguments, 64, 3);
  data.next();
  std::filesystem::rename(fileOf("short", "other"), file);
  QVERIFY(data.next().inputs.front().toTensor().equal(rows().narrow(0, 64, 64)));
}

void TestShortenedFiles::aTableInMemoryMayChange() {
  const std::string file = written(QStringLiteral("csv"));
  const std::vector<c10::Argument> arguments{c10::Argument("x", c10::TensorType::get())};
  FileData data(in_order_of(file), arguments, 64, 3);
  shorten(file);
  for (int batch = 0; batch < 3; ++batch) data.next();
  QCOMPARE(data.next().inputs.front().toTensor()[0].item<float>(), 193.5F);
}

void TestShortenedFiles::weightsAndCheckpointsAreHeldToTheirFiles() {
  const std::string file = written(QStringLiteral("safetensors"));
  const Safetensors contents = read_safetensors(file);
  check_mapped(file);
  shorten(file);
  QCOMPARE(contents.tensors.at("x")[kRows - 1].sum().item<float>(), 0.0F);
  const Error error = refusal([&] { check_mapped(file); });
  QVERIFY2(says(error, QStringLiteral("was truncated while it was in use")), error.what());
}

void TestShortenedFiles::aRunEndsWithTheFilesNameAndKeepsItsCheckpoint() {
  const std::string file = written(QStringLiteral("npy"));
  auto config = binade::test::smallRun(40);
  config.model = binade::test::saveModel(folder(), R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(x * 1e-5, self.weight, self.bias)
)");
  config.data = in_order_of(file);
  config.data.targets["label"].from.values = {"label"};
  config.data.targets["label"].dtype = "int64";
  const std::string labels = folder() + "/labels.safetensors";
  write_safetensors(labels, {{"label", at::arange(kRows).remainder(4)}});
  config.data.files.push_back(labels);
  config.batch = 64;
  config.checkpoint = {folder(), 4, 3};
  Listening heard;
  heard.at_step = [&](const binade::wire::StepRecord& step) {
    if (step.step == 10) shorten(file);
  };
  const auto done = runToEnd(config, heard);
  QVERIFY(done.finished.outcome == binade::wire::Outcome::kFailed);
  QVERIFY2(QString::fromStdString(done.finished.message).contains(QString::fromStdString(file)),
           done.finished.message.c_str());
  QVERIFY(!heard.checkpoints.empty() && heard.checkpoints.back().step >= 11);
  QVERIFY(std::filesystem::exists(heard.checkpoints.back().file));
  for (const auto& step : heard.steps) QVERIFY(step.loss != 0);  // none was made of zeros
}

void TestShortenedFiles::anotherBusErrorIsHandedOn() {
  // The guard is there already: what it hands on goes to the handler before it, the test program's or none. A child
  // shows it: one that meets an error of its own ends by it.
  qputenv("QTEST_DISABLE_STACK_DUMP", "1");  // the test program's handler would start a debugger
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    ::raise(SIGBUS);
    std::_Exit(0);
  }
  int status = 0;
  QCOMPARE(::waitpid(child, &status, 0), child);
  QVERIFY(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
}

BINADE_SUITE(TestShortenedFiles);
#include "tst_shortened_files.moc"
