// SPDX-License-Identifier: Apache-2.0
#include "engine/policy/composite_calls.h"
#include "engine/policy/inner_calls.h"
#include "engine/policy/op_lists.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>

#include <map>
#include <set>

using namespace binade;
using policy::Base;
using policy::CastRule;

Q_DECLARE_METATYPE(binade::policy::Base)

namespace {

/// The lines of a table in resources/ops, without the first, as fields.
QList<QStringList> table(const QString& name) {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/resources/ops/") + name);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QStringList lines = QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  lines.removeFirst();
  QList<QStringList> rows;
  for (const QString& line : lines) rows.append(line.trimmed().split(QLatin1Char(',')));
  return rows;
}

std::map<CastRule, int> counts(Base base) {
  std::map<CastRule, int> result;
  for (const policy::OpRow& row : policy::rows(base)) ++result[row.rule];
  return result;
}

CastRule cuda(const char* op, const char* overload = "") {
  return policy::rule_for(Base::kCudaAmp, op, overload);
}
CastRule cpu(const char* op, const char* overload = "") {
  return policy::rule_for(Base::kCpuAmp, op, overload);
}

}  // namespace

// The lists that policies start from.
class OpLists : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void countsOfPyTorch211();
  void everyRowOfTheTableIsFound();
  void whatCudaAndCpuShare();
  void whatOnlyOneDeviceLists();
  void unlistedOpsHaveNoRule();
  void theLowerListOfPyTorchsDocumentation();
  void apexO1NamesEveryFunctionOfApex();
  void apexO1RulesMatchApex();
  void apexO2KeepsBatchNorm();
  void apexO3LowersAllButWrites();
  void emptyLists();
  void rulesHaveNames();
  void innerCallsAreTheTable();
  void callsOfKernelsThatCudaDoesNotRunAreNotListed();
};

void OpLists::countsOfPyTorch211() {
  const std::map<CastRule, int> cudaExpected{
      {CastRule::kLower, 35},   {CastRule::kFloat32, 58}, {CastRule::kSetDtype, 17}, {CastRule::kAppendDtype, 3},
      {CastRule::kPromote, 11}, {CastRule::kBanned, 1},   {CastRule::kCustom, 1}};
  const std::map<CastRule, int> cpuExpected{{CastRule::kLower, 24}, {CastRule::kFloat32, 101}, {CastRule::kPromote, 4}};
  QVERIFY(counts(Base::kCudaAmp) == cudaExpected);
  QVERIFY(counts(Base::kCpuAmp) == cpuExpected);
  QCOMPARE(policy::rows(Base::kCudaAmp).size(), std::size_t{126});
  QCOMPARE(policy::rows(Base::kCpuAmp).size(), std::size_t{129});
}

void OpLists::everyRowOfTheTableIsFound() {
  const std::map<QString, CastRule> rules{{"lower_precision_fp", CastRule::kLower},
                                          {"fp32", CastRule::kFloat32},
                                          {"fp32_set_opt_dtype", CastRule::kSetDtype},
                                          {"fp32_append_dtype", CastRule::kAppendDtype},
                                          {"promote", CastRule::kPromote},
                                          {"banned", CastRule::kBanned},
                                          {"custom", CastRule::kCustom}};
  const QList<QStringList> rows = table(QStringLiteral("autocast_ops.csv"));
  QCOMPARE(rows.size(), 255);
  std::set<QString> seen;
  for (const QStringList& row : rows) {
    QVERIFY2(seen.insert(row.mid(0, 3).join(QLatin1Char(','))).second, qPrintable(row.join(QLatin1Char(','))));
    const Base base = row[0] == QLatin1String("cuda") ? Base::kCudaAmp : Base::kCpuAmp;
    const std::string op = row[1].toStdString();
    const std::string overload = row[2].toStdString();
    QVERIFY(policy::rule_for(base, "aten::" + op, overload) == rules.at(row[3]));
    QVERIFY(policy::rule_for(base, op, overload) == rules.at(row[3]));
    // A row is one overload, not its neighbours, and one op, not another namespace's.
    QVERIFY(policy::rule_for(base, op, overload + "_none") == CastRule::kNone);
    QVERIFY(policy::rule_for(base, "other::" + op, overload) == CastRule::kNone);
  }
}

void OpLists::whatCudaAndCpuShare() {
  // By ATen/autocast_mode.h and autocast_mode.cpp of PyTorch 2.11: 35 rows with the same rule on both devices, 5 with
  // different ones.
  int same = 0;
  std::set<std::string> different;
  for (const policy::OpRow& row : policy::rows(Base::kCudaAmp)) {
    const CastRule other = policy::rule_for(Base::kCpuAmp, row.op, row.overload);
    if (other == row.rule) ++same;
    if (other != row.rule && other != CastRule::kNone) {
      different.insert(std::string(row.op) + "." + std::string(row.overload));
    }
  }
  QCOMPARE(same, 35);
  const std::set<std::string> expected{"prod.", "prod.dim_int", "prod.dim_Dimname", "grid_sampler.",
                                       "binary_cross_entropy."};
  QVERIFY(different == expected);
}

