// SPDX-License-Identifier: Apache-2.0
// From a model to a run: the set-up card as a person meets it.
#include "app/form/data_section.h"
#include "app/form/form_table.h"
#include "app/form/propose_run.h"
#include "app/form/run_form.h"
#include "app/form/sections.h"
#include "app/form/setup_page.h"
#include "app/present/log_model.h"
#include "app/window/actions.h"
#include "app/window/banner.h"
#include "app/window/start_page.h"
#include "app/window/status_line.h"
#include "tests/app/answer.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/form/set_up_page.h"
#include "tests/support/suite.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <vector>

using namespace binade;
using test::Explorer;
using test::setUp;

namespace {

/// Types into the field of this path, as a person does.
void type(QWidget* page, const char* path, const QString& text) {
  auto* edit = page->findChild<QLineEdit*>(QString::fromLatin1(path));
  QVERIFY2(edit != nullptr && edit->isVisible(), path);
  edit->setFocus();
  edit->selectAll();
  QTest::keyClicks(edit, text);
  QTest::keyClick(edit, Qt::Key_Return);
}

void choose(QWidget* page, const char* path, const char* value) {
  auto* combo = page->findChild<QComboBox*>(QString::fromLatin1(path));
  QVERIFY2(combo != nullptr, path);
  combo->setCurrentIndex(combo->findData(QString::fromLatin1(value)));
}

/// Checks each table of the form against what Qt expects of a model, as long as the result lives.
std::vector<std::unique_ptr<QAbstractItemModelTester>> testersOf(const QWidget* page) {
  std::vector<std::unique_ptr<QAbstractItemModelTester>> testers;
  for (const auto* table : page->findChildren<app::FormTable*>()) {
    testers.push_back(std::make_unique<QAbstractItemModelTester>(
        table->rows(), QAbstractItemModelTester::FailureReportingMode::QtTest));
  }
  return testers;
}

/// A policy file, `tuned.policy.json`.
QString writeTuned(const QString& folder) {
  const QString file = folder + QStringLiteral("/tuned.policy.json");
  QFile out(file);
  if (!out.open(QIODevice::WriteOnly)) qFatal("no file");
  out.write(R"({ "binade_policy": 1, "name": "tuned", "base": "cuda-amp", "low": "float16",
                 "sites": [ { "match": "fc2", "format": "float32" } ] })");
  return file;
}

