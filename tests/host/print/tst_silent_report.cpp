// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/silent_report.h"
#include "tests/support/suite.h"

#include <limits>

using namespace binade;

/// What the end of a training says of silent faults.
class TestSilentReport : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void tooFewObservedStepsAreNotKnownYet() {
    wire::SilentReport report;
    report.last_step = 63;
    report.observed_steps = 2;
    const std::string text = host::silent_text(report, {}, 32);
    QCOMPARE(text, std::string("Silent faults: not known yet, 2 of 64 steps observed and 5 required. Train for 65 more "
                               "steps, or set observe.every to 12 or less.\n"));
    const auto line = host::silent_line(report, {}, 32);
    QCOMPARE(line["verdict"].get<std::string>(), std::string("not_known_yet"));
    QCOMPARE(line["steps"].get<int>(), 64);
    QVERIFY(text.find(line["next"].get<std::string>()) != std::string::npos);
    report.last_step = 2;
    report.observed_steps = 3;
    QVERIFY(host::silent_text(report, {}, 1).find("Train for 2 more steps.") != std::string::npos);
  }

  void whereEveryStepWasSkippedMoreStepsDoNotHelp() {
    wire::SilentReport report;
    report.last_step = 29;
    const std::string text = host::silent_text(report, {}, 1, /*all_skipped=*/true);
    QCOMPARE(text, std::string("Silent faults: not known yet, 0 of 30 steps observed and 5 required. Every step was "
                               "skipped. First correct what the overflow events name.\n"));
    const auto line = host::silent_line(report, {}, 1, /*all_skipped=*/true);
    QVERIFY(line["next"].get<std::string>().starts_with("Every step was skipped."));
  }

  void enoughStepsWithoutAFaultGiveNone() {
    wire::SilentReport report;
    report.last_step = 159;
    report.observed_steps = 5;
    QCOMPARE(host::silent_text(report, {}, 32),
             std::string("No silent fault in 5 of 160 steps observed. Cancellation errors (subtraction of nearly equal "
                         "numbers) are not checked. binade-engine compare measures them in one step.\n"));
    QCOMPARE(host::silent_line(report, {}, 32)["verdict"].get<std::string>(), std::string("none"));
    QVERIFY(host::silent_line(report, {}, 32)["next"].get<std::string>().starts_with("Cancellation errors"));
  }

  void whatIsNotKnownYetStandsBelowOneTitle() {
    wire::SilentReport report;
    report.last_step = report.observed_steps = 9;
    report.hidden = {
        {.reason = wire::SilentGap::Reason::kNoOpCalls},
        {.reason = wire::SilentGap::Reason::kUnmeasured, .what = "whether the weights take up their updates"}};
    const std::string text = host::silent_text(report, {}, 1);
    QVERIFY2(
        text.ends_with("\nNot known yet:\n   No op call is observed (observe.sites): outputs and gradients were not "
                       "checked.\n"
                       "   It is not known whether the weights take up their updates.\n"),
        text.c_str());
  }

  void theTableOfUpdatesFollowsABlankLine() {
    wire::SilentReport report;
    report.last_step = report.observed_steps = 9;
    report.updates.emplace_back().parameter = "fc.weight";
    const std::string text = host::silent_text(report, {}, 1);
    QVERIFY2(text.find(".\n\nUpdates at step 0: weights") != std::string::npos, text.c_str());
  }

  void aParameterThatIsZeroHasNoRatio() {
    wire::SilentReport report;
    report.last_step = report.observed_steps = 9;
    wire::ParameterUpdate& update = report.updates.emplace_back();
    update.parameter = "fc.bias";
    update.moved = 4;
    update.update_over_weight = std::numeric_limits<double>::infinity();
    const std::string text = host::silent_text(report, {}, 1);
    QVERIFY2(QString::fromStdString(text).simplified().endsWith(QStringLiteral(" 0 4 0 - float32 fc.bias")),
             text.c_str());
    QVERIFY(host::silent_line(report, {}, 1)["updates"][0]["update_over_weight"].is_null());
  }

  void aMeanNamesTheStepThatItsSentenceIsOf() {
    wire::SilentReport report;
    report.last_step = 11;
    report.observed_steps = 11;
    wire::SilentFault& fault = report.faults.emplace_back();
    fault.amount = 0.7;
    fault.direction = wire::Direction::kBackward;
    fault.unit = wire::SilentFault::Unit::kGradientNorm;
    fault.seen = fault.observed_steps = 11;
    const auto first = [&] { return host::silent_text(report, {}, 1); };
    QVERIFY(first().find("1. 70 % of the gradient's norm: The gradient") != std::string::npos);
    fault.worst_step = 2;
    QVERIFY(
        first().find(
            "1. 70 % of the gradient's norm (mean of 11 observed steps); at step 2, the worst step: The gradient") !=
        std::string::npos);
    QCOMPARE(host::silent_line(report, {}, 1)["faults"][0]["worst_step"].get<int>(), 2);
  }
};

BINADE_SUITE(TestSilentReport);
#include "tst_silent_report.moc"
