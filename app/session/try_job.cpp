// SPDX-License-Identifier: Apache-2.0
#include "app/session/try_job.h"

#include "engine/formats/error.h"
#include "engine/wire/codec.h"

#include <QDir>
#include <QFile>
#include <QProcess>

#include <utility>

namespace binade::app {

namespace {

constexpr int kPartingMilliseconds = 1000;

std::string textOf(const nlohmann::json& line, const char* name) {
  const auto found = line.find(name);
  return found != line.end() && found->is_string() ? found->get<std::string>() : std::string();
}

qint64 countOf(const nlohmann::json& line, const char* name) {
  const auto found = line.find(name);
  return found != line.end() && found->is_number_integer() ? found->get<qint64>() : 0;
}

}  // namespace

QString whyNoTry(const EngineCommand& engine) {
  if (isLocal(engine)) return {};
  return TryJob::tr(
      "The engine runs on another machine, which has the run's data. Run binade-engine try on that machine.");
}

TryJob::TryJob(EngineCommand engine, QObject* parent) : QObject(parent), engine_(std::move(engine)) {}

TryJob::~TryJob() {
  if (process_ == nullptr) return;
  process_->disconnect(this);
  process_->terminate();
  if (process_->waitForFinished(kPartingMilliseconds)) return;
  process_->kill();
  process_->waitForFinished(kPartingMilliseconds);
}

bool TryJob::write(const QString& file, const policy::Policy& policy) {
  QFile out(file);
  const QByteArray text = QByteArray::fromStdString(policy::to_json(policy));
  if (out.open(QIODevice::WriteOnly) && out.write(text) == text.size() && out.flush()) return true;
  result_.problem =
      Problem{tr("The policy could not be written to %1: %2.").arg(QDir::toNativeSeparators(file), out.errorString()),
              tr("Free space in the temporary folder.")};
  return false;
}

void TryJob::start(const TryOrder& order) {
  if (isRunning()) return;
  result_ = {};
  done_ = false;
  cancelled_ = false;
  folder_ = std::make_unique<QTemporaryDir>();
  process_ = new QProcess(this);
  const QString before = folder_->filePath(QStringLiteral("before.policy.json"));
  const QString after = folder_->filePath(QStringLiteral("after.policy.json"));
  if (!write(before, order.before) || !write(after, order.after)) return end(false, {});
  QStringList arguments{QStringLiteral("try"),       order.run,
                        QStringLiteral("--policy"),  after,
                        QStringLiteral("--against"), before,
                        QStringLiteral("--steps"),   QString::number(order.steps),
                        QStringLiteral("--seeds"),   QString::number(order.seeds)};
  if (!order.from.isEmpty()) arguments << QStringLiteral("--from") << order.from;
  if (!order.name.isEmpty()) arguments << QStringLiteral("--name") << order.name;
  if (order.record.isEmpty()) {
    arguments << QStringLiteral("--no-record");
  } else {
    arguments << QStringLiteral("--record") << order.record;
  }
  arguments << QStringLiteral("--json");
  connect(process_, &QProcess::readyReadStandardOutput, this, &TryJob::readLines);
  connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    readLines();
    end(status == QProcess::NormalExit && code == 0, {});
  });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) end(false, process_->errorString());
  });
  const EngineCommand command = otherCommand(engine_, arguments);
  process_->start(command.program, command.arguments);
}

void TryJob::cancel() {
  if (!isRunning()) return;
  if (std::exchange(cancelled_, true)) return process_->kill();
  process_->terminate();
}

void TryJob::readLines() {
  while (isRunning() && process_->canReadLine()) take(process_->readLine());
}

void TryJob::take(const QByteArray& text) {
  const nlohmann::json line = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (!line.is_object()) return;
  const std::string event = textOf(line, "event");
  if (event == "trying") return Q_EMIT progress(countOf(line, "done"), countOf(line, "of"));
  if (event == "error") {
    result_.problem =
        Problem{QString::fromStdString(textOf(line, "message")), QString::fromStdString(textOf(line, "hint")),
                QString::fromStdString(textOf(line, "field"))};
    return;
  }
  if (event != "learnt" && event != "tried") return;
  try {
    result_.trial = wire::decode_text<wire::Trial>(line.value("trial", nlohmann::json::object()).dump());
    if (event == "tried") {
      done_ = true;
    } else {
      Q_EMIT learnt(*result_.trial);
    }
  } catch (const Error& error) {
    result_.problem = Problem{tr("The engine's result could not be read: %1").arg(QString::fromUtf8(error.what())),
                              tr("Install explorer and engine of the same version.")};
  }
}

void TryJob::end(bool well, const QString& what) {
  QProcess* process = std::exchange(process_, nullptr);
  const QString error_output =
      process->isOpen() ? QString::fromUtf8(process->readAllStandardError()).trimmed() : QString();
  process->disconnect(this);
  process->deleteLater();
  if (result_.trial && !done_) result_.trial->complete = false;
  if (cancelled_) {
    if (!done_ || !result_.trial->complete) {
      result_.problem = Problem{result_.trial ? tr("The Try was cancelled. What it has measured is kept.")
                                              : tr("The Try was cancelled before it had measured anything."),
                                {}};
    }
  } else if (!result_.problem && !(well && done_)) {
    // The engine reports its errors as a line of JSON. Without one it did not start, or was ended from outside.
    result_.problem = Problem{tr("The engine ended without a result."), what.isEmpty() ? error_output : what};
  }
  Q_EMIT finished(result_);
}

}  // namespace binade::app
