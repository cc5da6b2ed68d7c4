// SPDX-License-Identifier: Apache-2.0
#include "tests/host/printing_model.h"
#include "tests/host/serve/peer.h"
#include "tests/record/run_file.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>

#include <chrono>
#include <csignal>

extern char** environ;

using namespace binade;

namespace {

/// A binade-engine of its own behind two pipes, as the explorer has one; its standard error goes to a file.
class Process {
 public:
  Process() : log_(test::temporaryFolder() + QStringLiteral("/stderr.txt")) {
    int in[2], out[2];
    if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) qFatal("no pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, log_.toUtf8().constData(), O_CREAT | O_WRONLY, 0600);
    const std::string program = BINADE_BIN_DIR "/binade-engine";
    std::string name = "binade-engine", command = "serve", option = "--confined-if-possible";
    char* arguments[] = {name.data(), command.data(), option.data(), nullptr};
    if (::posix_spawn(&pid, program.c_str(), &actions, nullptr, arguments, environ) != 0) qFatal("no engine");
    posix_spawn_file_actions_destroy(&actions);
    ::close(in[0]);
    ::close(out[1]);
    peer = std::make_unique<test::Peer>(out[0], in[1]);
  }

  ~Process() {
    if (pid > 0) ::kill(pid, SIGKILL);
    wait();
  }

