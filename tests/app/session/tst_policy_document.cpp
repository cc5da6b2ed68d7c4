// SPDX-License-Identifier: Apache-2.0
#include "app/session/policy_document.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTest>

namespace {

using namespace binade;
using app::PolicyDocument;

const policy::SiteKey kConvKey{"conv1", "", "aten::conv2d", "", 0};
const policy::SiteKey kFcKey{"fc", "", "aten::linear", "", 0};

class PolicyDocuments : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyEditIsOneStepWithOneRevision() {
    PolicyDocument document;
    QSignalSpy changed(&document, &PolicyDocument::changed);
    document.setFormat({kConvKey, kFcKey}, formats::kFloat32);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(document.revision(), 1);
    QCOMPARE(document.undoStack()->count(), 1);
    QCOMPARE(document.policy().sites.size(), std::size_t{2});
    QCOMPARE(document.policy().sites[0].match, std::string("conv1/aten::conv2d#0"));
    document.undoStack()->undo();
    QCOMPARE(changed.count(), 2);
    QCOMPARE(document.revision(), 2);  // an undone policy comes into force under a revision of its own
    QVERIFY(document.policy() == policy::Policy());
    document.undoStack()->redo();
    QCOMPARE(document.revision(), 3);
    QCOMPARE(document.policy().sites.size(), std::size_t{2});
  }

  void anEditThatChangesNothingIsNone() {
    PolicyDocument document;
    QSignalSpy changed(&document, &PolicyDocument::changed);
    document.clearRules({kConvKey});
    document.setBase(document.policy().base);
    document.setFormat({}, formats::kFloat32);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(document.undoStack()->count(), 0);
  }

  void editingACallAgainReplacesItsRule() {
    PolicyDocument document;
    document.setFormat({kConvKey}, formats::kFloat32);
    document.setFormat({kFcKey}, formats::kFloat32);
    document.setFormat({kConvKey}, formats::kBFloat16);
    QCOMPARE(document.policy().sites.size(), std::size_t{2});
    // A later rule wins over an earlier one: the newest edit must stand last.
    QCOMPARE(document.policy().sites.back().match, kConvKey.name());
    QVERIFY(document.policy().sites.back().format == formats::kBFloat16);
    document.clearRules({kConvKey});
    QCOMPARE(document.policy().sites.size(), std::size_t{1});
  }

  void whatARuleSaysBesidesItsFormatSurvivesAnEdit() {
    PolicyDocument document;
    policy::Policy opened;
    opened.sites.push_back({.match = kConvKey.name(),
                            .call = {},
                            .format = formats::kFloat32,
                            .backward = {},
                            .overflow = {},
                            .why = "overflows after 900"});
    opened.sites.push_back(
        {.match = "fc", .call = {}, .format = formats::kFloat32, .backward = {}, .overflow = {}, .why = {}});
    document.adopt(opened, 1);
    document.setFormat({kConvKey}, formats::kBFloat16);
    QCOMPARE(document.policy().sites.back().why, std::string("overflows after 900"));
  }

  void opChangesAreEditsToo() {
    PolicyDocument document;
    document.setOpChange("aten::gelu", formats::kFloat32);
    QCOMPARE(document.policy().ops.size(), std::size_t{1});
    document.clearOpChange("aten::gelu");
    QVERIFY(document.policy().ops.empty());
    QCOMPARE(document.undoStack()->count(), 2);
  }

  void savedAndOpenedIsTheSamePolicy() {
    const QString file = test::temporaryFolder() + QStringLiteral("/a.policy.json");
    PolicyDocument document;
    document.setFormat({kConvKey}, formats::kBFloat16);
    document.setOpChange("aten::gelu", policy::Treatment::kLow);
    QVERIFY(document.isModified());
    QVERIFY(!document.save(file).has_value());
    QVERIFY(!document.isModified());
    PolicyDocument other;
    QSignalSpy changed(&other, &PolicyDocument::changed);
    QVERIFY(!other.open(file).has_value());
    QVERIFY(other.policy() == document.policy());
    QCOMPARE(changed.count(), 1);
    QVERIFY(!other.isModified());
    QCOMPARE(other.file(), file);
    other.undoStack()->undo();  // opening is an edit: it can be taken back
    QVERIFY(other.policy() == policy::Policy());
  }

