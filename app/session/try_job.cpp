// SPDX-License-Identifier: Apache-2.0
#include "app/session/try_job.h"

#include "engine/formats/error.h"
#include "engine/wire/codec.h"

#include <utility>
#include <variant>

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

TryJob::TryJob(EngineCommand engine, QObject* parent) : QObject(parent), process_(std::move(engine)) {
  connect(&process_, &EngineProcess::line, this, &TryJob::take);
  connect(&process_, &EngineProcess::ended, this, &TryJob::end);
}

TryJob::~TryJob() {
  process_.abandon(kPartingMilliseconds);
}

void TryJob::start(const TryOrder& order) {
  if (isRunning()) return;
  result_ = {};
  done_ = false;
  cancelled_ = false;
  const auto before = process_.policyFile(QStringLiteral("before.policy.json"), order.before);
  if (const auto* problem = std::get_if<Problem>(&before)) return fail(*problem);
  const auto after = process_.policyFile(QStringLiteral("after.policy.json"), order.after);
  if (const auto* problem = std::get_if<Problem>(&after)) return fail(*problem);
  QStringList arguments{QStringLiteral("try"),       order.run,
                        QStringLiteral("--policy"),  std::get<QString>(after),
                        QStringLiteral("--against"), std::get<QString>(before),
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
  process_.startOnModel(arguments);
}

void TryJob::cancel() {
  if (!isRunning()) return;
  if (std::exchange(cancelled_, true)) return process_.kill();
  process_.terminate();
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
  if (event != "learnt" && event != "partial" && event != "tried") return;
  try {
    result_.trial = wire::decode_text<wire::Trial>(line.value("trial", nlohmann::json::object()).dump());
    if (event == "tried") {
      done_ = true;
    } else if (event == "learnt") {
      Q_EMIT learnt(*result_.trial);  // of a seed in progress there is nothing to compare yet
    }
  } catch (const Error& error) {
    result_.problem = Problem{tr("The engine's result could not be read: %1").arg(QString::fromUtf8(error.what())),
                              tr("Install explorer and engine of the same version.")};
  }
}

void TryJob::fail(const Problem& problem) {
  result_.problem = problem;
  Q_EMIT finished(result_);
}

void TryJob::end(bool well, const QString& said) {
  if (result_.trial && !done_) result_.trial->complete = false;
  if (cancelled_) {
    if (!done_ || !result_.trial->complete) {
      result_.problem = Problem{result_.trial ? tr("The Try was cancelled. Its measurements are kept.")
                                              : tr("The Try was cancelled before it had measured anything."),
                                {}};
    }
  } else if (!result_.problem && !(well && done_)) {
    // The engine reports its errors as a line of JSON. Without one it did not start, or was ended from outside.
    result_.problem = Problem{result_.trial ? tr("The engine ended during the Try. Its measurements so far are kept.")
                                            : tr("The engine ended without a result."),
                              said};
  }
  Q_EMIT finished(result_);
}

}  // namespace binade::app
