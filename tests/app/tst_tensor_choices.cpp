// SPDX-License-Identifier: Apache-2.0
// Which tensors of an op call can be looked at closely, and what is said of those that are not watched.
#include "app/band_track.h"
#include "app/empty_state.h"
#include "app/gradients_dock.h"
#include "app/observe_words.h"
#include "app/site_figures.h"
#include "app/site_text.h"
#include "app/tensor_choices.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"

#include <QComboBox>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include <algorithm>

namespace {

using namespace binade;
using app::RunModel;
using app::TensorChoice;
using test::Explorer;
using Kind = wire::WatchedTensor::Kind;

constexpr int kConv1 = 0;
constexpr int kBn1 = 1;
constexpr int kFc2 = 11;
constexpr int kLoss = 12;

// A made-up run that is observed so, after some steps.
void play(RunModel& run, const wire::ObserveConfig& observe, int steps = 3) {
  test::FakeRun fake;
  wire::RunConfig config = test::FakeRun::config();
  config.observe = observe;
  fake.restart(config);
  run.begin(fake.started(), RunModel::Source::kLive);
  run.setState({wire::RunState::kRunning, 0});
  for (int i = 0; i < steps; ++i) run.addSteps({fake.next()});
}

wire::ObserveConfig everything() {
  wire::ObserveConfig observe = test::FakeRun::config().observe;
  observe.inputs = true;
  observe.parameters = true;
  return observe;
}

QStringList textsOf(const std::vector<TensorChoice>& choices) {
  QStringList texts;
  for (const TensorChoice& each : choices) texts << each.text;
  return texts;
}

const TensorChoice* find(const std::vector<TensorChoice>& choices, Kind kind) {
  const auto found =
      std::find_if(choices.begin(), choices.end(), [&](const auto& each) { return each.watched.kind == kind; });
  return found == choices.end() ? nullptr : &*found;
}

int idOf(const RunModel& run, int site, Kind kind) {
  for (const int id : run.tensorsOf(site)) {
    if (run.tensor(id)->tensor.kind == kind) return id;
  }
  return -1;
}

class TensorChoices : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyTensorThatIsWatchedIsOffered() {
    RunModel run;
    play(run, everything());
    QCOMPARE(textsOf(app::tensorChoices(run, kConv1)),
             (QStringList{"gradient of the output", "gradient of conv1.weight ÷ scale", "output",
                          "input before its cast", "weight before its cast", "conv1.weight as stored"}));
    for (const TensorChoice& each : app::tensorChoices(run, kConv1))
      QCOMPARE(each.isMissing(), each.watched.kind == Kind::kOutput);  // outputs are only scanned on a CPU
  }

  void whatIsNotWatchedSaysWhatBringsIt() {
    RunModel run;
    play(run, test::FakeRun::config().observe);
    const std::vector<TensorChoice> choices = app::tensorChoices(run, kConv1);
    const TensorChoice* arguments = find(choices, Kind::kInput);
    QVERIFY(arguments != nullptr && arguments->isMissing());
    QCOMPARE(arguments->headline, QStringLiteral("Arguments are not looked at."));
    QVERIFY(!arguments->remedy.isEmpty());
    QVERIFY(arguments->observe.inputs && !arguments->observe.parameters);
    QCOMPARE(arguments->observe.level, std::string("histogram"));
    const TensorChoice* gradients = find(choices, Kind::kParameterGradient);
    QVERIFY(gradients != nullptr && gradients->isMissing());
    QVERIFY(gradients->observe.parameters && !gradients->observe.inputs);
    const TensorChoice* output = find(choices, Kind::kOutput);
    QVERIFY(output != nullptr && output->isMissing());
    QCOMPARE(output->observe.level, std::string("what-if"));
    QVERIFY2(output->sentence.contains(QStringLiteral("level Histogram")), qPrintable(output->sentence));
    // No parameter belongs to it: none is offered.
    QVERIFY(find(app::tensorChoices(run, kBn1), Kind::kParameter) == nullptr);
  }

