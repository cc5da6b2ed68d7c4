// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/places.h"

#include <QFile>
#include <QList>
#include <QRegularExpression>
#include <QString>

namespace binade::test {

/// A fenced piece of a page of the guide.
struct GuidePiece {
  QString language;  ///< empty: text that a command prints
  QString text;
};

/// The fenced pieces of a page, in its order. `page` is a path in the source tree: `docs/guide/tuning.md`.
inline QList<GuidePiece> guidePieces(const QString& page) {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/") + page);
  if (!file.open(QIODevice::ReadOnly)) return {};
  static const QRegularExpression piece(
      QStringLiteral("^```(\\w*)\\n(.*?)^```"),
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  QList<GuidePiece> pieces;
  const QString text = QString::fromUtf8(file.readAll());
  for (const auto& match : piece.globalMatch(text)) pieces << GuidePiece{match.captured(1), match.captured(2)};
  return pieces;
}

}  // namespace binade::test