  void anEditedPolicyIsSavedWithItsOriginAndAnUneditedOneKeepsIt() {
    const QString first = test::temporaryFolder() + QStringLiteral("/origin-1.policy.json");
    const QString second = test::temporaryFolder() + QStringLiteral("/origin-2.policy.json");
    policy::Provenance made;
    made.run = "cnn.binade";
    made.step = 900;
    PolicyDocument document;
    document.setFormat({kConvKey}, formats::kBFloat16);
    QVERIFY(!document.save(first, made).has_value());
    QVERIFY(document.policy().provenance == made);
    // Saved again later without an edit: it is the policy of that run.
    policy::Provenance later = made;
    later.step = 1200;
    QVERIFY(!document.save(second, later).has_value());
    QVERIFY(app::readPolicyFile(second).policy->provenance == made);
    // An edit ends what was known of it.
    QVERIFY(!document.open(first).has_value());
    document.setFormat({kFcKey}, formats::kFloat32);
    QVERIFY(document.policy().provenance == policy::Provenance{});
    QVERIFY(!document.save(second, later).has_value());
    later.from = {"origin-1.policy.json"};
    QVERIFY(app::readPolicyFile(second).policy->provenance == later);
    document.undoStack()->undo();
    QVERIFY(document.policy().provenance == made);
  }

  void aPolicyThatCameWithEvidenceIsSavedWithIt() {
    policy::Policy found;
    found.base = policy::Base::kCpuAmp;
    found.provenance.evidence = {"Trained 100 steps."};
    policy::Provenance here;
    here.run = "cnn.binade";
    const QString file = test::temporaryFolder() + QStringLiteral("/found.policy.json");
    PolicyDocument document;
    document.replace(found, QStringLiteral("found"));
    QVERIFY(!document.save(file, here).has_value());
    QCOMPARE(app::readPolicyFile(file).policy->provenance.evidence, found.provenance.evidence);
    QCOMPARE(app::readPolicyFile(file).policy->provenance.run, here.run);
    // An edit ends it.
    document.setFormat({kFcKey}, formats::kBFloat16);
    QVERIFY(!document.save(file, here).has_value());
    QVERIFY(app::readPolicyFile(file).policy->provenance.evidence.empty());
  }

  void aBrokenFileGivesOneProblemAndChangesNothing_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("not JSON") << QByteArray("this is no policy");
    QTest::newRow("cut") << QByteArray("{ \"binade_policy\": 1, \"sites\": [ {");
    QTest::newRow("unknown op") << QByteArray("{ \"binade_policy\": 1, \"ops\": { \"aten::gelu\": \"float17\" } }");
    QTest::newRow("unknown field") << QByteArray("{ \"binade_policy\": 1, \"opz\": {} }");
    QTest::newRow("newer version") << QByteArray("{ \"binade_policy\": 99 }");
  }
  void aBrokenFileGivesOneProblemAndChangesNothing() {
    QFETCH(QByteArray, text);
    const QString file = test::temporaryFolder() + QStringLiteral("/broken.policy.json");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(text);
    out.close();
    PolicyDocument document;
    document.setFormat({kConvKey}, formats::kFloat32);
    const policy::Policy before = document.policy();
    const auto problem = document.open(file);
    QVERIFY(problem.has_value());
    QVERIFY2(problem->message.contains(QStringLiteral("broken.policy.json")), qPrintable(problem->message));
    QVERIFY(document.policy() == before);
    QCOMPARE(document.undoStack()->count(), 1);
  }

  void aMissingFileIsAProblemToo() {
    PolicyDocument document;
    const auto problem = document.open(QStringLiteral("no/such.policy.json"));
    QVERIFY(problem.has_value());
    QVERIFY(problem->message.contains(QStringLiteral("such.policy.json")));
  }

  void savingWhereNothingCanBeWrittenKeepsTheEdits() {
    PolicyDocument document;
    document.setFormat({kConvKey}, formats::kFloat32);
    QVERIFY(document.save(test::temporaryFolder() + QStringLiteral("/no/such/folder/a.policy.json")).has_value());
    QVERIFY(document.isModified());
    QCOMPARE(document.policy().sites.size(), std::size_t{1});
  }

  void aRunStartedAgainWithTheSamePolicyKeepsTheUndoSteps() {
    PolicyDocument document;
    document.setFormat({kConvKey}, formats::kFloat32);
    document.adopt(document.policy(), 0);
    QCOMPARE(document.undoStack()->count(), 1);
    QCOMPARE(document.revision(), 1);
    document.adopt(policy::Policy{.name = "other", .ops = {}, .sites = {}}, 7);
    QCOMPARE(document.undoStack()->count(), 0);
    QCOMPARE(document.revision(), 7);
    QVERIFY(!document.isModified());
  }
};

BINADE_SUITE(PolicyDocuments);

}  // namespace

#include "tst_policy_document.moc"
