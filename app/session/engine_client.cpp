// SPDX-License-Identifier: Apache-2.0
#include "app/session/engine_client.h"

#include "app/session/incoming.h"
#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "engine/wire/frame.h"

#include <QCoreApplication>
#include <QDir>
#include <QSysInfo>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace binade::app {

namespace {

Problem problemOfFailure(const wire::Failure& failure) {
  Problem problem{QString::fromStdString(failure.message), QString::fromStdString(failure.hint),
                  QString::fromStdString(failure.field)};
  for (const wire::UnsafeCode& each : failure.unsafe) {
    const QString file = QString::fromStdString(each.record);
    problem.unsafe << UnsafeLine{
        file.isEmpty() ? QString() : QStringLiteral("%1:%2").arg(file, QString::number(each.line)),
        QString::fromStdString(each.code), QString::fromStdString(each.why)};
  }
  problem.sha256 = QString::fromStdString(failure.sha256);
  return problem;
}

using std::chrono::milliseconds;

constexpr milliseconds kHelloLimit{30000};  // LibTorch alone takes 0.2 s to load; a remote host takes longer
constexpr int kBatchesOverSsh = 20;         // a second; a chart needs no more, and each has its own overhead
constexpr int kLastLines = 8;               // of standard error: a message with its hint, or the warning of ssh
constexpr int kRefused = 3;                 // exit code of an engine that cannot be confined
constexpr int kNoLibTorch = 4;              // exit code of the launcher of a package without LibTorch
constexpr int kLeaveMilliseconds = 2500;    // an engine ends within two seconds of its input's end

}  // namespace

EngineClient::EngineClient(EngineCommand command, QObject* parent)
    : QObject(parent),
      command_(std::move(command)),
      gate_([this](const wire::Misfit& misfit) { reportMisfit(misfit); }) {
  patience_over_.setSingleShot(true);
  connect(&patience_over_, &QTimer::timeout, this, &EngineClient::checkPatience);
}

EngineClient::~EngineClient() {
  const QSignalBlocker quiet(this);
  pending_.clear();
  shutDown();
  for (QProcess* process : findChildren<QProcess*>(Qt::FindDirectChildrenOnly)) {
    if (process->state() == QProcess::NotRunning || process->waitForFinished(kLeaveMilliseconds)) continue;
    process->kill();
    process->waitForFinished(kLeaveMilliseconds);
  }
}

void EngineClient::reportMisfit(const wire::Misfit& misfit) {
  addToLog("warning", tr("The engine sent an invalid %1 message, which was ignored: %2")
                          .arg(QString::fromStdString(at_gate_), QString::fromStdString(misfit.text())));
}

void EngineClient::addToLog(const char* level, const QString& text) {
  Q_EMIT notified(wire::LogLine{level, text.toStdString()});
}

qint64 EngineClient::processId() const {
  return process_ ? process_->processId() : 0;
}

void EngineClient::setCommand(EngineCommand command) {
  if (state_ == State::kStopped) command_ = std::move(command);
}

void EngineClient::start() {
  if (process_) return;
  last_lines_.clear();
  partial_line_.clear();
  cannot_confine_ = false;
  lacks_libtorch_ = false;
  exit_code_.reset();
  gate_.close();
  reader_ = std::make_shared<wire::FrameReader>();
  process_ = std::make_unique<QProcess>();
  connect(process_.get(), &QProcess::readyReadStandardOutput, this, &EngineClient::readMessages);
  connect(process_.get(), &QProcess::readyReadStandardError, this, &EngineClient::readErrorOutput);
  connect(process_.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;  // other errors are followed by finished()
    processEnded(tr("The engine could not be started: %1 (%2).")
                     .arg(QDir::toNativeSeparators(command_.program), process_->errorString()),
                 hostOf(command_).isEmpty()
                     ? tr("Install binade-engine in the folder of this program, or set the environment variable "
                          "BINADE_ENGINE to its path.")
                     : tr("Install an ssh client, such as OpenSSH."));
  });
  connect(process_.get(), &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    readErrorOutput();
    if (!partial_line_.isEmpty()) takeErrorLine(std::exchange(partial_line_, {}));
    readMessages();
    if (status == QProcess::NormalExit) exit_code_ = code;
    // Before it has said hello no model was opened, so no model can have chosen the exit code.
    cannot_confine_ = state_ == State::kStarting && status == QProcess::NormalExit && code == kRefused;
    if (cannot_confine_) return ended(tr("The system of the engine cannot confine it, so it was not started."));
    lacks_libtorch_ = state_ == State::kStarting && status == QProcess::NormalExit && code == kNoLibTorch;
    if (lacks_libtorch_) return ended(tr("LibTorch is not installed, so the engine could not be started."));
    ended(status == QProcess::CrashExit ? tr("The engine crashed (signal %1).").arg(code)
                                        : tr("The engine ended with exit code %1.").arg(code));
  });
  setState(State::kStarting);
  process_->start(command_.program, servingArguments(command_));
  if (process_) sendHello();
}

