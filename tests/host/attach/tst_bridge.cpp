// SPDX-License-Identifier: Apache-2.0
#include "tests/host/attach/training.h"
#include "tests/record/run_file.h"
#include "tests/support/suite.h"

#include <QFile>
#include <QJsonObject>

#include <chrono>
#include <csignal>

using namespace binade;
using test::Bridged;
using test::Training;

namespace {

wire::PolicySet nextPolicy(const wire::RunStarted& started, int revision, policy::Base base) {
  wire::PolicySet set{revision, started.policy.policy};
  set.policy.base = base;
  return set;
}

wire::RunStarted startedOf(const test::Peer& peer) {
  const auto all = peer.all<wire::RunStarted>("run.started");
  return all.empty() ? wire::RunStarted{} : all.front();
}

bool isSuccess(const std::optional<wire::Response>& response) {
  return response && std::holds_alternative<nlohmann::json>(response->outcome);
}

/// Takes what comes until a policy of this revision is in force.
bool waitForPolicy(test::Peer& peer, int revision) {
  for (std::size_t count = 1; peer.waitFor("policy.applied", count); ++count) {
    if (peer.all<wire::PolicyApplied>("policy.applied")[count - 1].revision == revision) return true;
  }
  return false;
}

/// Takes what comes until this peer edits.
bool waitForEditor(test::Peer& peer, std::int64_t editor) {
  for (std::size_t count = 1; peer.waitFor("attach.peers", count); ++count) {
    if (peer.all<wire::Peers>("attach.peers")[count - 1].editor == editor) return true;
  }
  return false;
}

/// Cuts 50 links to one training, evenly over a time: it never stands still, and its run file lacks no step.
void cutFiftyLinks(std::chrono::milliseconds over) {
  constexpr int kCuts = 50;
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY2(training.hasBegun(), training.errors());
  const auto begin = std::chrono::steady_clock::now();
  std::int64_t last = 0;
  for (int cut = 0; cut < kCuts; ++cut) {
    Bridged bridge(place, test::attachCommand());
    QVERIFY2(bridge.hello() && bridge.peer->waitFor("attach.caught_up"), bridge.errors());
    // A link of some age has more on the way when it is cut.
    const auto until = begin + over * (cut + 1) / kCuts;
    std::int64_t step = -1;
    do {
      const std::size_t batches = bridge.peer->all<wire::StepBatch>("run.steps").size();
      QVERIFY(bridge.peer->waitFor("run.steps", batches + 1));  // it goes on
      step = bridge.peer->steps().back().step;
      QVERIFY2(step > last, "the training stands still");
      last = step;
      bridge.peer->forget();
    } while (std::chrono::steady_clock::now() < until);
    if (cut % 2 == 0) bridge.peer->hangUp();  // the near end goes first, or the process in between
    bridge.kill();
  }
  Bridged bridge(place, test::attachCommand());
  QVERIFY(bridge.hello() && bridge.peer->waitFor("attach.caught_up"));
  const auto answer = bridge.peer->answer("run.stop");
  const auto failure = test::failureIn(answer);
  QVERIFY2(answer && !failure, failure ? failure->message.c_str() : "no answer");
  QCOMPARE(training.end(), 0);
  const record::RunReader reader(training.runFile());
  std::int64_t steps = 0;
  const auto count = [&steps](record::RunRecord&& record) {
    const auto* step = std::get_if<wire::StepRecord>(&record);
    if (step == nullptr) return true;
    return step->step == steps++;  // ends at the first gap
  };
  reader.replay(count, 0, record::Statistics::kNone);
  QVERIFY2(steps > last, qPrintable(QStringLiteral("steps %1, seen %2").arg(steps).arg(last)));
  QCOMPARE(steps, test::stepCount(training.runFile()));
  QVERIFY(test::finishedOf(reader)->outcome == wire::Outcome::kStopped);
}

}  // namespace

