// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/search_point.h"
#include "engine/policy/policy.h"
#include "tests/app/scripted_engine.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace binade::test {

/// A policy that a made-up search has tried: `fc<attempt>` in float32.
app::SearchPoint fakePoint(qint64 attempt, double cost, double gap, bool holds);

/// An engine whose command `search` does what a test says.
class FakeSearch : public ScriptedEngine {
 public:
  /// `body`: the shell commands of `search`.
  explicit FakeSearch(const QString& body);

  // Lines as the engine prints them: progress, a try, and the end.
  static QByteArray searching(qint64 tries, double seconds, const QByteArray& sentence);
  static QByteArray proven(const app::SearchPoint& point);
  static QByteArray front(const QList<app::SearchPoint>& points, const QByteArray& sentence);

  /// The policy that it was given.
  policy::Policy base() const { return policyIn(QStringLiteral("base")); }
};

}  // namespace binade::test
