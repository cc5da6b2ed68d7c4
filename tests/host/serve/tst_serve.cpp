// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/host/serve/run_slot.h"
#include "engine/host/serve/serve.h"
#include "engine/words/observe_cost_text.h"
#include "tests/host/printing_model.h"
#include "tests/host/serve/peer.h"
#include "tests/host/serve/serving_engine.h"
#include "tests/record/run_file.h"
#include "tests/support/suite.h"

#include <QDir>

#include <algorithm>
#include <cmath>
#include <thread>

using namespace binade;
using Engine = test::ServingEngine;

namespace {

wire::RunConfig smallRun(std::int64_t steps) {
  wire::RunConfig config;
  config.name = "small";
  config.model = "sample:mlp";
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.steps = steps;
  config.scaler.init_scale = 1024;
  config.observe.every = 1;
  config.observe.measure_cost = false;  // no step is left bare
  return config;
}

constexpr std::int64_t kForEver = 1'000'000'000;

nlohmann::json startOf(const wire::RunConfig& config) {
  return wire::encode(wire::StartRun{config});
}

bool succeeded(const std::optional<wire::Response>& response) {
  return response && std::holds_alternative<nlohmann::json>(response->outcome);
}

QString text(const std::optional<wire::Failure>& failure) {
  return failure ? QString::fromStdString(failure->message) : QStringLiteral("no failure");
}

}  // namespace

class Serve : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void helloExchangesVersions();
  void anotherProtocolIsRefused();
  void nothingComesBeforeHello();
  void anUnknownMethodIsAnsweredWithAnError();
  void badParamsAreAnsweredWithTheField();
  void aModelIsInspected();
  void aRequestThatFailsEndsNothing();
  void aMalformedMessageEndsNothing();
  void aStreamThatIsNoProtocolEndsTheEngine();
  void aRunGoesFromItsStartToItsEnd();
  void aPolicyComesIntoForceAtAStepBoundary();
  void aRunPausesStepsResumesAndStops();
  void whatObservingCostsIsTold();
  void aRunThatIsShownIsLookedAtByTheClockToo();
  void theScaleIsSetAtAStepBoundary();
  void anUnknownOperatorInAPolicyIsRefused();
  void aScaleBeyondFloat32IsRefused();
  void thereIsOneRunAtATime();
  void theEndOfARunFreesItsOwnSlotOnly();
  void aRunStartedOnTheLastMessageOfAnotherCanBeStopped();
  void aRunThatCannotStartLeavesNothing();
  void aSetUpThatNeverComesToAnEndIsStopped();
  void theEndOfInputEndsTheRunAndItsFile();
  void aDeadPeerEndsTheRunAndItsFile();
  void aSleepingPeerNeverHoldsTheTrainingUp();
};

void Serve::helloExchangesVersions() {
  Engine engine;
  const auto response = engine.peer->answer("engine.hello", wire::encode(wire::Hello{}));
  QVERIFY(succeeded(response));
  const auto welcome = wire::decode<wire::Welcome>(std::get<nlohmann::json>(response->outcome));
  QCOMPARE(welcome.protocol, wire::kProtocol);
  QVERIFY(!welcome.version.empty());
  QVERIFY(QString::fromStdString(welcome.libtorch).startsWith(QStringLiteral("2.11")));
  // Where runs train that do not ask for another, whatever else the machine has.
  QVERIFY(QString::fromStdString(welcome.device).startsWith(QStringLiteral("CPU, ")));
  QCOMPARE(engine.end(), 0);
}

void Serve::anotherProtocolIsRefused() {
  Engine engine;
  const auto failure =
      test::failureIn(engine.peer->answer("engine.hello", wire::encode(wire::Hello{99, "binade", "0.1"})));
  QVERIFY2(text(failure).startsWith(
               QStringLiteral("The explorer has version 0.1 and protocol 99, this engine has version ")),
           qPrintable(text(failure)));
  QVERIFY2(text(failure).endsWith(QStringLiteral(" and protocol %1").arg(wire::kProtocol)), qPrintable(text(failure)));
  QVERIFY(test::failureIn(engine.peer->answer("run.pause")));
  QVERIFY(engine.peer->sayHello());
}

void Serve::nothingComesBeforeHello() {
  Engine engine;
  const auto failure = test::failureIn(engine.peer->answer("run.start", startOf(smallRun(1))));
  QCOMPARE(text(failure), QStringLiteral("run.start was sent before engine.hello"));
}

