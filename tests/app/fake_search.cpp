// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_search.h"

#include "engine/wire/enum_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <iterator>
#include <string_view>

namespace binade::test {

namespace {

QByteArray searchLine(const QJsonObject& object) {
  return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

// As the engine writes it: JSON has no number for infinity and NaN.
QJsonValue spelt(double value) {
  if (std::isnan(value)) return QJsonValue::Null;
  if (std::isinf(value)) return value > 0 ? QStringLiteral("Infinity") : QStringLiteral("-Infinity");
  return value;
}

QJsonObject objectOf(const app::SearchPoint& point) {
  const QByteArray policy = QByteArray::fromStdString(policy::to_json(point.policy));
  const std::string_view verdict = wire::word(point.verdict);
  QJsonObject object{{QStringLiteral("attempt"), point.attempt},
                     {QStringLiteral("changed"), QJsonArray::fromStringList(point.changed)},
                     {QStringLiteral("holds"), point.holds},
                     {QStringLiteral("verdict"), QString::fromUtf8(verdict.data(), std::ssize(verdict))},
                     {QStringLiteral("gap"), spelt(point.gap)},
                     {QStringLiteral("cost"), spelt(point.cost)},
                     {QStringLiteral("cost_noise"), spelt(point.cost_noise)},
                     {QStringLiteral("reason"), point.reason},
                     {QStringLiteral("file"), point.file},
                     {QStringLiteral("policy"), QJsonDocument::fromJson(policy).object()}};
  if (point.base_cost) object[QStringLiteral("base_cost")] = spelt(*point.base_cost);
  if (point.evaluation) object[QStringLiteral("evaluation")] = spelt(*point.evaluation);
  return object;
}

}  // namespace

app::SearchPoint fakePoint(qint64 attempt, double cost, double gap, bool holds) {
  app::SearchPoint point;
  point.attempt = attempt;
  point.changed = {QStringLiteral("fc%1/aten::linear#0").arg(attempt)};
  point.holds = holds;
  point.verdict = holds ? wire::TrialVerdict::kInsideNoise : wire::TrialVerdict::kDiverged;
  point.gap = gap;
  point.cost = cost;
  policy::SiteRule rule;
  rule.match = point.changed.front().toStdString();
  rule.format = formats::kFloat32;
  point.policy.sites.push_back(rule);
  point.policy.provenance.evidence = {"Trained 100 steps."};
  return point;
}

FakeSearch::FakeSearch(const QString& body) : ScriptedEngine(QStringLiteral("cp \"$6\" \"$folder/base\""), body) {}

QByteArray FakeSearch::searching(qint64 tries, double seconds, const QByteArray& sentence) {
  return searchLine({{QStringLiteral("event"), QStringLiteral("searching")},
                     {QStringLiteral("tries"), tries},
                     {QStringLiteral("seconds"), seconds},
                     {QStringLiteral("sentence"), QString::fromUtf8(sentence)}});
}

QByteArray FakeSearch::proven(const app::SearchPoint& point) {
  return searchLine({{QStringLiteral("event"), QStringLiteral("proven")}, {QStringLiteral("point"), objectOf(point)}});
}

QByteArray FakeSearch::front(const QList<app::SearchPoint>& points, const QByteArray& sentence) {
  QJsonArray all;
  for (const app::SearchPoint& each : points) all.append(objectOf(each));
  return searchLine({{QStringLiteral("event"), QStringLiteral("front")},
                     {QStringLiteral("points"), all},
                     {QStringLiteral("nothing_better"), points.isEmpty()},
                     {QStringLiteral("sentence"), QString::fromUtf8(sentence)}});
}

}  // namespace binade::test
