// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/setup_page.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_run.h"

#include <QTest>

namespace binade::test {

/// Shows the set-up of the made-up model, as if it had been opened. nullptr: the engine did not start.
inline app::SetupPage* setUp(Explorer& explorer) {
  explorer.show();
  const auto ready = [&] { return explorer.session().engine().state() == app::EngineClient::State::kReady; };
  if (!QTest::qWaitFor(ready, 10000)) return nullptr;
  Q_EMIT explorer.session().modelInspected(FakeRun::model());
  return explorer.window().showsSetup() ? explorer.window().setupPage() : nullptr;
}

}  // namespace binade::test
