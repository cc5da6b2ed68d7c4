// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/inner_call_audit.h"
#include "engine/policy/inner_calls.h"
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/op_calls.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <set>

using namespace binade;
using namespace binade::test;
using nlohmann::json;

namespace {

std::string nameOfRow(const json& row) {
  return fullName(row["op"], row["overload"]);
}

/// `cuda/aten::prod.dim_int/float16/bfloat16`: device, op, low format, what came in.
std::string idOf(const json& row, const json& asked) {
  return asked["device"].get<std::string>() + "/" + nameOfRow(row) + "/" + asked["low"].get<std::string>() + "/" +
         asked["in"].get<std::string>();
}

policy::Policy policyOf(const json& asked) {
  policy::Policy policy;
  policy.base = asked["device"] == "cpu" ? policy::Base::kCpuAmp : policy::Base::kCudaAmp;
  policy.low = asked["low"] == "float16" ? formats::kFloat16 : formats::kBFloat16;
  policy.execution = policy::Execution::kNative;
  policy.behaviour = policy::Behaviour::kPyTorch211;
  return policy;
}

/// The call under LibTorch's own autocast.
Answer runNatively(const RowCall& call, const json& asked) {
  const NativeRegion region(enabledRegion(asked["device"].get_ref<const std::string&>().c_str(),
                                          asked["low"].get_ref<const std::string&>().c_str()));
  return call.run();
}

/// `float32 int64`; `refused` for an exception.
std::string dtypesOf(const Answer& answer) {
  if (!answer.ok) return "refused";
  std::string text;
  for (const at::Tensor& tensor : tensorsIn(answer.results)) text += nameOf(tensor.scalar_type()) + " ";
  return text;
}

std::string dtypesOf(const json& recorded) {
  if (!recorded["ok"].get<bool>()) return "refused";
  std::string text;
  for (const json& each : recorded["out"]) text += each.get<std::string>() + " ";
  return text;
}

/// TorchScript's own ops (aten::Bool) are no dispatcher's: no list reaches them.
bool isDispatched(const json& row) {
  return c10::Dispatcher::singleton().findSchema({row["op"], row["overload"]}).has_value();
}

bool isMadeOfOthers(const c10::OperatorHandle& op) {
  return op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd);
}

bool isOnCudasList(const std::string& plain_name) {
  const std::size_t dot = plain_name.find('.');
  const std::string overload = dot == std::string::npos ? "" : plain_name.substr(dot + 1);
  return policy::rule_for(policy::Base::kCudaAmp, "aten::" + plain_name.substr(0, dot), overload) !=
         policy::CastRule::kNone;
}

/// Whether PyTorch leaves a call as it comes under CUDA's list: neither the op nor one that it is made of is on it.
bool isUntouchedOnCuda(const json& row, const std::set<std::string>& inside) {
  const std::string name = nameOfRow(row).substr(std::string("aten::").size());
  return !isOnCudasList(name) && std::none_of(inside.begin(), inside.end(), isOnCudasList);
}

/// Whether a kernel that casts inside takes part: the op's, or that of one that it is made of. Shape rules run no
/// kernel, so that nothing was cast there in the recording.
bool castsInsideAKernel(const json& row, const std::set<std::string>& inside) {
  const auto calls_listed = [](const std::string& plain_name) {
    const std::size_t dot = plain_name.find('.');
    return policy::calls_listed(policy::Base::kCudaAmp, "aten::" + plain_name.substr(0, dot),
                                dot == std::string::npos ? "" : plain_name.substr(dot + 1));
  };
  return calls_listed(nameOfRow(row).substr(std::string("aten::").size())) ||
         std::any_of(inside.begin(), inside.end(), calls_listed);
}

}  // namespace

