// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>

#include <map>
#include <set>

using namespace binade::test;
using nlohmann::json;

namespace {

/// What a training would see of one call: the results, and the gradient of every input.
struct Step {
  Answer answer;
  std::string backward_error;
  std::vector<at::Tensor> gradients;  ///< undefined where an input has none
};

/// Forward in a region, backward after it: half the sum of the squares of all floating results.
template <class Region, class... Arguments>
Step stepIn(const json& row, Arguments... arguments) {
  at::manual_seed(1);
  const RowCall call = callOf(row, {.require_grad = true});
  Step step;
  {
    const Region region(row["region"], arguments...);
    step.answer = call.run();
  }
  if (!step.answer.ok) return step;
  at::Tensor loss;
  for (const at::Tensor& out : tensorsIn(step.answer.results)) {
    if (!out.requires_grad() || !(out.is_floating_point() || out.is_complex())) continue;
    const at::Tensor real = out.is_complex() ? out.abs() : out;
    const at::Tensor part = real.to(at::kDouble).square().sum();
    loss = loss.defined() ? loss.add(part) : part;
  }
  if (!loss.defined()) return step;
  try {
    loss.backward();
  } catch (const c10::Error& error) {
    step.backward_error = error.what_without_backtrace();
  }
  for (const at::Tensor& input : tensorsIn(call.arguments)) step.gradients.push_back(input.grad());
  return step;
}

}  // namespace

/// Our region beside LibTorch's own autocast, in one process on the same inputs.
class TestNativeBeside : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  /// Every op of the CPU list and every unlisted one that the oracle has, in every mix of dtypes.
  void outputsAndGradientsAreLibTorchsOwnToTheBit() {
    Exceptions unset("beside-bits");
    Exceptions workspace("beside-workspace");
    int rows = 0;
    int with_gradients = 0;
    int differing = 0;
    std::set<std::string> ops;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cpu" || !row["region"]["enabled"].get<bool>()) continue;
      ++rows;
      if (unset.excepts(row["id"])) continue;
      const Step ours = stepIn<OurRegion>(row, c10::kCPU);
      const Step native = stepIn<NativeRegion>(row);
      const std::size_t results = workspace.excepts(row["id"]) ? kWithoutWorkspace : SIZE_MAX;
      std::string found = difference(native.answer, ours.answer, results);
      if (found.empty() && ours.backward_error != native.backward_error) {
        found = "backward says \"" + ours.backward_error + "\" in place of \"" + native.backward_error + "\"";
      }
      for (std::size_t i = 0; found.empty() && i < ours.gradients.size(); ++i) {
        if (!sameBits(ours.gradients[i], native.gradients[i])) found = "gradient " + std::to_string(i) + " differs";
      }
      for (const at::Tensor& gradient : ours.gradients) {
        if (!gradient.defined()) continue;
        ++with_gradients;
        ops.insert(fullName(row["op"], row["overload"]));
        break;
      }
      if (found.empty()) continue;
      if (++differing <= 40) qInfo("%s: %s", row["id"].get<std::string>().c_str(), found.c_str());
    }
    qInfo(
        "%d oracle rows, %d differ (beside LibTorch's own autocast here; %d with gradients, of %zu ops; %d and %d "
        "excepted)",
        rows, differing, with_gradients, ops.size(), unset.total(), workspace.total());
    QCOMPARE(unset.counted(), std::string());
    QCOMPARE(workspace.counted(), std::string());
    QCOMPARE(rows, 4406);
    QCOMPARE(differing, 0);
    QVERIFY(with_gradients > 2000);
    QVERIFY(ops.size() > 100);
  }

  /// Casts lie above autograd: a float32 leaf has a float32 gradient whatever its op ran in (S0-13).
  void aFloat32LeafHasAFloat32Gradient() {
    int leaves = 0;
    for (const json& row : oracleRows()) {
      if (row["device"] != "cpu" || row["policy"] != "lower_precision_fp") continue;
      if (!row["region"]["enabled"].get<bool>()) continue;
      for (const json& dtype : row["in_dtypes"]) {
        if (dtype != "float32") goto next;
      }
      for (const at::Tensor& gradient : stepIn<OurRegion>(row, c10::kCPU).gradients) {
        if (!gradient.defined()) continue;
        ++leaves;
        QCOMPARE(gradient.scalar_type(), at::kFloat);
      }
    next:;
    }
    QVERIFY(leaves > 50);
  }
};

BINADE_SUITE(TestNativeBeside);
#include "tst_native_beside.moc"
