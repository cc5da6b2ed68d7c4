// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/op_list_audit.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <QFile>
#include <torch/library.h>

#include <algorithm>

using namespace binade;
using autocast::ListAudit;

namespace {

const std::vector<policy::OpRow>& cpuRows() {
  return policy::rows(policy::Base::kCpuAmp);
}

/// One line of a CSV file whose fields may stand in quotes.
QStringList fields(const QString& line) {
  QStringList list(1);
  bool quoted = false;
  for (qsizetype i = 0; i < line.size(); ++i) {
    const QChar c = line[i];
    if (c == QLatin1Char('"') && quoted && line.mid(i + 1, 1) == QLatin1String("\"")) {
      list.last().append(c);
      ++i;
    } else if (c == QLatin1Char('"')) {
      quoted = !quoted;
    } else if (c == QLatin1Char(',') && !quoted) {
      list.append(QString());
    } else {
      list.last().append(c);
    }
  }
  return list;
}

QString withoutSpaces(QString text) {
  return text.remove(QLatin1Char(' '));
}

void nothing(const c10::OperatorHandle&, torch::jit::Stack*) {}

}  // namespace

class TestOpListAudit : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void ourListsAreThoseOfTheLibTorchThatIsLoaded() {
    const auto audits = autocast::audit_lists();
    QCOMPARE(audits.size(), 2U);
    QCOMPARE(autocast::drift_text(audits), std::string());
    QCOMPARE(audits[0].rows, 126);
    QCOMPARE(audits[1].rows, 129);
    for (const ListAudit& audit : audits) {
      QVERIFY(!audit.drifts());
      QCOMPARE(audit.registered, audit.rows - static_cast<int>(audit.not_here.size()));
    }
    // The recurrent layers of cuDNN come with LibTorch's CUDA part alone, which tests do not load.
    QCOMPARE(audits[0].not_here, std::vector<std::string>{"aten::_cudnn_rnn"});
    QVERIFY(audits[1].not_here.empty());
  }

  void aRowThatLibTorchDoesNotCastIsReported() {
    std::vector<policy::OpRow> rows = cpuRows();
    rows.push_back({"relu", "", policy::CastRule::kLower});
    rows.push_back({"no_such_op", "", policy::CastRule::kLower});
    const ListAudit audit = autocast::audit_list(c10::kCPU, rows);
    QVERIFY(audit.drifts());
    QCOMPARE(audit.not_registered, (std::vector<std::string>{"aten::relu", "aten::no_such_op"}));
    QVERIFY(audit.not_listed.empty());
    QVERIFY(autocast::drift_text({audit}).find("CPU, cast by our list only: aten::relu") != std::string::npos);
  }

  void aRowThatOurListLacksIsReported() {
    std::vector<policy::OpRow> rows = cpuRows();
    const auto conv2d = std::find_if(rows.begin(), rows.end(),
                                     [](const auto& row) { return row.op == "conv2d" && row.overload == "padding"; });
    QVERIFY(conv2d != rows.end());
    rows.erase(conv2d);
    const ListAudit audit = autocast::audit_list(c10::kCPU, rows);
    QVERIFY(audit.drifts());
    QCOMPARE(audit.not_listed, std::vector<std::string>{"aten::conv2d.padding"});
    QVERIFY(autocast::drift_text({audit}).find("cast by LibTorch only: aten::conv2d.padding") != std::string::npos);
  }

  /// As a newer LibTorch would: it registers what no list of ours has.
  void aRegistrationThatAppearsIsReported() {
    {
      torch::Library newer(torch::Library::IMPL, "aten", c10::DispatchKey::AutocastCUDA, __FILE__, __LINE__);
      newer.impl("rms_norm", torch::CppFunction::makeFromBoxedFunction<&nothing>());
      const ListAudit audit = autocast::audit_list(c10::kCUDA, policy::rows(policy::Base::kCudaAmp));
      QCOMPARE(audit.not_listed, std::vector<std::string>{"aten::rms_norm"});
    }
    QCOMPARE(autocast::drift_text(autocast::audit_lists()), std::string());
  }

  void everySchemaIsTheOneThatTheListWasMadeFor() {
    QFile file(QStringLiteral(BINADE_TEST_DATA "/autocast/op_schemas.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly | QIODevice::Text));
    file.readLine();
    int rows = 0;
    while (!file.atEnd()) {
      const QStringList row = fields(QString::fromUtf8(file.readLine()).trimmed());
      const std::string op = "aten::" + row[1].toStdString();
      const auto handle = c10::Dispatcher::singleton().findSchema({op, row[2].toStdString()});
      QVERIFY2(handle.has_value(), op.c_str());
      std::ostringstream schema;
      schema << handle->schema();
      QCOMPARE(withoutSpaces(QString::fromStdString(schema.str())), withoutSpaces(row[5]));
      const auto base = row[0] == QLatin1String("cuda") ? policy::Base::kCudaAmp : policy::Base::kCpuAmp;
      QVERIFY(policy::rule_for(base, op, row[2].toStdString()) != policy::CastRule::kNone);
      ++rows;
    }
    QCOMPARE(rows, 255);
  }
};

BINADE_SUITE(TestOpListAudit);
#include "tst_op_list_audit.moc"
