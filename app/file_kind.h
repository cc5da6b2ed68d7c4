// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace binade::app {

/// What a file is taken for, by its name alone; whoever opens it checks the contents.
enum class FileKind { kModel, kPolicy, kDescription, kRun, kUnknown };

FileKind fileKind(const QString& path);

/// By its name, else by its first bytes; kUnknown also for a file that cannot be read. JSON files are told apart by
/// what they hold.
FileKind fileKindInside(const QString& path);

/// `TorchScript model`, `Policy`, `Run description`, `Run`, `File`.
QString fileKindName(FileKind kind);

}  // namespace binade::app
