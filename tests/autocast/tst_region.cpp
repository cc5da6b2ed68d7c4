// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/region.h"
#include "engine/formats/error.h"
#include "tests/autocast/region_case.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/binary_cross_entropy.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/softmax.h>
#include <QFile>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/function.h>

#include <map>
#include <stdexcept>

using namespace binade;

namespace {

/// Keeps what LibTorch warns of on this thread.
class Warnings : public c10::WarningHandler {
 public:
  Warnings() : before_(c10::WarningUtils::get_warning_handler()) { c10::WarningUtils::set_warning_handler(this); }
  ~Warnings() override { c10::WarningUtils::set_warning_handler(before_); }
  Warnings(const Warnings&) = delete;
  Warnings& operator=(const Warnings&) = delete;
  void process(const c10::Warning& warning) override { text += QString::fromStdString(warning.msg()); }

  QString text;

 private:
  c10::WarningHandler* before_;
};

/// The fields of a CSV file's rows, without its heading; quotes may surround a field.
QList<QStringList> rows_of(const QString& file) {
  QFile csv(QStringLiteral(BINADE_TEST_DATA "/autocast/") + file);
  if (!csv.open(QIODevice::ReadOnly)) qFatal("%s cannot be read", qPrintable(csv.fileName()));
  QList<QStringList> rows;
  for (const QString& line : QString::fromUtf8(csv.readAll()).split(u'\n', Qt::SkipEmptyParts)) {
    QStringList fields{QString()};
    bool quoted = false;
    for (const QChar letter : line) {
      if (letter == u'"') {
        quoted = !quoted;
      } else if (letter == u',' && !quoted) {
        fields += QString();
      } else {
        fields.last() += letter;
      }
    }
    rows += fields;
  }
  rows.removeFirst();
  return rows;
}

std::map<QString, test::RegionCase> all_cases() {
  std::map<QString, test::RegionCase> all;
  for (const auto* cases : {&test::cache_cases(), &test::nesting_cases(), &test::machinery_cases()}) {
    for (const test::RegionCase& one : *cases) all.emplace(QString::fromUtf8(one.name), one);
  }
  return all;
}

policy::Policy stock(policy::Base base, formats::Format low) {
  policy::Policy policy;
  policy.base = base;
  policy.low = low;
  policy.execution = policy::Execution::kNative;
  return policy;
}

autocast::PolicyRegionArguments on_cpu(const policy::Policy& policy) {
  return {autocast::table_for(policy), "cpu"};
}

at::ScalarType mm_dtype() {
  return at::mm(at::rand({2, 2}), at::rand({2, 2})).scalar_type();
}

}  // namespace

