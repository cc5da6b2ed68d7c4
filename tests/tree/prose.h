// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

namespace binade::test {

/// Sources that take texts apart, each with the reason. None of these texts is a sentence of the engine.
const QMap<QString, QString>& readersOfText();

/// What shows facts must not recover them from texts: regular expressions, parts of strings and searches for literals
/// are forbidden in `app`, `engine/words` and `engine/host/print` outside readersOfText().
QStringList checkReadsNoProse(const QString& path, const QString& text);

/// Structs of the wire must hold facts: a member called `sentence` or `explanation` is forbidden, because
/// `engine/words` makes sentences.
QStringList checkWireHoldsFacts(const QString& path, const QString& text);

}  // namespace binade::test
