// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/differences.h"
#include "engine/policy/policy.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>

using namespace binade;
using policy::Policy;
using policy::Provenance;

namespace {

Policy read_file(const char* name) {
  QFile file(QStringLiteral(BINADE_TEST_DATA "/policies/good/") + QLatin1String(name));
  return file.open(QIODevice::ReadOnly) ? policy::parse_policy(file.readAll().toStdString(), name) : Policy{};
}

bool is_date(const std::string& date) {
  try {
    const Policy read =
        policy::parse_policy(R"({"binade_policy":1,"provenance":{"date":")" + date + "\"}}", "a policy");
    return read.provenance.date == date;
  } catch (const Error& error) {
    return error.code != ErrorCode::kBadPolicy;
  }
}

}  // namespace

// Where a policy comes from, as its file states it.
class PolicyProvenance : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyFieldIsReadAndWritten();
  void aPolicyWithoutProvenanceWritesNone();
  void itIsNoDifferenceBetweenPolicies();
  void aDateStartsWithYearMonthAndDay();
};

void PolicyProvenance::everyFieldIsReadAndWritten() {
  const Policy policy = read_file("provenance.policy.json");
  const Provenance& read = policy.provenance;
  QCOMPARE(read.made_by, std::string("binade 0.1.0"));
  QCOMPARE(read.date, std::string("2026-11-26T05:01:13Z"));
  QCOMPARE(read.run, std::string("2026-11-26-cnn.binade"));
  QVERIFY(read.step == 900);
  QCOMPARE(read.attempt, std::string("without the head"));
  QCOMPARE(read.model, std::string("cnn.pt"));
  QVERIFY(read.op_calls == 14);
  QVERIFY((read.from == std::vector<std::string>{"cuda-amp", "older.policy.json"}));
  QVERIFY((read.evidence == std::vector<std::string>{"fc1/aten::linear#0 overflowed in 3 of 900 steps."}));
  QVERIFY(policy::parse_policy(policy::to_json(policy), "again").provenance == read);
  // A step of 0 is stated, unlike an absent one.
  Policy first = policy;
  first.provenance.step = 0;
  QVERIFY(policy::parse_policy(policy::to_json(first), "again").provenance == first.provenance);
}

void PolicyProvenance::aPolicyWithoutProvenanceWritesNone() {
  const Policy policy = read_file("resnet50_tuned.policy.json");
  QVERIFY(policy.provenance == Provenance{});
  QVERIFY(policy::to_json(policy).find("provenance") == std::string::npos);
}

void PolicyProvenance::itIsNoDifferenceBetweenPolicies() {
  const Policy policy = read_file("provenance.policy.json");
  Policy other = policy;
  other.provenance = {};
  QVERIFY(policy == other);
  QVERIFY(policy::differences(policy, other).empty());
  other.sites[0].why = "overflows";
  QVERIFY(!(policy == other));
}

void PolicyProvenance::aDateStartsWithYearMonthAndDay() {
  for (const char* good : {"", "2026-01-31", "2026-12-01T23:59:59Z", "2026-11-26T05:01:13.5+02:00"})
    QVERIFY2(is_date(good), good);
  for (const char* bad : {"2026", "26.11.2026", "2026-13-01", "2026-00-10", "2026-01-32", "2026-01-00", "2026-1-1",
                          "2026-01-01 ", "2026-01-01T", "2026-01-01Tnoon"})
    QVERIFY2(!is_date(bad), bad);
}

BINADE_SUITE(PolicyProvenance);
#include "tst_provenance.moc"
