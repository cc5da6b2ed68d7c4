// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

namespace binade::test {

/// Sources of the explorer that take texts apart, each with the reason. None of these texts is a sentence of the
/// engine.
const QMap<QString, QString>& readersOfText();

/// The explorer must not recover facts from texts: regular expressions and searches for literals are forbidden in `app`
/// outside readersOfText().
QStringList checkReadsNoProse(const QString& path, const QString& text);

/// Structs of the wire must hold facts: a member called `sentence` or `explanation` is forbidden, because
/// `engine/words` makes sentences.
QStringList checkWireHoldsFacts(const QString& path, const QString& text);

}  // namespace binade::test
