// SPDX-License-Identifier: Apache-2.0
#include "tests/host/attach/training.h"
#include "tests/support/suite.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <vector>

using namespace binade;
using test::Training;

/// `binade-engine attach`: which training it finds.
class Command : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void theListHasEachTraining();
  void withoutATrainingItFails();
  void severalNeedAName();
  void aTrainingHasSeveralNames();
  void aTrainingIsFoundByTheProcessThatStartedIt();
  void aTrainingThatDoesNotAnswerIsListed();
  void trainingsOfOtherComputersAreNotMistakenForThoseHere();
};

void Command::theListHasEachTraining() {
  const test::AttachPlace place;
  Training one(place, {{QStringLiteral("name"), QStringLiteral("one")}});
  Training two(place, {{QStringLiteral("name"), QStringLiteral("two")}});
  QVERIFY(one.hasBegun() && two.hasBegun());
  const QByteArray lines = place.attach({QStringLiteral("--list"), QStringLiteral("--json")});
  const QList<QByteArray> all = lines.trimmed().split('\n');
  QCOMPARE(all.size(), 2);
  QStringList names;
  for (const QByteArray& line : all) {
    const QJsonObject training = QJsonDocument::fromJson(line).object();
    QCOMPARE(training.value(QLatin1String("event")).toString(), QStringLiteral("training"));
    QVERIFY2(training.value(QLatin1String("step")).toInt() > 0, line);
    QVERIFY2(training.value(QLatin1String("since")).toDouble() > 1.7e9, line);
    QCOMPARE(training.value(QLatin1String("explorers")).toInt(-1), 0);
    names << training.value(QLatin1String("name")).toString();
    const Training& meant = names.back() == QLatin1String("one") ? one : two;
    QCOMPARE(training.value(QLatin1String("process")).toInteger(), meant.id());
    QCOMPARE(training.value(QLatin1String("run_file")).toString().toStdString(), meant.runFile());
  }
  names.sort();
  QCOMPARE(names, (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
  const QByteArray table = place.attach({QStringLiteral("--list")});
  QVERIFY2(table.contains("one") && table.contains(QByteArray::number(two.id())), table);
}

void Command::withoutATrainingItFails() {
  const test::AttachPlace place;
  const QByteArray output = place.attach({}, 1);
  QVERIFY2(output.contains("No training of this user runs on this computer"), output);
  QVERIFY2(output.contains("binade-engine train"), output);
  Training training(place, {});
  QVERIFY(training.hasBegun());
  const QByteArray other = place.attach({QStringLiteral("nothing")}, 1);
  QVERIFY2(other.contains("nothing names no training") && other.contains(QByteArray::number(training.id())), other);
}

void Command::severalNeedAName() {
  const test::AttachPlace place;
  Training one(place, {}), two(place, {});
  QVERIFY(one.hasBegun() && two.hasBegun());
  const QByteArray output = place.attach({}, 2);
  QVERIFY2(output.contains("Several trainings run on this computer"), output);
  QVERIFY2(output.contains(QByteArray::number(one.id())) && output.contains(QByteArray::number(two.id())), output);
}

void Command::aTrainingHasSeveralNames() {
  const test::AttachPlace place;
  Training one(place, {{QStringLiteral("name"), QStringLiteral("one")}});
  Training two(place, {{QStringLiteral("name"), QStringLiteral("two")}});
  QVERIFY(one.hasBegun() && two.hasBegun());
  const QString description = one.process.arguments().at(1);
  for (const QString& name :
       {QStringLiteral("one"), QString::number(one.id()), QString::fromStdString(one.runFile()), description}) {
    test::Bridged bridge(place, test::attachCommand({name}));
    const auto welcome = bridge.hello();
    QVERIFY2(welcome && welcome->attached, qPrintable(name));
    QCOMPARE(welcome->attached->process, static_cast<std::int64_t>(one.id()));
  }
}

// As `launch` starts rank 0.
void Command::aTrainingIsFoundByTheProcessThatStartedIt() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  test::Bridged bridge(place, test::attachCommand({QString::number(QCoreApplication::applicationPid())}));
  const auto welcome = bridge.hello();
  QVERIFY(welcome && welcome->attached);
  QCOMPARE(welcome->attached->process, static_cast<std::int64_t>(training.id()));
}

void Command::aTrainingThatDoesNotAnswerIsListed() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  ::kill(static_cast<pid_t>(training.id()), SIGSTOP);
  const QByteArray list = place.attach({QStringLiteral("--list")});
  QVERIFY2(list.contains("It does not answer"), list);
  // Nor if so many wait for it that the system accepts no further connection.
  const QStringList sockets = QDir(place.folder()).entryList({QStringLiteral("*.sock")}, QDir::System);
  QCOMPARE(sockets.size(), 1);
  std::vector<int> waiting;
  bool full = false;
  int why = 0;
  while (!full && waiting.size() < 1000) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray path = QFile::encodeName(place.folder() + QLatin1Char('/') + sockets.first());
    std::copy_n(path.constData(), path.size(), std::begin(address.sun_path));
    waiting.push_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    full = ::connect(waiting.back(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0;
    why = errno;
  }
  const QByteArray crowded = place.attach({QStringLiteral("--list")});
  for (const int each : waiting) ::close(each);
  ::kill(static_cast<pid_t>(training.id()), SIGCONT);
  QVERIFY(full && why == EAGAIN);
  QVERIFY2(crowded.contains("It does not answer"), crowded);
}

// A home folder may be that of several computers.
void Command::trainingsOfOtherComputersAreNotMistakenForThoseHere() {
  const test::AttachPlace place;
  Training training(place, {});
  QVERIFY(training.hasBegun());
  QFile sign(place.folder() + QStringLiteral("/elsewhere-77.json"));
  QVERIFY(sign.open(QIODevice::WriteOnly));
  sign.write(R"({"process": 77, "host": "elsewhere", "since": 1790000000, "run": "/runs/far.json"})");
  sign.close();
  test::Bridged bridge(place, test::attachCommand());
  const auto welcome = bridge.hello();
  QVERIFY2(welcome && welcome->attached, bridge.errors());
  QCOMPARE(welcome->attached->process, static_cast<std::int64_t>(training.id()));
  const QByteArray far = place.attach({QStringLiteral("far")}, 1);
  QVERIFY2(far.contains("runs on another computer") && far.contains("ssh elsewhere binade-engine attach 77"), far);
}

BINADE_SUITE(Command);
#include "tst_attach_command.moc"
