// SPDX-License-Identifier: Apache-2.0
#include "app/session/search_job.h"

#include "engine/wire/enum_text.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <limits>
#include <utility>
#include <variant>

namespace binade::app {

namespace {

constexpr int kPatienceMs = 60'000;  // of a cancelled search, which ends after its step

QString goalWord(SearchGoal goal) {
  switch (goal) {
    case SearchGoal::kTime:
      return QStringLiteral("time");
    case SearchGoal::kMemory:
      return QStringLiteral("memory");
    case SearchGoal::kCasts:
      return QStringLiteral("casts");
    case SearchGoal::kRepair:
      return QStringLiteral("repair");
  }
  return {};
}

// JSON has no number for these: NaN is null, an infinity a word.
double numberOf(const QJsonValue& value) {
  if (value.isDouble()) return value.toDouble();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (value.toString() == QLatin1String("Infinity")) return kInfinity;
  if (value.toString() == QLatin1String("-Infinity")) return -kInfinity;
  return std::numeric_limits<double>::quiet_NaN();
}

// Throws binade::Error if the policy cannot be read.
SearchPoint pointOf(const QJsonObject& json) {
  SearchPoint point;
  point.attempt = json[QLatin1String("attempt")].toInteger();
  const QJsonArray changed = json[QLatin1String("changed")].toArray();
  for (const auto& call : changed) point.changed << call.toString();
  const std::string verdict = json[QLatin1String("verdict")].toString().toStdString();
  point.verdict = wire::from_word<wire::TrialVerdict>(verdict).value_or(wire::TrialVerdict::kUnknown);
  point.holds = json[QLatin1String("holds")].toBool();
  point.gap = numberOf(json[QLatin1String("gap")]);
  point.cost = numberOf(json[QLatin1String("cost")]);
  const QJsonValue before = json[QLatin1String("base_cost")];
  if (before.isDouble() || before.isString()) point.base_cost = numberOf(before);
  const QJsonValue noise = json[QLatin1String("cost_noise")];
  if (noise.isDouble() || noise.isString()) point.cost_noise = numberOf(noise);
  const QJsonValue evaluation = json[QLatin1String("evaluation")];
  if (evaluation.isDouble() || evaluation.isString()) point.evaluation = numberOf(evaluation);
  point.reason = json[QLatin1String("reason")].toString();
  point.file = json[QLatin1String("file")].toString();
  const QByteArray policy = QJsonDocument(json[QLatin1String("policy")].toObject()).toJson(QJsonDocument::Compact);
  point.policy = policy::parse_policy(policy.toStdString(), "search");
  return point;
}

}  // namespace

QString whyNoSearch(const EngineCommand& engine) {
  if (isLocal(engine)) return {};
  return SearchJob::tr(
      "The engine runs on another machine, which has the files of the run. Run binade-engine search on that machine.");
}

QString searchFolder(const SearchOrder& order) {
  QCryptographicHash hash(QCryptographicHash::Sha256);
  QStringList parts{order.checkpoint, QString::number(order.steps), QString::number(order.seeds),
                    QString::fromStdString(policy::to_json(order.base))};
  parts << order.fixed << QStringLiteral("formats") << order.formats;
  if (order.evaluation) parts << QString::number(*order.evaluation, 'g', 17);
  hash.addData(parts.join(QChar(0)).toUtf8());
  const QFileInfo run(order.run);
  return run.absoluteDir().filePath(
      QStringLiteral("%1.search-%2-%3")
          .arg(run.completeBaseName(), goalWord(order.goal), QString::fromLatin1(hash.result().toHex().first(8))));
}

SearchJob::SearchJob(EngineCommand engine, QObject* parent) : QObject(parent), process_(std::move(engine)) {
  connect(&process_, &EngineProcess::line, this,
          [this](const QByteArray& line) { take(QJsonDocument::fromJson(line).object()); });
  connect(&process_, &EngineProcess::ended, this, [this](bool /*well*/, const QString& said) { end(said); });
}

namespace {

QStringList searchArguments(const SearchOrder& order, const QString& policy) {
  QStringList arguments;
  arguments << QStringLiteral("search") << order.run << QStringLiteral("--for") << goalWord(order.goal)
            << QStringLiteral("--policy") << policy << QStringLiteral("--out") << searchFolder(order)
            << QStringLiteral("--steps") << QString::number(order.steps) << QStringLiteral("--seeds")
            << QString::number(order.seeds) << QStringLiteral("--json");
  if (order.minutes > 0) arguments << QStringLiteral("--budget") << QStringLiteral("%1min").arg(order.minutes);
  if (order.tries > 0) arguments << QStringLiteral("--budget") << QStringLiteral("%1tries").arg(order.tries);
  if (!order.checkpoint.isEmpty()) arguments << QStringLiteral("--from") << order.checkpoint;
  for (const QString& each : order.fixed) arguments << QStringLiteral("--fixed") << each;
  if (!order.formats.isEmpty()) arguments << QStringLiteral("--formats") << order.formats.join(u',');
  if (order.evaluation) arguments << QStringLiteral("--evaluation") << QString::number(*order.evaluation, 'g', 17);
  return arguments;
}

}  // namespace

void SearchJob::start(const SearchOrder& order) {
  if (isRunning()) return;
  result_ = {};
  has_front_ = false;
  const auto policy = process_.policyFile(QStringLiteral("base.policy.json"), order.base);
  if (const auto* problem = std::get_if<Problem>(&policy)) return fail(*problem);
  process_.startOnModel(searchArguments(order, std::get<QString>(policy)));
}

void SearchJob::cancel() {
  if (!isRunning() || result_.cancelled) return;
  result_.cancelled = true;
  process_.terminate(kPatienceMs);
}

void SearchJob::take(const QJsonObject& line) {
  const QString event = line[QLatin1String("event")].toString();
  const auto text = [&line](const char* name) { return line[QLatin1String(name)].toString(); };
  try {
    if (event == QLatin1String("searching")) {
      Q_EMIT searching(line[QLatin1String("tries")].toInteger(), line[QLatin1String("seconds")].toDouble(),
                       text("sentence"));
    } else if (event == QLatin1String("proven")) {
      Q_EMIT proven(pointOf(line[QLatin1String("point")].toObject()));
    } else if (event == QLatin1String("front")) {
      const QJsonArray points = line[QLatin1String("points")].toArray();
      for (const auto& each : points) result_.front << pointOf(each.toObject());
      result_.nothing_better = line[QLatin1String("nothing_better")].toBool();
      result_.sentence = text("sentence");
      has_front_ = true;
    } else if (event == QLatin1String("error") && line[QLatin1String("cancelled")].toBool()) {
      result_.cancelled = true;  // what the person asked for is no problem
    } else if (event == QLatin1String("error")) {
      result_.problem = Problem{text("message"), text("hint"), text("field")};
    }
  } catch (const Error& error) {
    result_.problem = problemOf(error);
  }
}

void SearchJob::fail(const Problem& problem) {
  result_.problem = problem;
  Q_EMIT finished(result_);
}

void SearchJob::end(const QString& said) {
  // The command reports its errors as a line of JSON. Without one it did not start, or was ended from outside.
  if (!has_front_ && !result_.problem) {
    if (result_.cancelled) {
      result_.sentence = tr("The search was cancelled. Its results so far are kept.");
    } else {
      result_.problem =
          Problem{tr("The search ended without a result. Its tries so far are kept: start it again to go on."), said};
    }
  }
  const SearchResult result = std::exchange(result_, {});
  Q_EMIT finished(result);
}

}  // namespace binade::app
