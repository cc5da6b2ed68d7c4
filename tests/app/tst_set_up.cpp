// SPDX-License-Identifier: Apache-2.0
// From a model to a run: the set-up dialog as a person meets it.
#include "app/banner.h"
#include "app/setup_dialog.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace binade;
using test::Explorer;

namespace {

class SetUps : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
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
    app::SetupDialog* dialog = nullptr;
    QTRY_VERIFY((dialog = explorer.window().findChild<app::SetupDialog*>()) != nullptr && dialog->isVisible());
    QCOMPARE(explorer.requests(QStringLiteral("model.inspect")).front()[QLatin1String("file")].toString(), file);
    auto* kind = dialog->findChild<QComboBox*>();
    kind->setCurrentIndex(0);  // random batches
    const wire::RunConfig config = dialog->config();
    QCOMPARE(config.data.inputs.size(), std::size_t{1});
    QCOMPARE(config.data.inputs.front(), std::string("float32[64,1,28,28]"));
    Explorer::picture(dialog, QStringLiteral("setup"));
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
      if (button->isDefault()) QTest::mouseClick(button, Qt::LeftButton);
    }
    QTRY_VERIFY(!explorer.session().run().isEmpty());
    QTRY_VERIFY(explorer.window().findChild<app::SetupDialog*>() == nullptr);
    QVERIFY(explorer.window().showsRun());
    QCOMPARE(explorer.requests(QStringLiteral("run.start")).size(), 1);
  }

  void aRefusedRunKeepsTheSetUpOpen() {
    Explorer explorer({QStringLiteral("--refuse"), QStringLiteral("run.start")});
    explorer.show();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    Q_EMIT explorer.session().modelInspected(test::FakeRun::model());
    auto* dialog = explorer.window().findChild<app::SetupDialog*>();
    QVERIFY(dialog != nullptr);
    QSignalSpy problems(&explorer.session(), &app::Session::problem);
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
      if (button->isDefault()) QTest::mouseClick(button, Qt::LeftButton);
    }
    QTRY_COMPARE(problems.count(), 1);
    Explorer::picture(dialog, QStringLiteral("setup-refused"));
    QVERIFY(dialog->isVisible());
    QVERIFY(!explorer.window().banner()->isVisible());
    dialog->reject();
  }

  void theSetUpSaysWhatThePolicyDoesToThisModel() {
    Explorer explorer;
    explorer.show();
    QTRY_VERIFY(explorer.session().engine().state() == app::EngineClient::State::kReady);
    const QString file = explorer.folder() + QStringLiteral("/other.policy.json");
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(R"({ "binade_policy": 1, "name": "of another model", "base": "cuda-amp", "low": "float16",
                   "sites": [ { "match": "layer9.conv", "format": "float32" } ] })");
    out.close();
    QVERIFY(!explorer.session().document().open(file));
    Q_EMIT explorer.session().modelInspected(test::FakeRun::model());
    auto* dialog = explorer.window().findChild<app::SetupDialog*>();
    QVERIFY(dialog != nullptr);
    const auto labels = dialog->findChildren<QLabel*>();
    const auto findings = std::find_if(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->accessibleName() == u"What this policy does here";
    });
    QVERIFY(findings != labels.end());
    QVERIFY((*findings)->text().contains(QStringLiteral("layer9.conv")));
    Explorer::picture(dialog, QStringLiteral("setup-findings"));
    const auto combos = dialog->findChildren<QComboBox*>();
    const auto lists = std::find_if(combos.begin(), combos.end(),
                                    [](const QComboBox* combo) { return combo->accessibleName() == u"Policy"; });
    (*lists)->setCurrentIndex((*lists)->findData(QStringLiteral("all-float32")));
    QVERIFY(!(*findings)->text().contains(QStringLiteral("layer9")));
    dialog->reject();
  }
};

BINADE_SUITE(SetUps);

}  // namespace

#include "tst_set_up.moc"