/// Explorers at a training that was started without one, through `binade-engine attach`.
class Bridge : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aLateExplorerReceivesTheRunAndEditsIt_data();
  void aLateExplorerReceivesTheRunAndEditsIt();
  void oneEditsAndOthersWatch();
  void anEditorThatGoesLeavesThePlaceToTheNext();
  void lettingGoLeavesTheTraining();
  void aPausedTrainingGoesOnOnceNobodyWatches();
  void fiftyCutLinksLoseNoStep();
  void anExplorerThatDoesNotReadDelaysNothing();
  void theEndReachesTheExplorer();
  void otherRunsAreRefused();
  void theRunFileIsCopiedWhileItIsWritten();
  void anotherVersionIsRefusedWithBoth();
};

void Bridge::aLateExplorerReceivesTheRunAndEditsIt_data() {
  QTest::addColumn<QStringList>("options");
  QTest::newRow("unconfined") << QStringList();
  QTest::newRow("confined") << QStringList{QStringLiteral("--confined-if-possible")};
}

void Bridge::aLateExplorerReceivesTheRunAndEditsIt() {
  QFETCH(QStringList, options);
  const test::AttachPlace place;
  Training training(place, {}, options);
  QVERIFY2(training.hasBegun(), training.errors());
  Bridged bridge(place, test::attachCommand());
  const auto welcome = bridge.hello();
  QVERIFY2(welcome && welcome->attached, bridge.errors());
  QCOMPARE(welcome->attached->name, std::string("test"));
  QCOMPARE(welcome->attached->process, static_cast<std::int64_t>(training.id()));
  QCOMPARE(welcome->attached->run_file, training.runFile());
  QVERIFY(welcome->attached->step > 0);
  QVERIFY(bridge.peer->waitFor("attach.caught_up"));
  const wire::Peers peers = test::peersOf(*bridge.peer);
  QCOMPARE(peers.editor, peers.you);
  const wire::RunStarted started = startedOf(*bridge.peer);
  QCOMPARE(started.config.name, std::string("test"));
  QVERIFY(!started.model.sites.empty());
  QVERIFY(!bridge.peer->steps().empty());
  QCOMPARE(bridge.peer->steps().front().step, std::int64_t{0});

  const int revision = started.policy.revision + 1;
  const auto answer =
      bridge.peer->answer("policy.set", wire::encode(nextPolicy(started, revision, policy::Base::kAllFloat32)));
  const auto failure = test::failureIn(answer);
  QVERIFY2(answer && !failure, failure ? failure->message.c_str() : "no answer");
  QVERIFY(waitForPolicy(*bridge.peer, revision));
  QVERIFY(isSuccess(bridge.peer->answer("run.stop")));
  QVERIFY(bridge.peer->waitFor("run.finished"));
  QCOMPARE(training.end(), 0);
  QVERIFY(bridge.peer->waitForEnd());
  QCOMPARE(bridge.wait(), 0);
  QCOMPARE(test::gapsIn(bridge.peer->steps()), std::size_t{0});
  // The edit is in the run file, like any other.
  const record::RunReader reader(training.runFile());
  const auto applied = test::recordsOf<wire::PolicyApplied>(reader);
  QCOMPARE(applied.back().revision, revision);
}

void Bridge::oneEditsAndOthersWatch() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  Bridged first(place, test::attachCommand()), second(place, test::attachCommand());
  wire::Hello anna, ben;
  anna.user = "anna at desk";
  ben.user = "ben at laptop";
  QVERIFY(first.hello(anna) && first.peer->waitFor("attach.caught_up"));
  QVERIFY(second.hello(ben) && second.peer->waitFor("attach.caught_up"));
  const std::int64_t id1 = test::peersOf(*first.peer).you, id2 = test::peersOf(*second.peer).you;
  QVERIFY(waitForEditor(*second.peer, id1));
  QCOMPARE(test::peersOf(*second.peer).peers.size(), std::size_t{2});
  const wire::RunStarted started = startedOf(*second.peer);
  const int revision = started.policy.revision;

  for (const char* method : {"policy.set", "run.pause", "run.stop", "checkpoint.save", "profiler.set", "scaler.set"}) {
    const auto refused = test::failureIn(second.peer->answer(method));
    QVERIFY2(refused && refused->message.find("anna at desk") != std::string::npos, method);
    QVERIFY2(!refused->hint.empty(), method);
  }
  QVERIFY(isSuccess(
      first.peer->answer("policy.set", wire::encode(nextPolicy(started, revision + 1, policy::Base::kAllFloat32)))));
  QVERIFY(waitForPolicy(*second.peer, revision + 1));  // a watcher sees it

  QVERIFY(isSuccess(second.peer->answer("attach.take")));
  QVERIFY(waitForEditor(*first.peer, id2));
  const auto refused = test::failureIn(first.peer->answer("run.pause"));
  QVERIFY(refused && refused->message.find("ben at laptop") != std::string::npos);
  QVERIFY(isSuccess(
      second.peer->answer("policy.set", wire::encode(nextPolicy(started, revision + 2, policy::Base::kCudaAmp)))));
  QVERIFY(waitForPolicy(*first.peer, revision + 2));

  QVERIFY(isSuccess(second.peer->answer("attach.release")));
  QVERIFY(waitForEditor(*first.peer, 0));
  const auto nobody = test::failureIn(second.peer->answer("run.pause"));
  QVERIFY(nobody && nobody->hint.find("Take over") != std::string::npos);
}