  void anArgumentThatIsNotCastIsNotPromised() {
    RunModel run;
    play(run, everything());
    const std::vector<TensorChoice> choices = app::tensorChoices(run, kLoss);
    const TensorChoice* arguments = find(choices, Kind::kInput);
    QVERIFY(arguments != nullptr && arguments->isMissing());
    QVERIFY2(arguments->headline.contains(QStringLiteral("was seen to be cast")), qPrintable(arguments->headline));
    QVERIFY(arguments->remedy.isEmpty());
  }

  void aParameterThatAnotherOpCallTakesIsNotPromised() {
    RunModel run;
    test::FakeRun fake;
    wire::RunStarted started = fake.started();
    started.config.observe = everything();
    started.model.sites[kBn1].key.path = "conv1";  // an op call more of the module
    run.begin(started, RunModel::Source::kLive);
    QVERIFY(find(app::tensorChoices(run, kBn1), Kind::kParameter) != nullptr);
    fake.setObserve(everything());
    run.addSteps({fake.next()});
    QVERIFY(find(app::tensorChoices(run, kBn1), Kind::kParameter) == nullptr);
    QVERIFY(find(app::tensorChoices(run, kBn1), Kind::kParameterGradient) == nullptr);
    QVERIFY(find(app::tensorChoices(run, kConv1), Kind::kParameter) != nullptr);
  }

