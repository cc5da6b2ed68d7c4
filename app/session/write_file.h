// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace binade::app {

/// Replaces a file as a whole. On failure, such as a full disk, the file is as it was before, and the reason of the
/// system is returned. Any thread.
std::optional<QString> replaceFile(const QString& file, const QByteArray& content);

/// As replaceFile(), for edits of the window. The problem has `failed`, a sentence with %1 for the file and %2 for the
/// reason, and a hint.
std::optional<Problem> writeFile(const QString& file, const QByteArray& content, const QString& failed);

}  // namespace binade::app
