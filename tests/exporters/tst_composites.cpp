// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/tensors.h"
#include "tests/exporters/exported.h"
#include "tests/support/suite.h"

#include <algorithm>

using namespace binade;
using targets::Finding;

namespace {

bool says(const exporters::Baked& baked, Finding::Kind kind, const char* words) {
  return std::any_of(baked.findings.begin(), baked.findings.end(), [&](const Finding& finding) {
    return finding.kind == kind && finding.message.find(words) != std::string::npos;
  });
}

/// What einsum is given is float32 or bfloat16; its products are bfloat16 whichever comes.
constexpr const char* kProduct = R"(
def forward(self, x: Tensor, other: bool) -> Tensor:
    if other:
        x = torch.linear(x, self.weight)
    return torch.einsum('ij,kj->ik', [x, x])
)";

/// A cell's products are bfloat16; what it makes of them has the dtype of its state, which no cast around it tells.
constexpr const char* kCell = R"(
def forward(self, x: Tensor, other: bool) -> Tensor:
    h = x
    if other:
        h = torch.linear(x, self.weight)
    w = torch.cat([self.weight, self.weight, self.weight])
    return torch.gru_cell(x, h, w, w)
)";

/// What a GRU makes of its products has the dtype of its state: casts around it give another.
constexpr const char* kLayer = R"(
def forward(self, x: Tensor) -> Tensor:
    w = torch.cat([self.weight, self.weight, self.weight])
    h = torch.zeros([1, x.size(0), 8])
    y = torch.gru(x.unsqueeze(0), h, [w, w], False, 1, 0.0, True, False, False)[0]
    return torch.linear(y + x, self.weight)
)";

/// A kernel of its own that calls a matrix product inside. It makes the grid's points, `size` a side, in the dtype of
/// what it is given: of three they are -1, 0 and 1 in every format, of four bfloat16 has others than float32.
constexpr const char* kGrid = R"(
def forward(self, x: Tensor, size: int) -> Tensor:
    theta = torch.mul(x, self.weight)[:2, :6].reshape(2, 2, 3)
    return torch.affine_grid_generator(theta, [2, 1, size, size], True)
)";

/// A parameter that is cast itself, and as two views.
constexpr const char* kManyUses = R"(
def forward(self, x: Tensor) -> Tensor:
    a = torch.einsum('bi,ij->bj', [x, self.weight])
    b = torch.softmax(torch.matmul(x, self.weight), -1)
    c = torch.addmm(a, x, self.weight)
    w = self.weight.unsqueeze(0).expand([x.size(0), 8, 8])
    d = torch.bmm(x.unsqueeze(1), w).squeeze(1)
    return a + b + c + d
)";

/// A composite behind a branch that is not taken.
constexpr const char* kAside = R"(
def forward(self, x: Tensor, other: bool) -> Tensor:
    if other:
        return torch.einsum('ij,kj->ik', [x, self.weight])
    return torch.linear(x, self.weight)
)";

}  // namespace