class TestRegion : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() {
    // Whatever a test did, its thread is as it was.
    QVERIFY(!autocast::is_enabled("cpu"));
    QVERIFY(autocast::is_cache_enabled());
    QVERIFY(autocast::dtype("cpu") == at::kBFloat16);
    QVERIFY(mm_dtype() == at::kFloat);
  }

  void everyRecordedCaseOfPyTorchHoldsInBothForms_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("native");
    QTest::addColumn<QString>("expected");
    const auto cases = all_cases();
    for (const QStringList& row : rows_of(QStringLiteral("cache_golden.csv"))) {
      const auto found = cases.find(row[1]);
      if (found == cases.end()) continue;
      QTest::addRow("native: %s", qPrintable(row[1])) << row[1] << true << row[2];
      if (found->second.policy_too) QTest::addRow("policy: %s", qPrintable(row[1])) << row[1] << false << row[2];
    }
  }
  void everyRecordedCaseOfPyTorchHoldsInBothForms() {
    QFETCH(QString, name);
    QFETCH(bool, native);
    QFETCH(QString, expected);
    const std::string got = all_cases().at(name).run(native ? test::Form::kNative : test::Form::kPolicy);
    QCOMPARE(QString::fromStdString(got).section(u'\n', 0, 0), expected.section(u'\n', 0, 0));
  }

  void whatHasNoCaseStandsInTheExceptionTable() {
    const auto cases = all_cases();
    QStringList missing;
    int rows = 0;
    for (const QStringList& row : rows_of(QStringLiteral("cache_golden.csv"))) {
      ++rows;
      const auto found = cases.find(row[1]);
      if (found == cases.end()) {
        missing += row[1] + QStringLiteral(",both");
      } else if (!found->second.policy_too) {
        missing += row[1] + QStringLiteral(",policy");
      }
    }
    QCOMPARE(rows, 51);
    QStringList excepted;
    for (const QStringList& row : rows_of(QStringLiteral("cache_exceptions.csv"))) {
      QVERIFY2(row.size() > 2 && row[2].size() > 20, qPrintable(row[0]));
      excepted += row[0] + u',' + row[1];
    }
    missing.sort();
    excepted.sort();
    QCOMPARE(missing, excepted);
  }

  void castsAreSeenByAutograd() {
    const at::Tensor x = at::rand({2, 2}).to(at::kBFloat16);
    const at::Tensor w = at::rand({2, 2}).requires_grad_(true);
    for (const auto form : {test::Form::kNative, test::Form::kPolicy}) {
      at::Tensor y;
      {
        const autocast::Region region = test::open(form);
        y = at::mm(x, w);
      }
      QVERIFY(y.scalar_type() == at::kBFloat16);
      QCOMPARE(y.grad_fn()->name(), std::string("MmBackward0"));
      QVERIFY(y.grad_fn()->next_edge(0).function == nullptr);
      QCOMPARE(y.grad_fn()->next_edge(1).function->name(), std::string("ToCopyBackward0"));
      y.sum().backward();
      QVERIFY(w.grad().scalar_type() == at::kFloat);
    }
  }

  void aRegionCannotBeEnteredTwice() {
    static_assert(!std::is_copy_constructible_v<autocast::Region> && !std::is_move_constructible_v<autocast::Region>);
    static_assert(!std::is_copy_assignable_v<autocast::Region> && !std::is_move_assignable_v<autocast::Region>);
    // Its wrapper makes a fresh one at each call, so that recursion leaves nothing on.
    std::function<int(int)> count;
    const auto deeper = autocast::wrap(autocast::RegionArguments{"cpu"},
                                       [&count](int depth) { return depth == 0 ? 0 : 1 + count(depth - 1); });
    count = deeper;
    QCOMPARE(count(3), 3);
    QVERIFY(!autocast::is_enabled("cpu"));
  }

  void theConstructorRefusesWhatPyTorchRefuses_data() {
    QTest::addColumn<QString>("device");
    QTest::addColumn<bool>("withDtype");
    QTest::addColumn<QString>("message");
    const QString no_device = QStringLiteral(
        "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, maia, xla, lazy, vulkan, "
        "mps, meta, hpu, mtia, privateuseone device type at start of device string: gpu");
    QTest::newRow("no device") << "gpu" << false << no_device;
    QTest::newRow("no index") << "cuda:x" << false << "Invalid device string: 'cuda:x'";
    QTest::newRow("empty") << "" << false << "Device string must not be empty";
    QTest::newRow("meta") << "meta" << true << "User specified an unsupported autocast device_type 'meta'";
    QTest::newRow("meta, no dtype") << "meta" << false << "unsupported scalarType";
    QTest::newRow("vulkan") << "vulkan" << true << "User specified an unsupported autocast device_type 'vulkan'";
    QTest::newRow("hip") << "hip" << false << "User specified an unsupported autocast device_type 'hip'";
    for (const char* device : {"meta", "vulkan", "hip"}) {
      QTest::addRow("policy, %s", device)
          << QString::fromLatin1(device) << false
          << QStringLiteral("User specified an unsupported autocast device_type '%1'").arg(QLatin1String(device));
    }
    QTest::newRow("policy, no device") << "gpu" << false << no_device;
  }
  void theConstructorRefusesWhatPyTorchRefuses() {
    QFETCH(QString, device);
    QFETCH(bool, withDtype);
    QFETCH(QString, message);
    const auto dtype = withDtype ? std::optional(at::kHalf) : std::nullopt;
    const bool of_policy = QByteArray(QTest::currentDataTag()).startsWith("policy");
    try {
      if (of_policy) {
        const auto table = autocast::table_for(stock(policy::Base::kCpuAmp, formats::kBFloat16));
        const autocast::Region region(autocast::PolicyRegionArguments{table, device.toStdString()});
        QFAIL("no error");
      } else {
        const autocast::Region region(device.toStdString(), dtype);
        QFAIL("no error");
      }
    } catch (const Error& error) {
      QCOMPARE(QString::fromUtf8(error.what()), message);
      QVERIFY(error.code == ErrorCode::kUsage);
      QVERIFY2(error.hint.find("cpu, cuda") != std::string::npos, error.hint.c_str());
    }
  }

  void aPolicyRegionNeedsAPolicy() {
    try {
      const autocast::Region region(autocast::PolicyRegionArguments{.policy = nullptr, .device_type = "cpu"});
      QFAIL("no error");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kUsage);
      QCOMPARE(error.what(), "A policy region needs a policy");
    }
    QVERIFY(!autocast::is_enabled("cpu"));
  }

  void aTableNamesOpsThatLibTorchHas() {
    policy::Policy policy;
    policy.ops["aten::conv2"] = formats::kFloat32;
    try {
      autocast::table_for(policy);
      QFAIL("no error");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kBadPolicy);
      QCOMPARE(error.what(), "The policy: ops[\"aten::conv2\"]: this LibTorch has no such operator");
      QVERIFY2(error.hint.find("aten::conv2d") != std::string::npos, error.hint.c_str());
    }
    policy.ops = {{"aten::mm", formats::kFloat32}};
    QVERIFY(autocast::table_for(policy)->findings.empty());  // of a model nothing can be said
  }

  void theConstructorWarnsAndDisablesWherePyTorchDoes() {
    {
      Warnings warnings;
      const autocast::Region region("cpu", at::kFloat);
      QCOMPARE(warnings.text, QStringLiteral("In CPU autocast, but the target dtype is not supported. Disabling "
                                             "autocast.\nCPU Autocast only supports dtypes of torch.bfloat16, "
                                             "torch.float16 currently."));
      QVERIFY(!autocast::is_enabled("cpu"));
    }
    {
      Warnings warnings;
      const autocast::Region region("cpu", at::kFloat, /*enabled=*/false);
      QVERIFY(warnings.text.isEmpty());
    }
    if (!at::hasCUDA()) {
      Warnings warnings;
      const autocast::Region region("cuda");
      QCOMPARE(warnings.text, QStringLiteral("CUDA is not available or torch_xla is imported. Disabling autocast."));
      QVERIFY(!autocast::is_enabled("cuda"));
    }
    const autocast::Region indexed("cpu:0");
    QVERIFY(autocast::is_enabled("cpu"));
  }

  void defaultsAreThoseOfTheDevice() {
    for (const char* device : {"cpu", "xla", "hpu", "maia"}) QVERIFY(autocast::dtype(device) == at::kBFloat16);
    for (const char* device : {"cuda", "xpu", "mps", "mtia", "ipu"}) QVERIFY(autocast::dtype(device) == at::kHalf);
    for (const char* device : {"cpu", "cuda", "mtia", "maia", "xpu", "ipu", "hpu", "xla", "mps", "privateuseone"}) {
      QVERIFY2(autocast::is_autocast_available(device), device);
    }
    for (const char* device : {"meta", "hip", "vulkan", "lazy"}) {
      QVERIFY2(!autocast::is_autocast_available(device), device);
    }
    QVERIFY_THROWS_EXCEPTION(Error, autocast::is_autocast_available("abacus"));
  }

  void aPolicyRegionChangesSingleOps() {
    policy::Policy policy = stock(policy::Base::kCpuAmp, formats::kBFloat16);
    const at::Tensor x = at::rand({2, 2});
    {
      const autocast::Region region(on_cpu(policy));
      QVERIFY(mm_dtype() == at::kBFloat16);
      QVERIFY(at::softmax(x, 0).scalar_type() == at::kFloat);
    }
    policy.ops["aten::mm"] = formats::kFloat32;
    policy.ops["aten::softmax.int"] = formats::kFloat16;
    const autocast::Region region(on_cpu(policy));
    QVERIFY(mm_dtype() == at::kFloat);
    QVERIFY(at::softmax(x, 0).scalar_type() == at::kHalf);
    QVERIFY(at::linear(x, x).scalar_type() == at::kBFloat16);
  }

  void aSiteRuleInARegionIsRefusedByName() {
    policy::Policy policy = stock(policy::Base::kCpuAmp, formats::kBFloat16);
    policy::SiteRule rule;
    rule.match = "fc/aten::linear#0";
    policy.sites.push_back(rule);
    try {
      autocast::table_for(policy);
      QFAIL("no error");
    } catch (const Error& error) {
      QVERIFY2(QByteArray(error.what()).contains("sites[0] (fc/aten::linear#0)"), error.what());
      QVERIFY(error.code == ErrorCode::kBadPolicy);
    }
  }

  void theInnermostRegionForADeviceDecides() {
    const policy::Policy float16 = stock(policy::Base::kCpuAmp, formats::kFloat16);
    const autocast::Region outer("cpu", at::kBFloat16);
    QVERIFY(mm_dtype() == at::kBFloat16);
    {
      const autocast::Region policy(on_cpu(float16));
      QVERIFY(mm_dtype() == at::kHalf);
      {
        const autocast::Region off("cpu", std::nullopt, /*enabled=*/false);
        QVERIFY(mm_dtype() == at::kFloat);
        QVERIFY(!autocast::is_enabled("cpu"));
      }
      {
        const autocast::Region native("cpu", at::kBFloat16);
        QVERIFY(mm_dtype() == at::kBFloat16);
      }
      QVERIFY(mm_dtype() == at::kHalf);
    }
    QVERIFY(mm_dtype() == at::kBFloat16);
  }

  void everythingIsRestoredAfterAnException() {
    try {
      const autocast::Region outer("cpu", at::kHalf, true, false);
      const autocast::Region inner(on_cpu(stock(policy::Base::kCpuAmp, formats::kBFloat16)));
      at::mm(at::rand({2, 3}), at::rand({2, 3}));
      QFAIL("mm took shapes that do not fit");
    } catch (const c10::Error&) {
    }
    // cleanup() looks at the state.
  }

  void aBannedOpIsRefusedWithPyTorchsAdvice() {
    const autocast::Region region(on_cpu(stock(policy::Base::kCudaAmp, formats::kFloat16)));
    const at::Tensor x = at::rand({2, 2});
    try {
      at::binary_cross_entropy(x, x);
      QFAIL("no error");
    } catch (const Error& error) {
      QCOMPARE(QByteArray(error.what()), QByteArray("torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are "
                                                    "unsafe to autocast."));
      QVERIFY(error.hint.find("binary_cross_entropy_with_logits") != std::string::npos);
    }
  }
};

BINADE_SUITE(TestRegion);
#include "tst_region.moc"
