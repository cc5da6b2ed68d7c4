// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast/casting_run.h"
#include "tests/autocast_oracle/cast_plan.h"
#include "tests/autocast_oracle/golden_calls.h"
#include "tests/autocast_oracle/regions.h"
#include "tests/support/suite.h"

#include <ATen/Functions.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/generated/Functions.h>

#include <algorithm>
#include <optional>
#include <vector>

using namespace binade;
using namespace binade::test;
using nlohmann::json;
namespace nodes = torch::autograd::generated;

namespace {

at::Tensor leaf(at::ScalarType dtype, at::IntArrayRef shape = {8, 8}) {
  return at::rand(shape).add_(0.5).to(dtype).requires_grad_();
}

/// The CUDA list in float16, over tensors of the CPU.
json cudaList() {
  return enabledRegion("cuda", "float16");
}

/// Bytes that backward of a chain of products keeps.
struct Kept {
  std::size_t weights = 0;  ///< with their copies in another format
  std::size_t activations = 0;
};

Kept keptBy(const at::Tensor& input, const std::vector<at::Tensor>& weights, bool low) {
  std::optional<OurRegion> region;
  if (low) region.emplace(cudaList(), c10::kCPU);
  Kept kept;
  at::Tensor value = input;
  for (const at::Tensor& weight : weights) {
    value = at::mm(value, weight);
    auto* const mm = dynamic_cast<nodes::MmBackward0*>(value.grad_fn().get());
    if (mm == nullptr) return {};
    kept.activations += mm->self_.unpack().nbytes();
    const at::Tensor used = mm->mat2_.unpack();
    kept.weights += weight.nbytes() + (used.is_alias_of(weight) ? 0 : used.nbytes());
  }
  return kept;
}

/// Notes what every site gives.
class Dtypes : public graph::SiteHook {
 public:
  void after(graph::Call& call) override {
    if (call.result(0).isTensor()) seen.emplace_back(call.site.op, call.result(0).toTensor().scalar_type());
  }
  std::vector<std::pair<std::string, at::ScalarType>> seen;
};

}  // namespace

