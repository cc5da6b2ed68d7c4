// SPDX-License-Identifier: Apache-2.0
// Which tensors of an op call can be looked at closely, and what is said of those that are not watched.
#include "app/docks/empty_state.h"
#include "app/docks/gradients_dock.h"
#include "app/model/band_track.h"
#include "app/model/site_name.h"
#include "app/present/observe_words.h"
#include "app/present/site_figures.h"
#include "app/present/site_text.h"
#include "app/present/tensor_choices.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QComboBox>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace binade;
using app::RunModel;
using app::TensorChoice;
using test::Explorer;
using Kind = wire::WatchedTensor::Kind;

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

wire::ObserveConfig watching(bool inputs, bool parameters) {
  wire::ObserveConfig observe = test::FakeRun::config().observe;
  observe.inputs = inputs;
  observe.parameters = parameters;
  return observe;
}

wire::ObserveConfig gradientsAlone() {
  return watching(false, false);
}

wire::ObserveConfig everything() {
  return watching(true, true);
}

// Plays some steps, observed so from there on, and chooses a tensor of the op call that is shown, as soon as it is
// there.
bool choose(Explorer& explorer, const wire::ObserveConfig& observe, const QString& text) {
  if (!explorer.playAndPause(5)) return false;
  explorer.session().setObserve(observe);
  explorer.session().step();
  QComboBox* tensors = explorer.window().docks()->gradients->tensorCombo();
  if (!QTest::qWaitFor([&] { return tensors->findText(text) >= 0; })) return false;
  tensors->setCurrentIndex(tensors->findText(text));
  return true;
}

void chooseCall(Explorer& explorer, const QString& call) {
  QComboBox* calls = explorer.window().docks()->gradients->callCombo();
  calls->setCurrentIndex(calls->findText(call));
}

