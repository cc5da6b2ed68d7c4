// SPDX-License-Identifier: Apache-2.0
#include "app/session/policy_list_job.h"
#include "app/session/target_text_job.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QSignalSpy>
#include <QThread>

#include <memory>

namespace {

using namespace binade;
using app::AssignedRun;

void addSite(wire::ModelInfo& model, const char* path, const char* op) {
  wire::SiteInfo& site = model.sites.emplace_back();
  site.id = static_cast<int>(model.sites.size()) - 1;
  site.key = {path, "", op, "", 0};
  site.source = "net.py:" + std::to_string(site.id);
}

std::size_t keysOf(const wire::ModelInfo& model, const wire::RunConfig& config) {
  return AssignedRun(model, config, {}).assignment().keys.size();
}

/// What a target writes, made by the job.
app::TargetText targetText(const policy::Policy& policy, const char* target,
                           const wire::RunConfig& config = test::FakeRun::config()) {
  app::TargetTextJob job;
  app::TargetText made;
  bool here = false;
  QObject::connect(&job, &app::TargetTextJob::finished, &job, [&](const app::TargetText& text) {
    made = text;
    here = QThread::currentThread() == job.thread();
  });
  QSignalSpy finished(&job, &app::TargetTextJob::finished);
  job.start(std::make_shared<AssignedRun>(test::FakeRun::model(), config, policy), *targets::find_target(target),
            QStringLiteral("tuned"));
  if (!finished.wait(20000) || job.isRunning() || !here) made.problem = app::Problem{QStringLiteral("no text came")};
  return made;
}

policy::Policy policyFor(const char* match) {
  policy::Policy policy;
  policy::SiteRule rule;
  rule.match = match;
  policy.sites.push_back(rule);
  return policy;
}

}  // namespace

