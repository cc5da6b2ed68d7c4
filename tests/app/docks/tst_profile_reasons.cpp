// SPDX-License-Identifier: Apache-2.0
// Profile where nothing can be measured: the card, and the dock of the device with its sources or its checks.
#include "app/docks/device_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/present/reason_words.h"
#include "app/window/connect_dialog.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"
#include "views/plot/line_plot.h"
#include "views/plot/step_axis.h"
#include "views/reason_card.h"
#include "views/style/looks.h"

#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

namespace {

using namespace binade;
using test::Explorer;

class ProfileReasons : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyStateHasACardThatCanBeRead_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<QString>("next");
    QFile file(QStringLiteral(BINADE_TEST_DATA "/profiler/states.tsv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    while (!file.atEnd()) {
      const QStringList row = QString::fromUtf8(file.readLine()).chopped(1).split(u'\t');
      // These bring a curve, or say what NVML lacks, which stands behind CUPTI's own reason.
      if (QStringList{QStringLiteral("available"), QStringLiteral("running"), QStringLiteral("no-nvml"),
                      QStringLiteral("nvml-init")}
              .contains(row[0]))
        continue;
      QTest::addRow("%s", qPrintable(row[0])) << row[1] << row[2];
    }
  }

  void everyStateHasACardThatCanBeRead() {
    QFETCH(const QString, sentence);
    QFETCH(const QString, next);
    const QString state = QString::fromLatin1(QTest::currentDataTag());
    app::RunModel run;
    views::StepAxis axis;
    app::TensorDock dock(&run, &axis);
    test::feedRun(run, 5);
    wire::Profile profile = test::cpuProfile(0, 4);
    profile.curve = {"none", state.toStdString(), sentence.toStdString(), next.toStdString(), ""};
    run.addProfile(profile);
    dock.resize(760, 260);
    dock.show();
    QVERIFY(dock.showsCard());
    QVERIFY(!dock.card()->headline().isEmpty());
    QCOMPARE(dock.card()->sentence(), sentence);
    QVERIFY(dock.card()->accessibleDescription().contains(next));
    QVERIFY2(app::reasonHeadline(state.toStdString()) != QStringLiteral("Tensor cores cannot be measured here") ||
                 state == QStringLiteral("unsupported"),
             qPrintable(state));
    // Nothing is cut off: every label has the height that its words need.
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    QApplication::processEvents();
    int checked = 0;
    for (const QLabel* label : dock.card()->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->text().isEmpty()) continue;
      ++checked;
      const int needed = label->wordWrap() ? label->heightForWidth(label->width()) : label->sizeHint().height();
      QVERIFY2(label->height() >= needed, qPrintable(label->text()));
    }
    QVERIFY(checked > 0);
    Explorer::picture(&dock, QStringLiteral("card-") + state);
  }

  // Without a list below them, the sentences alone decide the height of the card.
  void theSentencesOfARunThatWasNotProfiledAreWhole() {
    app::RunModel run;
    views::StepAxis axis;
    app::TensorDock dock(&run, &axis);
    test::feedRun(run, 5);
    run.finish({});
    dock.resize(1150, 220);
    dock.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dock));
    QApplication::processEvents();
    QCOMPARE(dock.card()->headline(), QStringLiteral("This run was not profiled"));
    int wrapped = 0;
    for (const QLabel* label : dock.card()->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->text().isEmpty() || !label->wordWrap()) continue;
      ++wrapped;
      QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    }
    QVERIFY(wrapped > 2);
  }

  void aReasonStandsWhereNothingCanBeMeasured() {
    app::RunModel run;
    views::StepAxis axis;
    app::TensorDock dock(&run, &axis);
    test::feedRun(run, 5);
    QVERIFY(dock.showsCard());
    QCOMPARE(dock.card()->headline(), QStringLiteral("Nothing has been measured yet"));
    run.addProfile(test::cpuProfile(0, 4));
    QVERIFY(dock.showsCard());
    QCOMPARE(dock.card()->headline(), QStringLiteral("Tensor cores need an NVIDIA GPU"));
    QVERIFY(dock.card()->sentence().contains(QStringLiteral("libcuda.so.1")));
    QVERIFY(dock.plot()->series(0).empty());
    run.addProfile(test::gpuProfile(5, 9));
    QVERIFY(!dock.showsCard());
    QVERIFY(!dock.plot()->series(0).empty());
    QVERIFY2(dock.plot()->valuesAt(6).contains(QStringLiteral("minimum to maximum in a step: 20.0 % … 40.0 %")),
             qPrintable(dock.plot()->valuesAt(6)));
    QVERIFY(dock.plot()->csv().contains(QStringLiteral("lowest (%)")));
  }

  void theCardOffersAnotherComputerWhereThisOneFailedACheck() {
    app::RunModel run;
    views::StepAxis axis;
    const app::TensorDock dock(&run, &axis);
    test::feedRun(run, 5);
    const auto buttons = dock.card()->findChildren<QPushButton*>();
    const auto button = [&buttons](const QString& text) {
      const auto found = std::find_if(buttons.begin(), buttons.end(),
                                      [&text](const QPushButton* each) { return each->text() == text; });
      return found == buttons.end() ? nullptr : *found;
    };
    QPushButton* connects = button(QStringLiteral("Connect…"));
    const QPushButton* opens = button(QStringLiteral("Open a recorded run"));
    QVERIFY(connects != nullptr && opens != nullptr);
    QVERIFY(connects->isHidden());  // nothing was checked yet
    QVERIFY(views::isPrimary(opens));
    run.addProfile(test::cpuProfile(0, 4));
    QVERIFY(!connects->isHidden());
    QVERIFY(views::isPrimary(connects));
    QVERIFY(!views::isPrimary(opens));
    QSignalSpy requests(&dock, &app::TensorDock::connectRequested);
    connects->click();
    QCOMPARE(requests.size(), 1);
  }

  void theButtonOfTheCardOpensTheDialogOfAnotherEngine() {
    Explorer explorer;
    explorer.showFed(20);
    explorer.session().run().addProfile(test::cpuProfile(0, 19));
    Q_EMIT explorer.window().docks()->tensor->connectRequested();
    QVERIFY(explorer.window().findChild<app::ConnectDialog*>() != nullptr);
  }

  void theDeviceDockSaysTheSourceOfEveryFigure() {
    app::RunModel run;
    app::DeviceDock dock(&run);
    test::feedRun(run, 5);
    run.addProfile(test::gpuProfile(0, 4));
    QVERIFY(dock.lines().contains(QStringLiteral("Tensor cores active · 30.0 % · COUNTERS")));
    QVERIFY(dock.lines().contains(QStringLiteral("Tensor cores, floating point · 30.0 % · COUNTERS")));
    QVERIFY(dock.lines().contains(QStringLiteral("Clock · 1,590 MHz · COUNTERS")));
    run.addProfile(test::cpuProfile(5, 9));
    QVERIFY(dock.lines().last().contains(QStringLiteral("CPU CLOCK")));
    // The same reason for curve and op calls is given once, in words, its code behind them.
    app::RunModel without;
    app::DeviceDock other(&without);
    test::feedRun(without, 5);
    without.addProfile(test::cpuProfile(0, 4));
    QCOMPARE(other.lines().filter(QStringLiteral("NOT MEASURED")).size(), 1);
  }

  void theChecksOfADeviceClaimOnlyWhatTheStateTells() {
    using Result = app::DeviceCheck::Result;
    const auto results = [](const char* state) {
      QList<Result> all;
      for (const app::DeviceCheck& check : app::deviceChecks(state)) all.append(check.result);
      return all;
    };
    const auto times = [](int count, Result result) { return QList<Result>(count, result); };
    QCOMPARE(results("no-driver"), times(1, Result::kFailed) + times(7, Result::kNotReached));
    QCOMPARE(results("no-device"),
             times(2, Result::kPassed) + times(1, Result::kFailed) + times(5, Result::kNotReached));
    QCOMPARE(results("no-cupti"),
             times(3, Result::kPassed) + times(1, Result::kFailed) + times(4, Result::kNotReported));
    QCOMPARE(results("no-permission"),
             times(5, Result::kPassed) + times(1, Result::kFailed) + times(2, Result::kNotReported));
    // The profiler may have come further, or have asked in another order: then nothing is said.
    QCOMPARE(results("driver-init"),
             times(1, Result::kPassed) + times(1, Result::kFailed) + times(6, Result::kNotReported));
    QCOMPARE(results("busy"), times(5, Result::kPassed) + times(2, Result::kNotReported) + times(1, Result::kFailed));
    for (const char* state : {"", "off", "running", "lost", "overflow", "no-gpm", "unheard-of"})
      QVERIFY2(results(state).isEmpty(), state);
    for (const char* state :
         {"cupti-init", "cupti-version", "built-without-cupti", "mig", "vgpu", "unsupported", "no-metric"}) {
      const QList<Result> all = results(state);
      QCOMPARE(all.count(Result::kFailed), 1);
      QVERIFY2(all.lastIndexOf(Result::kPassed) < all.indexOf(Result::kFailed), state);
    }
  }

  void theDeviceDockListsTheChecksAndLeavesTheSentencesToTheCard() {
    app::RunModel run;
    app::DeviceDock dock(&run);
    test::feedRun(run, 5);
    wire::Profile profile = test::cpuProfile(0, 4);
    run.addProfile(profile);
    const auto shows = [&dock](const std::string& text) {
      const auto labels = dock.findChildren<QLabel*>();
      return std::any_of(labels.begin(), labels.end(),
                         [&text](const QLabel* label) { return label->text().contains(QString::fromStdString(text)); });
    };
    QVERIFY(dock.lines().contains(QStringLiteral("NVIDIA driver · not found")));
    QVERIFY(dock.lines().contains(QStringLiteral("GPU · not reached")));
    QVERIFY(!shows(profile.curve.sentence));
    QVERIFY(!shows(profile.curve.next));
    // A state that is not the answer of a check, and another reason for the op calls, have their sentences here.
    profile.curve.state = profile.tensor.state = "lost";
    run.addProfile(profile);
    QVERIFY(shows(profile.curve.sentence));
    profile.curve.state = "no-permission";
    profile.tensor = {"none", "other-tool", "A tool is tracing.", "Start without it.", ""};
    run.addProfile(profile);
    QVERIFY(dock.lines().contains(QStringLiteral("Permission for counters · administrators only")));
    QVERIFY(!shows(profile.curve.sentence));
    QVERIFY(shows("A tool is tracing."));
    QVERIFY(shows("Start without it."));
  }

  void whatIsToldAgainIsNotBuiltAgain() {
    app::RunModel run;
    app::DeviceDock dock(&run);
    test::feedRun(run, 5);
    run.addProfile(test::cpuProfile(0, 4));
    const QList<QLabel*> labels = dock.findChildren<QLabel*>();
    const QPointer<QLabel> last(labels.back());
    run.addProfile(test::cpuProfile(0, 5));
    QVERIFY(!last.isNull());
    run.addProfile(test::gpuProfile(0, 6));
    QVERIFY(last.isNull());
    QVERIFY(dock.lines().front().contains(QStringLiteral("COUNTERS")));
  }
};

BINADE_SUITE(ProfileReasons);

}  // namespace

#include "tst_profile_reasons.moc"
