// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"

#include <QString>

#include <optional>

namespace binade::app {

/// The kind of a file by its name alone; the contents are checked when it is opened.
enum class FileKind { kModel, kPolicy, kDescription, kRun, kLesson, kUnknown };

FileKind fileKind(const QString& path);

/// Returns the kind by name, else by the first bytes; for JSON files by their contents. kUnknown for an unreadable
/// file.
FileKind fileKindInside(const QString& path);

/// Returns why a path must not be opened: reading a named pipe or a device may block for ever. nullopt for all others,
/// including a missing file.
std::optional<Problem> unreadable(const QString& path);

/// Returns whether a file cannot be read, or its first bytes are not those of a run file. Do not call it for the file
/// of the shown run: closing a file drops SQLite's locks on it in this process.
bool isNoRunFile(const QString& path);

/// `TorchScript model`, `Policy`, `Run description`, `Run`, `Lesson`, `File`.
QString fileKindName(FileKind kind);

}  // namespace binade::app
