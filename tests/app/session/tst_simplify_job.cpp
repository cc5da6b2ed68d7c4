// SPDX-License-Identifier: Apache-2.0
#include "app/session/simplify_job.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QSignalSpy>
#include <QThread>

using namespace binade;
using app::AssignedRun;
using app::Simplified;
using app::Simplify;
using app::SimplifyJob;

namespace {

policy::Policy with_rules(std::initializer_list<std::string> matches) {
  policy::Policy policy;
  for (const std::string& match : matches) {
    policy.sites.emplace_back().match = match;
    policy.sites.back().format = formats::kBFloat16;
  }
  return policy;
}

Simplified simplified(Simplify how, const policy::Policy& policy) {
  SimplifyJob job;
  Simplified made;
  bool here = false;
  QObject::connect(&job, &SimplifyJob::finished, &job, [&](const Simplified& result) {
    made = result;
    here = QThread::currentThread() == job.thread();
  });
  QSignalSpy finished(&job, &SimplifyJob::finished);
  job.start(how, std::make_shared<AssignedRun>(test::FakeRun::model(), test::FakeRun::config(), policy));
  if (!finished.wait(20000) || job.isRunning() || !here) made.problem = app::Problem{QStringLiteral("no result"), {}};
  return made;
}

std::string name_of(std::size_t site) {
  return test::FakeRun::model().sites[site].key.name();
}

}  // namespace

// Fewer rules for the policy of a run, made on another thread.
class SimplifyJobs : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void rulesWithoutEffectAreLeftOut() {
    const policy::Policy policy = with_rules({name_of(0), "gone", name_of(0)});
    const Simplified result = simplified(Simplify::kMinimise, policy);
    QVERIFY2(!result.problem, qPrintable(result.problem ? result.problem->message : QString()));
    QVERIFY(result.before == policy);
    QCOMPARE(result.dropped, 2);
    QCOMPARE(result.after.sites.size(), std::size_t{1});
  }

  void nothingToDoLeavesThePolicy() {
    const policy::Policy policy = with_rules({name_of(0)});
    for (const Simplify how : {Simplify::kMinimise, Simplify::kGeneralise}) {
      const Simplified result = simplified(how, policy);
      QVERIFY(!result.problem);
      QVERIFY(result.after == policy);
      QCOMPARE(result.dropped + result.patterns, 0);
    }
  }

  void generaliseLeavesOutNothing() {
    const policy::Policy policy = with_rules({"gone", name_of(0)});
    QVERIFY(simplified(Simplify::kGeneralise, policy).after == policy);
  }
};

BINADE_SUITE(SimplifyJobs);
#include "tst_simplify_job.moc"
