// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/search_point.h"
#include "app/session/engine_command.h"
#include "engine/policy/policy.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace binade::test {

/// A policy that a made-up search has tried: `fc<attempt>` in float32.
app::SearchPoint fakePoint(qint64 attempt, double cost, double gap, bool holds);

/// A shell script in the place of the engine. Its command `search` does what a test says; `serve` is the fake engine.
class FakeSearch {
 public:
  /// `body`: the shell commands of `search`. `$folder` has the files of write().
  explicit FakeSearch(const QString& body);

  app::EngineCommand engine() const;
  /// Writes lines as the engine prints them, for the script: progress, a try, and the end.
  void write(const QString& name, const QByteArray& lines) const;
  static QByteArray searching(qint64 tries, double seconds, const QByteArray& sentence);
  static QByteArray proven(const app::SearchPoint& point);
  static QByteArray front(const QList<app::SearchPoint>& points, const QByteArray& sentence);

  /// What the script was called with last; empty: it was not called.
  QStringList arguments() const;
  /// The value after this option.
  QString option(const QString& name) const;
  /// All values after this option.
  QStringList options(const QString& name) const;
  /// The policy that it was given.
  policy::Policy base() const;
  QString folder() const { return folder_; }

 private:
  QByteArray read(const QString& name) const;

  QString folder_;
};

}  // namespace binade::test
