// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/engine_command.h"
#include "engine/policy/policy.h"
#include "engine/wire/trial.h"

#include <QString>
#include <QStringList>

namespace binade::test {

/// A made-up Try of 40 steps from step 200: `fc2` in float32 instead of float16. Its loss is inside the noise, and it
/// removes three overflows.
wire::Trial fakeTrial();

/// A shell script in the place of the engine. Its command `try` does what a test says; `serve` is the fake engine.
class FakeTry {
 public:
  /// `body`: the shell commands of `try`. `$folder/learnt`, `$folder/tried` and `$folder/cut` hold lines as the engine
  /// prints them: after the first seed, at the end, and at the end of a cancelled Try.
  explicit FakeTry(const QString& body);

  app::EngineCommand engine() const;
  /// What the script was called with; empty: it was not called.
  QStringList arguments() const;
  /// The value after this option.
  QString option(const QString& name) const;
  /// The policies that it was given.
  policy::Policy before() const;
  policy::Policy after() const;

 private:
  void write(const QString& name, const QByteArray& text) const;
  policy::Policy read(const QString& name) const;

  QString folder_;
};

}  // namespace binade::test