// Ops that are made of others, where a branch goes otherwise than with the inputs of the export.
class TestComposites : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void castsAroundThatHoldForEveryDtypeAreExact() {
    const graph::Model model = test::modelOf(kProduct);
    const auto table = test::tableFor(model, test::cpuAmp());
    const at::Tensor x = at::rand({4, 8});
    for (const bool seen : {false, true}) {
      const exporters::Baked baked = exporters::bake(model, *table, {{x, seen}});
      QVERIFY(baked.exact());
      const exporters::Proof proof =
          exporters::prove(model, table, exporters::reloaded(baked.model), {{x, false}, {x, true}}, 7);
      QVERIFY2(proof.identical, proof.first_difference.c_str());
    }
  }

  void aKernelThatCallsListedOpsIsCastAround() {
    const graph::Model model = test::modelOf(kGrid);
    const auto table = test::tableFor(model, test::cpuAmp());
    const at::Tensor x = at::rand({8, 8});
    const exporters::Baked baked = exporters::bake(model, *table, {{x, 3}});
    QVERIFY(baked.exact());
    const graph::Model file = exporters::reloaded(baked.model);
    QCOMPARE(file.forward({x, 3}).toTensor().scalar_type(), at::kBFloat16);
    const exporters::Proof proof = exporters::prove(model, table, file, {{x, 3}}, 7);
    QVERIFY2(proof.identical, proof.first_difference.c_str());
    QVERIFY(proof.gradients_compared > 0);
  }

  /// The grid is float32 until the product casts it; no cast around the call has that.
  void aKernelThatNoCastAroundServesIsTold() {
    const graph::Model model = test::modelOf(kGrid);
    const auto table = test::tableFor(model, test::cpuAmp());
    const at::Tensor x = at::rand({8, 8});
    const exporters::Baked baked = exporters::bake(model, *table, {{x, 4}});
    QVERIFY(!baked.exact());
    QVERIFY(says(baked, Finding::Kind::kInexpressible, "which no cast around them replaces"));
    const graph::Model file = exporters::reloaded(baked.model);
    const exporters::Proof written = exporters::prove(model, baked.table, file, {{x, 4}}, 7);
    QVERIFY2(written.identical, written.first_difference.c_str());
    QVERIFY(!exporters::prove(model, table, file, {{x, 4}}, 7).identical);
    // So it is with inputs of both kinds.
    QVERIFY(!exporters::bake(model, *table, {{x, 3}, {x, 4}}).exact());
  }

  /// As the inputs have it the file is the engine; where the branch goes otherwise it need not be, and that is told.
  void whereNoCastAroundHoldsForBothItIsSaid() {
    const graph::Model model = test::modelOf(kCell);
    const auto table = test::tableFor(model, test::cpuAmp());
    const at::Tensor x = at::rand({4, 8});
    const exporters::Baked baked = exporters::bake(model, *table, {{x, true}});
    const exporters::Proof seen = exporters::prove(model, table, baked.model, {{x, true}}, 7);
    QVERIFY2(seen.identical, seen.first_difference.c_str());
    QVERIFY(!exporters::prove(model, table, baked.model, {{x, false}}, 7).identical);
    QVERIFY(says(baked, Finding::Kind::kInexpressible, "goes otherwise than with these inputs"));
  }

  /// The nearest is what a rule for the op call would do, and the file carries it out to the bit.
  void whereNoCastAroundServesTheNearestIsWritten() {
    const graph::Model model = test::modelOf(kLayer);
    const auto table = test::tableFor(model, test::cpuAmp());
    const at::Tensor x = at::rand({4, 8});
    const exporters::Baked baked = exporters::bake(model, *table, {{x}});
    QVERIFY(!baked.exact());
    QVERIFY(says(baked, Finding::Kind::kInexpressible, "which no cast around them replaces"));
    const graph::Model file = exporters::reloaded(baked.model);
    const exporters::Proof written = exporters::prove(model, baked.table, file, {{x}}, 7);
    QVERIFY2(written.identical, written.first_difference.c_str());
    QVERIFY(written.gradients_compared > 0);
    QVERIFY(!exporters::prove(model, table, file, {{x}}, 7).identical);
  }

  /// Inside, einsum casts a view of the parameter, which has a gradient of its own: all add up in the engine's order.
  void aParameterOfSeveralOpsHasItsGradientToTheBit() {
    const graph::Model model = test::modelOf(kManyUses);
    const auto table = test::tableFor(model, test::cpuAmp());
    at::manual_seed(3);
    const std::vector<std::vector<c10::IValue>> inputs{{at::randn({4, 8})}};
    const exporters::Baked baked = exporters::bake(model, *table, inputs);
    QVERIFY(baked.exact());
    const exporters::Proof written = exporters::prove(model, table, exporters::reloaded(baked.model), inputs, 7);
    QVERIFY2(written.identical, written.first_difference.c_str());
    QVERIFY(written.gradients_compared > 0);
  }

  void aProductThatDidNotRunIsToldAndGetsTheNearest() {
    const graph::Model model = test::modelOf(kAside);
    const auto table = test::tableFor(model, test::cpuAmp());
    const at::Tensor x = at::rand({4, 8});
    const exporters::Baked baked = exporters::bake(model, *table, {{x, false}});
    QVERIFY(!baked.exact());
    QVERIFY(says(baked, Finding::Kind::kInexpressible, "did not run with these inputs, and no trial tells"));
    const graph::Model file = exporters::reloaded(baked.model);
    QVERIFY(file.forward({x, true}).toTensor().scalar_type() == at::kBFloat16);
    // With inputs that take the branch it is known.
    const exporters::Baked known = exporters::bake(model, *table, {{x, false}, {x, true}});
    QVERIFY(known.exact());
    QVERIFY(exporters::prove(model, table, known.model, {{x, false}, {x, true}}, 7).identical);
  }
};

BINADE_SUITE(TestComposites);
#include "tst_composites.moc"