void OpLists::whatOnlyOneDeviceLists() {
  for (const char* op : {"exp", "log", "layer_norm", "softplus", "group_norm"}) {
    QVERIFY2(cuda(op) == CastRule::kFloat32 && cpu(op) == CastRule::kNone, op);
  }
  QVERIFY(cuda("softmax", "int") == CastRule::kSetDtype && cpu("softmax", "int") == CastRule::kNone);
  QVERIFY(cuda("sum") == CastRule::kSetDtype && cpu("sum") == CastRule::kNone);
  QVERIFY(cuda("norm", "Scalar") == CastRule::kAppendDtype && cpu("norm", "Scalar") == CastRule::kNone);
  for (const char* op : {"mv", "addmv", "addr", "einsum", "convolution"}) {
    QVERIFY2(cuda(op) == CastRule::kLower && cpu(op) == CastRule::kNone, op);
  }
  for (const char* op : {"cat", "stack", "index_copy"}) {
    QVERIFY2(cuda(op) == CastRule::kNone && cpu(op) == CastRule::kPromote, op);
  }
  QVERIFY(cuda("conv2d", "padding") == CastRule::kNone && cpu("conv2d", "padding") == CastRule::kLower);
  QVERIFY(policy::composite_may_call("aten::cross_entropy_loss", "aten::log_softmax"));
  QVERIFY(!policy::composite_may_call("aten::cross_entropy_loss", "aten::gelu"));
  QVERIFY(cpu("cross_entropy_loss") == CastRule::kFloat32 && cuda("cross_entropy_loss") == CastRule::kNone);
  QVERIFY(cuda("binary_cross_entropy") == CastRule::kBanned && cpu("binary_cross_entropy") == CastRule::kFloat32);
  QVERIFY(cuda("_cudnn_rnn") == CastRule::kCustom);
}

void OpLists::unlistedOpsHaveNoRule() {
  for (const char* op :
       {"relu", "relu_", "batch_norm", "dropout", "max_pool2d", "view", "gelu", "rms_norm", "addmm_", ""}) {
    QVERIFY2(cuda(op) == CastRule::kNone && cpu(op) == CastRule::kNone, op);
  }
  QVERIFY(cuda("conv2d", "out") == CastRule::kNone);
  QVERIFY(cuda("*", "*") == CastRule::kNone);
}

void OpLists::theLowerListOfPyTorchsDocumentation() {
  for (const char* op :
       {"matmul",       "addbmm",           "addmm",  "addmv",  "addr",   "baddbmm",          "bmm",
        "chain_matmul", "linalg_multi_dot", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "gru_cell",
        "linear",       "lstm_cell",        "mm",     "mv",     "prelu",  "rnn_tanh_cell",    "rnn_relu_cell"}) {
    QVERIFY2(cuda(op) == CastRule::kLower, op);
  }
  QVERIFY(cuda("conv_transpose2d", "input") == CastRule::kLower);
  QVERIFY(cuda("conv_transpose3d", "input") == CastRule::kLower);
}

void OpLists::apexO1NamesEveryFunctionOfApex() {
  std::map<QString, std::set<QString>> policies;  // of each Python function that a row stands for
  for (const QStringList& row : table(QStringLiteral("apex_ops.csv"))) {
    if (row[0] != QLatin1String("apex-o1")) continue;
    for (const QString& function : row[4].split(QLatin1Char(' '))) policies[function].insert(row[3]);
  }
  const std::map<QString, QString> meaning{{"fp16", "lower_precision_fp"},
                                           {"fp32", "fp32"},
                                           {"promote", "promote"},
                                           {"sequence_promote", "promote"},
                                           {"banned", "banned"},
                                           {"fp16_rnn_layer", "lower_precision_fp"},
                                           {"fp16_rnn_cell", "lower_precision_fp"},
                                           {"inplace_error_fp16", "banned"},
                                           {"inplace_match_self", "lower_precision_fp"}};
  // No op of their own: what they call is listed.
  const std::set<QString> composed{"normalize", "local_response_norm", "multilabel_soft_margin_loss"};
  std::set<QString> named;
  const QList<QStringList> functions = table(QStringLiteral("apex_functions.csv"));
  QCOMPARE(functions.size(), 224);
  for (const QStringList& row : functions) {
    if (composed.contains(row[1])) continue;
    QVERIFY2(meaning.contains(row[2]), qPrintable(row[2]));
    QVERIFY2(policies[row[1]] == std::set<QString>{meaning.at(row[2])}, qPrintable(row.join(QLatin1Char(','))));
    named.insert(row[1]);
  }
  for (const auto& [function, policy] : policies) QVERIFY2(named.contains(function), qPrintable(function));
}