/// What single ops run in, keep for backward and hand on, without a word from the user.
class TestOpPrecision : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void logIsRaisedOnCudaAndFollowsOnTheCpu() {
    const at::Tensor half = leaf(at::kHalf);
    at::Tensor log;
    {
      const OurRegion region(cudaList(), c10::kCPU);
      log = at::log(half);
    }
    QCOMPARE(log.scalar_type(), at::kFloat);
    log.sum().backward();
    QCOMPARE(half.grad().scalar_type(), at::kHalf);
    const OurRegion region(enabledRegion("cpu", "bfloat16"), c10::kCPU);
    QCOMPARE(at::log(leaf(at::kBFloat16)).scalar_type(), at::kBFloat16);
  }

  /// Cast nodes, then the op's node: autograd sees both.
  void castsStandBeforeTheOpInTheGraph() {
    const OurRegion region(cudaList(), c10::kCPU);
    const at::Tensor product = at::mm(leaf(at::kFloat), leaf(at::kFloat));
    QCOMPARE(product.grad_fn()->name(), std::string("MmBackward0"));
    QCOMPARE(product.grad_fn()->next_edges().size(), 2U);
    for (const auto& edge : product.grad_fn()->next_edges()) {
      QCOMPARE(edge.function->name(), std::string("ToCopyBackward0"));
      QVERIFY(edge.function->next_edges()[0].function->name().ends_with("AccumulateGrad"));
    }
  }

  void whatIsSavedForBackwardHasTheDtypeOfTheCast() {
    const at::Tensor a = leaf(at::kFloat);
    const OurRegion region(cudaList(), c10::kCPU);
    const at::Tensor product = at::mm(a, leaf(at::kFloat));
    auto* const mm = dynamic_cast<nodes::MmBackward0*>(product.grad_fn().get());
    QVERIFY(mm != nullptr);
    const at::Tensor kept = mm->self_.unpack();
    QCOMPARE(kept.scalar_type(), at::kHalf);
    QCOMPARE(kept.nbytes() * 2, a.nbytes());
    const at::Tensor log = at::log(leaf(at::kHalf));
    auto* const node = dynamic_cast<nodes::LogBackward0*>(log.grad_fn().get());
    QVERIFY(node != nullptr);
    QCOMPARE(node->self_.unpack().scalar_type(), at::kFloat);
  }

  /// Activations halve. Weights stay in float32 and have copies beside them, so the whole saves less than half, and
  /// less than twice the batch fits into the same memory.
  void activationsHalveAndALargerBatchFits() {
    constexpr std::size_t kBatch = 256;
    const at::Tensor input = leaf(at::kFloat, {256, 32});
    const std::vector<at::Tensor> weights{leaf(at::kFloat, {32, 32}), leaf(at::kFloat, {32, 32}),
                                          leaf(at::kFloat, {32, 32})};
    const Kept wide = keptBy(input, weights, false);
    const Kept low = keptBy(input, weights, true);
    QCOMPARE(wide.activations, 3 * kBatch * 32 * sizeof(float));
    QCOMPARE(low.activations * 2, wide.activations);
    QCOMPARE(low.weights * 2, wide.weights * 3);
    const std::size_t memory = wide.weights + wide.activations;
    QVERIFY(low.weights + low.activations < memory && 2 * (low.weights + low.activations) > memory);
    const std::size_t batch = (memory - low.weights) * kBatch / low.activations;
    QVERIFY(batch > 3 * kBatch / 2 && batch < 2 * kBatch);
  }

  /// The 8 x 8 matrices of PyTorch's documentation.
  void matricesOfTheDocumentation() {
    const at::Tensor a = at::rand({8, 8});
    const at::Tensor b = at::rand({8, 8});
    const at::Tensor c = at::rand({8, 8});
    const at::Tensor d = at::rand({8, 8});
    at::Tensor e;
    at::Tensor f;
    {
      const OurRegion region(cudaList(), c10::kCPU);
      e = at::mm(a, b);
      f = at::mm(d, e);
      QCOMPARE(at::mm(c, e).scalar_type(), at::kHalf);
    }
    QCOMPARE(e.scalar_type(), at::kHalf);
    QCOMPARE(f.scalar_type(), at::kHalf);
    const at::Tensor g = at::mm(d, f.to(at::kFloat));
    QCOMPARE(g.scalar_type(), at::kFloat);
  }

  void outsideARegionMixedOperandsAreRefusedAndCastingBackIsFree() {
    at::Tensor low;
    {
      const OurRegion region(cudaList(), c10::kCPU);
      low = at::mm(at::rand({8, 8}), at::rand({8, 8}));
    }
    const at::Tensor wide = at::rand({8, 8});
    QVERIFY_THROWS_EXCEPTION(c10::Error, at::mm(wide, low));
    QVERIFY(wide.to(at::kFloat).is_same(wide));
    QCOMPARE(at::mm(wide, low.to(at::kFloat)).scalar_type(), at::kFloat);
  }

  /// Every listed op, in every mix of float32 and the region's dtype.
  void noMixOfFloat32AndTheLowDtypeIsRefused() {
    int rows = 0;
    int refused = 0;
    for (const json& row : oracleRows()) {
      const json& wanted = row["region"];
      if (row["device"] != "cpu" || row["policy"] == "unlisted" || !wanted["enabled"].get<bool>()) continue;
      const auto fits = [&wanted](const json& dtype) { return dtype == "float32" || dtype == wanted["dtype"]; };
      if (!std::all_of(row["in_dtypes"].begin(), row["in_dtypes"].end(), fits)) continue;
      ++rows;
      const RowCall call = callOf(row);
      const OurRegion region(wanted, c10::kCPU);
      const Answer answer = call.run();
      if (answer.ok) continue;
      ++refused;
      // Not for its dtypes: an empty list, a form that does not exist yet, an instruction set that is not there.
      const std::string op = fullName(row["op"], row["overload"]);
      QVERIFY2(op == "aten::index_copy.dimname" || op == "aten::mkldnn_rnn_layer" || row["variant"] == "empty",
               (op + ": " + answer.error).c_str());
    }
    QCOMPARE(rows, 994);
    QVERIFY(refused <= 52);  // all 42 of oneDNN's rows, where it has no low precision at all
  }

  /// The list of PyTorch's documentation.
  void the23OpsOfTheDocumentationRunLowOnCuda() {
    const std::vector<std::string> ops{"matmul",
                                       "addbmm",
                                       "addmm",
                                       "addmv",
                                       "addr",
                                       "baddbmm",
                                       "bmm",
                                       "chain_matmul",
                                       "linalg_multi_dot",
                                       "conv1d",
                                       "conv2d",
                                       "conv3d",
                                       "conv_transpose1d",
                                       "conv_transpose2d",
                                       "conv_transpose3d",
                                       "gru_cell",
                                       "linear",
                                       "lstm_cell",
                                       "mm",
                                       "mv",
                                       "prelu",
                                       "rnn_tanh_cell",
                                       "rnn_relu_cell"};
    const CastPlan plan(c10::DispatchKey::AutogradMeta);
    for (const std::string& op : ops) {
      int rows = 0;
      for (const json& row : oracleRows()) {
        if (row["device"] != "cuda" || row["op"] != "aten::" + op || !row["region"]["enabled"].get<bool>()) continue;
        const auto is_float32 = [](const json& dtype) { return dtype == "float32"; };
        if (!row.contains("cast") || !std::all_of(row["in_dtypes"].begin(), row["in_dtypes"].end(), is_float32))
          continue;
        ++rows;
        const RowCall call = callOf(row, {.device = c10::kMeta});
        QString wanted = QString::fromStdString(CastPlan::untouched(call).dump());
        wanted.replace(QLatin1String("float32"), QString::fromStdString(row["region"]["dtype"]));
        const OurRegion region(row["region"], c10::kMeta);
        QCOMPARE(plan.difference(json::parse(wanted.toStdString()), call), std::string());
      }
      QVERIFY2(rows > 0, op.c_str());
    }
  }

  void theCpuListLeavesVectorsAndCellStatesInFloat32() {
    const OurRegion region(enabledRegion("cpu", "bfloat16"), c10::kCPU);
    QCOMPARE(at::addr(at::rand({4, 4}), at::rand({4}), at::rand({4})).scalar_type(), at::kFloat);
    for (const char* name :
         {"mv f32 cpu (unlisted)", "addmv f32 cpu (unlisted)", "lstm_cell f32 cpu", "gru_cell f32 cpu"}) {
      for (const at::Tensor& result : cpuGoldenCalls().at(name)()) QCOMPARE(result.scalar_type(), at::kFloat);
    }
  }

  /// A graph without a word about precision: two matrix products in float16, then float32, each op by the list.
  void everyOpOfAnUnannotatedGraphGetsItsPrecision() {
    const std::string text =
        "def f(x: Tensor, w: Tensor) -> Tensor:\n"
        "    h = torch.mm(x, w)\n"
        "    y = torch.mm(torch.relu(h), w)\n"
        "    p = torch.softmax(y, 1)\n"
        "    return torch.log(p).sum()\n";
    CastingRun run(text, stock(policy::Base::kCudaAmp, formats::kFloat16));
    Dtypes dtypes;
    graph::SiteHook* hooks[] = {&run.casts(), &dtypes};
    run.casts().begin();
    run.flat().run({at::rand({4, 4}), at::rand({4, 4})}, hooks);
    run.casts().end();
    const std::vector<std::pair<std::string, at::ScalarType>> expected{
        {"aten::mm", at::kHalf},       {"aten::relu", at::kHalf}, {"aten::mm", at::kHalf},
        {"aten::softmax", at::kFloat}, {"aten::log", at::kFloat}, {"aten::sum", at::kFloat}};
    QVERIFY(dtypes.seen == expected);
  }

  void softmaxInFloat32IsNearerToTheTruth() {
    at::manual_seed(3);
    const at::Tensor x = at::randn({64, 256}).mul(4).to(at::kHalf);
    const at::Tensor truth = at::softmax(x.to(at::kDouble), 1);
    const auto error = [&truth](const at::Tensor& got) {
      return got.to(at::kDouble).sub(truth).abs().max().item<double>();
    };
    const double half = error(at::softmax(x, 1));
    const OurRegion region(cudaList(), c10::kCPU);
    const at::Tensor raised = at::softmax(x, 1);
    QCOMPARE(raised.scalar_type(), at::kFloat);
    QVERIFY2(error(raised) < half / 100, qPrintable(QString::number(half)));
  }
};

BINADE_SUITE(TestOpPrecision);
#include "tst_op_precision.moc"