void Serve::anUnknownMethodIsAnsweredWithAnError() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  const auto failure = test::failureIn(engine.peer->answer("run.teleport"));
  QVERIFY(failure);
  QCOMPARE(failure->code, wire::kUnknownMethod);
  QCOMPARE(text(failure), QStringLiteral("Unknown method: run.teleport"));
  QVERIFY(engine.peer->sayHello());
}

void Serve::badParamsAreAnsweredWithTheField() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto params = startOf(smallRun(1));
  params["config"]["scaler"]["init_scale"] = "high";
  auto failure = test::failureIn(engine.peer->answer("run.start", params));
  QVERIFY(failure);
  QCOMPARE(failure->code, wire::kBadParams);
  QCOMPARE(text(failure), QStringLiteral("run.start: config.scaler.init_scale must be a number, not a string"));
  failure = test::failureIn(engine.peer->answer("run.start", startOf(smallRun(0))));
  QCOMPARE(text(failure), QStringLiteral("run.start: steps must be at least 1"));
  failure = test::failureIn(engine.peer->answer("run.start", nullptr));
  QCOMPARE(failure->code, wire::kBadParams);
}

void Serve::aModelIsInspected() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  const auto response = engine.peer->answer("model.inspect", wire::encode(wire::InspectModel{"sample:mlp"}));
  QVERIFY(succeeded(response));
  const auto model = wire::decode<wire::ModelInfo>(std::get<nlohmann::json>(response->outcome));
  QVERIFY(!model.sites.empty());
  QVERIFY(!model.parameters.empty());
}

void Serve::aRequestThatFailsEndsNothing() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  const std::string missing = test::temporaryFolder().toStdString() + "/none.pt";
  const auto failure = test::failureIn(engine.peer->answer("model.inspect", wire::encode(wire::InspectModel{missing})));
  QVERIFY2(text(failure).contains(QString::fromStdString(missing)), qPrintable(text(failure)));
  for (const char* method : {"run.pause", "run.resume", "run.step", "run.stop"}) {
    QCOMPARE(text(test::failureIn(engine.peer->answer(method))), QStringLiteral("This engine has no run"));
  }
  QVERIFY(succeeded(engine.peer->answer("model.inspect", wire::encode(wire::InspectModel{"sample:mlp"}))));
}

void Serve::aMalformedMessageEndsNothing() {
  Engine engine;
  engine.peer->send(std::string("\x03\x00\x00\x00\xff\xff\xff", 7));
  QVERIFY(engine.peer->waitFor("engine.log"));
  QCOMPARE(engine.peer->all<wire::LogLine>("engine.log")[0].level, std::string("warning"));
  QVERIFY(engine.peer->sayHello());
}

void Serve::aStreamThatIsNoProtocolEndsTheEngine() {
  Engine engine;
  engine.peer->send("GET / HTTP/1.1\r\n\r\n");
  QVERIFY(engine.peer->waitForEnd());
  QCOMPARE(engine.join(), -1);
  QVERIFY2(engine.failure().find("announces") != std::string::npos, engine.failure().c_str());
}

void Serve::aRunGoesFromItsStartToItsEnd() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(25);
  config.run_file = test::temporaryFolder().toStdString() + "/small.binade";
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(config))));
  QVERIFY(engine.peer->waitFor("run.finished"));

  const auto started = engine.peer->all<wire::RunStarted>("run.started");
  QCOMPARE(started.size(), std::size_t{1});
  QVERIFY(started[0].config == config);
  QCOMPARE(started[0].run_file, config.run_file);
  const auto steps = engine.peer->steps();
  QCOMPARE(steps.size(), std::size_t{25});
  for (std::size_t i = 0; i < steps.size(); ++i) {
    QCOMPARE(steps[i].step, static_cast<std::int64_t>(i));
    QVERIFY(!steps[i].observations.empty());
  }
  const auto finished = engine.peer->all<wire::Finished>("run.finished")[0];
  QVERIFY(finished.outcome == wire::Outcome::kCompleted);
  QCOMPARE(finished.steps, std::int64_t{25});

  // The file says the same, and is closed by the time of that message.
  QVERIFY(!QFileInfo::exists(QString::fromStdString(config.run_file + "-wal")));
  const record::RunReader reader(config.run_file);
  QVERIFY(reader.started() == started[0]);
  QVERIFY(test::finishedOf(reader) == finished);
  for (const auto& step : steps) {
    const auto recorded = reader.step(step.step);
    QVERIFY(recorded && recorded->observations == step.observations && recorded->new_tensors == step.new_tensors);
  }
  QCOMPARE(test::environmentOf(config.run_file)["program"], std::string("binade-engine"));
}

