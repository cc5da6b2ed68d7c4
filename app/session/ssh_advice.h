// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

#include <optional>

namespace binade::app {

/// The next step after ssh, or the command that it ran on `host`, has failed: what to do about a host key, a log-in, a
/// name, a network, or a command that is not there. `said`: its output, which is shown beside. `exit_code`: nullopt if
/// unknown. Empty: the output says it all.
QString sshAdvice(const QString& host, const QString& said, std::optional<int> exit_code);

}  // namespace binade::app