// A step more, in which the op call's backward is seen to give these arguments a gradient: emulated with a histogram,
// natively without.
void addLeaving(RunModel& run, int site, const std::vector<std::string>& arguments, bool emulated = true) {
  wire::StepRecord record;
  record.step = run.steps().back().step + 1;
  record.scale = record.next_scale = run.steps().back().next_scale;
  int id = 2000 + 10 * site;
  for (const std::string& argument : arguments) {
    record.new_tensors.push_back({id, site, Kind::kInputGradient, argument, formats::kFloat16, emulated});
    formats::TensorStats stats;
    stats.scan = !emulated;
    stats.count = 4;
    stats.largest = stats.smallest = 1;
    stats.sum_of_squares = 4;
    stats.binades[static_cast<std::size_t>(-formats::kFirstBinade)] = 4;
    record.observations.push_back({id++, stats});
  }
  run.addSteps({record});
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
    QCOMPARE(textsOf(app::tensorChoices(run, test::kConv1)),
             (QStringList{"gradient of the output", "gradient of conv1.weight ÷ scale", "output",
                          "input before its cast", "weight before its cast", "conv1.weight as stored"}));
    for (const TensorChoice& each : app::tensorChoices(run, test::kConv1))
      QCOMPARE(each.isMissing(), each.watched.kind == Kind::kOutput);  // outputs are only scanned on a CPU
  }

  void everyTensorSaysWhereItComesFrom() {
    RunModel run;
    play(run, everything());
    addLeaving(run, test::kConv1, {"weight"});
    QStringList told;
    for (const TensorChoice& each : app::tensorChoices(run, test::kConv1)) {
      QVERIFY2(!each.about.isEmpty(), qPrintable(each.text));
      if (!told.contains(each.about)) told << each.about;
    }
    QCOMPARE(told.size(), 6);  // a kind each
  }

  void ofManyTensorsTheOneThatTellsMostIsShownFirst() {
    RunModel run;
    play(run, everything());
    // What leaves for data is what arrives at the call before: that call shows it.
    addLeaving(run, test::kBn1, {"input"});
    QCOMPARE(app::chartTensorOf(run, test::kBn1), idOf(run, test::kBn1, Kind::kOutputGradient));
    addLeaving(run, test::kConv1, {"input", "weight", "bias"});
    const int shown = app::chartTensorOf(run, test::kConv1);
    QVERIFY(shown >= 0);
    QCOMPARE(run.tensor(shown)->tensor.argument, std::string("weight"));
    QCOMPARE(app::earliestGradient(run), shown);
    // The others are there to be chosen.
    QVERIFY(textsOf(app::tensorChoices(run, test::kConv1)).contains(QStringLiteral("gradient of input")));
    QVERIFY(textsOf(app::tensorChoices(run, test::kBn1)).contains(QStringLiteral("gradient of input")));
  }

  void theLastGradientWithValuesIsThatOfALaterCall() {
    RunModel run;
    QCOMPARE(app::lastGradientWithValues(run), -1);
    play(run, gradientsAlone());
    const int last = app::lastGradientWithValues(run);
    QVERIFY(last >= 0 && last != app::earliestGradient(run));
    QVERIFY(wire::is_scaled(run.tensor(last)->tensor));
    QVERIFY(run.tensor(last)->histograms.latest().largest > 0);
    // No later op call has one.
    int latest = -1;
    for (const wire::SiteInfo& site : run.sites()) {
      const int chart = app::chartTensorOf(run, site.id);
      if (chart >= 0 && wire::is_scaled(run.tensor(chart)->tensor)) latest = chart;
    }
    QCOMPARE(last, latest);
  }

  void whatPassesFromOneNativeCallToAnotherIsCheckedOnly() {
    RunModel run;
    play(run, gradientsAlone());
    addLeaving(run, test::kBn1, {"input"}, false);
    const std::vector<TensorChoice> choices = app::tensorChoices(run, test::kBn1);
    const TensorChoice* leaving = find(choices, Kind::kInputGradient);
    QVERIFY(leaving != nullptr && leaving->isMissing());
    QCOMPARE(leaving->headline, QStringLiteral("Gradients of arguments are only checked for finiteness."));
    QCOMPARE(leaving->observe.level, std::string("what-if"));
  }

  void ofSeveralResultsEachHasItsNumber() {
    wire::WatchedTensor tensor;
    QCOMPARE(app::tensorWords(tensor), QStringLiteral("output"));
    tensor.argument = "1";
    QCOMPARE(app::tensorWords(tensor), QStringLiteral("output 1"));
    tensor.kind = Kind::kOutputGradient;
    QCOMPARE(app::tensorWords(tensor), QStringLiteral("gradient of output 1"));
  }

  void aParameterTellsNothingOfWhatItsOpCallLoses() {
    RunModel plain;
    RunModel run;
    play(plain, gradientsAlone());
    play(run, watching(false, true));
    for (const int site : {test::kConv1, test::kFc2}) {
      const app::SiteFigures without = app::figuresOf(plain, site);
      const app::SiteFigures with = app::figuresOf(run, site);
      QCOMPARE(with.doublings, without.doublings);
      QCOMPARE(with.lost, without.lost);
      QCOMPARE(with.sentence, without.sentence);
      QVERIFY(run.tensor(with.decisive_tensor)->tensor.kind != Kind::kParameter);
    }
    // Where nothing else of it was seen before rounding, what it loses is not known.
    RunModel alone;
    test::FakeRun fake;
    alone.begin(fake.started(), RunModel::Source::kLive);
    wire::StepRecord record = fake.next();
    for (wire::Observation& each : record.observations) {
      const bool parameter = std::any_of(record.new_tensors.begin(), record.new_tensors.end(), [&](const auto& tensor) {
        return tensor.id == each.tensor && app::isOfParameter(tensor);
      });
      each.stats.censored = !parameter;
    }
    alone.addSteps({record});
    QVERIFY(idOf(alone, test::kFc2, Kind::kParameter) >= 0);
    QVERIFY(std::isnan(app::figuresOf(alone, test::kFc2).lost));
  }

  void whatNothingShowsUnaskedKeepsFewerColumns() {
    RunModel run;
    play(run, everything(), app::HistogramTrack::kShortLimit + 8);
    const auto columnsOf = [&](Kind kind) { return run.tensor(idOf(run, test::kConv1, kind))->histograms.size(); };
    QCOMPARE(columnsOf(Kind::kOutputGradient), app::HistogramTrack::kShortLimit + 8);
    QVERIFY(columnsOf(Kind::kParameter) <= app::HistogramTrack::kShortLimit);
    QVERIFY(columnsOf(Kind::kParameterGradient) <= app::HistogramTrack::kShortLimit);
  }

  void whatIsNotWatchedSaysWhatBringsIt() {
    RunModel run;
    play(run, gradientsAlone());
    const std::vector<TensorChoice> choices = app::tensorChoices(run, test::kConv1);
    const TensorChoice* arguments = find(choices, Kind::kInput);
    QVERIFY(arguments != nullptr && arguments->isMissing());
    QCOMPARE(arguments->headline, QStringLiteral("Arguments are not observed."));
    QVERIFY(!arguments->remedy.isEmpty());
    QVERIFY(arguments->observe.inputs && !arguments->observe.parameters);
    QCOMPARE(arguments->observe.level, std::string("histogram"));
    const TensorChoice* gradients = find(choices, Kind::kParameterGradient);
    QVERIFY(gradients != nullptr && gradients->isMissing());
    QVERIFY(gradients->observe.parameters && !gradients->observe.inputs);
    const TensorChoice* output = find(choices, Kind::kOutput);
    QVERIFY(output != nullptr && output->isMissing());
    QCOMPARE(output->observe.level, std::string("what-if"));
    QVERIFY2(output->sentence.contains(QStringLiteral("Level Histogram")), qPrintable(output->sentence));
    // No parameter belongs to it: none is offered.
    QVERIFY(find(app::tensorChoices(run, test::kBn1), Kind::kParameter) == nullptr);
  }

  void anArgumentThatIsNotCastIsNotPromised() {
    RunModel run;
    play(run, everything());
    const std::vector<TensorChoice> choices = app::tensorChoices(run, test::kLoss);
    const TensorChoice* arguments = find(choices, Kind::kInput);
    QVERIFY(arguments != nullptr && arguments->isMissing());
    QVERIFY2(arguments->headline.contains(QStringLiteral("has been observed")), qPrintable(arguments->headline));
    QVERIFY(arguments->remedy.isEmpty());
  }

  void aParameterThatAnotherOpCallTakesIsNotPromised() {
    RunModel run;
    test::FakeRun fake;
    wire::RunStarted started = fake.started();
    started.config.observe = everything();
    started.model.sites[test::kBn1].key.path = "conv1";  // an op call more of the module
    run.begin(started, RunModel::Source::kLive);
    QVERIFY(find(app::tensorChoices(run, test::kBn1), Kind::kParameter) != nullptr);
    fake.setObserve(everything());
    run.addSteps({fake.next()});
    QVERIFY(find(app::tensorChoices(run, test::kBn1), Kind::kParameter) == nullptr);
    QVERIFY(find(app::tensorChoices(run, test::kBn1), Kind::kParameterGradient) == nullptr);
    QVERIFY(find(app::tensorChoices(run, test::kConv1), Kind::kParameter) != nullptr);
  }

  void aCallOnDataAloneGetsNoGradient() {
    RunModel run;
    test::FakeRun fake;
    run.begin(fake.started(), RunModel::Source::kLive);
    run.setState({wire::RunState::kRunning, 0});
    const auto headline = [&] { return find(app::tensorChoices(run, test::kBn1), Kind::kOutputGradient)->headline; };
    QCOMPARE(headline(), QStringLiteral("Not observed yet."));
    wire::StepRecord record = fake.next();
    std::erase_if(record.new_tensors,
                  [](const auto& each) { return each.site == test::kBn1 && each.kind == Kind::kOutputGradient; });
    run.addSteps({record});
    QCOMPARE(headline(), QStringLiteral("No gradient has been observed here."));
  }

  void belowTheLevelItNeedsATensorSaysOfWhatKindItIs() {
    wire::ObserveConfig observe = everything();
    observe.level = "finite";
    RunModel run;
    play(run, observe, 0);
    const auto headline = [&](Kind kind) { return find(app::tensorChoices(run, test::kConv1), kind)->headline; };
    QCOMPARE(headline(Kind::kInput), QStringLiteral("Arguments are only checked for finiteness."));
    QCOMPARE(headline(Kind::kParameter), QStringLiteral("Parameters are only checked for finiteness."));
    QCOMPARE(headline(Kind::kParameterGradient), QStringLiteral("Gradients are only checked for finiteness."));
    QCOMPARE(find(app::tensorChoices(run, test::kConv1), Kind::kInput)->observe.level, std::string("range"));
    observe.level = "off";
    run.setObserve(observe);
    QCOMPARE(headline(Kind::kOutput), QStringLiteral("Nothing is observed."));
    // There the binades of everything are counted: nothing is to be raised.
    observe.level = "range";
    run.setObserve(observe);
    const std::vector<TensorChoice> choices = app::tensorChoices(run, test::kConv1);
    QVERIFY(find(choices, Kind::kInput) != nullptr);
    for (const TensorChoice& each : choices) QVERIFY2(each.remedy.isEmpty(), qPrintable(each.text));
  }

  void anEndedRunOffersNoRemedy() {
    RunModel run;
    play(run, gradientsAlone());
    const std::vector<TensorChoice> before = app::tensorChoices(run, test::kConv1);
    const TensorChoice* arguments = find(before, Kind::kInput);
    QVERIFY(arguments != nullptr && !arguments->remedy.isEmpty());
    run.finish({});
    const std::vector<TensorChoice> after = app::tensorChoices(run, test::kConv1);
    QVERIFY(find(after, Kind::kInput) != nullptr);
    for (const TensorChoice& each : after) QVERIFY2(each.remedy.isEmpty(), qPrintable(each.text));
  }

  void parametersOfNoOpCallHaveAPlace() {
    RunModel run;
    play(run, everything());
    QCOMPARE(app::sitesWithTensors(run).back(), -1);
    QCOMPARE(textsOf(app::tensorChoices(run, -1)), (QStringList{"gradient of gain ÷ scale", "gain as stored"}));
    const int id = idOf(run, -1, Kind::kParameter);
    QCOMPARE(app::tensorText(run.tensor(id)->tensor, run.sites()), QStringLiteral("gain as stored"));
    RunModel plain;
    play(plain, gradientsAlone());
    QVERIFY(app::sitesWithTensors(plain).back() >= 0);
  }

  void onlyGradientsOfTheScaledLossMoveWithTheScale() {
    RunModel plain;
    RunModel run;
    play(plain, gradientsAlone(), 20);  // until a step is not skipped
    play(run, everything(), 20);
    QVERIFY(!run.band().points().empty() && !plain.band().points().empty());
    // The band of safe scales and what a call's gradients allow are as without the others.
    QCOMPARE(run.band().points().back().highest, plain.band().points().back().highest);
    QCOMPARE(run.band().points().back().lowest, plain.band().points().back().lowest);
    QCOMPARE(app::figuresOf(run, test::kFc2).safe_scale, app::figuresOf(plain, test::kFc2).safe_scale);
    QVERIFY(app::earliestGradient(run) == idOf(run, test::kConv1, Kind::kOutputGradient));
  }

  void levelsHaveTheNamesOfTheRunFile() {
    QCOMPARE(app::observeLevels().size(), 5);
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
    app::GradientsDock* dock = explorer.window().docks()->gradients;
    QComboBox* tensors = dock->tensorCombo();
    QVERIFY(!dock->empty()->isShownEmpty());
    tensors->setCurrentIndex(tensors->findText(QStringLiteral("arguments, before their cast")));
    QVERIFY(dock->empty()->isShownEmpty());
    QCOMPARE(dock->empty()->headline(), QStringLiteral("Arguments are not observed."));
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
    play(run, gradientsAlone());
    const int before = selection.tensor();
    QCOMPARE(before, idOf(run, test::kConv1, Kind::kOutputGradient));
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

  void withoutATensorTheListsNameNone() {
    Explorer explorer;
    explorer.showFed(40);
    app::Selection& selection = explorer.session().selection();
    app::GradientsDock* dock = explorer.window().docks()->gradients;
    const int call = dock->callCombo()->currentIndex();
    const int tensor = selection.tensor();
    QVERIFY(call >= 0 && tensor >= 0);
    selection.setTensor(-1);
    QVERIFY(dock->empty()->isShownEmpty());  // in place of an empty grid
    QCOMPARE(dock->empty()->headline(), QStringLiteral("No tensor selected."));
    QCOMPARE(dock->callCombo()->currentIndex(), -1);
    QCOMPARE(dock->tensorCombo()->currentIndex(), -1);
    dock->callCombo()->setCurrentIndex(call);
    QVERIFY(selection.tensor() >= 0);
    QCOMPARE(dock->callCombo()->currentIndex(), call);
    QVERIFY(!dock->empty()->isShownEmpty());
  }

  void theSameTensorOfAnotherOpCallIsShown() {
    Explorer explorer;
    QVERIFY(choose(explorer, everything(), QStringLiteral("weight before its cast")));
    const QComboBox* tensors = explorer.window().docks()->gradients->tensorCombo();
    chooseCall(explorer, QStringLiteral("fc2/aten::linear#0"));
    QCOMPARE(tensors->currentText(), QStringLiteral("weight before its cast"));
    // One that has no such tensor shows a gradient instead.
    chooseCall(explorer, QStringLiteral("bn1/aten::batch_norm#0"));
    QCOMPARE(tensors->currentText(), QStringLiteral("gradient of the output"));
  }

  void theSameParameterOfAnotherOpCallIsShown() {
    Explorer explorer;
    QVERIFY(choose(explorer, everything(), QStringLiteral("conv1.weight as stored")));
    chooseCall(explorer, QStringLiteral("fc2/aten::linear#0"));
    QCOMPARE(explorer.window().docks()->gradients->tensorCombo()->currentText(),
             QStringLiteral("fc2.weight as stored"));
  }

  void whatNoLossScaleActsOnIsMultipliedInstead() {
    Explorer explorer;
    QVERIFY(choose(explorer, everything(), QStringLiteral("gradient of conv1.weight ÷ scale")));
    app::GradientsDock* dock = explorer.window().docks()->gradients;
    QSlider* slider = dock->view()->slider();
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
