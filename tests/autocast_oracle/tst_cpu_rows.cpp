// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/cast_plan.h"
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

using namespace binade::test;
using nlohmann::json;

/// The rows that PyTorch 2.11 really executed, on a CPU.
class TestCpuRows : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    at::set_num_threads(1);
    QCOMPARE(oracleRows().size(), 9318U);
  }

  /// Dtypes, shapes, errors and every bit, as recorded, and as LibTorch's own autocast answers on this machine.
  void everyRowIsWhatPyTorchAnswered() {
    Exceptions bits("cpu-bits");
    Exceptions workspace("cpu-workspace");
    int rows = 0;
    int with_values = 0;
    int elsewhere = 0;
    int differing = 0;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cpu") continue;
      ++rows;
      const std::string id = row["id"];
      const Answer ours = runIn<OurRegion>(row);
      const Answer native = runIn<NativeRegion>(row);
      const std::string recorded = difference(row["result"], ours);
      const std::size_t results = workspace.excepts(id) ? kWithoutWorkspace : SIZE_MAX;
      const std::string beside = bits.excepts(id) ? std::string() : difference(native, ours, results);
      if (row["result"]["ok"].get<bool>()) with_values += row["result"]["out"][0].contains("values") ? 1 : 0;
      if (recorded.empty() && beside.empty()) continue;
      // Another instruction set or oneDNN gives another last bit, or no kernel at all: then LibTorch itself, here, is
      // not what was recorded, and we are what LibTorch is.
      if (beside.empty() && difference(row["result"], native) == recorded) {
        ++elsewhere;
        qInfo("%s: LibTorch itself is not as recorded: %s", id.c_str(), recorded.c_str());
        continue;
      }
      ++differing;
      if (differing <= 40) {
        qInfo("%s: %s; beside LibTorch here: %s", id.c_str(), recorded.c_str(), beside.c_str());
      }
    }
    qInfo(
        "%d oracle rows, %d differ (CPU, of which %d with values, bit for bit; %d as LibTorch does here and not as "
        "recorded; %d and %d excepted)",
        rows, differing, with_values, elsewhere, bits.total(), workspace.total());
    QCOMPARE(bits.counted(), std::string());
    QCOMPARE(workspace.counted(), std::string());
    QCOMPARE(rows, 4740);
    QCOMPARE(differing, 0);
    if (isLikeTheRecordingMachine()) QCOMPARE(elsewhere, 0);
  }

  /// The arguments that each listed op receives below the rules.
  void aListedOpReceivesWhatPyTorchGivesIt() {
    const CastPlan plan(c10::DispatchKey::AutogradCPU);
    Exceptions without_names("cpu-cast-without-names");
    int rows = 0;
    int differing = 0;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cpu" || !row.contains("cast")) continue;
      ++rows;
      // The recording could not pass named tensors.
      if (hasNames(row)) QVERIFY(without_names.excepts(row["id"]));
      const RowCall call = callOf(row, {.named = false});
      const OurRegion region(row["region"], c10::kCPU);
      const std::string found = plan.difference(row["cast"], call);
      if (found.empty()) continue;
      ++differing;
      if (differing <= 40) qInfo("%s: %s", row["id"].get<std::string>().c_str(), found.c_str());
    }
    qInfo("%d oracle rows, %d differ (CPU, what the listed op receives; %d without dimension names)", rows, differing,
          without_names.total());
    QCOMPARE(without_names.counted(), std::string());
    QCOMPARE(rows, 3608);
    QCOMPARE(differing, 0);
  }

 private:
  template <class Region>
  static Answer runIn(const json& row) {
    at::manual_seed(1);
    const RowCall call = callOf(row);
    const auto region = [&row] {
      if constexpr (std::is_same_v<Region, OurRegion>) {
        return OurRegion(row["region"], c10::kCPU);
      } else {
        return NativeRegion(row["region"]);
      }
    }();
    static_cast<void>(region);
    return call.run();
  }
};

BINADE_SUITE(TestCpuRows);
#include "tst_cpu_rows.moc"
