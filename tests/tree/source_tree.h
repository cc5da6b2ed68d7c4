// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QString>

namespace binade::test {

/// The text files of the project by path from its root: what is written by hand, nothing that a build made.
const QMap<QString, QString>& sourceTree();

/// The compiler's arguments by source file, from compile_commands.json of the build under test.
QMap<QString, QString> compileCommands();

}  // namespace binade::test
