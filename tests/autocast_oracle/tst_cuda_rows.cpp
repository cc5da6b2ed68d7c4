// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/cast_plan.h"
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>

using namespace binade::test;
using nlohmann::json;

/// The rows that PyTorch 2.11 answered on the CUDA autocast key, without a GPU.
class TestCudaRows : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  /// The op that really runs, the dtype of every tensor and every dtype argument, and the refusals.
  void aListedOpReceivesWhatPyTorchGivesIt() {
    const CastPlan plan(c10::DispatchKey::AutogradMeta);
    Exceptions without_names("cuda-cast-without-names");
    Exceptions unanswered("cuda-listed-unanswered");
    int rows = 0;
    int differing = 0;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cuda" || !row.contains("cast")) continue;
      ++rows;
      const std::string id = row["id"];
      if (hasNames(row)) QVERIFY2(without_names.excepts(id), id.c_str());
      if (row["result"].contains("fake_artifact")) QVERIFY2(unanswered.excepts(id), id.c_str());
      const RowCall call = callOf(row, {.device = c10::kMeta, .named = false});
      const OurRegion region(row["region"], c10::kMeta);
      const std::string found = plan.difference(row["cast"], call);
      if (found.empty()) continue;
      ++differing;
      if (differing <= 40) qInfo("%s: %s", id.c_str(), found.c_str());
    }
    qInfo(
        "%d oracle rows, %d differ (CUDA, what the listed op receives; %d without dimension names, %d that the "
        "recording has no result for)",
        rows, differing, without_names.total(), unanswered.total());
    QCOMPARE(without_names.counted(), std::string());
    QCOMPARE(unanswered.counted(), std::string());
    QCOMPARE(rows, 3744);
    QCOMPARE(differing, 0);
  }

  /// Composites follow the list inside, leaves run in what they are given: dtypes and shapes.
  void anUnlistedOpGivesWhatPyTorchGives() {
    Exceptions excepted("cuda-unlisted");
    Exceptions on_cpu("cuda-unlisted-on-cpu");
    Exceptions left_alone("cuda-unlisted-as-given");
    int rows = 0;
    int differing = 0;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cuda" || row.contains("cast")) continue;
      const std::string id = row["id"];
      ++rows;
      if (row["result"].contains("fake_artifact")) {
        QVERIFY2(excepted.excepts(id), id.c_str());
        continue;
      }
      const std::string on_meta = differenceOn(c10::kMeta, row);
      if (on_meta.empty()) continue;
      // Python has shape rules that LibTorch has no meta kernel for; the CPU's kernels give the same dtypes.
      if (differenceOn(c10::kCPU, row).empty() && on_cpu.excepts(id)) continue;
      // And its rules let dtypes pass that every kernel refuses: then what counts is what the op is handed.
      if (isLeftAlone(row) && left_alone.excepts(id)) continue;
      if (excepted.excepts(id)) continue;
      ++differing;
      if (differing <= 40) qInfo("%s: %s", id.c_str(), on_meta.c_str());
    }
    qInfo("%d oracle rows, %d differ (CUDA, unlisted ops; %d on CPU tensors, %d by what the op receives, %d excepted)",
          rows, differing, on_cpu.total(), left_alone.total(), excepted.total());
    QCOMPARE(on_cpu.counted(), std::string());
    QCOMPARE(left_alone.counted(), std::string());
    QCOMPARE(excepted.counted(), std::string());
    QCOMPARE(rows, 834);
    QCOMPARE(differing, 0);
  }

 private:
  static std::string differenceOn(c10::DeviceType device, const json& row) {
    const RowCall call = callOf(row, {.device = device, .named = false});
    const OurRegion region(row["region"], device);
    return difference(row["result"], call.run(), {.error_text = false});
  }

  /// Of an op that is not made of others: it receives what it is given, and the recorded dtypes are those without
  /// autocast.
  static bool isLeftAlone(const json& row) {
    const RowCall call = callOf(row, {.device = c10::kMeta, .named = false});
    if (call.op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) return false;
    const json& without = row["without_autocast"];
    if (row["result"]["ok"] != without["ok"]) return false;
    if (without["ok"].get<bool>()) {
      json dtypes = json::array();
      for (const json& out : row["result"]["out"]) dtypes.push_back(out.contains("dtype") ? out["dtype"] : json());
      if (dtypes != without["dtypes"]) return false;
    }
    const CastPlan plan(c10::DispatchKey::AutogradMeta, {fullName(row["op"], row["overload"])});
    const OurRegion region(row["region"], c10::kMeta);
    return plan.difference(CastPlan::untouched(call), call).empty();
  }
};

BINADE_SUITE(TestCudaRows);
#include "tst_cuda_rows.moc"
