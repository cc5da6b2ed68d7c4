// SPDX-License-Identifier: Apache-2.0
// What a person does to a run while it goes on, and after it ended: scalers, checkpoints, its configuration.
#include "app/docks/checkpoints_dock.h"
#include "app/docks/configuration_dock.h"
#include "app/docks/gradients_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/scale_edit.h"
#include "app/docks/scaler_popover.h"
#include "app/docks/series_dock.h"
#include "app/form/run_form.h"
#include "app/model/run_file_source.h"
#include "app/present/site_figures.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "engine/record/run_writer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/wait_opened.h"
#include "tests/support/suite.h"

#include <QComboBox>
#include <QJsonObject>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace binade;
using test::Explorer;

namespace {

void type(QLineEdit* edit, const QString& text) {
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, text);
  QTest::keyClick(edit, Qt::Key_Return);
}

int edits(const views::Plot* plot) {
  return static_cast<int>(std::count_if(plot->marks().begin(), plot->marks().end(), [](const views::Mark& mark) {
    return mark.kind == views::MarkKind::kPolicyEdit;
  }));
}

class LiveRuns : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aScalerIsTunedWhileItTrainsMarkedAndUndone() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(30));
    app::ScaleDock* dock = explorer.window().docks()->scale;
    app::ScalerPopover* popover = dock->popover();
    QTest::mouseClick(dock->scalerButton(), Qt::LeftButton);
    QVERIFY(popover->isVisible() && popover->field(QStringLiteral("growth_factor"))->isEnabled());
    QVERIFY(dock->scalerButton()->toolTip().contains(QStringLiteral("after 40 clean steps")));
    type(popover->field(QStringLiteral("growth_interval")), QStringLiteral("7"));
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.tune")).size(), 1);
    const QJsonObject sent = explorer.requests(QStringLiteral("scaler.tune")).front();
    QCOMPARE(sent[QLatin1String("growth_interval")].toInt(), 7);
    QCOMPARE(sent[QLatin1String("growth_factor")].toDouble(), 2.0);
    // Marked on every chart, in words on this one.
    QTRY_COMPARE(edits(explorer.window().docks()->scale->plot()), 1);
    QCOMPARE(edits(explorer.window().docks()->loss->plot()), 1);
    QVERIFY(explorer.window().docks()->scale->plot()->marks().back().text.contains(QStringLiteral("40 to 7")));
    Explorer::picture(&explorer.window(), QStringLiteral("scaler-tuned"));
    QCOMPARE(explorer.session().run().config().scaler.growth_interval, std::int64_t{7});
    // Neither an edit of the policy nor one that rewinding can take back.
    QVERIFY(!explorer.session().document().isModified());
    QVERIFY(!explorer.window().actions()->undo_and_rewind->isEnabled());
    explorer.window().actions()->undo->trigger();
    QTRY_COMPARE(explorer.session().run().config().scaler.growth_interval, std::int64_t{40});
    QCOMPARE(explorer.requests(QStringLiteral("scaler.tune")).size(), 2);
    QCOMPARE(popover->field(QStringLiteral("growth_interval"))->text(), QStringLiteral("40"));
  }

  void whatNoScalerCanUseIsRefusedAndPutBack() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::ScaleDock* dock = explorer.window().docks()->scale;
    app::ScalerPopover* popover = dock->popover();
    QTest::mouseClick(dock->scalerButton(), Qt::LeftButton);
    type(popover->field(QStringLiteral("growth_factor")), QStringLiteral("0.5"));
    QVERIFY(explorer.window().banner()->isVisible());
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("above 1")));
    QCOMPARE(popover->field(QStringLiteral("growth_factor"))->text(), QStringLiteral("2"));
    type(popover->field(QStringLiteral("maximum")), QStringLiteral("lots"));
    QVERIFY(explorer.window().banner()->message().contains(QStringLiteral("lots")));
    QVERIFY(explorer.requests(QStringLiteral("scaler.tune")).isEmpty());
  }

  void escapeDiscardsAFieldOfTheScalerAndAClickElsewhereAppliesIt() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::ScaleDock* dock = explorer.window().docks()->scale;
    app::ScalerPopover* popover = dock->popover();
    QVERIFY(!popover->isVisible());
    // By key: Down in the editor of the scale, or Space on the button.
    dock->editor()->setFocus();
    QTest::keyClick(dock->editor(), Qt::Key_Down);
    QVERIFY(popover->isVisible());
    QLineEdit* interval = popover->field(QStringLiteral("growth_interval"));
    interval->selectAll();
    QTest::keyClicks(interval, QStringLiteral("9"));
    QTest::keyClick(interval, Qt::Key_Escape);
    QVERIFY(!popover->isVisible());
    QCOMPARE(interval->text(), QStringLiteral("40"));
    QVERIFY(explorer.requests(QStringLiteral("scaler.tune")).isEmpty());
    QTest::keyClick(dock->scalerButton(), Qt::Key_Space);
    QVERIFY(popover->isVisible());
    interval->selectAll();
    QTest::keyClicks(interval, QStringLiteral("9"));
    popover->close();  // as a click elsewhere does
    QTRY_COMPARE(explorer.requests(QStringLiteral("scaler.tune")).size(), 1);
  }

  void theParametersOfAnEarlierStepCannotBeChanged() {
    Explorer explorer;
    explorer.showFed(60);
    explorer.session().selection().setShown(5);
    app::ScaleDock* dock = explorer.window().docks()->scale;
    QTest::mouseClick(dock->scalerButton(), Qt::LeftButton);
    QVERIFY(dock->popover()->isVisible());
    QVERIFY(!dock->popover()->field(QStringLiteral("growth_factor"))->isEnabled());
    QTest::keyClick(dock->popover(), Qt::Key_Escape);
    QVERIFY(!dock->popover()->isVisible());
  }

  void checkpointsAreListedWithStepLossAndSize() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    app::CheckpointsDock* dock = explorer.window().docks()->checkpoints;
    dock->show();
    dock->raise();
    QVERIFY(!dock->resumeButton()->isEnabled());
    QTest::mouseClick(dock->saveButton(), Qt::LeftButton);
    QTRY_COMPARE(dock->table()->model()->rowCount(), 1);
    const auto cell = [&](int column) { return dock->table()->model()->index(0, column).data().toString(); };
    QCOMPARE(cell(app::CheckpointTableModel::kLoss), QStringLiteral("0.500"));
    QCOMPARE(cell(app::CheckpointTableModel::kWhy), QStringLiteral("requested"));
    QVERIFY(!cell(app::CheckpointTableModel::kSize).isEmpty());
    QVERIFY(cell(app::CheckpointTableModel::kFile).endsWith(QStringLiteral(".safetensors")));
    Explorer::picture(&explorer.window(), QStringLiteral("checkpoints"));
    // A live run goes back to it.
    QVERIFY(dock->resumeButton()->text().startsWith(QStringLiteral("Rewind to step ")));
    QTest::mouseClick(dock->resumeButton(), Qt::LeftButton);
    QTRY_COMPARE(explorer.requests(QStringLiteral("checkpoint.load")).size(), 1);
    QTRY_VERIFY(explorer.session().run().steps().size() <= 5);
  }

  void aRunThatEndedGoesOnFromACheckpoint() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(10));
    explorer.session().saveCheckpoint();
    QTRY_COMPARE(explorer.session().run().checkpoints().size(), std::size_t{1});
    const std::string file = explorer.session().run().checkpoints().front().file;
    explorer.session().stop();
    QTRY_VERIFY(explorer.session().run().finished().has_value());
    app::CheckpointsDock* dock = explorer.window().docks()->checkpoints;
    dock->show();
    dock->raise();
    QVERIFY(dock->resumeButton()->text().startsWith(QStringLiteral("Resume from step ")));
    QTest::mouseClick(dock->resumeButton(), Qt::LeftButton);
    QTRY_COMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
    const QJsonObject config =
        explorer.requests(QStringLiteral("run.start")).front()[QLatin1String("config")].toObject();
    QCOMPARE(config[QLatin1String("resume")].toString().toStdString(), file);
  }

  void aCrashOffersTheLastCheckpoint() {
    Explorer explorer({QStringLiteral("--crash-at"), QStringLiteral("400")});
    QVERIFY(explorer.playAndPause(20));
    explorer.session().saveCheckpoint();
    QTRY_COMPARE(explorer.session().run().checkpoints().size(), std::size_t{1});
    const wire::CheckpointInfo kept = explorer.session().run().checkpoints().front();
    explorer.session().resume();
    QTRY_VERIFY_WITH_TIMEOUT(explorer.window().banner()->isVisible(), 15000);
    QPushButton* offer = explorer.window().banner()->offered();
    QVERIFY(offer->isVisible());
    QVERIFY(offer->text().contains(QString::number(kept.step)));
    Explorer::picture(&explorer.window(), QStringLiteral("crash-offer"));
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    QTest::mouseClick(offer, Qt::LeftButton);
    QTRY_COMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
    QTRY_COMPARE(explorer.session().run().config().resume, kept.file);
    QVERIFY(!explorer.window().banner()->isVisible());
  }

  void theTrainedModelIsSavedAsTorchScript() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    QVERIFY(explorer.window().actions()->save_model->isEnabled());
    const QString file = explorer.folder() + QStringLiteral("/trained.pt");
    explorer.session().saveModel(file);
    QTRY_COMPARE(explorer.requests(QStringLiteral("model.save")).size(), 1);
    QCOMPARE(explorer.requests(QStringLiteral("model.save")).front()[QLatin1String("file")].toString(), file);
  }

  void aChangedConfigurationIsInForceOnceStartedAgain() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    app::ConfigurationDock* dock = explorer.window().docks()->configuration;
    dock->show();
    dock->raise();
    auto* rate = dock->findChild<QLineEdit*>(QStringLiteral("optimizer.learning_rate"));
    QVERIFY(rate != nullptr && rate->isVisible());
    type(rate, QStringLiteral("0.125"));
    QVERIFY(explorer.session().description().isModified());
    QCOMPARE(explorer.session().run().config().optimizer.learning_rate, 0.01);
    Explorer::picture(&explorer.window(), QStringLiteral("configuration"));
    // Ctrl+Z belongs to the description while the person is in it.
    rate->clearFocus();
    dock->startButton()->setFocus();
    explorer.window().actions()->undo->trigger();
    QVERIFY(!explorer.session().description().isModified());
    explorer.window().actions()->redo->trigger();
    QTest::mouseClick(dock->startButton(), Qt::LeftButton);
    QTRY_COMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
    QTRY_COMPARE(explorer.session().run().config().optimizer.learning_rate, 0.125);
    QCOMPARE(explorer.requests(QStringLiteral("run.stop")).size(), 1);
    QVERIFY(!explorer.session().description().isModified());
  }

  void aRunFileShowsScalersCheckpointsAndRewinds() {
    test::FakeRun fake;
    wire::RunConfig config = test::FakeRun::config();
    config.scaler = {};
    config.scalers = {{.id = "main", .init_scale = 65536}, {.id = "boxes", .init_scale = 1024}};
    config.losses = {{.kind = "mse", .scaler = "main"}, {.kind = "l1", .scaler = "boxes"}};
    fake.restart(config);
    const QString file = test::temporaryFolder() + QStringLiteral("/two.binade");
    {
      record::RunWriter writer(file.toStdString());
      writer.add(fake.started());
      for (int i = 0; i < 20; ++i) writer.add(fake.next());
      writer.add(wire::CheckpointInfo{"/gone/step.safetensors", 20, "step", 0, "sample:cnn", 100, 1'790'000'000, 0.25});
      wire::ScalerConfig tuned = config.scalers[1];
      tuned.growth_interval = 9;
      writer.add(wire::ScalerChanged{20, tuned, 1024});
      for (int i = 0; i < 10; ++i) writer.add(fake.next());
      writer.add(wire::Rewound{25, "/gone/step.safetensors"});
      writer.close();
    }
    Explorer explorer;
    explorer.show();
    explorer.window().openFiles({file});
    test::waitOpened(explorer.session());
    app::RunModel& run = explorer.session().run();
    QCOMPARE(run.steps().size(), std::size_t{25});
    QCOMPARE(run.scalersAt(0).size(), std::size_t{2});
    QCOMPARE(run.checkpoints().size(), std::size_t{1});
    QCOMPARE(run.config().scalers[1].growth_interval, std::int64_t{9});
    app::ScaleDock* dock = explorer.window().docks()->scale;
    QVERIFY(dock->which()->isVisible());
    QCOMPARE(dock->which()->count(), 2);
    QVERIFY(dock->plot()->valuesAt(3).contains(QStringLiteral("boxes: 2¹⁰")));
    Explorer::picture(&explorer.window(), QStringLiteral("two-scalers"));
    dock->which()->setCurrentIndex(1);
    QVERIFY(dock->plot()->valuesAt(3).contains(QStringLiteral("scale 2¹⁰")));
    // Which of them a gradient belongs to is not told: nothing is said of the scales that it bears.
    QVERIFY(std::isnan(app::figuresOf(run, 11).safe_scale));
    const views::GradientView* gradients = explorer.window().docks()->gradients->view();
    QVERIFY(gradients->slider()->minimum() < 0);
    QCOMPARE(gradients->slider()->value(), 0);
    QVERIFY(dock->plot()->valuesAt(3).contains(QStringLiteral("main: ")));
    const auto* table = explorer.window().docks()->checkpoints->table();
    QVERIFY(
        table->model()->index(0, app::CheckpointTableModel::kFile).data().toString().contains(QStringLiteral("gone")));
    QVERIFY(!explorer.window().docks()->checkpoints->resumeButton()->isEnabled());
  }
};

BINADE_SUITE(LiveRuns);

}  // namespace

#include "tst_live_runs.moc"
