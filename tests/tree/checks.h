// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

namespace binade::test {

/// Returns whether a path is a C++ or CUDA file.
bool isSource(const QString& path);

// The rules of docs/architecture.md, as functions of one file's path and text. Each returns one sentence per violation.

/// Includes between our own files must follow the table of layers; Qt and LibTorch must stay in their folders.
QStringList checkIncludes(const QString& path, const QString& text);

/// A suite's own init() hides that of its base, so it must begin with failOnWarnings().
QStringList checkSuites(const QString& path, const QString& text);

/// Headers that only Linux has belong into files named `*_linux.cpp`, in the folders that -DBINADE_ENGINE=OFF builds.
QStringList checkSystemHeaders(const QString& path, const QString& text);

/// The CMakeLists.txt of a layer must make one library named like its folder, and link only what its row allows.
QStringList checkTargets(const QString& path, const QString& text);

/// The first line (the second after #!) must name the licence; a header needs `#pragma once`.
QStringList checkHeading(const QString& path, const QString& text);

/// `signals:`, `slots:` and `emit` are forbidden: Qt's macros clash with LibTorch's names.
QStringList checkQtKeywords(const QString& path, const QString& text);

/// Absolute paths into home or scratch folders are forbidden.
QStringList checkMachinePaths(const QString& path, const QString& text);

/// A file has at most 500 lines.
QStringList checkLength(const QString& path, const QString& text);

/// Returns whether a text includes LibTorch's semi-internal headers, which only engine/graph and one file each of
/// autocast and observe may do.
bool includesInternals(const QString& text);

}  // namespace binade::test