// Texts of targets and lists of other programs, without a window.
class TargetTexts : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theLossInsideACapturedModelBelongsToTheModel() {
    wire::RunConfig config;
    config.losses.resize(1);
    config.losses[0].kind = "text";
    config.losses[0].text = "def loss(output: Tensor) -> Tensor:\n    return output\n";
    wire::ModelInfo model;
    addSite(model, "model.fc", "aten::linear");
    addSite(model, "loss", "aten::log_softmax");
    QCOMPARE(keysOf(model, config), std::size_t{2});
  }

  void opCallsOfTheLossBelongToTheRun() {
    wire::RunConfig config;
    wire::ModelInfo model;
    addSite(model, "fc", "aten::linear");
    addSite(model, "loss.head", "aten::linear");
    addSite(model, "loss", "aten::nll_loss");
    QCOMPARE(keysOf(model, config), std::size_t{2});
    // A module of the model may have that name: the last call of a name is the run's.
    addSite(model, "loss", "aten::nll_loss");
    QCOMPARE(keysOf(model, config), std::size_t{3});
    config.losses.resize(2);
    model.sites.resize(2);
    addSite(model, "loss.0", "aten::mse_loss");
    addSite(model, "loss.1", "aten::mse_loss");
    model.sites.erase(model.sites.begin() + 1);
    QCOMPARE(keysOf(model, config), std::size_t{1});
  }

  void theScalerOfTheRunIsPassedOn() {
    wire::RunConfig config = test::FakeRun::config();
    QVERIFY(AssignedRun(test::FakeRun::model(), config, {}).assignment().scaler == config.scaler);
    config.scalers = {config.scaler, config.scaler};
    config.scalers[1].id = "second";
    QVERIFY(!AssignedRun(test::FakeRun::model(), config, {}).assignment().scaler.has_value());
    const app::TargetText text = targetText({}, "json", config);
    QVERIFY2(app::findingsText(text.findings).contains(QStringLiteral("2 loss scalers")),
             qPrintable(app::findingsText(text.findings)));
  }

  void placesComeFromTheModel() {
    wire::ModelInfo model;
    addSite(model, "cell", "aten::lstm");
    model.sites[0].in_loop = true;
    model.sites[0].inside = true;
    model.own_blocks = {{"cuda-amp", formats::kBFloat16, true, false, "net.py:3", -1}};
    model.sites[0].own_block = 0;
    const AssignedRun run(model, {}, {});
    const policy::SitePlace& place = run.assignment().places.front();
    QVERIFY(place.repeats && place.inside && !place.view && place.block != nullptr);
    QCOMPARE(run.assignment().sources.front(), std::string("net.py:0"));
  }

  void anExactTextHasAProof() {
    const app::TargetText text = targetText({}, "json");
    QVERIFY(!text.problem && text.exact && text.cut.isEmpty());
    QCOMPARE(text.proof, QStringLiteral("Read back: 12 of 12 op calls equal."));
    QCOMPARE(text.preview, QString::fromStdString(text.text));
  }

  void rulesForTheLossAreNamed() {
    const app::TargetText text = targetText(policyFor("loss/aten::nll_loss#0"), "csv");
    QVERIFY(!text.problem && text.exact);
    QVERIFY2(app::findingsText(text.findings).contains(QStringLiteral("loss/aten::nll_loss#0")),
             qPrintable(app::findingsText(text.findings)));
  }

  void aPolicyForAnotherModelIsRefused() {
    const app::TargetText text = targetText(policyFor("encoder.layers"), "csv");
    QVERIFY(text.problem.has_value());
    QVERIFY2(text.problem->message.contains(QStringLiteral("another model")), qPrintable(text.problem->message));
    QVERIFY(text.text.empty() && text.preview.isEmpty());
  }

  void aTextWithoutLinesIsCutToo() {
    policy::Policy policy;
    policy.name = std::string(500'000, 'a');
    const app::TargetText text = targetText(policy, "json");
    QVERIFY(!text.problem);
    QVERIFY(text.preview.size() <= 400'000 && !text.cut.isEmpty());
    QVERIFY(text.text.size() > 500'000);
  }

  void aNewerTargetTakesTheOlderOnesPlace() {
    const auto run = std::make_shared<AssignedRun>(test::FakeRun::model(), test::FakeRun::config(), policy::Policy{});
    app::TargetTextJob job;
    QList<std::string> came;
    connect(&job, &app::TargetTextJob::finished, this, [&](const app::TargetText& text) { came << text.text; });
    for (const char* name : {"csv", "html", "markdown", "json"}) {
      job.start(run, *targets::find_target(name), QStringLiteral("tuned"));
    }
    QTRY_VERIFY(!job.isRunning());
    QCOMPARE(came.size(), 1);
    QCOMPARE(came.front(), targets::find_target("json")->write(run->assignment()).text);
  }

  void aMissingListIsReported() {
    const auto run = std::make_shared<AssignedRun>(test::FakeRun::model(), test::FakeRun::config(), policy::Policy{});
    app::PolicyListJob job;
    app::PolicyList list;
    connect(&job, &app::PolicyListJob::finished, this, [&](const app::PolicyList& came) { list = came; });
    const QString file = test::temporaryFolder() + QStringLiteral("/none.csv");
    job.start(file, *targets::find_target("csv"), run);
    QVERIFY(job.isRunning());
    QTRY_VERIFY(!job.isRunning());
    QVERIFY(!list.policy);
    QVERIFY2(list.problem.message.contains(QStringLiteral("none.csv")), qPrintable(list.problem.message));
  }

  void opsThatNeitherModelNorListNamesAreLeftOut() {
    const auto run = std::make_shared<AssignedRun>(test::FakeRun::model(), test::FakeRun::config(), policy::Policy{});
    const QString file = test::temporaryFolder() + QStringLiteral("/list.json");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    // The model calls linear, and a base list names layer_norm.
    out.write(R"({"binade_policy": 1, "base": "cuda-amp", "ops": {"aten::lineer": "float32", "aten::linear": "float32",
                  "aten::layer_norm": "float32", "aten::linear.odd": "float32", "mine::op": "float32"}})");
    out.close();
    app::PolicyListJob job;
    app::PolicyList list;
    connect(&job, &app::PolicyListJob::finished, this, [&](const app::PolicyList& came) { list = came; });
    job.start(file, *targets::find_target("json"), run);
    QTRY_VERIFY(!job.isRunning());
    QVERIFY2(list.policy.has_value(), qPrintable(list.problem.message));
    std::vector<std::string> ops;
    for (const auto& [key, change] : list.policy->ops) ops.push_back(key);
    QCOMPARE(ops, (std::vector<std::string>{"aten::layer_norm", "aten::linear", "mine::op"}));
    const QString told = app::findingsText(list.findings);
    QVERIFY2(told.contains(QStringLiteral("aten::lineer")) && told.contains(QStringLiteral("aten::linear.odd")),
             qPrintable(told));
    QVERIFY2(told.contains(QStringLiteral("Did you mean \"aten::linear\"?")), qPrintable(told));
  }
};

BINADE_SUITE(TargetTexts);
#include "tst_target_texts.moc"
