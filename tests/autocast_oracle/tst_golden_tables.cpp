// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/golden_calls.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/autocast_oracle/row_call.h"
#include "tests/support/native_lstm.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>
#include <QFile>
#include <c10/util/Exception.h>

#include <optional>

using namespace binade::test;

namespace {

/// The last field of a line, without quotes, and what stands before it.
std::pair<QString, QString> split(QString line) {
  line.replace(QLatin1String("\"\""), QLatin1String("\x01"));
  bool quoted = false;
  qsizetype comma = -1;
  for (qsizetype i = 0; i < line.size(); ++i) {
    if (line[i] == QLatin1Char('"')) quoted = !quoted;
    if (line[i] == QLatin1Char(',') && !quoted) comma = i;
  }
  const auto plain = [](QString text) {
    return text.remove(QLatin1Char('"')).replace(QLatin1Char('\x01'), QLatin1Char('"'));
  };
  return {plain(line.left(comma)), plain(line.mid(comma + 1))};
}

/// `bfloat16`, `('float32', 'float32')`, `!RuntimeError: its first line`.
QString textOf(const Results& results) {
  QStringList names;
  for (const at::Tensor& tensor : results) names.append(QString::fromStdString(nameOf(tensor.scalar_type())));
  if (names.size() == 1) return names[0];
  return QLatin1String("('") + names.join(QLatin1String("', '")) + QLatin1String("')");
}

QString run(const std::function<Results()>& call) {
  const auto failed = [](const char* type, const std::string& text) {
    return QLatin1Char('!') + QLatin1String(type) + QLatin1String(": ") +
           QString::fromStdString(text.substr(0, text.find('\n')));
  };
  try {
    return textOf(call());
  } catch (const c10::NotImplementedError& error) {
    return failed("NotImplementedError", error.what_without_backtrace());
  } catch (const c10::ValueError& error) {
    return failed("ValueError", error.what_without_backtrace());
  } catch (const c10::Error& error) {
    return failed("RuntimeError", error.what_without_backtrace());
  } catch (const std::exception& error) {
    return failed("RuntimeError", error.what());
  }
}

/// The rows of a table. A group is part of the CPU table's first field.
QList<std::pair<QString, QString>> rowsOf(const char* name, bool grouped) {
  QFile file(QStringLiteral(BINADE_TEST_DATA "/autocast/") + QLatin1String(name));
  if (!file.open(QIODevice::ReadOnly | QIODevice::Text)) return {};
  file.readLine();
  QList<std::pair<QString, QString>> rows;
  while (!file.atEnd()) {
    QString line = QString::fromUtf8(file.readLine()).trimmed();
    if (grouped) line = line.mid(line.indexOf(QLatin1Char(',')) + 1);
    rows.append(split(line));
  }
  return rows;
}

/// How a row of the CUDA table is answered without a GPU.
enum class Way {
  kSame,       ///< word for word on meta tensors
  kOnCpu,      ///< on CPU tensors: PyTorch's shape rules in Python cover more than LibTorch's meta kernels
  kOtherText,  ///< by a refusal too; the text is that of a shape rule in Python, not of autocast
  kOther,
};

struct CudaAnswer {
  Way way = Way::kOther;
  QString text;
};

CudaAnswer askedOfCuda(const std::string& name, const QString& expected) {
  const auto wanted = enabledRegion("cuda", name.find("bf autocast") == std::string::npos ? "float16" : "bfloat16");
  const QLatin1String refusal("!RuntimeError: ");
  const bool any_text = expected.startsWith(refusal) && !expected.contains(QLatin1String("autocast"));
  CudaAnswer answer;
  for (const c10::DeviceType device : {c10::kMeta, c10::kCPU}) {
    const GoldenCalls calls = cudaGoldenCalls(device);
    const auto call = calls.find(name);
    if (call == calls.end()) return {Way::kOther, QStringLiteral("no such call")};
    const OurRegion region(wanted, device);
    answer.text = run(call->second);
    if (answer.text == expected) return {device == c10::kMeta ? Way::kSame : Way::kOnCpu, answer.text};
    if (any_text && answer.text.startsWith(refusal)) return {Way::kOtherText, answer.text};
  }
  return answer;
}

void addRows(const char* name, bool grouped) {
  QTest::addColumn<QString>("expected");
  for (const auto& [row, expected] : rowsOf(name, grouped)) QTest::newRow(row.toUtf8().constData()) << expected;
}

}  // namespace

/// The golden tables of PyTorch 2.11: whole calls as a user writes them, composites and in-place forms included.
class TestGoldenTables : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);
    QCOMPARE(rowsOf("cpu_dtype_golden.csv", true).size(), 88);
    QCOMPARE(rowsOf("cuda_dtype_golden.csv", false).size(), 98);
  }

  void aCallUnderTheCpuListGivesPyTorchsDtypeOrError_data() { addRows("cpu_dtype_golden.csv", true); }
  void aCallUnderTheCpuListGivesPyTorchsDtypeOrError() {
    QFETCH(const QString, expected);
    const std::string name = QTest::currentDataTag();
    const auto call = cpuGoldenCalls().find(name);
    QVERIFY(call != cpuGoldenCalls().end());
    if (name.find("LSTM") != std::string::npos) BINADE_NEEDS_BFLOAT16_LSTM();
    nlohmann::json wanted = enabledRegion("cpu", name == "stack hf f32 under hf" ? "float16" : "bfloat16");
    wanted["enabled"] = name.find("no autocast") == std::string::npos;
    const OurRegion region(wanted, c10::kCPU);
    QCOMPARE(run(call->second), expected);
  }

  void aCallUnderTheCudaListGivesPyTorchsDtypeOrError_data() { addRows("cuda_dtype_golden.csv", false); }
  void aCallUnderTheCudaListGivesPyTorchsDtypeOrError() {
    QFETCH(const QString, expected);
    const std::string name = QTest::currentDataTag();
    const CudaAnswer answer = askedOfCuda(name, expected);
    if (answer.way != Way::kOther) return;
    if (Exceptions("cuda-golden").excepts(name)) QSKIP("in the table of exceptions");
    QCOMPARE(answer.text, expected);
  }

  /// Every row that is not answered on meta tensors, word for word, is in the table of exceptions.
  void theTableNamesEveryCudaRowThatIsAnsweredOtherwise() {
    Exceptions differ("cuda-golden");
    Exceptions on_cpu("cuda-golden-on-cpu");
    Exceptions texts("cuda-golden-text");
    int rows = 0;
    int differing = 0;
    for (const auto& [row, expected] : rowsOf("cuda_dtype_golden.csv", false)) {
      const std::string name = row.toStdString();
      const Way way = askedOfCuda(name, expected).way;
      ++rows;
      if (way == Way::kSame) continue;
      Exceptions& table = way == Way::kOnCpu ? on_cpu : way == Way::kOtherText ? texts : differ;
      if (table.excepts(name)) continue;
      ++differing;
      qInfo("%s is not in the table (way %d)", name.c_str(), static_cast<int>(way));
    }
    qInfo("%d oracle rows, %d differ (golden CUDA table; %d on CPU tensors, %d by the kind of error, %d excepted)",
          rows, differing, on_cpu.total(), texts.total(), differ.total());
    QCOMPARE(differing, 0);
    QCOMPARE(on_cpu.counted(), std::string());
    QCOMPARE(texts.counted(), std::string());
    QCOMPARE(differ.counted(), std::string());
  }
};

BINADE_SUITE(TestGoldenTables);
#include "tst_golden_tables.moc"