void EngineClient::shutDown() {
  if (!process_) return;
  decoder_.cancel();
  QProcess* process = process_.release();
  process->setParent(this);
  process->disconnect(this);
  if (process->state() == QProcess::NotRunning) {
    process->deleteLater();
  } else {
    // End of input makes the engine close its run file and exit. The explorer does not block on it, and kills it after
    // a while.
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->closeWriteChannel();
    QTimer::singleShot(kLeaveMilliseconds, process, &QProcess::kill);
  }
  setState(State::kStopped);
  failAll({tr("The engine was shut down."), {}});
}

void EngineClient::plainRequest(const char* method, nlohmann::json params, milliseconds limit, Done done) {
  request(method, std::move(params), limit, [done = std::move(done)](const Answer& answer) {
    const auto* problem = std::get_if<Problem>(&answer);
    if (done) done(problem == nullptr ? std::nullopt : std::optional(*problem));
  });
}

void EngineClient::request(const char* method, nlohmann::json params, milliseconds limit,
                           std::function<void(const Answer&)> done) {
  const QString name = QString::fromUtf8(method);
  if (!process_) {
    // Answered from the event loop, like all other answers, so that no caller is re-entered.
    QTimer::singleShot(0, this, [name, done = std::move(done)] {
      done(Problem{tr("No engine is running, so %1 could not be requested.").arg(name), tr("Restart the engine.")});
    });
    return;
  }
  const std::int64_t id = next_id_++;
  const std::string bytes = wire::frame(wire::Request{id, method, std::move(params)});
  Pending& pending = pending_[id];
  pending.done = std::move(done);
  pending.limit = std::make_unique<QTimer>();
  pending.limit->setSingleShot(true);
  pending.method = name;
  pending.asked.start();
  const milliseconds wait = std::max(limit, answer_limit_);
  connect(pending.limit.get(), &QTimer::timeout, this, [this, id, name, wait] {
    const auto found = pending_.find(id);
    if (found == pending_.end()) return;
    found->second.limit.release()->deleteLater();  // the timer is the sender of this signal
    const auto late = std::move(found->second.done);
    pending_.erase(found);
    endWaiting();
    const auto seconds = std::chrono::duration<double>(wait).count();
    late(Problem{tr("The engine did not respond to %1 within %2 s.").arg(name).arg(seconds),
                 tr("A long step may still be running. Wait, or restart the engine.")});
  });
  pending.limit->start(wait);
  if (!patience_over_.isActive()) patience_over_.start(patience_);
  // A process that has ended fails the request once its last messages are decoded.
  if (process_->state() == QProcess::NotRunning) return;
  process_->write(bytes.data(), static_cast<qint64>(bytes.size()));
}

