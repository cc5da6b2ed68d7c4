// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QString>

namespace binade::test {

/// Returns the project's text files by path from the root, without build outputs.
const QMap<QString, QString>& sourceTree();

/// Returns the compiler command of each source file, from compile_commands.json of the build under test.
QMap<QString, QString> compileCommands();

}  // namespace binade::test