  int wait() {
    int status = -1;
    if (pid > 0) ::waitpid(pid, &status, 0);
    pid = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  /// Whether it ends by itself before somebody loses patience.
  bool endsWithin(std::chrono::seconds patience) {
    const auto ended = [this] {
      int status = 0;
      if (pid > 0 && ::waitpid(pid, &status, WNOHANG) == pid) pid = -1;
      return pid < 0;
    };
    return QTest::qWaitFor(ended, static_cast<int>(std::chrono::milliseconds(patience).count()));
  }

  QByteArray standardError() const {
    QFile file(log_);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  pid_t pid = -1;
  std::unique_ptr<test::Peer> peer;

 private:
  QString log_;
};

wire::RunConfig runOf(const std::string& model) {
  wire::RunConfig config;
  config.model = model;
  config.data.inputs = {"float32[4,8]"};
  config.batch = 4;
  config.steps = 5;
  return config;
}

}  // namespace

class ServeProcess : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatAModelPrintsNeverReachesTheWire();
  void interruptIsTheExplorersToDealWith();
  void aKilledEngineLeavesAFileThatOpens();
  void anEngineEndsWithItsExplorer_data();
  void anEngineEndsWithItsExplorer();
  void whatWasRecordedStaysWhole();
  void aRunAskedForWithTheHelloBegins();
  void theEndOfTheOtherEngineLeavesTheRun();
  void aFileThatIsMadeAfterAFailureIsRead();
  void aRunFileOfAnotherEndingIsRefused();
};

void ServeProcess::whatAModelPrintsNeverReachesTheWire() {
  const std::string model = test::temporaryFolder().toStdString() + "/printing.pt";
  test::writePrintingModel(model);
  Process engine;
  QVERIFY(engine.peer->sayHello());
  const auto response = engine.peer->answer("run.start", wire::encode(wire::StartRun{runOf(model)}));
  const auto failure = test::failureIn(response);
  QVERIFY2(response && !failure, failure ? failure->message.c_str() : "no answer");
  QVERIFY(engine.peer->waitFor("run.finished"));
  QCOMPARE(engine.peer->steps().size(), std::size_t{5});
  engine.peer->endInput();
  QVERIFY(engine.peer->waitForEnd());  // every byte up to here was a message
  QCOMPARE(engine.wait(), 0);
  QVERIFY(engine.standardError().contains("model: THE MODEL SPEAKS"));
}

void ServeProcess::interruptIsTheExplorersToDealWith() {
  Process engine;
  QVERIFY(engine.peer->sayHello());
  ::kill(engine.pid, SIGINT);
  ::kill(engine.pid, SIGINT);
  QVERIFY(engine.peer->sayHello());
  engine.peer->endInput();
  QCOMPARE(engine.wait(), 0);
}

void ServeProcess::aKilledEngineLeavesAFileThatOpens() {
  Process engine;
  QVERIFY(engine.peer->sayHello());
  auto config = runOf("sample:mlp");
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.steps = 1'000'000;
  config.run_file = test::temporaryFolder().toStdString() + "/a.binade";
  QVERIFY(engine.peer->answer("run.start", wire::encode(wire::StartRun{config})));
  QVERIFY(engine.peer->waitFor("run.steps", 30));
  ::kill(engine.pid, SIGKILL);
  engine.wait();
  const record::RunReader reader(config.run_file);
  // Whether the run is finished in it is chance: the confined engine may see the end of its input before it is killed.
  QVERIFY(reader.started().has_value());
  QVERIFY(test::stepCount(config.run_file) > 0);
  std::int64_t next = 0;
  reader.replay([&](record::RunRecord&& item) {
    if (const auto* step = std::get_if<wire::StepRecord>(&item)) next += step->step == next;
    return true;
  });
  QCOMPARE(next, test::stepCount(config.run_file));
}

// What keeps the thread that touches models for ever, and how the explorer goes.
void ServeProcess::anEngineEndsWithItsExplorer_data() {
  QTest::addColumn<QString>("busy");
  QTest::addColumn<bool>("killed");
  for (const char* busy : {"an op after the other", "a loop without an op", "one long op", "idle"}) {
    QTest::addRow("%s, input ends", busy) << QString::fromLatin1(busy) << false;
    QTest::addRow("%s, explorer killed", busy) << QString::fromLatin1(busy) << true;
  }
}

void ServeProcess::anEngineEndsWithItsExplorer() {
  QFETCH(QString, busy);
  QFETCH(bool, killed);
  Process engine;
  QVERIFY(engine.peer->sayHello());
  if (busy != QLatin1String("idle")) {
    const std::string model = test::temporaryFolder().toStdString() + "/endless.pt";
    if (busy == QLatin1String("one long op")) {
      test::writeLongOpModel(model);
    } else {
      test::writeEndlessModel(model, busy == QLatin1String("an op after the other"));
    }
    // The answer may never come: setting a run up calls the model too.
    engine.peer->ask("run.start", wire::encode(wire::StartRun{runOf(model)}));
    QVERIFY2(QTest::qWaitFor([&] { return engine.standardError().contains("THE MODEL SPEAKS"); }, 60000),
             engine.standardError().constData());
    engine.peer->ask("run.stop");  // it waits for the step, which never ends
  }
  if (killed) {
    engine.peer->hangUp();  // both ends at once, as the system closes them
  } else {
    engine.peer->endInput();
  }
  // It would wait for the model's call for ever.
  QVERIFY(engine.endsWithin(std::chrono::seconds(60)));
}

void ServeProcess::whatWasRecordedStaysWhole() {
  const std::string model = test::temporaryFolder().toStdString() + "/stalling.pt";
  test::writeStallingModel(model, 20);
  Process engine;
  QVERIFY(engine.peer->sayHello());
  auto config = runOf(model);
  config.steps = 1000;
  config.run_file = test::temporaryFolder().toStdString() + "/stalled.binade";
  const auto response = engine.peer->answer("run.start", wire::encode(wire::StartRun{config}));
  const auto failure = test::failureIn(response);
  QVERIFY2(response && !failure, failure ? failure->message.c_str() : "no answer");
  QVERIFY(QTest::qWaitFor([&] { return engine.standardError().contains("THE MODEL STALLS"); }, 60000));
  engine.peer->hangUp();
  QVERIFY(engine.endsWithin(std::chrono::seconds(60)));
  const record::RunReader reader(config.run_file);
  QVERIFY(reader.started().has_value());
  QCOMPARE(test::stepCount(config.run_file), std::int64_t{20});
}

// As `binade --demo` asks: the run replaces the engine that has the hello before that one has answered.
void ServeProcess::aRunAskedForWithTheHelloBegins() {
  Process engine;
  auto config = runOf("sample:mlp");
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.steps = 3;
  config.run_file = test::temporaryFolder().toStdString() + "/at-once.binade";
  const std::int64_t hello = engine.peer->ask("engine.hello", wire::encode(wire::Hello{}));
  const std::int64_t start = engine.peer->ask("run.start", wire::encode(wire::StartRun{config}));
  for (const std::int64_t id : {hello, start}) {
    const auto response = engine.peer->waitForAnswer(id);
    const auto failure = test::failureIn(response);
    QVERIFY2(response && !failure, failure ? failure->message.c_str() : "no answer");
  }
  QVERIFY(engine.peer->waitFor("run.steps"));
}

/// A child of the front that is not `other`; -1: none.
pid_t childOf(pid_t parent, pid_t other) {
  QFile list(QStringLiteral("/proc/%1/task/%1/children").arg(parent));
  if (!list.open(QIODevice::ReadOnly)) return -1;
  for (const QByteArray& each : list.readAll().simplified().split(' ')) {
    const pid_t child = each.toInt();
    if (child > 0 && child != other) return child;
  }
  return -1;
}

void ServeProcess::theEndOfTheOtherEngineLeavesTheRun() {
  Process engine;
  auto config = runOf("sample:mlp");
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.steps = 1'000'000;
  config.run_file = test::temporaryFolder().toStdString() + "/goes-on.binade";
  QVERIFY(engine.peer->sayHello());
  QVERIFY(engine.peer->answer("run.start", wire::encode(wire::StartRun{config})));
  QVERIFY(engine.peer->waitFor("run.steps"));
  const pid_t run = childOf(engine.pid, -1);
  if (run < 0) QSKIP("this system does not list a process's children, or does not confine engines");
  QVERIFY(engine.peer->answer("data.arrays", wire::encode(wire::ListArrays{{"/nowhere.npy"}})));
  const pid_t inspection = childOf(engine.pid, run);
  QVERIFY(inspection > 0);
  ::kill(inspection, SIGKILL);
  const std::size_t steps = engine.peer->steps().size();
  QVERIFY(QTest::qWaitFor(
      [&] {
        return engine.peer->waitFor("run.steps", 1) &&
               engine.peer->answer("data.arrays", wire::encode(wire::ListArrays{{"/nowhere.npy"}}));
      },
      60000));
  QVERIFY(engine.peer->answer("run.stop"));
  QVERIFY(engine.peer->waitFor("run.finished"));
  QVERIFY(engine.peer->steps().size() >= steps);
}

void ServeProcess::aFileThatIsMadeAfterAFailureIsRead() {
  const QString file = test::temporaryFolder() + QStringLiteral("/late.pt");
  Process engine;
  QVERIFY(engine.peer->sayHello());
  const auto inspect = [&] {
    return test::failureIn(
        engine.peer->answer("model.inspect", wire::encode(wire::InspectModel{.file = file.toStdString()})));
  };
  QVERIFY(inspect().has_value());
  test::writePrintingModel(file.toStdString());
  const auto failure = inspect();
  QVERIFY2(!failure, failure ? failure->message.c_str() : "");
}

void ServeProcess::aRunFileOfAnotherEndingIsRefused() {
  Process engine;
  QVERIFY(engine.peer->sayHello());
  auto config = runOf("sample:mlp");
  config.run_file = test::temporaryFolder().toStdString() + "/.bash_login";
  const auto failure = test::failureIn(engine.peer->answer("run.start", wire::encode(wire::StartRun{config})));
  QVERIFY(failure.has_value());
  QCOMPARE(failure->field, std::string("run_file"));
  QVERIFY(!QFile::exists(QString::fromStdString(config.run_file)));
}

BINADE_SUITE(ServeProcess);
#include "tst_serve_process.moc"