// Only a link over ssh may be slow. Its speed is not known: the engine measures it by its marks.
wire::Hello EngineClient::hello() const {
  wire::Hello hello{wire::kProtocol, "binade", BINADE_VERSION};
  if (!hostOf(command_).isEmpty()) {
    hello.link = wire::LinkLimits{.bytes_per_second = 0, .batches_per_second = kBatchesOverSsh, .marks = true};
  }
  if (watching_) hello.watch = true;
  QString user = qEnvironmentVariable("USER");
  if (user.isEmpty()) user = qEnvironmentVariable("LOGNAME");
  if (user.isEmpty()) user = QDir::home().dirName();
  // The process tells two windows of one user apart, and a window that is connected again from them.
  hello.user = tr("%1 at %2, window %3")
                   .arg(user, QSysInfo::machineHostName(), QString::number(QCoreApplication::applicationPid()))
                   .toStdString();
  return hello;
}

void EngineClient::sendHello() {
  request("engine.hello", wire::encode(hello()), kHelloLimit, [this](const Answer& answer) {
    if (const auto* problem = std::get_if<Problem>(&answer)) {
      if (process_) processEnded(problem->message, problem->hint);
      return;
    }
    try {
      welcome_ = wire::decode<wire::Welcome>(std::get<nlohmann::json>(answer));
    } catch (const Error& error) {
      return processEnded(
          tr("The engine's response to engine.hello could not be read: %1").arg(QString::fromUtf8(error.what())),
          tr("Install explorer and engine of the same version."));
    }
    if (welcome_.protocol != wire::kProtocol) {
      return processEnded(tr("The engine is of version %1 and uses protocol %2, but this program is of version %3 "
                             "and uses protocol %4.")
                              .arg(QString::fromStdString(welcome_.version))
                              .arg(welcome_.protocol)
                              .arg(QStringLiteral(BINADE_VERSION))
                              .arg(wire::kProtocol),
                          tr("Install explorer and engine of the same version."));
    }
    setState(State::kReady);
    Q_EMIT ready(welcome_);
  });
}

void EngineClient::readMessages() {
  if (!process_) return;
  decoder_.run([this, reader = reader_, bytes = process_->readAllStandardOutput()](const Worker::Caller& caller) {
    reader->feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    while (caller.isWaiting() && !reader->lost()) {
      std::optional<Incoming> message = nextIncoming(*reader);
      if (!message) return;
      caller.post([this, message = std::move(*message)]() mutable {
        std::visit([this](auto& each) { receive(each); }, message);
      });
    }
  });
}

// What the engine sent before its end is received first.
void EngineClient::ended(const QString& what) {
  decoder_.run([this, what](const Worker::Caller& caller) { caller.post([this, what] { processEnded(what, {}); }); });
}

void EngineClient::readErrorOutput() {
  if (!process_) return;
  partial_line_ += process_->readAllStandardError();
  qsizetype end = 0;
  while ((end = partial_line_.indexOf('\n')) >= 0) {
    const QByteArray line = partial_line_.left(end);
    partial_line_.remove(0, end + 1);
    takeErrorLine(line);
  }
}

void EngineClient::takeErrorLine(const QByteArray& bytes) {
  const QString line = QString::fromUtf8(bytes).trimmed();
  if (line.isEmpty()) return;
  last_lines_.append(line);
  if (last_lines_.size() > kLastLines) last_lines_.removeFirst();
  addToLog("info", line);
}

void EngineClient::receive(const wire::Response& response) {
  const auto found = pending_.find(response.id);
  if (found == pending_.end()) return;  // it timed out, was cancelled, or is answered twice
  const auto done = std::move(found->second.done);
  pending_.erase(found);
  endWaiting();
  if (const auto* failure = std::get_if<wire::Failure>(&response.outcome)) {
    done(problemOfFailure(*failure));
  } else {
    done(std::get<nlohmann::json>(response.outcome));
  }
}

void EngineClient::receive(wire::RunNotification& notification) {
  const bool fits = std::visit(
      [this]<class T>(T& each) {
        at_gate_ = wire::kRouteOf<T>.method;
        return gate_.admit(each);
      },
      notification);
  if (const auto* started = std::get_if<wire::RunStarted>(&notification)) {
    return fits ? beginRun(*started) : endBegunRun(tr("The log has details."));
  }
  if (!fits) return;
  if (const auto* mark = std::get_if<wire::LinkMark>(&notification)) return returnMark(*mark);
  const auto* line = std::get_if<wire::LogLine>(&notification);
  if (line != nullptr && line->level == "progress") noteProgress();
  Q_EMIT notified(notification);
}

