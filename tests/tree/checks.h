// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::test {

/// A file of C++ or CUDA.
bool isSource(const QString& path);

// The rules of docs/architecture.md as functions of one file's path and text. Each returns what is wrong, a sentence a
// finding; none where the file keeps the rule.

/// Includes of our own files follow the layers' table; Qt and LibTorch stay where they may be.
QStringList checkIncludes(const QString& path, const QString& text);

/// A layer's CMakeLists.txt makes one library named like its folder and links only what its row names.
QStringList checkTargets(const QString& path, const QString& text);

/// The first line (the second after #!) names the licence; a header has `#pragma once`.
QStringList checkHeading(const QString& path, const QString& text);

/// No `signals:`, `slots:` or `emit`: Qt's macros clash with LibTorch's names.
QStringList checkQtKeywords(const QString& path, const QString& text);

/// No absolute path into somebody's home or scratch folder.
QStringList checkMachinePaths(const QString& path, const QString& text);

/// At most 500 lines: one idea a file.
QStringList checkLength(const QString& path, const QString& text);

/// LibTorch's semi-internal headers are met in engine/graph only, and in one file each of autocast and observe.
bool includesInternals(const QString& text);

}  // namespace binade::test
