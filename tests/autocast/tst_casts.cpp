// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "tests/autocast/casting_run.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/rand.h>

using namespace binade;

namespace {

struct Row {
  const char* name;
  const char* body;    ///< of f(a, b, w): tensors of the dtypes given
  const char* dtypes;  ///< one letter for each of a, b, w: f float32, h float16, b bfloat16, d float64, i int64
  const char* result;  ///< a letter, or ! and what the refusal says
};

at::Tensor tensor(char dtype) {
  const at::Tensor values = at::rand({4, 4}).add_(0.5);
  switch (dtype) {
    case 'h':
      return values.to(at::kHalf);
    case 'b':
      return values.to(at::kBFloat16);
    case 'd':
      return values.to(at::kDouble);
    case 'i':
      return values.mul(4).to(at::kLong);
    default:
      return values;
  }
}

std::vector<c10::IValue> tensors(const char* dtypes) {
  at::manual_seed(5);
  return {tensor(dtypes[0]), tensor(dtypes[1]), tensor(dtypes[2])};
}

std::string function(const char* body) {
  return std::string("def f(a: Tensor, b: Tensor, w: Tensor) -> Tensor:\n    return ") + body + "\n";
}

char letter(at::ScalarType dtype) {
  switch (dtype) {
    case at::kFloat:
      return 'f';
    case at::kHalf:
      return 'h';
    case at::kBFloat16:
      return 'b';
    case at::kDouble:
      return 'd';
    case at::kLong:
      return 'i';
    default:
      return '?';
  }
}

// Result dtypes of PyTorch 2.11 under CUDA autocast to float16, recorded with FakeTensors on the CUDA key.
constexpr Row kCuda[] = {
    {"mm f32", "torch.mm(a, b)", "fff", "h"},
    {"mm f64", "torch.mm(a, b)", "ddd", "d"},
    {"mm int", "torch.mm(a, b)", "iii", "i"},
    {"linear", "torch.linear(a, w)", "fff", "h"},
    {"matmul bf16 inputs", "torch.matmul(a, b)", "bbb", "h"},
    {"addmm", "torch.addmm(a, b, w)", "fff", "h"},
    {"prelu", "torch.prelu(a, b[0])", "fff", "h"},
    {"softmax of half", "torch.softmax(a, 0)", "hhh", "f"},
    {"softmax of half, dtype said", "torch.softmax(a, 0, 5)", "hhh", "h"},
    {"softmax of double", "torch.softmax(a, 0)", "ddd", "d"},
    {"log_softmax", "torch.log_softmax(a, 0)", "hhh", "f"},
    {"sum of half", "torch.sum(a)", "hhh", "f"},
    {"sum of half, dtype said", "torch.sum(a, [0], dtype=5)", "hhh", "h"},
    {"sum of int", "torch.sum(a)", "iii", "i"},
    {"cumsum", "torch.cumsum(a, 0)", "hhh", "f"},
    {"norm", "torch.norm(a, 2)", "hhh", "f"},
    {"norm of double", "torch.norm(a, 2)", "ddd", "d"},
    {"norm along", "torch.norm(a, 2, [0], False)", "hhh", "f"},
    {"exp", "torch.exp(a)", "hhh", "f"},
    {"log", "torch.log(a)", "hhh", "f"},
    {"pow", "torch.pow(a, 2)", "hhh", "f"},
    {"reciprocal", "torch.reciprocal(a)", "hhh", "f"},
    {"layer_norm", "torch.layer_norm(a, [4])", "hhh", "f"},
    {"mse_loss", "torch.mse_loss(a, b)", "hhh", "f"},
    {"cross_entropy inside", "torch.cross_entropy_loss(a, torch.argmax(b, 1))", "hhh", "f"},
    {"binary_cross_entropy", "torch.binary_cross_entropy(a, b)", "hhh", "!unsafe"},
    {"addcmul widest", "torch.addcmul(a, b, w)", "hfh", "f"},
    {"addcmul half", "torch.addcmul(a, b, w)", "hhh", "h"},
    {"atan2", "torch.atan2(a, b)", "hfh", "f"},
    {"tensordot", "torch.tensordot(a, b, [1], [0])", "hfh", "f"},
    {"promote a foreign low", "torch.atan2(a, b)", "bhh", "!prioritize"},
    {"einsum", "torch.einsum('ij,jk->ik', [a, b])", "fff", "h"},
    {"relu follows", "torch.relu(a)", "hhh", "h"},
    {"add promotes natively", "torch.add(a, b)", "hfh", "f"},
    {"max of half", "torch.amax(a)", "hhh", "h"},
    {"batch_norm unlisted", "torch.batch_norm(a, None, None, None, None, True, 0.1, 1e-5, False)", "hhh", "h"},
};

}  // namespace