class SetUps : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void f5StartsWhatTheCardDescribes() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    QVERIFY(explorer.window().actions()->run->isEnabled());
    // What is still being typed counts.
    auto* steps = page->findChild<QLineEdit*>(QStringLiteral("steps"));
    QVERIFY(steps != nullptr);
    steps->setFocus();
    steps->selectAll();
    QTest::keyClicks(steps, QStringLiteral("77"));
    QTest::keyClick(steps, Qt::Key_F5);
    QTRY_COMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
    const QJsonObject asked = explorer.requests(QStringLiteral("run.start")).front();
    QCOMPARE(asked[QLatin1String("config")][QLatin1String("steps")].toInt(), 77);
    QTRY_VERIFY(explorer.window().showsRun());
  }

  void aDroppedModelIsSetUpAndTrained() {
    Explorer explorer;
    explorer.show();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    const QString file = explorer.folder() + QStringLiteral("/fashion-cnn.pt");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.close();
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(file)});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&explorer.window(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&explorer.window(), &drop);
    QTRY_VERIFY(explorer.window().showsSetup());
    QCOMPARE(explorer.requests(QStringLiteral("model.inspect")).front()[QLatin1String("file")].toString(), file);
    choose(explorer.window().setupPage(), "data.kind", "synthetic");
    const wire::RunConfig& config = explorer.session().description().config();
    QCOMPARE(config.data.inputs.size(), std::size_t{1});
    QCOMPARE(config.data.inputs.front(), std::string("float32[64,1,28,28]"));
    Explorer::picture(&explorer.window(), QStringLiteral("setup"));
    QTest::mouseClick(explorer.window().setupPage()->startButton(), Qt::LeftButton);
    QTRY_VERIFY(!explorer.session().run().isEmpty());
    QVERIFY(explorer.window().showsRun());
    QCOMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
  }

  void aRefusedRunKeepsTheSetUpOpen() {
    Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("run.start")});
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    QTest::mouseClick(page->startButton(), Qt::LeftButton);
    QTRY_COMPARE(problems.count(), 1);
    QVERIFY(explorer.window().showsSetup());
    QVERIFY(page->problem().contains(QStringLiteral("model.pt")));
    QVERIFY(page->startButton()->isEnabled());
    QVERIFY(!explorer.window().banner()->isVisible());
  }

  void theSetUpSaysWhatThePolicyDoesToThisModel() {
    Explorer explorer;
    const QString file = explorer.folder() + QStringLiteral("/other.policy.json");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(R"({ "binade_policy": 1, "name": "of another model", "base": "cuda-amp", "low": "float16",
                   "sites": [ { "match": "layer9.conv", "format": "float32" } ] })");
    out.close();
    QVERIFY(!explorer.session().document().open(file));
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    const auto labels = page->findChildren<QLabel*>();
    const auto findings = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->accessibleName() == u"Effect of this policy on the model";
    });
    QVERIFY(findings != labels.end());
    QVERIFY((*findings)->text().contains(QStringLiteral("layer9.conv")));
    const auto combos = page->findChildren<QComboBox*>();
    const auto lists = std::find_if(combos.begin(), combos.end(),
                                    [](const QComboBox* combo) { return combo->accessibleName() == u"Policy"; });
    (*lists)->setCurrentIndex((*lists)->findData(QStringLiteral("all-float32")));
    QVERIFY(!(*findings)->text().contains(QStringLiteral("layer9")));
  }

  void aPolicyOpenedWithADescriptionIsThatOfItsRun() {
    Explorer explorer;
    explorer.show();
    const QString policy = writeTuned(explorer.folder());
    const QString file = explorer.folder() + QStringLiteral("/x.run.json");
    wire::RunConfig config = test::FakeRun::config();
    config.policy = {};
    config.policy.base = policy::Base::kAllFloat32;
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(QByteArray::fromStdString(wire::to_json(config)));
    out.close();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    explorer.window().openFiles({policy, file});  // in either order
    QTRY_VERIFY(explorer.window().showsSetup());
    QVERIFY(explorer.session().description().config().policy == explorer.session().document().policy());
    const app::Banner* banner = explorer.window().banner();
    QCOMPARE(banner->message(), QStringLiteral("The run starts with the policy of tuned.policy.json."));
    QCOMPARE(banner->hint(), QStringLiteral("It replaces the policy of x.run.json: all-float32."));
    QTest::mouseClick(explorer.window().setupPage()->startButton(), Qt::LeftButton);
    QTRY_VERIFY(!explorer.session().run().isEmpty());
    QCOMPARE(explorer.session().run().policies().front().policy.name, std::string("tuned"));
  }

  void aPolicyOpenedAtTheSetUpIsThatOfItsRun() {
    Explorer explorer;
    QVERIFY(setUp(explorer) != nullptr);
    explorer.window().openFiles({writeTuned(explorer.folder())});
    QCOMPARE(explorer.session().description().config().policy.name, std::string("tuned"));
    explorer.session().description().undoStack()->undo();
    QVERIFY(explorer.session().description().config().policy.name.empty());
  }

  void aModelHasNoPolicyOfARunOfAnotherModel() {
    Explorer explorer;
    explorer.showFed(5);
    explorer.session().document().setFormat({{"conv1", "", "aten::conv2d", "", 0}}, formats::kBFloat16);
    const auto rules = [&](const std::string& file) {
      wire::ModelInfo model = test::FakeRun::model();
      model.file = file;
      Q_EMIT explorer.session().modelInspected(model);
      return explorer.session().description().config().policy.sites.size();
    };
    QCOMPARE(rules("other.pt"), std::size_t{0});
    QCOMPARE(rules(explorer.session().run().config().model), std::size_t{1});
  }

  void randomLabelsFitTheLastMatrixOfWeights() {
    wire::ModelInfo model = test::FakeRun::model();
    model.parameters = {{"fc.weight", "float32", {5, 8}, true}, {"fc.bias", "float32", {5}, true}};
    QCOMPARE(app::proposeRun(model).data.classes, std::int64_t{5});
    model.parameters.clear();
    QCOMPARE(app::proposeRun(model).data.classes, std::int64_t{10});
  }

  void everyFieldReachesTheEngine() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    for (QCheckBox* box : page->findChildren<QCheckBox*>()) {
      if (box->text() == u"All settings") box->setChecked(true);
    }
    choose(page, "data.kind", "synthetic");
    choose(page, "optimizer.kind", "adamw");
    type(page, "optimizer.learning_rate", QStringLiteral("3e-4"));
    type(page, "optimizer.beta2", QStringLiteral("0.95"));
    type(page, "batch", QStringLiteral("32"));
    type(page, "accumulate", QStringLiteral("4"));
    choose(page, "schedule.kind", "cosine");
    type(page, "schedule.warmup", QStringLiteral("50"));
    type(page, "clip.norm", QStringLiteral("1"));
    choose(page, "skipped", "replay");
    type(page, "scaler.init_scale", QStringLiteral("2^10"));
    type(page, "scaler.minimum", QStringLiteral("1"));
    type(page, "scaler.maximum", QStringLiteral("2^15"));
    type(page, "scaler.hysteresis", QStringLiteral("2"));
    type(page, "checkpoint.every", QStringLiteral("100"));
    type(page, "checkpoint.keep", QStringLiteral("5"));
    type(page, "evaluate_every", QStringLiteral("200"));
    Explorer::picture(&explorer.window(), QStringLiteral("setup-all"));
    QTest::mouseClick(page->startButton(), Qt::LeftButton);
    QTRY_VERIFY(!explorer.session().run().isEmpty());
    const wire::RunConfig& sent = explorer.session().run().config();
    QCOMPARE(sent.optimizer.kind, std::string("adamw"));
    QCOMPARE(sent.optimizer.learning_rate, 3e-4);
    QCOMPARE(sent.optimizer.beta2, 0.95);
    QCOMPARE(sent.batch, std::int64_t{32});
    QCOMPARE(sent.accumulate, std::int64_t{4});
    QCOMPARE(sent.schedule.kind, std::string("cosine"));
    QCOMPARE(sent.schedule.warmup, std::int64_t{50});
    QCOMPARE(sent.clip.norm, 1.0);
    QCOMPARE(sent.skipped, std::string("replay"));
    QCOMPARE(sent.scaler.init_scale, 1024.0);
    QCOMPARE(sent.scaler.minimum, 1.0);
    QCOMPARE(sent.scaler.maximum, 32768.0);
    QCOMPARE(sent.scaler.hysteresis, std::int64_t{2});
    QCOMPARE(sent.checkpoint.every, std::int64_t{100});
    QCOMPARE(sent.checkpoint.keep, std::int64_t{5});
    QCOMPARE(sent.evaluate_every, std::int64_t{200});
  }

  void problemsNameTheirField() {
    app::RunDocument document;
    const auto problem_with = [&](const std::function<void(wire::RunConfig&)>& change) {
      wire::RunConfig config;
      config.model = "sample:cnn";
      config.data.kind = "synthetic";
      change(config);
      document.adopt(config);
      return document.problem().value_or(app::Problem{});
    };
    QCOMPARE(problem_with([](wire::RunConfig& config) { config.batch = 0; }).field, QStringLiteral("batch"));
    const app::Problem rate = problem_with([](wire::RunConfig& config) { config.optimizer.learning_rate = -1; });
    QCOMPARE(rate.field, QStringLiteral("optimizer.learning_rate"));
    QCOMPARE(rate.message, QStringLiteral("optimizer.learning_rate must be 0 or more"));
    QCOMPARE(problem_with([](wire::RunConfig& config) { config.optimizer.kind = "fast"; }).field,
             QStringLiteral("optimizer.kind"));
    QCOMPARE(problem_with([](wire::RunConfig& config) { config.losses.resize(1); }).field, QString());
  }

  void aProblemStandsAtItsField() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    type(page, "optimizer.learning_rate", QStringLiteral("fast"));
    auto* rate = page->findChild<QLineEdit*>(QStringLiteral("optimizer.learning_rate"));
    QVERIFY(rate->accessibleDescription().contains(QStringLiteral("fast")));
    QCOMPARE(explorer.session().description().config().optimizer.learning_rate, 0.01);
    type(page, "optimizer.learning_rate", QStringLiteral("-1"));
    QVERIFY(rate->accessibleDescription().contains(QStringLiteral("0 or more")));
    Explorer::picture(&explorer.window(), QStringLiteral("setup-problem"));
    page->startButton()->setFocus();
    QTest::mouseClick(page->startButton(), Qt::LeftButton);
    QVERIFY(rate->hasFocus());
    QVERIFY(explorer.requests(QStringLiteral("run.start")).isEmpty());
    type(page, "optimizer.learning_rate", QStringLiteral("0.1"));
    QVERIFY(!rate->accessibleDescription().contains(QStringLiteral("0 or more")));
  }

  void columnsAreMappedAndOneBatchIsShown() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    choose(page, "data.kind", "files");
    const auto testers = testersOf(page);
    QVERIFY(!testers.empty());
    wire::RunConfig config = explorer.session().description().config();
    config.data.files = {"set.npz"};
    explorer.session().description().edit(QStringLiteral("files"), config);
    QTRY_COMPARE(explorer.requests(QStringLiteral("data.arrays")).size(), 1);  // of the card: the dock is not made yet
    app::FormTable* arguments = nullptr;
    for (auto* table : page->findChildren<app::FormTable*>()) {
      if (table->view()->accessibleName() == u"Arguments of forward") arguments = table;
    }
    QVERIFY(arguments != nullptr && arguments->isVisible());
    // One row for each argument of forward, mapped to an array of the file.
    QCOMPARE(arguments->rows()->rowCount(), 1);
    QCOMPARE(arguments->rows()->index(0, 0).data().toString(), QStringLiteral("input"));
    QVERIFY(arguments->rows()->setData(arguments->rows()->index(0, 1), QStringLiteral("images")));
    QVERIFY(arguments->rows()->setData(arguments->rows()->index(0, 3), QStringLiteral("0.5, 0.25")));
    const auto& column = explorer.session().description().config().data.columns.at("input");
    QCOMPARE(column.from.values.front(), std::string("images"));
    QCOMPARE(column.mean.values, (std::vector<double>{0.5, 0.25}));
    QPushButton* look = nullptr;
    for (auto* button : page->findChildren<QPushButton*>()) {
      if (button->text() == u"Preview a batch") look = button;
    }
    QSignalSpy busy(&explorer.session(), &app::Session::busy);
    QTest::mouseClick(look, Qt::LeftButton);
    const QTableView* table = page->form()->data()->previewTable();
    QTRY_VERIFY(table->isVisible());
    // The status line showed the progress, which is not a line of the log.
    QCOMPARE(busy.count(), 2);
    QCOMPARE(busy[1][0].toString(), QString());
    QCOMPARE(busy[0][0].toString(), QStringLiteral("Reading set.npz: 35 %"));
    QVERIFY(!explorer.window().statusLine()->stateText().contains(QStringLiteral("Reading")));
    const app::LogModel& log = explorer.session().log();
    for (int row = 0; row < log.rowCount(); ++row) {
      QVERIFY(log.index(row, app::LogModel::kLevel).data().toString() != QStringLiteral("progress"));
    }
    QCOMPARE(table->model()->rowCount(), 2);
    QCOMPARE(table->model()->index(0, 2).data().toString(), QStringLiteral("[64, 1, 28, 28]"));
    QVERIFY(table->model()->index(0, 3).data().toString().contains(QStringLiteral("3 not finite")));
    QVERIFY(table->model()->index(1, 0).data().toString().contains(QStringLiteral("target")));
    Explorer::picture(&explorer.window(), QStringLiteral("setup-data"));
    // The engine's answer names the field: it is shown there.
    type(page, "batch", QStringLiteral("5000"));
    QTest::mouseClick(look, Qt::LeftButton);
    auto* batch = page->findChild<QLineEdit*>(QStringLiteral("batch"));
    QTRY_VERIFY(batch->accessibleDescription().contains(QStringLiteral("only 1000")));
  }

  void lossesAndScalersAreListed() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    const auto press = [&](const QString& text) {
      for (auto* button : page->findChildren<QPushButton*>()) {
        if (button->text() == text && button->isVisible()) return QTest::mouseClick(button, Qt::LeftButton);
      }
      QFAIL("no such button");
    };
    const auto testers = testersOf(page);
    QVERIFY(!testers.empty());
    press(QStringLiteral("Add a loss"));
    press(QStringLiteral("Add a scaler"));
    app::RunDocument& description = explorer.session().description();
    QCOMPARE(description.config().losses.size(), std::size_t{2});
    QCOMPARE(description.config().scalers.size(), std::size_t{2});
    // A scaler that no loss names is said to be unused, at its field.
    QVERIFY(description.problem() && description.problem()->field == u"scalers[1].id");
    auto* id = page->findChild<QLineEdit*>(QStringLiteral("scaler.id"));
    QVERIFY(id->accessibleDescription().contains(QStringLiteral("scaler2")));
    app::FormTable* losses = nullptr;
    for (auto* table : page->findChildren<app::FormTable*>()) {
      if (table->view()->accessibleName() == u"Losses") losses = table;
    }
    QVERIFY(losses->rows()->setData(losses->rows()->index(1, 4), QStringLiteral("scaler2")));
    QVERIFY(losses->rows()->setData(losses->rows()->index(1, 3), QStringLiteral("0.5")));
    QVERIFY(!losses->rows()->setData(losses->rows()->index(1, 3), QStringLiteral("half")));
    QVERIFY(!description.problem());
    QCOMPARE(description.config().losses[1].weight, 0.5);
    Explorer::picture(&explorer.window(), QStringLiteral("setup-losses"));
    // Each edit is one undo step.
    while (description.undoStack()->canUndo()) description.undoStack()->undo();
    QVERIFY(description.config().losses.empty() && description.config().scalers.empty());
  }

  void aModelWithoutDataRunsOneStepOnRandomData() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    for (auto* button : page->findChildren<QPushButton*>()) {
      if (button->text() == u"One step on random data") QTest::mouseClick(button, Qt::LeftButton);
    }
    QTRY_VERIFY(!explorer.session().run().isEmpty());
    QCOMPARE(explorer.session().run().config().steps, std::int64_t{1});
    QCOMPARE(explorer.session().run().config().data.kind, std::string("synthetic"));
    QVERIFY(!explorer.session().run().config().caption.empty());
  }

  void aDescriptionIsSavedAndOpenedAgain() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    choose(page, "data.kind", "synthetic");
    choose(page, "optimizer.kind", "rmsprop");
    type(page, "steps", QStringLiteral("123"));
    const wire::RunConfig described = explorer.session().description().config();
    const QString file = explorer.folder() + QStringLiteral("/mine.json");
    QVERIFY(!explorer.session().description().save(file));
    QVERIFY(!explorer.session().description().isModified());
    type(page, "steps", QStringLiteral("7"));
    QVERIFY(explorer.session().description().isModified());
    const test::Answer discard(QMessageBox::Discard);
    explorer.window().openFiles({file});
    QVERIFY(discard.given());
    QTRY_COMPARE(explorer.session().description().config().steps, std::int64_t{123});
    wire::RunConfig back = explorer.session().description().config();
    QCOMPARE(back.optimizer.kind, std::string("rmsprop"));
    back.model = described.model;  // a relative path is resolved against the file's folder
    wire::RunConfig expected = described;
    expected.data = explorer.session().description().complete().data;  // what random batches need, and no more
    QCOMPARE(expected.data.inputs, described.data.inputs);
    QVERIFY(back == expected);
    QVERIFY(explorer.window().showsSetup());
  }

  void aRunThatFailedIsOneStepWithoutAnOptimizer() {
    Explorer explorer;
    app::SetupPage* page = setUp(explorer);
    QVERIFY(page != nullptr);
    page->setUp(test::FakeRun::model(), app::SetupPage::Purpose::kFailedRun);
    QVERIFY(page->findChild<QLineEdit*>(QStringLiteral("weights"))->isVisible());
    QVERIFY(page->findChild<QLineEdit*>(QStringLiteral("scaler.init_scale"))->isVisible());
    QVERIFY(!page->findChild<QComboBox*>(QStringLiteral("optimizer.kind"))->isVisible());
    QCOMPARE(page->startButton()->text(), QStringLiteral("Run this step"));
    Explorer::picture(&explorer.window(), QStringLiteral("setup-failed"));
  }

  void cancelGoesBackToWhereThePersonWas() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    Q_EMIT explorer.session().modelInspected(test::FakeRun::model());
    QVERIFY(explorer.window().showsSetup());
    for (auto* button : explorer.window().setupPage()->findChildren<QPushButton*>()) {
      if (button->text() == u"Cancel") QTest::mouseClick(button, Qt::LeftButton);
    }
    QVERIFY(explorer.window().showsRun());
    QVERIFY(explorer.session().description().config() == explorer.session().run().config());
  }
};

BINADE_SUITE(SetUps);

}  // namespace

#include "tst_set_up.moc"
