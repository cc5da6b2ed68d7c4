// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/session.h"

#include <QEventLoop>

namespace binade::test {

/// Runs the event loop until the session reads no run file any more.
inline void waitOpened(app::Session& session) {
  while (session.isOpening()) {
    QEventLoop loop;
    QObject::connect(&session, &app::Session::opened, &loop, &QEventLoop::quit);
    QObject::connect(&session, &app::Session::openFailed, &loop, &QEventLoop::quit);
    loop.exec();
  }
}

}  // namespace binade::test
