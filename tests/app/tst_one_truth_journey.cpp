// SPDX-License-Identifier: Apache-2.0
// One training, counted by the command line, by its run file and by the docks that show it: at each of its steps.
#include "app/docks/events_dock.h"
#include "app/docks/profile_dock.h"
#include "app/docks/questions_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/series_dock.h"
#include "app/docks/sites_dock.h"
#include "app/present/call_counts.h"
#include "app/present/event_table_model.h"
#include "app/present/graph_rows.h"
#include "app/session/session.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"
#include "app/window/time_line_bar.h"
#include "tests/app/journey.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"
#include "views/values/numbers.h"

#include <sqlite3.h>

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSet>
#include <QSettings>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <memory>
#include <vector>

namespace {

using namespace binade;

class OneTruthJourney : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!QFileInfo::exists(test::enginePath())) QSKIP("binade-engine is not built");
    folder_ = test::temporaryFolder();
    run_file_ = folder_ + QStringLiteral("/truth.binade");
    train();
    settings_ = std::make_unique<QSettings>(folder_ + QStringLiteral("/settings.ini"), QSettings::IniFormat);
    session_ = std::make_unique<app::Session>(
        app::EngineCommand{test::enginePath(), {QStringLiteral("serve")}, app::Confinement::kIfPossible},
        settings_.get());
    window_ = std::make_unique<app::MainWindow>(session_.get(), settings_.get());
    window_->show();
    session_->openFile(run_file_);
    test::waitOpened(*session_);
    QVERIFY(!session_->run().isEmpty());
    QVERIFY2(!steps_.empty(), "the training failed");
    QTRY_COMPARE(window_->timeLine()->slider()->maximum(), static_cast<int>(steps_.size()) - 1);  // the first frame
  }
  void cleanupTestCase() {
    window_.reset();
    session_.reset();
    settings_.reset();
  }

  void stepsAreCountedAlike() {
    const app::RunModel& run = session_->run();
    const auto count = static_cast<std::int64_t>(steps_.size());
    QCOMPARE(sql("select count(*) from steps"), count);
    QCOMPARE(static_cast<std::int64_t>(run.steps().size()), count);
    QCOMPARE(static_cast<std::int64_t>(window_->docks()->loss->plot()->series(0).size()), count);
    QCOMPARE(static_cast<std::int64_t>(window_->timeLine()->slider()->maximum()), count - 1);
    const auto skipped = std::count_if(steps_.begin(), steps_.end(), [](const QJsonObject& step) {
      return !step[QStringLiteral("stepped")].toBool();
    });
    QVERIFY(skipped > 0);
    QCOMPARE(sql("select count(*) from steps where stepped = 0"), static_cast<std::int64_t>(skipped));
    QCOMPARE(views::countMarks(window_->docks()->scale->plot()->marks(), views::MarkKind::kSkipped),
             static_cast<std::int64_t>(skipped));
    QCOMPARE(views::countMarks(window_->docks()->loss->plot()->marks(), views::MarkKind::kSkipped),
             static_cast<std::int64_t>(skipped));
  }

  void opCallsAreCountedAlike() {
    const app::RunModel& run = session_->run();
    const std::int64_t all = started_[QStringLiteral("sites")].toInt();
    QCOMPARE(sql("select count(*) from sites"), all);
    const app::CallCounts counts = app::callCounts(run);
    QCOMPARE(std::int64_t{counts.all()}, all);
    QCOMPARE(std::int64_t{window_->docks()->sites->model()->rowCount()}, all);
    const std::int64_t timed =
        sql("select count(*) from profile_sites where seq = (select max(seq) from profile_sites)");
    QVERIFY(timed > 0);
    QCOMPARE(static_cast<std::int64_t>(run.profile().latest().sites.size()), timed);
    QCOMPARE(std::int64_t{window_->docks()->profile->model()->rowCount()}, timed);
    QVERIFY(counts.known);
    QVERIFY(timed <= counts.executed && counts.executed <= counts.all());
    const auto nodes = app::graphNodes(run);
    const auto calls = std::count_if(nodes.begin(), nodes.end(), [](const auto& node) { return node.id >= 0; });
    QCOMPARE(static_cast<int>(calls), counts.executed);
  }

  void eventsAreCountedAlike() {
    const app::RunModel& run = session_->run();
    const auto count = static_cast<std::int64_t>(overflows_.size());
    QVERIFY(count > 0);
    QCOMPARE(sql("select count(*) from events where kind <> 'silent'"), count);
    const auto& events = run.events();
    QCOMPARE(std::count_if(events.begin(), events.end(),
                           [](const wire::Event& event) { return event.kind != wire::Event::Kind::kSilent; }),
             static_cast<std::ptrdiff_t>(count));
    QCOMPARE(window_->docks()->events->model()->events(), static_cast<int>(events.size()));
    const auto marks = window_->timeLine()->slider()->marks();
    QCOMPARE(std::count_if(marks.begin(), marks.end(),
                           [](const views::StepMark& mark) { return mark.kind == views::StepMark::Kind::kEvent; }),
             static_cast<std::ptrdiff_t>(events.size()));
  }

  // At every step of the training, by the time line: the table and the graph count what `train` had reported by then.
  void overflowsAreCountedAlikeAtEveryStep() {
    app::RunModel& run = session_->run();
    const app::SiteTableModel* table = window_->docks()->sites->model();
    window_->docks()->sites->show();
    window_->docks()->sites->raise();
    QTest::qWait(1);
    const auto nodes = app::graphNodes(run);
    for (const QJsonObject& at : steps_) {
      const std::int64_t step = at[QStringLiteral("step")].toInteger();
      session_->selection().setShown(step);
      QVERIFY(run.shownStep() == std::optional(step));
      QCOMPARE(run.shownPoint().scale, at[QStringLiteral("scale")].toDouble());
      const auto shades = app::graphShades(run, nodes, app::GraphColor::kOverflows);
      for (const wire::SiteInfo& site : run.sites()) {
        const QString name = QString::fromStdString(site.key.name());
        const auto named = std::count_if(overflows_.begin(), overflows_.end(), [&](const QJsonObject& line) {
          return line[QStringLiteral("step")].toInteger() <= step &&
                 line[QStringLiteral("sites")].toArray().contains(name);
        });
        const app::SiteOverflows& counted = table->figures(site.id).overflows;
        // A step may count as an overflow of the op call and as one of its cast.
        const int least = std::max(counted.own, counted.cast);
        QVERIFY2(least <= named && named <= counted.all(),
                 qPrintable(QStringLiteral("%1 at %2: %3 lines, %4 in the table")
                                .arg(name)
                                .arg(step)
                                .arg(named)
                                .arg(counted.all())));
        for (std::size_t i = 0; i < nodes.size(); ++i) {
          if (nodes[i].id == site.id) QCOMPARE(shades[i].figure, views::grouped(counted.all()));
        }
      }
      const auto until = std::count_if(overflows_.begin(), overflows_.end(), [&](const QJsonObject& line) {
        return line[QStringLiteral("step")].toInteger() <= step;
      });
      const app::EventTableModel* events = window_->docks()->events->model();
      int lit = 0;
      for (int event = 0; event < events->events(); ++event)
        lit += events->index(events->rowOf(event), app::EventTableModel::kWhat).data(views::QuietRole).toBool() ? 0 : 1;
      QVERIFY(lit >= until);  // the silent faults are events too
    }
    session_->selection().setShown(std::nullopt);
    QVERIFY(!run.shownStep());
  }

 private:
  void train() {
    QFile description(folder_ + QStringLiteral("/truth.run.json"));
    QVERIFY(description.open(QIODevice::WriteOnly));
    description.write(
        R"({"binade_run": 1, "name": "truth", "model": "sample:mlp",
            "data": {"kind": "synthetic", "inputs": ["float32[8,1,28,28]"]}, "loss": "cross_entropy",
            "optimizer": {"kind": "sgd", "learning_rate": 0.05}, "policy": "cuda-amp",
            "scaler": {"init_scale": 16777216, "growth_interval": 5}, "batch": 8, "steps": 30, "seed": 1})");
    description.close();
    QProcess engine;
    engine.start(test::enginePath(),
                 {QStringLiteral("train"), description.fileName(), QStringLiteral("--json"),
                  QStringLiteral("--run-file"), run_file_, QStringLiteral("--profile"), QStringLiteral("times")});
    QVERIFY(engine.waitForFinished(2 * test::kPatience));
    QVERIFY2(engine.exitCode() == 0, engine.readAllStandardError().constData());
    for (const QByteArray& line : engine.readAllStandardOutput().split('\n')) {
      const QJsonObject object = QJsonDocument::fromJson(line).object();
      const QString event = object[QStringLiteral("event")].toString();
      if (event == QLatin1String("started")) started_ = object;
      if (event == QLatin1String("step")) steps_.push_back(object);
      if (event == QLatin1String("overflow")) overflows_.push_back(object);
    }
  }

  std::int64_t sql(const char* query) const {
    sqlite3* file = nullptr;
    std::int64_t found = -1;
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_open_v2(run_file_.toUtf8().constData(), &file, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK &&
        sqlite3_prepare_v2(file, query, -1, &statement, nullptr) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW) {
      found = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    sqlite3_close(file);
    return found;
  }

  QString folder_;
  QString run_file_;
  QJsonObject started_;
  std::vector<QJsonObject> steps_;
  std::vector<QJsonObject> overflows_;
  std::unique_ptr<QSettings> settings_;
  std::unique_ptr<app::Session> session_;
  std::unique_ptr<app::MainWindow> window_;
};

}  // namespace

BINADE_SUITE(OneTruthJourney);
#include "tst_one_truth_journey.moc"
