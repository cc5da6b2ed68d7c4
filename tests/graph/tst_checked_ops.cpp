// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/model.h"
#include "tests/graph/text_model.h"
#include "tests/graph/zip_records.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/ops/ones.h>

using namespace binade;

namespace {

std::string checkedFile() {
  static const std::string made = test::temporaryFolder().toStdString() + "/checked.pt";
  return made;
}

}  // namespace

class CheckedOps : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anArgumentThatEndsTheProcessIsRefused_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("op");
    QTest::addColumn<bool>("refused");
    const auto row = [](const char* name, const char* expression, const char* op, bool refused = true) {
      QTest::newRow(name) << QString::fromUtf8(expression) << QString::fromUtf8(op) << refused;
    };
    row("floordiv by 0", "torch.floordiv(n, z)", "aten::floordiv");
    row("floordiv overflows", "torch.floordiv(low, m)", "aten::floordiv");
    row("remainder by 0", "torch.remainder(n, z)", "aten::remainder");
    row("remainder overflows", "torch.remainder(low, m)", "aten::remainder");
    row("round to zero by 0", "torch.__round_to_zero_floordiv(n, z)", "aten::__round_to_zero_floordiv");
    row("round to zero overflows", "torch.__round_to_zero_floordiv(low, m)", "aten::__round_to_zero_floordiv");
    row("divmod overflows", "(torch.divmod(low, m))[0]", "aten::divmod");
    row("gcd overflows", "torch.gcd(low, m)", "aten::gcd");
    row("gcd overflows the other way round", "torch.gcd(m, low)", "aten::gcd");
    row("constants", "torch.floordiv(5, 0)", "aten::floordiv");
    row("constants that overflow", "torch.remainder(torch.sub(-9223372036854775807, 1), -1)", "aten::remainder");
    row("a number that is no dtype", "torch.zeros([2, 3], dtype=m)", "aten::zeros");
    row("a number beyond all dtypes", "torch.to(x, torch.mul(n, 50))", "aten::to");
    row("a number that is no memory format", "torch.clone(x, memory_format=50)", "aten::clone");
    row("a number that is no layout", "torch.zeros([2, 3], dtype=6, layout=-3)", "aten::zeros");
    row("weight_norm of nothing", "torch._weight_norm(torch.zeros([0, 3]), torch.zeros([0, 1]), 0)",
        "aten::_weight_norm");
    row("weight_norm with other sizes", "torch._weight_norm(torch.ones([4, 3]), torch.ones([0, 1]), 0)",
        "aten::_weight_norm");
    row("weight_norm", "torch._weight_norm(torch.ones([2, 3]), torch.ones([2, 1]), 0)", "", false);
    row("a packed sequence with a negative batch",
        "(torch._pad_packed_sequence(torch.ones([8, 3]), torch.tensor([2, -100000]), False, 0., -1))[0]",
        "aten::_pad_packed_sequence");
    row("a packed sequence that grows",
        "(torch._pad_packed_sequence(torch.ones([5, 3]), torch.tensor([2, 3]), False, 0., -1))[0]",
        "aten::_pad_packed_sequence");
    row("a packed sequence",
        "torch.sum((torch._pad_packed_sequence(torch.ones([3, 3]), torch.tensor([2, 1]), False, 0., -1))[0])", "",
        false);
    row("repeats beyond the output", "torch.repeat_interleave(torch.tensor([1000000, 1000000]), output_size=1)",
        "aten::repeat_interleave");
    row("repeats of a tensor beyond the output",
        "torch.repeat_interleave(torch.ones([2, 3]), torch.tensor([1000000]), 0, output_size=1)",
        "aten::repeat_interleave");
    row("repeats", "torch.sum(torch.repeat_interleave(torch.ones([2, 3]), torch.tensor([2]), 0, output_size=4))", "",
        false);
    row("repeats of all", "torch.sum(torch.repeat_interleave(torch.ones([2, 3]), torch.tensor([2]), output_size=12))",
        "", false);
    row("repeats of each",
        "torch.sum(torch.repeat_interleave(torch.ones([2, 3]), torch.tensor([2, 1]), 0, "
        "output_size=3))",
        "", false);
    row("bags by no mode",
        "(torch.embedding_bag(torch.ones([5, 3]), torch.tensor([0, 1]), torch.tensor([0]), False, "
        "7))[0]",
        "aten::embedding_bag");
    row("bags that fall",
        "(torch.embedding_bag(torch.ones([5, 3]), torch.tensor([0, 1, 2]), torch.tensor([0, 2, -9])))"
        "[0]",
        "aten::embedding_bag");
    row("bags",
        "torch.sum((torch.embedding_bag(torch.ones([5, 3]), torch.tensor([0, 1, 2]), torch.tensor([0, 2])))[0])", "",
        false);
    const std::string ctc = "torch.ctc_loss(torch.ones([4, 1, 5]), torch.tensor([[1, %1]]), [4], [%2], 0, 1, False)";
    const auto with_label = [&](const char* label, const char* count) {
      return QString::fromStdString(ctc).arg(QString::fromUtf8(label), QString::fromUtf8(count)).toStdString();
    };
    row("a label beyond the classes", with_label("1099511627776", "2").c_str(), "aten::ctc_loss");
    row("a label below the classes", with_label("-1", "2").c_str(), "aten::ctc_loss");
    row("padding of labels", with_label("-1", "1").c_str(), "", false);
    row("a batch norm of other channels",
        "(torch.native_batch_norm(torch.ones([2, 3, 4]), None, None, torch.ones([0]), torch.ones([3]), True, 0.1, "
        "1e-05))[0]",
        "aten::native_batch_norm");
    row("a batch norm without statistics in eval",
        "(torch.native_batch_norm(torch.ones([2, 3, 4]), None, None, None, None, False, 0.1, 1e-05))[0]",
        "aten::native_batch_norm");
    row("a batch norm without statistics in train",
        "torch.sum((torch.native_batch_norm(torch.ones([2, 3, 4]), None, None, None, None, True, 0.1, 1e-05))[0])", "",
        false);
    row("eigenvalues of a NaN, by the inner op", "torch.real(torch._linalg_eigvals(torch.div(torch.zeros([3, 3]), 0)))",
        "aten::_linalg_eigvals");
    row("eigenvalues of an infinity", "torch.real(torch.linalg_eigvals(torch.div(torch.ones([3, 3]), 0)))",
        "aten::linalg_eigvals");
    row("eigenvalues", "torch.sum(torch.real(torch.linalg_eigvals(torch.ones([3, 3]))))", "", false);
    row("truncated division overflows",
        "torch.div(torch.tensor([low, 1]), torch.tensor([m, m]), rounding_mode=\"trunc\")", "aten::div");
    row("truncated division by a number overflows", "torch.div(torch.tensor([low, 1]), m, rounding_mode=\"trunc\")",
        "aten::div");
    row("truncated division",
        "torch.sum(torch.div(torch.tensor([low, 1]), torch.tensor([n, m]), rounding_mode=\"trunc\"))", "", false);
    const char* const int32 = "torch.tensor([-2147483648], dtype=3)";
    row("truncated division by a number that is -1 in 32 bits",
        (std::string("torch.div(") + int32 + ", 4294967295, rounding_mode=\"trunc\")").c_str(), "aten::div");
    row("truncated division of a number that is the lowest in 32 bits",
        "torch.div(torch.tensor(2147483648), torch.tensor([-1], dtype=3), rounding_mode=\"trunc\")", "aten::div");
    row("lcm of a number that is the lowest in 32 bits",
        "torch.sum(torch.lcm(torch.tensor(2147483648), torch.tensor([2147483647], dtype=3)))", "aten::lcm");
    row("truncated division in 32 bits",
        (std::string("torch.sum(torch.div(") + int32 + ", 4294967294, rounding_mode=\"trunc\"))").c_str(), "", false);
    row("lcm overflows", "torch.sum(torch.lcm(torch.tensor([low]), torch.tensor([7])))", "aten::lcm");
    row("lcm", "torch.sum(torch.lcm(torch.tensor([low, 6]), torch.tensor([0, 4])))", "", false);
    const std::string recurrent =
        "torch.sum((torch.%1(torch.ones(%2), %3, [torch.ones([%4, 3]), torch.ones([%4, 4]), torch.ones([%4]), "
        "torch.ones([%4])], True, 1, 0., False, False, False))[0])";
    const auto layer = [&](const char* op, const char* input, const char* state, int cells) {
      return QString::fromStdString(recurrent)
          .arg(QString::fromUtf8(op), QString::fromUtf8(input), QString::fromUtf8(state))
          .arg(cells)
          .toStdString();
    };
    const char* const states = "[torch.ones([1, 2, 4]), torch.ones([1, 2, 4])]";
    row("an LSTM of another batch", layer("lstm", "[5, 3, 3]", states, 16).c_str(), "aten::lstm");
    row("an LSTM of other features", layer("lstm", "[5, 2, 7]", states, 16).c_str(), "aten::lstm");
    row("an LSTM of four dimensions", layer("lstm", "[1, 5, 2, 3]", states, 16).c_str(), "aten::lstm");
    row("an LSTM of other weights", layer("lstm", "[5, 2, 3]", states, 12).c_str(), "aten::lstm");
    row("an LSTM", layer("lstm", "[5, 2, 3]", states, 16).c_str(), "", false);
    row("a GRU of another state", layer("gru", "[5, 2, 3]", "torch.ones([3, 2, 4])", 12).c_str(), "aten::gru");
    row("a GRU", layer("gru", "[5, 2, 3]", "torch.ones([1, 2, 4])", 12).c_str(), "", false);
    row("an RNN of other features", layer("rnn_tanh", "[5, 2, 4]", "torch.ones([1, 2, 4])", 4).c_str(),
        "aten::rnn_tanh");
    row("an RNN", layer("rnn_relu", "[5, 2, 3]", "torch.ones([1, 2, 4])", 4).c_str(), "", false);
    row("a packed GRU whose batches are none",
        "torch.sum((torch.gru(torch.ones([3, 3]), torch.tensor([0, 3]), torch.ones([1, 2, 4]), [torch.ones([12, 3]), "
        "torch.ones([12, 4])], False, 1, 0., False, False))[0])",
        "aten::gru");
    row("a packed GRU",
        "torch.sum((torch.gru(torch.ones([3, 3]), torch.tensor([2, 1]), torch.ones([1, 2, 4]), [torch.ones([12, 3]), "
        "torch.ones([12, 4])], False, 1, 0., False, False))[0])",
        "", false);
    row("a softmax of nothing under a mask",
        "torch.sum(torch._masked_softmax(torch.ones([2, 0]), torch.ne(torch.ones([2, 0]), 1), 1, 2))",
        "aten::_masked_softmax");
    row("heads of attention",
        "(torch._native_multi_head_attention(torch.ones([2, 3, 4]), torch.ones([2, 3, 4]), torch.ones([2, 3, 4]), 4, "
        "z, torch.ones([12, 4]), torch.ones([12]), torch.ones([4, 4]), torch.ones([4])))[0]",
        "aten::_native_multi_head_attention");
    row("a pad that overflows",
        "torch.replication_pad2d(torch.ones([1, 1, 4, 4]), [9223372036854775807, "
        "9223372036854775807, 0, 0])",
        "aten::replication_pad2d");
    row("a pad", "torch.sum(torch.replication_pad2d(torch.ones([1, 1, 4, 4]), [1, 1, 0, 0]))", "", false);
    row("a pool without end", "torch.max_pool1d(torch.ones([1, 2, 6]), [9223372036854775807], [2])",
        "aten::max_pool1d");
    row("a power without end", "torch.linalg_matrix_power(torch.ones([3, 3]), low)", "aten::linalg_matrix_power");
    row("a text replaced without end", "torch.len(torch.replace(\"ab\", \"\", \"c\"))", "aten::replace");
    row("a text counted without end", "torch.count(\"ab\", \"\")", "aten::count");
    row("a text split without end", "torch.len(torch.rsplit(\"ab\", \"\"))", "aten::rsplit");
    row("a text filled without end", "torch.len(torch.center(\"ab\", m))", "aten::center");
    row("a text filled for long", "torch.len(torch.ljust(\"ab\", low))", "aten::ljust");
    row("a text", "torch.add(torch.len(torch.replace(\"ab\", \"a\", \"c\")), torch.count(\"ab\", \"b\"))", "", false);
    row("an optional number that is no dtype", "torch.to(x, annotate(Optional[int], torch.sub(m, 1)), False, False)",
        "aten::to");
    row("an optional number that is no dtype, on a device",
        "torch.to(x, annotate(Optional[Device], None), annotate(Optional[int], m), False, False)", "aten::to");
    row("an optional dtype", "torch.to(x, annotate(Optional[int], 6), False, False)", "", false);
    row("no dtype and no device", "torch.to(x, annotate(Optional[Device], None), annotate(Optional[int], None))", "",
        false);
    row("a pad by its number of a mode",
        "torch._pad_enum(torch.ones([1, 1, 4, 4]), [9223372036854775807, 9223372036854775807, 0, 0], 1)",
        "aten::_pad_enum");
    for (const char* const op : {"scaled_dot_product_attention", "_scaled_dot_product_attention_math"}) {
      const bool math = op[0] == '_';
      const auto attention = [&](const char* heads) {
        return std::string(math ? "torch.sum((torch." : "torch.sum(torch.") + op +
               "(torch.ones([1, 2, 3, 4]), torch.ones([1, " + heads + ", 3, 4]), torch.ones([1, " + heads +
               ", 3, 4]), enable_gqa=True)" + (math ? ")[0])" : ")");
      };
      row((std::string(op) + " of no heads").c_str(), attention("0").c_str(), (std::string("aten::") + op).c_str());
      row((std::string(op) + " of one head").c_str(), attention("1").c_str(), "", false);
    }
    row("zeta from far below 0", "torch.sum(torch.special_zeta(torch.mul(x, 2), -1000000000000.5))",
        "aten::special_zeta");
    row("zeta", "torch.sum(torch.special_zeta(torch.mul(x, 2), -10.5))", "", false);
    row("zeta of a pole far below 0", "torch.sum(torch.special_zeta(torch.mul(x, 2), -1000000000000.))", "", false);
    row("polygamma from far below 0",
        "torch.sum(torch.polygamma(2, torch.sub(torch.zeros([2], dtype=7), 1000000000000.5)))", "aten::polygamma");
    row("digamma from far below 0",
        "torch.sum(torch.polygamma(0, torch.sub(torch.zeros([2], dtype=7), 1000000000000.5)))", "", false);
    row("a pad of no numbers", "torch.reflection_pad3d(torch.ones([1, 1, 3, 3, 3]), annotate(List[int], []))",
        "aten::reflection_pad3d");
    row("a pad of six numbers", "torch.sum(torch.reflection_pad3d(torch.ones([1, 1, 3, 3, 3]), [1, 1, 1, 1, 1, 1]))",
        "", false);
    row("no tensors to align", "torch.len(torch.align_tensors(annotate(List[Tensor], [])))", "aten::align_tensors");
    row("names to align before the first", "torch.align_to(x, annotate(List[str], []), m)", "aten::align_to");
    row("names to align beyond the last", "torch.align_to(x, annotate(List[str], []), 1)", "aten::align_to");
    const std::string observed =
        "(torch.%1(torch.ones([4, 3]), torch.tensor([1]), torch.tensor([1]), torch.zeros([%2]), torch.ones([%3]), "
        "torch.ones([%4]), torch.zeros([%4], dtype=3), 0.01, 0, 255, 0, %5))";
    const auto observer = [&](const char* op, const char* low, const char* high, const char* scales, const char* rows) {
      return QString::fromStdString(observed)
          .arg(QString::fromUtf8(op), QString::fromUtf8(low), QString::fromUtf8(high), QString::fromUtf8(scales),
               QString::fromUtf8(rows))
          .toStdString();
    };
    const char* const helper = "_fused_moving_avg_obs_fq_helper";
    row("an observer without a minimum", (observer(helper, "0", "1", "1", "False") + "[0]").c_str(),
        "aten::_fused_moving_avg_obs_fq_helper");
    row("an observer without a maximum", (observer(helper, "1", "0", "1", "False") + "[0]").c_str(),
        "aten::_fused_moving_avg_obs_fq_helper");
    row("an observer of fewer rows", (observer(helper, "1", "1", "4", "True") + "[0]").c_str(),
        "aten::_fused_moving_avg_obs_fq_helper");
    row("a composite observer without a minimum",
        observer("fused_moving_avg_obs_fake_quant", "0", "0", "1", "False").c_str(),
        "aten::fused_moving_avg_obs_fake_quant");
    row("an observer", ("torch.sum(" + observer(helper, "1", "1", "1", "False") + "[0])").c_str(), "", false);
    row("an observer of rows", ("torch.sum(" + observer(helper, "4", "4", "4", "True") + "[0])").c_str(), "", false);
    row("an observer that makes room", ("torch.sum(" + observer(helper, "0", "0", "0", "True") + "[0])").c_str(), "",
        false);
    row("random numbers without end", "torch.random_(torch.ones([2, 3]), 9223372036854775807, None)", "aten::random_");
    row("random numbers", "torch.random_(torch.ones([2, 3]), 0, None)", "", false);
    row("random integers", "torch.random_(torch.tensor([1]), 9223372036854775807, None)", "", false);
    row("a polynomial without end", "torch.special_legendre_polynomial_p(torch.mul(x, 0.5), 4611686018427387904)",
        "aten::special_legendre_polynomial_p");
    row("a polynomial of a tensor without end",
        "torch.special_laguerre_polynomial_l(0.5, torch.mul(torch.ones([2, 3]), 1e+18))",
        "aten::special_laguerre_polynomial_l");
    row("a polynomial", "torch.special_legendre_polynomial_p(torch.mul(x, 0.5), torch.tensor([2, 3, 0]))", "", false);
    row("coins without end", "torch.binomial(torch.div(torch.zeros([2]), 0), torch.div(torch.ones([2]), 2))",
        "aten::binomial");
    row("coins that are not tossed", "torch.sum(torch.binomial(torch.div(torch.zeros([2]), 0), torch.ones([2])))", "",
        false);
    row("bins below none", "(torch.choose_qparams_optimized(torch.ones([3]), 3, m, 0.16, 8))[0]",
        "aten::choose_qparams_optimized");
    row("bins", "(torch.choose_qparams_optimized(torch.ones([3]), 3, 200, 0.16, 8))[0]", "", false);
    row("an op of any arguments that is given none", "torch.len(ops.prim.tolist())", "", false);
    row("a dtype", "torch.zeros([2, 3], dtype=torch.add(n, 4))", "", false);
    row("gcd of the lowest", "torch.gcd(low, n)", "", false);
    row("floordiv by -1", "torch.floordiv(n, m)", "", false);
    row("remainder of 0", "torch.remainder(z, n)", "", false);
    row("gcd with 0", "torch.gcd(n, z)", "", false);
  }
  void anArgumentThatEndsTheProcessIsRefused() {
    QFETCH(QString, expression);
    QFETCH(QString, op);
    QFETCH(bool, refused);
    const std::string body =
        "    n = torch.len(torch.size(x))\n"
        "    z = torch.sub(n, n)\n"
        "    m = torch.sub(z, 1)\n"
        "    low = torch.sub(torch.sub(z, 9223372036854775807), 1)\n"
        "    return torch.add(x, " +
        expression.toStdString() + ")\n";
    test::write_bytes(checkedFile(), test::model_with(body).archive());
    const graph::Model model = graph::Model::load(checkedFile());
    graph::FlatGraph flat(model);
    for (const char* by : {"engine", "flat graph", "forward"}) {
      try {
        if (by == std::string("engine")) flat.run({at::ones({2, 3})});
        if (by == std::string("flat graph")) flat.run_native({at::ones({2, 3})});
        if (by == std::string("forward")) model.forward({at::ones({2, 3})});
        QVERIFY(!refused);
      } catch (const Error& error) {
        QVERIFY2(refused, error.what());
        const QString message = QString::fromStdString(error.what());
        QVERIFY2(message.contains(op), error.what());
        const QString place = message + u' ' + QString::fromStdString(error.hint);
        // LibTorch writes the division that is rounded as a text of its own, whose frame hides the model's.
        const bool known = op != QStringLiteral("aten::div");
        QCOMPARE(place.contains(QStringLiteral("__torch__.py:")), known);
        QVERIFY2(!place.contains(QStringLiteral("<string>")), qPrintable(place));
      }
    }
  }

  void partsThatDoNotFitAreOutOfMemory_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("op");
    const auto row = [](const char* expression, const char* op) {
      QTest::newRow(expression) << QString::fromUtf8(expression) << QString::fromUtf8(op);
    };
    row("torch.tensor_split(x, 1099511627776)", "aten::tensor_split");
    row("torch.tensor_split(x, 4611686018427387904)", "aten::tensor_split");
    row("torch.tensor_split(x, torch.tensor(1099511627776))", "aten::tensor_split");
    row("torch.unbind(torch.expand(torch.ones([1]), [1099511627776]))", "aten::unbind");
    row("torch.split(torch.expand(torch.ones([1]), [1099511627776]), 2)", "aten::split");
    row("torch.hsplit(torch.expand(torch.ones([1]), [1099511627776]), 1099511627776)", "aten::hsplit");
    row("torch.chunk(torch.expand(torch.ones([1]), [1099511627776]), 1099511627776)", "aten::chunk");
    row("torch.unsafe_chunk(torch.expand(torch.ones([1]), [1099511627776]), 1099511627776)", "aten::unsafe_chunk");
  }
  /// Lists of sizes or indices name each part, however long the tensor is.
  void partsThatAListNamesAreRun_data() {
    QTest::addColumn<QString>("expression");
    const char* const large = "torch.expand(torch.ones([1]), [1099511627776])";
    for (const QString& each :
         {QStringLiteral("torch.split(%1, [1099511627775, 1])"), QStringLiteral("torch.tensor_split(%1, [3])"),
          QStringLiteral("torch.hsplit(%1, [3])"), QStringLiteral("torch.tensor_split(%1, torch.tensor([3]))"),
          QStringLiteral("torch.chunk(%1, 2)"), QStringLiteral("torch.unsafe_chunk(%1, 2)")}) {
      QTest::newRow(qPrintable(each)) << each.arg(QString::fromUtf8(large));
    }
  }
  void partsThatAListNamesAreRun() {
    QFETCH(QString, expression);
    const std::string body = "    return torch.add(x, torch.len(" + expression.toStdString() + "))\n";
    test::write_bytes(checkedFile(), test::model_with(body).archive());
    const graph::Model model = graph::Model::load(checkedFile());
    graph::FlatGraph flat(model);
    QCOMPARE(flat.run({at::ones({2, 3})}).toTensor()[0][0].item<double>(), 3.0);
  }
  void partsThatDoNotFitAreOutOfMemory() {
    QFETCH(QString, expression);
    QFETCH(QString, op);
    const std::string body = "    return torch.add(x, torch.len(" + expression.toStdString() + "))\n";
    test::write_bytes(checkedFile(), test::model_with(body).archive());
    const graph::Model model = graph::Model::load(checkedFile());
    graph::FlatGraph flat(model);
    for (const char* by : {"engine", "flat graph", "forward"}) {
      try {
        if (by == std::string("engine")) flat.run({at::ones({2, 3})});
        if (by == std::string("flat graph")) flat.run_native({at::ones({2, 3})});
        if (by == std::string("forward")) model.forward({at::ones({2, 3})});
        QFAIL("was run");
      } catch (const Error& error) {
        QVERIFY2(error.code == ErrorCode::kOutOfMemory, error.what());
        const QString place = QString::fromStdString(error.what()) + u' ' + QString::fromStdString(error.hint);
        QVERIFY2(place.contains(op) && place.contains(QLatin1String("out of memory: ")), qPrintable(place));
        QVERIFY2(place.contains(QStringLiteral("__torch__.py:")), qPrintable(place));
      }
    }
  }

  /// A call that cannot be flattened runs by LibTorch's own executor.
  void aDivisionInAnOpaqueCallIsRefused() {
    const graph::Model model = graph::Model::load(BINADE_TEST_DATA "/models/interface_list_divides.pt");
    graph::FlatGraph flat(model);
    QCOMPARE(flat.opaque().size(), std::size_t{1});
    QCOMPARE(flat.run({at::ones({4, 4}), 1}).toTensor().size(0), std::int64_t{4});
    for (const char* by : {"engine", "flat graph", "forward"}) {
      try {
        if (by == std::string("engine")) flat.run({at::ones({2, 4}), 1});
        if (by == std::string("flat graph")) flat.run_native({at::ones({2, 4}), 1});
        if (by == std::string("forward")) model.forward({at::ones({2, 4}), 1});
        QFAIL("was run");
      } catch (const Error& error) {
        const QString message = QString::fromStdString(error.what());
        QVERIFY2(message.contains(QLatin1String("aten::floordiv at make_models.py:")), error.what());
        QVERIFY2(message.contains(QLatin1String("integer division by zero (6, 0)")), error.what());
      }
    }
  }
};

BINADE_SUITE(CheckedOps);
#include "tst_checked_ops.moc"