void Bridge::anEditorThatGoesLeavesThePlaceToTheNext() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  auto editor = std::make_unique<Bridged>(place, test::attachCommand());
  QVERIFY(editor->hello());
  Bridged watcher(place, test::attachCommand());
  wire::Hello hello;
  hello.watch = true;
  QVERIFY(watcher.hello(hello) && watcher.peer->waitFor("attach.caught_up"));
  editor.reset();  // killed
  QVERIFY(waitForEditor(*watcher.peer, 0));
  QCOMPARE(test::peersOf(*watcher.peer).peers.size(), std::size_t{1});
  Bridged next(place, test::attachCommand());
  QVERIFY(next.hello() && next.peer->waitFor("attach.caught_up"));
  QCOMPARE(test::peersOf(*next.peer).editor, test::peersOf(*next.peer).you);
}

void Bridge::lettingGoLeavesTheTraining() {
  const test::AttachPlace place;
  Training training(place, {{QStringLiteral("steps"), 3000}});
  QVERIFY(training.hasBegun());
  {
    Bridged bridge(place, test::attachCommand());
    QVERIFY(bridge.hello() && bridge.peer->waitFor("attach.caught_up"));
    bridge.peer->endInput();
    QVERIFY(bridge.peer->waitForEnd());
    QCOMPARE(bridge.wait(), 0);
  }
  QCOMPARE(training.end(), 0);
  QCOMPARE(test::stepCount(training.runFile()), std::int64_t{3000});
  QVERIFY2(training.errors().contains("The training goes on"), training.errors());
}

void Bridge::aPausedTrainingGoesOnOnceNobodyWatches() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  auto editor = std::make_unique<Bridged>(place, test::attachCommand());
  QVERIFY(editor->hello() && editor->peer->waitFor("attach.caught_up"));
  QVERIFY(isSuccess(editor->peer->answer("run.pause")));
  QVERIFY(editor->peer->waitForState(wire::RunState::kPaused));
  const std::int64_t paused = editor->peer->steps().back().step;
  editor.reset();  // killed, as by a cut link
  QVERIFY(QTest::qWaitFor(
      [&] {
        training.process.waitForReadyRead(50);
        return training.errors().contains("An explorer has left");
      },
      30000));
  Bridged next(place, test::attachCommand());
  QVERIFY(next.hello() && next.peer->waitFor("attach.caught_up"));
  const std::size_t batches = next.peer->all<wire::StepBatch>("run.steps").size();
  QVERIFY(next.peer->waitFor("run.steps", batches + 1));
  QVERIFY(next.peer->steps().back().step > paused);
}

void Bridge::fiftyCutLinksLoseNoStep() {
  cutFiftyLinks(std::chrono::seconds(0));
}

void Bridge::anExplorerThatDoesNotReadDelaysNothing() {
  const test::AttachPlace place;
  Training training(
      place, {{QStringLiteral("steps"), 4000}, {QStringLiteral("observe"), QJsonObject{{QStringLiteral("every"), 1}}}});
  QVERIFY(training.hasBegun());
  Bridged bridge(place, test::attachCommand());
  QVERIFY(bridge.hello());
  // Nothing is read from here on: pipes and queue fill, and the training ends by itself.
  QCOMPARE(training.end(), 0);
  QCOMPARE(test::stepCount(training.runFile()), std::int64_t{4000});
}