  void aCallOnDataAloneGetsNoGradient() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
    const auto headline = [&] { return find(app::tensorChoices(run, kBn1), Kind::kOutputGradient)->headline; };
    QCOMPARE(headline(), QStringLiteral("Not seen yet."));
    wire::StepRecord record = fake.next();
    std::erase_if(record.new_tensors,
                  [](const auto& each) { return each.site == kBn1 && each.kind == Kind::kOutputGradient; });
    run.addSteps({record});
    QCOMPARE(headline(), QStringLiteral("No gradient was seen to arrive here."));
  }

  void belowTheLevelItNeedsATensorSaysOfWhatKindItIs() {
    wire::ObserveConfig observe = everything();
    observe.level = "finite";
    RunModel run;
    play(run, observe, 0);
    const auto headline = [&](Kind kind) { return find(app::tensorChoices(run, kConv1), kind)->headline; };
    QCOMPARE(headline(Kind::kInput), QStringLiteral("Arguments are checked only."));
    QCOMPARE(headline(Kind::kParameter), QStringLiteral("Parameters are checked only."));
    QCOMPARE(headline(Kind::kParameterGradient), QStringLiteral("Gradients are checked only."));
    QCOMPARE(find(app::tensorChoices(run, kConv1), Kind::kInput)->observe.level, std::string("range"));
    observe.level = "off";
    run.setObserve(observe);
    QCOMPARE(headline(Kind::kOutput), QStringLiteral("Nothing is looked at."));
    // There the binades of everything are counted: nothing is to be raised.
    observe.level = "range";
    run.setObserve(observe);
    for (const TensorChoice& each : app::tensorChoices(run, kConv1)) QVERIFY(each.remedy.isEmpty());
  }

  void anEndedRunOffersNoRemedy() {
    RunModel run;
    play(run, test::FakeRun::config().observe);
    run.finish({});
    for (const TensorChoice& each : app::tensorChoices(run, kConv1)) QVERIFY(each.remedy.isEmpty());
  }

  void parametersOfNoOpCallHaveAPlace() {
    RunModel run;
    play(run, everything());
    QCOMPARE(app::sitesWithTensors(run).back(), -1);
    QCOMPARE(textsOf(app::tensorChoices(run, -1)), (QStringList{"gradient of gain ÷ scale", "gain as stored"}));
    const int id = idOf(run, -1, Kind::kParameter);
    QCOMPARE(app::tensorText(run.tensor(id)->tensor, run.sites()), QStringLiteral("gain as stored"));
    RunModel plain;
    play(plain, test::FakeRun::config().observe);
    QVERIFY(app::sitesWithTensors(plain).back() >= 0);
  }

  void onlyGradientsOfTheScaledLossMoveWithTheScale() {
    RunModel plain;
    RunModel run;
    play(plain, test::FakeRun::config().observe);
    play(run, everything());
    // The band of safe scales and what a call's gradients allow are as without the others.
    QCOMPARE(run.band().points().back().highest, plain.band().points().back().highest);
    QCOMPARE(run.band().points().back().lowest, plain.band().points().back().lowest);
    QCOMPARE(app::figuresOf(run, kFc2).safe_scale, app::figuresOf(plain, kFc2).safe_scale);
    QVERIFY(app::earliestGradient(run) == idOf(run, kConv1, Kind::kOutputGradient));
  }

  void levelsHaveTheNamesOfTheRunFile() {
    for (const app::ObserveLevel& level : app::observeLevels()) {
      QCOMPARE(level.name.toLower(), QString::fromLatin1(level.id));
      QCOMPARE(app::observeLevelName(level.id), level.name);
    }
    wire::ObserveConfig observe;
    observe.level = "range";
    QCOMPARE(app::atLeast(observe, "histogram").level, std::string("histogram"));
    observe.level = "what-if";
    QCOMPARE(app::atLeast(observe, "histogram").level, std::string("what-if"));
  }

  void aTensorThatIsNotWatchedIsSwitchedOnWhereItIsMissed() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    app::GradientsDock* dock = explorer.window().gradientsDock();
    QComboBox* tensors = dock->tensorCombo();
    QVERIFY(!dock->empty()->isShownEmpty());
    tensors->setCurrentIndex(tensors->findText(QStringLiteral("arguments, before their cast")));
    QVERIFY(dock->empty()->isShownEmpty());
    QCOMPARE(dock->empty()->headline(), QStringLiteral("Arguments are not looked at."));
    QVERIFY(dock->remedy()->isVisible());
    Explorer::picture(&explorer.window(), QStringLiteral("arguments-missing"));
    dock->remedy()->click();
    QTRY_COMPARE(explorer.requests(QStringLiteral("observe.set")).size(), 1);
    QVERIFY(explorer.requests(QStringLiteral("observe.set")).front()[QLatin1String("inputs")].toBool());
    QTRY_VERIFY(explorer.session().run().config().observe.inputs);
    QVERIFY(!dock->remedy()->isVisible());
    QVERIFY(dock->empty()->isShownEmpty());
    // It comes with the next step, and is shown at once: it was asked for.
    explorer.session().step();
    QTRY_VERIFY(!dock->empty()->isShownEmpty());
    QCOMPARE(tensors->currentText(), QStringLiteral("input before its cast"));
    const app::TensorTrack* shown = explorer.session().run().tensor(explorer.session().selection().tensor());
    QVERIFY(shown != nullptr && shown->tensor.kind == Kind::kInput);
    Explorer::picture(&explorer.window(), QStringLiteral("arguments-shown"));
  }

  void anEditKeepsTheOldPictureUntilThereIsANewOne() {
    RunModel run;
    app::Selection selection;
    app::GradientsDock dock(&run, &selection, nullptr);
    play(run, test::FakeRun::config().observe);
    const int before = selection.tensor();
    QCOMPARE(before, idOf(run, kConv1, Kind::kOutputGradient));
    // Under its new id it is only scanned at first.
    wire::StepRecord scanned;
    scanned.step = 3;
    wire::WatchedTensor again = run.tensor(before)->tensor;
    again.id = 1000;
    again.format = formats::kBFloat16;
    scanned.new_tensors = {again};
    formats::TensorStats scan;
    scan.scan = true;
    scan.count = 10;
    scan.largest = 1;
    scanned.observations = {{1000, scan}};
    run.addSteps({scanned});
    QCOMPARE(selection.tensor(), before);
    QVERIFY(!dock.empty()->isShownEmpty());
    wire::StepRecord counted;
    counted.step = 4;
    counted.observations = {{1000, run.tensor(before)->histograms.latest()}};
    run.addSteps({counted});
    QCOMPARE(selection.tensor(), 1000);
    QVERIFY(!dock.empty()->isShownEmpty());
  }

  void theSameTensorOfAnotherOpCallIsShown() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    wire::ObserveConfig observe = explorer.session().run().config().observe;
    observe.inputs = true;
    explorer.session().setObserve(observe);
    explorer.session().step();
    app::GradientsDock* dock = explorer.window().gradientsDock();
    QTRY_VERIFY(dock->tensorCombo()->findText(QStringLiteral("weight before its cast")) >= 0);
    dock->tensorCombo()->setCurrentIndex(dock->tensorCombo()->findText(QStringLiteral("weight before its cast")));
    dock->callCombo()->setCurrentIndex(dock->callCombo()->findText(QStringLiteral("fc2/aten::linear#0")));
    QCOMPARE(dock->tensorCombo()->currentText(), QStringLiteral("weight before its cast"));
    // One that has no such tensor shows a gradient instead.
    dock->callCombo()->setCurrentIndex(dock->callCombo()->findText(QStringLiteral("bn1/aten::batch_norm#0")));
    QCOMPARE(dock->tensorCombo()->currentText(), QStringLiteral("gradient of the output"));
  }

  void theSameParameterOfAnotherOpCallIsShown() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    wire::ObserveConfig observe = explorer.session().run().config().observe;
    observe.parameters = true;
    explorer.session().setObserve(observe);
    explorer.session().step();
    app::GradientsDock* dock = explorer.window().gradientsDock();
    QTRY_VERIFY(dock->tensorCombo()->findText(QStringLiteral("conv1.weight as stored")) >= 0);
    dock->tensorCombo()->setCurrentIndex(dock->tensorCombo()->findText(QStringLiteral("conv1.weight as stored")));
    dock->callCombo()->setCurrentIndex(dock->callCombo()->findText(QStringLiteral("fc2/aten::linear#0")));
    QCOMPARE(dock->tensorCombo()->currentText(), QStringLiteral("fc2.weight as stored"));
  }

  void whatNoLossScaleActsOnIsMultipliedInstead() {
    Explorer explorer;
    QVERIFY(explorer.playAndPause(5));
    wire::ObserveConfig observe = explorer.session().run().config().observe;
    observe.parameters = true;
    explorer.session().setObserve(observe);
    explorer.session().step();
    app::GradientsDock* dock = explorer.window().gradientsDock();
    QSlider* slider = dock->view()->slider();
    QCOMPARE(slider->minimum(), 0);
    const QString wanted = QStringLiteral("gradient of conv1.weight ÷ scale");
    QTRY_VERIFY(dock->tensorCombo()->findText(wanted) >= 0);
    dock->tensorCombo()->setCurrentIndex(dock->tensorCombo()->findText(wanted));
    QCOMPARE(slider->value(), 0);
    QVERIFY(slider->minimum() < 0);
    Explorer::picture(&explorer.window(), QStringLiteral("parameter-gradient"));
    // A row's shares follow the factor, and nothing can be set in the run.
    const auto zero = [&] { return dock->view()->shares()->shares(0)->zero; };
    const double before = zero();
    slider->setValue(-20);
    QVERIFY(zero() > before);
    for (const QPushButton* button : dock->view()->findChildren<QPushButton*>()) QVERIFY(!button->isVisible());
    dock->tensorCombo()->setCurrentIndex(dock->tensorCombo()->findText(QStringLiteral("gradient of the output")));
    QVERIFY(slider->minimum() == 0 && slider->value() > 0);
  }
};

BINADE_SUITE(TensorChoices);

}  // namespace

#include "tst_tensor_choices.moc"