void Serve::aPolicyComesIntoForceAtAStepBoundary() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(kForEver)))));
  QVERIFY(engine.peer->waitFor("run.steps", 2));
  policy::Policy policy;
  policy.name = "edited";
  policy.base = policy::Base::kAllFloat32;
  QVERIFY(succeeded(engine.peer->answer("policy.set", wire::encode(wire::PolicySet{42, policy}))));
  QVERIFY(engine.peer->waitFor("policy.applied"));
  const std::size_t soFar = engine.peer->all<wire::StepBatch>("run.steps").size();
  QVERIFY(engine.peer->waitFor("run.steps", soFar + 2));

  const auto applied = engine.peer->all<wire::PolicyApplied>("policy.applied");
  QCOMPARE(applied.size(), std::size_t{1});
  QCOMPARE(applied[0].revision, 42);
  QVERIFY(applied[0].policy == policy);
  QVERIFY(!applied[0].decisions.empty());
  int before = 0, after = 0;
  for (const auto& step : engine.peer->steps()) {
    QCOMPARE(step.policy_revision == 42, step.step >= applied[0].step);
    ++(step.step < applied[0].step ? before : after);
  }
  QVERIFY(before > 0 && after > 0);
}

void Serve::aRunPausesStepsResumesAndStops() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(kForEver)))));
  QVERIFY(engine.peer->waitFor("run.steps"));
  QVERIFY(succeeded(engine.peer->answer("run.pause")));
  QVERIFY(engine.peer->waitForState(wire::RunState::kPaused));
  const auto paused = engine.peer->all<wire::StateChanged>("run.state").back();
  const auto batches = engine.peer->all<wire::StepBatch>("run.steps").size();
  QCOMPARE(engine.peer->steps().back().step, paused.step - 1);
  QVERIFY(succeeded(engine.peer->answer("run.step")));
  QVERIFY(engine.peer->waitFor("run.steps", batches + 1));
  QCOMPARE(engine.peer->steps().back().step, paused.step);
  QVERIFY(succeeded(engine.peer->answer("run.resume")));
  QVERIFY(engine.peer->waitFor("run.steps", batches + 3));
  QVERIFY(succeeded(engine.peer->answer("run.stop")));
  QVERIFY(engine.peer->waitFor("run.finished"));
  const auto finished = engine.peer->all<wire::Finished>("run.finished")[0];
  QVERIFY(finished.outcome == wire::Outcome::kStopped);
  QCOMPARE(finished.steps, engine.peer->steps().back().step + 1);
}

void Serve::whatObservingCostsIsTold() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(80);
  config.observe = {};
  config.observe.every = 2;
  config.run_file = test::temporaryFolder().toStdString() + "/cost.binade";
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(config))));
  QVERIFY(engine.peer->waitFor("run.finished"));
  const auto costs = engine.peer->all<wire::ObserveCost>("observe.cost");
  QVERIFY(!costs.empty());
  QCOMPARE(costs.back().last_step, std::int64_t{79});
  QVERIFY(costs.back().ratio > 0 && costs.back().pairs >= 6);
  // The file has it too, as the last line of its log.
  const auto log = test::recordsOf<wire::LogLine>(record::RunReader(config.run_file));
  QVERIFY(!log.empty());
  QCOMPARE(log.back().text, words::observe_cost_text(costs.back()));
}

void Serve::aRunThatIsShownIsLookedAtByTheClockToo() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(kForEver);
  config.observe = {};
  config.observe.every = 1'000'000;
  config.observe.live = 0.01;
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(config))));
  const auto looked = [&] {
    const auto steps = engine.peer->steps();
    return std::count_if(steps.begin(), steps.end(), [](const auto& step) { return !step.observations.empty(); });
  };
  for (std::size_t batches = 1; looked() < 4; ++batches) QVERIFY(engine.peer->waitFor("run.steps", batches));
  QVERIFY(succeeded(engine.peer->answer("run.stop")));
  QVERIFY(engine.peer->waitFor("run.finished"));
}