void Bridge::theEndReachesTheExplorer() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  Bridged bridge(place, test::attachCommand());
  QVERIFY(bridge.hello() && bridge.peer->waitFor("attach.caught_up"));
  ::kill(static_cast<pid_t>(training.id()), SIGINT);
  QVERIFY(bridge.peer->waitFor("run.finished"));
  QVERIFY(bridge.peer->all<wire::Finished>("run.finished").front().outcome == wire::Outcome::kCancelled);
  QVERIFY(bridge.peer->waitForEnd());
  QCOMPARE(bridge.wait(), 0);
  QCOMPARE(training.end(), 130);
}

void Bridge::otherRunsAreRefused() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  Bridged bridge(place, test::attachCommand());
  const auto early = test::failureIn(bridge.peer->answer("run.pause"));
  QVERIFY(early && early->message.find("engine.hello") != std::string::npos);
  QVERIFY(bridge.hello());
  for (const char* method : {"run.start", "run.demo", "model.inspect", "model.trust", "data.preview", "data.arrays"}) {
    const auto refused = test::failureIn(bridge.peer->answer(method));
    QVERIFY2(refused && refused->message.find("runs a training of its own") != std::string::npos, method);
  }
  const auto unknown = test::failureIn(bridge.peer->answer("run.fly"));
  QVERIFY(unknown && unknown->code == wire::kUnknownMethod);
  const auto other =
      test::failureIn(bridge.peer->answer("file.read", wire::encode(wire::ReadFile{.file = "/etc/passwd"})));
  QVERIFY(other && other->message.find("own run file only") != std::string::npos);
}

void Bridge::theRunFileIsCopiedWhileItIsWritten() {
  const test::AttachPlace place;
  Training training(place, {}, {QStringLiteral("--confined-if-possible")});
  QVERIFY(training.hasBegun());
  Bridged bridge(place, test::attachCommand());
  QVERIFY(bridge.hello());
  wire::ReadFile read{.file = training.runFile()};
  QByteArray whole;
  for (;;) {
    const auto response = bridge.peer->answer("file.read", wire::encode(read));
    const auto failure = test::failureIn(response);
    QVERIFY2(response && !failure, failure ? failure->message.c_str() : "no answer");
    const auto part = wire::decode<wire::FilePart>(std::get<nlohmann::json>(response->outcome));
    read.copy = part.copy;
    if (!part.ready) continue;
    whole.append(part.data.value.data(), static_cast<qsizetype>(part.data.value.size()));
    read.offset = whole.size();
    if (read.offset >= part.size) break;
    QVERIFY(!part.data.value.empty());
  }
  const QString path = test::temporaryFolder() + QStringLiteral("/near.binade");
  QFile near(path);
  QVERIFY(near.open(QIODevice::WriteOnly) && near.write(whole) == whole.size());
  near.close();
  const record::RunReader reader(path.toStdString());
  QCOMPARE(reader.started()->config.name, std::string("test"));
  const auto steps = test::recordsOf<wire::StepRecord>(reader);
  QVERIFY(steps.size() >= 3);
  QCOMPARE(test::gapsIn(steps), std::size_t{0});
  QVERIFY(training.process.state() == QProcess::Running);
}

void Bridge::anotherVersionIsRefusedWithBoth() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  Bridged bridge(place, test::attachCommand());
  wire::Hello other;
  other.protocol = wire::kProtocol + 1;
  other.version = "99.1";
  const auto failure = test::failureIn(bridge.peer->answer("engine.hello", wire::encode(other)));
  QVERIFY(failure.has_value());
  QVERIFY2(failure->message.find("99.1") != std::string::npos, failure->message.c_str());
  QVERIFY2(failure->message.find("this engine has version ") != std::string::npos, failure->message.c_str());
  QVERIFY(training.process.state() == QProcess::Running);
}

/// The same over ten minutes.
class CutLinks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void fiftyInTenMinutesLoseNoStep() { cutFiftyLinks(std::chrono::minutes(10)); }
};

BINADE_SUITE(Bridge);
BINADE_SUITE(CutLinks);
#include "tst_bridge.moc"
