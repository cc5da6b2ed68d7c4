// SPDX-License-Identifier: Apache-2.0
#include "tests/app/ended_run.h"

#include "app/session/searches.h"
#include "app/session/tries.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QTest>

namespace binade::test {

EndedRun::EndedRun(const app::EngineCommand& engine)
    : settings_(temporaryFolder() + QStringLiteral("/s.ini"), QSettings::IniFormat), session_(engine, &settings_) {}

void EndedRun::feed() {
  const QString name = temporaryFolder() + QStringLiteral("/demo.binade");
  QFile file(name);
  QVERIFY(file.open(QIODevice::WriteOnly));
  wire::RunStarted started = FakeRun().started();
  started.run_file = name.toStdString();
  session_.run().begin(started, app::RunModel::Source::kLive);
  session_.run().finish({wire::Outcome::kCompleted, 0, {}, {}});
  session_.document().adopt(started.policy.policy, 0);
}

bool EndedRun::finish() {
  return QTest::qWaitFor([this] { return !session_.tries().isRunning() && !session_.searches().isRunning(); }, 20000);
}

}  // namespace binade::test
