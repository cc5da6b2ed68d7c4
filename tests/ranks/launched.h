// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <map>

namespace binade::test {

/// A run description for ranks in the test's folder; `more` replaces or adds fields.
QString ranksRun(const QString& name, const QJsonObject& more = {});

/// `binade-engine` in progress, for tests that interfere with it.
class Launched {
 public:
  /// `variables` (`NAME=VALUE`) are added to the environment.
  explicit Launched(const QStringList& arguments, const QStringList& variables = {});
  ~Launched();

  /// Waits until it has printed a step of this number or a later one; false: it has ended before, or takes too long.
  bool waitForStep(int step);
  /// Waits for the end, at most so long; false: it still runs.
  bool waitForEnd(int milliseconds);
  int exitCode() const { return process_.exitStatus() == QProcess::NormalExit ? process_.exitCode() : -1; }
  QString errors();
  qint64 pid() const { return process_.processId(); }
  /// Process of a rank that it has started; 0: there is none.
  qint64 rank(int rank) const;
  /// The last printed event of this name; empty: there is none.
  QJsonObject event(const QString& name);
  /// The printed losses by step, with all digits.
  std::map<int, QString> losses();

 private:
  void read();

  QProcess process_;
  QByteArray out_;
  QByteArray err_;
};

}  // namespace binade::test
