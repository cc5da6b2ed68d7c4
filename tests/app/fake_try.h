// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/policy.h"
#include "engine/wire/trial.h"
#include "tests/app/scripted_engine.h"

#include <QString>

namespace binade::test {

/// A made-up Try of 40 steps from step 200: `fc2` in float32 instead of float16. Its loss is inside the noise, and it
/// removes three overflows.
wire::Trial fakeTrial();

/// An engine whose command `try` does what a test says.
class FakeTry : public ScriptedEngine {
 public:
  /// `body`: the shell commands of `try`. `$folder/partial`, `$folder/learnt`, `$folder/tried` and `$folder/cut` hold
  /// lines as the engine prints them: in the middle of the first seed, after it, at the end, and at the end of a
  /// cancelled Try.
  explicit FakeTry(const QString& body);

  /// The policies that it was given.
  policy::Policy before() const { return policyIn(QStringLiteral("before")); }
  policy::Policy after() const { return policyIn(QStringLiteral("after")); }
};

}  // namespace binade::test
