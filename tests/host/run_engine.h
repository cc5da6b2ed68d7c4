// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QList>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace binade::test {

/// What a run of `binade-engine` gave; the code is -1 where it did not end by itself.
struct EngineResult {
  int code = -1;
  QString out;
  QString err;

  /// Of `--json`: one object a line.
  QList<QJsonObject> lines() const;
};

/// The variables it runs with: its run files go to the test's folder.
QProcessEnvironment engineEnvironment();

/// Runs the program beside the test to its end, at most a minute.
EngineResult engine(const QStringList& arguments);

/// A file of tests/data/models.
QString modelFile(const char* name);

/// A file of the test's folder with this text; replaces an older one.
QString written(const QString& name, const QByteArray& text);

/// The file of a run on made-up pictures; `more` replaces or adds fields.
QString runFile(const QJsonObject& more = {});

}  // namespace binade::test
