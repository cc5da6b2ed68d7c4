// SPDX-License-Identifier: Apache-2.0
#include "engine/exporters/tensors.h"
#include "tests/exporters/exported.h"
#include "tests/support/suite.h"

#include <ATen/autocast_mode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/jit/passes/autocast.h>

using namespace binade;

namespace {

/// What LibTorch warns of while it lives.
class Warnings : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override { texts_.push_back(warning.msg()); }
  int of_autocast() const {
    int count = 0;
    for (const std::string& text : texts_) count += text.find("torch.autocast") != std::string::npos;
    return count;
  }

 private:
  std::vector<std::string> texts_;
  c10::WarningUtils::WarningHandlerGuard guard_{this};
};

/// LibTorch's own autocast for a device.
class Around {
 public:
  Around(c10::DeviceType device, bool enabled) : device_(device) {
    at::autocast::set_autocast_enabled(device, enabled);
    at::autocast::increment_nesting();
  }
  ~Around() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(device_, false);
  }
  Around(const Around&) = delete;
  Around& operator=(const Around&) = delete;

 private:
  c10::DeviceType device_;
};

/// A list that casts linear, and a rule that keeps this one in float32.
policy::Policy withRule() {
  policy::Policy policy = test::cpuAmp();
  policy.ops["aten::linear"] = formats::kFloat32;
  return policy;
}

constexpr const char* kLinear = R"(
def forward(self, x: Tensor) -> Tensor:
    return torch.linear(x, self.weight)
)";

}  // namespace

// An exported file inside torch.autocast: LibTorch's dispatcher casts the arguments of each op on its lists, whatever
// the file has cast before.
class TestAround : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  /// Why the file has to warn: no graph can keep the dispatcher off.
  void aRuleForFloat32IsLostInside() {
    const graph::Model model = test::modelOf(kLinear);
    const std::vector<c10::IValue> inputs{at::rand({4, 8})};
    const graph::Model file =
        exporters::reloaded(exporters::bake(model, *test::tableFor(model, withRule()), {inputs}).model);
    QCOMPARE(file.forward(inputs).toTensor().scalar_type(), at::kFloat);
    const Warnings warnings;
    const Around autocast(at::kCPU, true);
    QCOMPARE(file.forward(inputs).toTensor().scalar_type(), at::kBFloat16);
    QCOMPARE(warnings.of_autocast(), 1);
  }

  void theFileWarnsWhereAutocastIsOn_data() {
    QTest::addColumn<bool>("cuda");
    QTest::addColumn<bool>("enabled");
    QTest::newRow("autocast for the CPU") << false << true;
    QTest::newRow("autocast for CUDA, which casts no tensor of the CPU") << true << true;
    QTest::newRow("autocast for the CPU, switched off") << false << false;
    QTest::newRow("autocast for CUDA, switched off") << true << false;
  }
  void theFileWarnsWhereAutocastIsOn() {
    QFETCH(const bool, cuda);
    QFETCH(const bool, enabled);
    const graph::Model model = test::modelOf(kLinear);
    const std::vector<c10::IValue> inputs{at::rand({4, 8})};
    const graph::Model file =
        exporters::reloaded(exporters::bake(model, *test::tableFor(model, withRule()), {inputs}).model);
    const Warnings warnings;
    const Around autocast(cuda ? at::kCUDA : at::kCPU, enabled);
    for (int i = 0; i < 3; ++i) static_cast<void>(file.forward(inputs));
    const int each = enabled && !cuda ? 3 : 0;
    QCOMPARE(warnings.of_autocast(), each);
    // The optimising executor with TorchScript's own autocast pass, as Python runs it. In 2.11 the pass crashes where a
    // graph asks whether autocast is on.
    const bool pass_was_on = torch::jit::setAutocastMode(true);
    torch::jit::Module module = exporters::reloaded(file).module();
    for (int i = 0; i < 3; ++i) static_cast<void>(module.forward(inputs));
    torch::jit::setAutocastMode(pass_was_on);
    QCOMPARE(warnings.of_autocast(), 2 * each);
  }

  void outsideItIsSilent() {
    const graph::Model model = graph::make_sample("cnn", 3);
    const auto inputs = test::inputsOf("cnn");
    const exporters::Baked baked = exporters::bake(model, *test::tableFor(model, test::cpuAmp()), {inputs});
    const Warnings warnings;
    static_cast<void>(exporters::reloaded(baked.model).forward(inputs));
    QCOMPARE(warnings.of_autocast(), 0);
  }

  /// What the first file looks at is no op call of its model.
  void aFileThatIsExportedAgainHasOneWarning() {
    const graph::Model model = test::modelOf(kLinear);
    const std::vector<c10::IValue> inputs{at::rand({4, 8})};
    const graph::Model once =
        exporters::reloaded(exporters::bake(model, *test::tableFor(model, withRule()), {inputs}).model);
    QCOMPARE(graph::FlatGraph(once).sites().size(), 1U);  // the linear
    const exporters::Baked again = exporters::bake(once, *test::tableFor(once, withRule()), {inputs});
    const graph::Model file = exporters::reloaded(again.model);
    const Warnings warnings;
    static_cast<void>(file.forward(inputs));
    QCOMPARE(warnings.of_autocast(), 0);
    const Around autocast(at::kCPU, true);
    static_cast<void>(file.forward(inputs));
    QCOMPARE(warnings.of_autocast(), 1);
  }
};

BINADE_SUITE(TestAround);
#include "tst_around.moc"
