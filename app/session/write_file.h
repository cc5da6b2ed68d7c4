// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace binade::app {

/// Replaces a file as a whole. On failure the file is as it was before, and a problem is returned: `failed`, a sentence
/// with %1 for the file and %2 for the reason, and a hint. Any thread.
std::optional<Problem> writeFile(const QString& file, const QByteArray& content, const QString& failed);

}  // namespace binade::app
