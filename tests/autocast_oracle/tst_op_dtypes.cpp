// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/inner_calls.h"
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/op_calls.h"
#include "tests/support/suite.h"

#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <map>
#include <set>

using namespace binade;
using namespace binade::test;
using nlohmann::json;

namespace {

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

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
        // Shape rules run no kernel: what one calls inside was not cast there.
        if (asked["device"] == "cuda" && ours != recorded &&
            policy::calls_listed(policy::Base::kCudaAmp, row["op"].get<std::string>(),
                                 row["overload"].get<std::string>())) {
          ++inside;
          continue;
        }
        // The CPU has no kernel for every op that CUDA has one for.
        if (asked["device"] == "cuda" && ours == "refused") {
          ++unanswered;
          continue;
        }
        ++cases;
        ops.insert(nameOfRow(row));
        if (ours == recorded || exceptions.excepts(idOf(row, asked))) continue;
        if (++differing <= 60) {
          qInfo("%s: %s in place of %s", idOf(row, asked).c_str(), ours.c_str(), recorded.c_str());
        }
      }
    }
    qInfo("%zu ops, %d calls, %d differ (%s; %d without an answer, %d cast inside a kernel, %d excepted)", ops.size(),
          cases, differing, qPrintable(device), unanswered, inside, exceptions.total());
    QCOMPARE(exceptions.counted(), std::string());
    QCOMPARE(differing, 0);
    QVERIFY(ops.size() > 1500);
  }

  /// Which kernels call listed ops: LibTorch is asked again, and the table says the same.
  void theTableOfInnerCallsIsWhatLibTorchShows() {
    std::map<std::string, std::set<std::string>> found;
    for (const json& row : opRows()) {
      if (!isDispatched(row)) continue;
      for (const bool grad : {false, true}) {
        const std::set<std::string> inside = listedInside(callOf(row, {.require_grad = grad}));
        found[nameOfRow(row)].insert(inside.begin(), inside.end());
      }
    }
    int wrong = 0;
    int with_calls = 0;
    for (const auto& [name, inside] : found) {
      const std::size_t dot = name.find('.');
      const std::string op = name.substr(0, dot);
      const std::string overload = dot == std::string::npos ? "" : name.substr(dot + 1);
      const auto handle = c10::Dispatcher::singleton().findSchema({op, overload});
      if (!handle || isMadeOfOthers(*handle)) continue;
      std::set<std::string> others = inside;
      others.erase(name.substr(std::string("aten::").size()));
      const policy::InnerCalls* row = policy::inner_calls_of(op, overload);
      const std::string told = row == nullptr ? std::string() : std::string(row->calls);
      with_calls += others.empty() ? 0 : 1;
      if (told == joined(others)) continue;
      ++wrong;
      qInfo("%s calls \"%s\"; the table says \"%s\"", name.c_str(), joined(others).c_str(), told.c_str());
    }
    qInfo("%zu ops asked, %d kernels call listed ops, the table differs in %d", found.size(), with_calls, wrong);
    QCOMPARE(wrong, 0);
    QVERIFY(with_calls > 50);
  }

  /// No op of the loaded LibTorch is left out: it was called, or the table says that nobody could.
  void everyOpWasAskedOrIsMarked() {
    std::set<std::string> asked;
    for (const json& row : opRows()) asked.insert(nameOfRow(row));
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
