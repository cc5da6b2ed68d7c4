// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDir>
#include <QJsonObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace binade::test {

/// An error as a test sees it: the name of its code (`bad_run`), its message and its hint.
struct SeenError {
  QString code, message, hint;
};

/// A folder of bad files, each of which must be refused. The table `<folder>.json` beside it has one object for each
/// file: the `kind` of its error, the `code`, the `field` (or line) that the message must name, and the values that the
/// message or the hint must name (`tells`): what was given and what is possible. Where there are none, there must be a
/// hint. So a message may be reworded. One file of each kind has a golden file beside it, with the message on the first
/// line and the hint on the second.
class ErrorCorpus {
 public:
  /// Files and golden files are those whose names end in `ending` and `golden`.
  ErrorCorpus(const QString& folder, const QString& ending, const QString& golden);

  /// Returns how an error differs from the facts of a file's row; empty if it does not. No error is a difference.
  QString difference(const QString& path, const std::optional<SeenError>& error) const;

  /// Returns how the errors differ from the golden files, and each kind that has not exactly one; empty if there is
  /// nothing. A first line that ends in `…` is the beginning of a message that ends with another library's words.
  QStringList goldenDifferences(const std::function<std::optional<SeenError>(const QString& path)>& errorOf) const;

 private:
  QDir folder_;
  QString ending_, golden_;
  QJsonObject rows_;
};

}  // namespace binade::test
