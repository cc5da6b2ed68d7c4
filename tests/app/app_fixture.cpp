// SPDX-License-Identifier: Apache-2.0
#include "tests/app/app_fixture.h"

#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QApplication>
#include <QFile>
#include <QJsonDocument>
#include <QTest>

namespace binade::test {

app::EngineCommand fakeEngine(const QStringList& options) {
  return {QStringLiteral(BINADE_FAKE_ENGINE), options};
}

Explorer::Explorer(const QStringList& engineOptions)
    : folder_(temporaryFolder()),
      settings_(std::make_unique<QSettings>(folder_ + QStringLiteral("/settings.ini"), QSettings::IniFormat)),
      session_(std::make_unique<app::Session>(
          fakeEngine(QStringList{QStringLiteral("--log"), folder_ + QStringLiteral("/requests.log")} + engineOptions),
          settings_.get())),
      window_(std::make_unique<app::MainWindow>(session_.get(), settings_.get())) {}

Explorer::~Explorer() = default;

void Explorer::show() {
  window_->resize(1600, 1000);
  window_->show();
  session_->startEngine();
}

void Explorer::showFed(int steps) {
  window_->resize(1600, 1000);
  window_->show();
  feedRun(session_->run(), steps);
  session_->run().setState({wire::RunState::kPaused, steps});
}

bool Explorer::playAndPause(int steps) {
  show();
  session_->runDemo();
  const auto come = [&] { return static_cast<int>(session_->run().steps().size()) >= steps; };
  if (!QTest::qWaitFor(come, 20000)) return false;
  session_->pause();
  return QTest::qWaitFor([&] { return session_->run().state() == wire::RunState::kPaused; }, 5000);
}

QList<QJsonObject> Explorer::requests(const QString& method) const {
  QFile log(folder_ + QStringLiteral("/requests.log"));
  QList<QJsonObject> found;
  if (!log.open(QIODevice::ReadOnly)) return found;
  for (const QByteArray& line : log.readAll().split('\n')) {
    const QJsonObject request = QJsonDocument::fromJson(line).object();
    if (request[QLatin1String("method")].toString() == method) found << request[QLatin1String("params")].toObject();
  }
  return found;
}

void Explorer::picture(QWidget* widget, const QString& name) {
  const QString folder = qEnvironmentVariable("BINADE_TEST_PICTURES");
  if (folder.isEmpty()) return;
  QApplication::processEvents();
  widget->grab().save(folder + u'/' + name + QStringLiteral(".png"));
}

void feedRun(app::RunModel& run, int steps) {
  FakeRun fake;
  run.begin(fake.started(), app::RunModel::Source::kLive);
  run.setState({wire::RunState::kRunning, 0});
  for (int i = 0; i < steps; ++i) {
    run.addSteps({fake.next()});
    if (fake.event() != nullptr) run.addEvent(*fake.event());
  }
}

}  // namespace binade::test