void Serve::theScaleIsSetAtAStepBoundary() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(kForEver)))));
  QVERIFY(engine.peer->waitFor("run.steps"));
  QVERIFY(test::failureIn(engine.peer->answer("scaler.set", wire::encode(wire::SetScale{0}))));
  QVERIFY(test::failureIn(engine.peer->answer("scaler.set", wire::encode(wire::SetScale{std::nan("")}))));
  QVERIFY(test::failureIn(engine.peer->answer("observe.set", wire::encode(wire::ObserveConfig{"all", 1}))));
  QVERIFY(succeeded(engine.peer->answer("observe.set", wire::encode(wire::ObserveConfig{"off", 1}))));
  QVERIFY(succeeded(engine.peer->answer("scaler.set", wire::encode(wire::SetScale{4096}))));
  const auto batches = engine.peer->all<wire::StepBatch>("run.steps").size();
  QVERIFY(engine.peer->waitFor("run.steps", batches + 3));
  const auto steps = engine.peer->steps();
  QCOMPARE(steps.front().scale, 1024.0);
  QCOMPARE(steps.back().scale, 4096.0);
  QVERIFY(!steps.front().observations.empty());
  QVERIFY(steps.back().observations.empty());
}

void Serve::thereIsOneRunAtATime() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(kForEver)))));
  QCOMPARE(text(test::failureIn(engine.peer->answer("run.start", startOf(smallRun(1))))),
           QStringLiteral("This engine already has a run"));
  QVERIFY(test::failureIn(engine.peer->answer("model.inspect", wire::encode(wire::InspectModel{"sample:mlp"}))));
  QVERIFY(succeeded(engine.peer->answer("run.stop")));
  QVERIFY(engine.peer->waitFor("run.finished"));
  // On that very message the next may be asked for.
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(2)))));
  QVERIFY(engine.peer->waitFor("run.finished", 2));
  QVERIFY(engine.peer->all<wire::Finished>("run.finished")[1].outcome == wire::Outcome::kCompleted);
}

void Serve::theEndOfARunFreesItsOwnSlotOnly() {
  host::RunSlot slot;
  const auto first = slot.take();
  host::RunEnd end(slot, first);
  end.receive(wire::StateChanged{wire::RunState::kFinished, 1});
  const auto second = slot.take();
  end.receive(wire::Finished{});
  end.receive(wire::StateChanged{wire::RunState::kFinished, 1});
  slot.free(first);
  QVERIFY(slot.current() == second);
  slot.free(second);
  QVERIFY(!slot.taken());
}

void Serve::aRunStartedOnTheLastMessageOfAnotherCanBeStopped() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  for (std::size_t i = 1; i <= 19; i += 2) {
    engine.peer->ask("run.start", startOf(smallRun(1)));
    QVERIFY(engine.peer->waitFor("run.finished", i));
    const auto start = engine.peer->ask("run.start", startOf(smallRun(kForEver)));
    QVERIFY(succeeded(engine.peer->waitForAnswer(start)));
    QVERIFY(engine.peer->waitFor("run.started", i + 1));
    const auto stop = engine.peer->answer("run.stop");
    QVERIFY2(succeeded(stop), qPrintable(text(test::failureIn(stop))));
    QVERIFY(engine.peer->waitFor("run.finished", i + 1));
  }
}

void Serve::aSetUpThatNeverComesToAnEndIsStopped() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(1);
  config.model = test::temporaryFolder().toStdString() + "/endless.pt";
  test::writeEndlessModel(config.model, /*in_ops=*/true);
  config.data.inputs = {"float32[4,8]"};
  const auto start = engine.peer->ask("run.start", startOf(config));
  QVERIFY(engine.peer->waitForState(wire::RunState::kLoading));
  QVERIFY(succeeded(engine.peer->answer("run.stop")));
  const auto failure = test::failureIn(engine.peer->waitForAnswer(start));
  QCOMPARE(text(failure), QStringLiteral("Cancelled during setup of the run"));
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(2)))));
  QVERIFY(engine.peer->waitFor("run.finished"));
}

