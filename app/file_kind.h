// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/problem.h"

#include <QString>

#include <optional>

namespace binade::app {

/// What a file is taken for, by its name alone; whoever opens it checks the contents.
enum class FileKind { kModel, kPolicy, kDescription, kRun, kUnknown };

FileKind fileKind(const QString& path);

/// By its name, else by its first bytes; kUnknown also for a file that cannot be read. JSON files are told apart by
/// what they hold.
FileKind fileKindInside(const QString& path);

/// Why a file must not even be opened: a named pipe or a device may wait for ever. Nothing for all else, a file that is
/// missing among it.
std::optional<Problem> unreadable(const QString& path);

/// `TorchScript model`, `Policy`, `Run description`, `Run`, `File`.
QString fileKindName(FileKind kind);

}  // namespace binade::app