void OpLists::apexO1RulesMatchApex() {
  const auto rule = [](const char* op, const char* overload = "") {
    return policy::rule_for(Base::kApexO1, op, overload);
  };
  QVERIFY(rule("aten::conv2d", "padding") == CastRule::kLower);
  QVERIFY(rule("aten::lstm", "input") == CastRule::kLower);
  QVERIFY(rule("aten::gelu") == CastRule::kFloat32);  // PyTorch lists it nowhere
  QVERIFY(rule("aten::softmax", "int") == CastRule::kFloat32);
  QVERIFY(rule("aten::std", "dim") == CastRule::kFloat32);
  QVERIFY(rule("aten::add", "Tensor") == CastRule::kPromote);
  QVERIFY(rule("aten::cat") == CastRule::kPromote);
  QVERIFY(rule("aten::binary_cross_entropy") == CastRule::kBanned);
  QVERIFY(rule("aten::exp_") == CastRule::kBanned && rule("aten::pow_", "Scalar") == CastRule::kBanned);
  QVERIFY(rule("aten::add_", "Tensor") == CastRule::kLower);  // what is written decides
  for (const char* op :
       {"einsum", "scaled_dot_product_attention", "batch_norm", "log1p", "mean", "relu", "sub_", "relu_"}) {
    QVERIFY2(rule(op) == CastRule::kNone, op);
  }
}

void OpLists::apexO2KeepsBatchNorm() {
  // Neither cast: float16 input beside float32 weights, as Apex's own batch norms have it.
  QVERIFY(policy::rule_for(Base::kApexO2, "aten::batch_norm", "") == CastRule::kNone);
  QVERIFY(policy::rule_for(Base::kApexO3, "aten::batch_norm", "") == CastRule::kLower);
  for (const Base base : {Base::kApexO2, Base::kApexO3}) {
    QVERIFY(policy::rule_for(base, "aten::layer_norm", "") == CastRule::kLower);
    QVERIFY(policy::rule_for(base, "aten::softmax", "int") == CastRule::kLower);
    QVERIFY(policy::rule_for(base, "aten::instance_norm", "") == CastRule::kLower);
  }
}

void OpLists::apexO3LowersAllButWrites() {
  QVERIFY(policy::rule_for(Base::kApexO3, "aten::relu", "") == CastRule::kLower);
  QVERIFY(policy::rule_for(Base::kApexO3, "aten::relu_", "") == CastRule::kNone);
  QVERIFY(policy::rule_for(Base::kApexO3, "aten::__and__", "Tensor") == CastRule::kLower);
  QVERIFY(policy::rule_for(Base::kApexO3, "prim::NumToTensor", "") == CastRule::kNone);
}

void OpLists::emptyLists() {
  QVERIFY(policy::rows(Base::kAllFloat32).empty());
  QVERIFY(policy::rows(Base::kApexO0).empty());
  QVERIFY(policy::rule_for(Base::kAllFloat32, "aten::mm", "") == CastRule::kNone);
}

void OpLists::rulesHaveNames() {
  const std::pair<CastRule, const char*> expected[] = {{CastRule::kNone, ""},
                                                       {CastRule::kLower, "lower"},
                                                       {CastRule::kFloat32, "fp32"},
                                                       {CastRule::kSetDtype, "set-dtype"},
                                                       {CastRule::kAppendDtype, "append-dtype"},
                                                       {CastRule::kPromote, "promote"},
                                                       {CastRule::kBanned, "banned"},
                                                       {CastRule::kCustom, "custom"}};
  for (const auto& [rule, text] : expected) QCOMPARE(std::string(policy::name(rule)), std::string(text));
}

void OpLists::innerCallsAreTheTable() {
  const QList<QStringList> rows = table(QStringLiteral("inner_calls.csv"));
  QCOMPARE(policy::inner_calls().size(), static_cast<std::size_t>(rows.size()));
  int own = 0;
  for (const QStringList& row : rows) {
    const policy::InnerCalls* compiled = policy::inner_calls_of("aten::" + row[0].toStdString(), row[1].toStdString());
    QVERIFY2(compiled != nullptr, qPrintable(row.join(QLatin1Char(','))));
    QCOMPARE(std::string(compiled->calls), row[2].toStdString());
    QCOMPARE(compiled->own_on_cuda, row[3] == QLatin1String("own"));
    own += compiled->own_on_cuda ? 1 : 0;
  }
  QVERIFY(own > 0 && own < rows.size());
}

// The table was measured on the CPU. CUDA has kernels of its own for roll and masked_select, and shares _trilinear.
void OpLists::callsOfKernelsThatCudaDoesNotRunAreNotListed() {
  QVERIFY(policy::calls_listed(Base::kCpuAmp, "aten::roll", ""));  // cat
  QVERIFY(!policy::calls_listed(Base::kCudaAmp, "aten::roll", ""));
  QVERIFY(policy::rule_for(Base::kCudaAmp, "aten::sum", "") != CastRule::kNone);
  QVERIFY(!policy::calls_listed(Base::kCudaAmp, "aten::masked_select", ""));  // sum
  QVERIFY(policy::calls_listed(Base::kCpuAmp, "aten::_trilinear", ""));       // bmm
  QVERIFY(policy::calls_listed(Base::kCudaAmp, "aten::_trilinear", ""));
}

BINADE_SUITE(OpLists);
#include "tst_op_lists.moc"