void Serve::anUnknownOperatorInAPolicyIsRefused() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(kForEver);
  policy::Policy policy;
  policy.ops["aten::convv2d"] = formats::kFloat32;
  config.policy = policy;
  auto failure = test::failureIn(engine.peer->answer("run.start", startOf(config)));
  QVERIFY2(text(failure).contains(QStringLiteral("ops[\"aten::convv2d\"]")), qPrintable(text(failure)));
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(kForEver)))));
  failure = test::failureIn(engine.peer->answer("policy.set", wire::encode(wire::PolicySet{1, policy})));
  QCOMPARE(text(failure), QStringLiteral("policy.set: ops[\"aten::convv2d\"]: this LibTorch has no such operator"));
  QVERIFY(failure->hint.starts_with("Did you mean \"aten::conv2d\"?"));
}

void Serve::aScaleBeyondFloat32IsRefused() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(kForEver);
  config.scaler.init_scale = 1e300;
  QVERIFY(test::failureIn(engine.peer->answer("run.start", startOf(config))));
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(smallRun(kForEver)))));
  for (const double scale : {1e300, 1e-300, -1.0}) {
    const auto failure = test::failureIn(engine.peer->answer("scaler.set", wire::encode(wire::SetScale{scale})));
    QVERIFY(failure && !failure->hint.empty());
  }
}

void Serve::aRunThatCannotStartLeavesNothing() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  const QDir folder(test::temporaryFolder());
  auto config = smallRun(2);
  config.run_file = folder.filePath(QStringLiteral("a.binade")).toStdString();
  config.model = folder.filePath(QStringLiteral("none.pt")).toStdString();
  const auto failure = test::failureIn(engine.peer->answer("run.start", startOf(config)));
  QVERIFY2(text(failure).contains(QStringLiteral("none.pt")), qPrintable(text(failure)));
  QVERIFY(folder.isEmpty());
  QVERIFY(engine.peer->waitForState(wire::RunState::kIdle));

  config.model = "sample:mlp";
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(config))));
  QVERIFY(engine.peer->waitFor("run.finished"));
  // The same name again: the first run's file stays as it is.
  const auto again = test::failureIn(engine.peer->answer("run.start", startOf(config)));
  QVERIFY2(text(again).contains(QStringLiteral("never overwritten")), qPrintable(text(again)));
  QCOMPARE(test::stepCount(config.run_file), std::int64_t{2});
}

void Serve::theEndOfInputEndsTheRunAndItsFile() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(kForEver);
  config.run_file = test::temporaryFolder().toStdString() + "/a.binade";
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(config))));
  QVERIFY(engine.peer->waitFor("run.steps"));
  engine.peer->endInput();
  QVERIFY(engine.peer->waitFor("run.finished"));
  QVERIFY(engine.peer->waitForEnd());
  QCOMPARE(engine.join(), 0);
  const auto finished = test::finishedOf(record::RunReader(config.run_file));
  QVERIFY(finished && finished->outcome == wire::Outcome::kStopped);
  QCOMPARE(test::stepCount(config.run_file), finished->steps);
}

void Serve::aDeadPeerEndsTheRunAndItsFile() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(kForEver);
  config.run_file = test::temporaryFolder().toStdString() + "/a.binade";
  QVERIFY(succeeded(engine.peer->answer("run.start", startOf(config))));
  QVERIFY(engine.peer->waitFor("run.steps"));
  engine.peer->hangUp();
  QCOMPARE(engine.join(), 0);
  const auto finished = test::finishedOf(record::RunReader(config.run_file));
  QVERIFY(finished && finished->outcome == wire::Outcome::kStopped);
}

void Serve::aSleepingPeerNeverHoldsTheTrainingUp() {
  Engine engine;
  QVERIFY(engine.peer->sayHello());
  auto config = smallRun(800);
  config.run_file = test::temporaryFolder().toStdString() + "/a.binade";
  engine.peer->ask("run.start", startOf(config));
  // Nothing is read here, far beyond what a socket holds, until the file says that the training is done.
  const auto done = [&] {
    try {
      return test::finishedOf(record::RunReader(config.run_file)).has_value();
    } catch (const Error&) {
      return false;  // not there yet
    }
  };
  QTRY_VERIFY_WITH_TIMEOUT(done(), 90'000);
  QCOMPARE(test::stepCount(config.run_file), std::int64_t{800});

  QVERIFY(engine.peer->waitFor("run.finished"));
  const auto steps = engine.peer->steps();
  QCOMPARE(steps.back().step, std::int64_t{799});
  QVERIFY(!steps.back().observations.empty());
  QVERIFY(!steps.front().new_tensors.empty());
}

BINADE_SUITE(Serve);
#include "tst_serve.moc"
