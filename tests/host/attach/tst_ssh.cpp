// SPDX-License-Identifier: Apache-2.0
#include "tests/host/attach/training.h"
#include "tests/support/places.h"
#include "tests/support/ports.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QProcess>

using namespace binade;
using test::Bridged;

namespace {

void writeText(const QString& path, const QByteArray& text) {
  QFile file(path);
  if (file.open(QIODevice::WriteOnly)) file.write(text);
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
}

QByteArray textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString programOf(const QStringList& candidates) {
  for (const QString& each : candidates) {
    if (QFile::exists(each)) return each;
  }
  return {};
}

/// An sshd of this user on the loopback, with keys of its own. Its sessions get the variables of `place`.
class SshServer {
 public:
  explicit SshServer(const test::AttachPlace& place) : folder_(test::temporaryFolder()), port_(test::freePort()) {
    sshd_ = programOf({QStringLiteral("/usr/sbin/sshd"), QStringLiteral("/usr/bin/sshd")});
    const QString ssh = programOf({QStringLiteral("/usr/bin/ssh")});
    if (sshd_.isEmpty() || ssh.isEmpty()) {
      why_ = "OpenSSH's server and client are not installed";
      return;
    }
    for (const char* name : {"host", "other", "user"}) {
      if (QProcess::execute(QStringLiteral("ssh-keygen"),
                            {QStringLiteral("-q"), QStringLiteral("-t"), QStringLiteral("ed25519"),
                             QStringLiteral("-N"), QString(), QStringLiteral("-f"), path(name)}) != 0) {
        why_ = "ssh-keygen failed";
        return;
      }
    }
    writeText(path("authorized"), textOf(path("user.pub")));
    writeText(path("known"), "[127.0.0.1]:" + QByteArray::number(port_) + ' ' + textOf(path("host.pub")));
    writeText(path("wrong"), "[127.0.0.1]:" + QByteArray::number(port_) + ' ' + textOf(path("other.pub")));
    QByteArray config = "ListenAddress 127.0.0.1\nPort " + QByteArray::number(port_) + "\nHostKey " +
                        path("host").toUtf8() + "\nAuthorizedKeysFile " + path("authorized").toUtf8() +
                        "\nPidFile none\nUsePAM no\nStrictModes no\nPasswordAuthentication no\nPermitRootLogin yes\n";
    config += "SetEnv";
    for (const char* name : {"XDG_RUNTIME_DIR", "HOME", "XDG_DATA_HOME"}) {
      config += ' ' + QByteArray(name) + '=' + place.variables().value(QLatin1String(name)).toUtf8();
    }
    writeText(path("config"), config + '\n');
    process_.setProcessChannelMode(QProcess::MergedChannels);
    process_.start(sshd_, {QStringLiteral("-D"), QStringLiteral("-e"), QStringLiteral("-f"), path("config")});
    QByteArray output;
    while (!output.contains("Server listening") && process_.waitForReadyRead(10000)) output += process_.readAll();
    if (!output.contains("Server listening")) why_ = "sshd does not start here: " + output.trimmed();
  }
  ~SshServer() {
    process_.kill();
    process_.waitForFinished();
  }

  /// Why there is no server; empty: there is one.
  const QByteArray& why() const { return why_; }

  QStringList command(const QString& remote, const char* known = "known") const {
    return {QStringLiteral("ssh"),
            QStringLiteral("-F"),
            QStringLiteral("none"),
            QStringLiteral("-p"),
            QString::number(port_),
            QStringLiteral("-i"),
            path("user"),
            QStringLiteral("-o"),
            QStringLiteral("UserKnownHostsFile=") + path(known),
            QStringLiteral("-o"),
            QStringLiteral("GlobalKnownHostsFile=none"),
            QStringLiteral("-o"),
            QStringLiteral("IdentitiesOnly=yes"),
            QStringLiteral("-o"),
            QStringLiteral("StrictHostKeyChecking=yes"),
            QStringLiteral("-o"),
            QStringLiteral("BatchMode=yes"),
            QStringLiteral("127.0.0.1"),
            remote};
  }

 private:
  QString path(const char* name) const { return folder_ + QLatin1Char('/') + QLatin1String(name); }

  QString folder_, sshd_;
  int port_;
  QByteArray why_;
  QProcess process_;
};

const QString kEngine = QStringLiteral(BINADE_BIN_DIR "/binade-engine");

}  // namespace

