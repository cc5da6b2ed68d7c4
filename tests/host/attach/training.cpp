// SPDX-License-Identifier: Apache-2.0
#include "tests/host/attach/training.h"

#include "tests/host/run_engine.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <csignal>

namespace binade::test {

AttachPlace::AttachPlace() {
  const QString base = temporaryFolder();
  runtime_ = base + QStringLiteral("/runtime");
  home_ = base + QStringLiteral("/own");
  QDir().mkpath(runtime_);
  QDir().mkpath(home_);
  QFile::setPermissions(runtime_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
}

QProcessEnvironment AttachPlace::variables() const {
  QProcessEnvironment all = engineEnvironment();
  all.insert(QStringLiteral("XDG_RUNTIME_DIR"), runtime_);
  all.insert(QStringLiteral("HOME"), home_);
  all.remove(QStringLiteral("RANK"));
  return all;
}

QByteArray AttachPlace::attach(const QStringList& arguments, int expected) const {
  QProcess process;
  process.setProcessEnvironment(variables());
  process.setProcessChannelMode(QProcess::MergedChannels);
  process.setStandardInputFile(QStringLiteral("/dev/null"));
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"), QStringList{QStringLiteral("attach")} + arguments);
  process.waitForFinished(60000);
  const QByteArray output = process.readAll();
  const int code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
  return code == expected ? output : "exit code " + QByteArray::number(code) + ": " + output;
}

Training::Training(const AttachPlace& place, const QJsonObject& run, const QStringList& options)
    : folder_(place.folder()) {
  const QString folder = temporaryFolder();
  QJsonObject whole{{QStringLiteral("binade_run"), 1},
                    {QStringLiteral("name"), QStringLiteral("test")},
                    {QStringLiteral("model"), QStringLiteral("sample:mlp")},
                    {QStringLiteral("data"),
                     QJsonObject{{QStringLiteral("kind"), QStringLiteral("synthetic")},
                                 {QStringLiteral("inputs"), QJsonArray{QStringLiteral("float32[8,1,28,28]")}}}},
                    {QStringLiteral("batch"), 8},
                    {QStringLiteral("steps"), 10'000'000}};
  for (auto field = run.begin(); field != run.end(); ++field) whole.insert(field.key(), field.value());
  const QString description = folder + QStringLiteral("/run.json");
  QFile file(description);
  if (file.open(QIODevice::WriteOnly)) file.write(QJsonDocument(whole).toJson());
  file.close();
  run_file_ = (folder + QStringLiteral("/run.binade")).toStdString();
  output_ = folder + QStringLiteral("/output.txt");
  process.setProcessEnvironment(place.variables());
  process.setStandardOutputFile(output_);  // a pipe that nobody reads would stop the training
  process.start(QStringLiteral(BINADE_BIN_DIR "/binade-engine"),
                QStringList{QStringLiteral("train"), description, QStringLiteral("--json"),
                            QStringLiteral("--run-file"), QString::fromStdString(run_file_)} +
                    options);
}

Training::~Training() {
  if (process.state() != QProcess::NotRunning) kill();
}

bool Training::hasBegun() {
  const auto has_steps = [this] {
    QFile file(output_);
    return file.open(QIODevice::ReadOnly) && file.read(1 << 16).count("\"event\":\"step\"") >= 3;
  };
  const auto ended = [this] { return process.state() == QProcess::NotRunning; };
  return QTest::qWaitFor([&] { return has_steps() || ended(); }, 60000) && has_steps();
}

int Training::end() {
  if (process.state() != QProcess::NotRunning && !process.waitForFinished(60000)) return -1;
  return process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
}

QByteArray Training::errors() {
  errors_ += process.readAllStandardError();
  return errors_;
}

Bridged::Bridged(const AttachPlace& place, const QStringList& command)
    : log_(temporaryFolder() + QStringLiteral("/stderr.txt")) {
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) qFatal("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, log_.toUtf8().constData(), O_CREAT | O_WRONLY, 0600);
  std::vector<std::string> texts, variables;
  for (const QString& each : command) texts.push_back(each.toStdString());
  for (const QString& each : place.variables().toStringList()) variables.push_back(each.toStdString());
  const auto pointers = [](std::vector<std::string>& all) {
    std::vector<char*> list;
    for (std::string& each : all) list.push_back(each.data());
    list.push_back(nullptr);
    return list;
  };
  if (::posix_spawnp(&pid, texts.front().c_str(), &actions, nullptr, pointers(texts).data(),
                     pointers(variables).data()) != 0) {
    qFatal("no %s", texts.front().c_str());
  }
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  from = out[0];
  to = in[1];
  peer = std::make_unique<Peer>(from, to);
}

Bridged::~Bridged() {
  kill();
}

std::optional<wire::Welcome> Bridged::hello(const wire::Hello& hello) {
  const auto response = peer->answer("engine.hello", wire::encode(hello));
  if (!response || !std::holds_alternative<nlohmann::json>(response->outcome)) return std::nullopt;
  return wire::decode<wire::Welcome>(std::get<nlohmann::json>(response->outcome));
}

void Bridged::kill() {
  if (pid > 0) ::kill(pid, SIGKILL);
  wait();
}

int Bridged::wait() {
  int status = -1;
  if (pid > 0) ::waitpid(pid, &status, 0);
  pid = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

QByteArray Bridged::errors() const {
  QFile file(log_);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QStringList attachCommand(const QStringList& arguments) {
  return QStringList{QStringLiteral(BINADE_BIN_DIR "/binade-engine"), QStringLiteral("attach")} + arguments;
}

std::size_t gapsIn(const std::vector<wire::StepRecord>& steps) {
  std::size_t gaps = 0;
  for (std::size_t i = 1; i < steps.size(); ++i) gaps += steps[i].step != steps[i - 1].step + 1;
  return gaps;
}

wire::Peers peersOf(const Peer& peer) {
  const auto all = peer.all<wire::Peers>("attach.peers");
  return all.empty() ? wire::Peers{} : all.back();
}

}  // namespace binade::test
