// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/engine_command.h"
#include "engine/policy/policy.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace binade::test {

/// A shell script in the place of the engine. Its command `serve` is the fake engine; any other one keeps its arguments
/// and does what a test says. The script and its files are in a temporary folder.
class ScriptedEngine {
 public:
  /// `first` and `body`: the shell commands before and after the arguments are kept. `$folder` has the files of
  /// write().
  ScriptedEngine(const QString& first, const QString& body);

  app::EngineCommand engine() const;
  /// Writes a file for the script.
  void write(const QString& name, const QByteArray& text) const;

  /// What the script was called with last; empty: it was not called.
  QStringList arguments() const;
  /// The value after this option; empty: there is none.
  QString option(const QString& name) const { return options(name).value(0); }
  /// All values after this option.
  QStringList options(const QString& name) const;
  QString folder() const { return folder_; }

 protected:
  /// The policy in a file that the script has copied; a default one without the file.
  policy::Policy policyIn(const QString& name) const;

 private:
  QByteArray read(const QString& name) const;

  QString folder_;
};

}  // namespace binade::test