/// The engine behind a real ssh on the loopback.
class Ssh : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void anAttachedTrainingIsWatchedAndStopped();
  void aServedEngineAnswers();
  void aWrongHostKeyIsSshsToRefuse();
  void withoutAnEngineTheShellSaysSo();
  void withoutATrainingTheReasonArrives();
  void anotherVersionIsSaidWithBoth();
};

void Ssh::anAttachedTrainingIsWatchedAndStopped() {
  const test::AttachPlace place;
  const SshServer server(place);
  if (!server.why().isEmpty()) QSKIP(server.why().constData());
  test::Training training(place, {});
  QVERIFY(training.hasBegun());
  {
    Bridged cut(place, server.command(kEngine + QStringLiteral(" attach")));
    QVERIFY2(cut.hello() && cut.peer->waitFor("attach.caught_up"), cut.errors());
    cut.kill();  // as a link that breaks
  }
  Bridged ssh(place, server.command(kEngine + QStringLiteral(" attach")));
  const auto welcome = ssh.hello();
  QVERIFY2(welcome && welcome->attached, ssh.errors());
  QCOMPARE(welcome->attached->process, static_cast<std::int64_t>(training.id()));
  QVERIFY(ssh.peer->waitFor("attach.caught_up"));
  QVERIFY(ssh.peer->answer("attach.take"));  // the server may not have noticed the cut yet
  const auto answer = ssh.peer->answer("run.stop");
  const auto failure = test::failureIn(answer);
  QVERIFY2(answer && !failure, failure ? failure->message.c_str() : "no answer");
  QVERIFY(ssh.peer->waitFor("run.finished"));
  QVERIFY(ssh.peer->waitForEnd());
  QCOMPARE(training.end(), 0);
  QCOMPARE(ssh.wait(), 0);
}

void Ssh::aServedEngineAnswers() {
  const test::AttachPlace place;
  const SshServer server(place);
  if (!server.why().isEmpty()) QSKIP(server.why().constData());
  Bridged ssh(place, server.command(kEngine + QStringLiteral(" serve --confined-if-possible")));
  QVERIFY2(ssh.hello(), ssh.errors());
  const auto list = ssh.peer->answer("folder.list", wire::encode(wire::ListFolder{}));
  QVERIFY(list && !test::failureIn(list));
}

void Ssh::aWrongHostKeyIsSshsToRefuse() {
  const test::AttachPlace place;
  const SshServer server(place);
  if (!server.why().isEmpty()) QSKIP(server.why().constData());
  Bridged ssh(place, server.command(kEngine + QStringLiteral(" attach"), "wrong"));
  QVERIFY(!ssh.hello());
  QCOMPARE(ssh.wait(), 255);
  QVERIFY2(ssh.errors().contains("Host key verification failed"), ssh.errors());
}

void Ssh::withoutAnEngineTheShellSaysSo() {
  const test::AttachPlace place;
  const SshServer server(place);
  if (!server.why().isEmpty()) QSKIP(server.why().constData());
  Bridged ssh(place, server.command(QStringLiteral("/nowhere/binade-engine attach")));
  QVERIFY(!ssh.hello());
  QCOMPARE(ssh.wait(), 127);
  QVERIFY2(ssh.errors().contains("/nowhere/binade-engine"), ssh.errors());
}

void Ssh::withoutATrainingTheReasonArrives() {
  const test::AttachPlace place;
  const SshServer server(place);
  if (!server.why().isEmpty()) QSKIP(server.why().constData());
  Bridged ssh(place, server.command(kEngine + QStringLiteral(" attach")));
  QVERIFY(!ssh.hello());
  QCOMPARE(ssh.wait(), 1);
  QVERIFY2(ssh.errors().contains("No training of this user runs on this computer"), ssh.errors());
}

void Ssh::anotherVersionIsSaidWithBoth() {
  const test::AttachPlace place;
  const SshServer server(place);
  if (!server.why().isEmpty()) QSKIP(server.why().constData());
  Bridged ssh(place, server.command(kEngine + QStringLiteral(" serve --confined-if-possible")));
  wire::Hello other;
  other.protocol = wire::kProtocol + 1;
  other.version = "99.1";
  const auto failure = test::failureIn(ssh.peer->answer("engine.hello", wire::encode(other)));
  QVERIFY(failure.has_value());
  QVERIFY2(failure->message.find("99.1") != std::string::npos, failure->message.c_str());
}

BINADE_SUITE(Ssh);
#include "tst_ssh.moc"