/// Every op of LibTorch that computes on floats, as a site of a graph, beside what Python's autocast gave.
class TestOpDtypes : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  void everyOpGivesTheDtypesThatPyTorchGives_data() {
    QTest::addColumn<QString>("device");
    QTest::newRow("the CPU list, as PyTorch ran it") << "cpu";
    QTest::newRow("the CUDA list, by PyTorch's shape rules for CUDA") << "cuda";
  }
  void everyOpGivesTheDtypesThatPyTorchGives() {
    QFETCH(const QString, device);
    Exceptions exceptions("op-dtypes-" + device.toStdString());
    std::set<std::string> ops;
    int cases = 0;
    int differing = 0;
    int unanswered = 0;
    int inside = 0;
    int elsewhere = 0;
    int kernels = 0;  // the CPU's gives other dtypes than CUDA's, of what it is given untouched
    for (const json& row : opRows()) {
      if (!isDispatched(row)) continue;
      for (const json& asked : row["cases"]) {
        if (asked["device"] != device.toStdString() || asked["low"].is_null()) continue;
        const std::string recorded = dtypesOf(asked);
        // Shape rules for CUDA refuse what their kernels do not have, and what was never asked of them.
        if (asked["device"] == "cuda" && recorded == "refused") {
          ++unanswered;
          continue;
        }
        at::manual_seed(1);
        const RowCall call = callOf(row, {.float32_as = dtypeOf(asked["in"])});
        const std::string ours = dtypesOf(runAsSite(call, policyOf(asked)));
        // The CPU has no kernel for every op that CUDA has one for.
        if (asked["device"] == "cuda" && ours == "refused") {
          ++unanswered;
          continue;
        }
        ++cases;
        ops.insert(nameOfRow(row));
        if (ours == recorded) continue;
        if (asked["device"] == "cuda") {
          const std::set<std::string> arrived = opsInside(call);
          if (castsInsideAKernel(row, arrived)) {
            ++inside;
            continue;
          }
          if (isUntouchedOnCuda(row, arrived) && ours == dtypesOf(call.run())) {
            ++kernels;
            continue;
          }
        }
        if (exceptions.excepts(idOf(row, asked))) continue;
        // Another processor may have no kernel for it: then LibTorch's own autocast refuses it here too.
        if (asked["device"] == "cpu" && ours == "refused" && dtypesOf(runNatively(call, asked)) == ours) {
          ++elsewhere;
          qInfo("%s: LibTorch itself refuses it on this processor", idOf(row, asked).c_str());
          continue;
        }
        if (++differing <= 600) {
          qInfo("%s: %s in place of %s", idOf(row, asked).c_str(), ours.c_str(), recorded.c_str());
        }
      }
    }
    qInfo(
        "%zu ops, %d calls, %d differ (%s; %d without an answer, %d cast inside a kernel, "
        "%d untouched as in PyTorch and computed otherwise by the CPU's kernel, %d that this processor lacks, "
        "%d excepted)",
        ops.size(), cases, differing, qPrintable(device), unanswered, inside, kernels, elsewhere, exceptions.total());
    QCOMPARE(exceptions.counted(), std::string());
    QCOMPARE(differing, 0);
    // What is not compared grows only where somebody has looked.
    QVERIFY(inside <= 150 && kernels <= 47 && elsewhere <= 8);
    if (isLikeTheRecordingMachine()) QCOMPARE(elsewhere, 0);
    QVERIFY(ops.size() > 1500);
  }

  /// Which kernels call listed ops: LibTorch is asked again, as `binade-engine probe` does, and the table says the
  /// same.
  void theTableOfInnerCallsIsWhatLibTorchShows() {
    const autocast::InnerCallAudit audit = autocast::audit_inner_calls();
    for (const auto& each : audit.differences) {
      qInfo("%s calls \"%s\"; the table says \"%s\"", each.op.c_str(), each.library.c_str(), each.table.c_str());
    }
    for (const std::string& op : audit.refused) qInfo("%s refuses its trial call", op.c_str());
    qInfo("%d ops asked, %d kernels call listed ops, the table differs in %zu", audit.ops, audit.calling,
          audit.differences.size());
    QVERIFY(!audit.drifts());
    QVERIFY(audit.ops > 1200);
    QVERIFY(audit.calling > 80);
  }

  /// What other calls of the ops show is in the table too.
  void noOtherCallShowsWhatTheTableLacks() {
    int wrong = 0;
    for (const json& row : opRows()) {
      if (!isDispatched(row)) continue;
      const auto op = c10::Dispatcher::singleton().findSchema({row["op"], row["overload"]});
      if (isMadeOfOthers(*op)) continue;
      const policy::InnerCalls* told =
          policy::inner_calls_of(row["op"].get<std::string>(), row["overload"].get<std::string>());
      const std::string calls = " " + (told == nullptr ? std::string() : std::string(told->calls)) + " ";
      for (const bool grad : {false, true}) {
        for (const std::string& inside : listedInside(callOf(row, {.require_grad = grad}))) {
          if (calls.find(" " + inside + " ") != std::string::npos) continue;
          ++wrong;
          qInfo("%s calls %s; the table says \"%s\"", nameOfRow(row).c_str(), inside.c_str(), calls.c_str());
        }
      }
    }
    QCOMPARE(wrong, 0);
  }

  /// As with a LibTorch whose kernels call others: the row, and the op without one, are named.
  void aTableOfAnotherLibTorchIsReported() {
    std::vector<policy::InnerCalls> table(policy::inner_calls().begin(), policy::inner_calls().end());
    std::erase_if(table, [](const auto& row) { return row.op == "affine_grid_generator" && row.overload.empty(); });
    const auto tril = std::find_if(table.begin(), table.end(),
                                   [](const auto& row) { return row.op == "_trilinear" && row.overload.empty(); });
    QVERIFY(tril != table.end());
    tril->calls = "mm";
    const autocast::InnerCallAudit audit = autocast::audit_inner_calls(table);
    QVERIFY(audit.drifts());
    QCOMPARE(audit.differences.size(), 2U);
    QCOMPARE(audit.differences[0].op, std::string("aten::_trilinear"));
    QCOMPARE(audit.differences[0].table, std::string("mm"));
    QCOMPARE(audit.differences[0].library, std::string("bmm"));
    QCOMPARE(audit.differences[1].op, std::string("aten::affine_grid_generator"));
    QCOMPARE(audit.differences[1].table, std::string());
    QCOMPARE(audit.differences[1].library, std::string("bmm"));
  }

  void anOpThatLibTorchDoesNotRunIsNamed() {
    const std::string_view lines[] = {R"json({"op":"aten::no_such_op","args":[]})json",
                                      R"json({"op":"aten::mm","args":[{"float32":[2,3]},{"float32":[2,3]}]})json",
                                      R"json({"op":"aten::relu","args":[{"float32":[2]}],"kwargs":{"gone":1}})json",
                                      R"json({"op":"aten::sum","args":["no tensor"]})json"};
    const autocast::InnerCallAudit audit = autocast::audit_inner_calls(policy::inner_calls(), lines);
    QCOMPARE(audit.refused, (std::vector<std::string>{"aten::mm", "aten::no_such_op", "aten::relu", "aten::sum"}));
    QCOMPARE(audit.ops, 0);
    QVERIFY(!audit.drifts());
  }

  /// A call that this processor refuses may be the one that calls the rest of the row.
  void whatWasRefusedInPartIsNoDrift() {
    std::vector<policy::InnerCalls> table(policy::inner_calls().begin(), policy::inner_calls().begin() + 1);
    table[0].op = "mm";
    table[0].overload = {};
    table[0].calls = "bmm";
    const std::string_view fits = R"json({"op":"aten::mm","args":[{"float32":[2,3]},{"float32":[3,2]}]})json";
    const std::string_view odd = R"json({"op":"aten::mm","args":[{"float32":[2,3]},{"float32":[2,3]}]})json";
    const std::string_view both[] = {fits, odd};
    const autocast::InnerCallAudit audit = autocast::audit_inner_calls(table, both);
    QVERIFY(!audit.drifts());
    QCOMPARE(audit.refused, std::vector<std::string>{"aten::mm"});
    const std::string_view one[] = {fits};
    QVERIFY(autocast::audit_inner_calls(table, one).drifts());
    table[0].calls = "";
    QVERIFY(!autocast::audit_inner_calls(table, both).drifts());
    QCOMPARE(autocast::audit_inner_calls(table, both).ops, 1);
  }

  /// No op of the loaded LibTorch is left out: it was called, or the table says that nobody could.
  void everyOpWasAskedOrIsMarked() {
    std::set<std::string> asked;
    for (const json& row : opRows()) asked.insert(nameOfRow(row));
    for (const std::string_view line : autocast::trial_lines()) asked.insert(autocast::op_of(line));
    int marked = 0;
    std::string forgotten;
    for (const c10::OperatorName& name : c10::Dispatcher::singleton().getAllOpNames()) {
      if (!name.name.starts_with("aten::") || asked.contains(fullName(name.name, name.overload_name))) continue;
      const auto op = c10::Dispatcher::singleton().findSchema(name);
      if (!op || isMadeOfOthers(*op)) continue;
      bool has_tensor = false;
      for (const c10::Argument& argument : op->schema().arguments()) {
        has_tensor = has_tensor || argument.type()->str().find("Tensor") != std::string::npos;
      }
      if (!has_tensor) continue;
      const policy::InnerCalls* row = policy::inner_calls_of(name.name, name.overload_name);
      if (row != nullptr && row->calls == "?") {
        ++marked;
      } else {
        forgotten += fullName(name.name, name.overload_name) + " ";
      }
    }
    qInfo("%zu ops asked, %d marked as never called", asked.size(), marked);
    QCOMPARE(forgotten, std::string());
  }
};

BINADE_SUITE(TestOpDtypes);
#include "tst_op_dtypes.moc"