class TestCasts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cudaListGivesPyTorchsDtypes_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kCuda)); ++i) QTest::newRow(kCuda[i].name) << i;
  }
  void cudaListGivesPyTorchsDtypes() {
    QFETCH(int, index);
    const Row& row = kCuda[index];
    for (const policy::Execution execution : {policy::Execution::kNative, policy::Execution::kEmulated}) {
      test::CastingRun run(function(row.body), test::stock(policy::Base::kCudaAmp, formats::kFloat16, execution));
      if (row.result[0] == '!') {
        try {
          run.run(tensors(row.dtypes));
          QFAIL("it ran");
        } catch (const Error& error) {
          QVERIFY2(QString::fromStdString(error.what()).contains(QLatin1String(row.result + 1)), error.what());
        }
        continue;
      }
      const at::Tensor result = run.run(tensors(row.dtypes)).toTensor();
      QCOMPARE(letter(result.scalar_type()), row.result[0]);
    }
  }

  void cpuListIsLibTorchsOwnToTheBit_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("dtypes");
    const char* const bodies[] = {"torch.mm(a, b)",
                                  "torch.linear(a, w)",
                                  "torch.matmul(a, b)",
                                  "torch.addmm(a, b, w)",
                                  "torch.cat([a, b], 0)",
                                  "torch.stack([a, b])",
                                  "torch.mse_loss(a, b)",
                                  "torch.softmax(a, 0)",
                                  "torch.exp(a)",
                                  "torch.layer_norm(a, [4])",
                                  "torch.einsum('ij,jk->ik', [a, b])",
                                  "torch.tensordot(a, b, [1], [0])",
                                  "torch.cross_entropy_loss(a, torch.argmax(b, 1))",
                                  "torch.prod(a)",
                                  "torch.cdist(a, b)",
                                  "torch.huber_loss(a, b)",
                                  "torch.relu(a) + b",
                                  "torch.nll_loss(a, torch.argmax(b, 1))",
                                  "torch.chain_matmul([a, b, w])",
                                  "torch.vstack([a, b])",
                                  "torch.prelu(a, b[0])",
                                  "torch.smooth_l1_loss(a, b)",
                                  "torch.scaled_dot_product_attention(a[None, None], b[None, None], w[None, None])"};
    for (const char* body : bodies) {
      for (const char* dtypes : {"fff", "bbb", "fbf", "bfb", "ddd"}) {
        QTest::newRow(qPrintable(QString::fromLatin1(body) + QLatin1Char(' ') + QString::fromLatin1(dtypes)))
            << QString::fromLatin1(body) << QString::fromLatin1(dtypes);
      }
    }
  }
  void cpuListIsLibTorchsOwnToTheBit() {
    QFETCH(QString, body);
    QFETCH(QString, dtypes);
    test::CastingRun run(function(qPrintable(body)), test::stock(policy::Base::kCpuAmp, formats::kBFloat16));
    at::Tensor native;
    bool native_refuses = false;
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    try {
      native = run.flat().run_native(tensors(qPrintable(dtypes))).toTensor();
    } catch (const std::exception&) {
      native_refuses = true;
    }
    at::autocast::set_autocast_enabled(at::kCPU, false);
    at::autocast::clear_cache();
    if (native_refuses) {
      QVERIFY_THROWS_EXCEPTION(std::exception, run.run(tensors(qPrintable(dtypes))));
      return;
    }
    const at::Tensor ours = run.run(tensors(qPrintable(dtypes))).toTensor();
    QCOMPARE(letter(ours.scalar_type()), letter(native.scalar_type()));
    QVERIFY(ours.equal(native));
  }

  void followTakesTheWidestOfUnlistedArguments() {
    policy::Policy policy = test::stock(policy::Base::kCudaAmp, formats::kFloat16);
    policy.ops["aten::linear"] = policy::Treatment::kFollow;
    test::CastingRun run(function("torch.linear(a, w)"), policy);
    QCOMPARE(letter(run.run(tensors("hff")).toTensor().scalar_type()), 'f');
    QCOMPARE(letter(run.run(tensors("hbh")).toTensor().scalar_type()), 'h');
    QCOMPARE(letter(run.run(tensors("bfh")).toTensor().scalar_type()), 'f');  // float16 and bfloat16 meet in float32
  }

  /// PyTorch refuses: these ops check their arguments before they call the ops that its lists cast.
  void anOpMadeOfOthersThatRefusesSeveralDtypesIsWidened_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<QString>("dtype");
    QTest::newRow("bilinear") << QStringLiteral("torch.bilinear(a, b, torch.unsqueeze(w, 0))") << QStringLiteral("f");
    QTest::newRow("tensordot") << QStringLiteral("torch.tensordot(a, w, [1], [0])") << QStringLiteral("b");
    QTest::newRow("inner") << QStringLiteral("torch.inner(a, w)") << QStringLiteral("b");
    QTest::newRow("multi_dot") << QStringLiteral("torch.linalg_multi_dot([a, w])") << QStringLiteral("b");
    QTest::newRow("chain_matmul") << QStringLiteral("torch.chain_matmul([a, w])") << QStringLiteral("b");
    QTest::newRow("meshgrid") << QStringLiteral("torch.meshgrid([a[0], w[0]])[0]") << QStringLiteral("f");
    QTest::newRow("isclose") << QStringLiteral("torch.isclose(a, w).to(6)") << QStringLiteral("f");
  }
  void anOpMadeOfOthersThatRefusesSeveralDtypesIsWidened() {
    QFETCH(const QString, body);
    QFETCH(const QString, dtype);
    policy::Policy policy = test::stock(policy::Base::kCpuAmp, formats::kBFloat16);
    test::CastingRun as_pytorch(function(body.toUtf8().constData()), policy);
    QVERIFY_EXCEPTION_THROWN(as_pytorch.run(tensors("bbf")), Error);
    policy.behaviour = policy::Behaviour::kFixed;
    test::CastingRun run(function(body.toUtf8().constData()), policy);
    const at::Tensor result = run.run(tensors("bbf")).toTensor();
    QCOMPARE(QString(QLatin1Char(letter(result.scalar_type()))), dtype);
  }

  /// What the model's text asks of a dtype is done: the tensor that shows it has no say in what is computed.
  void aTensorThatOnlyShowsADtypeHasNoSay() {
    policy::Policy policy = test::stock(policy::Base::kCudaAmp, formats::kFloat16);
    policy.behaviour = policy::Behaviour::kFixed;
    policy.ops["aten::mul"] = formats::kFloat32;  // edited lists, under which unlisted ops take the widest
    for (const char* shown : {"a.type_as(w)", "a.to(w)"}) {
      test::CastingRun run(function(shown), policy);
      QCOMPARE(letter(run.run(tensors("ffh")).toTensor().scalar_type()), 'h');
      QCOMPARE(letter(run.run(tensors("hff")).toTensor().scalar_type()), 'f');
      const std::vector<c10::IValue> halves = tensors("hhb");
      const at::Tensor low = run.run(halves).toTensor();
      QVERIFY(low.equal(halves[0].toTensor().to(at::kBFloat16)));
    }
  }

  void aSiteRuleChangesOneCallOfALoop() {
    policy::Policy policy = test::stock(policy::Base::kAllFloat32, formats::kFloat16);
    policy::SiteRule rule;
    rule.match = "m/aten::matmul#0";
    rule.format = formats::kBFloat16;
    rule.call = 1;
    policy.sites.push_back(rule);
    test::CastingRun run(
        "def f(a: Tensor, b: Tensor) -> List[Tensor]:\n"
        "    out: List[Tensor] = []\n"
        "    for i in range(3):\n"
        "        out.append(torch.matmul(a, b))\n"
        "    return out\n",
        policy);
    const auto out = run.run({tensor('f'), tensor('f')}).toTensorVector();
    QCOMPARE(letter(out[0].scalar_type()), 'f');
    QCOMPARE(letter(out[1].scalar_type()), 'b');
    QCOMPARE(letter(out[2].scalar_type()), 'f');
    QCOMPARE(run.casts().most_calls(0), 3);
    run.casts().count_calls();
    QCOMPARE(run.casts().most_calls(0), 0);
  }

  void aNewPolicyTakesEffectInTheNextForward() {
    test::CastingRun run(function("torch.mm(a, b)"), test::stock(policy::Base::kAllFloat32, formats::kFloat16));
    QCOMPARE(letter(run.run(tensors("fff")).toTensor().scalar_type()), 'f');
    run.set(test::stock(policy::Base::kCudaAmp, formats::kBFloat16));
    QCOMPARE(letter(run.run(tensors("fff")).toTensor().scalar_type()), 'b');
    run.set(test::stock(policy::Base::kAllFloat32, formats::kFloat16));
    QCOMPARE(letter(run.run(tensors("fff")).toTensor().scalar_type()), 'f');
  }

  void gradientsComeBackInTheDtypeOfTheTensorTheyBelongTo() {
    test::CastingRun run(function("torch.mm(a, w)"), test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    const at::Tensor a = tensor('f').requires_grad_(true);
    const at::Tensor w = tensor('f').requires_grad_(true);
    const at::Tensor result = run.run({a, tensor('f'), w}).toTensor();
    result.sum().backward();
    QCOMPARE(letter(result.scalar_type()), 'h');
    QCOMPARE(letter(a.grad().scalar_type()), 'f');
    // The weight's gradient went through float16 on its way.
    QVERIFY(w.grad().to(at::kHalf).to(at::kFloat).equal(w.grad()));
  }

  void aChangedOpIsChangedInsideCompositesToo() {
    const char* const body = "torch.einsum('ij,jk->ik', [a, b])";  // unlisted on the CPU, bmm inside
    policy::Policy policy = test::stock(policy::Base::kCpuAmp, formats::kBFloat16);
    QCOMPARE(letter(test::CastingRun(function(body), policy).run(tensors("fff")).toTensor().scalar_type()), 'b');
    policy.ops["aten::bmm"] = formats::kFloat32;
    QCOMPARE(letter(test::CastingRun(function(body), policy).run(tensors("fff")).toTensor().scalar_type()), 'f');
    policy.ops["aten::bmm"] = policy::Treatment::kFollow;
    QCOMPARE(letter(test::CastingRun(function(body), policy).run(tensors("hhh")).toTensor().scalar_type()), 'h');
    policy.ops["aten::bmm"] = policy::Treatment::kBanned;
    QVERIFY_THROWS_EXCEPTION(Error, test::CastingRun(function(body), policy).run(tensors("fff")));
  }

  void nativeAutocastStaysOff() {
    test::CastingRun run(function("torch.cross_entropy_loss(a, torch.argmax(b, 1))"),
                         test::stock(policy::Base::kCudaAmp, formats::kFloat16));
    run.run(tensors("fff"));
    for (const at::DeviceType device : {at::kCPU, at::kCUDA, at::kPrivateUse1}) {
      QVERIFY(!at::autocast::is_autocast_enabled(device));
    }
    // Also when an op fails inside a composite.
    QVERIFY_EXCEPTION_THROWN(run.run({at::rand({4, 4}), at::rand({3, 4}), at::rand({1})}), Error);
    QVERIFY(!at::autocast::is_autocast_enabled(at::kPrivateUse1));
    QCOMPARE(letter(at::mm(tensor('f'), tensor('f')).scalar_type()), 'f');
  }
};

BINADE_SUITE(TestCasts);
#include "tst_casts.moc"