// What was sent before the mark has been received, and the window was not too busy for it.
void EngineClient::returnMark(const wire::LinkMark& mark) {
  if (!process_ || process_->state() == QProcess::NotRunning) return;
  const std::string bytes = wire::frame(wire::Notification{wire::kLinkSeen, wire::encode(mark)});
  process_->write(bytes.data(), static_cast<qint64>(bytes.size()));
}

void EngineClient::receive(const Unreadable& message) {
  const QString why = QString::fromStdString(message.why);
  if (message.lost) {
    return processEnded(
        tr("The engine's output does not follow Binade's protocol: %1").arg(why),
        tr("Check the command given with --connect. Only the engine may write to its standard output."));
  }
  if (message.method == wire::kRouteOf<wire::RunStarted>.method) return endBegunRun(why);
  addToLog("warning", tr("A message of the engine was ignored: %1").arg(why));
}

void EngineClient::beginRun(const wire::RunStarted& started) {
  try {
    wire::check(started.config, "config");
  } catch (const Error& error) {
    return endBegunRun(QString::fromUtf8(error.what()));
  }
  Q_EMIT notified(started);
}

// Ends the engine because its run's start is invalid: later steps would be taken for those of another run.
void EngineClient::endBegunRun(const QString& why) {
  processEnded(tr("The engine started a run with inconsistent data. %1").arg(why),
               tr("Install explorer and engine of the same version."));
}

void EngineClient::processEnded(const QString& what, const QString& hint) {
  if (!process_) return;
  decoder_.cancel();
  // Deleted later: this function may be called from a signal of the process.
  QProcess* process = process_.release();
  process->setParent(this);
  process->disconnect(this);
  if (process->state() != QProcess::NotRunning) {
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->kill();
  } else {
    process->deleteLater();
  }
  QString message = what;
  if (!last_lines_.isEmpty()) {
    message += u'\n' + tr("Its last output:") + u'\n' + last_lines_.join(u'\n');
  }
  const Problem problem{message, hint};
  setState(State::kStopped);
  failAll(problem);
  Q_EMIT stopped(problem);
}

void EngineClient::failAll(const Problem& problem) {
  const auto pending = std::exchange(pending_, {});
  endWaiting();
  for (const auto& [id, each] : pending) each.done(problem);
}

void EngineClient::cancelRequests() {
  if (state_ == State::kStarting) {
    return processEnded(tr("The start of the engine was cancelled."), tr("Restart the engine from the Run menu."));
  }
  const auto pending = std::exchange(pending_, {});
  endWaiting();
  for (const auto& [id, each] : pending) {
    each.done(Problem{tr("The wait for the engine's response to %1 was cancelled.").arg(each.method),
                      tr("The engine may still do it. Restart the engine to be sure that it does not.")});
  }
}

// Progress restarts the time-outs.
void EngineClient::noteProgress() {
  for (auto& [id, pending] : pending_) {
    pending.limit->start();
    pending.asked.start();
  }
  if (std::exchange(waiting_for_, 0) == 0) return;
  Q_EMIT waitingEnded();
  patience_over_.start(patience_);
}

void EngineClient::checkPatience() {
  if (pending_.empty() || waiting_for_ != 0) return;
  const auto& [id, oldest] = *pending_.begin();
  const milliseconds waited{oldest.asked.elapsed()};
  if (waited < patience_) return patience_over_.start(patience_ - waited);
  waiting_for_ = id;
  Q_EMIT waiting(oldest.method, std::chrono::duration<double>(patience_).count());
}

// Called when open requests have become fewer.
void EngineClient::endWaiting() {
  if (waiting_for_ == 0 || pending_.contains(waiting_for_)) return;
  waiting_for_ = 0;
  Q_EMIT waitingEnded();
  if (!pending_.empty()) patience_over_.start(patience_);
}

void EngineClient::setState(State state) {
  if (state == state_) return;
  state_ = state;
  Q_EMIT stateChanged();
}

}  // namespace binade::app
